// SPDX-License-Identifier: Apache-2.0
// How two links find each other: addresses, listening, connecting, the hello, and the two boxes
// that the channel is given. What UCX calls a connection is there as soon as the peer exists; the
// hello is what counts.
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "channel/ucx/link.h"

#define QUEUE    16
#define RETRY_NS 10000000
#define HOST     256

struct tn_link_listener {
    ucp_listener_h handle;
    struct sockaddr_storage address;
    socklen_t address_bytes;
    ucs_status_t code;
    // The ferry's.
    ucp_conn_request_h queue[QUEUE]; // who waits to be accepted, the first first
    _Atomic uint32_t waiting;
};

// ---- addresses

static tarn_status bad_address(const char *text, const char *why) {
    return tn_fail(TARN_BAD_ARGUMENT, "address \"%s\": %s", text, why);
}

// "ucx://HOST:PORT", HOST in brackets if it has colons.
static tarn_status split(const char *text, char host[HOST], char port[8]) {
    const char *at = text + sizeof TN_LINK_SCHEME - 1;
    const char *colon = strrchr(at, ':');
    size_t host_bytes = colon != NULL ? (size_t)(colon - at) : 0;
    if (host_bytes >= 2 && at[0] == '[' && at[host_bytes - 1] == ']') {
        at++;
        host_bytes -= 2;
    }
    if (host_bytes == 0 || host_bytes >= HOST) {
        return bad_address(text, "must be ucx://HOST:PORT");
    }
    char *end = NULL;
    unsigned long number = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || number == 0 || number > 65535) {
        return bad_address(text, "the port must be 1 to 65535");
    }
    memcpy(host, at, host_bytes);
    host[host_bytes] = '\0';
    (void)snprintf(port, 8, "%lu", number);
    return TARN_OK;
}

static tarn_status resolve(const char *text, struct sockaddr_storage *address, socklen_t *bytes) {
    char host[HOST];
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    tarn_status status = split(text, host, port);
    if (status != TARN_OK) {
        return status;
    }
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0) {
        return bad_address(text, gai_strerror(code));
    }
    memcpy(address, found->ai_addr, found->ai_addrlen);
    *bytes = found->ai_addrlen;
    freeaddrinfo(found);
    return TARN_OK;
}

// ---- listening

static void queue_request(ucp_conn_request_h request, void *arg) {
    struct tn_link_listener *l = (struct tn_link_listener *)arg;
    uint32_t waiting = tn_load_relaxed(&l->waiting);
    if (waiting == QUEUE) {
        (void)tn_ucx.ucp_listener_reject(l->handle, request);
        return;
    }
    l->queue[waiting] = request;
    tn_store_release(&l->waiting, waiting + 1);
    tn_progress_notify();
}

static ucp_conn_request_h take_request(struct tn_link_listener *l) {
    uint32_t waiting = tn_load_relaxed(&l->waiting);
    if (waiting == 0) {
        return NULL;
    }
    ucp_conn_request_h first = l->queue[0];
    memmove(&l->queue[0], &l->queue[1], (waiting - 1) * sizeof l->queue[0]);
    tn_store_release(&l->waiting, waiting - 1);
    return first;
}

static void open_listener(void *arg) {
    struct tn_link_listener *l = (struct tn_link_listener *)arg;
    ucp_listener_params_t params = {
        .field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR | UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
        .sockaddr = {(const struct sockaddr *)&l->address, l->address_bytes},
        .conn_handler = {queue_request, l}};
    l->code = tn_ucx.ucp_listener_create(tn_progress_worker(), &params, &l->handle);
}

static void close_listener(void *arg) {
    struct tn_link_listener *l = (struct tn_link_listener *)arg;
    ucp_conn_request_h request;
    while ((request = take_request(l)) != NULL) {
        (void)tn_ucx.ucp_listener_reject(l->handle, request);
    }
    tn_ucx.ucp_listener_destroy(l->handle);
}

// Connections of a listener that was there before keep its port for a minute; UCX has a way round
// that, but takes it from the environment only.
static tarn_status listen_failed(const char *address, ucs_status_t code) {
    if (code == UCS_ERR_BUSY) {
        return tn_fail(TARN_BUSY,
                       "address \"%s\": somebody listens there, or did a minute ago and "
                       "UCX_TCP_CM_REUSEADDR is not y",
                       address);
    }
    return tn_fail(TARN_SYSTEM, "address \"%s\": %s", address, tn_ucx.status_string(code));
}

tarn_status tn_link_listen(const char *address, struct tn_link_listener **listener) {
    struct tn_link_listener *l = (struct tn_link_listener *)calloc(1, sizeof *l);
    if (l == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "a listener's record");
    }
    tarn_status status = resolve(address, &l->address, &l->address_bytes);
    if (status != TARN_OK || (status = tn_progress_hold()) != TARN_OK) {
        free(l);
        return status;
    }
    l->code = UCS_ERR_CANCELED;
    tn_progress_run(open_listener, l);
    if (l->code != UCS_OK) {
        status = listen_failed(address, l->code);
        tn_progress_release();
        free(l);
        return status;
    }
    *listener = l;
    return TARN_OK;
}

