#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PAUSE 0x10000001  // CURL_WRITEFUNC_PAUSE

static size_t fail(tlc_transfer *t, int32_t failure) {
    if (t->failure == TLC_FAILURE_NONE) t->failure = failure;
    return 0;
}

/// `HTTP/1.1 200 OK`, with or without a reason: exactly three digits, then a space or the end. 0 when it isn't one.
static int32_t status_of(const char *line, size_t count) {
    size_t i = 5;
    while (i < count && line[i] != ' ') i++;
    while (i < count && line[i] == ' ') i++;
    if (count - i < 3) return 0;
    int32_t status = 0;
    for (size_t end = i + 3; i < end; i++) {
        if (line[i] < '0' || line[i] > '9') return 0;
        status = status * 10 + (line[i] - '0');
    }
    bool ends = i == count || line[i] == ' ' || line[i] == '\r' || line[i] == '\n';
    return ends && status >= 100 ? status : 0;
}

static bool is_field(const char *line, size_t count, const char *name, size_t name_count) {
    return count > name_count && line[name_count] == ':' && strncasecmp(line, name, name_count) == 0;
}

/// Content-Length is digits that fit, and the same in every line (RFC 9112, section 6.3).
static void note_length(tlc_transfer *t, const char *value, size_t count) {
    size_t i = 0;
    while (i < count && (value[i] == ' ' || value[i] == '\t')) i++;
    int64_t length = -1;
    for (; i < count && value[i] >= '0' && value[i] <= '9'; i++) {
        if (length > (INT64_MAX - 9) / 10) {
            t->bad_length = true;
            return;
        }
        length = (length < 0 ? 0 : length) * 10 + (value[i] - '0');
    }
    if (i < count && value[i] == ',') {
        // A list of equal values is one value (section 6.3, rule 5).
        int64_t before = t->declared_length;
        t->declared_length = length;
        note_length(t, value + i + 1, count - i - 1);
        if (before >= 0 && before != length) t->bad_length = true;
        if (length < 0) t->bad_length = true;
        return;
    }
    while (i < count && (value[i] == ' ' || value[i] == '\t' || value[i] == '\r' || value[i] == '\n')) i++;
    if (i < count || length < 0 || (t->declared_length >= 0 && t->declared_length != length)) {
        t->bad_length = true;
        return;
    }
    t->declared_length = length;
}

static void note_field(tlc_transfer *t, const char *line, size_t count) {
    switch (line[0] | 0x20) {
    case 'c':
        if (is_field(line, count, "content-length", 14)) note_length(t, line + 15, count - 15);
        if (is_field(line, count, "content-encoding", 16)) {
            size_t i = 17;
            while (i < count && line[i] == ' ') i++;
            bool is_plain = count - i >= 8 && strncasecmp(line + i, "identity", 8) == 0;
            t->encoded = !is_plain;
            // Codings upon codings are nobody's practice, and are refused.
            if (!is_plain) t->coding = t->coding ? TLC_CODING_OTHER : tlc_coding_named(line + i, count - i);
        }
        break;
    case 't':
        if (is_field(line, count, "transfer-encoding", 17)) t->chunked = true;
        break;
    }
}

/// Some servers answer in full, then neither read the rest of the request nor end the stream. The loop looks after a
/// while whether the rest moves.
static void note_answered(tlc_transfer *t) {
    if (t->body_kind < TLC_BODY_BYTES || t->encoded || t->chunked || t->declared_length != t->received) return;
    t->answered_at = t->clock->now;
    if (t->answered_at + TLC_GRACE < t->clock->next_deadline) t->clock->next_deadline = t->answered_at + TLC_GRACE;
}

static size_t end_head(tlc_transfer *t, size_t count) {
    if (t->status < 200 && t->status != 101) {
        // An informational response: forgotten, but counted, as nothing else bounds them.
        if (++t->informational > 64) return fail(t, TLC_FAILURE_INFORMATIONAL);
        t->head.length = 0;
        t->encoded = t->chunked = t->bad_length = false;
        t->coding = TLC_CODING_NONE;
        t->declared_length = -1;
        return count;
    }
    if (t->bad_length && !t->chunked) return fail(t, TLC_FAILURE_CONTENT_LENGTH);
    t->head_complete = true;
    t->head_end = t->head.length;
    if (t->declared_length == 0) note_answered(t);
    if (t->hears_head) t->hooks->head(t->user);
    return count;
}

