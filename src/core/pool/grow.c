// SPDX-License-Identifier: Apache-2.0
// What a pool does when nothing fits, in this order: give back what this thread's magazines and
// empty slabs hold, make free what streams have passed, then grow; at last empty the magazines of
// all threads, wait for streams, and refuse.
//
// An expandable pool grows by putting pages under a hole, best behind a free piece that is almost
// long enough. Pages come from three places: spare ones, new ones, and whole free pages from under
// other free pieces, which are moved. New ones are preferred as long as the pool then holds little
// more than its blocks ever needed (`slack_permille`), moved ones after that; so a fragmented pool
// stays near the size of what is in it, and one with memory to spare hardly ever moves anything.
//
// All of it under the growth lock, one thread at a time. Pieces whose pages are on their way are
// taken from the fit first, so that the device is never called with the core locked.
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"

enum {
    SLACK_DEFAULT = 20,
    CANDIDATES = 32, // free pieces looked at for one to make longer
    VICTIMS = 16,    // pieces whose pages are moved at a time
    LOOKED_AT = 256, // free pieces looked at for whole pages
};

// ---- without growing

static bool take(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    tn_spin_lock(&pool->fit_lock);
    *node = tn_pool_piece_take(pool, want);
    tn_spin_unlock(&pool->fit_lock);
    return *node != 0;
}

// Makes free what can be had without the device's memory; with `all`, from other threads as well.
static void reclaim(tarn_pool *pool, bool all, bool wait) {
    if (all) {
        tn_pool_cache_flush_all(pool);
    }
    for (unsigned r = 0; r < TN_POOL_SLOTS && tn_pool_slot_at(pool, r) != NULL; r++) {
        tn_pool_cache_flush(pool, r);
        tn_pool_small_trim(pool, r);
    }
    (void)tn_pool_promote(pool, wait);
}

static bool reclaim_and_take(tarn_pool *pool, const tn_pool_want *want, uint32_t *node, bool last) {
    reclaim(pool, last, last);
    return take(pool, want, node);
}

// ---- pages

// A hole, and perhaps a free piece right before it, out of the fit while pages come.
struct site {
    uint32_t head; // 0: none
    uint32_t hole;
    uint64_t pages;
};

static uint64_t page_units(const tarn_pool *pool) {
    return pool->source->page_bytes >> pool->unit_shift;
}

static uint64_t pages_for(const tarn_pool *pool, uint64_t units) {
    uint64_t per = page_units(pool);
    return (units + per - 1) / per;
}

// The number of the page that a unit at a page's start begins.
static uint64_t page_of(const tarn_pool *pool, uint64_t unit) {
    return (tn_pool_addr(pool, unit) - pool->source->base) / pool->source->page_bytes;
}

// The free piece before a hole that lacks the fewest pages; among a few of the longest ones.
static uint32_t best_head(const tarn_pool *pool, uint64_t units, uint64_t *pages) {
    const tn_fit *fit = &pool->fit;
    uint32_t best = 0;
    int left = CANDIDATES;
    for (uint32_t k = tn_fit_at_most(fit, TN_LIST_FREE, units); k != 0 && left > 0; left--) {
        uint32_t hole = tn_fit_after(fit, k);
        uint64_t have = tn_fit_units(fit, k);
        uint64_t lacks = pages_for(pool, units > have ? units - have : 0);
        if (tn_fit_is_free(fit, hole, TN_LIST_ASIDE) && lacks != 0 && lacks < *pages &&
            tn_fit_units(fit, hole) >= lacks * page_units(pool)) {
            best = k;
            *pages = lacks;
        }
        k = tn_fit_next_smaller(fit, k);
    }
    return best;
}

static tarn_status no_site(const tarn_pool *pool, uint64_t pages) {
    if (tn_fit_room(&pool->fit) < TN_POOL_NODE_RESERVE) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no record left in a pool of %u pieces",
                       pool->fit.used);
    }
    return tn_fail(TARN_NO_ADDRESS_SPACE, "no hole of %llu pages in a reservation of %llu bytes",
                   (unsigned long long)pages, (unsigned long long)pool->source->bytes);
}

static uint32_t detach(tarn_pool *pool, uint32_t node, uint64_t skip, uint64_t units) {
    uint32_t taken = tn_fit_carve(&pool->fit, node, skip, units);
    if (taken != 0) {
        tn_fit_set_mark(&pool->fit, taken, TN_MARK_GROWING);
    }
    return taken;
}

