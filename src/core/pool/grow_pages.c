// SPDX-License-Identifier: Apache-2.0
// Growth of an expandable pool, under the growth lock. The pool maps pages into a hole, preferably
// behind a free piece that is almost long enough. The pages are spare, new, or moved from under
// other free pieces. New pages are preferred while the pool then holds little more than its blocks
// ever needed (`slack_permille`), moved ones after that.
#include "base/error.h"
#include "core/pool/grow.h"
#include "core/pool/notify.h"

enum {
    SLACK_DEFAULT = 20,
    CANDIDATES = 32,   // free pieces that are considered for extension
    VICTIMS = 16,      // pieces whose pages are moved in one round
    EXAMINED_MAX = 256 // free pieces that are searched for complete pages in one round
};

// Pieces whose pages are about to change are taken from the fit first, so that the device is never
// called under the fit lock.

// A hole, and perhaps the free piece right before it, taken from the fit while pages are mapped.
struct site {
    uint32_t head; // 0: none
    uint32_t hole;
    uint64_t pages;
};

static uint64_t page_units(const tarn_pool *pool) {
    return pool->source->page_bytes >> pool->unit_shift;
}

static uint64_t pages_for(const tarn_pool *pool, uint64_t units) {
    return (units + page_units(pool) - 1) / page_units(pool);
}

// The number of the page that starts at the start of a node.
static uint64_t first_page(const tarn_pool *pool, uint32_t node) {
    tarn_addr addr = tn_pool_addr(pool, tn_fit_start(&pool->fit, node));
    return (addr - pool->source->base) / pool->source->page_bytes;
}

// Returns, among a few of the longest free pieces before a hole, the one that lacks the fewest
// pages for `units`; 0 if none lacks fewer than *pages.
static uint32_t best_head(const tarn_pool *pool, uint64_t units, uint64_t *pages) {
    const tn_fit *fit = &pool->fit;
    uint32_t best = 0;
    int left = CANDIDATES;
    for (uint32_t k = tn_fit_at_most(fit, pool->free_list, units); k != 0 && left > 0; left--) {
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
        return tn_fail(TARN_NO_HOST_MEMORY, "the pool already uses all records of its %u pieces",
                       pool->fit.used);
    }
    return tn_fail(TARN_NO_ADDRESS_SPACE,
                   "no hole of %llu pages is left in the reservation of %llu bytes",
                   (unsigned long long)pages, (unsigned long long)pool->source->bytes);
}

static uint32_t detach_node(tarn_pool *pool, uint32_t node, uint64_t skip, uint64_t units) {
    uint32_t taken = tn_fit_carve(&pool->fit, node, skip, units);
    if (taken != 0) {
        tn_fit_set_mark(&pool->fit, taken, TN_MARK_GROWING);
    }
    return taken;
}

static tarn_status find_site(tarn_pool *pool, const tn_pool_want *want, struct site *site) {
    tn_fit *fit = &pool->fit;
    uint64_t units = want->units + (want->align >> pool->unit_shift) - 1;
    *site = (struct site){0, 0, pages_for(pool, units)};
    tn_pool_fit_lock(pool);
    bool room = tn_fit_room(fit) >= TN_POOL_NODE_RESERVE;
    uint32_t head = room ? best_head(pool, units, &site->pages) : 0;
    if (head != 0) {
        uint32_t hole = tn_fit_after(fit, head);
        site->head = detach_node(pool, head, 0, tn_fit_units(fit, head));
        site->hole = detach_node(pool, hole, 0, site->pages * page_units(pool));
    } else if (room) {
        site->hole = tn_fit_take(fit, TN_LIST_ASIDE, site->pages * page_units(pool), 1);
        tn_fit_set_mark(fit, site->hole, TN_MARK_GROWING);
    }
    tn_pool_fit_unlock(pool);
    return site->hole != 0 ? TARN_OK : no_site(pool, site->pages);
}

// Takes up to VICTIMS runs of complete free pages out of the fit, those of the smallest pieces
// first: that costs more calls now, but keeps long pieces for the next large block.
static unsigned collect_victims(tarn_pool *pool, uint64_t pages, uint32_t victims[VICTIMS]) {
    tn_fit *fit = &pool->fit;
    uint64_t per = page_units(pool);
    unsigned count = 0;
    int left = EXAMINED_MAX;
    uint32_t next;
    tn_pool_fit_lock(pool);
    left = pool->unsettled ? 0 : left; // the pages may be in use
    for (uint32_t k = tn_fit_at_least(fit, pool->free_list, per);
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
            victims[count++] = detach_node(pool, k, end - moved * per - start, moved * per);
            pages -= moved;
        }
    }
    tn_pool_fit_unlock(pool);
    return count;
}

// Unmaps the pages of one victim. Returns their number; 0 if the device refused.
static uint64_t unmap_victim(tarn_pool *pool, uint32_t victim) {
    uint64_t pages = tn_fit_units(&pool->fit, victim) / page_units(pool);
    tarn_status status = pool->source->ops->unmap(pool->source, first_page(pool, victim), pages);
    bool done = status == TARN_OK;
    tn_pool_fit_lock(pool);
    (void)tn_fit_free(&pool->fit, victim, done ? TN_LIST_ASIDE : pool->free_list);
    tn_pool_fit_unlock(pool);
    return done ? pages : 0;
}

