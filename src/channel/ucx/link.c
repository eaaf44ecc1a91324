// SPDX-License-Identifier: Apache-2.0
// The life of a link: creation, steps, sleep, leaving and the end. Everything except creation,
// leaving and freeing runs on the progress thread.
#include "channel/ucx/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/uncancelled.h"

// LINGER_NS limits how long a leaving link waits while nothing moves at all. LINGER_MAX_NS is the
// limit while UCX progresses, possibly for another link. It is longer because UCX shows the
// transfer of one large message in no other way.
#define LINGER_NS     UINT64_C(1000000000)
#define LINGER_MAX_NS UINT64_C(30000000000)

// ---- creation

tarn_status tn_link_make(const tarn_channel_desc *desc, struct tn_link **link) {
    TN_TRY(tn_progress_hold(&tn_link_progress_ops));
    struct tn_link *l = (struct tn_link *)calloc(1, sizeof *l);
    if (l == NULL) {
        tn_progress_release();
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a link");
    }
    l->arena = desc->arena;
    l->desc = *desc;
    l->socket = -1;
    l->reported_granted = (uint32_t *)calloc(desc->ports, sizeof *l->reported_granted);
    l->arrived = (uint32_t *)calloc(desc->ports, sizeof *l->arrived);
    if (l->reported_granted == NULL || l->arrived == NULL) {
        tn_link_free(l);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a link of %u ports",
                       desc->ports);
    }
    *link = l;
    return TARN_OK;
}

void tn_link_free(struct tn_link *l) {
    TARN_ASSERT(l->under_way == 0); // UCX has no pointer into it
    if (l->socket >= 0) tn_close(l->socket);
    tn_link_free_outbound(l);
    free(l->inbound);
    free(l->reported_granted);
    free(l->arrived);
    free(l);
    tn_progress_release();
}

// ---- the end

// Closes in steps. Returns true once the link is closed; another thread may free it then.
static bool step_close(struct tn_link *l) {
    TARN_ASSERT(tn_link_state(l) == TN_LINK_CLOSING);
    if (!l->close_started) {
        l->close_started = true;
        tn_link_release_inbound_data(l);
        if (l->ep != NULL) {
            ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                         .flags = UCP_EP_CLOSE_FLAG_FORCE};
            ucs_status_ptr_t request = tn_ucx.ucp_ep_close_nbx(l->ep, &param);
            l->close_request = UCS_PTR_IS_PTR(request) ? request : NULL;
        }
    }
    if (l->close_request != NULL) {
        if (tn_ucx.ucp_request_check_status(l->close_request) == UCS_INPROGRESS) return false;
        tn_ucx.ucp_request_free(l->close_request);
        l->close_request = NULL;
    }
    l->ep = NULL;
    if (l->under_way != 0) return false;
    tn_link_free_inbound_parcels(l);
    if (l->memory != NULL) tn_progress_unmap_arena(l->arena);
    tn_progress_remove_link(l);
    if (l->socket >= 0) (void)shutdown(l->socket, SHUT_RDWR); // the channel sees a hang-up
    tn_link_set_state(l, TN_LINK_CLOSED);
    return true;
}

// ---- leaving

static void start_leaving(void *arg) {
    struct tn_link *l = (struct tn_link *)arg;
    l->leaving = true;
    l->moved_ns = l->own_moved_ns = tn_now_ns();
    if (tn_link_state(l) < TN_LINK_OPEN)
        tn_link_end(l, TARN_OK, "left during the handshake");
    else if (tn_link_state(l) == TN_LINK_OPEN)
        tn_link_release_inbound_data(l);
}

static bool is_closed(const void *arg) {
    return tn_link_state((const struct tn_link *)arg) == TN_LINK_CLOSED;
}

void tn_link_leave(struct tn_link *l) {
    if (!is_closed(l)) {
        tn_progress_run(start_leaving, l);
        (void)tn_progress_wait(is_closed, l, UINT64_MAX);
    }
}

