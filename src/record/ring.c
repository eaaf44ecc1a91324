// SPDX-License-Identifier: Apache-2.0
// A bounded queue with one slot for each entry. The `turn` of a slot is the position of the append
// that may use it, and that position plus one when the entry is complete; see ring.h.
#include "record/ring.h"

#include <errno.h>
#include <semaphore.h>
#include <sys/mman.h>

#include "base/atomic.h"
#include "base/clock.h"

enum {
    WAKE_EVERY = TN_RECORD_RING_ENTRIES / 8, // appends between two wake-ups of the writer
    PAUSE_NS = 50 * 1000
};

// A writer that reads the debug information of a large program stands still for seconds.
#define GIVE_UP_NS UINT64_C(20000000000)

struct slot {
    _Atomic uint64_t turn; // a release by one side pairs with an acquire by the other
    struct tn_record_entry entry;
};

static struct slot *slots;
static sem_t wake;
static uint64_t head __attribute__((aligned(64))); // the writer's next position
static _Atomic uint64_t tail __attribute__((aligned(64)));
static _Atomic uint64_t waits __attribute__((aligned(64)));
static _Atomic uint64_t lost;

bool tn_record_ring_open(void) {
    void *memory = mmap(NULL, TN_RECORD_RING_ENTRIES * sizeof *slots, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || sem_init(&wake, 0, 0) != 0) return false;
    slots = (struct slot *)memory;
    for (uint64_t i = 0; i < TN_RECORD_RING_ENTRIES; i++) tn_store_relaxed(&slots[i].turn, i);
    return true;
}

void tn_record_ring_wake(void) { (void)sem_post(&wake); }

// Waits for the writer. Returns false if the time is over.
static bool wait_for_room(uint64_t *deadline) {
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int saved_errno = errno;
    if (*deadline == 0) {
        *deadline = tn_now_ns() + GIVE_UP_NS;
        (void)tn_add_relaxed(&waits, 1);
        tn_record_ring_wake();
    }
    (void)nanosleep(&pause, NULL);
    errno = saved_errno;
    return tn_now_ns() < *deadline;
}

// Reserves the next slot. Returns NULL if the ring stays full.
static struct slot *claim_slot(uint64_t *position) {
    uint64_t deadline = 0, at = tn_load_relaxed(&tail);
    for (;;) {
        struct slot *slot = &slots[at % TN_RECORD_RING_ENTRIES];
        uint64_t turn = tn_load_acquire(&slot->turn);
        if (turn == at) {
            if (tn_cas_weak_relaxed(&tail, &at, at + 1)) {
                *position = at;
                return slot;
            }
            continue;
        }
        if (turn < at && !wait_for_room(&deadline)) return NULL;
        at = tn_load_relaxed(&tail);
    }
}

void tn_record_ring_append(const struct tn_record_entry *entry) {
    uint64_t at = 0;
    struct slot *slot = claim_slot(&at);
    if (slot == NULL) {
        (void)tn_add_relaxed(&lost, 1);
        return;
    }
    slot->entry = *entry;
    tn_store_release(&slot->turn, at + 1);
    if (at % WAKE_EVERY == WAKE_EVERY - 1) tn_record_ring_wake();
}

bool tn_record_ring_take(struct tn_record_entry *entry) {
    struct slot *slot = &slots[head % TN_RECORD_RING_ENTRIES];
    if (tn_load_acquire(&slot->turn) != head + 1) return false;
    *entry = slot->entry;
    tn_store_release(&slot->turn, head + TN_RECORD_RING_ENTRIES);
    head++;
    return true;
}

void tn_record_ring_wait(unsigned milliseconds) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + milliseconds * UINT64_C(1000000);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    (void)sem_timedwait(&wake, &until);
}

struct tn_record_ring_counts tn_record_ring_counts(void) {
    return (struct tn_record_ring_counts){.appended = tn_load_relaxed(&tail),
                                          .waits = tn_load_relaxed(&waits),
                                          .lost = tn_load_relaxed(&lost)};
}
