// SPDX-License-Identifier: Apache-2.0
// Arrays of the software device. A dense array is a block of plain memory. The others have a table
// with one entry for each tile and each page of a tail, or a single entry if deferred. Threads that
// move bytes read the table under the MMU lock. A remap changes it when its stream reaches the
// remap, with that lock held for writing. So no thread is in the middle of a move through a
// replaced entry.
#pragma once

#include "backend/host/platform.h"
#include "backend/soft/shape.h"

// The mapping through which arrays reach the memory of a handle. A handle that an array refers to is
// mapped once, completely, among plain memory, with the rights of its own device; its other mappings
// do not matter. The view counts the references of tiles and ends with the last one. Changes need the
// MMU lock, held for writing.
struct tn_host_view {
    uint64_t addr; // of byte 0 of the handle
    uint64_t refs;
    void *owner;      // of the references, for the array's unref; constant
    uint64_t counted; // scratch of tn_host_array_check()
};

// An entry is {slot 26 | 64 KiB pages into the handle 38}, high bits first. 0 means that no memory
// is mapped.
#define TN_HOST_ENTRY_PAGES 38

static inline uint64_t tn_host_entry(uint32_t slot, uint64_t offset) {
    TARN_ASSERT(offset % TN_TILES_BYTES == 0 &&
                offset / TN_TILES_BYTES >> TN_HOST_ENTRY_PAGES == 0);
    return (uint64_t)slot << TN_HOST_ENTRY_PAGES | offset / TN_TILES_BYTES;
}

static inline uint32_t tn_host_entry_slot(uint64_t entry) {
    return (uint32_t)(entry >> TN_HOST_ENTRY_PAGES);
}

static inline uint64_t tn_host_entry_offset(uint64_t entry) {
    return (entry & (((uint64_t)1 << TN_HOST_ENTRY_PAGES) - 1)) * TN_TILES_BYTES;
}

// Constant except for the table.
struct tn_host_array {
    struct tn_soft_shape shape;
    int device;
    tarn_addr base;  // dense
    uint64_t *table; // MMU lock
    uint64_t mapped; // entries that are not 0; MMU lock
    void (*unref)(void *owner, uint64_t count);
    struct tn_host_array *next, *prev; // in the platform's list; MMU lock
};

// Maps and unmaps that are submitted: the items of array_map, with a walk instead of coordinates.
// Each item that maps holds one reference on its view for each entry of the walk.
struct tn_host_remap_item {
    struct tn_host_array *array;
    struct tn_tiles_walk walk;
    uint32_t slot; // 0: unmap
    uint64_t offset;
};

struct tn_host_remap {
    size_t count;
    struct tn_host_remap_item items[];
};

// Makes a remap and takes its references. NO_HOST_MEMORY, and those of a new view: NO_ADDRESS_SPACE, NO_MAPPINGS and
// NO_HANDLES.
tarn_status tn_host_remap_new(struct tn_host *h, const tarn_backend_array_item *items, size_t count,
                              struct tn_host_remap **remap);
// Returns the number of entries that it changes.
uint64_t tn_host_remap_entries(const struct tn_host_remap *remap);
// Changes the tables and releases the references of the replaced entries.
void tn_host_remap_run(struct tn_host *h, struct tn_host_remap *remap);
// Releases its references, with or without a call to their owners.
void tn_host_remap_drop(struct tn_host *h, const struct tn_host_remap *remap, bool notify);

// Finds byte `part` of the element `at` of a level. *addr is 0 if no memory is mapped there in a
// sparse array. Lowers *bytes to the end of the tile or page. NOT_MAPPED: a deferred array without
// memory. Under the MMU lock.
tarn_status tn_host_array_find(const struct tn_host *h, const struct tn_host_array *array,
                               uint32_t level, const uint64_t at[3], uint64_t part, tarn_addr *addr,
                               uint64_t *bytes);

// Compares tables and views. Returns NULL or a description of the first difference. Under the MMU
// lock, held for writing.
const char *tn_host_array_check(struct tn_host *h);
