// SPDX-License-Identifier: Apache-2.0
// The history of addresses: for each address where a region ever began, the newest live region
// there and the number of regions so far. It is divided by address into parts with a lock each,
// because regions of different shards may begin at one address. Where no shard but the first is in
// use, the lock of that shard suffices.
#pragma once

#include "base/lock.h"
#include "check/handle_map.h"

struct tn_check_region;

struct tn_check_address {
    uint32_t generation;          // the number of regions that have begun here
    struct tn_check_region *live; // the newest, or NULL; they are chained by same_start
};

struct tn_check_addresses_part {
    struct tn_spin lock;
    struct tn_check_handle_map index; // from space and address to the number of the entry
    struct tn_check_address **page;   // the entries, in pages that never move
    uint32_t count;
} __attribute__((aligned(64)));

enum { TN_CHECK_ADDRESSES_PARTS = 16 };

struct tn_check_addresses {
    struct tn_check_addresses_part part[TN_CHECK_ADDRESSES_PARTS];
};

void tn_check_addresses_init(struct tn_check_addresses *addresses);
void tn_check_addresses_fini(struct tn_check_addresses *addresses);

// Returns the part of the address, locked if `shared`.
struct tn_check_addresses_part *tn_check_addresses_take(struct tn_check_addresses *addresses,
                                                        uint32_t space, uint64_t address,
                                                        bool shared);

static inline void tn_check_addresses_give(struct tn_check_addresses_part *part, bool shared) {
    if (shared) tn_spin_unlock(&part->lock);
}

// Returns NULL if no region ever began there.
struct tn_check_address *tn_check_addresses_find(const struct tn_check_addresses_part *part,
                                                 uint32_t space, uint64_t address);

// Finds or makes the entry, which stays in place until tn_check_addresses_fini(). Returns NULL if
// out of memory.
struct tn_check_address *tn_check_addresses_make(struct tn_check_addresses_part *part,
                                                 uint32_t space, uint64_t address);
