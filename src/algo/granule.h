// SPDX-License-Identifier: Apache-2.0
// Granule map: from an address to a 32-bit record number in constant time. The owner promises that
// at most one record begins in (or wholly covers) each granule. Two levels: a root of at most 2^18
// places, which addresses far apart share (whoever comes first has it), and leaves of 2^16 entries,
// only where the owner covers a range; all of it private anonymous memory that the
// kernel commits when it is touched.
//
// Look-ups need no lock and may run beside anything but destroy. Changes are serialised by the
// owner.
#ifndef TARN_ALGO_GRANULE_H
#define TARN_ALGO_GRANULE_H

#include <stdatomic.h>
#include <stdint.h>

#include <tarn/base.h>

#define TN_GRANULE_LEAF_BITS 16
#define TN_GRANULE_ROOT_BITS 18

typedef _Atomic(uint32_t) tn_granule_entry;

typedef struct tn_granule_place {
    _Atomic(tn_granule_entry *) leaf; // set once, after `tag`
    _Atomic(uint64_t) tag;            // which of the leaves that share the place
} tn_granule_place;

typedef struct tn_granule {
    uint64_t base;
    uint64_t bytes;
    unsigned shift; // a granule is 1 << shift bytes
    tn_granule_place *root;
    uint64_t mask; // of the root's places
    void *blocks;  // list of the leaf blocks that destroy gives back
} tn_granule;

// For addresses of [base, base + bytes). TARN_NO_HOST_MEMORY when the root cannot be had.
tarn_status tn_granule_init(tn_granule *map, uint64_t base, uint64_t bytes, unsigned shift);
void tn_granule_destroy(tn_granule *map);

// Makes leaves for a range, so that set cannot fail there. Covering twice is fine.
// TARN_NO_HOST_MEMORY; TARN_NO_ADDRESS_SPACE: a place is taken by another range.
tarn_status tn_granule_cover(tn_granule *map, uint64_t address, uint64_t bytes);

// Commits the entries of a covered range in one go, where the kernel can. Left alone, they would be
// committed page by page in the middle of allocations.
void tn_granule_commit(tn_granule *map, uint64_t address, uint64_t bytes);

// Sets the records of the granules that begin in [address, address + bytes), and the one `address`
// lies in. The range is covered.
void tn_granule_set(tn_granule *map, uint64_t address, uint64_t bytes, uint32_t record);

// The entry of an address, NULL outside of every covered range.
static inline tn_granule_entry *tn_granule_at(const tn_granule *map, uint64_t address) {
    uint64_t offset = address - map->base;
    if (offset >= map->bytes) {
        return NULL;
    }
    uint64_t granule = offset >> map->shift;
    uint64_t tag = granule >> TN_GRANULE_LEAF_BITS;
    const tn_granule_place *place = &map->root[tag & map->mask];
    tn_granule_entry *leaf = atomic_load_explicit(&place->leaf, memory_order_acquire);
    if (leaf == NULL || atomic_load_explicit(&place->tag, memory_order_relaxed) != tag) {
        return NULL;
    }
    return &leaf[granule & ((1u << TN_GRANULE_LEAF_BITS) - 1)];
}

// The record of an address, 0 when there is none. Pairs with the release store of the setter: what
// was written about the record before it was set is seen.
static inline uint32_t tn_granule_get(const tn_granule *map, uint64_t address) {
    const tn_granule_entry *entry = tn_granule_at(map, address);
    return entry != NULL ? atomic_load_explicit(entry, memory_order_acquire) : 0;
}

// Sets the one entry of a covered address.
static inline void tn_granule_put(tn_granule *map, uint64_t address, uint32_t record) {
    atomic_store_explicit(tn_granule_at(map, address), record, memory_order_release);
}

#endif
