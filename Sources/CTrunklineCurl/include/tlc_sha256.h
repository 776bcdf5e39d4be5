#ifndef TLC_SHA256_H
#define TLC_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes `count` blocks of 64 bytes into the eight words of a SHA-256 state, by the processor's own instructions. False,
/// and nothing done, where it has none.
bool tlc_sha256_blocks(uint32_t *_Nonnull state, const uint8_t *_Nonnull bytes, size_t count);

#endif
