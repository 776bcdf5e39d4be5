#ifndef TLC_INTERNAL_H
#define TLC_INTERNAL_H

#include "tlc_library.h"
#include "tlc_loop.h"
#include "tlc_options.h"
#include "tlc_transfer.h"

/// `struct curl_slist`.
typedef struct tlc_list {
    char *data;
    struct tlc_list *next;
} tlc_list;

/// `struct curl_blob`, always copied.
typedef struct tlc_blob {
    void *data;
    size_t len;
    unsigned int flags;
} tlc_blob;

/// `CURLMsg`.
typedef struct tlc_message {
    int msg;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} tlc_message;

/// `struct curl_waitfd`.
typedef struct tlc_waitfd {
    int fd;
    short events, revents;
} tlc_waitfd;

/// The beginning of `curl_version_info_data`, the same in every version.
typedef struct tlc_version_info {
    int age;
    const char *version;
    unsigned int version_num;
    const char *host;
    int features;
    const char *ssl_version;
    long ssl_version_num;
    const char *libz_version;
    const char *const *protocols;
} tlc_version_info;

struct tlc_library {
    int (*global_init)(long);
    const tlc_version_info *(*version_info)(int);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    // Variadic as libcurl declares them: the calling convention differs on some platforms.
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_pause)(void *, int);
    const char *(*easy_strerror)(int);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, tlc_waitfd *, unsigned int, int, int *);
    tlc_message *(*multi_info_read)(void *, int *);
    int (*multi_setopt)(void *, int, ...);
    tlc_list *(*slist_append)(tlc_list *, const char *);
    void (*slist_free_all)(tlc_list *);
    // Optional: NULL where the library has no such function.
    int (*easy_send)(void *, const void *, size_t, size_t *);
    int (*easy_recv)(void *, void *, size_t, size_t *);
    tlc_version_info const *info;
    /// Whether content is decoded here (decode.c) and not by libcurl, which takes content that is cut short for whole.
    bool decodes;
};

bool tlc_bytes_reserve(tlc_bytes *bytes, size_t capacity);
bool tlc_bytes_append(tlc_bytes *bytes, const void *source, size_t count);
void tlc_bytes_free(tlc_bytes *bytes);

/// The content codings (RFC 9110, section 8.4.1).
enum { TLC_CODING_NONE = 0, TLC_CODING_GZIP, TLC_CODING_DEFLATE, TLC_CODING_BROTLI, TLC_CODING_ZSTD, TLC_CODING_OTHER };

/// One content coding being undone.
typedef struct tlc_decoder tlc_decoder;

/// Whether every coding a libcurl with these feature bits announces can be undone.
bool tlc_decoders_cover(int features);
/// The coding of that name.
int32_t tlc_coding_named(const char *name, size_t count);
tlc_decoder *tlc_decoder_make(int32_t coding);
void tlc_decoder_free(tlc_decoder *decoder);
/// Takes some input and gives some output; false when the input is not of the coding. Where it has neither taken nor
/// given anything it needs more input.
bool tlc_decoder_step(tlc_decoder *decoder, const uint8_t **bytes, size_t *count, uint8_t *output, size_t *room);
/// Whether the encoded content is complete so far, or has not begun.
bool tlc_decoder_is_complete(const tlc_decoder *decoder);

/// libcurl's callbacks (response.c, upload.c).
size_t tlc_on_header(char *line, size_t size, size_t count, void *transfer);
size_t tlc_on_body(char *bytes, size_t size, size_t count, void *transfer);
size_t tlc_on_read(char *bytes, size_t size, size_t count, void *transfer);
int tlc_on_seek(void *transfer, int64_t offset, int origin);
int tlc_on_connected(void *transfer, char *remote, char *local, int remote_port, int local_port);

/// Around a loop's use of libcurl: from `tlc_enter` to `tlc_leave` the process doesn't end (exit.c).
void tlc_enter(void);
void tlc_leave(void);

/// What a loop asks between two turns: a busy one may not leave libcurl, to wait, for long. Doesn't return once the
/// process ends.
void tlc_stop_if_exiting(void);
/// Called once libcurl, and with it the TLS library, has been initialised: handlers run in the opposite order.
void tlc_stop_loops_at_exit(void);

#endif