void tn_link_unlisten(struct tn_link_listener *l) {
    tn_progress_run(close_listener, l);
    tn_progress_release();
    free(l);
}

// ---- hello

// Read by whoever made the endpoint fail, in the ferry's progress.
static void broke(void *arg, ucp_ep_h ep, ucs_status_t code) {
    struct tn_link *l = (struct tn_link *)arg;
    (void)ep;
    l->broken = l->broken == UCS_OK ? code : l->broken;
}

static void say_hello(struct tn_link *l) {
    const tarn_channel_desc *d = &l->desc;
    struct tn_outbound *crossing = tn_outbound_new(l);
    if (crossing != NULL) {
        crossing->wire.hello = (struct tn_wire_hello){
            TN_WIRE_MAGIC, TN_WIRE_VERSION, TN_DESCRIPTOR_BYTES, d->ports, d->slots,
            d->in_flight,  getpid(),        d->arena->largest};
        tn_link_post(l, TN_WIRE_HELLO, crossing, sizeof crossing->wire.hello);
    }
}

void tn_link_accept_hello(struct tn_link *l, const struct tn_wire_hello *hello) {
    struct tn_mailbox_shape shape = {hello->ports, hello->slots, hello->in_flight};
    if (hello->magic != TN_WIRE_MAGIC || hello->version != TN_WIRE_VERSION ||
        hello->slot_bytes != TN_DESCRIPTOR_BYTES) {
        tn_link_end(l, TARN_UNSUPPORTED,
                    hello->magic == __builtin_bswap64(TN_WIRE_MAGIC)
                        ? "the peer has the other order of bytes"
                        : "the peer speaks another version, or something else");
    } else if (!tn_mailbox_shape_valid(&shape) || hello->largest == 0) {
        tn_link_end(l, TARN_CORRUPT, "the peer's numbers are out of range");
    } else {
        l->peer = *hello;
        tn_link_set_state(l, TN_LINK_HELLO_RECEIVED);
    }
}

// ---- making endpoints, on the ferry

struct calling {
    struct tn_link *link;
    struct tn_link_listener *listener; // of which the next request is taken; NULL: call
    const struct sockaddr_storage *address;
    socklen_t address_bytes;
};

static void call(void *arg) {
    const struct calling *c = (const struct calling *)arg;
    struct tn_link *l = c->link;
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER,
                              .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                              .err_handler = {broke, l}};
    if (c->listener != NULL) {
        params.field_mask |= UCP_EP_PARAM_FIELD_CONN_REQUEST;
        params.conn_request = take_request(c->listener);
    } else {
        params.field_mask |= UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR;
        params.flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER;
        params.sockaddr = (ucs_sock_addr_t){(const struct sockaddr *)c->address, c->address_bytes};
        l->called = true;
    }
    tn_progress_add_link(l);
    l->memory = tn_progress_map_arena(l->arena);
    ucs_status_t code = c->listener != NULL && params.conn_request == NULL
                            ? UCS_ERR_CANCELED // somebody else accepted it
                            : tn_ucx.ucp_ep_create(tn_progress_worker(), &params, &l->ep);
    if (code == UCS_OK) {
        say_hello(l);
    } else {
        l->ep = NULL;
        l->broken = code;
    }
}

// ---- greeting

static bool is_greeted(const void *arg) {
    return tn_link_state((const struct tn_link *)arg) != TN_LINK_HELLO_SENT;
}

static bool is_open(const void *arg) {
    return tn_link_state((const struct tn_link *)arg) >= TN_LINK_OPEN;
}

static tarn_status why_not(const struct tn_link *l) {
    enum tn_link_state state = tn_link_state(l);
    if (state < TN_LINK_CLOSING) {
        return tn_fail(TARN_TIMED_OUT, "the peer did not answer the greeting");
    }
    return tn_fail(l->status != TARN_OK ? l->status : TARN_PEER_GONE, "%s", l->why);
}

// What a link works with, made by the thread that greets.
struct side {
    struct tn_link *link;
    struct tn_inbound *arrivals;
    struct tn_mailbox own, mirror;
    int sockets[2];
    bool taken; // by the link
};

static void become_ready(void *arg) {
    struct side *side = (struct side *)arg;
    struct tn_link *l = side->link;
    if (tn_link_state(l) != TN_LINK_HELLO_RECEIVED) {
        return; // it has ended meanwhile
    }
    side->taken = true;
    l->arrivals = side->arrivals;
    l->own = side->own;
    l->mirror = side->mirror;
    l->socket = side->sockets[0];
    tn_progress_watch_socket(l);
    struct tn_outbound *crossing = tn_outbound_new(l);
    if (crossing != NULL && tn_link_state(l) == TN_LINK_HELLO_RECEIVED) {
        tn_link_post(l, TN_WIRE_READY, crossing, sizeof crossing->wire.control);
        tn_link_set_state(l, l->peer_ready ? TN_LINK_OPEN : TN_LINK_READY);
    }
}

