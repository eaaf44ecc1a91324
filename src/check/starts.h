// SPDX-License-Identifier: Apache-2.0
// Where regions start: for each address the newest live region there and how many there have been.
// A hash table with open addressing. The model owns it and serialises everything.
#ifndef TARN_CHECK_STARTS_H
#define TARN_CHECK_STARTS_H

#include <stdint.h>

struct tn_region;

struct tn_start {
    uint64_t address;
    uint32_t space;
    uint32_t generation;    // regions that have begun here; 0: an empty place
    struct tn_region *live; // newest; NULL: none. They are chained by same_start
};

struct tn_starts {
    uint32_t *place; // index into `page` + 1; 0: none
    uint64_t places; // a power of two
    struct tn_start **page;
    uint64_t pages;
    uint64_t count;
};

void tn_starts_fini(struct tn_starts *starts);

// NULL: nothing ever began there.
struct tn_start *tn_starts_find(const struct tn_starts *starts, uint32_t space, uint64_t address);

// Makes the entry when there is none. It stays where it is for ever. NULL: no memory.
struct tn_start *tn_starts_make(struct tn_starts *starts, uint32_t space, uint64_t address);

#endif
