#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__APPLE__)
static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
static const char *const names[] = {"libcurl.so.4", "libcurl.so", "libcurl-gnutls.so.4"};
#endif

static const tlc_library *load(void *image, const char *name, char *reason, size_t reason_size) {
    tlc_library *library = calloc(1, sizeof *library);
    if (!library) {
        snprintf(reason, reason_size, "no memory");
        return NULL;
    }
    struct {
        const char *name;
        void **slot;
    } symbols[] = {
        {"curl_global_init", (void **)&library->global_init},
        {"curl_version_info", (void **)&library->version_info},
        {"curl_easy_init", (void **)&library->easy_init},
        {"curl_easy_cleanup", (void **)&library->easy_cleanup},
        {"curl_easy_setopt", (void **)&library->easy_setopt},
        {"curl_easy_getinfo", (void **)&library->easy_getinfo},
        {"curl_easy_pause", (void **)&library->easy_pause},
        {"curl_easy_strerror", (void **)&library->easy_strerror},
        {"curl_multi_init", (void **)&library->multi_init},
        {"curl_multi_cleanup", (void **)&library->multi_cleanup},
        {"curl_multi_add_handle", (void **)&library->multi_add_handle},
        {"curl_multi_remove_handle", (void **)&library->multi_remove_handle},
        {"curl_multi_perform", (void **)&library->multi_perform},
        {"curl_multi_poll", (void **)&library->multi_poll},
        {"curl_multi_info_read", (void **)&library->multi_info_read},
        {"curl_multi_setopt", (void **)&library->multi_setopt},
        {"curl_slist_append", (void **)&library->slist_append},
        {"curl_slist_free_all", (void **)&library->slist_free_all},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        *symbols[i].slot = dlsym(image, symbols[i].name);
        if (!*symbols[i].slot) {
            snprintf(reason, reason_size, "%s has no %s", name, symbols[i].name);
            free(library);
            return NULL;
        }
    }
    *(void **)&library->easy_send = dlsym(image, "curl_easy_send");
    *(void **)&library->easy_recv = dlsym(image, "curl_easy_recv");
    // 3 is CURL_GLOBAL_ALL. Thread-safe by itself since 7.84 (the feature bit says so); before that, `pthread_once`
    // below keeps this library's own calls apart.
    if (library->global_init(3) != 0) {
        snprintf(reason, reason_size, "%s could not be initialised", name);
        free(library);
        return NULL;
    }
    tlc_stop_loops_at_exit();
    library->info = library->version_info(3);
    if (!library->info || !library->info->version || library->info->version_num < TLC_MINIMUM_VERSION) {
        snprintf(reason, reason_size, "%s is older than 7.68", name);
        free(library);
        return NULL;
    }
    library->decodes = tlc_decoders_cover(library->info->features);
    return library;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const tlc_library *system_library;
static char system_reason[256];

static void open_system(void) {
    snprintf(system_reason, sizeof system_reason, "there is no libcurl");
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !system_library; i++) {
        void *image = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (image) system_library = load(image, names[i], system_reason, sizeof system_reason);
    }
}

const tlc_library *tlc_library_open(const char *path, char *reason, size_t reason_size) {
    if (path) {
        void *image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!image) {
            const char *text = dlerror();
            snprintf(reason, reason_size, "%s", text ? text : "it can't be opened");
            return NULL;
        }
        return load(image, path, reason, reason_size);
    }
    pthread_once(&once, open_system);
    if (!system_library) snprintf(reason, reason_size, "%s", system_reason);
    return system_library;
}

tlc_version tlc_library_version(const tlc_library *library) {
    const tlc_version_info *info = library->info;
    return (tlc_version){
        .text = info->version,
        .number = info->version_num,
        .tls = info->ssl_version,
        .features = info->features,
        .decodes = library->decodes,
        .raw_sockets = library->easy_send && library->easy_recv,
    };
}

const char *tlc_library_error_text(const tlc_library *library, int32_t code) { return library->easy_strerror(code); }

int64_t tlc_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void tlc_block_sigpipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
