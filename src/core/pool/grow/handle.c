// SPDX-License-Identifier: Apache-2.0
// The handles of a source of pages. See handle.h. Under the pool's growth lock.
#include "core/pool/grow/handle.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
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
    free(handles->kept);
}

// Makes room in a list for `count` elements. Returns the list, or NULL without host memory; then the
// list stays as it is.
static void *grow_list(void *list, size_t *room, size_t count, size_t element) {
    size_t wanted = *room != 0 ? *room : SPARE_FIRST;
    while (wanted < count) {
        wanted *= 2;
    }
    void *more = wanted != *room ? realloc(list, wanted * element) : list;
    if (more == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for %zu handles", wanted);
        return NULL;
    }
    *room = wanted;
    return more;
}

tarn_status tn_pool_handles_reserve(tn_pool_handles *handles, size_t count) {
    void *list = grow_list(handles->spare, &handles->spare_room, handles->spare_count + count,
                           sizeof *handles->spare);
    handles->spare = list != NULL ? (tarn_map_item *)list : handles->spare;
    return list != NULL ? TARN_OK : TARN_NO_HOST_MEMORY;
}

void tn_pool_handles_add(tn_pool_handles *handles, tarn_phys phys, uint64_t bytes) {
    handles->spare[handles->spare_count++] = (tarn_map_item){phys, bytes};
    handles->spare_bytes += bytes;
}

tarn_status tn_pool_handles_keep(tn_pool_handles *handles, uint32_t tag, size_t from,
                                 size_t count) {
    void *list = grow_list(handles->kept, &handles->kept_room, handles->kept_count + count,
                           sizeof *handles->kept);
    if (list == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    handles->kept = (tn_pool_kept *)list;
    for (size_t i = from; i < from + count; i++) {
        handles->kept[handles->kept_count++] = (tn_pool_kept){handles->spare[i], tag};
        handles->spare_bytes -= handles->spare[i].bytes;
        (void)tn_add_relaxed(&handles->kept_bytes, handles->spare[i].bytes);
    }
    handles->spare_count -= count;
    memmove(&handles->spare[from], &handles->spare[from + count],
            (handles->spare_count - from) * sizeof handles->spare[0]);
    return TARN_OK;
}

// `over`: the last one may have more bytes than are left.
static tarn_status make_kept_spare(tn_pool_handles *handles, uint32_t tag, uint64_t bytes,
                                   bool over) {
    size_t left = 0;
    tarn_status status = tn_pool_handles_reserve(handles, handles->kept_count);
    if (status != TARN_OK) {
        return status;
    }
    for (size_t i = 0; i < handles->kept_count; i++) {
        const tn_pool_kept kept = handles->kept[i];
        if (kept.tag != tag || bytes == 0 || (kept.item.bytes > bytes && !over)) {
            handles->kept[left++] = kept;
            continue;
        }
        tn_pool_handles_add(handles, kept.item.phys, kept.item.bytes);
        (void)tn_sub_relaxed(&handles->kept_bytes, kept.item.bytes);
        bytes -= kept.item.bytes < bytes ? kept.item.bytes : bytes;
    }
    handles->kept_count = left;
    return TARN_OK;
}

tarn_status tn_pool_handles_lend(tn_pool_handles *handles, uint32_t tag, uint64_t bytes,
                                 size_t *count) {
    size_t before = handles->spare_count;
    tarn_status status = make_kept_spare(handles, tag, bytes, true);
    *count = handles->spare_count - before;
    return status;
}

tarn_status tn_pool_handles_spare(tn_pool_handles *handles, uint32_t tag, uint64_t bytes) {
    return make_kept_spare(handles, tag, bytes, false);
}

uint64_t tn_pool_handles_kept(const tn_pool_handles *handles, uint32_t tag) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < handles->kept_count; i++) {
        bytes += handles->kept[i].tag == tag ? handles->kept[i].item.bytes : 0;
    }
    return bytes;
}

void tn_pool_handles_enter(tn_pool_handles *handles, uint64_t first) {
    for (size_t i = 0; i < handles->spare_count; i++) {
        uint32_t pages = (uint32_t)(handles->spare[i].bytes / handles->page_bytes);
        handles->table[first] = (tn_pool_page){handles->spare[i].phys, pages, 0};
        for (uint32_t k = 1; k < pages; k++) {
            handles->table[first + k].back = k;
        }
        first += pages;
    }
    handles->spare_count = 0;
    handles->spare_bytes = 0;
}

void tn_pool_handles_leave(tn_pool_handles *handles, uint64_t first, uint64_t pages) {
    for (uint64_t page = first; page < first + pages; page++) {
        tn_pool_page *entry = &handles->table[page];
        if (entry->phys != 0) {
            tn_pool_handles_add(handles, entry->phys, entry->pages * handles->page_bytes);
        }
        *entry = (tn_pool_page){0, 0, 0};
    }
}

size_t tn_pool_handles_count(const tn_pool_handles *handles, uint64_t first, uint64_t pages) {
    size_t count = 0;
    for (uint64_t page = first; page < first + pages; page += handles->table[page].pages) {
        count++;
    }
    return count;
}
