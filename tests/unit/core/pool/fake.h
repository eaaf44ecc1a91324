// SPDX-License-Identifier: Apache-2.0
// A source of memory without a device: it counts its calls, fails the one it is told to, has a
// capacity, and aborts when a pool breaks the contract (maps what is mapped, unmaps what is not, or
// part of a handle). One pool, one thread at a time, as pools promise.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"
#include "core/pool/fit/shard.h"
#include "core/pool/pool.h"
#include "core/pool/small/cache.h"

#define FAKE_BASE     (UINT64_C(3) << 40)
#define FAKE_PAGES    4096u
#define FAKE_CONTENTS 65536u

struct fake {
    tn_pool_source source; // first
    uint64_t capacity;     // bytes
    bool exact;            // has no more memory than it states
    uint64_t calls;
    uint64_t fail_at;      // the number of the call that fails, from 1; 0: none
    uint64_t fail_from;    // the number of the first call of those that all fail; 0: none
    tarn_status fail_with; // the status of a call that fails; 0: NO_DEVICE_MEMORY
    uint64_t segments;
    uint64_t created;                 // handles
    uint64_t pages;                   // created ones; a handle is named by its first
    uint64_t contents[FAKE_CONTENTS]; // of a page, by its name
    tarn_addr below;                  // segments lie below it
    bool *gone;                       // set by destroy, for tests that want to know
};

static inline void fake_must(bool condition, const char *what) {
    if (!condition) {
        (void)fprintf(stderr, "the pool broke its contract with the source: %s\n", what);
        abort();
    }
}

static inline tarn_status fake_call(struct fake *f) {
    f->calls++;
    bool fails = f->calls == f->fail_at || (f->fail_from != 0 && f->calls >= f->fail_from);
    return fails ? tn_fail(f->fail_with != TARN_OK ? f->fail_with : TARN_NO_DEVICE_MEMORY,
                           "call %llu fails as told", (unsigned long long)f->calls)
                 : TARN_OK;
}

static inline tarn_status fake_take(struct fake *f, uint64_t bytes) {
    uint64_t held = tn_load_relaxed(&f->source.held_bytes);
    if (bytes > f->capacity - held)
        return tn_fail(TARN_NO_DEVICE_MEMORY, "the fake device is full");
    tn_pool_source_gained(&f->source, bytes);
    return TARN_OK;
}

static inline tarn_status fake_grow(tn_pool_source *source, uint64_t bytes, tarn_addr *addr) {
    struct fake *f = (struct fake *)source;
    tarn_status status = fake_call(f);
    status = status == TARN_OK ? fake_take(f, bytes) : status;
    if (status == TARN_OK) {
        // Downwards and with gaps, so that order and neighbours are not what a pool might hope.
        *addr = f->below - (++f->segments << 32) + 256;
    }
    return status;
}

static inline void fake_shrink(tn_pool_source *source, tarn_addr addr, uint64_t bytes,
                               uint32_t flags) {
    (void)flags;
    fake_must(addr < ((struct fake *)source)->below, "a segment that is none");
    tn_pool_source_lost(source, 1, bytes);
}

static inline tarn_status fake_create(tn_pool_source *source, uint64_t pages) {
    struct fake *f = (struct fake *)source;
    fake_must(pages != 0, "a handle of no page");
    tarn_status status = fake_call(f);
    status = status == TARN_OK ? tn_pool_handles_reserve(&source->handles, 1) : status;
    status = status == TARN_OK ? fake_take(f, pages * source->page_bytes) : status;
    if (status == TARN_OK) {
        tn_pool_handles_add(&source->handles, f->pages + 1, pages * source->page_bytes);
        f->created++;
        f->pages += pages;
    }
    return status;
}

static inline tarn_status fake_map(tn_pool_source *source, uint64_t first) {
    struct fake *f = (struct fake *)source;
    uint64_t pages = source->handles.spare_bytes / source->page_bytes;
    fake_must(pages != 0 && first + pages <= FAKE_PAGES, "map");
    for (uint64_t i = first; i < first + pages; i++)
        fake_must(!tn_pool_page_is_mapped(&source->handles, i), "map of what is mapped");
    tarn_status status = fake_call(f);
    if (status == TARN_OK) tn_pool_source_mapped(source, first);
    return status;
}

static inline tarn_status fake_unmap(tn_pool_source *source, uint64_t first, uint64_t pages) {
    tn_pool_handles *handles = &source->handles;
    fake_must(pages != 0 && first + pages <= FAKE_PAGES, "unmap");
    fake_must(tn_pool_handle_border(handles, first) == first &&
                  (first + pages == FAKE_PAGES ||
                   tn_pool_handle_border(handles, first + pages) == first + pages),
              "unmap of part of a handle");
    for (uint64_t i = first; i < first + pages; i++)
        fake_must(tn_pool_page_is_mapped(handles, i), "unmap of what is not mapped");
    tarn_status status = fake_call((struct fake *)source);
    if (status == TARN_OK)
        status = tn_pool_handles_reserve(handles, tn_pool_handles_count(handles, first, pages));
    if (status == TARN_OK) tn_pool_source_unmapped(source, first, pages);
    return status;
}

