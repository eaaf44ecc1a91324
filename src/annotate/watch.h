// SPDX-License-Identifier: Apache-2.0
// The pages whose accesses by the host's instructions concern a checker: those that work in flight has
// accessed. The checker owns the table and changes it; any thread of any image reads it without a lock.
// A page may be in it by chance, because pages share bits.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"

enum { TN_MEM_WATCH_SHIFT = 12, TN_MEM_WATCH_BITS = 1 << 17 };

struct tn_mem_watch {
    _Atomic uint64_t words[TN_MEM_WATCH_BITS / 64];
};

// Returns true if a page of [addr, addr + bytes), which is not empty, may be in the table.
static inline bool tn_mem_watch_has(const struct tn_mem_watch *watch, uint64_t addr,
                                    uint64_t bytes) {
    uint64_t page = addr >> TN_MEM_WATCH_SHIFT;
    uint64_t last = (addr + bytes - 1) >> TN_MEM_WATCH_SHIFT;
    uint64_t bit;
    do {
        bit = page % TN_MEM_WATCH_BITS;
        if ((tn_load_relaxed(&watch->words[bit / 64]) >> bit % 64 & 1) != 0) return true;
    } while (page++ < last);
    return false;
}

// Adds the pages of [lo, hi), which is not empty. The owner serialises changes.
static inline void tn_mem_watch_add(struct tn_mem_watch *watch, uint64_t lo, uint64_t hi) {
    uint64_t page = lo >> TN_MEM_WATCH_SHIFT;
    uint64_t count = ((hi - 1) >> TN_MEM_WATCH_SHIFT) - page + 1;
    if (count > TN_MEM_WATCH_BITS) count = TN_MEM_WATCH_BITS;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bit = (page + i) % TN_MEM_WATCH_BITS;
        tn_store_relaxed(&watch->words[bit / 64],
                         tn_load_relaxed(&watch->words[bit / 64]) | UINT64_C(1) << bit % 64);
    }
}

static inline void tn_mem_watch_clear(struct tn_mem_watch *watch) {
    for (unsigned i = 0; i < TN_MEM_WATCH_BITS / 64; i++) tn_store_relaxed(&watch->words[i], 0);
}
