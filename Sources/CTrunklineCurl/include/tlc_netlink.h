// What reachability needs of Linux's netlink (rtnetlink(7)): a socket, three questions, and the answers without their
// layout. Where there is no netlink nothing can be opened.
#ifndef TLC_NETLINK_H
#define TLC_NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TLC_NETLINK_OTHER,
    TLC_NETLINK_LINK,
    TLC_NETLINK_ADDRESS,
    TLC_NETLINK_ROUTE,
    // The end of the answers.
    TLC_NETLINK_DONE,
    // The kernel refused the question.
    TLC_NETLINK_ERROR,
};

// One message. What its kind has no use for is zero.
typedef struct {
    // TLC_NETLINK_LINK, …
    int kind;
    // The interface; 0 for a route through several.
    int32_t index;
    // 4 or 6, for addresses and routes.
    int family;
    // A link's name, always terminated.
    char name[16];
    bool is_loopback;
    // A link that is up and has a carrier.
    bool is_running;
    // An address that can be used beyond the link: global, and found to be no duplicate.
    bool is_global;
    // A unicast route to everywhere, outside the local table.
    bool is_default;
    // A link's ARPHRD_… number.
    int hardware;
} tlc_netlink_message;

// Opens a socket that doesn't block, subscribed to changes of links, addresses and routes when `subscribes`; -1 when it
// can't. One that doesn't subscribe waits a second for an answer at most.
int tlc_netlink_open(bool subscribes);

// Asks for all links, addresses or routes: TLC_NETLINK_LINK, …
bool tlc_netlink_ask(int socket, int kind);

// Receives messages of the kernel into the buffer. 0 for something else, which is to be left out; -1 when there are none
// (EAGAIN), when some were lost (ENOBUFS), or on an error.
ptrdiff_t tlc_netlink_receive(int socket, uint8_t *buffer, size_t capacity);

// Reads the message at `offset` and moves it on. False at the end, and where what is left is no whole message. Never
// reads beyond `count`.
bool tlc_netlink_next(const uint8_t *bytes, size_t count, size_t *offset, tlc_netlink_message *message);

#endif
