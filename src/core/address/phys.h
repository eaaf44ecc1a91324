// SPDX-License-Identifier: Apache-2.0
// Physical memory: the table of handles and the references to them. One lock guards the table and
// the counts; no call of the backend is made under it.
#pragma once

#include "core/platform/platform.h"

struct tn_phys {
    struct tn_platform *platform;
    tarn_phys id;
    tarn_backend_phys backend;
    tarn_backend_phys_info info; // fixed at creation
    bool imported;
    uint64_t user[4];     // of the creator, fixed
    uint32_t user_refs;   // under the table's lock
    uint32_t map_refs;    // under the table's lock
    uint32_t tile_refs;   // the part of map_refs that tiles of arrays hold; under the table's lock
    uint32_t call_refs;   // the part of map_refs that running calls hold; under the table's lock
    struct tn_phys *next; // without references: in the list of one tn_phys_drop_end()
};

// Checks that pages of that class can be requested. BAD_ARGUMENT: unknown class; UNSUPPORTED;
// recorded.
tarn_status tn_check_page_class(const struct tarn_device *device, tarn_page_class page_class);

// Returns the size of the pages in which the platform counts memory of that class.
uint64_t tn_page_bytes(const struct tn_platform *platform, tarn_page_class page_class);

// Checks a list of process ids. Returns BAD_ARGUMENT if it is not valid, and records the error.
tarn_status tn_check_pids(const int *pids, size_t count);

// Adds one mapping reference to the handle of each item. Returns BAD_HANDLE if a handle is not live,
// and BAD_ADDRESS if the memory belongs to another platform or is smaller than the item. Records
// the error.
tarn_status tn_phys_map(const tarn_map_item *items, size_t count,
                        const struct tn_platform *platform, struct tn_phys **phys);

// Between the first and the last function the table is locked. The second drops `count` mapping
// references; the last frees the memory whose references of both kinds are gone, the list *dead.
void tn_phys_drop_begin(void);
void tn_phys_drop(struct tn_phys *phys, uint32_t count, struct tn_phys **dead);
void tn_phys_drop_end(struct tn_phys *dead);

// Adds `count` mapping references for tiles that take `bytes` from `offset` on. Returns BAD_HANDLE
// if the handle is not live, BAD_DEVICE if the memory is not on the device, BAD_ARGUMENT if it was
// not created for tiles, BAD_ADDRESS if it ends before the tiles do, and NO_HANDLES if it would
// have too many references. Records the error.
tarn_status tn_phys_hold_tiles(tarn_phys id, const struct tarn_device *device, uint64_t offset,
                               uint64_t bytes, uint64_t count, struct tn_phys **phys);

// Drops `count` of them.
void tn_phys_release_tiles(struct tn_phys *phys, uint64_t count);

// Adds one user reference to a handle known to be mapped.
void tn_phys_retain_mapped(struct tn_phys *phys);

// The handles of a platform at one moment.
struct tn_phys_census {
    uint64_t handles, bytes;
    uint64_t map_refs;                       // without those of tiles and of running calls
    uint64_t counted_handles, counted_bytes; // the platform's statistics
};

// Counts the handles of the platform. Takes the table's lock.
void tn_phys_count(const struct tn_platform *platform, struct tn_phys_census *census);
