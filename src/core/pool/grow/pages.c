// SPDX-License-Identifier: Apache-2.0
// Growth of an expandable pool, under the growth lock. The pool maps handles into a hole,
// preferably next to a free piece that is almost long enough. The handles are spare, moved from
// under other free pieces, or new: policy.h decides how many may be new. Pieces whose pages are
// about to change are taken from the fit first, so that the device is never called under the fit
// lock.
#include "base/error.h"
#include "core/pool/grow/grow.h"
#include "core/pool/grow/policy.h"
#include "core/pool/plan/plan.h"
#include "core/pool/small/cache.h"

enum { HOLES = 128 }; // holes that are examined at most

// The place of a growth. The nodes are taken from the fit while handles are mapped.
struct site {
    uint32_t head; // the free piece before the hole; 0: none
    uint32_t hole;
    uint32_t tail;  // the free piece behind the hole, which is filled completely; 0: none
    tarn_addr addr; // of the hole
    uint64_t room;  // of the hole, in pages
    uint64_t lack;  // pages to map
};

// A growth that is decided.
struct step {
    struct site site;
    uint64_t fresh; // pages that may be new before others are moved
    uint64_t left;  // pages that may be new at most
    uint64_t room;  // pages that the device states to have
    bool single;    // one handle has all new pages
    uint64_t cap;   // pages of a new handle at most
    bool exact; // no page is created beyond the lack, as where a plan has the rest of the memory
    size_t created; // new handles, the last of the spare ones
    tn_movables moved;
    tn_movables unneeded; // exact: the handles that no block needs then
    uint64_t most;        // exact: bytes that the pool may hold
};

static uint64_t pages_for(const tarn_pool *pool, uint64_t units) {
    return (units + tn_pool_page_units(pool) - 1) / tn_pool_page_units(pool);
}

static uint64_t spare_pages(const tarn_pool *pool) {
    return pool->growth.source->handles.spare_bytes / pool->growth.source->page_bytes;
}

static uint64_t free_units(const tarn_pool *pool, uint32_t node) {
    return tn_piece_is_free(pool, node) ? tn_piece_units(pool, node) : 0;
}

// ---- the site

// Writes the site of `units` at one hole, next to free pieces. All spare handles are mapped with
// it. Returns false if there is none.
static bool judge_hole(const tarn_pool *pool, uint32_t hole, uint64_t units, struct site *site) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_hole(pool, hole));
    uint64_t spare = spare_pages(pool);
    uint32_t head = tn_piece_before(pool, hole);
    uint32_t tail = tn_piece_after(pool, hole);
    uint64_t have = free_units(pool, head);
    uint64_t room = tn_piece_units(pool, hole);
    uint64_t behind = free_units(pool, tail);
    *site = (struct site){head, hole, 0, 0, room / tn_pool_page_units(pool), 0};
    if (have == 0 || have >= units) return false;
    site->lack = pages_for(pool, units - have);
    site->lack = site->lack > spare ? site->lack : spare;
    if (site->lack > site->room && behind != 0 && have + room + behind >= units) {
        site->lack = site->room;
        site->tail = tail;
    }
    return site->lack <= site->room && spare <= site->room;
}

// The site of a fresh range of `pages`: the smallest hole, or else the largest one.
static struct site fresh_site(const tarn_pool *pool, uint64_t pages, bool smallest) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pages != 0);
    uint32_t best = 0;
    uint64_t most = pages * tn_pool_page_units(pool);
    int left = HOLES;
    uint32_t k = smallest ? tn_piece_at_least(pool, TN_LIST_ASIDE, most)
                          : tn_piece_largest(pool, TN_LIST_ASIDE);
    for (; k != 0 && left > 0 && (best == 0 || !smallest);
         k = tn_piece_next_larger(pool, k), left--) {
        if (tn_piece_units(pool, k) >= most) {
            best = k;
            most = smallest ? most : tn_piece_units(pool, k);
        }
    }
    return (struct site){0,    best, 0, 0, tn_piece_units(pool, best) / tn_pool_page_units(pool),
                         pages};
}

// Finds the site for `units` that lacks the fewest pages; a fresh range lacks `pages`. Under fit.
static struct site best_site(const tarn_pool *pool, uint64_t units, uint64_t pages) {
    struct site best = fresh_site(pool, pages, true);
    struct site site;
    int left = HOLES;
    for (uint32_t k = tn_piece_largest(pool, TN_LIST_ASIDE); k != 0 && left > 0; left--) {
        // Of equal ones, the one whose own piece is longer.
        if (judge_hole(pool, k, units, &site) &&
            (best.hole == 0 || site.lack < best.lack ||
             (site.lack == best.lack && best.head != 0 &&
              free_units(pool, site.head) > free_units(pool, best.head))))
            best = site;
        k = tn_piece_next_smaller(pool, k);
    }
    return best;
}