static tarn_status find_site(tarn_pool *pool, const tn_pool_want *want, struct site *site) {
    tn_fit *fit = &pool->fit;
    uint64_t units = want->units + (want->align >> pool->unit_shift) - 1;
    site->head = 0;
    site->hole = 0;
    site->pages = pages_for(pool, units);
    tn_spin_lock(&pool->fit_lock);
    bool room = tn_fit_room(fit) >= TN_POOL_NODE_RESERVE;
    uint32_t head = room ? best_head(pool, units, &site->pages) : 0;
    if (head != 0) {
        uint32_t hole = tn_fit_after(fit, head);
        site->head = detach(pool, head, 0, tn_fit_units(fit, head));
        site->hole = detach(pool, hole, 0, site->pages * page_units(pool));
    } else if (room) {
        site->hole = tn_fit_take(fit, TN_LIST_ASIDE, site->pages * page_units(pool), 1);
        tn_fit_set_mark(fit, site->hole, TN_MARK_GROWING);
    }
    tn_spin_unlock(&pool->fit_lock);
    return site->hole != 0 ? TARN_OK : no_site(pool, site->pages);
}

// Takes up to VICTIMS runs of whole free pages out of the fit. The smallest pieces' first: that
// costs more calls now, but the long ones stay whole for the next large block.
static unsigned collect(tarn_pool *pool, uint64_t pages, uint32_t victims[VICTIMS]) {
    tn_fit *fit = &pool->fit;
    uint64_t per = page_units(pool);
    unsigned count = 0;
    int left = LOOKED_AT;
    tn_spin_lock(&pool->fit_lock);
    uint32_t next;
    for (uint32_t k = tn_fit_at_least(fit, TN_LIST_FREE, per);
         k != 0 && pages > 0 && count < VICTIMS && left > 0; k = next, left--) {
        uint64_t start = tn_fit_start(fit, k);
        uint64_t first = (start + per - 1) / per * per;
        uint64_t end = (start + tn_fit_units(fit, k)) / per * per;
        next = tn_fit_next_larger(fit, k);
        if (tn_fit_room(fit) < TN_POOL_NODE_RESERVE) {
            break;
        }
        if (first < end) {
            uint64_t moved = (end - first) / per < pages ? (end - first) / per : pages;
            victims[count++] = detach(pool, k, end - moved * per - start, moved * per);
            pages -= moved;
        }
    }
    tn_spin_unlock(&pool->fit_lock);
    return count;
}

// Takes the pages out from under one piece. Returns how many; 0 when the device refused.
static uint64_t strip(tarn_pool *pool, uint32_t victim) {
    uint64_t pages = tn_fit_units(&pool->fit, victim) / page_units(pool);
    uint64_t first = page_of(pool, tn_fit_start(&pool->fit, victim));
    bool done = pool->source->ops->unmap(pool->source, first, pages) == TARN_OK;
    tn_spin_lock(&pool->fit_lock);
    (void)tn_fit_free(&pool->fit, victim, done ? TN_LIST_ASIDE : TN_LIST_FREE);
    tn_spin_unlock(&pool->fit_lock);
    return done ? pages : 0;
}

// Makes up to `pages` whole free pages spare. Returns how many.
static uint64_t free_pages(tarn_pool *pool, uint64_t pages) {
    uint64_t got = 0;
    while (got < pages) {
        uint32_t victims[VICTIMS];
        unsigned count = collect(pool, pages - got, victims);
        uint64_t before = got;
        for (unsigned i = 0; i < count; i++) {
            got += strip(pool, victims[i]);
        }
        if (got == before) {
            break;
        }
    }
    return got;
}

static uint64_t move_pages(tarn_pool *pool, uint64_t pages) {
    uint64_t got = free_pages(pool, pages);
    (void)tn_add_relaxed(&pool->moved_bytes, got * pool->source->page_bytes);
    return got;
}

// The most bytes that blocks have taken at a time, with those wanted now.
static uint64_t needed_bytes(tarn_pool *pool, const tn_pool_want *want) {
    tn_spin_lock(&pool->fit_lock);
    uint64_t units = pool->taken_units + want->units;
    units = pool->peak_taken_units > units ? pool->peak_taken_units : units;
    tn_spin_unlock(&pool->fit_lock);
    return units << pool->unit_shift;
}

// How many new pages the pool may still hold before moving others is preferred.
static uint64_t slack_pages(tarn_pool *pool, const tn_pool_want *want) {
    uint64_t slack = pool->desc.slack_permille != 0 ? pool->desc.slack_permille : SLACK_DEFAULT;
    uint64_t page = pool->source->page_bytes;
    uint64_t needed = needed_bytes(pool, want);
    uint64_t goal = needed + needed / 1000 * slack;
    uint64_t held = tn_load_relaxed(&pool->source->held_bytes);
    if (slack >= 1000) {
        return UINT64_MAX;
    }
    return goal > held ? (goal - held + page - 1) / page : 0;
}