static tarn_status make_side(const struct tn_link *l, struct side *side) {
    struct tn_mailbox_shape own = {l->desc.ports, l->desc.slots, l->peer.in_flight};
    struct tn_mailbox_shape mirror = {l->peer.ports, l->peer.slots, l->desc.in_flight};
    side->arrivals = (struct tn_inbound *)calloc(l->peer.slots, sizeof *side->arrivals);
    if (side->arrivals == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "a link of %u slots", l->peer.slots);
    }
    tarn_status status = tn_mailbox_create(&own, &side->own);
    if (status != TARN_OK) {
        goto err_arrivals;
    }
    status = tn_mailbox_create_private(&mirror, &side->mirror);
    if (status != TARN_OK) {
        goto err_own;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, side->sockets) != 0) {
        status = tn_fail_native(TARN_NO_HANDLES, "socketpair", errno, "a link");
        goto err_mirror;
    }
    return TARN_OK;

err_mirror:
    tn_mailbox_close(&side->mirror);
err_own:
    tn_mailbox_close(&side->own);
err_arrivals:
    free(side->arrivals);
    return status;
}

// What the link did not take is the caller's: all of it, or the channel's part.
static void unmake_side(struct side *side) {
    if (!side->taken) {
        free(side->arrivals);
        (void)close(side->sockets[0]);
    }
    (void)close(side->sockets[1]);
    tn_mailbox_close(&side->mirror);
    tn_mailbox_close(&side->own);
}

// From the endpoint on. Owns the link when it goes well, and leaves it to the caller if not.
static tarn_status greet(struct tn_link *l, uint64_t deadline_ns, struct tn_handshake_state *g) {
    if (!tn_progress_wait(is_greeted, l, deadline_ns) ||
        tn_link_state(l) != TN_LINK_HELLO_RECEIVED) {
        return why_not(l);
    }
    struct side side = {.link = l};
    tarn_status status = make_side(l, &side);
    if (status != TARN_OK) {
        return status;
    }
    tn_progress_run(become_ready, &side);
    if (!tn_progress_wait(is_open, l, deadline_ns) || tn_link_state(l) != TN_LINK_OPEN) {
        status = why_not(l);
        tn_link_leave(l); // before the boxes go
        unmake_side(&side);
        return status;
    }
    g->own = side.own;
    g->peer = side.mirror;
    g->socket = side.sockets[1];
    g->link = l;
    g->lands = l->peer.largest;
    g->peer_pid = l->peer.pid;
    g->peer_in_flight = l->peer.in_flight;
    return TARN_OK;
}

// `nobody` becomes true when no one was there to be called.
static tarn_status meet(struct calling *c, uint64_t deadline_ns, struct tn_handshake_state *g,
                        bool *nobody) {
    tarn_status status = tn_link_make(&g->desc, &c->link);
    if (status != TARN_OK) {
        return status;
    }
    tn_progress_run(call, c);
    status = greet(c->link, deadline_ns, g);
    if (status != TARN_OK) {
        struct tn_error_saved kept;
        tn_error_save(&kept);
        tn_link_leave(c->link);
        *nobody = c->link->called && c->link->peer.magic == 0 && status == TARN_PEER_GONE;
        tn_link_free(c->link);
        tn_error_restore(&kept);
    }
    return status;
}

// ---- the calls

static bool has_caller(const void *arg) {
    return tn_load_acquire(&((const struct tn_link_listener *)arg)->waiting) != 0;
}

tarn_status tn_link_accept(struct tn_link_listener *listener, uint64_t deadline_ns,
                           struct tn_handshake_state *g) {
    struct calling c = {.listener = listener};
    bool nobody = false;
    if (!tn_progress_wait(has_caller, listener, deadline_ns)) {
        return tn_fail(TARN_TIMED_OUT, "nobody connected");
    }
    return meet(&c, g->deadline_ns, g, &nobody);
}

tarn_status tn_link_connect(const char *address, uint64_t deadline_ns,
                            struct tn_handshake_state *g) {
    struct sockaddr_storage there;
    struct calling c = {.address = &there};
    struct timespec nap = {0, RETRY_NS};
    tarn_status status = resolve(address, &there, &c.address_bytes);
    while (status == TARN_OK) {
        bool nobody = false;
        status = meet(&c, deadline_ns, g, &nobody);
        if (!nobody) {
            return status;
        }
        if (tn_now_ns() >= deadline_ns) {
            return tn_fail(TARN_TIMED_OUT, "nobody listens at \"%s\"", address);
        }
        (void)nanosleep(&nap, NULL);
        status = TARN_OK;
    }
    return status;
}
