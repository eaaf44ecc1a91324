// SPDX-License-Identifier: Apache-2.0
// fork(): the lists of what a child must close.
#include "channel/fork.h"

#include <pthread.h>
#include <unistd.h>

#include "base/lock.h"
#include "channel/channel.h"
#include "channel/listen.h"

_Atomic(unsigned) tn_channel_forks;

static struct tn_mutex list_lock = TN_MUTEX(CHANNEL_LIST, "list of arenas");
static tarn_arena *arenas;
static tarn_listener *listeners;

static void prepare(void) {
    tn_mutex_lock_for_fork(&list_lock);
    for (tarn_arena *a = arenas; a != NULL; a = a->next) {
        tn_mutex_lock_for_fork(&a->wait_set.lock);
        tn_spin_lock_for_fork(&a->peers_lock);
    }
}

static void unlock(void) {
    for (tarn_arena *a = arenas; a != NULL; a = a->next) {
        tn_spin_unlock_after_fork(&a->peers_lock);
        tn_mutex_unlock_after_fork(&a->wait_set.lock);
    }
    tn_mutex_unlock_after_fork(&list_lock);
}

static void in_parent(void) {
    unlock();
}

static void close_arena(const tarn_arena *a) {
    for (const tarn_channel *c = a->peers; c != NULL; c = c->next_peer) {
        (void)close(c->socket);
        if (c->pidfd >= 0) {
            (void)close(c->pidfd);
        }
    }
}

// The records stay as they are: nobody comes to them any more.
static void in_child(void) {
    (void)tn_add_relaxed(&tn_channel_forks, 1);
    for (tarn_arena *a = arenas; a != NULL; a = a->next) {
        close_arena(a);
        tn_wait_set_close_in_child(&a->wait_set);
    }
    for (tarn_listener *l = listeners; l != NULL; l = l->next) {
        if (l->socket >= 0) {
            (void)close(l->socket);
        }
    }
    tn_link_close_in_child();
    unlock();
    arenas = NULL;
    listeners = NULL;
}

static void install(void) {
    (void)pthread_atfork(prepare, in_parent, in_child);
}

static void watch(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, install);
}

void tn_fork_add_arena(tarn_arena *arena) {
    watch();
    tn_mutex_lock(&list_lock);
    arena->generation = tn_load_relaxed(&tn_channel_forks);
    arena->next = arenas;
    arenas = arena;
    tn_mutex_unlock(&list_lock);
}

void tn_fork_remove_arena(tarn_arena *arena) {
    tn_mutex_lock(&list_lock);
    tarn_arena **link = &arenas;
    while (*link != arena) {
        link = &(*link)->next;
    }
    *link = arena->next;
    tn_mutex_unlock(&list_lock);
}

void tn_fork_add_listener(tarn_listener *listener) {
    watch();
    tn_mutex_lock(&list_lock);
    listener->generation = tn_load_relaxed(&tn_channel_forks);
    listener->next = listeners;
    listeners = listener;
    tn_mutex_unlock(&list_lock);
}

void tn_fork_remove_listener(tarn_listener *listener) {
    tn_mutex_lock(&list_lock);
    tarn_listener **link = &listeners;
    while (*link != listener) {
        link = &(*link)->next;
    }
    *link = listener->next;
    tn_mutex_unlock(&list_lock);
}
