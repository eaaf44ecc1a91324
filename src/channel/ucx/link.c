// SPDX-License-Identifier: Apache-2.0
// A link's life: made, stepped by the ferry, ended by the peer or left by the channel.
#include "channel/ucx/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

// How long a link that is left waits while nothing moves at all; and how long when something does,
// but may be another link's: what UCX does with one large message shows as progress only.
#define LINGER_NS      UINT64_C(1000000000)
#define LINGER_MOST_NS UINT64_C(30000000000)

// ---- making and unmaking

tarn_status tn_link_make(const tarn_channel_desc *desc, struct tn_link **link) {
    tarn_status status = tn_progress_hold();
    if (status != TARN_OK) {
        return status;
    }
    struct tn_link *l = (struct tn_link *)calloc(1, sizeof *l);
    if (l != NULL) {
        l->told_granted = (uint32_t *)calloc(desc->ports, sizeof *l->told_granted);
        l->arrived = (uint32_t *)calloc(desc->ports, sizeof *l->arrived);
    }
    if (l == NULL || l->told_granted == NULL || l->arrived == NULL) {
        if (l != NULL) {
            free(l->told_granted);
            free(l->arrived);
        }
        free(l);
        tn_progress_release();
        return tn_fail(TARN_NO_HOST_MEMORY, "a link of %u ports", desc->ports);
    }
    l->arena = desc->arena;
    l->desc = *desc;
    l->socket = -1;
    *link = l;
    return TARN_OK;
}

void tn_link_free(struct tn_link *l) {
    if (l->socket >= 0) {
        (void)close(l->socket);
    }
    tn_link_free_outbound(l);
    free(l->arrivals);
    free(l->told_granted);
    free(l->arrived);
    free(l);
    tn_progress_release();
}

void tn_link_set_state(struct tn_link *l, enum tn_link_state state) {
    tn_store_release(&l->state, state);
    tn_progress_notify();
}

const char *tn_link_corrupt(const struct tn_link *l) {
    return tn_link_state(l) >= TN_LINK_CLOSING && l->status == TARN_CORRUPT ? l->why : NULL;
}

// ---- the end

void tn_link_end(struct tn_link *l, tarn_status status, const char *why) {
    if (tn_link_state(l) >= TN_LINK_CLOSING) {
        return;
    }
    l->status = status;
    (void)snprintf(l->why, sizeof l->why, "%s", why);
    tn_link_set_state(l, TN_LINK_CLOSING);
}

static void let_go(struct tn_link *l) {
    l->let_go = true;
    tn_link_release_inbound_data(l);
    if (l->ep != NULL) {
        ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                     .flags = UCP_EP_CLOSE_FLAG_FORCE};
        ucs_status_ptr_t request = tn_ucx.ucp_ep_close_nbx(l->ep, &param);
        l->closing = UCS_PTR_IS_PTR(request) ? request : NULL;
    }
}

// True: UCX has let go of the endpoint and of all that it read or wrote.
static bool is_closed(struct tn_link *l) {
    if (l->closing != NULL && tn_ucx.ucp_request_check_status(l->closing) == UCS_INPROGRESS) {
        return false;
    }
    if (l->closing != NULL) {
        tn_ucx.ucp_request_free(l->closing);
        l->closing = NULL;
    }
    l->ep = NULL;
    return l->under_way == 0;
}

static bool finish(struct tn_link *l) {
    if (!l->let_go) {
        let_go(l);
    }
    if (!is_closed(l)) {
        return false;
    }
    tn_link_free_inbound_parcels(l);
    if (l->memory != NULL) {
        tn_progress_unmap_arena(l->arena);
    }
    tn_progress_remove_link(l);
    if (l->socket >= 0) {
        (void)shutdown(l->socket, SHUT_RDWR); // how the channel hears of it
    }
    tn_link_set_state(l, TN_LINK_CLOSED); // it may be freed from here on
    return true;
}

void tn_link_start_leaving(void *arg) {
    struct tn_link *l = (struct tn_link *)arg;
    l->leaving = true;
    l->moved_ns = l->left_ns = tn_now_ns();
    if (tn_link_state(l) < TN_LINK_OPEN) {
        tn_link_end(l, TARN_OK, "left during the greeting");
    } else if (tn_link_state(l) == TN_LINK_OPEN) {
        tn_link_release_inbound_data(l);
    }
}

static bool has_closed(const void *arg) {
    return tn_link_state((const struct tn_link *)arg) == TN_LINK_CLOSED;
}

