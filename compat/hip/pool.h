// SPDX-License-Identifier: Apache-2.0
// Pools: stream-ordered memory, over a pool of Tarn's. A pool is an object behind a handle, kept by
// its name, by each of its blocks, and by its device while it is the current one there: destroyed
// while blocks live, it goes with the last of them. Each device has one pool of its own from its
// first use on, which programs cannot destroy.
#ifndef TARN_COMPAT_HIP_POOL_H
#define TARN_COMPAT_HIP_POOL_H

#include "compat/hip/handle.h"
#include "compat/hip/order.h"

struct tn_hip_pool {
    struct tn_face_object object; // first
    struct tn_hip_device *device;
    tarn_pool *tarn;
    _Atomic(uint64_t) threshold; // more than this is given back after a wait
    _Atomic(bool) follow_events; // what programs set and read back
    _Atomic(bool) internal_dependencies;
    _Atomic(bool) placed; // where its blocks lie is known: learnt with the first one
    // Under the lock of pool.c.
    uintptr_t first; // of an expandable one: all addresses that it may use
    uintptr_t end;
    struct tn_hip_pool *next; // of all that exist
    uint64_t high[2];         // highest used and held before Tarn's peaks were last reset
};

// Makes a pool with a name, whose reference is the caller's; `limit` as in tarn_pool_desc.
hipError_t tn_hip_pool_new(struct tn_hip_device *device, uint64_t limit, struct tn_hip_pool **pool);

// The pool by that name, with one more reference. hipErrorInvalidValue: there is none.
hipError_t tn_hip_pool_get(hipMemPool_t handle, struct tn_hip_pool **pool);
void tn_hip_pool_put(struct tn_hip_pool *pool);

// The device's own pool, made when first needed, and the one that hipMallocAsync() uses; with one
// more reference.
hipError_t tn_hip_pool_own(struct tn_hip_device *device, struct tn_hip_pool **pool);
hipError_t tn_hip_pool_current(struct tn_hip_device *device, struct tn_hip_pool **pool);

// Makes `pool` the current one of its device.
void tn_hip_pool_select(struct tn_hip_pool *pool);

// Takes the name of a pool away; its device uses its own again. hipErrorInvalidValue: no such pool,
// or a device's own.
hipError_t tn_hip_pool_close(hipMemPool_t handle);

// Learns from a block's address where the blocks of the pool lie.
void tn_hip_pool_learn(struct tn_hip_pool *pool, tarn_addr block);

// Whether an address is where some pool has its blocks. What is there is the program's only if it
// is in a block.
bool tn_hip_pool_holds(uintptr_t address);

// For a device out of memory: its pools give back what is free in them, without waiting. Whether
// anything was.
bool tn_hip_pool_relieve(const struct tn_hip_device *device);

// Marks of a pool: the highest used bytes (0) or held bytes (1) since they were last reset.
hipError_t tn_hip_pool_high(struct tn_hip_pool *pool, int which, uint64_t *bytes);
hipError_t tn_hip_pool_reset_high(struct tn_hip_pool *pool, int which);

// Ends a block that is out of the table, after all work of all devices. The block goes back into
// the table when that fails.
struct tn_hip_block;
hipError_t tn_hip_pool_end_block(struct tn_hip_block *block);

// All pools of a device lose their names, its own too: the next use makes a new one.
void tn_hip_pool_reset(const struct tn_hip_device *device);

#endif
