// SPDX-License-Identifier: Apache-2.0
// The order of means when nothing fits, under the growth lock. How pages and segments are added is
// in pages.c and segments.c.
#include "core/pool/grow/grow.h"
#include "base/decide.h"
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/fit/shard.h"
#include "core/pool/grow/policy.h"
#include "core/pool/plan/plan.h"
#include "core/pool/pool.h"
#include "core/pool/small/count.h"

enum {
    AHEAD_ROOM = 4,    // growth for a chunk adds up to this part of what the policy allows,
    AHEAD_HELD = 16,   // and of what the pool holds
    MOVED_PART = 32,   // handles of this part of it are moved rather than new ones created
    SEARCHED_PART = 2, // of that part: growth without another search for them
    EXACT_PART = 128   // of the need: free memory that is not worth a move
};

// ---- growth

static tarn_status grow_source(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    if (pool->growth.source == NULL) return TARN_NO_DEVICE_MEMORY;
    tn_emit_for_pool(true);
    tarn_status status = pool->growth.source->ops->map != NULL
                             ? tn_pool_grow_by_pages(pool, want, node)
                             : tn_pool_grow_by_segment(pool, want, node);
    tn_emit_for_pool(false);
    if (status == TARN_OK) tn_pool_shard_grown(pool);
    return status;
}

static bool take_run(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TN_FIT_LOCKED(pool);
    *node = tn_pool_piece_take_run(pool, want);
    return *node != 0;
}

static bool take_any(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    return tn_pool_take(pool, want, node) || take_run(pool, want, node);
}

// For a guest, once the work of the sole slot has passed.
static bool take_settled(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    if (!tn_pool_sole_welcomes(pool, want->slot)) return false;
    tn_pool_reclaim(pool, false, false);
    TN_FIT_LOCKED(pool);
    *node = tn_pool_piece_take_settled(pool, want);
    return *node != 0;
}

// Returns the bytes that the pool may add for `want` and after it before it holds more than its goal.
static uint64_t room_to_goal(tarn_pool *pool, const tn_pool_want *want) {
    uint64_t held = tn_pool_held_bytes(pool);
    uint64_t goal = tn_policy_goal(pool, tn_pool_need(pool, want));
    return goal > held ? goal - held : 0;
}

// Returns true if handles that can be moved, those of shards included, would serve `want` and are
// worth the end of the shards' chunks. Segments do not move. The search takes the locks of shards
// from their threads, so it is repeated only once the pool has grown by a part of that worth.
static bool has_movables(tarn_pool *pool, const tn_pool_want *want) {
    uint64_t bytes = want->units << pool->unit_shift;
    uint64_t held = tn_pool_held_bytes(pool);
    uint64_t worth = held / MOVED_PART;
    uint64_t least = bytes > worth ? bytes : worth;
    uint64_t last = pool->growth.searched_bytes;
    if (pool->growth.source->ops->map == NULL) return false;
    if (bytes <= worth && held >= last && held - last < worth / SEARCHED_PART) return false;
    bool found =
        tn_pool_shard_sum(pool, tn_pool_page_units(pool), least, tn_movable_bytes) >= least;
    if (bytes <= worth) pool->growth.searched_bytes = found ? 0 : held;
    return found;
}

// Adds memory, as a chunk of the thread's shard if it can have one more. A chunk has room for more,
// so that its thread need not grow again soon.
static bool add_apart(tarn_pool *pool, const tn_pool_want *want, uint64_t room, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && pool->range.apart != TN_APART_NOT);
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    uint64_t held = tn_pool_held_bytes(pool);
    uint64_t bytes = want->units << pool->unit_shift;
    uint64_t ahead = room > bytes ? (room - bytes) / AHEAD_ROOM : 0;
    tn_pool_want chunk = *want;
    bool divides = pool->growth.source->ops->map != NULL || tn_pool_segment_divides(pool, want);
    if (!divides || !tn_pool_shard_accepts(cache, want))
        return grow_source(pool, want, node) == TARN_OK;
    chunk.mark = TN_MARK_CHUNK;
    chunk.ahead = (ahead < held / AHEAD_HELD ? ahead : held / AHEAD_HELD) >> pool->unit_shift;
    if (grow_source(pool, &chunk, node) != TARN_OK) return false;
    *node = tn_pool_shard_adopt(pool, cache, want, *node);
    return *node != 0;
}

// Grows without the pieces of shards, so that their threads go on meanwhile. Another thread may
// have grown the pool just before. Beyond its goal the pool grows so only if moved handles would not
// prevent that.
static bool grow_apart(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && pool->range.apart == TN_APART_NOT);
    if (!tn_pool_shard_may_stay(pool, want)) return false;
    pool->range.apart = TN_APART_TO_GOAL;
    bool done = tn_pool_take(pool, want, node);
    if (!done) {
        uint64_t room = room_to_goal(pool, want);
        bool moves = room < want->units << pool->unit_shift && has_movables(pool, want);
        done = (room != 0 || moves) && add_apart(pool, want, room, node);
        if (!done && !moves) {
            pool->range.apart = TN_APART_TO_LIMIT;
            done = add_apart(pool, want, 0, node);
        }
    }
    pool->range.apart = TN_APART_NOT;
    return done;
}

