// SPDX-License-Identifier: Apache-2.0
// A lock that one thread, its owner, takes without an atomic read-modify-write: it stores a flag and
// loads another. Any other thread first makes the owner stay out (tn_barrier()), which takes some
// microseconds. After some such turns the lock stays a plain tn_spin. Where tn_barrier() does not
// work it is one from the start.
//
// The protocol. The owner stores `inside` and then loads `seized`, with only a compiler fence in
// between. Another thread holds `spin`, stores `seized`, makes every running thread of the process
// pass a full fence, and then loads `inside`. If that fence falls before the owner's load of
// `seized`, the owner sees the flag and leaves. Otherwise it falls after the owner's store of
// `inside`, so the other thread sees it and waits until the owner has left.
#pragma once

#include "base/barrier.h"
#include "base/lock.h"

struct tn_biased {
    _Atomic(const void *) owner; // tn_thread_self() of the owner. Set once; NULL again for ever
    _Atomic uint32_t inside;     // the owner holds the lock by this flag; released when it leaves
    _Atomic uint32_t seized;     // another thread holds `spin` or the lock has no owner any more
    struct tn_spin spin;
    uint32_t turns; // of other threads, each soon after the one before. Guard: the lock
    uint64_t last;  // time of the last one. Guard: the lock
};

void tn_biased_init(struct tn_biased *lock, enum tn_rank rank, const char *name);

// Makes the calling thread the owner, if the lock never had one and can have one. The caller holds
// the lock.
void tn_biased_adopt(struct tn_biased *lock);

__attribute__((noinline)) bool tn_biased_lock_slow(struct tn_biased *lock);
__attribute__((noinline)) void tn_biased_unlock_slow(struct tn_biased *lock);

// Takes the lock if the calling thread is its owner and no other thread wants it. Returns false
// otherwise.
static inline bool tn_biased_enter(struct tn_biased *lock) {
    tn_witness_check(&lock->spin.witness);
    if (__builtin_expect(tn_load_relaxed(&lock->owner) == tn_thread_self(), 1)) {
        tn_store_relaxed(&lock->inside, 1);
        atomic_signal_fence(memory_order_seq_cst); // tn_barrier() makes it a real fence
        if (__builtin_expect(tn_load_acquire(&lock->seized) == 0, 1)) {
            tn_witness_taken(&lock->spin.witness);
            return true;
        }
        tn_store_release(&lock->inside, 0);
    }
    return false;
}

// Releases the lock after tn_biased_enter() returned true.
static inline void tn_biased_leave(struct tn_biased *lock) {
    tn_witness_released(&lock->spin.witness);
    tn_store_release(&lock->inside, 0);
}

// Returns true if the thread had to wait for another that held the lock.
static inline bool tn_biased_lock(struct tn_biased *lock) {
    return !__builtin_expect(tn_biased_enter(lock), 1) && tn_biased_lock_slow(lock);
}

// Only the owner's flag is its own: another thread may see it set for a moment.
static inline void tn_biased_unlock(struct tn_biased *lock) {
    if (__builtin_expect(tn_load_relaxed(&lock->owner) == tn_thread_self(), 1) &&
        tn_load_relaxed(&lock->inside) != 0)
        tn_biased_leave(lock);
    else
        tn_biased_unlock_slow(lock);
}
