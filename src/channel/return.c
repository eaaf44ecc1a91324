// SPDX-License-Identifier: Apache-2.0
// Waking the peer, and the calls on received parcels. A parcel whose last hold here ends is
// returned to the peer through this side's mailbox.
#include <sys/socket.h>

#include "base/error.h"
#include "base/uncancelled.h"
#include "channel/channel.h"

// A wake-up is one byte on the socket. A full socket contains wake-ups that the peer has not read,
// so none is lost.
void tn_channel_wake_peer(tarn_channel *c, enum tn_wait_kind what) {
    uint32_t asleep = tn_load_seq_cst(&c->peer.head->asleep);
    if ((asleep & what) == 0) return;
    uint32_t sleep = asleep >> TN_ASLEEP_SHIFT;
    if (tn_exchange_relaxed(&c->woken_sleep, sleep) == sleep) return; // another thread has woken it
    char wakeup = 0;
    TN_UNCANCELLED;
    (void)!send(c->socket, &wakeup, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    tn_mailbox_count(&c->own, TN_CHANNEL_wakes, 1);
}

void tn_return_push(tarn_channel *c, uint32_t transit, uint32_t generation) {
    TARN_ASSERT(tn_spin_is_held(&c->received_lock) && transit < c->received.count);
    tn_mailbox_push_return(&c->own, c->returned++, transit, generation);
}

bool tn_channel_free_received(tarn_channel *c, void *parcel) {
    bool last = false;
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->received, tn_channel_peer_offset(c, parcel));
    if (at != TN_RECEIVED_NONE) {
        struct tn_received_parcel *p = &c->received.table[at];
        TARN_ASSERT(p->holds != 0 && p->offset == tn_channel_peer_offset(c, parcel));
        last = p->holds == 1;
        if (last) {
            uint32_t generation = p->generation;
            tn_received_remove(&c->received, at);
            tn_return_push(c, at, generation);
            tn_mailbox_set(&c->own, TN_CHANNEL_held, c->received.used);
        } else {
            p->holds--;
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
    TN_SPIN_LOCKED(&c->received_lock);
    uint32_t at = tn_received_find(&c->received, tn_channel_peer_offset(c, parcel));
    if (at == TN_RECEIVED_NONE) return TARN_BAD_ADDRESS;
    TN_REFUSE(c->received.table[at].holds >= TN_HOLDS_MAX, TARN_BUSY,
              "parcel %p has %u holds, the most that it can", parcel, (unsigned)TN_HOLDS_MAX);
    c->received.table[at].holds++;
    return TARN_OK;
}
