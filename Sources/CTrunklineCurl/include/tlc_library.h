#ifndef TLC_LIBRARY_H
#define TLC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The oldest libcurl that is accepted, as `curl_version_info` numbers it: 7.68.0, the first with `curl_multi_wakeup`.
#define TLC_MINIMUM_VERSION 0x074400

/// An opened libcurl: its entry points, and what it says about itself. Never closed.
typedef struct tlc_library tlc_library;

/// What the library says about itself.
typedef struct tlc_version {
    const char *_Nonnull text;
    uint32_t number;
    const char *_Nullable tls;
    int32_t features;
    /// Whether connections can be used as byte pipes (tlc_socket.h).
    bool raw_sockets;
    /// Whether content codings are undone by this shim, which notices content that is cut short; else libcurl does it.
    bool decodes;
} tlc_version;

/// Opens the library and checks every entry point used. Where `path` is NULL the system's names are tried, once a
/// process; otherwise that file. Returns NULL with the reason when it can't be used.
const tlc_library *_Nullable tlc_library_open(
    const char *_Nullable path, char *_Nonnull reason, size_t reason_size);

/// The library's version and features.
tlc_version tlc_library_version(const tlc_library *_Nonnull library);

/// libcurl's words for a result code.
const char *_Nonnull tlc_library_error_text(const tlc_library *_Nonnull library, int32_t code);

/// The monotonic clock, in nanoseconds.
int64_t tlc_now(void);

/// Blocks SIGPIPE in the calling thread: with `CURLOPT_NOSIGNAL` libcurl leaves that to the caller, and a TLS library's
/// plain `write` to a closed socket would end the process.
void tlc_block_sigpipe(void);

#endif
