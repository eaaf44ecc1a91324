// SPDX-License-Identifier: Apache-2.0
// Returning what was received, and the bell that wakes a peer.
#include <stddef.h>
#include <sys/socket.h>

#include "base/error.h"
#include "channel/channel.h"

// ---- the bell: one byte on the socket

// Nothing is lost when the socket is full: then there are bells that the peer has not heard yet.
void tn_channel_wake_peer(tarn_channel *c, enum tn_wait_kind what) {
    uint32_t asleep = tn_load_seq_cst(&c->peer.head->asleep);
    if ((asleep & what) == 0) {
        return;
    }
    uint32_t sleep = asleep >> TN_ASLEEP_SHIFT;
    if (tn_exchange_relaxed(&c->rung, sleep) == sleep) {
        return; // rung already; it is on its way out of bed
    }
    char bell = 0;
    (void)!send(c->socket, &bell, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    tn_mailbox_count(&c->own, TN_CHANNEL_wakes, 1);
}

void tn_channel_drain_wakeups(const tarn_channel *c) {
    char bells[8];
    (void)!recv(c->socket, bells, sizeof bells, MSG_DONTWAIT);
}

// ---- returns

void tn_return_push(tarn_channel *c, uint32_t transit, uint32_t generation) {
    uint64_t entry = (uint64_t)generation << 32 | transit;
    tn_store_relaxed(&c->own.returns[c->returned & (c->own.shape.returns - 1)], entry);
    c->returned++;
    tn_store_seq_cst(&c->own.head->returned, c->returned);
}

static uint64_t offset_of(const tarn_channel *c, const void *address) {
    return (uintptr_t)address - (uintptr_t)c->peer_arena.base;
}

bool tn_channel_free_received(tarn_channel *c, void *parcel) {
    bool last = false;
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->held, offset_of(c, parcel));
    if (at != TN_RECEIVED_NONE) {
        struct tn_received_parcel *h = &c->held.table[at];
        last = h->holds == 1;
        if (last) {
            uint32_t generation = h->generation;
            tn_received_remove(&c->held, at);
            tn_return_push(c, at, generation);
            tn_mailbox_set(&c->own, TN_CHANNEL_held, c->held.used);
        } else {
            h->holds--;
        }
    }
    tn_spin_unlock(&c->received_lock);
    if (last) {
        tn_channel_wake_peer(c, TN_WAIT_RETURN);
        tn_channel_unref(c);
    }
    return at != TN_RECEIVED_NONE;
}

tarn_status tn_channel_hold_received(tarn_channel *c, void *parcel) {
    tarn_status status = TARN_BAD_ADDRESS;
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->held, offset_of(c, parcel));
    if (at != TN_RECEIVED_NONE) {
        status = c->held.table[at].holds < TN_HOLDS_MAX ? TARN_OK : TARN_BUSY;
        c->held.table[at].holds += status == TARN_OK;
    }
    tn_spin_unlock(&c->received_lock);
    return status == TARN_BUSY
               ? tn_fail(TARN_BUSY, "parcel %p has %u holds", parcel, (unsigned)TN_HOLDS_MAX)
               : status;
}

bool tn_channel_query_received(tarn_channel *c, const void *address, tarn_parcel_info *info) {
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->held, offset_of(c, address));
    if (at == TN_RECEIVED_NONE) {
        at = tn_received_containing(&c->held, offset_of(c, address));
    }
    if (at != TN_RECEIVED_NONE) {
        const struct tn_received_parcel *h = &c->held.table[at];
        info->state = TARN_PARCEL_RECEIVED;
        info->policy = (tarn_parcel_policy)h->policy;
        info->start = c->peer_arena.base + h->offset;
        info->bytes = h->capacity;
        info->holds = h->holds;
    }
    tn_spin_unlock(&c->received_lock);
    return at != TN_RECEIVED_NONE;
}
