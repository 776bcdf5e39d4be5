#ifndef TLC_ZSTREAM_H
#define TLC_ZSTREAM_H

#include <stdint.h>

/// `z_stream`. The layout is part of zlib's stable ABI; zlib compares the size with its own.
typedef struct tlc_zstream {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} tlc_zstream;

#endif
