#ifndef TLC_ZLIB_H
#define TLC_ZLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An opened zlib. Never closed.
typedef struct tlc_zlib tlc_zlib;

/// Opens zlib and checks every entry point used. Where `path` is NULL the system's names are tried, once a process;
/// otherwise that file. Returns NULL when it can't be used.
const tlc_zlib *_Nullable tlc_zlib_open(const char *_Nullable path);

/// Compresses `count` bytes into one gzip member (RFC 1952). Returns memory of the C allocator, which the caller frees,
/// and its length; NULL when there is not enough memory.
uint8_t *_Nullable tlc_zlib_gzip(
    const tlc_zlib *_Nonnull zlib, const uint8_t *_Nullable bytes, size_t count, size_t *_Nonnull length);

/// A gzip member that is written piece by piece, by one thread at a time.
typedef struct tlc_gzip tlc_gzip;

/// Begins a member; NULL when there is not enough memory.
tlc_gzip *_Nullable tlc_gzip_make(const tlc_zlib *_Nonnull zlib);

/// Compresses `count` more bytes; with `ends` the member is completed. Returns how many bytes of output there are, at most
/// `capacity`, and in `took` how many of the input were taken: call again with the rest until all are taken and, at the
/// end, `ended` is true. -1 when zlib failed.
int64_t tlc_gzip_write(
    tlc_gzip *_Nonnull gzip, const uint8_t *_Nullable bytes, size_t count, bool ends, uint8_t *_Nonnull output,
    size_t capacity, size_t *_Nonnull took, bool *_Nonnull ended);

void tlc_gzip_free(tlc_gzip *_Nonnull gzip);

#endif
