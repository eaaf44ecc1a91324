// SPDX-License-Identifier: Apache-2.0
// The wait set of an arena, in which its threads wait for messages, credits, slots and room. It has
// no thread of its own. One of the waiting threads leads: it sleeps in epoll_wait() on the sockets
// of all channels, while the others sleep on their condition variables. A leader that leaves wakes
// the next one. A thread enters first, then tests its condition, and only then sleeps, so it misses
// no change.
#ifndef TARN_CHANNEL_WAIT_SET_H
#define TARN_CHANNEL_WAIT_SET_H

#include <tarn/channel.h>

#include "base/clock.h"
#include "base/lock.h"
#include "channel/mailbox.h"

// A waiting thread. Lives on its stack.
struct tn_waiter {
    struct tn_cond cond;
    tarn_channel *channel; // NULL waits for room in the arena
    uint32_t wants;        // tn_wait_kind bits
    int eventfd;           // wakes a thread that sleeps elsewhere; -1 if it sleeps here
    bool woken;            // this and the following. Guard: wait set
    bool leads;            // sleeps in epoll_wait() for all waiters
    struct tn_waiter *next, *prev;
};

// Callbacks by which a wait set acts on its channels. Called with the wait set's lock held.
struct tn_wait_ops {
    void (*reclaim)(tarn_channel *channel);      // collects the peer's returns
    void (*disconnected)(tarn_channel *channel); // ends the channel, because the peer is gone
};

struct tn_wait_set {
    struct tn_mutex lock;
    int epoll;
    int wake_fd; // an eventfd that wakes the leader from within this process
    bool led;    // this and the following. Guard: lock
    bool wake_pending;
    uint32_t ids; // last id given to a channel
    const struct tn_wait_ops *ops;
    struct tn_waiter *first, *last; // in the order of arrival
    tarn_channel *channels;         // all open channels
    _Atomic uint32_t for_room;      // waiters for room; changed under the lock
};

tarn_status tn_wait_set_init(struct tn_wait_set *set);
void tn_wait_set_fini(struct tn_wait_set *set);
void tn_wait_set_close_in_child(struct tn_wait_set *set);

// Adds a channel with its socket and pidfd. All channels of a set have the same ops.
tarn_status tn_wait_set_add(struct tn_wait_set *set, const struct tn_wait_ops *ops,
                            tarn_channel *channel);
void tn_wait_set_remove(struct tn_wait_set *set, tarn_channel *channel);
// Stops watching the descriptors of a channel that has ended.
void tn_wait_set_unwatch(struct tn_wait_set *set, const tarn_channel *channel);

// Enters `w`. `channel` NULL waits for room. With `eventfd` -1 the thread sleeps in
// tn_wait_set_sleep(); otherwise it sleeps elsewhere and is woken through that descriptor.
void tn_wait_set_enter(struct tn_wait_set *set, struct tn_waiter *w, tarn_channel *channel,
                       uint32_t wants, int eventfd);
// Sleeps until woken or until the deadline (CLOCK_MONOTONIC, ns). Returns false if the deadline had
// passed before the call.
bool tn_wait_set_sleep(struct tn_wait_set *set, struct tn_waiter *w, uint64_t deadline_ns);
void tn_wait_set_leave(struct tn_wait_set *set, struct tn_waiter *w);

// Returns true if `w` is the first that waits for room. Requests for room are served in order.
bool tn_wait_set_is_next(struct tn_wait_set *set, const struct tn_waiter *w);

// Wakes the threads that wait on the channel (unless it is NULL), and the first that waits for
// room.
void tn_wait_set_wake(struct tn_wait_set *set, const tarn_channel *channel);
void tn_wait_set_wake_locked(struct tn_wait_set *set, const tarn_channel *channel);

// Collects the returns of all peers.
void tn_wait_set_reclaim(struct tn_wait_set *set);
// Like tn_wait_set_reclaim(), and ends the channels whose peer is gone.
void tn_wait_set_poll_peers(struct tn_wait_set *set);
// Ends the channel if its peer is gone. Returns true if the channel is still open.
bool tn_wait_set_is_alive(struct tn_wait_set *set, tarn_channel *channel);

// Calls attempt(arg) until it returns a status other than NOT_READY. Returns NOT_READY if the time
// is over before.
tarn_status tn_wait_until(tarn_channel *channel, uint32_t wants, uint64_t timeout_ns,
                          tarn_status (*attempt)(void *), void *arg);

void tn_eventfd_signal(int eventfd);
void tn_eventfd_clear(int eventfd);

#endif