size_t tlc_on_header(char *line, size_t size, size_t count, void *transfer) {
    tlc_transfer *t = transfer;
    count *= size;
    t->last_activity = t->clock->now;
    t->head_bytes_seen += count;
    if (t->head_bytes_seen > t->maximum_head) return fail(t, TLC_FAILURE_HEAD_SIZE);
    bool empty = count == 0 || (line[0] == '\n') || (count == 2 && line[0] == '\r' && line[1] == '\n');
    if (t->head_complete) {
        // Trailers.
        if (!empty && ++t->fields > t->maximum_fields) return fail(t, TLC_FAILURE_FIELD_COUNT);
        if (!empty && !tlc_bytes_append(&t->head, line, count)) return fail(t, TLC_FAILURE_MEMORY);
        return count;
    }
    if (t->head.length == 0) {
        if (empty) return count;
        t->status = count > 5 && memcmp(line, "HTTP/", 5) == 0 ? status_of(line, count) : 0;
        if (!t->status) return fail(t, TLC_FAILURE_STATUS_LINE);
        t->began_at = t->clock->now;
    } else if (empty) {
        return end_head(t, count);
    } else {
        if (++t->fields > t->maximum_fields) return fail(t, TLC_FAILURE_FIELD_COUNT);
        note_field(t, line, count);
    }
    return tlc_bytes_append(&t->head, line, count) ? count : fail(t, TLC_FAILURE_MEMORY);
}

static bool append_body(tlc_transfer *t, const char *bytes, size_t count) {
    if (!t->body_began && !t->encoded && t->declared_length > 0) {
        // One allocation where the length is known; a huge promise gets memory as it is kept.
        size_t most = 64u << 20;
        size_t length = (uint64_t)t->declared_length > most ? most : (size_t)t->declared_length;
        if (!tlc_bytes_reserve(&t->body, length > count ? length : count)) return false;
    }
    return tlc_bytes_append(&t->body, bytes, count);
}

static bool write_file(tlc_transfer *t, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(t->file_out, bytes, count);
        if (written < 0) {
            if (errno == EINTR) continue;
            t->failure_errno = errno;
            return false;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/// Gives content to where it goes. Returns the count, PAUSE, or 0 after a failure.
static size_t deliver(tlc_transfer *t, const char *bytes, size_t count) {
    if (t->maximum_body >= 0 && (int64_t)count > t->maximum_body - t->received) return fail(t, TLC_FAILURE_BODY_SIZE);
    switch (t->sink) {
    case TLC_SINK_MEMORY:
        if (!append_body(t, bytes, count)) return fail(t, TLC_FAILURE_MEMORY);
        break;
    case TLC_SINK_FILE:
        if (!write_file(t, bytes, count)) return fail(t, TLC_FAILURE_FILE_WRITE);
        break;
    default: {
        ptrdiff_t taken = t->hooks->push(t->user, (const uint8_t *)bytes, count);
        if (taken == TLC_WAIT) {
            t->waits_to_receive = true;
            return PAUSE;
        }
        if (taken < 0) return fail(t, TLC_FAILURE_SWIFT);
    }
    }
    t->body_began = true;
    t->received += (int64_t)count;
    if (t->received == t->declared_length) note_answered(t);
    if (t->hears_progress) t->hooks->progress(t->user);
    return count;
}

/// Decodes and delivers. After a pause libcurl gives the same bytes again: those decoded before are skipped then.
static size_t decode(tlc_transfer *t, const char *bytes, size_t count) {
    if (!t->decoder && !(t->decoder = tlc_decoder_make(t->coding))) return fail(t, TLC_FAILURE_CODING);
    if (!tlc_bytes_reserve(&t->body_decoded, 32 * 1024)) return fail(t, TLC_FAILURE_MEMORY);
    size_t skipped = t->decoded < count ? t->decoded : count;
    const uint8_t *rest = (const uint8_t *)bytes + skipped;
    size_t left = count - skipped;
    for (;;) {
        if (t->pending_start < t->pending_end) {
            const char *pending = (const char *)t->body_decoded.bytes + t->pending_start;
            size_t answer = deliver(t, pending, t->pending_end - t->pending_start);
            if (answer == PAUSE) t->decoded = count - left > t->decoded ? count - left : t->decoded;
            if (answer == PAUSE || answer == 0) return answer;
            t->pending_start = t->pending_end = 0;
        }
        size_t before = left, room = t->body_decoded.capacity;
        if (!tlc_decoder_step(t->decoder, &rest, &left, t->body_decoded.bytes, &room))
            return fail(t, TLC_FAILURE_CODING);
        t->pending_end = t->body_decoded.capacity - room;
        if (t->pending_end == 0 && left == before) break;
    }
    // What libcurl cut into smaller pieces than it gave before the pause may have more to skip.
    t->decoded -= skipped < t->decoded ? skipped : t->decoded;
    return count;
}

size_t tlc_on_body(char *bytes, size_t size, size_t count, void *transfer) {
    tlc_transfer *t = transfer;
    count *= size;
    t->last_activity = t->clock->now;
    if (!t->head_complete) return fail(t, TLC_FAILURE_STATUS_LINE);
    if (t->held) return PAUSE;
    return t->decodes && t->coding && count ? decode(t, bytes, count) : deliver(t, bytes, count);
}
