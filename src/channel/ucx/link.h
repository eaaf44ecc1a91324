// SPDX-License-Identifier: Apache-2.0
// The state of a link. Only the progress thread touches an open link. Other threads read atomics,
// and fields that were written before the state that they wait for. Each file uses only those above
// it: progress.c, state.c, am_send.c, am_recv.c, link.c, connect.c.
#pragma once

#include <ucp/api/ucp.h>

#include "channel/arena.h"
#include "channel/link.h"

// ---- UCX

// The functions of UCX that links call. They are loaded from libucp and libucs for the first link,
// so that programs without links do not need UCX. The table is written once.

#define TN_UCP_LIST(X)                                                                             \
    X(ucp_config_read)                                                                             \
    X(ucp_config_modify)                                                                           \
    X(ucp_config_release)                                                                          \
    X(ucp_init_version)                                                                            \
    X(ucp_cleanup)                                                                                 \
    X(ucp_worker_create)                                                                           \
    X(ucp_worker_destroy)                                                                          \
    X(ucp_worker_query)                                                                            \
    X(ucp_worker_progress)                                                                         \
    X(ucp_worker_get_efd)                                                                          \
    X(ucp_worker_arm)                                                                              \
    X(ucp_worker_set_am_recv_handler)                                                              \
    X(ucp_listener_create)                                                                         \
    X(ucp_listener_destroy)                                                                        \
    X(ucp_listener_reject)                                                                         \
    X(ucp_ep_create)                                                                               \
    X(ucp_ep_close_nbx)                                                                            \
    X(ucp_am_send_nbx)                                                                             \
    X(ucp_am_recv_data_nbx)                                                                        \
    X(ucp_am_data_release)                                                                         \
    X(ucp_mem_map)                                                                                 \
    X(ucp_mem_unmap)                                                                               \
    X(ucp_request_check_status)                                                                    \
    X(ucp_request_free)

struct tn_ucx {
#define TN_UCX_FIELD(name) __typeof__(&name) name;
    TN_UCP_LIST(TN_UCX_FIELD)
#undef TN_UCX_FIELD
    const char *(*status_string)(ucs_status_t status);
    ucs_status_t (*set_option)(const char *name, const char *value); // may be NULL
    void (*disable_signals)(void);                                   // may be NULL
};
extern struct tn_ucx tn_ucx;

// Loads the table once. Returns UNSUPPORTED if libucp is missing or too old. One thread at a time.
tarn_status tn_ucx_load(void);

// ---- messages

// The messages between two links: one kind of active message each. A message is the header of the
// active message; only the bytes of parcels and of long control are its data. Both machines must be
// little-endian with the same sizes, which the hello verifies.

#define TN_WIRE_MAGIC   UINT64_C(0x316b6e696c6e7474) // "ttnlink1"
#define TN_WIRE_VERSION 1u

enum tn_wire_kind {
    TN_WIRE_HELLO = 1, // first: version and sizes
    TN_WIRE_READY,     // the sender has accepted the hello, so the receiver may send
    TN_WIRE_MESSAGE,   // a message, with the bytes of its parcel as data
    TN_WIRE_CONTROL,   // long control bytes of a message, as data
    TN_WIRE_UPDATE,    // messages consumed, and credits
    TN_WIRE_CLOSE,     // the sender closes, and how many messages it has sent
    TN_WIRE_CLOSE_ACK, // the sender has received all of them
    TN_WIRE_END
};

struct tn_wire_hello {
    uint64_t magic;
    uint32_t version;
    uint32_t descriptor_bytes;
    uint32_t ports;
    uint32_t slots;
    uint32_t in_flight;
    int32_t pid;
    uint64_t largest; // parcel that the sender's arena can hold
};

// Sent up to the end of the text. The references in the descriptor are zero, because the receiver
// must not learn the addresses of the bytes.
struct tn_wire_message {
    uint64_t number;
    struct tn_descriptor descriptor;
};

struct tn_wire_control {
    uint64_t number;
};

struct tn_wire_grant {
    uint32_t port;
    uint32_t granted; // in total; wraps
};

// Sent up to the last grant.
#define TN_WIRE_GRANTS 60u
struct tn_wire_update {
    uint64_t consumed;
    uint64_t grants;
    struct tn_wire_grant grant[TN_WIRE_GRANTS];
};

