// SPDX-License-Identifier: Apache-2.0
// An arena: one sparse file that backs all handles of one location and page class that cannot be
// exported. Offsets are plentiful (the file is 2^62 bytes long), so an extent gets its offset at
// its first map. If the bytes at its address are free, that is the offset, so that maps in address
// order merge into one kernel mapping. Otherwise it moves to a layer above (address plus a multiple
// of 2^48, which still merges), else to the top of the file. The platform owns its arenas; its phys
// lock guards them.
#pragma once

#include "algo/interval.h"

#define TN_HOST_ARENA_SIZE  ((uint64_t)1 << 62)
#define TN_HOST_ARENA_LAYER ((uint64_t)1 << 48) // above every address of a process

struct tn_host_arena {
    int fd;                    // -1 until the first extent
    bool huge;                 // requests huge pages
    struct tn_interval taken;  // offsets of live extents; value: the handle's slot
    struct tn_interval cached; // offsets of freed extents whose pages are kept
    uint64_t cached_bytes;
    uint64_t layer; // of the last extent whose address was taken
    uint64_t top;   // the next offset in the upper half of the file
};

void tn_host_arena_init(struct tn_host_arena *arena, bool huge);

// Closes the file. No extent is alive.
void tn_host_arena_fini(struct tn_host_arena *arena);

// Assigns `size` bytes an offset that suits `addr`. *stale means that they hold the pages of an
// earlier extent of exactly this place, which must be cleaned before any thread uses them.
// NO_HANDLES, NO_HOST_MEMORY, SYSTEM, NO_ADDRESS_SPACE, with a text.
tarn_status tn_host_arena_bind(struct tn_host_arena *arena, uint64_t addr, uint64_t size,
                               uint32_t slot, uint64_t *offset, bool *stale);

// Frees the offsets. Their pages read zero, or were never touched.
void tn_host_arena_unbind(struct tn_host_arena *arena, uint64_t offset);

// Frees the offsets and keeps the pages. Returns false, with nothing changed, if host memory is
// exhausted.
bool tn_host_arena_cache(struct tn_host_arena *arena, uint64_t offset, uint64_t size);

// Frees all kept pages, one system call for each run. SYSTEM: some pages could not be freed; they
// stay cached.
tarn_status tn_host_arena_trim(struct tn_host_arena *arena);

// Returns true if the tables of the arena are consistent.
bool tn_host_arena_check(const struct tn_host_arena *arena);
