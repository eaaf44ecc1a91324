// SPDX-License-Identifier: Apache-2.0
// The history of addresses: for each address where a region ever began, the newest live region
// there and the number of regions so far. The model owns the table and serialises every call.
#ifndef TARN_CHECK_ADDRESSES_H
#define TARN_CHECK_ADDRESSES_H

#include <stdint.h>

#include "check/handle_map.h"

struct tn_check_region;

struct tn_check_address {
    uint32_t generation;          // the number of regions that have begun here
    struct tn_check_region *live; // the newest, or NULL; they are chained by same_start
};

// Zeroed is empty.
struct tn_check_addresses {
    struct tn_check_handle_map index; // from space and address to the number of the entry
    struct tn_check_address **page;   // the entries, in pages that never move
    uint32_t count;
};

void tn_check_addresses_fini(struct tn_check_addresses *addresses);

// Returns NULL if no region ever began there.
struct tn_check_address *tn_check_addresses_find(const struct tn_check_addresses *addresses,
                                                 uint32_t space, uint64_t address);

// Finds or makes the entry, which stays in place until tn_check_addresses_fini(). Returns NULL if
// out of memory.
struct tn_check_address *tn_check_addresses_make(struct tn_check_addresses *addresses,
                                                 uint32_t space, uint64_t address);

#endif
