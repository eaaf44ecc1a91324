// SPDX-License-Identifier: Apache-2.0
// The check of an arena: every block of the pool has a record that is alive, and every loan in a
// record is a transit of some channel.
#include <stdlib.h>

#include "base/error.h"
#include "channel/channel.h"

struct sums {
    tarn_arena *arena;
    uint64_t blocks, lent;
    uint64_t dead; // of the pool's blocks: on the shelf, or lost
    tarn_status status;
};

static bool visit(const tarn_block *block, void *arg) {
    struct sums *sums = (struct sums *)arg;
    if (block->state != TARN_BLOCK_LIVE) {
        return true;
    }
    uint64_t offset = block->addr - (uintptr_t)sums->arena->shm.base;
    const struct tn_parcel_record *record = &sums->arena->records[offset / TN_SHM_PAGE];
    uint64_t life = tn_load_relaxed(&record->life);
    if (life == 0) {
        sums->dead++;
        return true;
    }
    if (record->bytes > block->occupied) {
        sums->status =
            tn_fail(TARN_CORRUPT, "block at offset %llu: life 0x%llx, %llu bytes of %llu",
                    (unsigned long long)offset, (unsigned long long)life,
                    (unsigned long long)record->bytes, (unsigned long long)block->occupied);
        return false;
    }
    sums->blocks++;
    sums->lent += tn_life_peer_holds(life);
    return true;
}

static tarn_status check_channel(tarn_channel *c, uint64_t *lent) {
    uint32_t used = 0;
    uint32_t held = 0;
    for (uint32_t i = 0; i < c->transits.count; i++) {
        used += c->transits.table[i].used;
    }
    for (uint32_t i = 0; i < c->held.count; i++) {
        held += c->held.table[i].holds != 0;
    }
    *lent += used;
    if (used != c->transits.used || held != c->held.used) {
        return tn_fail(TARN_CORRUPT, "%u transits counted as %u, %u held as %u", used,
                       c->transits.used, held, c->held.used);
    }
    return TARN_OK;
}

tarn_status tarn_arena_verify(tarn_arena *arena) {
    struct sums sums = {.arena = arena, .status = TARN_OK};
    uint64_t transits = 0;
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK || (status = tarn_pool_verify(arena->pool)) != TARN_OK) {
        return status;
    }
    status = tarn_pool_walk(arena->pool, visit, &sums);
    if (status != TARN_OK || sums.status != TARN_OK) {
        return status != TARN_OK ? status : sums.status;
    }
    for (tarn_channel *c = arena->peers; c != NULL; c = c->next_peer) {
        status = check_channel(c, &transits);
        if (status != TARN_OK) {
            return status;
        }
    }
    uint64_t live = tn_load_relaxed(&arena->live);
    if (sums.blocks != live || sums.lent != transits || sums.dead != arena->cache.count) {
        return tn_fail(TARN_CORRUPT,
                       "%llu blocks, %llu alive; %llu dead, %u on the shelf; %llu loans, %llu "
                       "transits",
                       (unsigned long long)sums.blocks, (unsigned long long)live,
                       (unsigned long long)sums.dead, arena->cache.count,
                       (unsigned long long)sums.lent, (unsigned long long)transits);
    }
    return TARN_OK;
}
