// SPDX-License-Identifier: Apache-2.0
// The slow parts of readers.h: the way through the lock, and the closing of the slots.
#include "base/readers.h"

#include <sched.h>
#include <time.h>

enum {
    READS_TO_OPEN = 32, // reads under the lock that cost about as much as closing the slots
    YIELDS_MAX = 100,   // before the writer sleeps between two looks at a slot
    NAP_NS = 20000
};

static void claim_slot(struct tn_readers *readers) {
    const void *self = tn_thread_self();
    for (unsigned i = 0; i < TN_READER_PROBES; i++) {
        struct tn_reader *slot = &readers->slots[(tn_readers_first() + i) % TN_READER_SLOTS];
        const void *owner = NULL;
        if (tn_load_relaxed(&slot->thread) == self || tn_cas_relaxed(&slot->thread, &owner, self))
            return;
    }
}

struct tn_reader *tn_readers_enter_slow(struct tn_readers *readers, struct tn_rwlock *lock) {
    tn_rwlock_read(lock);
    if (!tn_barrier_works()) return NULL;
    claim_slot(readers);
    if (tn_load_relaxed(&readers->open) == 0 &&
        tn_add_relaxed(&readers->reads, 1) + 1 >= READS_TO_OPEN)
        tn_store_release(&readers->open, 1); // no writer holds the lock
    return NULL;
}

static void wait_for_reader(const struct tn_reader *reader) {
    const struct timespec nap = {0, NAP_NS};
    for (unsigned yields = 0; tn_load_acquire(&reader->inside) != 0; yields++)
        if (yields < YIELDS_MAX)
            (void)sched_yield(); // the reader may have been preempted inside
        else
            (void)nanosleep(&nap, NULL);
}

void tn_readers_close(struct tn_readers *readers) {
    tn_store_relaxed(&readers->reads, 0);
    if (tn_load_relaxed(&readers->open) == 0) return;
    tn_store_relaxed(&readers->open, 0);
    tn_barrier();
    for (unsigned i = 0; i < TN_READER_SLOTS; i++) {
        wait_for_reader(&readers->slots[i]);
        struct tn_reader *reader = &readers->slots[i];
        tn_store_relaxed(&reader->found[0], NULL);
        tn_store_relaxed(&reader->found[1], NULL);
        tn_store_relaxed(&reader->to, 0);
    }
}
