#ifndef TLC_SOCKET_H
#define TLC_SOCKET_H

#include "tlc_loop.h"

// A connection made by libcurl (names, proxy, TLS) and then used as a pipe of bytes, in a loop of its own.

/// Prepares a transfer to connect and do no more: to the URL's host, through a tunnel where there is a proxy, for
/// HTTP/1.1. Returns libcurl's code.
int32_t tlc_socket_prepare(tlc_transfer *_Nonnull transfer, int64_t connect_timeout_ms);

/// The connection's descriptor, to wait for; -1 when there is none.
int32_t tlc_socket_descriptor(tlc_transfer *_Nonnull transfer);

/// Sends and receives without waiting. They return TLC_OK with the count, TLC_AGAIN when the time has not come, or
/// another code of libcurl. 0 bytes received are the end.
int32_t tlc_socket_send(
    tlc_transfer *_Nonnull transfer, const void *_Nonnull bytes, size_t count, size_t *_Nonnull sent);
int32_t tlc_socket_receive(
    tlc_transfer *_Nonnull transfer, void *_Nonnull bytes, size_t capacity, size_t *_Nonnull received);

/// Masks or unmasks bytes (RFC 6455, section 5.3): the byte at `i` with the byte `i % 4` of the key.
void tlc_mask(uint8_t *_Nonnull bytes, size_t count, const uint8_t *_Nonnull key);

#endif
