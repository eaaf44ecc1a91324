// SPDX-License-Identifier: Apache-2.0
// Physical memory: the handle table and its two counts. One lock guards table and counts; no
// backend call is made under it.
#ifndef TARN_CORE_ADDRESS_PHYS_H
#define TARN_CORE_ADDRESS_PHYS_H

#include <tarn/phys.h>

#include "core/platform/platform.h"

struct tn_phys {
    struct tn_platform *platform;
    tarn_phys id;
    tarn_backend_phys backend;
    tarn_backend_phys_info info; // fixed at creation
    bool imported;
    uint64_t user[4];   // of the creator, fixed
    uint32_t user_refs; // under the table's lock
    uint32_t map_refs;  // under the table's lock
    uint32_t tile_refs; // of these, by tiles of arrays; under the table's lock
};

// Can pages of that class be asked of the device? BAD_ARGUMENT: there is no such class;
// UNSUPPORTED. Recorded.
tarn_status tn_check_page_class(const struct tarn_device *device, tarn_page_class page_class);

// The page in which the platform counts memory of that class.
uint64_t tn_page_bytes(const struct tn_platform *platform, tarn_page_class page_class);

// Is this a list of processes? BAD_ARGUMENT. Recorded.
tarn_status tn_check_pids(const int *pids, size_t count);

// Adds one mapping reference. BAD_HANDLE; BAD_ADDRESS: of another platform, or smaller than `size`.
// Recorded.
tarn_status tn_phys_map(tarn_phys id, const struct tn_platform *platform, uint64_t size,
                        struct tn_phys **phys);

// Drops one mapping reference; the memory goes with the last reference of both kinds.
void tn_phys_unmap(struct tn_phys *phys);

// Adds `count` mapping references for tiles that take `bytes` from `offset` on. BAD_HANDLE;
// BAD_DEVICE: the memory is not on the device; BAD_ARGUMENT: it is not meant for tiles;
// BAD_ADDRESS: it ends before them; NO_HANDLES: too many references. Recorded.
tarn_status tn_phys_hold_tiles(tarn_phys id, const struct tarn_device *device, uint64_t offset,
                               uint64_t bytes, uint64_t count, struct tn_phys **phys);

// Drops so many of them.
void tn_phys_let_go_tiles(struct tn_phys *phys, uint64_t count);

// Adds one user reference to a handle known to be mapped.
void tn_phys_retain_mapped(struct tn_phys *phys);

// Calls visit for every handle of the platform, under the table's lock.
void tn_phys_each(const struct tn_platform *platform, void (*visit)(const struct tn_phys *, void *),
                  void *arg);

#endif
