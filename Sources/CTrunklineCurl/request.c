#include "internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_clean(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == 0 || bytes[i] == '\r' || bytes[i] == '\n') return false;
    return true;
}

static bool append_text(tlc_transfer *t, const uint8_t *bytes, size_t count, size_t *offset) {
    *offset = t->text.length;
    return is_clean(bytes, count) && tlc_bytes_append(&t->text, bytes, count) && tlc_bytes_append(&t->text, "", 1);
}

bool tlc_request_url(tlc_transfer *t, const uint8_t *bytes, size_t count) {
    return append_text(t, bytes, count, &t->url_offset);
}

bool tlc_request_method(tlc_transfer *t, const uint8_t *bytes, size_t count) {
    return append_text(t, bytes, count, &t->method_offset);
}

/// The list's nodes hold offsets until the text has its final address.
static bool append_node(tlc_transfer *t, size_t offset) {
    if (t->node_count == t->node_capacity) {
        size_t capacity = t->node_capacity ? t->node_capacity * 2 : 16;
        tlc_list *grown = realloc(t->nodes, capacity * sizeof *grown);
        if (!grown) return false;
        t->nodes = grown;
        t->node_capacity = capacity;
    }
    ((tlc_list *)t->nodes)[t->node_count++] = (tlc_list){.data = (char *)offset, .next = NULL};
    return true;
}

bool tlc_request_field(
    tlc_transfer *t, const uint8_t *name, size_t name_count, const uint8_t *value, size_t value_count) {
    size_t offset = t->text.length;
    if (!is_clean(name, name_count) || !is_clean(value, value_count)) return false;
    // libcurl sends `Name:` for the text `Name;`, and nothing at all for `Name:`.
    bool blank = true;
    for (size_t i = 0; i < value_count; i++) blank &= value[i] == ' ' || value[i] == '\t';
    if (!tlc_bytes_append(&t->text, name, name_count)) return false;
    bool appended = blank ? tlc_bytes_append(&t->text, ";", 2)
                          : tlc_bytes_append(&t->text, ": ", 2) && tlc_bytes_append(&t->text, value, value_count)
                                && tlc_bytes_append(&t->text, "", 1);
    return appended && append_node(t, offset);
}

bool tlc_request_no_field(tlc_transfer *t, const char *name) {
    size_t offset = t->text.length;
    return tlc_bytes_append(&t->text, name, strlen(name)) && tlc_bytes_append(&t->text, ":", 2)
           && append_node(t, offset);
}

bool tlc_request_bytes(tlc_transfer *t, const void *bytes, size_t count) {
    return tlc_bytes_append(&t->body_bytes, bytes, count);
}

static int set_method(tlc_transfer *t, int (*set)(void *, int, ...)) {
    const char *method = (const char *)t->text.bytes + t->method_offset;
    if (t->body_kind == TLC_BODY_NONE) {
        if (strcmp(method, "HEAD") == 0) {
            set(t->easy, TLC_OPT_CUSTOMREQUEST, NULL);
            return set(t->easy, TLC_OPT_NOBODY, 1L);
        }
        set(t->easy, TLC_OPT_CUSTOMREQUEST, strcmp(method, "GET") == 0 ? NULL : method);
        return set(t->easy, TLC_OPT_HTTPGET, 1L);
    }
    set(t->easy, TLC_OPT_POST, 1L);
    set(t->easy, TLC_OPT_CUSTOMREQUEST, strcmp(method, "POST") == 0 ? NULL : method);
    const char *fields = NULL;
    if (t->body_kind == TLC_BODY_EMPTY) fields = "";
    if (t->body_kind == TLC_BODY_BYTES) fields = (const char *)t->body_bytes.bytes;
    set(t->easy, TLC_OPT_POSTFIELDS, fields);
    return set(t->easy, TLC_OPT_POSTFIELDSIZE_LARGE, t->content_length);
}

int32_t tlc_request_finish(tlc_transfer *t, bool decodes, bool awaits_sharing, int64_t connect_timeout_ms) {
    int (*set)(void *, int, ...) = t->library->easy_setopt;
    tlc_list *nodes = t->nodes;
    for (size_t i = 0; i < t->node_count; i++) {
        nodes[i].data = (char *)t->text.bytes + (size_t)nodes[i].data;
        nodes[i].next = i + 1 < t->node_count ? &nodes[i + 1] : NULL;
    }
    int code = set(t->easy, TLC_OPT_URL, (const char *)t->text.bytes + t->url_offset);
    if (code == TLC_OK) code = set(t->easy, TLC_OPT_HTTPHEADER, t->node_count ? nodes : NULL);
    if (code == TLC_OK) code = set_method(t, set);
    t->decodes = decodes && t->library->decodes;
    if (code == TLC_OK && t->last_coding != decodes) {
        // The empty string means: everything this libcurl can decode.
        code = set(t->easy, TLC_OPT_ACCEPT_ENCODING, decodes ? "" : NULL);
        t->last_coding = decodes;
    }
    if (code == TLC_OK && t->last_pipewait != awaits_sharing) {
        code = set(t->easy, TLC_OPT_PIPEWAIT, awaits_sharing ? 1L : 0L);
        t->last_pipewait = awaits_sharing;
    }
    if (code == TLC_OK && t->last_connect_timeout != connect_timeout_ms) {
        // Without a limit libcurl would use its own of 300 s.
        const int64_t longest = 1000L * 60 * 60 * 24 * 20;
        bool none = connect_timeout_ms <= 0 || connect_timeout_ms > longest;
        code = set(t->easy, TLC_OPT_CONNECTTIMEOUT_MS, (long)(none ? longest : connect_timeout_ms));
        t->last_connect_timeout = connect_timeout_ms;
    }
    // Before 7.80 nothing tells that a request goes out a second time: only a fresh connection makes sure it doesn't.
    if (code == TLC_OK && t->library->info->version_num < 0x075000)
        code = set(t->easy, TLC_OPT_FRESH_CONNECT, t->may_resend ? 0L : 1L);
    return code;
}
