// SPDX-License-Identifier: Apache-2.0
// Pages under one reservation as a pool's source. Each page is a handle of its own, so that any of
// them can be moved. What is mapped where is a table of handles by page number; handles without an
// address are on a stack.
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"
#include "core/pool_array.h"
#include "core/pool_source.h"

enum { ITEMS = 256, STACK_FIRST = 64, LIMIT_FACTOR = 4 };

struct pages {
    tn_pool_source source;
    tarn_device *device;
    tarn_grant *grants;
    size_t grant_count;
    tarn_phys *table; // by page number, 0: none
    uint64_t table_room;
    tarn_phys *stack;
    uint64_t stack_room;
};

static void called(_Atomic(uint64_t) *kind, tn_pool_source *source) {
    (void)tn_add_relaxed(&source->driver_calls, 1);
    if (kind != NULL) {
        (void)tn_add_relaxed(kind, 1);
    }
}

static tarn_addr addr_of(const tn_pool_source *source, uint64_t page) {
    return source->base + page * source->page_bytes;
}

// Room on the stack for `count` handles.
static tarn_status reserve_stack(struct pages *p, uint64_t count) {
    uint64_t room = p->stack_room != 0 ? p->stack_room : STACK_FIRST;
    while (room < count) {
        room *= 2;
    }
    if (room == p->stack_room) {
        return TARN_OK;
    }
    tarn_phys *more = (tarn_phys *)realloc(p->stack, room * sizeof *more);
    if (more == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for %llu handles",
                       (unsigned long long)room);
    }
    p->stack = more;
    p->stack_room = room;
    return TARN_OK;
}

static tarn_status fill(tn_pool_source *source, uint64_t pages) {
    struct pages *p = (struct pages *)source;
    tarn_status status = reserve_stack(p, pages);
    while (status == TARN_OK && source->spare < pages) {
        status = tarn_phys_create(p->device, source->page_bytes, NULL, &p->stack[source->spare]);
        called(NULL, source);
        if (status == TARN_OK) {
            source->spare++;
            tn_pool_source_came(source, source->page_bytes);
        }
    }
    return status;
}

static void drain(tn_pool_source *source, uint64_t pages) {
    struct pages *p = (struct pages *)source;
    while (source->spare > pages) {
        (void)tarn_phys_release(p->stack[--source->spare]);
        called(NULL, source);
        tn_pool_source_went(source, source->page_bytes);
    }
}

// Maps handles of the stack's top in pieces that fit a small array. On failure what was mapped goes
// again.
static tarn_status map_handles(struct pages *p, uint64_t first, uint64_t pages) {
    tn_pool_source *source = &p->source;
    tarn_map_item items[ITEMS];
    const tarn_phys *handles = &p->stack[source->spare - pages];
    tarn_status status = TARN_OK;
    uint64_t done = 0;
    while (done < pages && status == TARN_OK) {
        uint64_t count = pages - done < ITEMS ? pages - done : ITEMS;
        for (uint64_t i = 0; i < count; i++) {
            items[i] = (tarn_map_item){handles[done + i], source->page_bytes};
        }
        status = tarn_map_many(addr_of(source, first + done), items, count);
        called(&source->map_calls, source);
        done += status == TARN_OK ? count : 0;
    }
    if (status != TARN_OK && done != 0) {
        (void)tarn_unmap(addr_of(source, first), done * source->page_bytes, TARN_UNMAP_NO_WAIT);
        called(&source->unmap_calls, source);
    }
    return status;
}

static tarn_status map(tn_pool_source *source, uint64_t first, uint64_t pages) {
    struct pages *p = (struct pages *)source;
    uint64_t bytes = pages * source->page_bytes;
    tarn_status status = map_handles(p, first, pages);
    if (status != TARN_OK) {
        return status;
    }
    status = tarn_map_set_access(addr_of(source, first), bytes, p->grants, p->grant_count);
    called(NULL, source);
    if (status != TARN_OK) {
        (void)tarn_unmap(addr_of(source, first), bytes, TARN_UNMAP_NO_WAIT);
        called(&source->unmap_calls, source);
        return status;
    }
    source->spare -= pages;
    memcpy(&p->table[first], &p->stack[source->spare], pages * sizeof p->table[0]);
    return TARN_OK;
}

static tarn_status unmap(tn_pool_source *source, uint64_t first, uint64_t pages) {
    struct pages *p = (struct pages *)source;
    tarn_status status = reserve_stack(p, source->spare + pages);
    if (status == TARN_OK) {
        // Nothing to wait for: the pool knows that no work uses these pages.
        status = tarn_unmap(addr_of(source, first), pages * source->page_bytes, TARN_UNMAP_NO_WAIT);
        called(&source->unmap_calls, source);
    }
    if (status != TARN_OK) {
        return status;
    }
    memcpy(&p->stack[source->spare], &p->table[first], pages * sizeof p->table[0]);
    memset(&p->table[first], 0, pages * sizeof p->table[0]);
    source->spare += pages;
    return TARN_OK;
}

