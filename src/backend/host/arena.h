// SPDX-License-Identifier: Apache-2.0
// An arena: one sparse file that backs all handles of one location and page class that are not
// exportable. Offset space is free (the file is 2^62 bytes long), so an extent is given its offset
// when it is first mapped, equal to its address where those bytes are free: maps in address order
// then merge into one kernel mapping. Bytes taken already push it to a layer above (address plus a
// multiple of 2^48, which still merges), else to the top of the file. The platform owns its arenas;
// all of an arena is guarded by the platform's books lock.
#ifndef TARN_HOST_ARENA_H
#define TARN_HOST_ARENA_H

#include <tarn/base.h>

#include "algo/interval.h"

#define TN_HOST_ARENA_SIZE  ((uint64_t)1 << 62)
#define TN_HOST_ARENA_LAYER ((uint64_t)1 << 48) // above every address of a process

struct tn_host_arena {
    int fd;                    // -1 until the first extent
    bool huge;                 // wants huge pages
    struct tn_interval taken;  // offsets of live extents; value: the handle's slot
    struct tn_interval cached; // offsets of freed extents whose pages are kept
    uint64_t cached_bytes;
    uint64_t layer; // where the last extent that found its address taken went
    uint64_t top;   // the next offset in the upper half of the file
};

void tn_host_arena_init(struct tn_host_arena *arena, bool huge);

// Closes the file. No extent is alive.
void tn_host_arena_fini(struct tn_host_arena *arena);

// Gives `size` bytes an offset that suits `addr`. `stale`: they hold the pages of an earlier extent
// of exactly this place, to be cleaned before anybody sees them. NO_HANDLES, NO_HOST_MEMORY,
// SYSTEM, NO_ADDRESS_SPACE, with a text.
tarn_status tn_host_arena_bind(struct tn_host_arena *arena, uint64_t addr, uint64_t size,
                               uint32_t slot, uint64_t *offset, bool *stale);

// Gives the offsets back. Their pages read zero, or nobody has touched them.
void tn_host_arena_unbind(struct tn_host_arena *arena, uint64_t offset);

// Gives the offsets back and keeps the pages. False: no memory for the record; nothing has changed.
bool tn_host_arena_cache(struct tn_host_arena *arena, uint64_t offset, uint64_t size);

// Frees all kept pages, one system call per run. SYSTEM: the system kept some; they stay cached.
tarn_status tn_host_arena_trim(struct tn_host_arena *arena);

// Are the books of the arena in order?
bool tn_host_arena_check(const struct tn_host_arena *arena);

#endif
