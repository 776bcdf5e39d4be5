#include "include/tlc_netlink.h"

#if defined(__linux__)

#include <errno.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define ARPHRD_LOOPBACK_TYPE 772

int tlc_netlink_open(bool subscribes) {
    int type = SOCK_RAW | SOCK_CLOEXEC | (subscribes ? SOCK_NONBLOCK : 0);
    int descriptor = socket(AF_NETLINK, type, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    if (subscribes) {
        address.nl_groups =
            RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE;
    } else {
        struct timeval limit = {.tv_sec = 1};
        if (setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) {
            close(descriptor);
            return -1;
        }
    }
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

bool tlc_netlink_ask(int descriptor, int kind) {
    struct {
        struct nlmsghdr head;
        // The longest of the three bodies; the kernel reads the family, which is first in each.
        union {
            struct ifinfomsg link;
            struct ifaddrmsg address;
            struct rtmsg route;
        } body;
    } question = {0};
    size_t length;
    switch (kind) {
    case TLC_NETLINK_LINK:
        question.head.nlmsg_type = RTM_GETLINK;
        length = sizeof question.body.link;
        break;
    case TLC_NETLINK_ADDRESS:
        question.head.nlmsg_type = RTM_GETADDR;
        length = sizeof question.body.address;
        break;
    case TLC_NETLINK_ROUTE:
        question.head.nlmsg_type = RTM_GETROUTE;
        length = sizeof question.body.route;
        break;
    default: return false;
    }
    question.head.nlmsg_len = NLMSG_LENGTH(length);
    question.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent;
    do {
        sent = sendto(
            descriptor, &question, question.head.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof kernel);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)question.head.nlmsg_len;
}

ptrdiff_t tlc_netlink_receive(int descriptor, uint8_t *buffer, size_t capacity) {
    struct sockaddr_nl sender = {0};
    socklen_t length = sizeof sender;
    ssize_t count;
    do {
        count = recvfrom(descriptor, buffer, capacity, 0, (struct sockaddr *)&sender, &length);
    } while (count < 0 && errno == EINTR);
    // Other processes may write to the socket, too.
    if (count > 0 && (length < sizeof sender || sender.nl_pid != 0)) return 0;
    return count;
}

// The next attribute, its payload copied out by the caller; false at the end.
static bool next_attribute(
    const uint8_t *bytes, size_t count, size_t *offset, struct rtattr *head, const uint8_t **payload, size_t *length) {
    if (*offset > count || count - *offset < sizeof *head) return false;
    memcpy(head, bytes + *offset, sizeof *head);
    if (head->rta_len < sizeof *head || head->rta_len > count - *offset) return false;
    *payload = bytes + *offset + RTA_LENGTH(0);
    *length = head->rta_len - RTA_LENGTH(0);
    // The last one need not be padded.
    size_t aligned = RTA_ALIGN(head->rta_len);
    *offset = aligned > count - *offset ? count : *offset + aligned;
    return true;
}

static void read_link(const uint8_t *body, size_t count, tlc_netlink_message *message) {
    struct ifinfomsg link;
    if (count < sizeof link) return;
    memcpy(&link, body, sizeof link);
    message->kind = TLC_NETLINK_LINK;
    message->index = link.ifi_index;
    message->hardware = link.ifi_type;
    message->is_loopback = link.ifi_type == ARPHRD_LOOPBACK_TYPE || (link.ifi_flags & IFF_LOOPBACK);
    message->is_running = (link.ifi_flags & IFF_UP) && (link.ifi_flags & IFF_RUNNING);
    size_t offset = NLMSG_ALIGN(sizeof link), length;
    struct rtattr head;
    const uint8_t *payload;
    while (next_attribute(body, count, &offset, &head, &payload, &length)) {
        if ((head.rta_type & NLA_TYPE_MASK) != IFLA_IFNAME) continue;
        size_t name = length < sizeof message->name - 1 ? length : sizeof message->name - 1;
        memcpy(message->name, payload, name);
        message->name[name] = 0;
    }
}

static bool is_link_local(int family, const uint8_t *address, size_t length) {
    if (family == AF_INET && length >= 4) {
        return address[0] == 127 || (address[0] == 169 && address[1] == 254);
    }
    if (family == AF_INET6 && length >= 16) return address[0] == 0xfe && (address[1] & 0xc0) == 0x80;
    return true;  // Of no use.
}

static void read_address(const uint8_t *body, size_t count, tlc_netlink_message *message) {
    struct ifaddrmsg address;
    if (count < sizeof address) return;
    memcpy(&address, body, sizeof address);
    if (address.ifa_family != AF_INET && address.ifa_family != AF_INET6) return;
    message->kind = TLC_NETLINK_ADDRESS;
    message->index = (int32_t)address.ifa_index;
    message->family = address.ifa_family == AF_INET ? 4 : 6;
    uint32_t flags = address.ifa_flags;
    bool is_usable = false;
    size_t offset = NLMSG_ALIGN(sizeof address), length;
    struct rtattr head;
    const uint8_t *payload;
    while (next_attribute(body, count, &offset, &head, &payload, &length)) {
        int type = head.rta_type & NLA_TYPE_MASK;
        // On a point-to-point link IFA_ADDRESS is the peer's; where both are there, IFA_LOCAL is the own one.
        if (type == IFA_ADDRESS || type == IFA_LOCAL) {
            is_usable = !is_link_local(address.ifa_family, payload, length);
        } else if (type == IFA_FLAGS && length >= sizeof flags) {
            memcpy(&flags, payload, sizeof flags);
        }
    }
    message->is_global = is_usable && address.ifa_scope < RT_SCOPE_LINK &&
        !(flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED));
    if (flags & IFA_F_OPTIMISTIC) message->is_global = is_usable && address.ifa_scope < RT_SCOPE_LINK;
}

static void read_route(const uint8_t *body, size_t count, tlc_netlink_message *message) {
    struct rtmsg route;
    if (count < sizeof route) return;
    memcpy(&route, body, sizeof route);
    if (route.rtm_family != AF_INET && route.rtm_family != AF_INET6) return;
    message->kind = TLC_NETLINK_ROUTE;
    message->family = route.rtm_family == AF_INET ? 4 : 6;
    message->is_default = route.rtm_dst_len == 0 && route.rtm_type == RTN_UNICAST &&
        route.rtm_table != RT_TABLE_LOCAL && !(route.rtm_flags & RTM_F_CLONED);
    size_t offset = NLMSG_ALIGN(sizeof route), length;
    struct rtattr head;
    const uint8_t *payload;
    while (next_attribute(body, count, &offset, &head, &payload, &length)) {
        if ((head.rta_type & NLA_TYPE_MASK) == RTA_OIF && length >= sizeof message->index) {
            memcpy(&message->index, payload, sizeof message->index);
        }
    }
}

bool tlc_netlink_next(const uint8_t *bytes, size_t count, size_t *offset, tlc_netlink_message *message) {
    *message = (tlc_netlink_message){0};
    struct nlmsghdr head;
    if (*offset > count || count - *offset < sizeof head) return false;
    memcpy(&head, bytes + *offset, sizeof head);
    if (head.nlmsg_len < sizeof head || head.nlmsg_len > count - *offset) return false;
    const uint8_t *body = bytes + *offset + NLMSG_HDRLEN;
    size_t length = head.nlmsg_len - NLMSG_HDRLEN;
    size_t aligned = NLMSG_ALIGN((size_t)head.nlmsg_len);
    *offset = aligned > count - *offset ? count : *offset + aligned;
    switch (head.nlmsg_type) {
    case RTM_NEWLINK: read_link(body, length, message); break;
    case RTM_NEWADDR: read_address(body, length, message); break;
    case RTM_NEWROUTE: read_route(body, length, message); break;
    case NLMSG_DONE: message->kind = TLC_NETLINK_DONE; break;
    case NLMSG_ERROR: message->kind = TLC_NETLINK_ERROR; break;
    default: break;
    }
    return true;
}

#else

int tlc_netlink_open(bool subscribes) {
    (void)subscribes;
    return -1;
}

bool tlc_netlink_ask(int descriptor, int kind) {
    (void)descriptor;
    (void)kind;
    return false;
}

ptrdiff_t tlc_netlink_receive(int descriptor, uint8_t *buffer, size_t capacity) {
    (void)descriptor;
    (void)buffer;
    (void)capacity;
    return -1;
}

bool tlc_netlink_next(const uint8_t *bytes, size_t count, size_t *offset, tlc_netlink_message *message) {
    (void)bytes;
    (void)count;
    (void)offset;
    *message = (tlc_netlink_message){0};
    return false;
}

#endif
