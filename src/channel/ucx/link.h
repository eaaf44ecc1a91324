// SPDX-License-Identifier: Apache-2.0
// A link from the inside. The ferry's thread alone touches it while it is at work; what other
// threads read is atomic or written before the state that they wait for.
#ifndef TARN_CHANNEL_UCX_LINK_H
#define TARN_CHANNEL_UCX_LINK_H

#include "base/atomic.h"
#include "base/clock.h"
#include "channel/arena.h"
#include "channel/link.h"
#include "channel/ucx/progress.h"
#include "channel/ucx/wire.h"

enum tn_link_state {
    TN_LINK_HELLO_SENT,     // hello is on its way
    TN_LINK_HELLO_RECEIVED, // the peer's is here and good
    TN_LINK_READY,          // this side is made, and the peer told so
    TN_LINK_OPEN,           // the peer is ready too
    TN_LINK_CLOSING,        // UCX is letting go
    TN_LINK_CLOSED          // it has; no pointer into this process is left with it
};

// Data of a message on its way into a parcel of ours.
struct tn_inbound_data {
    struct tn_link *link;
    void *descriptor; // UCX's, until it is received or let go
    uint64_t bytes;   // 0: there is none
    void *parcel;     // where it lands; NULL: not begun
    bool rendezvous;
    bool here; // the descriptor has come
};

// A message that has come, in parts and in any order.
struct tn_inbound {
    struct tn_descriptor slot;
    struct tn_inbound_data data, control;
    uint32_t landing; // loads that UCX is writing
    bool here;
};

// A message on its way out, with what UCX reads meanwhile.
struct tn_outbound {
    struct tn_link *link;
    struct tn_outbound *next; // free ones
    struct tn_parcel_ref ref; // returned when it is over
    bool returns;
    union {
        struct tn_wire_hello hello;
        struct tn_wire_message letter;
        struct tn_wire_control control;
        struct tn_wire_update news;
        struct tn_wire_close farewell;
    } wire;
};

struct tn_link {
    struct tn_link *next; // of the ferry's
    tarn_arena *arena;
    tarn_channel_desc desc;
    _Atomic int state; // tn_link_state; the release pairs with the acquire of who awaits it
    // Written before CLOSING.
    tarn_status status; // TARN_OK: left here
    char why[120];

    ucp_ep_h ep; // NULL: none any more
    ucp_mem_h memory;
    bool let_go;               // UCX was told to close
    ucs_status_ptr_t closing;  // its request; NULL: done
    ucs_status_t broken;       // what the error handler was told
    uint32_t under_way;        // operations that UCX has not completed
    struct tn_wire_hello peer; // checked
    bool peer_ready;
    bool called; // by us: only then nobody may be there yet

    // From READY on. The boxes are the channel's.
    struct tn_mailbox own, mirror;
    int socket;
    uint32_t sleep_number;
    uint32_t rung;
    bool hung_up; // the channel has ended by itself

    // Out.
    uint64_t shipped;
    uint64_t returned;
    uint64_t told_taken;
    uint64_t told_grants;
    uint32_t *told_granted; // for each port of ours
    struct tn_outbound *free_crossings;

    // In.
    struct tn_inbound *arrivals; // by number, as many as the peer has slots
    uint32_t *arrived;           // for each port of ours; wraps
    uint64_t landed, published;  // numbers: all before have room; are in the mirror
    uint64_t fetching;           // bytes that UCX brings just now
    struct tn_waiter waiter;     // stands in line for room
    bool in_line;

    // The end.
    bool leaving;  // closed here
    bool farewell; // told the peer
    bool heard;    // by the peer
    bool peer_left;
    bool answered; // the peer's farewell
    uint64_t peer_sent;
    uint64_t moved_ns; // when anything last moved, while leaving
    uint64_t left_ns;  // when anything last moved that was surely this link's
    uint32_t under_way_before;
};

static inline enum tn_link_state tn_link_state(const struct tn_link *link) {
    return (enum tn_link_state)tn_load_acquire(&link->state);
}

// ---- link.c

tarn_status tn_link_make(const tarn_channel_desc *desc, struct tn_link **link);
void tn_link_set_state(struct tn_link *link, enum tn_link_state state);
// Ends it: nothing more is shipped or taken up. The first reason counts. UCX is told by the next
// step, for this may be called from within its progress.
void tn_link_end(struct tn_link *link, tarn_status status, const char *why);
// The first half of tn_link_leave(), on the ferry.
void tn_link_start_leaving(void *link);
// What the ferry does again and again; `progressed` says that UCX did something just before, for
// whichever link. True: something moved.
bool tn_link_step(struct tn_link *link, bool progressed);
// The first call of a sleep says so in the mirror; true: nothing is to be done.
bool tn_link_may_sleep(struct tn_link *link);
void tn_link_woke(struct tn_link *link);
void tn_link_on_socket(struct tn_link *link, uint32_t events);
// Does it wait for what no descriptor tells?
bool tn_link_polls(const struct tn_link *link);

// Wakes the channel, if it sleeps and waits for that.
void tn_link_wake_channel(struct tn_link *link, enum tn_wait_kind what);

// ---- ship.c

void tn_link_post(struct tn_link *link, enum tn_wire_kind kind, struct tn_outbound *crossing,
                  size_t bytes);
struct tn_outbound *tn_outbound_new(struct tn_link *link);
void tn_link_free_outbound(struct tn_link *link);
bool tn_link_has_output(const struct tn_link *link);
bool tn_link_am_send(struct tn_link *link);

// ---- land.c

// The handler of all kinds; `arg` is the kind.
ucs_status_t tn_link_am_handler(void *arg, const void *header, size_t header_bytes, void *data,
                                size_t bytes, const ucp_am_recv_param_t *param);
bool tn_link_am_recv(struct tn_link *link);
// Lets go of data that has not begun to land; frees, once UCX is done, what was not published.
void tn_link_release_inbound_data(struct tn_link *link);
void tn_link_free_inbound_parcels(struct tn_link *link);

// ---- meet.c

// The peer's first words.
void tn_link_accept_hello(struct tn_link *link, const struct tn_wire_hello *hello);

// The link whose endpoint that is; NULL.
struct tn_link *tn_progress_find_link(ucp_ep_h ep);

#endif