uint64_t tn_pool_free_pages(tarn_pool *pool, uint64_t pages) {
    uint64_t got = 0;
    uint64_t before;
    do {
        uint32_t victims[VICTIMS];
        unsigned count = collect_victims(pool, pages - got, victims);
        before = got;
        for (unsigned i = 0; i < count; i++) {
            got += unmap_victim(pool, victims[i]);
        }
    } while (got < pages && got != before);
    return got;
}

// Makes up to `pages` mapped free pages spare, for another address. Returns their number.
static uint64_t move_pages(tarn_pool *pool, uint64_t pages) {
    uint64_t got = pages != 0 ? tn_pool_free_pages(pool, pages) : 0;
    (void)tn_add_relaxed(&pool->moved_bytes, got * pool->source->page_bytes);
    return got;
}

// The number of new pages that the pool may create before it prefers to move others.
static uint64_t slack_pages(tarn_pool *pool, const tn_pool_want *want) {
    uint64_t slack = pool->desc.slack_permille != 0 ? pool->desc.slack_permille : SLACK_DEFAULT;
    uint64_t page = pool->source->page_bytes;
    uint64_t needed = tn_pool_needed(pool, want);
    uint64_t goal = needed + needed / 1000 * slack;
    uint64_t held = tn_pool_held_bytes(pool);
    if (slack >= 1000) {
        return UINT64_MAX;
    }
    return goal > held ? (goal - held + page - 1) / page : 0;
}

// Creates pages until `pages` are spare, within the pool's limit. On failure those that could be
// created stay spare.
static tarn_status create_pages(tarn_pool *pool, uint64_t pages) {
    tn_pool_source *source = pool->source;
    uint64_t limit = pool->desc.limit != 0 ? pool->desc.limit : UINT64_MAX;
    uint64_t held = tn_pool_held_bytes(pool);
    uint64_t allowed = source->spare + (limit > held ? (limit - held) / source->page_bytes : 0);
    uint64_t goal = pages < allowed ? pages : allowed;
    tarn_status status = goal > source->spare ? source->ops->fill(source, goal) : TARN_OK;
    return status == TARN_OK && goal < pages ? tn_pool_over_limit(pool) : status;
}

static uint64_t missing_pages(const tarn_pool *pool, uint64_t pages) {
    return pages > pool->source->spare ? pages - pool->source->spare : 0;
}

// Makes `pages` pages spare. Pages beyond the slack are moved first, the rest is created. Where
// creation stops, at the limit or because the device is full, the missing pages are moved. A move
// may lose pages to a refusal of the device; as long as it brings any, creation is tried again.
static tarn_status supply_pages(tarn_pool *pool, const tn_pool_want *want, uint64_t pages) {
    uint64_t slack = slack_pages(pool, want);
    uint64_t missing = missing_pages(pool, pages);
    (void)move_pages(pool, missing > slack ? missing - slack : 0);
    tarn_status status = create_pages(pool, pages);
    while (status != TARN_OK && move_pages(pool, missing_pages(pool, pages)) != 0) {
        status = create_pages(pool, pages);
    }
    return status;
}

// Frees a site, whose hole is now mapped, for all streams, and takes the wanted piece out of it.
static uint32_t settle_site(tarn_pool *pool, const tn_pool_want *want, const struct site *site) {
    tn_fit *fit = &pool->fit;
    uint32_t node = site->head != 0 ? site->head : site->hole;
    tn_pool_fit_lock(pool);
    if (site->head != 0) {
        tn_fit_join(fit, site->head);
    }
    node = tn_fit_free(fit, node, pool->free_list);
    node = tn_pool_piece_take_from(pool, want, node);
    tn_pool_fit_unlock(pool);
    return node;
}

static void abandon_site(tarn_pool *pool, const struct site *site) {
    tn_pool_fit_lock(pool);
    if (site->head != 0) {
        (void)tn_fit_free(&pool->fit, site->head, pool->free_list);
    }
    (void)tn_fit_free(&pool->fit, site->hole, TN_LIST_ASIDE);
    tn_pool_fit_unlock(pool);
}

tarn_status tn_pool_grow_by_pages(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    struct site site;
    tn_pool_source *source = pool->source;
    tarn_status status = find_site(pool, want, &site);
    if (status != TARN_OK) {
        return status;
    }
    status = supply_pages(pool, want, site.pages);
    if (status == TARN_OK) {
        status = source->ops->map(source, first_page(pool, site.hole), site.pages);
    }
    if (status != TARN_OK) {
        abandon_site(pool, &site);
        return status;
    }
    tn_granule_commit(&pool->map, tn_pool_addr(pool, tn_fit_start(&pool->fit, site.hole)),
                      site.pages * source->page_bytes);
    *node = settle_site(pool, want, &site);
    return *node != 0 ? TARN_OK : no_site(pool, site.pages);
}
