#include "internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define READ_ABORT 0x10000000  // CURL_READFUNC_ABORT
#define READ_PAUSE 0x10000001  // CURL_READFUNC_PAUSE

static size_t fail(tlc_transfer *t, int32_t failure) {
    if (t->failure == TLC_FAILURE_NONE) t->failure = failure;
    return READ_ABORT;
}

static ptrdiff_t read_file(tlc_transfer *t, uint8_t *bytes, size_t capacity) {
    int64_t left = t->content_length - t->sent;
    if (left <= 0) return 0;
    if ((uint64_t)left < capacity) capacity = (size_t)left;
    ssize_t count;
    do count = read(t->file_in, bytes, capacity);
    while (count < 0 && errno == EINTR);
    if (count < 0) {
        t->failure_errno = errno;
        fail(t, TLC_FAILURE_FILE_READ);
        return TLC_ABORT;
    }
    if (count == 0) {
        fail(t, TLC_FAILURE_BODY_SHORT);
        return TLC_ABORT;
    }
    return count;
}

size_t tlc_on_read(char *bytes, size_t size, size_t count, void *transfer) {
    tlc_transfer *t = transfer;
    size_t capacity = size * count;
    t->last_activity = t->clock->now;
    if (t->held) return READ_PAUSE;
    ptrdiff_t read = t->body_kind == TLC_BODY_FILE ? read_file(t, (uint8_t *)bytes, capacity)
                     : t->body_kind == TLC_BODY_PULL
                         ? t->hooks->pull(t->user, (uint8_t *)bytes, capacity)
                         : 0;
    if (read == TLC_WAIT) {
        t->waits_to_send = true;
        return READ_PAUSE;
    }
    if (read < 0 || (size_t)read > capacity) return fail(t, TLC_FAILURE_SWIFT);
    t->sent += read;
    if (t->hears_progress && read > 0) t->hooks->progress(t->user);
    return (size_t)read;
}

/// libcurl rewinds to send a request again after a reused connection turned out dead: possible for a file, whose method
/// allows it (`tlc_on_connected` refuses the others).
int tlc_on_seek(void *transfer, int64_t offset, int origin) {
    tlc_transfer *t = transfer;
    if (t->body_kind != TLC_BODY_FILE || origin != SEEK_SET || offset != 0) return 1;
    if (lseek(t->file_in, 0, SEEK_SET) != 0) return 1;
    t->sent = 0;
    return 0;
}

/// Called when the connection is there, right before the request goes out, each time it does. A second time means that
/// libcurl sends it again: a request that isn't idempotent may have had its effect (RFC 9110, section 9.2.2).
int tlc_on_connected(void *transfer, char *remote, char *local, int remote_port, int local_port) {
    (void)local, (void)local_port;
    tlc_transfer *t = transfer;
    if (++t->starts > 1 && !t->may_resend) {
        fail(t, TLC_FAILURE_RESENT);
        return 1;
    }
    t->last_activity = t->connected_at = t->clock->now;
    if (remote) {
        size_t count = strnlen(remote, sizeof t->remote_address - 1);
        memcpy(t->remote_address, remote, count);
        t->remote_address[count] = 0;
        t->remote_port = remote_port;
    }
    return 0;
}
