// SPDX-License-Identifier: Apache-2.0
// The thread of tarn_channel_start(): it receives messages, or only watches for the end.
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
            struct tn_delivery *delivery = (struct tn_delivery *)(uintptr_t)w.delivery;
            c->receiver.on_message(c, w.delivery, c->receiver.arg);
            tn_receive_done(c, delivery);
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

tarn_status tn_receiver_stop(tarn_channel *c) {
    tn_mutex_lock(&c->receive_lock);
    bool started = c->started;
    pthread_t thread = c->thread;
    tn_mutex_unlock(&c->receive_lock);
    if (!started) return TARN_OK;
    TN_REFUSE(pthread_equal(thread, pthread_self()), TARN_BUSY,
              "a channel cannot be closed from its own callback");
    tn_store_release(&c->stopping, true);
    tn_wait_set_wake(&c->arena->wait_set, c);
    TN_UNCANCELLED;
    (void)pthread_join(thread, NULL);
    return TARN_OK;
}
