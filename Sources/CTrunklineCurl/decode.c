#include "internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "zstream.h"

// The libraries that libcurl decodes with, opened at run time like libcurl itself. The numbers and layouts are of their
// stable ABIs.

#if defined(__APPLE__)
#define ZLIB "libz.1.dylib"
#define BROTLI "libbrotlidec.1.dylib"
#define ZSTD "libzstd.1.dylib"
#else
#define ZLIB "libz.so.1"
#define BROTLI "libbrotlidec.so.1"
#define ZSTD "libzstd.so.1"
#endif

typedef struct zstd_in {
    const void *bytes;
    size_t size, position;
} zstd_in;

typedef struct zstd_out {
    void *bytes;
    size_t size, position;
} zstd_out;

static struct {
    int (*inflate_init)(tlc_zstream *, int window, const char *version, int size);
    int (*inflate)(tlc_zstream *, int flush);
    int (*inflate_reset)(tlc_zstream *);
    int (*inflate_end)(tlc_zstream *);
    void *(*brotli_make)(void *, void *, void *);
    int (*brotli_step)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*brotli_free)(void *);
    void *(*zstd_make)(void);
    size_t (*zstd_step)(void *, zstd_out *, zstd_in *);
    unsigned (*zstd_is_error)(size_t);
    size_t (*zstd_free)(void *);
    bool has_zlib, has_brotli, has_zstd;
} libraries;

static void open_libraries(void) {
    void *image = dlopen(ZLIB, RTLD_NOW | RTLD_LOCAL);
    if (image) {
        *(void **)&libraries.inflate_init = dlsym(image, "inflateInit2_");
        *(void **)&libraries.inflate = dlsym(image, "inflate");
        *(void **)&libraries.inflate_reset = dlsym(image, "inflateReset");
        *(void **)&libraries.inflate_end = dlsym(image, "inflateEnd");
        libraries.has_zlib =
            libraries.inflate_init && libraries.inflate && libraries.inflate_reset && libraries.inflate_end;
    }
    image = dlopen(BROTLI, RTLD_NOW | RTLD_LOCAL);
    if (image) {
        *(void **)&libraries.brotli_make = dlsym(image, "BrotliDecoderCreateInstance");
        *(void **)&libraries.brotli_step = dlsym(image, "BrotliDecoderDecompressStream");
        *(void **)&libraries.brotli_free = dlsym(image, "BrotliDecoderDestroyInstance");
        libraries.has_brotli = libraries.brotli_make && libraries.brotli_step && libraries.brotli_free;
    }
    image = dlopen(ZSTD, RTLD_NOW | RTLD_LOCAL);
    if (image) {
        *(void **)&libraries.zstd_make = dlsym(image, "ZSTD_createDStream");
        *(void **)&libraries.zstd_step = dlsym(image, "ZSTD_decompressStream");
        *(void **)&libraries.zstd_is_error = dlsym(image, "ZSTD_isError");
        *(void **)&libraries.zstd_free = dlsym(image, "ZSTD_freeDStream");
        libraries.has_zstd =
            libraries.zstd_make && libraries.zstd_step && libraries.zstd_is_error && libraries.zstd_free;
    }
}

bool tlc_decoders_cover(int features) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_libraries);
    bool brotli = !(features & TLC_FEATURE_BROTLI) || libraries.has_brotli;
    bool zstd = !(features & TLC_FEATURE_ZSTD) || libraries.has_zstd;
    return (features & TLC_FEATURE_ZLIB) && libraries.has_zlib && brotli && zstd;
}

int32_t tlc_coding_named(const char *name, size_t count) {
    static const struct {
        const char *name;
        int32_t coding;
    } codings[] = {
        {"gzip", TLC_CODING_GZIP}, {"x-gzip", TLC_CODING_GZIP}, {"deflate", TLC_CODING_DEFLATE},
        {"br", TLC_CODING_BROTLI}, {"zstd", TLC_CODING_ZSTD},
    };
    while (count && (name[count - 1] == ' ' || name[count - 1] == '\t' || name[count - 1] == '\r'
                     || name[count - 1] == '\n'))
        count--;
    for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++)
        if (strlen(codings[i].name) == count && strncasecmp(codings[i].name, name, count) == 0)
            return codings[i].coding;
    return count ? TLC_CODING_OTHER : TLC_CODING_NONE;
}

struct tlc_decoder {
    int32_t coding;
    /// Whether bytes have come; whether the coding has come to its end; whether zlib has been set up.
    bool has_begun, has_ended, is_set_up;
    tlc_zstream stream;
    void *state;
};

