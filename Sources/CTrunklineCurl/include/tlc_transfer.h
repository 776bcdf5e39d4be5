#ifndef TLC_TRANSFER_H
#define TLC_TRANSFER_H

#include "tlc_library.h"

/// Why a callback of this shim ended a transfer, where it did.
enum {
    TLC_FAILURE_NONE = 0,
    TLC_FAILURE_MEMORY,
    TLC_FAILURE_STATUS_LINE,
    TLC_FAILURE_HEAD_SIZE,
    TLC_FAILURE_FIELD_COUNT,
    TLC_FAILURE_INFORMATIONAL,
    TLC_FAILURE_CONTENT_LENGTH,
    TLC_FAILURE_BODY_SIZE,
    TLC_FAILURE_FILE_WRITE,
    TLC_FAILURE_FILE_READ,
    TLC_FAILURE_BODY_SHORT,
    TLC_FAILURE_RESENT,
    TLC_FAILURE_SWIFT,
    TLC_FAILURE_CODING,
};

/// Where the response body goes.
enum { TLC_SINK_MEMORY = 0, TLC_SINK_FILE, TLC_SINK_STREAM };

/// Where the request body comes from.
enum { TLC_BODY_NONE = 0, TLC_BODY_EMPTY, TLC_BODY_BYTES, TLC_BODY_FILE, TLC_BODY_PULL };

/// What `pull` and `push` return to wait, or to end the transfer.
#define TLC_WAIT (-1)
#define TLC_ABORT (-2)

/// The calls into Swift, all on the loop's thread, with the transfer's `user`.
typedef struct tlc_hooks {
    /// The head of the final response is complete (only asked for with `hears_head`).
    void (*_Nonnull head)(void *_Nonnull user);
    /// Body bytes for a stream: the count taken, or TLC_WAIT, TLC_ABORT.
    ptrdiff_t (*_Nonnull push)(void *_Nonnull user, const uint8_t *_Nonnull bytes, size_t count);
    /// Wants request body bytes: the count put there, 0 at the end, or TLC_WAIT, TLC_ABORT.
    ptrdiff_t (*_Nonnull pull)(void *_Nonnull user, uint8_t *_Nonnull bytes, size_t capacity);
    /// Body bytes moved (only asked for with `hears_progress`).
    void (*_Nonnull progress)(void *_Nonnull user);
} tlc_hooks;

/// The loop's time, in nanoseconds: now, and the next moment at which a limit may have run out. Callbacks may only bring
/// the latter nearer.
typedef struct tlc_clock {
    int64_t now;
    int64_t next_deadline;
} tlc_clock;

/// How long an answer that came before the request was sent in whole waits for the rest to move, in nanoseconds.
#define TLC_GRACE 250000000

/// Bytes that grow.
typedef struct tlc_bytes {
    uint8_t *_Nullable bytes;
    size_t length;
    size_t capacity;
} tlc_bytes;

/// Figures of a finished transfer; times in microseconds from its start, -1 where there is none.
typedef struct tlc_metrics {
    int64_t name_lookup, connect, secure_connect, first_byte, total;
    int64_t received;
    int32_t http_version, new_connections;
} tlc_metrics;

/// One easy handle with everything its callbacks need. Prepared by one thread, then owned by the loop's thread until
/// it leaves the loop; the memory is kept for the next request.
typedef struct tlc_transfer {
    void *_Nonnull easy;
    /// The Swift object behind it, valid while the transfer is in the loop.
    void *_Nullable user;
    tlc_clock *_Nullable clock;

    // Set with the request.
    int64_t content_length;
    int64_t maximum_body;
    size_t maximum_head;
    int32_t maximum_fields;
    int32_t sink;
    int32_t file_out;
    int32_t file_in;
    int32_t body_kind;
    bool may_resend;
    bool hears_head;
    bool hears_progress;

    // What happened.
    int32_t failure;
    int32_t failure_errno;
    int32_t status;
    int32_t fields;
    int32_t informational;
    int32_t starts;
    bool head_complete;
    bool body_began;
    bool encoded;
    bool chunked;
    bool bad_length;
    bool waits_to_receive;
    bool waits_to_send;
    /// Its caller holds it: nothing is taken or sent.
    bool held;
    /// When bytes last moved, or the connection was made; 0 before that.
    int64_t last_activity;
    int64_t connected_at;
    /// When the response was complete while the request was still being sent; 0 otherwise.
    int64_t answered_at;
    /// When the response began, by the loop's clock; 0 before that.
    int64_t began_at;
    int64_t declared_length;
    /// Content bytes received, decoded; and sent, as far as libcurl took them.
    int64_t received;
    int64_t sent;
    size_t head_bytes_seen;
    /// The head, up to `head_end`, then trailer lines.
    tlc_bytes head;
    size_t head_end;
    tlc_bytes body;
    char remote_address[64];
    int32_t remote_port;
    tlc_metrics metrics;
    char error_text[256];

    // Private to the shim.
    uint32_t published;
    const tlc_library *_Nonnull library;
    const tlc_hooks *_Nonnull hooks;
    tlc_bytes text;
    tlc_bytes body_bytes;
    void *_Nullable nodes;
    size_t node_count, node_capacity;
    size_t url_offset, method_offset;
    /// The content coding, whether it is undone here, and by what.
    int32_t coding;
    bool decodes;
    void *_Nullable decoder;
    /// Of the bytes libcurl will give again after a pause: those that were decoded already. And the decoded bytes that the
    /// sink has not taken.
    size_t decoded, pending_start, pending_end;
    tlc_bytes body_decoded;
    int64_t last_connect_timeout;
    int32_t last_coding, last_pipewait;
} tlc_transfer;

