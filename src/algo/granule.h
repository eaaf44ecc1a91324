// SPDX-License-Identifier: Apache-2.0
// Granule map: finds the 32-bit record number of an address in constant time. The owner ensures
// that at most one record begins in, or completely covers, each granule.
//
// Look-ups need no lock and may be concurrent with every call except destroy. The owner serialises
// changes.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tarn/base.h>

#include "base/assert.h"

#define TN_GRANULE_LEAF_BITS 16
#define TN_GRANULE_ROOT_BITS 18

typedef _Atomic(uint32_t) tn_granule_entry;

// A map has two levels: a root of at most 2^18 places, and leaves of 2^16 entries where the owner
// covers a range. Leaves far apart share a place, which the first of them gets. All of it is
// private anonymous memory, which the kernel commits when it is touched.
typedef struct tn_granule_place {
    _Atomic(uint64_t) tag; // number of the leaf that has the place, plus 1; set once, after `leaf`
    _Atomic(tn_granule_entry *) leaf;
} tn_granule_place;

typedef struct tn_granule {
    uint64_t base;
    unsigned shift; // a granule is 1 << shift bytes
    // The entries of the first granules, if the first call covered them: their number is set after
    // them. They have no places.
    tn_granule_entry *first;
    _Atomic(uint64_t) first_count;
    tn_granule_place *root;
    uint64_t mask; // of the root's places
    uint64_t bytes;
    void *blocks; // list of the blocks of leaves, which destroy unmaps
} tn_granule;

// Initialises a map for the addresses [base, base + bytes). NO_HOST_MEMORY: no memory for the root.
tarn_status tn_granule_init(tn_granule *map, uint64_t base, uint64_t bytes, unsigned shift);
void tn_granule_destroy(tn_granule *map);

// Makes leaves for a range, so that set cannot fail there. A range may be covered twice.
// NO_HOST_MEMORY; NO_ADDRESS_SPACE: another range has a place that the leaves need.
tarn_status tn_granule_cover(tn_granule *map, uint64_t address, uint64_t bytes);

// Commits the entries of a covered range in one call, where the kernel supports it. Otherwise they
// are committed page by page during allocations.
void tn_granule_commit(tn_granule *map, uint64_t address, uint64_t bytes);

// Sets the records of the granules that begin in [address, address + bytes), and of the granule
// that holds `address`. The range is covered. The entry of `address` is set last and cleared first.
void tn_granule_set(tn_granule *map, uint64_t address, uint64_t bytes, uint32_t record);

// Returns the entry of an address, or NULL outside of every covered leaf. An address outside of the
// map has a tag that no place has. The acquire pairs with the release of the thread that made the
// leaf.
static inline tn_granule_entry *tn_granule_at(const tn_granule *map, uint64_t address) {
    uint64_t granule = (address - map->base) >> map->shift;
    if (__builtin_expect(granule < atomic_load_explicit(&map->first_count, memory_order_acquire),
                         1)) {
        if (map->first == NULL) __builtin_unreachable();
        return &map->first[granule];
    }
    uint64_t number = granule >> TN_GRANULE_LEAF_BITS;
    const tn_granule_place *place = &map->root[number & map->mask];
    if (atomic_load_explicit(&place->tag, memory_order_acquire) != number + 1) return NULL;
    tn_granule_entry *leaf = atomic_load_explicit(&place->leaf, memory_order_relaxed);
    return &leaf[granule & ((1u << TN_GRANULE_LEAF_BITS) - 1)];
}

// Prefetches the entry of the first address behind a block, given the entry and the bytes of the
// block. Programs often free the blocks next to each other in turn.
static inline void tn_granule_prefetch(const tn_granule *map, const tn_granule_entry *entry,
                                       uint64_t bytes) {
    __builtin_prefetch(entry + (bytes >> map->shift), 1);
}

// Returns the record of an address, or 0. The acquire pairs with the release of the setter: every
// write to the record before it was set is visible.
static inline uint32_t tn_granule_get(const tn_granule *map, uint64_t address) {
    const tn_granule_entry *entry = tn_granule_at(map, address);
    return entry != NULL ? atomic_load_explicit(entry, memory_order_acquire) : 0;
}

// Sets the one entry of a covered address.
static inline void tn_granule_put(tn_granule *map, uint64_t address, uint32_t record) {
    TARN_ASSERT(tn_granule_at(map, address) != NULL);
    atomic_store_explicit(tn_granule_at(map, address), record, memory_order_release);
}

// Returns true if every leaf is at its place, and has its entries, and none is found twice. It reads
// every place of the root.
static inline bool tn_granule_check(const tn_granule *map) {
    uint64_t count = atomic_load_explicit(&map->first_count, memory_order_relaxed);
    uint64_t leaves = count >> TN_GRANULE_LEAF_BITS; // that need no place
    if (leaves << TN_GRANULE_LEAF_BITS != count || (count == 0) != (map->first == NULL))
        return false;
    for (uint64_t i = 0; i <= map->mask; i++) {
        const tn_granule_place *place = &map->root[i];
        uint64_t tag = atomic_load_explicit(&place->tag, memory_order_relaxed);
        if (tag == 0) continue;
        if (tag <= leaves || ((tag - 1) & map->mask) != i) return false;
        if (atomic_load_explicit(&place->leaf, memory_order_relaxed) == NULL) return false;
    }
    return true;
}
