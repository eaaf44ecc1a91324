// SPDX-License-Identifier: Apache-2.0
// Arrays of the software device. A dense one is a block of plain memory; the others have a table:
// one entry for each tile or page of a tail, or a single one for a deferred array. The table is
// read under the MMU lock by who moves bytes, and changed under it, held for writing, when a stream
// comes to a map or unmap: nobody is then amid a move through an entry that goes.
#ifndef TARN_HOST_ARRAY_H
#define TARN_HOST_ARRAY_H

#include "algo/tiles.h"
#include "backend/host/platform.h"

// An entry: {slot 26 | 64 KiB pages into the handle 38}, high bits first; 0: nothing is mapped.
#define TN_HOST_ENTRY_PAGES 38

static inline uint64_t tn_host_entry(uint32_t slot, uint64_t offset) {
    return (uint64_t)slot << TN_HOST_ENTRY_PAGES | offset / TN_TILES_BYTES;
}

static inline uint32_t tn_host_entry_slot(uint64_t entry) {
    return (uint32_t)(entry >> TN_HOST_ENTRY_PAGES);
}

static inline uint64_t tn_host_entry_offset(uint64_t entry) {
    return (entry & (((uint64_t)1 << TN_HOST_ENTRY_PAGES) - 1)) * TN_TILES_BYTES;
}

enum tn_host_array_kind { TN_HOST_ARRAY_DENSE, TN_HOST_ARRAY_DEFERRED, TN_HOST_ARRAY_SPARSE };

// Constant but for the table.
struct tn_host_array {
    enum tn_host_array_kind kind;
    int device;
    struct tn_tiles tiles;
    tarn_addr base; // dense
    uint64_t entries;
    uint64_t *table; // MMU lock
    uint64_t mapped; // entries that are not 0; MMU lock
    void (*let_go)(void *owner, uint64_t count);
    struct tn_host_array *next, *prev; // in the platform's list; MMU lock
};

// Maps and unmaps on their way: what array_map was given, with a walk instead of coordinates. Each
// item to map holds as many references on its view as the walk has entries.
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

// A remap with its references, made of a list. NO_HOST_MEMORY, and what views need; with a text.
tarn_status tn_host_remap_new(struct tn_host *h, const tarn_backend_array_item *items, size_t count,
                              struct tn_host_remap **remap);
// How many entries it is about.
uint64_t tn_host_remap_entries(const struct tn_host_remap *remap);
// Changes the tables, and lets go of what was mapped there.
void tn_host_remap_run(struct tn_host *h, struct tn_host_remap *remap);
// Gives up its references; their owners are told, or not.
void tn_host_remap_drop(struct tn_host *h, const struct tn_host_remap *remap, bool tell);

// Do tables and views agree? Under the MMU lock, held for writing. NULL: yes; else what is wrong.
const char *tn_host_array_check(struct tn_host *h);

// The slots of the table, but for those of the engine.
tarn_status tn_host_array_create(void *p, int device, const tarn_array_desc *desc,
                                 void (*let_go)(void *owner, uint64_t count), void **array,
                                 tarn_backend_array_info *info);
void tn_host_array_destroy(void *p, void *array);

#endif
