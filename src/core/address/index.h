// SPDX-License-Identifier: Apache-2.0
// The index of regions: every address this process got from the library, by number. A region is a
// reservation, plain device memory, or pinned host memory. One lock guards it; whoever works on a
// region holds it for reading throughout, so a region cannot go while it is used.
#ifndef TARN_CORE_ADDRESS_INDEX_H
#define TARN_CORE_ADDRESS_INDEX_H

#include <tarn/host.h>

#include "algo/interval.h"
#include "base/lock.h"
#include "core/platform/platform.h"

enum tn_region_kind {
    TN_REGION_SPACE,
    TN_REGION_MEMORY,
    TN_REGION_HOST,
    TN_REGION_REGISTERED,
    TN_REGION_IMPORTED,
};

struct tn_region {
    enum tn_region_kind kind;
    struct tn_platform *platform;
    tarn_addr base;
    uint64_t size;
    int device; // MEMORY, IMPORTED: whose
    // MEMORY: what capacity it takes, in which pages, and what these are beneath.
    uint64_t charged;
    uint64_t page_bytes;
    tarn_page_class page_class;
    _Atomic bool exported; // MEMORY: there is a key to it; relaxed, set once under `lock`
    _Atomic int pin_class; // HOST, REGISTERED: a tarn_pin_class; relaxed, a registration is indexed
                           // before it is pinned
    // SPACE: its mappings, value = struct tn_mapping *. Under `lock`, which also makes the
    // backend's calls about one reservation, and exports of one block, come one at a time.
    struct tn_mutex lock;
    struct tn_interval mappings;
};

// A region with everything but its place set to zero or given here; NULL without memory (recorded).
struct tn_region *tn_region_new(enum tn_region_kind kind, struct tn_platform *platform);
void tn_region_free(struct tn_region *region);

// Locks for reading, and unlocks. Regions found are good in between.
void tn_index_read(void);
void tn_index_read_done(void);
// The same without waiting, for signal handlers.
bool tn_index_try_read(void);

// The region that holds addr, or NULL. Under the read lock.
struct tn_region *tn_index_find(tarn_addr addr);
// The first region that ends above addr, or NULL. Under the read lock.
struct tn_region *tn_index_next(tarn_addr addr);
// The last region that starts below addr, or NULL. Under the read lock.
struct tn_region *tn_index_prev(tarn_addr addr);

// Finds the region of that kind that starts at addr. On success the index is locked for reading.
// BAD_ADDRESS: there is none; FORKED. The error is recorded.
tarn_status tn_index_enter(enum tn_region_kind kind, tarn_addr addr, struct tn_region **region);

// Puts a region in. BUSY: it overlaps another; NO_HOST_MEMORY. The error is recorded. Takes the
// write lock.
tarn_status tn_index_insert(struct tn_region *region);

// Takes out the region of that kind that starts at addr. `size` is 0 or must match. BAD_ADDRESS:
// there is none; BUSY: something is mapped in it; FORKED. The error is recorded. Takes the write
// lock.
tarn_status tn_index_take(enum tn_region_kind kind, tarn_addr addr, uint64_t size,
                          struct tn_region **region);

// The same for memory that work may still use: waits for all devices of its platform first, with no
// lock held, since any of them may have been let in. BUSY: inside a host function.
tarn_status tn_index_retire(enum tn_region_kind kind, tarn_addr addr, struct tn_region **region);

// The same without waiting. BUSY: inside a host function, and the device must wait to free memory.
tarn_status tn_index_take_away(enum tn_region_kind kind, tarn_addr addr, struct tn_region **region);

// Does the index itself hold together? Under the read lock.
bool tn_index_check(void);

// Around fork(): the index locked for writing.
void tn_index_fork_prepare(void);
void tn_index_fork_done(void);

#endif
