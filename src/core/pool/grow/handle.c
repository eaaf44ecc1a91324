// SPDX-License-Identifier: Apache-2.0
// The handles of a source of pages. See handle.h. Under the pool's growth lock.
#include "core/pool/grow/handle.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/error.h"
#include "core/pool/array.h"

enum { SPARE_FIRST = 64 };

tarn_status tn_pool_handles_init(tn_pool_handles *handles, uint64_t page_bytes, uint64_t pages) {
    void *table = NULL;
    tarn_status status = tn_pool_array_map(sizeof *handles->table, pages, pages, false, &table,
                                           &handles->table_room);
    handles->table = (tn_pool_page *)table;
    handles->page_bytes = page_bytes;
    return status;
}

void tn_pool_handles_fini(tn_pool_handles *handles) {
    tn_pool_array_unmap(handles->table, sizeof *handles->table, handles->table_room);
    free(handles->spare);
}

tarn_status tn_pool_handles_reserve(tn_pool_handles *handles, size_t count) {
    size_t room = handles->spare_room != 0 ? handles->spare_room : SPARE_FIRST;
    while (room < handles->spare_count + count) room *= 2;
    if (room == handles->spare_room) return TARN_OK;
    void *more = realloc(handles->spare, room * sizeof *handles->spare);
    TN_REFUSE(more == NULL, TARN_NO_HOST_MEMORY, "out of host memory for %zu handles", room);
    handles->spare = (tarn_map_item *)more;
    handles->spare_room = room;
    return TARN_OK;
}

void tn_pool_handles_add(tn_pool_handles *handles, tarn_phys phys, uint64_t bytes) {
    TARN_ASSERT(handles->spare_count < handles->spare_room && bytes % handles->page_bytes == 0);
    handles->spare[handles->spare_count++] = (tarn_map_item){phys, bytes};
    handles->spare_bytes += bytes;
}

uint64_t tn_pool_handles_remove(tn_pool_handles *handles, size_t first, size_t count) {
    uint64_t bytes = 0;
    TARN_ASSERT(first + count <= handles->spare_count);
    for (size_t i = first; i < first + count; i++) bytes += handles->spare[i].bytes;
    for (size_t i = first + count; i < handles->spare_count; i++)
        handles->spare[i - count] = handles->spare[i];
    handles->spare_count -= count;
    handles->spare_bytes -= bytes;
    return bytes;
}

static void reverse_items(tarn_map_item *items, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        tarn_map_item item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

// A rotation, by three reversals.
void tn_pool_handles_defer(tn_pool_handles *handles, size_t first, size_t count) {
    TARN_ASSERT(first + count <= handles->spare_count);
    size_t rest = handles->spare_count - first - count;
    if (count == 0 || rest == 0) return;
    reverse_items(handles->spare + first, count);
    reverse_items(handles->spare + first + count, rest);
    reverse_items(handles->spare + first, count + rest);
}

void tn_pool_handles_enter(tn_pool_handles *handles, uint64_t first) {
    TARN_ASSERT(first + handles->spare_bytes / handles->page_bytes <= handles->table_room);
    for (size_t i = 0; i < handles->spare_count; i++) {
        uint32_t pages = (uint32_t)(handles->spare[i].bytes / handles->page_bytes);
        handles->table[first] = (tn_pool_page){handles->spare[i].phys, pages, 0};
        for (uint32_t k = 1; k < pages; k++) handles->table[first + k].back = k;
        first += pages;
    }
    handles->spare_count = 0;
    handles->spare_bytes = 0;
}

void tn_pool_handles_leave(tn_pool_handles *handles, uint64_t first, uint64_t pages) {
    TARN_ASSERT(first + pages <= handles->table_room);
    for (uint64_t page = first; page < first + pages; page++) {
        tn_pool_page *entry = &handles->table[page];
        if (entry->phys != 0)
            tn_pool_handles_add(handles, entry->phys, entry->pages * handles->page_bytes);
        *entry = (tn_pool_page){0, 0, 0};
    }
}

size_t tn_pool_handles_count(const tn_pool_handles *handles, uint64_t first, uint64_t pages) {
    size_t count = 0;
    for (uint64_t page = first; page < first + pages; page += handles->table[page].pages) count++;
    return count;
}
