// SPDX-License-Identifier: Apache-2.0
// The records of a tag whose blocks sleep.
#ifndef TARN_CORE_POOL_GROW_NAP_H
#define TARN_CORE_POOL_GROW_NAP_H

#include "core/pool/fit/piece.h"

// The bytes of one block in a run.
typedef struct tn_nap_part {
    uint32_t node; // 0: the block was freed
    uint32_t run;
    tarn_addr addr;
    uint64_t bytes; // of those requested
    void *copy;     // their contents; NULL: discarded
} tn_nap_part;

// Complete handles whose memory was given up.
typedef struct tn_nap_run {
    uint64_t page, pages;
    uint32_t first; // the node that holds the first byte
    size_t live;    // sleeping blocks in it
    size_t items;   // its handles
    bool mapped;    // it has memory
} tn_nap_run;

// A tag that sleeps.
struct tn_nap {
    tn_nap_run *runs;
    size_t run_count, run_room;
    tn_nap_part *parts; // by address
    size_t part_count, part_room;
    tarn_map_item *items; // handles, while the runs lose them
    size_t item_room;
};

// Finds and marks what a tag can give up. NO_HOST_MEMORY. Takes fit.
tarn_status tn_nap_begin(tarn_pool *pool, uint32_t tag, struct tn_nap **nap);

// Ends a run that has memory, or that has none and is given up: its blocks are awake, and what lies
// between them is free. Under fit.
void tn_nap_end_run(tarn_pool *pool, const tn_nap_run *run);

// Frees the records. NULL does nothing.
void tn_nap_free(struct tn_nap *nap);

#endif
