#include "internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// At the end of the process the TLS library frees what it shares between connections, while loops may still be using
// it. So a handler that runs before that one stops them: no loop is inside libcurl from then on.

static _Atomic int inside;
static _Atomic bool is_exiting;
static _Thread_local bool is_inside;

void tlc_enter(void) {
    atomic_fetch_add(&inside, 1);
    is_inside = true;
    tlc_stop_if_exiting();
}

void tlc_stop_if_exiting(void) {
    // Either this thread sees the flag, or the handler sees this thread.
    if (!atomic_load(&is_exiting)) return;
    tlc_leave();
    for (;;) pause();
}

void tlc_leave(void) {
    is_inside = false;
    atomic_fetch_sub(&inside, 1);
}

static void stop_loops(void) {
    atomic_store(&is_exiting, true);
    // A loop's turn takes microseconds; one that hangs in a callback of the app must not hold the process for long.
    int own = is_inside ? 1 : 0;  // `exit` may be called in such a callback.
    for (int i = 0; i < 20000 && atomic_load(&inside) > own; i++) usleep(100);
}

void tlc_stop_loops_at_exit(void) {
    static _Atomic bool is_registered;
    if (!atomic_exchange(&is_registered, true)) atexit(stop_loops);
}
