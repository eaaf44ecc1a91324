// SPDX-License-Identifier: Apache-2.0
// The thread of tarn_channel_start(), which receives messages or only watches for the end; and the
// close, which ends it.
#include <sys/socket.h>

#include "base/error.h"
#include "base/struct.h"
#include "base/thread.h"
#include "base/uncancelled.h"
#include "channel/channel.h"
#include "fail/point.h"

// The status of an attempt once the channel is being closed.
#define STOPPED TARN_BUSY

struct receiver_wait {
    tarn_channel *c;
    const tarn_delivery *delivery;
};

static tarn_status try_next_message(void *arg) {
    struct receiver_wait *w = (struct receiver_wait *)arg;
    return tn_load_acquire(&w->c->stopping) ? STOPPED : tn_receive(w->c, &w->delivery);
}

static tarn_status try_end(void *arg) {
    const struct receiver_wait *w = (const struct receiver_wait *)arg;
    tarn_status ended = tn_channel_ended(w->c);
    if (tn_load_acquire(&w->c->stopping)) return STOPPED;
    return ended == TARN_OK ? TARN_NOT_READY : ended;
}

// Receives until the channel ends or is being closed. Returns the status that says which.
static tarn_status receive_all(tarn_channel *c) {
    struct receiver_wait w = {c, NULL};
    bool receives = c->receiver.on_message != NULL;
    for (;;) {
        tarn_status status = tn_wait_until(c, receives ? TN_WAIT_MESSAGE : 0, TARN_FOREVER,
                                           receives ? try_next_message : try_end, &w);
        if (status == TARN_OK) {
            c->receiver.on_message(c, w.delivery, c->receiver.arg);
            (void)tarn_channel_done(c, w.delivery); // refused if the callback has done so
        } else if (status == TARN_NO_HOST_MEMORY) {
            struct timespec time = {0, 10000000}; // the message stays, so try again later
            (void)nanosleep(&time, NULL);
        } else {
            return status;
        }
    }
}

static void *run_receiver(void *arg) {
    tarn_channel *c = (tarn_channel *)arg;
    if (receive_all(c) != STOPPED && c->receiver.on_end != NULL)
        c->receiver.on_end(c, tn_channel_ended(c), c->receiver.arg);
    return NULL;
}

tarn_status tarn_channel_start(tarn_channel *channel, const tarn_receiver *receiver) {
    TN_FAIL_POINT(0, 0);
    tarn_receiver own;
    TN_TRY(tn_channel_usable(channel));
    TN_REFUSE(receiver == NULL, TARN_BAD_ARGUMENT, "receiver is NULL");
    TN_TRY(tn_struct_read(&own, sizeof own, receiver, "tarn_receiver"));
    TN_REFUSE(own.on_message == NULL && own.on_end == NULL, TARN_BAD_ARGUMENT,
              "on_message and on_end are both NULL");
    TN_LOCKED(&channel->receive_lock);
    TN_REFUSE(channel->started, TARN_BUSY, "the channel has a thread already");
    channel->receiver = own;
    TN_REFUSE(tn_thread_create(&channel->thread, run_receiver, channel) != 0, TARN_NO_HOST_MEMORY,
              "a thread cannot be created");
    channel->started = true;
    return TARN_OK;
}

// Stops the channel's thread, if it has one. Returns BUSY if the caller is that thread.
static tarn_status stop_receiver(tarn_channel *c) {
    tn_mutex_lock(&c->receive_lock);
    bool started = c->started;
    pthread_t thread = c->thread;
    tn_mutex_unlock(&c->receive_lock);
    if (!started) return TARN_OK;
    TN_REFUSE(pthread_equal(thread, pthread_self()), TARN_BUSY,
              "a channel cannot be closed from its own callback");
    TARN_ASSERT(!tn_load_relaxed(&c->stopping)); // a channel is closed once
    tn_store_release(&c->stopping, true);
    tn_wait_set_wake(&c->arena->wait_set, c);
    TN_UNCANCELLED;
    (void)pthread_join(thread, NULL);
    return TARN_OK;
}

// ---- closing

// The thread stops, the peer sees a hang-up, and every parcel that the peer holds is reclaimed.
// Received parcels keep the memory of the channel until they are freed.
tarn_status tarn_channel_close(tarn_channel *channel) {
    if (channel == NULL) return TARN_OK;
    TN_TRY(tn_channel_usable(channel));
    TN_TRY(stop_receiver(channel));
    tarn_arena *arena = channel->arena;
    if (channel->link != NULL) tn_link_leave(channel->link);
    tn_wait_set_remove(&arena->wait_set, channel);
    (void)tn_channel_mark_ended(channel, TARN_PEER_GONE, "closed here");
    tn_receive_free_deliveries(channel);
    tn_receive_free_copied(channel);
    // The messages that would have returned these parcels will not be read.
    tn_spin_lock(&channel->send_lock);
    for (uint32_t i = 0; i < channel->transits.count; i++)
        channel->transits.table[i].returning = false;
    tn_channel_recover(channel);
    TARN_ASSERT(channel->transits.used == 0);
    tn_spin_unlock(&channel->send_lock);
    (void)shutdown(channel->socket, SHUT_RDWR); // the last reference closes it
    tn_arena_notify_room(arena);
    tn_channel_unref(channel);
    return TARN_OK;
}
