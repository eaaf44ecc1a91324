// SPDX-License-Identifier: Apache-2.0
// Listeners and connections of links: addresses, the hello, and the two mailboxes of the channel.
// UCX reports a connection as soon as the peer exists, so a link counts as connected only when it
// has the peer's hello. Functions that run on the progress thread are marked.
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/uncancelled.h"
#include "channel/ucx/link.h"

#define QUEUE    16
#define RETRY_NS 10000000
#define HOST     256

struct tn_link_listener {
    ucp_listener_h handle;
    struct sockaddr_storage address;
    socklen_t address_bytes;
    ucs_status_t code;
    // Only the progress thread accesses these fields, except `waiting`.
    ucp_conn_request_h queue[QUEUE]; // connection requests to accept, oldest first
    _Atomic uint32_t waiting;
};

// ---- addresses

static tarn_status refuse_address(const char *text, const char *why) {
    return tn_fail(TARN_BAD_ARGUMENT, "address is \"%s\": %s", text, why);
}

// "ucx://HOST:PORT", with HOST in brackets if it contains colons.
static tarn_status split_address(const char *text, char host[HOST], char port[8]) {
    const char *at = text + sizeof TN_LINK_SCHEME - 1;
    const char *colon = strrchr(at, ':');
    size_t host_bytes = colon != NULL ? (size_t)(colon - at) : 0;
    if (host_bytes >= 2 && at[0] == '[' && at[host_bytes - 1] == ']') {
        at++;
        host_bytes -= 2;
    }
    if (host_bytes == 0 || host_bytes >= HOST)
        return refuse_address(text, "must be ucx://HOST:PORT");
    char *end = NULL;
    unsigned long number = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || number == 0 || number > 65535)
        return refuse_address(text, "the port must be 1 to 65535");
    memcpy(host, at, host_bytes);
    host[host_bytes] = '\0';
    (void)snprintf(port, 8, "%lu", number);
    return TARN_OK;
}

static tarn_status resolve_address(const char *text, struct sockaddr_storage *address,
                                   socklen_t *bytes) {
    char host[HOST];
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    TN_TRY(split_address(text, host, port));
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0) return refuse_address(text, gai_strerror(code));
    memcpy(address, found->ai_addr, found->ai_addrlen);
    *bytes = found->ai_addrlen;
    freeaddrinfo(found);
    return TARN_OK;
}

// ---- listening, on the progress thread

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
    if (waiting == 0) return NULL;
    TARN_ASSERT(waiting <= QUEUE);
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
    while ((request = take_request(l)) != NULL)
        (void)tn_ucx.ucp_listener_reject(l->handle, request);
    tn_ucx.ucp_listener_destroy(l->handle);
}

// The kernel keeps the port of an earlier listener's connections for a minute. UCX reuses it only
// if the environment says so.
static tarn_status fail_listen(const char *address, ucs_status_t code) {
    TN_REFUSE(code == UCS_ERR_BUSY, TARN_BUSY,
              "address \"%s\" is in use, or was a minute ago and UCX_TCP_CM_REUSEADDR is not y",
              address);
    return tn_fail(TARN_SYSTEM, "address is \"%s\": %s", address, tn_ucx.status_string(code));
}

