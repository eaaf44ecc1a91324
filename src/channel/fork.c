// SPDX-License-Identifier: Apache-2.0
// The fork handlers of channels, and the list of descriptors that a child must close. The list lock
// guards the list; the handlers also take the locks of each arena and listener.
#include "channel/fork.h"

#include "base/list.h"
#include "base/uncancelled.h"
#include "channel/channel.h"
#include "channel/listen.h"

_Atomic(unsigned) tn_channel_forks;

static struct tn_mutex list_lock = TN_MUTEX(CHANNEL_LIST, "list of arenas");
static struct tn_fork_entry *entries;

static void before_fork(void) {
    tn_mutex_lock_for_fork(&list_lock);
    for (struct tn_fork_entry *e = entries; e != NULL; e = e->next) {
        if (e->arena != NULL) {
            tn_mutex_lock_for_fork(&e->arena->wait_set.lock);
            tn_spin_lock_for_fork(&e->arena->peers_lock);
        } else if (e->listener->link == NULL) {
            tn_mutex_lock_for_fork(&e->listener->pending.lock);
        }
    }
}

static void after_fork(void) {
    for (struct tn_fork_entry *e = entries; e != NULL; e = e->next) {
        if (e->arena != NULL) {
            tn_spin_unlock_after_fork(&e->arena->peers_lock);
            tn_mutex_unlock_after_fork(&e->arena->wait_set.lock);
        } else if (e->listener->link == NULL) {
            tn_mutex_unlock_after_fork(&e->listener->pending.lock);
        }
    }
    tn_mutex_unlock_after_fork(&list_lock);
}

// The memory of the arenas stays allocated, although nothing in the child refers to it any more.
static void after_fork_in_child(void) {
    (void)tn_add_relaxed(&tn_channel_forks, 1);
    for (struct tn_fork_entry *e = entries; e != NULL; e = e->next) {
        if (e->arena != NULL) {
            for (const tarn_channel *c = e->arena->peers; c != NULL; c = c->next_peer) {
                tn_close(c->socket);
                if (c->pidfd >= 0) tn_close(c->pidfd);
            }
            tn_wait_set_close_in_child(&e->arena->wait_set);
        } else if (e->listener->link == NULL) {
            tn_close(e->listener->socket);
            tn_pending_close_in_child(&e->listener->pending);
        }
    }
    tn_link_close_in_child();
    after_fork();
    entries = NULL;
}

static void install_handlers(void) {
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void tn_fork_add(struct tn_fork_entry *entry) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    TARN_ASSERT((entry->arena != NULL) != (entry->listener != NULL));
    (void)pthread_once(&once, install_handlers);
    TN_LOCKED(&list_lock);
    entry->generation = tn_load_relaxed(&tn_channel_forks);
    entry->next = entries;
    entries = entry;
}

void tn_fork_remove(struct tn_fork_entry *entry) {
    TN_LOCKED(&list_lock);
    TN_CHAIN_REMOVE(entries, entry, next);
}
