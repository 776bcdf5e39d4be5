#ifndef TLC_LOOP_H
#define TLC_LOOP_H

#include "tlc_transfer.h"

/// A multi handle and the means to wait for its sockets and for a wake-up. Every call but `tlc_waker_wake` belongs to
/// one thread.
typedef struct tlc_loop tlc_loop;

/// What wakes a waiting loop from other threads; lives longer than the loop.
typedef struct tlc_waker {
    int32_t read_end, write_end;
} tlc_waker;

/// Opens the waker; false when the process has no descriptor left.
bool tlc_waker_open(tlc_waker *_Nonnull waker);
void tlc_waker_close(tlc_waker *_Nonnull waker);
/// Wakes the loop that waits, or the next wait.
void tlc_waker_wake(const tlc_waker *_Nonnull waker);

/// Makes a loop; NULL when there is no memory or descriptor for it.
tlc_loop *_Nullable tlc_loop_make(
    const tlc_library *_Nonnull library, const tlc_waker *_Nonnull waker, long connections_per_host,
    long connections);
/// Closes every connection. No transfer may be in the loop.
void tlc_loop_free(tlc_loop *_Nonnull loop);

/// The loop's clock, which shows the time of the last `tlc_loop_wait`; its address stays.
tlc_clock *_Nonnull tlc_loop_clock(tlc_loop *_Nonnull loop);

/// Puts a transfer in and takes it out. They return libcurl's multi code.
int32_t tlc_loop_add(tlc_loop *_Nonnull loop, tlc_transfer *_Nonnull transfer);
int32_t tlc_loop_remove(tlc_loop *_Nonnull loop, tlc_transfer *_Nonnull transfer);

/// Lets a transfer go on that waited to receive or to send.
void tlc_loop_continue(tlc_loop *_Nonnull loop, tlc_transfer *_Nonnull transfer, bool receive, bool send);

/// Holds a transfer, or lets it go on: both ways, on top of what it waits for itself.
void tlc_loop_hold(tlc_loop *_Nonnull loop, tlc_transfer *_Nonnull transfer, bool held);

/// Moves bytes for every socket that is ready, without waiting.
void tlc_loop_run(tlc_loop *_Nonnull loop);

/// The next transfer that ended, with libcurl's code, taken out of the loop; NULL when there is none.
tlc_transfer *_Nullable tlc_loop_next_done(tlc_loop *_Nonnull loop, int32_t *_Nonnull code);

/// Whether the only transfer of the loop has ended, with libcurl's code. It stays in the loop, as a connection that is
/// kept open for `tlc_socket_send` must.
bool tlc_loop_has_ended(tlc_loop *_Nonnull loop, int32_t *_Nonnull code);

/// Waits until the descriptor can be read or written, as asked, for a wake-up, or `milliseconds`; -1 waits for ever.
void tlc_loop_wait_for(
    tlc_loop *_Nonnull loop, int32_t descriptor, bool receive, bool send, int32_t milliseconds);

/// Waits for a socket, a wake-up, or `milliseconds`.
void tlc_loop_wait(tlc_loop *_Nonnull loop, int32_t milliseconds);

#endif