static void post_close(struct tn_link *l, enum tn_wire_kind kind) {
    struct tn_outbound *outbound = tn_outbound_new(l);
    if (outbound != NULL) {
        outbound->wire.close = (struct tn_wire_close){l->sent};
        tn_link_post(l, kind, outbound, sizeof outbound->wire.close);
    }
}

// This side closes: it sends all messages, then CLOSE, and waits for the peer's answer.
static void step_leaving(struct tn_link *l, bool moved, bool progressed) {
    uint64_t now = tn_now_ns();
    if (moved || l->under_way != l->under_way_before) {
        l->own_moved_ns = now;
        l->moved_ns = now;
    } else if (progressed && now - l->own_moved_ns < LINGER_MAX_NS) {
        l->moved_ns = now;
    }
    l->under_way_before = l->under_way;
    if (!l->close_sent && (l->peer_left || !tn_link_has_output(l)) && l->under_way == 0) {
        l->close_sent = true;
        post_close(l, TN_WIRE_CLOSE);
    }
    if (l->close_acked || now - l->moved_ns > LINGER_NS) tn_link_end(l, TARN_OK, "closed here");
}

// Handles a close by the peer. The peer's last message must be in the mirror before it gets the
// answer. Returns true if something moved.
static bool step_peer_close(struct tn_link *l) {
    if (!l->peer_left || tn_link_state(l) != TN_LINK_OPEN) return false;
    if (!l->ack_sent && (l->leaving || l->published == l->peer_sent)) {
        l->ack_sent = true;
        post_close(l, TN_WIRE_CLOSE_ACK);
        return true;
    }
    if (l->ack_sent && !l->leaving && l->under_way == 0) {
        tn_link_end(l, TARN_PEER_GONE, "the peer closed");
        return true;
    }
    return false;
}

// ---- steps and sleep

static bool step_link(struct tn_link *l, bool progressed) {
    bool moved = false;
    if (l->broken != UCS_OK) {
        char why[sizeof l->why];
        (void)snprintf(why, sizeof why, "the peer died or closed: %s",
                       tn_ucx.status_string(l->broken));
        tn_link_end(l, TARN_PEER_GONE, why);
    } else if (l->hung_up && !l->leaving) {
        tn_link_end(l, TARN_OK, "the channel ended here");
    }
    if (tn_link_state(l) == TN_LINK_OPEN) {
        moved = tn_link_am_send(l);
        moved |= tn_link_am_recv(l);
        moved |= step_peer_close(l);
        if (l->leaving) step_leaving(l, moved, progressed);
    }
    return tn_link_state(l) == TN_LINK_CLOSING ? step_close(l) : moved;
}

static bool polls(const struct tn_link *l) {
    return tn_link_state(l) == TN_LINK_CLOSING || l->leaving || l->queued;
}

static bool may_sleep(struct tn_link *l) {
    if (tn_link_state(l) != TN_LINK_OPEN) return true;
    uint32_t all = TN_WAIT_MESSAGE | TN_WAIT_RETURN | TN_WAIT_CREDIT | TN_WAIT_SLOT;
    l->sleep_number++;
    tn_store_seq_cst(&l->mirror.head->asleep, l->sleep_number << TN_ASLEEP_SHIFT | all);
    return !tn_link_has_output(l);
}

static void set_awake(struct tn_link *l) {
    if (tn_link_state(l) == TN_LINK_OPEN) tn_store_relaxed(&l->mirror.head->asleep, 0);
}

static void on_socket(struct tn_link *l, uint32_t events) {
    char wakeups[64];
    if ((events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) != 0)
        l->hung_up = true;
    else
        (void)!recv(l->socket, wakeups, sizeof wakeups, MSG_DONTWAIT);
}

const struct tn_progress_ops tn_link_progress_ops = {.on_am = tn_link_am_handler,
                                                     .step = step_link,
                                                     .may_sleep = may_sleep,
                                                     .woke = set_awake,
                                                     .on_socket = on_socket,
                                                     .polls = polls,
                                                     .start_leaving = start_leaving};
