// SPDX-License-Identifier: Apache-2.0
// Pages under one reservation as a pool's source. The handles have the sizes that the pool asks
// for; handle.h keeps them. A handle is mapped and unmapped as a whole, and a run of handles in one
// call. Under the pool's growth lock.
#include <stdlib.h>

#include "base/atomic.h"
#include "base/error.h"
#include "core/address/map.h"
#include "core/platform/platform.h"
#include "core/pool/grow/source.h"
#include "core/pool/notify.h"
#include "core/work/copy.h"

// The addresses are eight times the memory: moved handles leave holes between the pieces.
enum { LIMIT_FACTOR = 8, LOCATIONS = TN_MAX_DEVICES + 1 };

struct pages {
    tn_pool_source source;
    tarn_device *device;
    tn_rights rights; // to all mapped pages
    uint64_t end;     // no page from here on was ever mapped
};

static void count_call(_Atomic(uint64_t) *kind, tn_pool_source *source) {
    (void)tn_add_relaxed(&source->driver_calls, 1);
    if (kind != NULL) (void)tn_add_relaxed(kind, 1);
}

static tarn_addr page_addr(const tn_pool_source *source, uint64_t page) {
    return source->base + page * source->page_bytes;
}

static tarn_status pages_create(tn_pool_source *source, uint64_t pages) {
    const struct pages *p = (struct pages *)source;
    uint64_t bytes = pages * source->page_bytes;
    tarn_phys phys = 0;
    TN_TRY(tn_pool_handles_reserve(&source->handles, 1));
    tarn_status status = tarn_phys_create(p->device, bytes, NULL, &phys);
    count_call(NULL, source);
    if (status == TARN_OK) {
        tn_pool_handles_add(&source->handles, phys, bytes);
        tn_pool_source_gained(source, bytes);
    }
    return status;
}

static void pages_drain(tn_pool_source *source, size_t first, size_t count) {
    for (size_t i = first; i < first + count; i++) {
        (void)tarn_phys_release(source->handles.spare[i].phys);
        count_call(NULL, source);
    }
    tn_pool_source_lost(source, count, tn_pool_handles_remove(&source->handles, first, count));
}

static uint64_t pages_room(tn_pool_source *source, bool stated) {
    const struct pages *p = (struct pages *)source;
    return tn_device_room(p->device, tn_load_relaxed(&source->held_bytes), stated);
}

// ---- rights

// The grants that turn one set of rights into another.
struct grants {
    tarn_grant list[LOCATIONS];
    size_t count;
};

static struct grants grants_between(tn_rights from, tn_rights to) {
    struct grants grants = {.count = 0};
    for (int i = 0; i < LOCATIONS; i++) {
        tarn_location location = {i == 0 ? TARN_LOCATION_HOST : TARN_LOCATION_DEVICE,
                                  i == 0 ? 0 : i - 1};
        tarn_access access = tn_rights_get(to, location);
        if (access != tn_rights_get(from, location))
            grants.list[grants.count++] = (tarn_grant){location, access};
    }
    return grants;
}

static tarn_status grant_run(struct pages *p, uint64_t first, uint64_t pages,
                             const struct grants *grants) {
    if (grants->count == 0) return TARN_OK;
    count_call(NULL, &p->source);
    return tn_owner_set_access(&p->source.owner.base, page_addr(&p->source, first),
                               pages * p->source.page_bytes, grants->list, grants->count);
}

// Finds the next run of mapped pages at or above *page, below `end`. Returns its length; 0: none.
static uint64_t next_run(const struct pages *p, uint64_t *page, uint64_t end) {
    uint64_t length = 0;
    while (*page < end && !tn_pool_page_is_mapped(&p->source.handles, *page)) ++*page;
    while (*page + length < end && tn_pool_page_is_mapped(&p->source.handles, *page + length))
        length++;
    return length;
}

// Applies grants to each run of mapped pages below `end`. Stops at the first run that is refused,
// and writes its page.
static tarn_status grant_all(struct pages *p, uint64_t end, const struct grants *grants,
                             uint64_t *failed) {
    tarn_status status = TARN_OK;
    uint64_t run;
    for (uint64_t page = 0; status == TARN_OK && (run = next_run(p, &page, end)) != 0;
         page += run) {
        status = grant_run(p, page, run, grants);
        *failed = page;
    }
    return status;
}