struct tn_wire_close {
    uint64_t sent;
};

// Data of this size or more stays at the sender until the receiver has a parcel for it.
#define TN_WIRE_RENDEZVOUS 65536u

// ---- the progress thread

// The progress thread: one thread with one UCX worker for all links of the process. Only this
// thread calls UCX and touches open links. Other threads submit jobs to it and wait for them. It
// runs while a link or a listener holds it, and sleeps while there is no work.

// The callbacks by which the thread advances links.
struct tn_progress_ops {
    ucp_am_recv_callback_t on_am; // for every kind of message; its argument is the kind
    // Advances a link. `progressed` is true if UCX just made progress for any link. Returns true if
    // something moved. May remove the link.
    bool (*step)(struct tn_link *link, bool progressed);
    // Announces in the link's mirror that the thread sleeps. Returns true if there is no work.
    bool (*may_sleep)(struct tn_link *link);
    void (*woke)(struct tn_link *link);
    void (*on_socket)(struct tn_link *link, uint32_t events);
    // Returns true if the link waits for a change that no descriptor signals.
    bool (*polls)(const struct tn_link *link);
    void (*start_leaving)(void *link); // called when the process exits
};

// Starts the thread if it is not running. Every caller passes the same `ops`. Returns UNSUPPORTED
// without UCX, or in the child of a process that used it; NO_HOST_MEMORY, NO_HANDLES or SYSTEM.
tarn_status tn_progress_hold(const struct tn_progress_ops *ops);
// The last release stops the thread. May not be called with a lock held, nor on the thread itself.
void tn_progress_release(void);

// Runs fn(arg) on the progress thread and waits until it returns.
void tn_progress_run(void (*fn)(void *), void *arg);

// Waits until ready(arg), which reads atomics, returns true. Returns false if it does not before
// the deadline. The thread calls tn_progress_notify() after each change that may matter.
bool tn_progress_wait(bool (*ready)(const void *), const void *arg, uint64_t deadline_ns);
void tn_progress_notify(void);

// ---- the rest is called only on the progress thread

ucp_worker_h tn_progress_worker(void);

// An added link is stepped until it is removed. On request the thread watches a link's socket. If
// that fails, it ends the link and returns false.
void tn_progress_add_link(struct tn_link *link);
void tn_progress_remove_link(struct tn_link *link);
bool tn_progress_watch_socket(struct tn_link *link);

// Returns the link with this endpoint, or NULL.
struct tn_link *tn_progress_find_link(ucp_ep_h ep);

// Returns an eventfd that ends the thread's sleep.
int tn_progress_eventfd(void);

// Registers an arena with UCX, or counts one more use. Returns NULL if that is not possible;
// transfers then work, but are slower.
ucp_mem_h tn_progress_map_arena(tarn_arena *arena);
void tn_progress_unmap_arena(const tarn_arena *arena);

enum tn_link_state {
    TN_LINK_HELLO_SENT,     // or is about to be sent
    TN_LINK_HELLO_RECEIVED, // the peer's hello is valid
    TN_LINK_READY,          // this side is complete, and the peer has been notified
    TN_LINK_OPEN,           // the peer is ready too
    TN_LINK_CLOSING,        // UCX closes the endpoint
    TN_LINK_CLOSED          // UCX has no pointer into this process any more
};

// Data of a message that is received into a parcel of this side.
struct tn_inbound_data {
    struct tn_link *link;
    void *descriptor; // owned by UCX until it is received or released
    uint64_t bytes;   // 0 if there is no data
    void *parcel;     // destination, or NULL before the transfer
    bool rendezvous;
    bool announced; // the descriptor has arrived
};

// An incoming message. Its parts arrive in any order.
struct tn_inbound {
    struct tn_descriptor descriptor;
    struct tn_inbound_data data, control;
    uint32_t receiving; // number of transfers, of data and control, that UCX performs now
    bool announced;
};