// Creates pages until `pages` are spare, within the pool's limit.
static tarn_status create_pages(tarn_pool *pool, uint64_t pages) {
    tn_pool_source *source = pool->source;
    uint64_t held = tn_load_relaxed(&source->held_bytes);
    uint64_t limit = pool->desc.limit != 0 ? pool->desc.limit : UINT64_MAX;
    uint64_t most = source->spare + (limit > held ? (limit - held) / source->page_bytes : 0);
    uint64_t goal = pages < most ? pages : most;
    tarn_status status = goal > source->spare ? source->ops->fill(source, goal) : TARN_OK;
    if (status == TARN_OK && goal < pages) {
        status = tn_fail(TARN_NO_DEVICE_MEMORY, "the pool's limit of %llu bytes is reached",
                         (unsigned long long)limit);
    }
    return status;
}

// Brings `pages` pages together without an address.
static tarn_status supply(tarn_pool *pool, const tn_pool_want *want, uint64_t pages) {
    const tn_pool_source *source = pool->source;
    uint64_t fresh = slack_pages(pool, want);
    if (source->spare < pages && pages - source->spare > fresh) {
        (void)move_pages(pool, pages - source->spare - fresh);
    }
    while (source->spare < pages) {
        tarn_status status = create_pages(pool, pages);
        if (status != TARN_OK && move_pages(pool, pages - source->spare) == 0) {
            return status;
        }
    }
    return TARN_OK;
}

static uint32_t settle(tarn_pool *pool, const tn_pool_want *want, const struct site *site) {
    tn_fit *fit = &pool->fit;
    uint32_t node = site->head != 0 ? site->head : site->hole;
    tn_spin_lock(&pool->fit_lock);
    if (site->head != 0) {
        tn_fit_join(fit, site->head);
    }
    node = tn_fit_free(fit, node, TN_LIST_FREE);
    node = tn_pool_piece_take_from(pool, want, node);
    tn_spin_unlock(&pool->fit_lock);
    return node;
}

static void abandon(tarn_pool *pool, const struct site *site) {
    tn_spin_lock(&pool->fit_lock);
    if (site->head != 0) {
        (void)tn_fit_free(&pool->fit, site->head, TN_LIST_FREE);
    }
    (void)tn_fit_free(&pool->fit, site->hole, TN_LIST_ASIDE);
    tn_spin_unlock(&pool->fit_lock);
}

static tarn_status grow_by_pages(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    struct site site;
    tarn_status status = find_site(pool, want, &site);
    if (status != TARN_OK) {
        return status;
    }
    status = supply(pool, want, site.pages);
    if (status == TARN_OK) {
        uint64_t first = page_of(pool, tn_fit_start(&pool->fit, site.hole));
        status = pool->source->ops->map(pool->source, first, site.pages);
    }
    if (status != TARN_OK) {
        abandon(pool, &site);
        return status;
    }
    tn_granule_commit(&pool->map, tn_pool_addr(pool, tn_fit_start(&pool->fit, site.hole)),
                      site.pages * pool->source->page_bytes);
    *node = settle(pool, want, &site);
    return *node != 0 ? TARN_OK : no_site(pool, site.pages);
}

// ---- segments