static tarn_status no_site(const tarn_pool *pool, uint64_t pages) {
    TN_REFUSE(!tn_piece_has_records(pool), TARN_NO_HOST_MEMORY,
              "the pool already uses all records of its %u pieces", tn_piece_records(pool));
    return tn_fail(TARN_NO_ADDRESS_SPACE,
                   "no hole of %llu pages is left in the reservation of %llu bytes",
                   (unsigned long long)pages, (unsigned long long)pool->growth.source->bytes);
}

// Takes a complete node out of the fit, which needs no record.
static void detach_node(tarn_pool *pool, uint32_t node) {
    if (node != 0) {
        (void)tn_piece_carve(pool, node, 0, tn_piece_units(pool, node));
        tn_piece_set_mark(pool, node, TN_MARK_GROWING);
    }
}

// Frees a site again, and the handles that were to move there. Under fit.
static void return_step(tarn_pool *pool, const struct step *step) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    const struct site *site = &step->site;
    tn_movables_return(pool, &step->moved);
    if (site->head != 0) (void)tn_piece_release(pool, site->head, false);
    if (site->tail != 0) (void)tn_piece_release(pool, site->tail, false);
    if (site->hole != 0) (void)tn_piece_release(pool, site->hole, true);
}

// ---- the decision

static uint64_t beyond(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static uint64_t fewer(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Sets how many pages may be new: up to the policy's goal, up to the limit, and at most `room`, which
// is what the device has.
static void set_amounts(tarn_pool *pool, const tn_pool_want *want, uint64_t room,
                        struct step *step) {
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t held = tn_pool_held_bytes(pool);
    uint64_t limit = pool->desc.limit != 0 ? pool->desc.limit : UINT64_MAX;
    uint64_t need = tn_pool_need(pool, want), goal = tn_policy_goal(pool, need);
    step->left = fewer(beyond(limit, held) / page, room);
    step->fresh = fewer(beyond(goal, held) / page, step->left);
    step->most = fewer(limit, held > need + page ? held : need + page);
    // Memory ahead of its use gets handles of the usual length, so that they can be moved.
    uint64_t usual = tn_policy_round(pool, 1, UINT64_MAX);
    uint64_t pages = pages_for(pool, want->units);
    step->cap = want->ahead == 0 ? UINT64_MAX : pages > usual ? pages : usual;
    // Before the pool holds more than its goal, it moves the free handles of shards too.
    if (pool->range.apart == TN_APART_TO_GOAL) step->left = step->fresh;
}

// Takes the handles that must move to a site, so that no more than `fresh` pages are new. Returns
// true if they suffice.
static bool take_movables(tarn_pool *pool, struct step *step) {
    const struct site *site = &step->site;
    uint64_t spare = spare_pages(pool);
    uint64_t want = beyond(beyond(site->lack, spare), step->fresh);
    step->moved = tn_movables_take(pool, want, beyond(site->room, spare));
    return step->moved.pages >= want;
}

static void take_site(tarn_pool *pool, struct step *step, const struct site *site) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_hole(pool, site->hole));
    step->site = *site;
    step->site.addr = tn_piece_addr(pool, site->hole);
    detach_node(pool, site->head);
    detach_node(pool, site->hole);
    detach_node(pool, site->tail);
}

// Decides on a site and the handles to move there, and takes them out of the fit. Returns true if
// the handles suffice.
static bool try_site(tarn_pool *pool, struct step *step, const struct site *site) {
    take_site(pool, step, site);
    return take_movables(pool, step);
}

// Decides where `units` go, and which handles move there. A handle may be too long for a hole; then
// the largest hole is used. Nothing is taken if the pool cannot have the pages. Under fit.
static tarn_status decide(tarn_pool *pool, uint64_t units, struct step *step) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0);
    uint64_t spare = spare_pages(pool);
    uint64_t pages = pages_for(pool, units) > spare ? pages_for(pool, units) : spare;
    const struct site fresh = fresh_site(pool, pages, false);
    const struct site best = best_site(pool, units, pages);
    if (best.hole == 0 || !tn_piece_has_records(pool)) return no_site(pool, pages);
    if (!try_site(pool, step, &best) && fresh.hole != 0 && pool->range.apart == TN_APART_NOT) {
        return_step(pool, step);
        if (!try_site(pool, step, &fresh)) {
            return_step(pool, step);
            (void)try_site(pool, step, &best);
        }
    }
    if (beyond(step->site.lack, spare + step->moved.pages) <= step->left) return TARN_OK;
    return_step(pool, step);
    return tn_pool_over_limit(pool);
}

