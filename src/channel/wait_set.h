// SPDX-License-Identifier: Apache-2.0
// A hub: where the threads of an arena wait, for messages, credits, slots and returned parcels. No
// thread belongs to it. Of those that wait one leads: it sleeps in the kernel for all of them, on
// the sockets of all channels; the others sleep beside it and are poked. A leader that goes away
// pokes the next.
//
// A thread that wants to wait enters first, then looks whether what it waits for is there already,
// and only then sleeps; so nothing that happens in between is lost.
#ifndef TARN_CHANNEL_WAIT_SET_H
#define TARN_CHANNEL_WAIT_SET_H

#include <tarn/channel.h>

#include "base/clock.h"
#include "base/lock.h"
#include "channel/mailbox.h"

// A thread that waits. On its stack.
struct tn_waiter {
    struct tn_cond cond;
    tarn_channel *channel; // NULL: for room in the arena
    uint32_t wants;        // tn_wait_kind bits
    int bell;              // an eventfd of somebody who does not sleep here; -1: sleeps here
    bool poked;            // guard: hub; the rest of the fields too
    bool leads;            // sleeps in the kernel for all
    struct tn_waiter *next, *prev;
};

struct tn_wait_set {
    struct tn_mutex lock;
    int epoll;
    int nudge; // an eventfd: wakes the leader from within this process
    bool led;
    bool nudged;
    uint32_t ids;                   // last id of a channel given out
    struct tn_waiter *first, *last; // in the order of arrival
    tarn_channel *channels;         // all open ones
    _Atomic uint32_t for_room;      // waiters for room; changed under the lock
};

tarn_status tn_wait_set_init(struct tn_wait_set *hub);
void tn_wait_set_fini(struct tn_wait_set *hub);
void tn_wait_set_close_in_child(struct tn_wait_set *hub);

// Adds a channel with its socket and pidfd; takes it away.
tarn_status tn_wait_set_add(struct tn_wait_set *hub, tarn_channel *channel);
void tn_wait_set_remove(struct tn_wait_set *hub, tarn_channel *channel);
// Stops listening to a channel that has ended.
void tn_wait_set_unwatch(struct tn_wait_set *hub, const tarn_channel *channel);

void tn_wait_set_enter(struct tn_wait_set *hub, struct tn_waiter *w, tarn_channel *channel,
                       uint32_t wants);
// For who waits for room and for other things at once: is told by its eventfd.
void tn_wait_set_enter_with_eventfd(struct tn_wait_set *hub, struct tn_waiter *w, int bell);
// Sleeps until poked or the deadline (CLOCK_MONOTONIC, ns). False: it had passed before.
bool tn_wait_set_sleep(struct tn_wait_set *hub, struct tn_waiter *w, uint64_t deadline_ns);
void tn_wait_set_leave(struct tn_wait_set *hub, struct tn_waiter *w);

// Is `w` the first that waits for room? Whoever waits for room is served in order.
bool tn_wait_set_is_next(struct tn_wait_set *hub, const struct tn_waiter *w);

// Wakes those who wait on the channel (NULL: none), and the first that waits for room.
void tn_wait_set_wake(struct tn_wait_set *hub, const tarn_channel *channel);
void tn_wait_set_wake_locked(struct tn_wait_set *hub, const tarn_channel *channel);

// Takes in what all peers have returned.
void tn_wait_set_reclaim(struct tn_wait_set *hub);

// Calls attempt(arg) until it says other than NOT_READY, or the time is over: then NOT_READY.
tarn_status tn_wait_until(struct tn_wait_set *hub, tarn_channel *channel, uint32_t wants,
                          uint64_t timeout_ns, tarn_status (*attempt)(void *), void *arg);

#endif
