// SPDX-License-Identifier: Apache-2.0
// Short readers of a reader-writer lock: they enter without a write to memory that another CPU
// reads meanwhile. Each thread owns one of the slots below and marks it while it reads. A writer,
// which holds the lock itself for writing, closes the slots first. Slots open again after a number
// of reads without a write, so threads that change a table all the time do not pay for the closing.
//
// The protocol. A reader stores `inside` and then loads `open`, with only a compiler fence in
// between. The writer clears `open`, makes every running thread of the process pass a full fence
// (tn_barrier()), and then loads `inside` of each slot. If that fence falls before the reader's load
// of `open`, the reader sees the slots closed and takes the lock. Otherwise it falls after the
// reader's store of `inside`, so the writer sees it and waits until the reader has left.
#pragma once

#include "base/barrier.h"
#include "base/lock.h"

enum { TN_READER_SLOTS = 64, TN_READER_PROBES = 4 };

// The two words of a slot share a cache line with nothing else, wherever the slots lie.
struct tn_reader {
    _Alignas(16) _Atomic(const void *) thread; // tn_thread_self() of its owner, for ever; or NULL
    _Atomic uint32_t inside;                   // its owner reads; released when it leaves
    _Atomic(const void *) held; // for the users of the lock: what its owner uses beyond the read
    _Atomic(void *) found[2];   // and what it found last, and from where to where it found nothing;
    _Atomic(uint64_t) from, to; // all 0 after a write
    char apart[8];
};

struct tn_readers {
    _Alignas(16) _Atomic uint32_t open; // stored under the lock: 1 for reading, 0 for writing
    _Atomic uint32_t reads;             // under the lock, since the slots were closed
    char apart[48];
    struct tn_reader slots[TN_READER_SLOTS];
};

// Reads under the lock itself, and returns NULL.
__attribute__((noinline)) struct tn_reader *tn_readers_enter_slow(struct tn_readers *readers,
                                                                  struct tn_rwlock *lock);

// Makes all short readers leave, and those that follow take the lock. Called by the lock's
// exclude().
void tn_readers_close(struct tn_readers *readers);

// Returns the first slot that the calling thread may own.
static inline unsigned tn_readers_first(void) {
    return (unsigned)((uintptr_t)tn_thread_self() * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

// Locks for reading. The reader takes no other lock of the same rank, and waits for nothing that a
// writer holds. Returns the argument for tn_readers_leave().
static inline struct tn_reader *tn_readers_enter(struct tn_readers *readers,
                                                 struct tn_rwlock *lock) {
    unsigned first = tn_readers_first();
    tn_witness_check(&lock->witness);
    for (unsigned i = 0; i < TN_READER_PROBES; i++) {
        struct tn_reader *slot = &readers->slots[(first + i) % TN_READER_SLOTS];
        if (__builtin_expect(tn_load_relaxed(&slot->thread) != tn_thread_self(), 0)) continue;
        if (__builtin_expect(tn_load_relaxed(&slot->inside) != 0, 0)) break; // a nested read
        tn_store_relaxed(&slot->inside, 1);
        atomic_signal_fence(memory_order_seq_cst); // tn_barrier() makes it a real fence
        if (__builtin_expect(tn_load_acquire(&readers->open) != 0, 1)) {
            tn_witness_taken(&lock->witness);
            return slot;
        }
        tn_store_release(&slot->inside, 0);
        break;
    }
    return tn_readers_enter_slow(readers, lock);
}

static inline void tn_readers_leave(struct tn_reader *reader, struct tn_rwlock *lock) {
    if (__builtin_expect(reader == NULL, 0)) {
        tn_rwlock_unlock(lock);
        return;
    }
    tn_witness_released(&lock->witness);
    tn_store_release(&reader->inside, 0);
}