// Decides on a fresh range and the handles that fill it without a rest, and takes those that are free
// beside them out of the fit, too. Nothing is taken if the pool would hold more than it may. There are
// no spare handles. Under fit.
static tarn_status decide_exact(tarn_pool *pool, uint64_t units, struct step *step) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0);
    uint64_t page = pool->growth.source->page_bytes, pages = pages_for(pool, units);
    const struct site site = fresh_site(pool, pages, true);
    if (site.hole == 0 || !tn_piece_has_records(pool)) return no_site(pool, pages);
    take_site(pool, step, &site);
    step->moved = tn_movables_take(pool, pages, pages);
    step->unneeded = tn_movables_take(pool, UINT64_MAX, UINT64_MAX);
    uint64_t kept = tn_pool_held_bytes(pool) - step->unneeded.pages * page;
    if (kept + (pages - step->moved.pages) * page <= step->most) return TARN_OK;
    tn_movables_return(pool, &step->unneeded);
    return_step(pool, step);
    return tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes in one piece need more than is free",
                   (unsigned long long)(pages * page));
}

// ---- the handles

// Creates handles until the pages that the site lacks are spare or about to move, or more where the
// policy rounds up. Where the device refuses a long one, shorter ones use up what it has left, if it
// may have enough. Handles that were created before a failure are spare.
static tarn_status create_handles(tarn_pool *pool, const struct step *step) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tn_pool_source *source = pool->growth.source;
    uint64_t spare = spare_pages(pool) + step->moved.pages;
    uint64_t lack = beyond(step->site.lack, spare);
    uint64_t room = step->exact ? 0 : fewer(beyond(step->site.room, spare), step->room);
    uint64_t left = tn_policy_round(pool, lack, fewer(step->fresh, room));
    uint64_t cap = step->cap; // what the device has refused is not tried again
    tarn_status status = TARN_OK;
    while (left != 0) {
        uint64_t pages = fewer(step->single ? left : tn_policy_handle(pool, left), cap);
        status = source->ops->create(source, pages);
        if (status == TARN_OK) {
            left -= pages;
            lack = beyond(lack, pages);
            continue;
        }
        bool fits = status == TARN_NO_DEVICE_MEMORY && pages > 1 &&
                    lack * source->page_bytes <= source->ops->room(source, true);
        if (!fits) break;
        left = lack;
        cap = pages / 2;
    }
    return lack == 0 ? TARN_OK : status;
}

// Creates the new handles and moves the chosen ones: the pages of the site are spare afterwards, the
// new ones last. The chosen ones stay where they are if a new one is refused.
static tarn_status supply_handles(tarn_pool *pool, struct step *step) {
    tn_pool_handles *handles = &pool->growth.source->handles;
    size_t old = handles->spare_count;
    tarn_status status = create_handles(pool, step);
    step->created = handles->spare_count - old;
    if (status != TARN_OK) return status;
    uint64_t moved = tn_movables_unmap(pool, &step->moved);
    step->moved.first = 0;
    size_t count = handles->spare_count - old - step->created;
    tn_pool_handles_defer(handles, old, step->created);
    (void)tn_add_relaxed(&pool->growth.moved_handles, count);
    (void)tn_add_relaxed(&pool->growth.moved_bytes, moved * pool->growth.source->page_bytes);
    return moved == step->moved.pages
               ? TARN_OK
               : tn_fail(TARN_NO_DEVICE_MEMORY, "the device refused to unmap %llu of %llu pages",
                         (unsigned long long)(step->moved.pages - moved),
                         (unsigned long long)step->moved.pages);
}

// Releases the handles that a refused step has created. *room becomes their pages, if the device
// stated no number.
static void undo_supply(tarn_pool *pool, const struct step *step, uint64_t *room) {
    tn_pool_source *source = pool->growth.source;
    uint64_t held = tn_pool_held_bytes(pool);
    if (step->created != 0)
        source->ops->drain(source, source->handles.spare_count - step->created, step->created);
    if (*room == 0) *room = (held - tn_pool_held_bytes(pool)) / source->page_bytes;
}

// Checks that the device may have the pages that a decided step needs, before any call. Where it
// states too few, *room becomes their number; if it may have more than it states, one handle of all
// pages finds out.
static tarn_status check_room(const tarn_pool *pool, struct step *step, uint64_t *room) {
    tn_pool_source *source = pool->growth.source;
    uint64_t need = beyond(step->site.lack, spare_pages(pool) + step->moved.pages);
    step->room = need != 0 ? source->ops->room(source, true) / source->page_bytes : 0;
    if (need <= step->room) return TARN_OK;
    *room = step->room;
    step->room = 0;
    step->single = true;
    if (need <= source->ops->room(source, false) / source->page_bytes) return TARN_OK;
    return tn_fail(TARN_NO_DEVICE_MEMORY,
                   "%llu pages of %llu bytes are needed; the device has %llu",
                   (unsigned long long)need, (unsigned long long)source->page_bytes,
                   (unsigned long long)*room);
}

