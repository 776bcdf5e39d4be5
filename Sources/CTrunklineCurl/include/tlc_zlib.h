#ifndef TLC_ZLIB_H
#define TLC_ZLIB_H

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

#endif