// An outgoing active message, with the memory that UCX reads meanwhile.
struct tn_outbound {
    struct tn_link *link;
    struct tn_outbound *next; // in the list of free ones
    struct tn_parcel_ref ref; // returned to the channel on completion
    bool returns;
    union {
        struct tn_wire_hello hello;
        struct tn_wire_message message;
        struct tn_wire_control control;
        struct tn_wire_update update;
        struct tn_wire_close close;
    } wire;
};

struct tn_link {
    struct tn_link *next; // in the progress thread's list
    tarn_arena *arena;
    tarn_channel_desc desc;
    _Atomic int state; // tn_link_state; the release pairs with the acquire of waiting threads
    // Written before CLOSING.
    tarn_status status; // TARN_OK if this side left
    char why[120];

    ucp_ep_h ep; // NULL if closed, or never created
    ucp_mem_h memory;
    bool close_started;
    ucs_status_ptr_t close_request; // NULL once completed
    ucs_status_t broken;            // reported by UCX's error handler
    uint32_t under_way;             // operations that UCX has not completed
    struct tn_wire_hello peer;      // checked
    bool peer_ready;
    bool connects; // this side connects, so there may be no listener yet

    // Valid from READY on. The mailboxes belong to the channel.
    struct tn_mailbox own, mirror;
    int socket;
    uint32_t sleep_number;
    uint32_t woken_sleep;
    bool hung_up; // the channel itself has ended

    // Out.
    uint64_t sent;
    uint64_t returned;
    uint64_t reported_consumed;
    uint64_t reported_grants;
    uint32_t *reported_granted; // for each port of this side
    struct tn_outbound *free_outbound;

    // In.
    struct tn_inbound *inbound; // ring by number, as many as the peer has slots
    uint32_t *arrived;          // for each port of this side; wraps
    uint64_t placed, published; // numbers of messages: all before `placed` have parcels, all before
                                // `published` are in the mirror
    uint64_t fetching;          // bytes that UCX transfers now
    struct tn_waiter waiter;    // waits for room
    bool queued;

    // The end.
    bool leaving;    // closed here
    bool close_sent; // to the peer
    bool close_acked;
    bool peer_left;
    bool ack_sent; // the answer to the peer's close has been sent
    uint64_t peer_sent;
    uint64_t moved_ns;     // while leaving: when anything last moved
    uint64_t own_moved_ns; // when something of this link itself last moved
    uint32_t under_way_before;
};

static inline enum tn_link_state tn_link_state(const struct tn_link *link) {
    return (enum tn_link_state)tn_load_acquire(&link->state);
}

// ---- state.c

void tn_link_set_state(struct tn_link *link, enum tn_link_state state);
// Ends a link: nothing more is sent or received. The first reason counts. The next step notifies
// UCX, because this may be called from within its progress function.
void tn_link_end(struct tn_link *link, tarn_status status, const char *why);
// Wakes the channel if it sleeps and waits for `what`.
void tn_link_wake_channel(struct tn_link *link, enum tn_wait_kind what);

// ---- am_send.c

// Returns NULL, and ends the link, if out of memory.
struct tn_outbound *tn_outbound_new(struct tn_link *link);
// Sends the first `bytes` of the outbound's wire message.
void tn_link_post(struct tn_link *link, enum tn_wire_kind kind, struct tn_outbound *outbound,
                  size_t bytes);
void tn_link_free_outbound(struct tn_link *link);
bool tn_link_has_output(const struct tn_link *link);
// Sends everything that the channel has published. Returns true if there was anything.
bool tn_link_am_send(struct tn_link *link);

// ---- am_recv.c

// UCX's handler of active messages; `arg` is the kind.
ucs_status_t tn_link_am_handler(void *arg, const void *header, size_t header_bytes, void *data,
                                size_t bytes, const ucp_am_recv_param_t *param);
// Places arrived data in parcels and publishes the messages that are complete, unless the link is
// closed here. Returns true if any message was placed or published.
bool tn_link_am_recv(struct tn_link *link);
// Releases data whose transfer has not begun, and frees the parcels of unpublished messages. Called
// only when UCX no longer writes to them.
void tn_link_release_inbound_data(struct tn_link *link);
void tn_link_free_inbound_parcels(struct tn_link *link);

// ---- link.c

extern const struct tn_progress_ops tn_link_progress_ops;
tarn_status tn_link_make(const tarn_channel_desc *desc, struct tn_link **link);