// ---- growth

// Frees a site, whose hole now begins with `pages` mapped pages, for all streams, and takes the
// wanted piece out of it. Under fit.
static uint32_t settle_site(tarn_pool *pool, const tn_pool_want *want, const struct site *site,
                            uint64_t pages) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    uint32_t hole = tn_piece_release(pool, site->hole, true);
    uint32_t node =
        tn_piece_carve(pool, hole, (site->addr - tn_piece_addr(pool, hole)) >> pool->unit_shift,
                       pages * tn_pool_page_units(pool));
    if (site->head != 0) {
        tn_piece_join(pool, site->head);
        node = site->head;
    }
    if (site->tail != 0) tn_piece_join(pool, node);
    node = tn_piece_release(pool, node, false);
    return tn_pool_piece_take_from(pool, want, node);
}

// Grows once, by new handles of at most *room pages. On failure *room becomes the pages that the device
// provides, no new handle is left, and those that were moved are spare.
static tarn_status grow_once(tarn_pool *pool, const tn_pool_want *want, uint64_t *room,
                             uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct step step = {.single = false};
    tn_pool_source *source = pool->growth.source;
    uint64_t units = want->units + want->ahead + (want->align >> pool->unit_shift) - 1;
    if (want->exact) tn_pool_source_drain(source);
    set_amounts(pool, want, *room, &step);
    *room = 0;
    tn_pool_fit_lock_growing(pool);
    step.exact = want->exact || tn_plan_has_arena(pool);
    tarn_status status =
        want->exact ? decide_exact(pool, units, &step) : decide(pool, units, &step);
    tn_pool_fit_unlock(pool);
    if (status != TARN_OK) return status;
    if (step.unneeded.first != 0) {
        (void)tn_movables_unmap(pool, &step.unneeded);
        tn_pool_source_drain(source);
    }
    tarn_addr addr = step.site.addr;
    uint64_t pages = 0;
    status = check_room(pool, &step, room);
    if (status == TARN_OK) status = supply_handles(pool, &step);
    if (status == TARN_OK) {
        pages = spare_pages(pool);
        status = source->ops->map(source, tn_pool_page_at(pool, addr));
    }
    if (status != TARN_OK) {
        undo_supply(pool, &step, room);
        tn_pool_fit_lock_growing(pool);
        return_step(pool, &step);
        tn_pool_fit_unlock(pool);
        return status;
    }
    tn_granule_commit(&pool->map, addr, pages * source->page_bytes);
    tn_pool_fit_lock_growing(pool);
    *node = settle_site(pool, want, &step.site, pages);
    tn_pool_fit_unlock(pool);
    return *node != 0 ? TARN_OK : no_site(pool, pages);
}

// Where the device has too few new pages, the pool moves as many as those do not cover.
tarn_status tn_pool_grow_by_pages(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    uint64_t room = UINT64_MAX;
    tarn_status status = grow_once(pool, want, &room, node);
    bool again = status == TARN_NO_DEVICE_MEMORY && !want->exact;
    return again ? grow_once(pool, want, &room, node) : status;
}

// ---- memory at a given place

// The handles are exactly those of the place, so none is spare before.
static tarn_status back_once(tarn_pool *pool, uint64_t page, uint64_t pages, uint64_t *room) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && pages != 0);
    const tn_pool_want none = {.units = 0};
    tn_pool_source *source = pool->growth.source;
    struct step step = {.site = {.room = pages, .lack = pages}};
    tn_pool_source_drain(source);
    set_amounts(pool, &none, *room, &step);
    *room = 0;
    tn_pool_fit_lock_growing(pool);
    (void)take_movables(pool, &step);
    bool enough = beyond(pages, step.moved.pages) <= step.left;
    tn_pool_fit_unlock(pool);
    tarn_status status = enough ? check_room(pool, &step, room) : tn_pool_over_limit(pool);
    if (status == TARN_OK) status = supply_handles(pool, &step);
    if (status == TARN_OK) status = source->ops->map(source, page);
    if (status != TARN_OK) {
        undo_supply(pool, &step, room);
        TN_FIT_LOCKED(pool);
        tn_movables_return(pool, &step.moved);
    }
    return status;
}

tarn_status tn_pool_back(tarn_pool *pool, uint64_t page, uint64_t pages) {
    uint64_t room = UINT64_MAX;
    tarn_status status = back_once(pool, page, pages, &room);
    if (status == TARN_NO_DEVICE_MEMORY) status = back_once(pool, page, pages, &room);
    if (status == TARN_OK) {
        tn_granule_commit(&pool->map,
                          pool->growth.source->base + page * pool->growth.source->page_bytes,
                          pages * pool->growth.source->page_bytes);
    }
    return status;
}
