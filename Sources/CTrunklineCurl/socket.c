#include "internal.h"

#include <string.h>

#include "tlc_socket.h"

int32_t tlc_socket_prepare(tlc_transfer *t, int64_t connect_timeout_ms) {
    int (*set)(void *, int, ...) = t->library->easy_setopt;
    const int64_t longest = 1000L * 60 * 60 * 24 * 20;
    bool none = connect_timeout_ms <= 0 || connect_timeout_ms > longest;
    int code = set(t->easy, TLC_OPT_CONNECT_ONLY, 1L);
    if (code == TLC_OK) code = set(t->easy, TLC_OPT_HTTP_VERSION, (long)TLC_HTTP_VERSION_1_1);
    if (code == TLC_OK) code = set(t->easy, TLC_OPT_HTTPPROXYTUNNEL, 1L);
    if (code == TLC_OK) code = set(t->easy, TLC_OPT_CONNECTTIMEOUT_MS, (long)(none ? longest : connect_timeout_ms));
    t->last_connect_timeout = -1;
    return code;
}

int32_t tlc_socket_descriptor(tlc_transfer *t) {
    int descriptor = -1;
    // CURLINFO_ACTIVESOCKET
    return t->library->easy_getinfo(t->easy, 0x500000 + 44, &descriptor) == TLC_OK ? descriptor : -1;
}

int32_t tlc_socket_send(tlc_transfer *t, const void *bytes, size_t count, size_t *sent) {
    tlc_stop_if_exiting();
    *sent = 0;
    return t->library->easy_send(t->easy, bytes, count, sent);
}

int32_t tlc_socket_receive(tlc_transfer *t, void *bytes, size_t capacity, size_t *received) {
    tlc_stop_if_exiting();
    *received = 0;
    return t->library->easy_recv(t->easy, bytes, capacity, received);
}

void tlc_mask(uint8_t *bytes, size_t count, const uint8_t *key) {
    uint64_t word;
    uint8_t twice[8] = {key[0], key[1], key[2], key[3], key[0], key[1], key[2], key[3]};
    memcpy(&word, twice, sizeof word);
    size_t i = 0;
    for (; i + sizeof word <= count; i += sizeof word) {
        uint64_t piece;
        memcpy(&piece, bytes + i, sizeof piece);
        piece ^= word;
        memcpy(bytes + i, &piece, sizeof piece);
    }
    for (; i < count; i++) bytes[i] ^= key[i & 3];
}
