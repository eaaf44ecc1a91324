// SPDX-License-Identifier: Apache-2.0
// Ports of this side and their credits. Any thread.
#include "channel/channel.h"
#include "fail/point.h"

tarn_status tarn_channel_open_port(tarn_channel *channel, uint32_t port, uint32_t depth,
                                   uint32_t flags) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(tn_channel_usable(channel));
    TN_REFUSE(port >= channel->own.shape.ports || depth == 0 || depth > TN_DEPTH_MAX ||
                  (flags & ~(uint32_t)TARN_PORT_MANUAL_CREDIT) != 0,
              TARN_BAD_ARGUMENT, "port %u of %u, depth %u (1 to %u), flags 0x%x", port,
              channel->own.shape.ports, depth, TN_DEPTH_MAX, flags);
    struct tn_port *p = &channel->ports[port];
    TN_LOCKED(&channel->receive_lock);
    TN_REFUSE(tn_load_relaxed(&p->depth) != 0, TARN_BUSY, "port %u is open already", port);
    p->manual_credit = (flags & TARN_PORT_MANUAL_CREDIT) != 0;
    tn_store_relaxed(&p->granted, depth);
    tn_store_release(&p->depth, depth);
    tn_channel_publish_grants(channel, port, depth);
    return TARN_OK;
}

void tn_channel_publish_grants(tarn_channel *c, uint32_t port, uint32_t count) {
    TARN_ASSERT(port < c->own.shape.ports && tn_load_relaxed(&c->ports[port].depth) != 0);
    (void)tn_add_relaxed(&c->own.granted[port], count);
    (void)tn_add_seq_cst(&c->own.head->grants, 1);
    tn_channel_wake_peer(c, TN_WAIT_CREDIT);
}

// Claims `count` of the credits that messages have used and that were not granted again yet.
static bool claim_used_credits(struct tn_port *p, uint32_t count) {
    uint32_t depth = tn_load_acquire(&p->depth);
    uint32_t granted = tn_load_relaxed(&p->granted);
    do {
        uint32_t granted_again = granted - depth;
        if (count > tn_load_relaxed(&p->seen) - granted_again) return false;
    } while (!tn_cas_weak_relaxed(&p->granted, &granted, granted + count));
    return true;
}

tarn_status tarn_channel_grant(tarn_channel *channel, uint32_t port, uint32_t count) {
    TN_TRY(tn_channel_usable(channel));
    struct tn_port *p = port < channel->own.shape.ports ? &channel->ports[port] : NULL;
    TN_REFUSE(p == NULL || tn_load_acquire(&p->depth) == 0 || !p->manual_credit, TARN_BAD_ARGUMENT,
              "port %u is not open, or grants its credits by itself", port);
    TN_REFUSE(!claim_used_credits(p, count), TARN_BAD_ARGUMENT,
              "messages have not used %u credits of port %u", count, port);
    tn_channel_publish_grants(channel, port, count);
    return TARN_OK;
}
