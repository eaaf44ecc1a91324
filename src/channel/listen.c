// SPDX-License-Identifier: Apache-2.0
// Listening, connecting, and attaching to a connected socket. Each opens a channel by a handshake,
// over the socket or over a link.
#include "channel/listen.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/struct.h"
#include "base/uncancelled.h"
#include "channel/channel.h"
#include "fail/point.h"

#define PORTS_DEFAULT  64u
#define SLOTS_DEFAULT  1024u
#define FLIGHT_DEFAULT 4096u
#define RETRY_NS       2000000
#define BACKLOG        128

// ---- addresses and sockets

static tarn_status parse_address(const char *text, struct sockaddr_un *address, socklen_t *bytes) {
    size_t length = text != NULL ? strlen(text) : 0;
    TN_REFUSE(length == 0 || length >= sizeof address->sun_path || strcmp(text, "@") == 0,
              TARN_BAD_ARGUMENT, "address is \"%s\", allowed are 1 to %zu bytes",
              text != NULL ? text : "(NULL)", sizeof address->sun_path - 1);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, text, length);
    *bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    if (text[0] == '@') {
        address->sun_path[0] = '\0';
        (*bytes)--; // a name without a file is not terminated
    }
    return TARN_OK;
}

static tarn_status open_socket(int *fd) {
    *fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return tn_fail_native(errno == EMFILE || errno == ENFILE ? TARN_NO_HANDLES : TARN_SYSTEM,
                              "socket", errno, "a local socket");
    return TARN_OK;
}

// ---- the channel's description

// Rounds up to a power of two. Zero selects the default. Returns false above `max`.
static bool round_up(uint32_t *value, uint32_t otherwise, uint32_t max) {
    uint32_t wanted = *value != 0 ? *value : otherwise;
    uint32_t power = 1;
    while (power < wanted && power < max) power *= 2;
    TARN_ASSERT((power & (power - 1)) == 0 && (power >= wanted || wanted > max));
    *value = power;
    return wanted <= max;
}

static tarn_status read_desc(const tarn_channel_desc *given, tarn_channel_desc *own) {
    TN_REFUSE(given == NULL, TARN_BAD_ARGUMENT, "desc is NULL");
    TN_TRY(tn_struct_read(own, sizeof *own, given, "tarn_channel_desc"));
    TN_TRY(tn_arena_usable(own->arena));
    uint32_t slots = own->slots;
    uint32_t in_flight = own->in_flight;
    own->ports = own->ports != 0 ? own->ports : PORTS_DEFAULT;
    bool valid = round_up(&own->slots, SLOTS_DEFAULT, TN_MAILBOX_SLOTS_MAX) &&
                 round_up(&own->in_flight, FLIGHT_DEFAULT, TN_IN_FLIGHT_MAX);
    uint32_t known = TARN_CHANNEL_ANY_USER | TARN_CHANNEL_NO_SPIN;
    TN_REFUSE(!valid || own->ports > TN_PORTS_MAX || (own->flags & ~known) != 0, TARN_BAD_ARGUMENT,
              "ports is %u, slots is %u, in_flight is %u (each at most 65536), flags 0x%x",
              own->ports, slots, in_flight, own->flags);
    return TARN_OK;
}

// ---- a channel from a handshake

// Makes the channel of a complete handshake. The channel owns the socket if the call succeeds.
static tarn_status make_channel(struct tn_handshake_state *h, tarn_channel **channel) {
    tarn_status status = tn_channel_make(h, &tn_channel_wait_ops, channel);
    if (status != TARN_OK) tn_handshake_release(h);
    return status;
}

// Takes ownership of the socket on success.
static tarn_status open_channel(int socket, const tarn_channel_desc *desc, uint64_t deadline_ns,
                                tarn_channel **channel) {
    struct tn_handshake_state h = tn_handshake_state_make(socket, desc, deadline_ns);
    TN_TRY(tn_handshake(&h));
    return make_channel(&h, channel);
}

// Opens a channel over a link: accepts a peer of `listener`, or connects to `address`.
static tarn_status open_linked_channel(struct tn_link_listener *listener, const char *address,
                                       const tarn_channel_desc *desc, uint64_t deadline_ns,
                                       tarn_channel **channel) {
    if ((desc->flags & TARN_CHANNEL_ANY_USER) == 0)
        return tn_fail(TARN_NO_ACCESS, "a peer at a ucx:// address cannot prove its user: the "
                                       "channel needs TARN_CHANNEL_ANY_USER");
    struct tn_handshake_state h =
        tn_handshake_state_make(-1, desc, listener != NULL ? UINT64_MAX : deadline_ns);
    TN_TRY(listener != NULL ? tn_link_accept(listener, deadline_ns, &h)
                            : tn_link_connect(address, deadline_ns, &h));
    tarn_status status = tn_channel_make(&h, &tn_channel_wait_ops, channel);
    if (status != TARN_OK) {
        TN_ERROR_KEPT;
        tn_link_leave(h.link);
        tn_link_free(h.link);
        tn_close(h.socket);
        tn_handshake_release(&h);
    }
    return status;
}

tarn_status tarn_channel_attach(int socket, const tarn_channel_desc *desc, uint64_t timeout_ns,
                                tarn_channel **channel) {
    TN_UNCANCELLED;
    TN_FAIL_POINT(0, 0);
    tarn_channel_desc own;
    int type = 0;
    int domain = 0;
    socklen_t bytes = sizeof type;
    TN_TRY(read_desc(desc, &own));
    TN_REFUSE(getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 ||
                  getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) != 0 ||
                  type != SOCK_SEQPACKET || domain != AF_UNIX,
              TARN_BAD_ARGUMENT, "descriptor %d is not a local SEQPACKET socket", socket);
    TN_REFUSE(channel == NULL, TARN_BAD_ARGUMENT, "channel is NULL");
    return TN_DONE(open_channel(socket, &own, tn_deadline(timeout_ns), channel));
}