tlc_decoder *tlc_decoder_make(int32_t coding) {
    bool known = (coding == TLC_CODING_GZIP || coding == TLC_CODING_DEFLATE) ? libraries.has_zlib
                 : coding == TLC_CODING_BROTLI                               ? libraries.has_brotli
                 : coding == TLC_CODING_ZSTD                                 ? libraries.has_zstd
                                                                             : false;
    tlc_decoder *decoder = known ? calloc(1, sizeof *decoder) : NULL;
    if (!decoder) return NULL;
    decoder->coding = coding;
    if (coding == TLC_CODING_BROTLI) decoder->state = libraries.brotli_make(NULL, NULL, NULL);
    if (coding == TLC_CODING_ZSTD) decoder->state = libraries.zstd_make();
    if ((coding == TLC_CODING_BROTLI || coding == TLC_CODING_ZSTD) && !decoder->state) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

void tlc_decoder_free(tlc_decoder *decoder) {
    if (!decoder) return;
    if (decoder->is_set_up) libraries.inflate_end(&decoder->stream);
    if (decoder->coding == TLC_CODING_BROTLI) libraries.brotli_free(decoder->state);
    if (decoder->coding == TLC_CODING_ZSTD) libraries.zstd_free(decoder->state);
    free(decoder);
}

bool tlc_decoder_is_complete(const tlc_decoder *decoder) { return !decoder->has_begun || decoder->has_ended; }

/// The window for zlib by the first byte: gzip; and for `deflate` the format of zlib (RFC 9110, section 8.4.1.2), or bare
/// deflate, as some servers mean it. Bare data never begins with an 8 in its lower half in practice.
static bool set_up(tlc_decoder *d, uint8_t first) {
    int window = d->coding == TLC_CODING_GZIP ? 15 + 16 : ((first & 0x0F) == 8 ? 15 : -15);
    // Of the version only the first number counts: that of the layout.
    d->is_set_up = libraries.inflate_init(&d->stream, window, "1", (int)sizeof d->stream) == 0;
    return d->is_set_up;
}

static bool step_zlib(tlc_decoder *d, const uint8_t **bytes, size_t *count, uint8_t *output, size_t *room) {
    if (!d->is_set_up && (!*count || !set_up(d, **bytes))) return !*count;
    if (d->has_ended) {
        // Another member of a gzip file goes on (RFC 1952, section 2.2); anything else after the end is ignored.
        if (*count && d->coding == TLC_CODING_GZIP && **bytes == 0x1F) {
            d->has_ended = false;
            if (libraries.inflate_reset(&d->stream) != 0) return false;
        } else {
            *bytes += *count;
            *count = 0;
            return true;
        }
    }
    unsigned int in = *count > UINT_MAX ? UINT_MAX : (unsigned int)*count;
    unsigned int out = *room > UINT_MAX ? UINT_MAX : (unsigned int)*room;
    d->stream.next_in = *bytes;
    d->stream.avail_in = in;
    d->stream.next_out = output;
    d->stream.avail_out = out;
    int code = libraries.inflate(&d->stream, 0);
    *bytes += in - d->stream.avail_in;
    *count -= in - d->stream.avail_in;
    *room -= out - d->stream.avail_out;
    d->has_ended = code == 1;                      // Z_STREAM_END
    return code == 0 || code == 1 || code == -5;   // Z_OK, Z_BUF_ERROR: nothing to do without more input
}

static bool step_brotli(tlc_decoder *d, const uint8_t **bytes, size_t *count, uint8_t *output, size_t *room) {
    if (d->has_ended) {
        *bytes += *count;
        *count = 0;
        return true;
    }
    int code = libraries.brotli_step(d->state, count, bytes, room, &output, NULL);
    d->has_ended = code == 1;  // BROTLI_DECODER_RESULT_SUCCESS
    return code != 0;
}

static bool step_zstd(tlc_decoder *d, const uint8_t **bytes, size_t *count, uint8_t *output, size_t *room) {
    // After the end of a frame another one may follow (RFC 8878, section 3).
    if (d->has_ended && !*count) return true;
    zstd_in in = {.bytes = *bytes, .size = *count};
    zstd_out out = {.bytes = output, .size = *room};
    size_t code = libraries.zstd_step(d->state, &out, &in);
    *bytes += in.position;
    *count -= in.position;
    *room -= out.position;
    if (libraries.zstd_is_error(code)) return false;
    d->has_ended = code == 0;
    return true;
}

bool tlc_decoder_step(tlc_decoder *d, const uint8_t **bytes, size_t *count, uint8_t *output, size_t *room) {
    if (*count) d->has_begun = true;
    switch (d->coding) {
    case TLC_CODING_BROTLI: return step_brotli(d, bytes, count, output, room);
    case TLC_CODING_ZSTD: return step_zstd(d, bytes, count, output, room);
    default: return step_zlib(d, bytes, count, output, room);
    }
}
