// SPDX-License-Identifier: Apache-2.0
// The physical memory of a source of pages: handles, each a multiple of the page. A table by page
// number holds the mapped ones, a list the spare ones, which have no address. Only numbers change
// here; the source calls the device. Guarded by the pool's growth lock.
#pragma once

#include <tarn/map.h>

// An entry of the table. Of the pages of a handle the first holds it.
typedef struct tn_pool_page {
    tarn_phys phys; // 0: no handle starts here
    uint32_t pages; // of the handle that starts here
    uint32_t back;  // pages back to the start of the handle, if it starts before
} tn_pool_page;

typedef struct tn_pool_handles {
    uint64_t page_bytes;
    tn_pool_page *table;
    uint64_t table_room;
    tarn_map_item *spare;
    size_t spare_count;
    size_t spare_room;
    uint64_t spare_bytes;
} tn_pool_handles;

// Initialises the table for `pages` pages, none of them mapped. NO_HOST_MEMORY.
tarn_status tn_pool_handles_init(tn_pool_handles *handles, uint64_t page_bytes, uint64_t pages);
void tn_pool_handles_fini(tn_pool_handles *handles);

// Makes room for `count` more spare handles. NO_HOST_MEMORY.
tarn_status tn_pool_handles_reserve(tn_pool_handles *handles, size_t count);

// Adds a spare handle, for which there is room.
void tn_pool_handles_add(tn_pool_handles *handles, tarn_phys phys, uint64_t bytes);

// Removes `count` spare handles from number `first` on. Returns their bytes.
uint64_t tn_pool_handles_remove(tn_pool_handles *handles, size_t first, size_t count);

// Moves `count` spare handles from number `first` on behind all others.
void tn_pool_handles_defer(tn_pool_handles *handles, size_t first, size_t count);

// Enters all spare handles, in their order, as mapped from page `first` on.
void tn_pool_handles_enter(tn_pool_handles *handles, uint64_t first);

// Makes the handles of [first, first + pages) spare, for which there is room.
void tn_pool_handles_leave(tn_pool_handles *handles, uint64_t first, uint64_t pages);

// Returns the number of handles that start in [first, first + pages).
size_t tn_pool_handles_count(const tn_pool_handles *handles, uint64_t first, uint64_t pages);

static inline bool tn_pool_page_is_mapped(const tn_pool_handles *handles, uint64_t page) {
    return handles->table[page].phys != 0 || handles->table[page].back != 0;
}

// Returns the first page, from `page` on, that does not lie inside a handle that starts before it.
static inline uint64_t tn_pool_handle_border(const tn_pool_handles *handles, uint64_t page) {
    uint32_t back = handles->table[page].back;
    return back == 0 ? page : page - back + handles->table[page - back].pages;
}
