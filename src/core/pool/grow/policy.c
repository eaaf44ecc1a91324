// SPDX-License-Identifier: Apache-2.0
// The policy of an expandable pool. See policy.h. The numbers were chosen on recordings of real
// programs (docs/performance.md).
#include "core/pool/grow/policy.h"

#define UNIT_MIN    (UINT64_C(8) << 20)
#define UNIT_MAX    (UINT64_C(32) << 20)
#define UNIT_PARTS  64 // a round step is this part of the bytes held
#define NEVER_MOVES UINT64_MAX
#define FILL_NS     UINT64_C(20000000) // for the handles of a complete device
#define PARTS_MAX   UINT64_C(2048)
#define LIMIT_MAX   (UINT64_C(80) << 30)

// The largest handle is a part of the limit, so that the limit can be used up. A smaller one is a
// part of the request or of the pool, and at least `floor`: short handles serve a small pool on a
// large device.
static const struct {
    uint64_t slack;         // what the pool may hold beyond the need of its blocks, in 1/1000
    uint64_t device_parts;  // the largest handle of all: this part of the device's memory,
    uint64_t limit_parts;   // or of the pool's limit
    uint64_t pool_parts;    // this part of what the pool holds then,
    uint64_t pool_scale;    // twice the part at so many bytes, three times at twice as many
    uint64_t request_parts; // and of the growth
    uint64_t floor;
    bool rounds; // growth is rounded up
} settings[] = {
    [TARN_POOL_BALANCED] = {100, 256, 384, 256, UINT64_C(512) << 20, 3, UINT64_C(16) << 20, true},
    [TARN_POOL_TIME] = {NEVER_MOVES, 320, 320, 1, UINT64_MAX, 1, 0, true},
    [TARN_POOL_MEMORY] = {5, 4096, 4096, 1024, UINT64_MAX, 64, UINT64_C(4) << 20, false},
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

uint64_t tn_policy_goal(const tarn_pool *pool, uint64_t needed) {
    uint64_t slack = settings[pool->desc.policy].slack;
    return slack == NEVER_MOVES ? UINT64_MAX : needed + needed / 1000 * slack;
}

uint64_t tn_policy_round(const tarn_pool *pool, uint64_t lack, uint64_t room) {
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t unit = round_down(tn_load_relaxed(&pool->growth.source->held_bytes) / UNIT_PARTS);
    // The bytes whose creation costs as much as another handle. More are not created ahead.
    uint64_t gib_ns = pool->growth.source->costs.gib_ns;
    uint64_t worth = gib_ns == 0 ? UINT64_MAX : (handle_ns(pool) << 30) / gib_ns;
    unit = unit < UNIT_MIN ? UNIT_MIN : unit > UNIT_MAX ? UNIT_MAX : unit;
    unit = round_down(unit < worth ? unit : worth) / page;
    uint64_t rounded = unit > 1 ? (lack + unit - 1) / unit * unit : lack;
    return settings[pool->desc.policy].rounds && rounded <= room ? rounded : lack;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t tn_policy_cap(const tarn_pool *pool, uint64_t pages) {
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t held = tn_load_relaxed(&pool->growth.source->held_bytes) + pages * page;
    uint64_t limit = pool->desc.limit;
    uint64_t most = settings[pool->desc.policy].limit_parts;
    if (limit == 0) {
        limit = pool->growth.source->capacity;
        most = settings[pool->desc.policy].device_parts;
    }
    // Handles that must move are not longer on a device that is larger than the pool needs.
    if (settings[pool->desc.policy].slack != NEVER_MOVES)
        limit = limit < larger(LIMIT_MAX, held) ? limit : larger(LIMIT_MAX, held);
    uint64_t part = held / settings[pool->desc.policy].pool_parts;
    part +=
        (uint64_t)((double)part * (double)held / (double)settings[pool->desc.policy].pool_scale);
    uint64_t bytes = larger(part, pages * page / settings[pool->desc.policy].request_parts);
    bytes = larger(bytes, settings[pool->desc.policy].floor);
    // On a device with cheap calls, handles are shorter.
    uint64_t parts = FILL_NS / handle_ns(pool);
    parts = parts < PARTS_MAX ? parts : PARTS_MAX;
    most = larger(most, round_down(parts));
    bytes = round_down(bytes);
    return larger((bytes < limit / most ? bytes : limit / most) / page, 1);
}