// A seed may let the pool grow as if the work of no other stream had passed yet. The slot's own memory
// is free for it in every order.
static bool grows_by_seed(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    return tn_decides() &&
           tn_decide(&tn_process_decider, TN_DECIDE_REUSE, 2,
                     "a pool grows by %llu byte(s) before the work of other streams has passed",
                     (unsigned long long)want->bytes) != 0 &&
           (tn_pool_take(pool, want, node) || grow_source(pool, want, node) == TARN_OK);
}

static bool take_planned(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    *node = tn_plan_arena_host(pool, want);
    return *node != 0 ||
           (pool->plan != NULL && tn_plan_arena_yield(pool, want, tn_pool_used_bytes(pool)) &&
            take_any(pool, want, node));
}

// Returns true if an exact piece would make the pool hold less: its free handles can move there, and
// those that it does not need are released.
static bool saves_memory(tarn_pool *pool, const tn_pool_want *want) {
    if (pool->growth.source == NULL || pool->growth.source->ops->map == NULL) return false;
    tn_pool_reclaim(pool, false, false);
    uint64_t need = tn_pool_need(pool, want);
    return tn_pool_held_bytes(pool) > need + need / EXACT_PART;
}

// Grows for an exact piece. A pool of segments releases those that are free, and then holds no more than
// before, unless its blocks need that.
static tarn_status grow_exact(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && want->exact);
    const tn_pool_source *source = pool->growth.source;
    if (source == NULL || source->ops->map != NULL) return grow_source(pool, want, node);
    uint64_t held = tn_pool_held_bytes(pool), need = tn_pool_need(pool, want);
    uint64_t bytes = want->units << pool->unit_shift;
    tn_pool_release_to(pool, 0, TARN_NO_WAIT);
    TN_REFUSE(tn_pool_held_bytes(pool) + bytes > (held > need ? held : need), TARN_NO_DEVICE_MEMORY,
              "%llu bytes in one piece need more than is free", (unsigned long long)bytes);
    return grow_source(pool, want, node);
}

// The cheap steps come first: memory of streams that the slot follows, memory that another thread
// has freed meanwhile, memory that this thread can reclaim, and growth. The last resort interrupts
// all threads, waits for streams, and tries to grow once more, because memory may have returned to
// the device.
static tarn_status take_or_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && want->units != 0 && want->slot < TN_POOL_SLOTS);
    if (want->exact && saves_memory(pool, want) && grow_source(pool, want, node) == TARN_OK)
        return TARN_OK;
    if (grow_apart(pool, want, node)) return TARN_OK;
    if (tn_pool_reuse_take(pool, want, node)) return TARN_OK;
    if (grows_by_seed(pool, want, node)) return TARN_OK;
    if (take_settled(pool, want, node)) return TARN_OK;
    if (tn_pool_take(pool, want, node)) return TARN_OK;
    tn_pool_reclaim(pool, false, false);
    if (take_any(pool, want, node)) return TARN_OK;
    if (take_planned(pool, want, node)) return TARN_OK;
    if (want->exact) return grow_exact(pool, want, node); // the memory of a plan is not waited for
    if (grow_source(pool, want, node) == TARN_OK) return TARN_OK;
    tn_pool_reclaim(pool, true, true);
    (void)tn_plan_arena_return_empty(pool);
    if (take_any(pool, want, node)) return TARN_OK;
    return grow_source(pool, want, node);
}

// Checks that the pool could serve `want` if all of its blocks were free. A request that it never can
// serve costs no wait and no call of the device.
static tarn_status check_size(const tarn_pool *pool, const tn_pool_want *want) {
    const tn_pool_source *source = pool->growth.source;
    if (source == NULL) return TARN_OK;
    uint64_t held = tn_pool_held_bytes(pool);
    uint64_t limit = pool->desc.limit != 0 ? pool->desc.limit : UINT64_MAX;
    uint64_t total = source->total != 0 ? source->total : UINT64_MAX;
    uint64_t most = limit < total ? limit : total;
    uint64_t bytes = want->units << pool->unit_shift;
    if (bytes <= most || bytes <= held) return TARN_OK;
    return limit < total ? tn_pool_over_limit(pool)
                         : tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes of a device that has %llu",
                                   (unsigned long long)bytes, (unsigned long long)total);
}

tn_pool_holding tn_pool_growth_holding(const tarn_pool *pool) {
    const tn_pool_source *source = pool->growth.source;
    if (source == NULL) return (tn_pool_holding){0, 0};
    return (tn_pool_holding){tn_load_relaxed(&source->held_bytes),
                             tn_load_relaxed(&source->peak_held_bytes)};
}

void tn_pool_undo_growth(tarn_pool *pool, tn_pool_holding before) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tn_pool_source *source = pool->growth.source;
    if (source == NULL) return;
    if (tn_pool_held_bytes(pool) > before.bytes)
        tn_pool_release_to(pool, before.bytes, TARN_NO_WAIT);
    uint64_t now = tn_pool_held_bytes(pool);
    tn_store_relaxed(&source->peak_held_bytes, now > before.peak ? now : before.peak);
}

tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && *node == 0);
    const tn_pool_holding before = tn_pool_growth_holding(pool);
    tarn_status status = check_size(pool, want);
    if (status == TARN_OK) status = take_or_grow(pool, want, node);
    if (status != TARN_OK) tn_pool_undo_growth(pool, before);
    return status;
}
