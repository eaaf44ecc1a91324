// SPDX-License-Identifier: Apache-2.0
// Where regions start: for each address the newest live region there and how many there have been.
// A hash table with open addressing. The model owns it and serialises everything.
#ifndef TARN_CHECK_ADDRESSES_H
#define TARN_CHECK_ADDRESSES_H

#include <stdint.h>

struct tn_check_region;

struct tn_check_address {
    uint64_t address;
    uint32_t space;
    uint32_t generation;          // regions that have begun here; 0: an empty place
    struct tn_check_region *live; // newest; NULL: none. They are chained by same_start
};

struct tn_check_addresses {
    uint32_t *place; // index into `page` + 1; 0: none
    uint64_t places; // a power of two
    struct tn_check_address **page;
    uint64_t pages;
    uint64_t count;
};

void tn_check_addresses_fini(struct tn_check_addresses *starts);

// NULL: nothing ever began there.
struct tn_check_address *tn_check_addresses_find(const struct tn_check_addresses *starts,
                                                 uint32_t space, uint64_t address);

// Makes the entry when there is none. It stays where it is for ever. NULL: no memory.
struct tn_check_address *tn_check_addresses_make(struct tn_check_addresses *starts, uint32_t space,
                                                 uint64_t address);

#endif