tarn_status tn_link_listen(const char *address, struct tn_link_listener **listener) {
    struct tn_link_listener *l = (struct tn_link_listener *)calloc(1, sizeof *l);
    TN_REFUSE(l == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a listener");
    tarn_status status = resolve_address(address, &l->address, &l->address_bytes);
    if (status != TARN_OK || (status = tn_progress_hold(&tn_link_progress_ops)) != TARN_OK) {
        free(l);
        return status;
    }
    l->code = UCS_ERR_CANCELED;
    tn_progress_run(open_listener, l);
    if (l->code != UCS_OK) {
        status = fail_listen(address, l->code);
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

// ---- endpoints, on the progress thread

// UCX's error handler of an endpoint.
static void on_ep_error(void *arg, ucp_ep_h ep, ucs_status_t code) {
    struct tn_link *l = (struct tn_link *)arg;
    (void)ep;
    l->broken = l->broken == UCS_OK ? code : l->broken;
}

static void post_hello(struct tn_link *l) {
    const tarn_channel_desc *d = &l->desc;
    struct tn_outbound *outbound = tn_outbound_new(l);
    if (outbound != NULL) {
        outbound->wire.hello = (struct tn_wire_hello){
            TN_WIRE_MAGIC, TN_WIRE_VERSION, TN_DESCRIPTOR_BYTES, d->ports, d->slots,
            d->in_flight,  getpid(),        d->arena->largest};
        tn_link_post(l, TN_WIRE_HELLO, outbound, sizeof outbound->wire.hello);
    }
}

struct connect_call {
    struct tn_link *link;
    struct tn_link_listener *listener; // accepts its next request; NULL connects instead
    const struct sockaddr_storage *address;
    socklen_t address_bytes;
};

static void create_endpoint(void *arg) {
    const struct connect_call *c = (const struct connect_call *)arg;
    struct tn_link *l = c->link;
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER,
                              .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                              .err_handler = {on_ep_error, l}};
    if (c->listener != NULL) {
        params.field_mask |= UCP_EP_PARAM_FIELD_CONN_REQUEST;
        params.conn_request = take_request(c->listener);
    } else {
        params.field_mask |= UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR;
        params.flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER;
        params.sockaddr = (ucs_sock_addr_t){(const struct sockaddr *)c->address, c->address_bytes};
        l->connects = true;
    }
    tn_progress_add_link(l);
    l->memory = tn_progress_map_arena(l->arena);
    // A connection of a listener without its request was accepted by another thread.
    ucs_status_t code = c->listener != NULL && params.conn_request == NULL
                            ? UCS_ERR_CANCELED
                            : tn_ucx.ucp_ep_create(tn_progress_worker(), &params, &l->ep);
    if (code == UCS_OK) {
        post_hello(l);
    } else {
        l->ep = NULL;
        l->broken = code;
    }
}

// ---- the handshake

static bool has_hello(const void *arg) {
    return tn_link_state((const struct tn_link *)arg) != TN_LINK_HELLO_SENT;
}

static bool is_open(const void *arg) {
    return tn_link_state((const struct tn_link *)arg) >= TN_LINK_OPEN;
}

static tarn_status fail_handshake(const struct tn_link *l) {
    TN_REFUSE(tn_link_state(l) < TN_LINK_CLOSING, TARN_TIMED_OUT,
              "the peer did not finish the handshake in time");
    return tn_fail(l->status != TARN_OK ? l->status : TARN_PEER_GONE, "%s", l->why);
}

// The memory and sockets of one side, created by the calling thread.
struct side {
    struct tn_link *link;
    struct tn_inbound *inbound;
    struct tn_mailbox own, mirror;
    int sockets[2]; // [0] for the link, [1] for the channel
    bool taken;     // the link owns its part
};

// A job: moves the link's part to the link.
static void become_ready(void *arg) {
    struct side *side = (struct side *)arg;
    struct tn_link *l = side->link;
    if (tn_link_state(l) != TN_LINK_HELLO_RECEIVED) return; // the link has ended meanwhile
    TARN_ASSERT(!side->taken && l->inbound == NULL && l->socket < 0);
    side->taken = true;
    l->inbound = side->inbound;
    l->own = side->own;
    l->mirror = side->mirror;
    l->socket = side->sockets[0];
    if (!tn_progress_watch_socket(l)) tn_link_end(l, TARN_NO_HANDLES, "epoll_ctl");
    struct tn_outbound *outbound = tn_outbound_new(l);
    if (outbound != NULL && tn_link_state(l) == TN_LINK_HELLO_RECEIVED) {
        tn_link_post(l, TN_WIRE_READY, outbound, sizeof outbound->wire.control);
        tn_link_set_state(l, l->peer_ready ? TN_LINK_OPEN : TN_LINK_READY);
    }
}

// Frees everything that the link does not own.
static void free_side(struct side *side) {
    if (!side->taken) free(side->inbound);
    for (int i = side->taken ? 1 : 0; i < 2; i++)
        if (side->sockets[i] >= 0) tn_close(side->sockets[i]);
    tn_mailbox_close(&side->mirror);
    tn_mailbox_close(&side->own);
}

static tarn_status make_side(const struct tn_link *l, struct side *side) {
    struct tn_mailbox_shape own = {l->desc.ports, l->desc.slots, l->peer.in_flight};
    struct tn_mailbox_shape mirror = {l->peer.ports, l->peer.slots, l->desc.in_flight};
    side->inbound = (struct tn_inbound *)calloc(l->peer.slots, sizeof *side->inbound);
    TN_REFUSE(side->inbound == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for a link of %u slots", l->peer.slots);
    TN_TRY(tn_mailbox_create(&own, &side->own));
    TN_TRY(tn_mailbox_create_private(&mirror, &side->mirror));
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, side->sockets) != 0)
        return tn_fail_native(TARN_NO_HANDLES, "socketpair", errno, "a link");
    return TARN_OK;
}

// Continues once the endpoint exists. Owns the link on success; otherwise the caller keeps it.
static tarn_status shake_hands(struct tn_link *l, uint64_t deadline_ns,
                               struct tn_handshake_state *h) {
    if (!tn_progress_wait(has_hello, l, deadline_ns) || tn_link_state(l) != TN_LINK_HELLO_RECEIVED)
        return fail_handshake(l);
    struct side side = {.link = l,
                        .own = {.shm = TN_SHM_NONE},
                        .mirror = {.shm = TN_SHM_NONE},
                        .sockets = {-1, -1}};
    tarn_status status = make_side(l, &side);
    if (status == TARN_OK) {
        tn_progress_run(become_ready, &side);
        if (!tn_progress_wait(is_open, l, deadline_ns) || tn_link_state(l) != TN_LINK_OPEN) {
            status = fail_handshake(l);
            tn_link_leave(l); // before its mailboxes are freed
        }
    }
    if (status != TARN_OK) {
        free_side(&side);
        return status;
    }
    h->own = side.own;
    h->peer = side.mirror;
    h->socket = side.sockets[1];
    h->link = l;
    h->peer_largest = l->peer.largest;
    h->peer_pid = l->peer.pid;
    h->peer_in_flight = l->peer.in_flight;
    return TARN_OK;
}

// Sets *no_listener if no process listens at the address.
static tarn_status connect_link(struct connect_call *c, uint64_t deadline_ns,
                                struct tn_handshake_state *h, bool *no_listener) {
    TN_TRY(tn_link_make(&h->desc, &c->link));
    tn_progress_run(create_endpoint, c);
    tarn_status status = shake_hands(c->link, deadline_ns, h);
    if (status != TARN_OK) {
        TN_ERROR_KEPT;
        tn_link_leave(c->link);
        *no_listener = c->link->connects && c->link->peer.magic == 0 && status == TARN_PEER_GONE;
        tn_link_free(c->link);
    }
    return status;
}

// ---- the calls

static bool has_request(const void *arg) {
    return tn_load_acquire(&((const struct tn_link_listener *)arg)->waiting) != 0;
}

tarn_status tn_link_accept(struct tn_link_listener *listener, uint64_t deadline_ns,
                           struct tn_handshake_state *h) {
    struct connect_call c = {.listener = listener};
    bool no_listener = false;
    TN_REFUSE(!tn_progress_wait(has_request, listener, deadline_ns), TARN_TIMED_OUT,
              "no peer connected in time");
    return connect_link(&c, h->deadline_ns, h, &no_listener);
}

tarn_status tn_link_connect(const char *address, uint64_t deadline_ns,
                            struct tn_handshake_state *h) {
    struct sockaddr_storage remote;
    struct connect_call c = {.address = &remote};
    struct timespec nap = {0, RETRY_NS};
    tarn_status status;
    TN_TRY(resolve_address(address, &remote, &c.address_bytes));
    for (;;) {
        bool no_listener = false;
        status = connect_link(&c, deadline_ns, h, &no_listener);
        if (!no_listener) return status;
        TN_REFUSE(tn_now_ns() >= deadline_ns, TARN_TIMED_OUT, "no process listens at \"%s\"",
                  address);
        (void)nanosleep(&nap, NULL);
    }
}
