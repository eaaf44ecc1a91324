// SPDX-License-Identifier: Apache-2.0
// The records of parcels: holds, and the free when the last one ends. Records change by
// compare-and-swap, so any thread may call these functions with any parcel.
#include <tarn/annotate.h>

#include "base/error.h"
#include "channel/arena.h"

// The pool keeps freed blocks of up to 16 KiB in the cache of the freeing thread, where a thread
// that waits for room would never find them. So a parcel occupies more than that.
#define OCCUPIED_MIN (UINT64_C(20) << 10)

uint64_t tn_parcel_occupied(uint64_t bytes) {
    uint64_t pages = (bytes + TN_SHM_PAGE - 1) / TN_SHM_PAGE * TN_SHM_PAGE;
    return pages > OCCUPIED_MIN ? pages : OCCUPIED_MIN;
}

struct tn_parcel_record *tn_arena_record(const tarn_arena *arena, const void *parcel) {
    uint64_t offset = (uintptr_t)parcel - (uintptr_t)arena->shm.base;
    TARN_ASSERT(offset < arena->shm.bytes);
    return offset % TN_SHM_PAGE == 0 ? &arena->records[offset / TN_SHM_PAGE] : NULL;
}

void tn_record_init(tarn_arena *arena, void *parcel, const tarn_parcel_request *request) {
    struct tn_parcel_record *record = tn_arena_record(arena, parcel);
    TARN_ASSERT(tn_load_relaxed(&record->life) == 0 && request->bytes != 0);
    record->bytes = request->bytes;
    record->tag = request->tag;
    record->policy = (uint16_t)request->policy;
    tn_store_relaxed(&record->handed_over, 0);
    tn_store_release(&record->life, TN_HOLD);
    (void)tn_add_relaxed(&arena->live, 1);
    tn_arena_count(arena, TN_ARENA_allocs, 1);
    tn_arena_count(arena, TN_ARENA_live_parcels, 1);
    _Atomic uint64_t *stats = arena->board->stats;
    uint64_t live = tn_add_relaxed(&stats[TN_ARENA_live_bytes], request->bytes) + request->bytes;
    tn_raise_relaxed(&stats[TN_ARENA_peak_bytes], live);
}

static void free_to_pool(tarn_arena *arena, uint32_t page) {
    tarn_addr addr = (tarn_addr)(uintptr_t)tn_arena_at(arena, page);
    tarn_status status = tarn_pool_free(arena->pool, addr);
    TARN_ASSERT(status == TARN_OK);
    (void)status;
}

void tn_arena_flush_cache(tarn_arena *arena) {
    uint32_t pages[TN_PARCEL_CACHE_ENTRIES];
    uint32_t count = tn_parcel_cache_clear(&arena->cache, pages);
    for (uint32_t i = 0; i < count; i++) free_to_pool(arena, pages[i]);
}

// Frees a parcel whose last hold has ended.
static void free_parcel(tarn_arena *arena, struct tn_parcel_record *record) {
    uint64_t bytes = record->bytes;
    TARN_ASSERT(tn_load_relaxed(&record->life) == 0 && tn_load_relaxed(&arena->live) != 0);
    _Atomic uint64_t *stats = arena->board->stats;
    (void)tn_sub_relaxed(&stats[TN_ARENA_live_bytes], bytes);
    (void)tn_sub_relaxed(&stats[TN_ARENA_live_parcels], 1);
    tn_arena_count(arena, TN_ARENA_frees, 1);
    (void)tn_sub_relaxed(&arena->live, 1);
    uint32_t page = tn_arena_record_page(arena, record);
    // For a tool a cached parcel would be live, and a leak at the end.
    if (!tarn_annotate_subscribed())
        page = tn_parcel_cache_push(&arena->cache, tn_parcel_occupied(bytes), page);
    if (page != TN_NO_PAGE) free_to_pool(arena, page);
}

bool tn_record_send(struct tn_parcel_record *record) {
    uint64_t life = tn_load_acquire(&record->life);
    uint64_t after;
    do {
        if (tn_life_local_holds(life) == 0) return false;
        after = life + TN_PEER_HOLD - (record->policy == TARN_PARCEL_AUTO ? TN_HOLD : 0);
        // Before the send takes effect, because the peer may return or send back the parcel at once.
        if (record->policy == TARN_PARCEL_AUTO) tn_store_relaxed(&record->handed_over, 1);
    } while (!tn_cas_weak_acq_rel(&record->life, &life, after));
    return true;
}

bool tn_record_is_handed_over(const struct tn_parcel_record *record) {
    return tn_load_relaxed(&record->handed_over) != 0;
}

void tn_record_return(tarn_arena *arena, struct tn_parcel_record *record) {
    uint64_t life = tn_sub_acq_rel(&record->life, TN_PEER_HOLD);
    TARN_ASSERT(tn_life_peer_holds(life) != 0);
    if (life == TN_PEER_HOLD) free_parcel(arena, record);
}

void tn_record_return_as_hold(struct tn_parcel_record *record) {
    tn_store_relaxed(&record->handed_over, 0);
    uint64_t life = tn_sub_acq_rel(&record->life, TN_PEER_HOLD - TN_HOLD);
    TARN_ASSERT(tn_life_peer_holds(life) != 0);
    (void)life;
}

bool tn_record_free(tarn_arena *arena, struct tn_parcel_record *record) {
    uint64_t life = tn_load_acquire(&record->life);
    do {
        if (tn_life_local_holds(life) == 0) return false;
    } while (!tn_cas_weak_acq_rel(&record->life, &life, life - TN_HOLD));
    if (life == TN_HOLD) {
        free_parcel(arena, record);
        tn_arena_notify_room(arena);
    }
    return true;
}

void tn_arena_notify_room(tarn_arena *arena) {
    // The free took the pool's lock, and so does every attempt to allocate. A waiting thread counts
    // itself in `for_room` before its attempt. So either it finds the room, or this load sees it.
    if (tn_load_relaxed(&arena->wait_set.for_room) != 0) tn_wait_set_wake(&arena->wait_set, NULL);
}

// ---- queries

bool tn_record_query(const tarn_arena *arena, const void *address, tarn_parcel_info *info) {
    tarn_block block;
    TN_ERROR_KEPT; // the caller decides whether a refusal is an error
    if (tarn_pool_query_block(arena->pool, (tarn_addr)(uintptr_t)address, &block) != TARN_OK)
        return false;
    uint64_t offset = block.addr - (uintptr_t)arena->shm.base;
    const struct tn_parcel_record *record = &arena->records[offset / TN_SHM_PAGE];
    uint64_t life = tn_load_acquire(&record->life);
    if (life == 0 || (uintptr_t)address - block.addr >= record->bytes) return false;
    info->holds = tn_life_local_holds(life);
    info->peer_holds = tn_life_peer_holds(life);
    info->state = info->peer_holds == 0 ? TARN_PARCEL_OWNED
                  : info->holds != 0    ? TARN_PARCEL_SHARED
                                        : TARN_PARCEL_SENT;
    info->policy = (tarn_parcel_policy)record->policy;
    info->start = arena->shm.base + offset;
    info->bytes = record->bytes;
    info->tag = record->tag;
    return true;
}

void tn_parcel_describe(const tarn_parcel_info *parcel, tarn_address_info *info) {
    info->block = (tarn_addr)(uintptr_t)parcel->start;
    info->block_bytes = info->block_usable = parcel->bytes;
    info->block_user = parcel->tag;
}
