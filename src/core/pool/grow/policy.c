// SPDX-License-Identifier: Apache-2.0
// The policy of an expandable pool. See policy.h. The numbers were chosen on recordings of real
// programs (docs/performance.md).
#include "core/pool/grow/policy.h"

#define UNIT_LEAST  (UINT64_C(4) << 20)
#define UNIT_MAX    (UINT64_C(256) << 20)
#define FLOOR_LEAST (UINT64_C(8) << 20)
#define SHORT_LEAST (UINT64_C(64) << 10)
#define SHORT_MAX   (UINT64_C(256) << 10)
#define SHORT_PARTS 4096 // of the limit
#define SMALL_PARTS 8    // of what a pool holds: the most of a step and of `floor`
#define NEVER_MOVES UINT64_MAX
#define FILL_NS     UINT64_C(20000000) // for the handles of a complete device
#define PARTS_MAX   UINT64_C(2048)
#define NEAR        UINT64_C(300) // from the limit, in 1/1000 of the need
#define NEAR_SLACK  UINT64_C(50)  // the least slack there

// A handle may be a part of its growth that is so many times as large as its part of the limit: a 25th
// of the growth where it is a 256th of the limit.
#define GROWTH_SHARE 10

// A handle has at most `floor` and a part of what the pool then holds. A free piece may end within
// a handle, which cannot move then, so longer handles would use up the slack. The size of the
// device does not matter here, because the policy holds on every device.
//
// Where the room below the limit, or that of the device, comes to an end, handles are shorter, so
// that the room can be used up: from two parts of the limit down to about half a part. The handles
// of a large growth stay longer, because many short ones would cost more than the block's own
// allocation without a pool.
static const struct {
    uint64_t slack; // what the pool may hold beyond the need of its blocks, in 1/1000
    uint64_t floor;
    uint64_t pool_parts;
    uint64_t device_parts;
    uint64_t limit_parts; // the same of the pool's own limit
    uint64_t unit_parts;  // growth is rounded up to this part of the bytes held; 0: it is not
    uint64_t unit_min;
} settings[] = {
    [TARN_POOL_BALANCED] = {100, UINT64_C(48) << 20, 28, 256, 384, 100, UINT64_C(48) << 20},
    [TARN_POOL_TIME] = {NEVER_MOVES, 0, 1, 256, 256, 128, UINT64_C(16) << 20},
    [TARN_POOL_MEMORY] = {5, UINT64_C(4) << 20, 1024, 2048, 2048, 0, 0},
};

// The time of a handle, to create, map and grant it. Where it is unknown, that of a data-centre
// GPU.
static uint64_t handle_ns(const tarn_pool *pool) {
    const tarn_backend_costs *costs = &pool->growth.source->costs;
    uint64_t ns = costs->create_ns + costs->map_ns + costs->access_ns;
    return ns != 0 ? ns : 72000;
}

static uint64_t round_down(uint64_t n) {
    return n == 0 ? 0 : UINT64_C(1) << (63 - __builtin_clzll(n));
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

static bool moves(const tarn_pool *pool) {
    return settings[pool->desc.policy].slack != NEVER_MOVES;
}

// Returns `bytes`, or less in a small pool: one step or one handle could be its complete slack.
static uint64_t in_slack(const tarn_pool *pool, uint64_t held, uint64_t bytes, uint64_t least) {
    return moves(pool) ? lesser(bytes, larger(held / SMALL_PARTS, least)) : bytes;
}

// Returns the bytes that the pool can hold.
static uint64_t most(const tarn_pool *pool) {
    return pool->desc.limit != 0 ? pool->desc.limit : pool->growth.source->capacity;
}

// Near its limit, a pool that moves handles as early as far from it would leave its blocks in more places,
// and need more than one of another policy.
uint64_t tn_policy_goal(const tarn_pool *pool, uint64_t needed) {
    uint64_t slack = settings[pool->desc.policy].slack;
    bool near = pool->desc.limit != 0 && needed + needed / 1000 * NEAR > pool->desc.limit;
    slack = near ? larger(slack, NEAR_SLACK) : slack;
    return slack == NEVER_MOVES ? UINT64_MAX : needed + needed / 1000 * slack;
}

// A block that is a larger part of the limit is no longer one of many: the pieces of the other list
// would be too few for it.
uint64_t tn_policy_short(const tarn_pool *pool) {
    return lesser(larger(most(pool) / SHORT_PARTS, SHORT_LEAST), SHORT_MAX);
}

uint64_t tn_policy_round(const tarn_pool *pool, uint64_t lack, uint64_t room) {
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t parts = settings[pool->desc.policy].unit_parts;
    if (parts == 0) return lack;
    uint64_t held = tn_load_relaxed(&pool->growth.source->held_bytes);
    uint64_t unit = in_slack(pool, held, settings[pool->desc.policy].unit_min, UNIT_LEAST);
    unit = lesser(larger(held / parts, unit), UNIT_MAX);
    // Where handles move, a growth of two steps or more is exact: blocks in its rest would keep its
    // last handle from moving.
    if (moves(pool) && lack * page >= 2 * unit) return lack;
    // The bytes whose creation costs as much as another handle. More are not created ahead.
    uint64_t gib_ns = pool->growth.source->costs.gib_ns;
    uint64_t worth = gib_ns == 0 ? UINT64_MAX : (handle_ns(pool) << 30) / gib_ns;
    unit = lesser(unit, worth) / page;
    uint64_t rounded = unit > 1 ? (lack + unit - 1) / unit * unit : lack;
    return rounded <= room ? rounded : lack;
}

// Returns the bytes of the largest handle that the limit allows in a growth by `bytes`.
static uint64_t limit_cap(const tarn_pool *pool, uint64_t bytes) {
    uint64_t held = tn_load_relaxed(&pool->growth.source->held_bytes);
    uint64_t limit = most(pool);
    // On a device with cheap calls, handles are shorter.
    uint64_t parts = round_down(lesser(FILL_NS / handle_ns(pool), PARTS_MAX));
    parts = larger(parts, pool->desc.limit != 0 ? settings[pool->desc.policy].limit_parts
                                                : settings[pool->desc.policy].device_parts);
    uint64_t two_parts = limit / (parts / 2);
    double room = limit > held ? (double)(limit - held) / (double)limit : 0;
    uint64_t cap = larger((uint64_t)(room * room * (double)two_parts), limit / (7 * parts / 4));
    return larger(cap, lesser(bytes / (parts / GROWTH_SHARE), two_parts));
}

uint64_t tn_policy_handle(const tarn_pool *pool, uint64_t pages) {
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t held = tn_load_relaxed(&pool->growth.source->held_bytes) + pages * page;
    uint64_t own = in_slack(pool, held, settings[pool->desc.policy].floor, FLOOR_LEAST);
    own += held / settings[pool->desc.policy].pool_parts;
    uint64_t cap = larger(lesser(own, limit_cap(pool, pages * page)) / page, 1);
    // Handles of about equal length: none is much shorter, and one may be half as long again.
    uint64_t count = larger((pages + cap / 2) / cap, 1);
    return (pages + count - 1) / count;
}
