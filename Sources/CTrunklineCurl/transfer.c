#include "internal.h"

#include <stdlib.h>
#include <string.h>

tlc_transfer *tlc_transfer_make(const tlc_library *library, const tlc_hooks *hooks) {
    tlc_transfer *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->easy = library->easy_init();
    if (!t->easy) {
        free(t);
        return NULL;
    }
    t->library = library;
    t->hooks = hooks;
    t->last_connect_timeout = -1;
    t->last_coding = t->last_pipewait = -1;
    tlc_transfer_reset(t);
    int (*set)(void *, int, ...) = library->easy_setopt;
    void *easy = t->easy;
    set(easy, TLC_OPT_PRIVATE, t);
    set(easy, TLC_OPT_ERRORBUFFER, t->error_text);
    set(easy, TLC_OPT_NOSIGNAL, 1L);
    set(easy, TLC_OPT_QUICK_EXIT, 1L);  // Cancelling must not wait for a resolver thread (7.87; unknown before).
    set(easy, TLC_OPT_PROTOCOLS, 3L);   // http and https
    set(easy, TLC_OPT_PATH_AS_IS, 1L);
    set(easy, TLC_OPT_TCP_KEEPALIVE, 1L);
    set(easy, TLC_OPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(easy, TLC_OPT_HTTP_CONTENT_DECODING, library->decodes ? 0L : 1L);
    set(easy, TLC_OPT_HEADERFUNCTION, tlc_on_header);
    set(easy, TLC_OPT_HEADERDATA, t);
    set(easy, TLC_OPT_WRITEFUNCTION, tlc_on_body);
    set(easy, TLC_OPT_WRITEDATA, t);
    set(easy, TLC_OPT_READFUNCTION, tlc_on_read);
    set(easy, TLC_OPT_READDATA, t);
    set(easy, TLC_OPT_SEEKFUNCTION, tlc_on_seek);
    set(easy, TLC_OPT_SEEKDATA, t);
    set(easy, TLC_OPT_PREREQFUNCTION, tlc_on_connected);
    set(easy, TLC_OPT_PREREQDATA, t);
    return t;
}

void tlc_transfer_free(tlc_transfer *t) {
    t->library->easy_cleanup(t->easy);
    tlc_decoder_free(t->decoder);
    tlc_bytes_free(&t->head);
    tlc_bytes_free(&t->body);
    tlc_bytes_free(&t->body_decoded);
    tlc_bytes_free(&t->text);
    tlc_bytes_free(&t->body_bytes);
    free(t->nodes);
    free(t);
}

/// Keeps memory for the next request unless this one was unusually large.
static void recycle(tlc_bytes *bytes) {
    bytes->length = 0;
    if (bytes->capacity > 64 * 1024) tlc_bytes_free(bytes);
}

void tlc_transfer_reset(tlc_transfer *t) {
    t->user = NULL;
    t->clock = NULL;
    t->content_length = 0;
    t->maximum_body = -1;
    t->sink = TLC_SINK_MEMORY;
    t->file_out = -1;
    t->file_in = -1;
    t->body_kind = TLC_BODY_NONE;
    t->may_resend = t->hears_head = t->hears_progress = false;
    t->failure = TLC_FAILURE_NONE;
    t->failure_errno = t->status = t->fields = t->informational = t->starts = 0;
    t->head_complete = t->body_began = t->encoded = t->chunked = t->bad_length = false;
    t->waits_to_receive = t->waits_to_send = t->held = false;
    t->coding = TLC_CODING_NONE;
    t->decodes = false;
    t->decoded = t->pending_start = t->pending_end = 0;
    tlc_decoder_free(t->decoder);
    t->decoder = NULL;
    t->last_activity = t->connected_at = t->answered_at = t->began_at = 0;
    t->declared_length = -1;
    t->received = t->sent = 0;
    t->head_bytes_seen = t->head_end = 0;
    t->remote_address[0] = 0;
    t->remote_port = 0;
    t->error_text[0] = 0;
    t->node_count = t->url_offset = t->method_offset = 0;
    recycle(&t->head);
    recycle(&t->text);
    recycle(&t->body_bytes);
    tlc_bytes_free(&t->body);
}

int32_t tlc_set_long(tlc_transfer *t, int32_t option, long value) {
    return t->library->easy_setopt(t->easy, option, value);
}

int32_t tlc_set_text(tlc_transfer *t, int32_t option, const char *value) {
    return t->library->easy_setopt(t->easy, option, value);
}

int32_t tlc_set_blob(tlc_transfer *t, int32_t option, const void *bytes, size_t count) {
    tlc_blob blob = {.data = (void *)bytes, .len = count, .flags = 1};  // CURL_BLOB_COPY
    return t->library->easy_setopt(t->easy, option, &blob);
}

int32_t tlc_set_connect_to(tlc_transfer *t, void *list) {
    return t->library->easy_setopt(t->easy, TLC_OPT_CONNECT_TO, list);
}

void *tlc_list_append(const tlc_library *library, void *list, const char *text) {
    tlc_list *longer = library->slist_append(list, text);
    if (!longer) library->slist_free_all(list);
    return longer;
}

void tlc_list_free(const tlc_library *library, void *list) { library->slist_free_all(list); }

void tlc_transfer_collect(tlc_transfer *t) {
    int (*get)(void *, int, ...) = t->library->easy_getinfo;
    tlc_metrics *m = &t->metrics;
    long number = 0;
    enum { TEXT = 0x100000, LONG = 0x200000, OFFSET = 0x600000 };
    if (get(t->easy, OFFSET + 50, &m->total) != 0) m->total = -1;
    if (get(t->easy, OFFSET + 51, &m->name_lookup) != 0) m->name_lookup = -1;
    if (get(t->easy, OFFSET + 52, &m->connect) != 0) m->connect = -1;
    if (get(t->easy, OFFSET + 54, &m->first_byte) != 0) m->first_byte = -1;
    if (get(t->easy, OFFSET + 56, &m->secure_connect) != 0) m->secure_connect = -1;
    if (get(t->easy, OFFSET + 8, &m->received) != 0) m->received = -1;
    m->http_version = get(t->easy, LONG + 46, &number) == 0 ? (int32_t)number : 0;
    m->new_connections = get(t->easy, LONG + 26, &number) == 0 ? (int32_t)number : -1;
}

bool tlc_transfer_is_cut(const tlc_transfer *t) { return t->decoder && !tlc_decoder_is_complete(t->decoder); }

void tlc_transfer_publish(tlc_transfer *t) { __atomic_add_fetch(&t->published, 1, __ATOMIC_RELEASE); }

void tlc_transfer_observe(tlc_transfer *t) { (void)__atomic_load_n(&t->published, __ATOMIC_ACQUIRE); }

uint8_t *tlc_transfer_take_body(tlc_transfer *t, size_t *count) {
    uint8_t *bytes = t->body.bytes;
    *count = t->body.length;
    // A body that grew by doubling may own twice its length: give that back once it is worth a call.
    if (bytes && t->body.capacity > 4096 && t->body.capacity / 4 * 3 > t->body.length) {
        uint8_t *fitting = realloc(bytes, t->body.length ? t->body.length : 1);
        if (fitting) bytes = fitting;
    }
    t->body = (tlc_bytes){0};
    return bytes;
}