static inline void fake_drain(tn_pool_source *source, size_t first, size_t count) {
    tn_pool_source_lost(source, count, tn_pool_handles_remove(&source->handles, first, count));
}

static inline uint64_t fake_room(tn_pool_source *source, bool stated) {
    const struct fake *f = (struct fake *)source;
    return stated || f->exact ? f->capacity - tn_load_relaxed(&source->held_bytes) : UINT64_MAX;
}

static inline void fake_destroy(tn_pool_source *source) {
    struct fake *f = (struct fake *)source;
    // Pages lie under the source's own reservation; segments are the pool's to give back.
    fake_must(source->ops->map != NULL || tn_load_relaxed(&source->held_bytes) == 0,
              "destroyed while segments are held");
    if (f->gone != NULL) *f->gone = true;
    tn_pool_handles_fini(&source->handles);
    free(f);
}

// The contents of the page at an address. Those of a new page are arbitrary.
static inline uint64_t *fake_contents(struct fake *f, tarn_addr addr) {
    uint64_t page = (addr - FAKE_BASE) / f->source.page_bytes;
    const tn_pool_page *table = f->source.handles.table;
    fake_must(tn_pool_page_is_mapped(&f->source.handles, page), "access without memory");
    uint32_t back = table[page].back;
    return &f->contents[(table[page - back].phys + back) % FAKE_CONTENTS];
}

static inline tarn_status fake_save(tn_pool_source *source, tarn_addr addr, uint64_t bytes,
                                    void **copy) {
    struct fake *f = (struct fake *)source;
    uint64_t pages = (addr + bytes - 1) / source->page_bytes - addr / source->page_bytes + 1;
    tarn_status status = fake_call(f);
    uint64_t *host = status == TARN_OK ? (uint64_t *)malloc(pages * sizeof *host) : NULL;
    if (host == NULL)
        return status != TARN_OK ? status : tn_fail(TARN_NO_HOST_MEMORY, "out of host memory");
    for (uint64_t i = 0; i < pages; i++) host[i] = *fake_contents(f, addr + i * source->page_bytes);
    *copy = host;
    return TARN_OK;
}

static inline tarn_status fake_load(tn_pool_source *source, tarn_addr addr, uint64_t bytes,
                                    const void *copy) {
    struct fake *f = (struct fake *)source;
    uint64_t pages = (addr + bytes - 1) / source->page_bytes - addr / source->page_bytes + 1;
    const uint64_t *host = (const uint64_t *)copy;
    tarn_status status = fake_call(f);
    for (uint64_t i = 0; i < pages && status == TARN_OK; i++)
        *fake_contents(f, addr + i * source->page_bytes) = host[i];
    return status;
}

// A source of pages, or of segments when `page_bytes` is 0. NULL: no host memory.
static inline struct fake *fake_new(uint64_t page_bytes, uint64_t capacity) {
    static const tn_pool_source_ops pages = {.create = fake_create,
                                             .map = fake_map,
                                             .unmap = fake_unmap,
                                             .drain = fake_drain,
                                             .room = fake_room,
                                             .save = fake_save,
                                             .load = fake_load,
                                             .destroy = fake_destroy};
    static const tn_pool_source_ops segments = {
        .grow = fake_grow, .shrink = fake_shrink, .room = fake_room, .destroy = fake_destroy};
    struct fake *f = (struct fake *)calloc(1, sizeof *f);
    if (f != NULL) {
        f->source.ops = page_bytes != 0 ? &pages : &segments;
        f->source.base = page_bytes != 0 ? FAKE_BASE : 0;
        f->source.bytes = FAKE_PAGES * page_bytes;
        f->source.page_bytes = page_bytes != 0 ? page_bytes : 4096;
        f->capacity = f->source.capacity = capacity;
        f->below = FAKE_BASE;
        if (page_bytes != 0 &&
            tn_pool_handles_init(&f->source.handles, page_bytes, FAKE_PAGES) != TARN_OK) {
            free(f);
            return NULL;
        }
    }
    return f;
}

// A pool over it. The pool owns it from then on.
static inline tarn_status fake_pool(struct fake *f, tarn_pool_policy policy, tarn_pool **pool) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = f->source.ops->map != NULL ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.policy = policy;
    return tn_pool_create_over(&desc, &f->source, NULL, pool);
}

// Whether every byte of [addr, addr + bytes) has a page.
static inline bool fake_is_backed(const struct fake *f, tarn_addr addr, uint64_t bytes) {
    uint64_t page = f->source.page_bytes;
    for (uint64_t i = (addr - FAKE_BASE) / page; i <= (addr + bytes - 1 - FAKE_BASE) / page; i++)
        if (i >= FAKE_PAGES || !tn_pool_page_is_mapped(&f->source.handles, i)) return false;
    return true;
}

// Gives the calling thread a shard, as one that waited often for the fit lock.
static inline void take_shard(tarn_pool *pool) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    for (int i = 0; i < 100 && cache->shard == NULL; i++) tn_pool_shard_waited(pool, cache);
    fake_must(cache->shard != NULL, "the thread has a shard");
}
