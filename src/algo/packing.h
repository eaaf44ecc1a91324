// SPDX-License-Identifier: Apache-2.0
// Placement of blocks whose lifetimes are known: offsets under which no two blocks overlap that live
// at the same time, in as little memory as can be found. The problem is NP-hard (dynamic storage
// allocation); the sum of the blocks that live at one moment is a lower bound, so the result comes
// with a proof of how far it is from the best one. Pure functions; memory comes from malloc.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tarn/base.h>

// A block. Times are any increasing numbers; the block lives from `begin` to just before `end`.
typedef struct tn_packing_block {
    uint64_t size; // at least 1
    uint64_t begin;
    uint64_t end; // above begin
} tn_packing_block;

// A placement. All numbers are in the unit of the sizes.
typedef struct tn_packing {
    uint64_t bound;  // the most that lives at one moment: no placement needs less
    uint64_t height; // the end of the highest block
    uint64_t tries;  // complete placements that were made, and parts of repairs
    uint64_t steps;  // pairs of blocks that were compared, which live at the same time
} tn_packing;

// Decides whether the search goes on after a try; `best` is the best placement so far.
typedef bool tn_packing_go_on(void *arg, const tn_packing *best);

// Places blocks. The call tries a few orders of the blocks; a try takes the time of the pairs that
// live at the same time. Then it repairs the best placement below lower and lower ceilings: a block
// above the ceiling takes the place of those that are easiest to place anew. It ends when the bound
// is reached or `go_on` returns false. If `go_on` is NULL, it ends after the orders. The first try is
// always made. The same number of tries or steps has the same result on every machine. A power of two
// that divides all sizes divides all offsets.
//
// The sum of all sizes must be below 2^63, and the count below 2^30. Returns NO_HOST_MEMORY, and
// writes no result, if memory is exhausted.
tarn_status tn_packing_solve(const tn_packing_block *blocks, size_t count, tn_packing_go_on *go_on,
                             void *arg, uint64_t *offsets, tn_packing *result);

// Returns true if the placement ends at `height`, and no two blocks overlap that live at the same
// time. It compares every pair.
static inline bool tn_packing_check(const tn_packing_block *blocks, size_t count,
                                    const uint64_t *offsets, uint64_t height) {
    uint64_t top = 0;
    for (size_t i = 0; i < count; i++) {
        const tn_packing_block *a = &blocks[i];
        uint64_t end = offsets[i] + a->size;
        if (end < offsets[i]) return false;
        top = end > top ? end : top;
        for (size_t j = 0; j < i; j++) {
            const tn_packing_block *b = &blocks[j];
            if (a->begin < b->end && b->begin < a->end && offsets[i] < offsets[j] + b->size &&
                offsets[j] < end)
                return false;
        }
    }
    return top == height;
}