void tn_link_leave(struct tn_link *l) {
    if (!has_closed(l)) {
        tn_progress_run(tn_link_start_leaving, l);
        (void)tn_progress_wait(has_closed, l, UINT64_MAX);
    }
}

static void say_farewell(struct tn_link *l, enum tn_wire_kind kind) {
    struct tn_outbound *crossing = tn_outbound_new(l);
    if (crossing != NULL) {
        crossing->wire.farewell = (struct tn_wire_close){l->shipped};
        tn_link_post(l, kind, crossing, sizeof crossing->wire.farewell);
    }
}

// Our side: everything out, then the farewell, then the peer's answer.
static void take_leave(struct tn_link *l, bool moved, bool progressed) {
    uint64_t now = tn_now_ns();
    if (moved || l->under_way != l->under_way_before) {
        l->left_ns = now;
        l->moved_ns = now;
    } else if (progressed && now - l->left_ns < LINGER_MOST_NS) {
        l->moved_ns = now;
    }
    l->under_way_before = l->under_way;
    if (!l->farewell && (l->peer_left || !tn_link_has_output(l)) && l->under_way == 0) {
        l->farewell = true;
        say_farewell(l, TN_WIRE_CLOSE);
    }
    if (l->heard || now - l->moved_ns > LINGER_NS) {
        tn_link_end(l, TARN_OK, "closed here");
    }
}

// The peer's side: its last message must be in the mirror before it hears that it was heard.
static bool answer_farewell(struct tn_link *l) {
    if (!l->peer_left || tn_link_state(l) != TN_LINK_OPEN) {
        return false;
    }
    if (!l->answered && (l->leaving || l->published == l->peer_sent)) {
        l->answered = true;
        say_farewell(l, TN_WIRE_CLOSE_ACK);
        return true;
    }
    if (l->answered && !l->leaving && l->under_way == 0) {
        tn_link_end(l, TARN_PEER_GONE, "the peer closed");
        return true;
    }
    return false;
}

// ---- steps

static void look_for_breaks(struct tn_link *l) {
    if (l->broken != UCS_OK) {
        char why[sizeof l->why];
        (void)snprintf(why, sizeof why, "the peer died or closed: %s",
                       tn_ucx.status_string(l->broken));
        tn_link_end(l, TARN_PEER_GONE, why);
    } else if (l->hung_up && !l->leaving) {
        tn_link_end(l, TARN_OK, "the channel ended here");
    }
}

bool tn_link_step(struct tn_link *l, bool progressed) {
    bool moved = false;
    look_for_breaks(l);
    if (tn_link_state(l) == TN_LINK_OPEN) {
        moved = tn_link_am_send(l);
        moved |= tn_link_am_recv(l);
        moved |= answer_farewell(l);
        if (l->leaving) {
            take_leave(l, moved, progressed);
        }
    }
    return tn_link_state(l) == TN_LINK_CLOSING ? finish(l) : moved;
}

bool tn_link_polls(const struct tn_link *l) {
    enum tn_link_state state = tn_link_state(l);
    return state == TN_LINK_CLOSING || l->leaving || l->in_line;
}

// ---- sleeping

bool tn_link_may_sleep(struct tn_link *l) {
    if (tn_link_state(l) != TN_LINK_OPEN) {
        return true;
    }
    uint32_t all = TN_WAIT_MESSAGE | TN_WAIT_RETURN | TN_WAIT_CREDIT | TN_WAIT_SLOT;
    l->sleep_number++;
    tn_store_seq_cst(&l->mirror.head->asleep, l->sleep_number << TN_ASLEEP_SHIFT | all);
    return !tn_link_has_output(l);
}

void tn_link_woke(struct tn_link *l) {
    if (tn_link_state(l) == TN_LINK_OPEN) {
        tn_store_relaxed(&l->mirror.head->asleep, 0);
    }
}

void tn_link_on_socket(struct tn_link *l, uint32_t events) {
    char bells[64];
    if ((events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) != 0) {
        l->hung_up = true;
    } else {
        (void)!recv(l->socket, bells, sizeof bells, MSG_DONTWAIT);
    }
}

void tn_link_wake_channel(struct tn_link *l, enum tn_wait_kind what) {
    uint32_t asleep = tn_load_seq_cst(&l->own.head->asleep);
    uint32_t sleep = asleep >> TN_ASLEEP_SHIFT;
    char bell = 0;
    if ((asleep & what) != 0 && l->rung != sleep) {
        l->rung = sleep;
        (void)!send(l->socket, &bell, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}
