// SPDX-License-Identifier: Apache-2.0
// Blocks: the memory that programs got from this face, and what must be remembered of each - who
// made it, with which flags, whom it belongs to. One table of the process, by start address, behind
// a lock of its own under which nothing outside is called. What is in no block is not the face's to
// free, whatever Tarn knows of it.
#ifndef TARN_COMPAT_HIP_BLOCK_H
#define TARN_COMPAT_HIP_BLOCK_H

#include "compat/hip/order.h"

// What a block is. Bits, so that a call can name several.
enum tn_hip_block_kind {
    TN_HIP_BLOCK_DEVICE = 1u << 0,
    TN_HIP_BLOCK_MANAGED = 1u << 1,
    TN_HIP_BLOCK_HOST = 1u << 2,
    TN_HIP_BLOCK_REGISTERED = 1u << 3,
    TN_HIP_BLOCK_OPENED = 1u << 4, // of another process
    TN_HIP_BLOCK_POOLED = 1u << 5,
    TN_HIP_BLOCK_MAPPED = 1u << 6 // never in the table: a mapping, as tn_hip_block_look() tells it
};

struct tn_hip_block {
    uintptr_t start;
    size_t bytes; // as asked for, at least 1
    enum tn_hip_block_kind kind;
    unsigned flags;               // as the program gave them
    struct tn_hip_device *device; // current when it was made; NULL: memory of the host, mapped
    uint32_t id;                  // unlike that of any other block of the process
    bool sync_memops;
    struct tn_hip_advice *advice; // MANAGED: see advice.h
    tarn_phys phys;               // MAPPED
    tarn_memory_key *key;         // DEVICE: once it was given away. OPENED: by which it came
    unsigned opens;               // OPENED: how often, less how often closed
    struct tn_hip_pool *pool;     // POOLED: where from, kept alive
    uintptr_t pool_name;          // POOLED: its handle
    tarn_stream stream;           // POOLED: on which it was allocated
    // the table's
    uint64_t rank;
    struct tn_hip_block *before;
    struct tn_hip_block *behind;
};

// A block of the current device, in no table yet. NULL: no host memory, and the error is decided.
struct tn_hip_block *tn_hip_block_new(enum tn_hip_block_kind kind, size_t bytes, unsigned flags);
void tn_hip_block_free(struct tn_hip_block *block);

// Puts a block in. Nothing in the table overlaps it. Cannot fail.
void tn_hip_block_insert(struct tn_hip_block *block, uintptr_t start);

// Takes the block of one of these kinds that starts at `start` out: the caller owns it. NULL: there
// is none, and the error (hipErrorInvalidValue, what `start` is instead) is decided.
struct tn_hip_block *tn_hip_block_take(const void *start, unsigned kinds);

// Takes any block out for which wanted(block, arg), called under the table's lock. NULL: none is.
struct tn_hip_block *tn_hip_block_take_any(bool (*wanted)(const struct tn_hip_block *block,
                                                          const void *arg),
                                           const void *arg);

// A copy of the block, or the mapping of the program, that holds any byte `ptr`. false: none does.
// What the copy points to is the table's: good for tn_hip_block_change() only.
bool tn_hip_block_look(const void *ptr, struct tn_hip_block *copy);

// Calls change(block, arg) for the block of one of these kinds that holds `ptr`, under the table's
// lock, and returns what it returned. hipErrorInvalidValue: no such block.
hipError_t tn_hip_block_change(const void *ptr, unsigned kinds,
                               hipError_t (*change)(struct tn_hip_block *block, void *arg),
                               void *arg);

// The same for each block in turn, until change() returns something else than hipErrorNotReady, and
// returns that; hipErrorNotReady when there are no more.
hipError_t tn_hip_block_each(hipError_t (*change)(struct tn_hip_block *block, void *arg),
                             void *arg);

#endif
