// SPDX-License-Identifier: Apache-2.0
// The software MMU of a platform: it translates addresses to CPU pointers and checks rights.
// Reservations and mappings change it under its lock, held for writing. Operations that touch bytes
// hold it for reading, in pieces of at most TN_HOST_MMU_PIECE bytes, so an unmap never waits long
// and has taken effect when it returns.
#pragma once

#include <tarn/map.h>

#include "base/assert.h"

// The platform, `p` of the slots. Its fields are in platform.h.
struct tn_host;
struct tn_reader; // base/readers.h

// The largest number of bytes that a thread touches under one hold of the lock.
#define TN_HOST_MMU_PIECE ((uint64_t)1 << 20)

// Initialises the lock.
void tn_host_mmu_init(struct tn_host *h);

// Any thread. Not recursive: a second hold by the same thread can deadlock with a waiting writer.
// The second function takes the result of the first.
struct tn_reader *tn_host_mmu_lock_shared(struct tn_host *h);
void tn_host_mmu_unlock_shared(struct tn_host *h, struct tn_reader *reader);

// Returns true if `addr` lies in a space of the platform, mapped or not. Under the shared lock.
bool tn_host_mmu_owns(const struct tn_host *h, tarn_addr addr);

// Translates `addr` under the shared lock. *cpu is valid until the lock is released, for *run
// bytes, 1 <= *run <= size. A run continues over neighbouring mappings while the right holds.
// `size` is not 0. `devices` are the executing device and up to two peers, or -1; one of them, or
// the location that owns the bytes, must hold the right `need`.
//
// An address outside this platform is ordinary host memory: *cpu is the address itself, and the run
// ends where memory of the platform begins. Nothing is dereferenced.
//
// NOT_MAPPED: a hole of a reservation or of a window of plain or pinned memory. NO_ACCESS.
// BAD_ADDRESS: addr + size wraps. The text names address, reservation and device.
tarn_status tn_host_mmu_translate(struct tn_host *h, tarn_addr addr, uint64_t size,
                                  tarn_access need, const int devices[3], void **cpu,
                                  uint64_t *run);

// The run that was translated last. Valid until the shared lock is released.
struct tn_host_run {
    tarn_addr addr;
    uint64_t bytes; // 0: none
    unsigned char *cpu;
};

// Translates `addr`, by the run if it covers it, else by a new run that ends at or before `end`.
// Lowers *bytes to the end of the run. Under the shared lock.
static inline tarn_status tn_host_run_at(struct tn_host *h, struct tn_host_run *run, tarn_addr addr,
                                         tarn_addr end, tarn_access need, const int devices[3],
                                         unsigned char **cpu, uint64_t *bytes) {
    if (addr - run->addr >= run->bytes) {
        uint64_t size = end - addr < TN_HOST_MMU_PIECE ? end - addr : TN_HOST_MMU_PIECE;
        void *found;
        tarn_status status =
            tn_host_mmu_translate(h, addr, size, need, devices, &found, &run->bytes);
        if (status != TARN_OK) {
            run->bytes = 0;
            return status;
        }
        run->addr = addr;
        run->cpu = (unsigned char *)found;
    }
    uint64_t offset = addr - run->addr;
    TARN_ASSERT(offset < run->bytes);
    *cpu = run->cpu + offset;
    *bytes = *bytes < run->bytes - offset ? *bytes : run->bytes - offset;
    return TARN_OK;
}