/// Makes a transfer with its easy handle and the callbacks set, or NULL.
tlc_transfer *_Nullable tlc_transfer_make(const tlc_library *_Nonnull library, const tlc_hooks *_Nonnull hooks);

/// Frees it; it must not be in a loop.
void tlc_transfer_free(tlc_transfer *_Nonnull transfer);

/// Forgets the last request; keeps handle and memory.
void tlc_transfer_reset(tlc_transfer *_Nonnull transfer);

/// Options that hold for the life of the handle. They return libcurl's code.
int32_t tlc_set_long(tlc_transfer *_Nonnull transfer, int32_t option, long value);
int32_t tlc_set_text(tlc_transfer *_Nonnull transfer, int32_t option, const char *_Nullable value);
int32_t tlc_set_blob(
    tlc_transfer *_Nonnull transfer, int32_t option, const void *_Nonnull bytes, size_t count);

/// Adds the entries of `CURLOPT_CONNECT_TO`, which the transfer keeps.
int32_t tlc_set_connect_to(
    tlc_transfer *_Nonnull transfer, void *_Nullable list);
void *_Nullable tlc_list_append(
    const tlc_library *_Nonnull library, void *_Nullable list, const char *_Nonnull text);
void tlc_list_free(const tlc_library *_Nonnull library, void *_Nullable list);

/// The request, in this order: URL, method, header lines, body, then `tlc_request_finish`. The bytes are copied. They
/// return false when memory ran out or a byte can't go on the wire (CR, LF, NUL).
bool tlc_request_url(tlc_transfer *_Nonnull transfer, const uint8_t *_Nonnull bytes, size_t count);
bool tlc_request_method(tlc_transfer *_Nonnull transfer, const uint8_t *_Nonnull bytes, size_t count);
bool tlc_request_field(
    tlc_transfer *_Nonnull transfer, const uint8_t *_Nullable name, size_t name_count,
    const uint8_t *_Nullable value, size_t value_count);
/// Tells libcurl to leave a field out that it would add.
bool tlc_request_no_field(tlc_transfer *_Nonnull transfer, const char *_Nonnull name);
bool tlc_request_bytes(tlc_transfer *_Nonnull transfer, const void *_Nullable bytes, size_t count);

/// Reads the figures known so far into `metrics`; the loop does it for a transfer that ends.
void tlc_transfer_collect(tlc_transfer *_Nonnull transfer);

/// Hands the request to the easy handle. `decodes` asks for every coding the library knows; `awaits_sharing` waits for a
/// connection that is being made and may turn out to multiplex, rather than open another; the connect limit is in
/// milliseconds, 0 for none. Returns libcurl's code.
int32_t tlc_request_finish(
    tlc_transfer *_Nonnull transfer, bool decodes, bool awaits_sharing, int64_t connect_timeout_ms);

/// Whether the content was encoded and has ended before its coding did.
bool tlc_transfer_is_cut(const tlc_transfer *_Nonnull transfer);

/// Passes everything written so far to the thread that calls `tlc_transfer_observe`: the loop's thread publishes a
/// transfer that left the loop, its owner observes before reading it.
void tlc_transfer_publish(tlc_transfer *_Nonnull transfer);
void tlc_transfer_observe(tlc_transfer *_Nonnull transfer);

/// Takes the body's memory out of the transfer; the caller frees it.
uint8_t *_Nullable tlc_transfer_take_body(tlc_transfer *_Nonnull transfer, size_t *_Nonnull count);

#endif