static uint64_t round_to(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

static tarn_status add_segment(tarn_pool *pool, uint64_t bytes) {
    tn_pool_source *source = pool->source;
    uint64_t held = tn_load_relaxed(&source->held_bytes);
    tarn_addr addr;
    if (pool->desc.limit != 0 && (bytes > pool->desc.limit || held > pool->desc.limit - bytes)) {
        return tn_fail(TARN_NO_DEVICE_MEMORY, "the pool's limit of %llu bytes is reached",
                       (unsigned long long)pool->desc.limit);
    }
    tarn_status status = source->ops->grow(source, bytes, &addr);
    if (status != TARN_OK) {
        return status;
    }
    if (tn_subscribed()) {
        tn_pool_emit_heap(pool, TN_MEM_HEAP_BEGIN, addr, bytes, true);
    }
    status = tn_pool_add_span(pool, TN_LIST_FREE, addr, bytes);
    if (status != TARN_OK) {
        tn_pool_lose_segment(pool, addr, bytes, 0);
    }
    return status;
}

void tn_pool_lose_segment(tarn_pool *pool, tarn_addr addr, uint64_t bytes, uint32_t flags) {
    if (tn_subscribed()) {
        tn_pool_emit_heap(pool, TN_MEM_HEAP_END, addr, bytes, true);
    }
    pool->source->ops->shrink(pool->source, addr, bytes, flags);
}

// Gives wholly free segments back until at most `keep` bytes are held. Returns the bytes.
static uint64_t drop_segments(tarn_pool *pool, uint64_t keep, uint32_t flags) {
    uint64_t dropped = 0;
    if (tn_pool_in_hostfn(pool)) {
        return 0;
    }
    for (size_t i = pool->span_count; i > 0; i--) {
        tn_pool_span span = pool->spans[i - 1];
        if (tn_load_relaxed(&pool->source->held_bytes) <= keep) {
            break;
        }
        if (tn_pool_remove_span(pool, span.addr)) {
            tn_pool_lose_segment(pool, span.addr, span.bytes, flags);
            dropped += span.bytes;
        }
    }
    return dropped;
}

// What the pool may hold before free segments are given back for a new one: a quarter more than its
// blocks ever needed. They cannot be moved about as pages are.
static uint64_t fair_share(tarn_pool *pool, const tn_pool_want *want) {
    uint64_t needed = needed_bytes(pool, want);
    return needed + needed / 4;
}

static tarn_status grow_by_segment(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    uint64_t least =
        round_to((want->units << pool->unit_shift) + want->align + unit, pool->source->page_bytes);
    uint64_t usual = round_to(pool->desc.segment_bytes, pool->source->page_bytes);
    uint64_t fair = fair_share(pool, want);
    if (least > usual) {
        (void)drop_segments(pool, fair > least ? fair - least : 0, 0);
    }
    tarn_status status = add_segment(pool, least > usual ? least : usual);
    if (status == TARN_NO_DEVICE_MEMORY && least < usual) {
        status = add_segment(pool, least);
    }
    if (status == TARN_NO_DEVICE_MEMORY && drop_segments(pool, 0, 0) != 0) {
        status = add_segment(pool, least);
    }
    if (status == TARN_OK && !take(pool, want, node)) {
        status = TARN_NO_DEVICE_MEMORY; // other threads were faster
    }
    return status;
}

// ---- all together

static tarn_status grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    if (pool->source == NULL) {
        return TARN_NO_DEVICE_MEMORY;
    }
    tn_emit_for_pool(true);
    tarn_status status = pool->source->ops->map != NULL ? grow_by_pages(pool, want, node)
                                                        : grow_by_segment(pool, want, node);
    tn_emit_for_pool(false);
    return status;
}

tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    tarn_status status = TARN_OK;
    tn_mutex_lock(&pool->grow_lock);
    if (!take(pool, want, node) && !reclaim_and_take(pool, want, node, false)) {
        status = grow(pool, want, node);
        if (status != TARN_OK) {
            status = reclaim_and_take(pool, want, node, true) ? TARN_OK : grow(pool, want, node);
        }
    }
    tn_mutex_unlock(&pool->grow_lock);
    return status == TARN_NO_DEVICE_MEMORY ? tn_pool_refuse(pool, want) : status;
}

tarn_status tarn_pool_set_limit(tarn_pool *pool, uint64_t limit) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (pool->source == NULL && pool->fence == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "a fixed pool of %llu bytes never holds more",
                       (unsigned long long)pool->desc.bytes);
    }
    tn_mutex_lock(&pool->grow_lock);
    pool->desc.limit = limit;
    tn_mutex_unlock(&pool->grow_lock);
    return TARN_OK;
}

uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait) {
    tn_pool_source *source = pool->source;
    tn_mutex_lock(&pool->grow_lock);
    reclaim(pool, true, wait);
    uint64_t held = source != NULL ? tn_load_relaxed(&source->held_bytes) : 0;
    if (held > keep_bytes && source->ops->map == NULL) {
        (void)drop_segments(pool, keep_bytes, wait ? 0 : TARN_NO_WAIT);
    } else if (held > keep_bytes) {
        uint64_t pages = (held - keep_bytes + source->page_bytes - 1) / source->page_bytes;
        if (pages > source->spare) {
            (void)free_pages(pool, pages - source->spare);
        }
        source->ops->drain(source, source->spare > pages ? source->spare - pages : 0);
    }
    uint64_t released = source != NULL ? held - tn_load_relaxed(&source->held_bytes) : 0;
    tn_mutex_unlock(&pool->grow_lock);
    return released;
}

tarn_status tarn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, uint32_t flags,
                           uint64_t *released_bytes) {
    bool wait = (flags & TARN_NO_WAIT) == 0;
    tarn_status status = wait ? tn_pool_may_wait(pool) : tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if ((flags & ~TARN_NO_WAIT) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    }
    uint64_t released = tn_pool_trim(pool, keep_bytes, wait);
    if (released_bytes != NULL) {
        *released_bytes = released;
    }
    return TARN_OK;
}