static tarn_status check_grants(const tarn_device *device, const tarn_grant *grants, size_t count) {
    tarn_location owner = {TARN_LOCATION_DEVICE, device->ordinal};
    return tn_access_check(device->platform, owner, grants, count);
}

static tn_rights add_grants(tn_rights rights, const tarn_grant *grants, size_t count) {
    for (size_t i = 0; i < count; i++)
        rights = tn_rights_set(rights, grants[i].location, grants[i].access);
    return rights;
}

static tarn_status pages_set_access(tn_pool_source *source, const tarn_grant *grants,
                                    size_t count) {
    struct pages *p = (struct pages *)source;
    TN_TRY(check_grants(p->device, grants, count));
    tn_rights wanted = add_grants(p->rights, grants, count);
    const struct grants change = grants_between(p->rights, wanted);
    const struct grants undo = grants_between(wanted, p->rights);
    uint64_t failed = 0;
    tarn_status status = grant_all(p, p->end, &change, &failed);
    if (status == TARN_OK) {
        p->rights = wanted;
    } else {
        // The rights before can be granted again unless the device is lost.
        (void)grant_all(p, failed, &undo, &failed);
    }
    return status;
}

static tarn_status pages_get_access(tn_pool_source *source, tarn_location location,
                                    tarn_access *access) {
    const struct pages *p = (const struct pages *)source;
    tarn_status status = tn_access_check_location(p->device->platform, location);
    if (status == TARN_OK) *access = tn_rights_get(p->rights, location);
    return status;
}

// ---- map and unmap

static tarn_status pages_map(tn_pool_source *source, uint64_t first) {
    struct pages *p = (struct pages *)source;
    tn_pool_handles *handles = &source->handles;
    const struct grants grants = grants_between(0, p->rights);
    uint64_t bytes = handles->spare_bytes, end = first + bytes / source->page_bytes;
    tarn_status status = tn_owner_map(&source->owner.base, page_addr(source, first), handles->spare,
                                      handles->spare_count);
    count_call(&source->map_calls, source);
    if (status != TARN_OK) return status;
    status = grant_run(p, first, end - first, &grants);
    if (status != TARN_OK) {
        (void)tn_owner_unmap(&source->owner.base, page_addr(source, first), bytes, TARN_NO_WAIT);
        count_call(&source->unmap_calls, source);
        return status;
    }
    if (tn_subscribed())
        tn_pool_emit_pages(TN_MEM_BACKED, p->device, page_addr(source, first), bytes);
    tn_pool_source_mapped(source, first);
    p->end = end > p->end ? end : p->end;
    return TARN_OK;
}

static tarn_status pages_unmap(tn_pool_source *source, uint64_t first, uint64_t pages) {
    struct pages *p = (struct pages *)source;
    tn_pool_handles *handles = &source->handles;
    tarn_status status =
        tn_pool_handles_reserve(handles, tn_pool_handles_count(handles, first, pages));
    if (status != TARN_OK) return status;
    // Tools may write to the block of another thread when its allocation is reported, which a reset
    // of the device may have freed by then. So they learn of the unmap before it is done.
    uint64_t bytes = pages * source->page_bytes;
    bool subscribed = tn_subscribed();
    if (subscribed) tn_pool_emit_pages(TN_MEM_UNBACKED, p->device, page_addr(source, first), bytes);
    // The pool knows that no work uses these pages, so no wait is needed.
    status = tn_owner_unmap(&source->owner.base, page_addr(source, first), bytes, TARN_NO_WAIT);
    count_call(&source->unmap_calls, source);
    if (status != TARN_OK) {
        if (subscribed)
            tn_pool_emit_pages(TN_MEM_BACKED, p->device, page_addr(source, first), bytes);
        return status;
    }
    tn_pool_source_unmapped(source, first, pages);
    return TARN_OK;
}

static void pages_destroy(tn_pool_source *source) {
    struct pages *p = (struct pages *)source;
    const tn_pool_page *table = source->handles.table;
    uint64_t run;
    // Waits for work: a pool may be destroyed while work enqueued before the frees still runs.
    for (uint64_t page = 0; (run = next_run(p, &page, p->end)) != 0; page += run) {
        tarn_addr addr = page_addr(source, page);
        if (source->announced && tn_subscribed())
            tn_pool_emit_pages(TN_MEM_UNBACKED, p->device, addr, run * source->page_bytes);
        (void)tn_owner_unmap(&source->owner.base, addr, run * source->page_bytes, 0);
        for (uint64_t i = page; i < page + run; i += table[i].pages)
            (void)tarn_phys_release(table[i].phys);
    }
    if (source->announced && tn_subscribed())
        tn_pool_emit_pages(TN_MEM_HEAP_END, p->device, source->base, source->bytes);
    tn_pool_source_drain(source);
    if (source->bytes != 0)
        (void)tn_owner_release(&source->owner.base, source->base, source->bytes);
    tn_owner_drain(&source->owner.base);
    tn_pool_handles_fini(&source->handles);
    free(p);
}

