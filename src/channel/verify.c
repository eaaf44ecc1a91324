// SPDX-License-Identifier: Apache-2.0
// The self-check of an arena. Every block of the pool must have a live record or be cached, and
// every peer's hold in a record must be a transit of some channel. No other call on it may run.
#include <inttypes.h>

#include "base/error.h"
#include "channel/channel.h"

struct sums {
    tarn_arena *arena;
    uint64_t blocks, peer_holds;
    uint64_t dead; // blocks of the pool without a live record: cached, or lost
    tarn_status status;
};

static bool sum_block(const tarn_block *block, void *arg) {
    struct sums *sums = (struct sums *)arg;
    if (block->state != TARN_BLOCK_LIVE) return true;
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
    sums->peer_holds += tn_life_peer_holds(life);
    return true;
}

static tarn_status verify_channel(tarn_channel *c, uint64_t *transits) {
    uint32_t used = 0;
    uint32_t received = 0;
    for (uint32_t i = 0; i < c->transits.count; i++) used += c->transits.table[i].used;
    for (uint32_t i = 0; i < c->received.count; i++) received += c->received.table[i].holds != 0;
    *transits += used;
    TN_REFUSE(used != c->transits.used || received != c->received.used, TARN_CORRUPT,
              "%u transits are counted as %u, %u received parcels as %u", used, c->transits.used,
              received, c->received.used);
    return TARN_OK;
}

tarn_status tarn_arena_verify(tarn_arena *arena) {
    struct sums sums = {.arena = arena, .status = TARN_OK};
    uint64_t transits = 0;
    TN_TRY(tn_arena_usable(arena));
    TN_TRY(tarn_pool_verify(arena->pool));
    tarn_status status = tarn_pool_walk(arena->pool, sum_block, &sums);
    if (status != TARN_OK || sums.status != TARN_OK)
        return TN_DONE(status != TARN_OK ? status : sums.status);
    for (tarn_channel *c = arena->peers; c != NULL; c = c->next_peer)
        TN_TRY(verify_channel(c, &transits));
    uint64_t live = tn_load_relaxed(&arena->live);
    TN_REFUSE(sums.blocks != live || sums.peer_holds != transits || sums.dead != arena->cache.count,
              TARN_CORRUPT,
              "%" PRIu64 " live blocks, %" PRIu64 " live parcels; %" PRIu64
              " dead blocks, %u cached; %" PRIu64 " holds of peers, %" PRIu64 " transits",
              sums.blocks, live, sums.dead, arena->cache.count, sums.peer_holds, transits);
    return TARN_OK;
}
