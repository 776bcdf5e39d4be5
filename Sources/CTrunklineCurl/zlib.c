#include "tlc_zlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "zstream.h"

#if defined(__APPLE__)
static const char *const names[] = {"libz.1.dylib", "/usr/lib/libz.1.dylib"};
#else
static const char *const names[] = {"libz.so.1", "libz.so"};
#endif

// The numbers below are part of zlib's stable ABI.
#define OK 0
#define STREAM_END 1
#define BUFFER (-5)
#define NO_FLUSH 0
#define FINISH 4
#define DEFAULT_LEVEL (-1)
#define DEFLATED 8
#define GZIP_WINDOW (15 + 16)
#define DEFAULT_MEMORY 8
#define DEFAULT_STRATEGY 0

struct tlc_zlib {
    int (*init)(tlc_zstream *, int level, int method, int window, int memory, int strategy, const char *version, int size);
    int (*deflate)(tlc_zstream *, int flush);
    int (*end)(tlc_zstream *);
    unsigned long (*bound)(tlc_zstream *, unsigned long);
};

static const tlc_zlib *load(const char *path) {
    void *image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!image) return NULL;
    tlc_zlib *zlib = calloc(1, sizeof *zlib);
    if (zlib) {
        *(void **)&zlib->init = dlsym(image, "deflateInit2_");
        *(void **)&zlib->deflate = dlsym(image, "deflate");
        *(void **)&zlib->end = dlsym(image, "deflateEnd");
        *(void **)&zlib->bound = dlsym(image, "deflateBound");
        if (zlib->init && zlib->deflate && zlib->end && zlib->bound) return zlib;
    }
    free(zlib);
    dlclose(image);
    return NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const tlc_zlib *system_zlib;

static void open_system(void) {
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !system_zlib; i++) system_zlib = load(names[i]);
}

const tlc_zlib *tlc_zlib_open(const char *path) {
    if (path) return load(path);
    pthread_once(&once, open_system);
    return system_zlib;
}

static unsigned int portion(size_t count) { return count > UINT_MAX ? UINT_MAX : (unsigned int)count; }

/// Hands zlib input and room in portions, as its counts have fewer bits than `size_t`. Returns the length; 0 when it
/// failed or the room was not enough.
static size_t write_all(
    const tlc_zlib *zlib, tlc_zstream *stream, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
    size_t taken = 0, written = 0;
    for (;;) {
        unsigned int in = portion(count - taken), out = portion(capacity - written);
        stream->next_in = bytes + taken;
        stream->avail_in = in;
        stream->next_out = output + written;
        stream->avail_out = out;
        int code = zlib->deflate(stream, in == count - taken ? FINISH : NO_FLUSH);
        size_t took = in - stream->avail_in, wrote = out - stream->avail_out;
        taken += took;
        written += wrote;
        if (code == STREAM_END) return taken == count ? written : 0;
        if (code != OK || (took == 0 && wrote == 0)) return 0;
    }
}

static bool begin(const tlc_zlib *zlib, tlc_zstream *stream) {
    // Of the version only the first number counts: that of the layout.
    return zlib->init(
               stream, DEFAULT_LEVEL, DEFLATED, GZIP_WINDOW, DEFAULT_MEMORY, DEFAULT_STRATEGY, "1", (int)sizeof *stream)
        == OK;
}

uint8_t *tlc_zlib_gzip(const tlc_zlib *zlib, const uint8_t *bytes, size_t count, size_t *length) {
    static const uint8_t nothing;
    *length = 0;
    tlc_zstream stream = {0};
    if (!begin(zlib, &stream)) return NULL;
    unsigned long bound = zlib->bound(&stream, count);
    uint8_t *output = bound > count ? malloc(bound) : NULL;
    if (output) *length = write_all(zlib, &stream, bytes ? bytes : &nothing, count, output, bound);
    zlib->end(&stream);
    if (*length == 0) {
        free(output);
        return NULL;
    }
    // What compresses well would otherwise hold the memory of the whole input.
    uint8_t *fitted = realloc(output, *length);
    return fitted ? fitted : output;
}

struct tlc_gzip {
    const tlc_zlib *zlib;
    tlc_zstream stream;
};

tlc_gzip *tlc_gzip_make(const tlc_zlib *zlib) {
    tlc_gzip *gzip = calloc(1, sizeof *gzip);
    if (!gzip) return NULL;
    gzip->zlib = zlib;
    if (begin(zlib, &gzip->stream)) return gzip;
    free(gzip);
    return NULL;
}

int64_t tlc_gzip_write(
    tlc_gzip *gzip, const uint8_t *bytes, size_t count, bool ends, uint8_t *output, size_t capacity, size_t *took,
    bool *ended) {
    static const uint8_t nothing;
    tlc_zstream *stream = &gzip->stream;
    unsigned int in = portion(count), out = portion(capacity);
    stream->next_in = bytes ? bytes : &nothing;
    stream->avail_in = in;
    stream->next_out = output;
    stream->avail_out = out;
    int code = gzip->zlib->deflate(stream, ends && in == count ? FINISH : NO_FLUSH);
    *took = in - stream->avail_in;
    *ended = code == STREAM_END;
    // No progress is no failure: zlib has all of the input and wants more.
    bool is_sound = code == OK || code == STREAM_END || code == BUFFER;
    return is_sound ? (int64_t)(out - stream->avail_out) : -1;
}

void tlc_gzip_free(tlc_gzip *gzip) {
    gzip->zlib->end(&gzip->stream);
    free(gzip);
}