// ---- listening

static tarn_status listen_locally(const char *address, tarn_listener *l) {
    struct sockaddr_un name;
    socklen_t bytes;
    tarn_status status;
    TN_TRY(parse_address(address, &name, &bytes));
    TN_TRY(open_socket(&l->socket));
    if (bind(l->socket, (const struct sockaddr *)&name, bytes) != 0) {
        status = tn_fail_native(errno == EADDRINUSE ? TARN_BUSY : TARN_SYSTEM, "bind", errno,
                                "address \"%s\"", address);
        goto err_close;
    }
    if (address[0] != '@') memcpy(l->path, name.sun_path, sizeof l->path);
    if (listen(l->socket, BACKLOG) != 0) {
        status = tn_fail_native(TARN_SYSTEM, "listen", errno, "address \"%s\"", address);
        goto err_unlink;
    }
    tn_pending_init(&l->pending, l->socket);
    return TARN_OK;

err_unlink:
    if (l->path[0] != '\0') (void)unlink(l->path);
err_close:
    tn_close(l->socket);
    return status;
}

tarn_status tarn_channel_listen(const char *address, tarn_listener **listener) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(listener == NULL, TARN_BAD_ARGUMENT, "listener is NULL");
    tarn_listener *l = (tarn_listener *)calloc(1, sizeof *l);
    TN_REFUSE(l == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a listener");
    l->socket = -1;
    tarn_status status = tn_link_is_address(address) ? tn_link_listen(address, &l->link)
                                                     : listen_locally(address, l);
    if (status != TARN_OK) {
        free(l);
        return TN_DONE(status);
    }
    l->fork_entry.listener = l;
    tn_fork_add(&l->fork_entry);
    *listener = l;
    return TARN_OK;
}

void tarn_listener_close(tarn_listener *listener) {
    if (listener == NULL || tn_fork_is_inherited(&listener->fork_entry)) return;
    tn_fork_remove(&listener->fork_entry);
    if (listener->path[0] != '\0') (void)unlink(listener->path);
    if (listener->link != NULL) {
        tn_link_unlisten(listener->link);
    } else {
        tn_pending_fini(&listener->pending);
        tn_close(listener->socket);
    }
    free(listener);
}

tarn_status tarn_channel_accept(tarn_listener *listener, const tarn_channel_desc *desc,
                                uint64_t timeout_ns, tarn_channel **channel) {
    TN_UNCANCELLED;
    TN_FAIL_POINT(0, 0);
    tarn_channel_desc own;
    uint64_t deadline = tn_deadline(timeout_ns);
    TN_REFUSE(listener == NULL || channel == NULL, TARN_BAD_ARGUMENT,
              "listener is %p, channel is %p", (void *)listener, (void *)channel);
    TN_REFUSE(tn_fork_is_inherited(&listener->fork_entry), TARN_FORKED,
              "the listener belongs to the parent process");
    TN_TRY(read_desc(desc, &own));
    if (listener->link != NULL)
        return TN_DONE(open_linked_channel(listener->link, NULL, &own, deadline, channel));
    struct tn_handshake_state h;
    TN_TRY(tn_pending_accept(&listener->pending, &own, deadline, &h));
    tarn_status status = make_channel(&h, channel);
    if (status != TARN_OK) tn_close(h.socket);
    return TN_DONE(status);
}

// ---- connecting

static bool is_not_listening_yet(int code) {
    return code == ECONNREFUSED || code == ENOENT || code == EAGAIN || code == EINTR;
}

static tarn_status connect_socket(int fd, const char *address, uint64_t deadline_ns) {
    struct sockaddr_un name;
    socklen_t bytes;
    struct timespec nap = {0, RETRY_NS};
    TN_TRY(parse_address(address, &name, &bytes));
    while (connect(fd, (const struct sockaddr *)&name, bytes) != 0) {
        if (!is_not_listening_yet(errno))
            return tn_fail_native(TARN_SYSTEM, "connect", errno, "address \"%s\"", address);
        TN_REFUSE(tn_now_ns() >= deadline_ns, TARN_TIMED_OUT, "no process listens at \"%s\"",
                  address);
        (void)nanosleep(&nap, NULL);
    }
    return TARN_OK;
}

tarn_status tarn_channel_connect(const char *address, const tarn_channel_desc *desc,
                                 uint64_t timeout_ns, tarn_channel **channel) {
    TN_UNCANCELLED;
    TN_FAIL_POINT(0, 0);
    tarn_channel_desc own;
    int fd;
    uint64_t deadline = tn_deadline(timeout_ns);
    TN_TRY(read_desc(desc, &own));
    TN_REFUSE(channel == NULL, TARN_BAD_ARGUMENT, "channel is NULL");
    if (tn_link_is_address(address))
        return TN_DONE(open_linked_channel(NULL, address, &own, deadline, channel));
    TN_TRY(open_socket(&fd));
    tarn_status status = connect_socket(fd, address, deadline);
    if (status == TARN_OK) status = open_channel(fd, &own, deadline, channel);
    if (status != TARN_OK) tn_close(fd);
    return TN_DONE(status);
}