// The run of mapped pages from `page` up.
static uint64_t run_length(const struct pages *p, uint64_t page, uint64_t count) {
    uint64_t length = 0;
    while (page + length < count && p->table[page + length] != 0) {
        length++;
    }
    return length;
}

// Waits for work, as the pool may go with work still running that was given before the frees.
static void unmap_all(struct pages *p) {
    uint64_t count = p->source.bytes / p->source.page_bytes;
    for (uint64_t page = 0; page < count;) {
        uint64_t run = run_length(p, page, count);
        if (run != 0) {
            (void)tarn_unmap(addr_of(&p->source, page), run * p->source.page_bytes, 0);
        }
        for (uint64_t i = 0; i < run; i++) {
            (void)tarn_phys_release(p->table[page + i]);
        }
        page += run != 0 ? run : 1;
    }
}

static void destroy(tn_pool_source *source) {
    struct pages *p = (struct pages *)source;
    if (p->table != NULL) {
        unmap_all(p);
    }
    drain(source, 0);
    if (source->bytes != 0) {
        (void)tarn_space_release(source->base, source->bytes);
    }
    tn_pool_array_unmap(p->table, sizeof *p->table, p->table_room);
    free(p->stack);
    free(p->grants);
    free(p);
}

static const tn_pool_source_ops ops = {NULL, NULL, fill, map, unmap, drain, destroy};

// ---- creation

static tarn_status copy_grants(struct pages *p, const tarn_pool_desc *desc,
                               const tarn_device_info *info) {
    const tarn_grant own = {{TARN_LOCATION_DEVICE, info->ordinal}, TARN_ACCESS_READ_WRITE};
    const tarn_grant *grants = desc->grants != NULL ? desc->grants : &own;
    p->grant_count = desc->grants != NULL ? desc->grant_count : 1;
    p->grants = (tarn_grant *)calloc(p->grant_count + 1, sizeof *p->grants);
    if (p->grants == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for %zu grants", p->grant_count);
    }
    memcpy(p->grants, grants, p->grant_count * sizeof *p->grants);
    return TARN_OK;
}

static tarn_status set_sizes(struct pages *p, const tarn_pool_desc *desc,
                             const tarn_device_info *info, uint64_t *bytes) {
    uint64_t page = desc->page_bytes != 0 ? desc->page_bytes : info->granularity_recommended;
    uint64_t limit = desc->limit != 0 ? desc->limit : info->memory_bytes;
    uint64_t want = desc->bytes != 0 ? desc->bytes : LIMIT_FACTOR * limit;
    if ((info->features & TARN_FEATURE_VMM) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s has no virtual memory management", info->name);
    }
    if (page % info->granularity_minimum != 0 || (page & (page - 1)) != 0) {
        return tn_fail(TARN_MISALIGNED, "pages of %llu bytes where the granularity is %llu",
                       (unsigned long long)page, (unsigned long long)info->granularity_minimum);
    }
    p->source.page_bytes = page;
    *bytes = (want + page - 1) / page * page;
    return TARN_OK;
}

static tarn_status reserve(struct pages *p, uint64_t bytes) {
    void *table = NULL;
    uint64_t count = bytes / p->source.page_bytes;
    tarn_status status = tn_pool_array_map(sizeof *p->table, count, count, &table, &p->table_room);
    p->table = (tarn_phys *)table;
    if (status == TARN_OK) {
        status = tarn_space_reserve(p->device, bytes, p->source.page_bytes, 0, &p->source.base);
        called(NULL, &p->source);
    }
    if (status == TARN_OK) {
        p->source.bytes = bytes;
    }
    return status;
}

tarn_status tn_pool_source_pages(const tarn_pool_desc *desc, tn_pool_source **source) {
    tarn_device_info info = TARN_DEVICE_INFO_INIT;
    uint64_t bytes = 0;
    tarn_status status = tarn_device_query(desc->device, &info);
    if (status != TARN_OK) {
        return status;
    }
    struct pages *p = (struct pages *)calloc(1, sizeof *p);
    if (p == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a pool's source");
    }
    p->source.ops = &ops;
    p->device = desc->device;
    status = set_sizes(p, desc, &info, &bytes);
    if (status == TARN_OK) {
        status = copy_grants(p, desc, &info);
    }
    if (status == TARN_OK) {
        status = reserve(p, bytes);
    }
    if (status != TARN_OK) {
        destroy(&p->source);
        return status;
    }
    *source = &p->source;
    return TARN_OK;
}