// ---- contents

static tarn_status pages_load(tn_pool_source *source, tarn_addr addr, uint64_t bytes,
                              const void *copy) {
    const struct pages *p = (struct pages *)source;
    return tn_copy_unseen(p->device, addr, TARN_ADDR(copy), bytes);
}

static tarn_status pages_save(tn_pool_source *source, tarn_addr addr, uint64_t bytes, void **copy) {
    const struct pages *p = (struct pages *)source;
    void *host = malloc(bytes);
    TN_REFUSE(host == NULL, TARN_NO_HOST_MEMORY, "out of host memory for %llu bytes of a block",
              (unsigned long long)bytes);
    tarn_status status = tn_copy_unseen(p->device, TARN_ADDR(host), addr, bytes);
    if (status == TARN_OK)
        *copy = host;
    else
        free(host);
    return status;
}

static const tn_pool_source_ops ops = {
    .create = pages_create,
    .map = pages_map,
    .unmap = pages_unmap,
    .drain = pages_drain,
    .room = pages_room,
    .save = pages_save,
    .load = pages_load,
    .destroy = pages_destroy,
    .set_access = pages_set_access,
    .get_access = pages_get_access,
};

// ---- creation

tarn_status tn_pool_source_pages(const tarn_pool_desc *desc, tn_pool_source **source) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    TN_TRY(tarn_device_query(desc->device, &info));
    uint64_t page = desc->page_bytes != 0 ? desc->page_bytes : info.granularity_recommended;
    uint64_t limit = desc->limit != 0 ? desc->limit : info.memory_bytes;
    uint64_t want = desc->bytes != 0 ? desc->bytes : LIMIT_FACTOR * limit;
    const tarn_grant own = {{TARN_LOCATION_DEVICE, desc->device->ordinal}, TARN_ACCESS_READ_WRITE};
    const tarn_grant *grants = desc->grants != NULL ? desc->grants : &own;
    size_t grant_count = desc->grants != NULL ? desc->grant_count : 1;
    struct pages *p = (struct pages *)calloc(1, sizeof *p);
    TN_REFUSE(p == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a pool's source");
    p->source.ops = &ops;
    tn_pool_owner_init(&p->source.owner);
    p->device = desc->device;
    p->source.page_bytes = page;
    p->source.total = info.memory_bytes;
    tarn_status status = TARN_OK;
    if (page % info.granularity_minimum != 0 || (page & (page - 1)) != 0) {
        status =
            tn_fail(TARN_MISALIGNED,
                    "page_bytes %llu is not a power of two and multiple of the granularity %llu",
                    (unsigned long long)page, (unsigned long long)info.granularity_minimum);
    }
    if (status == TARN_OK)
        status = tarn_device_query_memory(desc->device, &p->source.capacity, NULL);
    if (status == TARN_OK) status = check_grants(p->device, grants, grant_count);
    if (status != TARN_OK) goto err_destroy;
    p->rights = add_grants(0, grants, grant_count);
    // If the device has no such range, half of it is reserved and so on, down to `least`.
    uint64_t bytes = (want + page - 1) / page * page;
    uint64_t least = desc->bytes != 0 ? bytes : (limit + page - 1) / page * page;
    for (;; bytes = bytes / 2 > least ? bytes / 2 / page * page : least) {
        status =
            tn_owner_reserve(&p->source.owner.base, p->device, bytes, page, 0, &p->source.base);
        count_call(NULL, &p->source);
        if (status != TARN_NO_ADDRESS_SPACE || bytes <= least) break;
    }
    if (status == TARN_OK) {
        p->source.bytes = bytes;
        status = tn_pool_handles_init(&p->source.handles, page, bytes / page);
    }
    if (status != TARN_OK) goto err_destroy;
    *source = &p->source;
    return TARN_OK;

err_destroy:
    pages_destroy(&p->source);
    return status;
}
