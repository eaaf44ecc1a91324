// SPDX-License-Identifier: Apache-2.0
// The turns of threads that do not own a biased lock. See biased.h.
#include "base/biased.h"

#include <sched.h>

#include "base/clock.h"

enum { TURNS_MAX = 16 }; // of other threads, before the lock has no owner any more

#define SOON_NS                                                                                    \
    (UINT64_C(1000) * 1000) // turns that follow each other so soon cost more than a lock

void tn_biased_init(struct tn_biased *lock, enum tn_rank rank, const char *name) {
    tn_store_relaxed(&lock->owner, NULL);
    tn_store_relaxed(&lock->inside, 0);
    tn_store_relaxed(&lock->seized, 0);
    tn_spin_init(&lock->spin, rank, name);
    lock->turns = 0;
    lock->last = 0;
}

void tn_biased_adopt(struct tn_biased *lock) {
    if (lock->turns == 0 && tn_load_relaxed(&lock->owner) == NULL && tn_barrier_works())
        tn_store_relaxed(&lock->owner, tn_thread_self());
}

bool tn_biased_lock_slow(struct tn_biased *lock) {
    bool waited = !tn_spin_trylock(&lock->spin);
    if (waited) tn_spin_lock(&lock->spin);
    const void *owner = tn_load_relaxed(&lock->owner);
    if (owner == NULL || owner == tn_thread_self()) return waited;
    tn_store_relaxed(&lock->seized, 1);
    tn_barrier();
    while (tn_load_acquire(&lock->inside) != 0) {
        waited = true;
        (void)sched_yield(); // the owner may have been preempted inside
    }
    uint64_t now = tn_now_ns();
    lock->turns = now - lock->last < SOON_NS ? lock->turns + 1 : 1;
    lock->last = now;
    if (lock->turns == TURNS_MAX) {
        // A thread that saw itself as the owner before may still enter. So `seized` stays set.
        tn_store_relaxed(&lock->owner, NULL);
    }
    return waited;
}

void tn_biased_unlock_slow(struct tn_biased *lock) {
    if (tn_load_relaxed(&lock->owner) != NULL)
        tn_store_release(&lock->seized, 0); // the owner's acquire pairs with it
    tn_spin_unlock(&lock->spin);
}
