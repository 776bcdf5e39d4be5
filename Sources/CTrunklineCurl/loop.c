#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#endif

struct tlc_loop {
    const tlc_library *library;
    void *multi;
    int wake_fd;
    tlc_clock clock;
};

bool tlc_waker_open(tlc_waker *waker) {
#if defined(__linux__)
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (fd < 0) return false;
    waker->read_end = waker->write_end = fd;
#else
    int ends[2];
    if (pipe(ends) != 0) return false;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    waker->read_end = ends[0];
    waker->write_end = ends[1];
#endif
    return true;
}

void tlc_waker_close(tlc_waker *waker) {
    close(waker->read_end);
    if (waker->write_end != waker->read_end) close(waker->write_end);
}

void tlc_waker_wake(const tlc_waker *waker) {
    uint64_t one = 1;
    ssize_t written;
    do written = write(waker->write_end, &one, sizeof one);
    while (written < 0 && errno == EINTR);
}

static void drain(int fd) {
    uint64_t bytes[16];
    while (read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes) {}
}

tlc_loop *tlc_loop_make(
    const tlc_library *library, const tlc_waker *waker, long connections_per_host, long connections) {
    tlc_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->library = library;
    loop->wake_fd = waker->read_end;
    loop->multi = library->multi_init();
    if (!loop->multi) {
        free(loop);
        return NULL;
    }
    tlc_enter();
    library->multi_setopt(loop->multi, 3, 2L);                      // CURLMOPT_PIPELINING: CURLPIPE_MULTIPLEX
    library->multi_setopt(loop->multi, 6, connections);             // CURLMOPT_MAXCONNECTS
    library->multi_setopt(loop->multi, 7, connections_per_host);    // CURLMOPT_MAX_HOST_CONNECTIONS
    library->multi_setopt(loop->multi, 13, connections);            // CURLMOPT_MAX_TOTAL_CONNECTIONS
    loop->clock = (tlc_clock){.now = tlc_now(), .next_deadline = INT64_MAX};
    return loop;
}

void tlc_loop_free(tlc_loop *loop) {
    loop->library->multi_cleanup(loop->multi);
    free(loop);
    tlc_leave();
}

tlc_clock *tlc_loop_clock(tlc_loop *loop) { return &loop->clock; }

int32_t tlc_loop_add(tlc_loop *loop, tlc_transfer *transfer) {
    transfer->clock = &loop->clock;
    return loop->library->multi_add_handle(loop->multi, transfer->easy);
}

int32_t tlc_loop_remove(tlc_loop *loop, tlc_transfer *transfer) {
    tlc_transfer_collect(transfer);
    return loop->library->multi_remove_handle(loop->multi, transfer->easy);
}

static void apply_pauses(tlc_transfer *t) {
    // The call names what stays paused. Before there is a connection it does nothing, and the callbacks hold.
    t->library->easy_pause(t->easy, t->held ? 5 : (t->waits_to_receive ? 1 : 0) | (t->waits_to_send ? 4 : 0));
}

void tlc_loop_continue(tlc_loop *loop, tlc_transfer *t, bool receive, bool send) {
    if (receive) t->waits_to_receive = false;
    if (send) t->waits_to_send = false;
    t->last_activity = loop->clock.now;
    apply_pauses(t);
}

void tlc_loop_hold(tlc_loop *loop, tlc_transfer *t, bool held) {
    t->held = held;
    t->last_activity = loop->clock.now;
    apply_pauses(t);
}

void tlc_loop_run(tlc_loop *loop) {
    int running;
    tlc_stop_if_exiting();
    loop->library->multi_perform(loop->multi, &running);
}

tlc_transfer *tlc_loop_next_done(tlc_loop *loop, int32_t *code) {
    int left;
    tlc_message *message;
    while ((message = loop->library->multi_info_read(loop->multi, &left))) {
        if (message->msg != 1) continue;  // CURLMSG_DONE
        void *easy = message->easy;
        *code = message->data.result;
        tlc_transfer *transfer = NULL;
        loop->library->easy_getinfo(easy, 0x100000 + 21, &transfer);  // CURLINFO_PRIVATE
        if (transfer) tlc_transfer_collect(transfer);
        loop->library->multi_remove_handle(loop->multi, easy);
        if (transfer) return transfer;
    }
    return NULL;
}

bool tlc_loop_has_ended(tlc_loop *loop, int32_t *code) {
    int left;
    tlc_message *message;
    while ((message = loop->library->multi_info_read(loop->multi, &left))) {
        if (message->msg != 1) continue;
        *code = message->data.result;
        return true;
    }
    return false;
}

void tlc_loop_wait_for(tlc_loop *loop, int32_t descriptor, bool receive, bool send, int32_t milliseconds) {
    short events = (receive ? POLLIN : 0) | (send ? POLLOUT : 0);
    struct pollfd waited[2] = {{.fd = loop->wake_fd, .events = POLLIN}, {.fd = descriptor, .events = events}};
    tlc_leave();
    // A socket that is asked nothing would still report its end, again and again.
    poll(waited, events ? 2 : 1, milliseconds);
    tlc_enter();
    if (waited[0].revents) drain(loop->wake_fd);
    loop->clock.now = tlc_now();
}

void tlc_loop_wait(tlc_loop *loop, int32_t milliseconds) {
    tlc_waitfd wake = {.fd = loop->wake_fd, .events = 1};
    int ready;
    tlc_leave();
    loop->library->multi_poll(loop->multi, &wake, 1, milliseconds, &ready);
    tlc_enter();
    if (wake.revents) drain(loop->wake_fd);
    loop->clock.now = tlc_now();
}
