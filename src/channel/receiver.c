// SPDX-License-Identifier: Apache-2.0
// A channel's own thread, where the caller asked for one: it receives, or only watches for the end.
#include <signal.h>
#include <time.h>

#include "base/error.h"
#include "base/struct.h"
#include "channel/channel.h"

// What an attempt says when the channel is being closed.
#define STOPPED TARN_BUSY

struct wait {
    tarn_channel *c;
    const tarn_delivery *delivery;
};

static tarn_status next_message(void *arg) {
    struct wait *w = (struct wait *)arg;
    return tn_load_acquire(&w->c->stopping) ? STOPPED : tn_receive(w->c, &w->delivery);
}

static tarn_status the_end(void *arg) {
    const struct wait *w = (const struct wait *)arg;
    tarn_status ended = tn_channel_ended(w->c);
    if (tn_load_acquire(&w->c->stopping)) {
        return STOPPED;
    }
    return ended == TARN_OK ? TARN_NOT_READY : ended;
}

static void hand_over(tarn_channel *c, const tarn_delivery *delivery) {
    struct tn_delivery *letter = (struct tn_delivery *)(uintptr_t)delivery;
    c->receiver.on_message(c, delivery, c->receiver.arg);
    tn_done(c, letter);
}

static void pause_briefly(void) {
    struct timespec time = {0, 10000000};
    (void)nanosleep(&time, NULL);
}

// Until the end, or until stopped.
static tarn_status serve(tarn_channel *c) {
    struct wait w = {c, NULL};
    bool receives = c->receiver.on_message != NULL;
    for (;;) {
        tarn_status status = tn_wait_until(&c->arena->wait_set, c, receives ? TN_WAIT_MESSAGE : 0,
                                           TARN_FOREVER, receives ? next_message : the_end, &w);
        if (status == TARN_OK) {
            hand_over(c, w.delivery);
        } else if (status == TARN_NO_HOST_MEMORY) {
            pause_briefly(); // the message is still there
        } else {
            return status;
        }
    }
}

static void *run(void *arg) {
    tarn_channel *c = (tarn_channel *)arg;
    if (serve(c) != STOPPED && c->receiver.on_end != NULL) {
        c->receiver.on_end(c, tn_channel_ended(c), c->receiver.arg);
    }
    return NULL;
}

// Signals are for the threads of the program.
static bool start_thread(tarn_channel *c) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&c->thread, NULL, run, c) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

tarn_status tarn_channel_start(tarn_channel *channel, const tarn_receiver *receiver) {
    tarn_receiver own;
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    if (receiver == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "receiver NULL");
    }
    status = tn_struct_read(&own, sizeof own, receiver, "tarn_receiver");
    if (status != TARN_OK) {
        return status;
    }
    if (own.on_message == NULL && own.on_end == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "a receiver without a callback");
    }
    tn_mutex_lock(&channel->receive_lock);
    if (channel->started) {
        status = tn_fail(TARN_BUSY, "the channel has a thread already");
    } else {
        channel->receiver = own;
        channel->started = start_thread(channel);
        status = channel->started ? TARN_OK : tn_fail(TARN_NO_HOST_MEMORY, "no thread to be had");
    }
    tn_mutex_unlock(&channel->receive_lock);
    return status;
}

tarn_status tn_receiver_stop(tarn_channel *c) {
    tn_mutex_lock(&c->receive_lock);
    bool started = c->started;
    pthread_t thread = c->thread;
    tn_mutex_unlock(&c->receive_lock);
    if (!started) {
        return TARN_OK;
    }
    if (pthread_equal(thread, pthread_self())) {
        return tn_fail(TARN_BUSY, "a channel cannot be closed from its own callback");
    }
    tn_store_release(&c->stopping, true);
    tn_wait_set_wake(&c->arena->wait_set, c);
    (void)pthread_join(thread, NULL);
    return TARN_OK;
}
