// SPDX-License-Identifier: Apache-2.0
// Parcels: allocation, with its waiting, and what their holders do with them. The records are
// changed by compare-and-swap, so any thread may come here with any parcel.
#include <stddef.h>

#include "base/error.h"
#include "base/struct.h"
#include "channel/arena.h"
#include "channel/channel.h"

// The pool keeps freed blocks of up to 16 KiB with the thread that freed them, where a thread that
// waits for room would never see them. Parcels are therefore a page larger than that at least.
#define OCCUPIED_LEAST (UINT64_C(20) << 10)

// ---- records

struct tn_parcel_record *tn_arena_record(const tarn_arena *arena, const void *parcel) {
    uint64_t offset = (uintptr_t)parcel - (uintptr_t)arena->shm.base;
    return offset % TN_SHM_PAGE == 0 ? &arena->records[offset / TN_SHM_PAGE] : NULL;
}

static void raise_peak(tarn_arena *arena, uint64_t live_bytes) {
    _Atomic uint64_t *peak = &arena->board->stats[TN_ARENA_peak_bytes];
    uint64_t before = tn_load_relaxed(peak);
    while (live_bytes > before && !tn_cas_weak_relaxed(peak, &before, live_bytes)) {
    }
}

static void bear(tarn_arena *arena, void *parcel, const tarn_parcel_request *request) {
    struct tn_parcel_record *record = tn_arena_record(arena, parcel);
    record->bytes = request->bytes;
    record->tag = request->tag;
    record->policy = (uint32_t)request->policy;
    tn_store_release(&record->life, TN_HOLD);
    (void)tn_add_relaxed(&arena->live, 1);
    _Atomic uint64_t *stats = arena->board->stats;
    (void)tn_add_relaxed(&stats[TN_ARENA_allocs], 1);
    (void)tn_add_relaxed(&stats[TN_ARENA_live_parcels], 1);
    raise_peak(arena, tn_add_relaxed(&stats[TN_ARENA_live_bytes], request->bytes) + request->bytes);
}

static uint64_t occupied(uint64_t bytes) {
    uint64_t pages = (bytes + TN_SHM_PAGE - 1) / TN_SHM_PAGE * TN_SHM_PAGE;
    return pages > OCCUPIED_LEAST ? pages : OCCUPIED_LEAST;
}

static void give_to_pool(tarn_arena *arena, uint32_t page) {
    tarn_addr addr = (tarn_addr)(uintptr_t)tn_arena_at(arena, page);
    tarn_status status = tarn_pool_free(arena->pool, addr);
    TARN_ASSERT(status == TARN_OK);
    (void)status;
}

void tn_arena_flush_cache(tarn_arena *arena) {
    uint32_t pages[TN_PARCEL_CACHE_ENTRIES];
    uint32_t count = tn_parcel_cache_clear(&arena->cache, pages);
    for (uint32_t i = 0; i < count; i++) {
        give_to_pool(arena, pages[i]);
    }
}

// The last one has let go.
static void bury(tarn_arena *arena, struct tn_parcel_record *record) {
    uint64_t bytes = record->bytes;
    _Atomic uint64_t *stats = arena->board->stats;
    (void)tn_sub_relaxed(&stats[TN_ARENA_live_bytes], bytes);
    (void)tn_sub_relaxed(&stats[TN_ARENA_live_parcels], 1);
    (void)tn_add_relaxed(&stats[TN_ARENA_frees], 1);
    (void)tn_sub_relaxed(&arena->live, 1);
    uint32_t oldest =
        tn_parcel_cache_push(&arena->cache, occupied(bytes), tn_arena_record_page(arena, record));
    if (oldest != TN_NO_PAGE) {
        give_to_pool(arena, oldest);
    }
}

bool tn_record_send(struct tn_parcel_record *record) {
    uint64_t life = tn_load_acquire(&record->life);
    uint64_t after;
    do {
        if (tn_life_local_holds(life) == 0) {
            return false;
        }
        after = life + TN_PEER_HOLD - (record->policy == TARN_PARCEL_AUTO ? TN_HOLD : 0);
    } while (!tn_cas_weak_acq_rel(&record->life, &life, after));
    return true;
}

void tn_record_return(tarn_arena *arena, struct tn_parcel_record *record) {
    if (tn_sub_acq_rel(&record->life, TN_PEER_HOLD) == TN_PEER_HOLD) {
        bury(arena, record);
    }
}

void tn_record_return_as_hold(struct tn_parcel_record *record) {
    (void)tn_sub_acq_rel(&record->life, TN_PEER_HOLD - TN_HOLD);
}

// One hold less. False: there was none.
static bool let_go(tarn_arena *arena, struct tn_parcel_record *record) {
    uint64_t life = tn_load_acquire(&record->life);
    do {
        if (tn_life_local_holds(life) == 0) {
            return false;
        }
    } while (!tn_cas_weak_acq_rel(&record->life, &life, life - TN_HOLD));
    if (life == TN_HOLD) {
        bury(arena, record);
        tn_arena_notify_room(arena);
    }
    return true;
}

// ---- allocation

static bool place_on_shelf(tarn_arena *arena, const tarn_parcel_request *request, void **parcel) {
    uint32_t page = tn_parcel_cache_pop(&arena->cache, occupied(request->bytes));
    if (page == TN_NO_PAGE) {
        return false;
    }
    *parcel = tn_arena_at(arena, page);
    bear(arena, *parcel, request);
    return true;
}

static tarn_status place_in_pool(tarn_arena *arena, const tarn_parcel_request *request,
                                 void **parcel) {
    tarn_pool_request wanted = TARN_INIT(tarn_pool_request);
    tarn_addr addr;
    wanted.bytes = occupied(request->bytes);
    wanted.alignment = wanted.bytes >= TN_SHM_HUGE ? TN_SHM_HUGE : 0;
    tarn_status status = tarn_pool_alloc_with(arena->pool, &wanted, &addr);
    if (status == TARN_OK) {
        *parcel = tn_arena_at(arena, (uint32_t)((addr - (uintptr_t)arena->shm.base) / TN_SHM_PAGE));
        bear(arena, *parcel, request);
    }
    return status;
}

// A parcel that was used last, if need be one that has just come back; else another one.
static tarn_status place(tarn_arena *arena, const tarn_parcel_request *request, void **parcel) {
    if (place_on_shelf(arena, request, parcel)) {
        return TARN_OK;
    }
    tn_wait_set_reclaim(&arena->wait_set);
    if (place_on_shelf(arena, request, parcel)) {
        return TARN_OK;
    }
    struct tn_error_saved before;
    tn_error_save(&before);
    tarn_status status = place_in_pool(arena, request, parcel);
    if (status == TARN_NO_DEVICE_MEMORY) {
        tn_arena_flush_cache(arena);
        status = place_in_pool(arena, request, parcel);
    }
    if (status == TARN_OK || status == TARN_NO_DEVICE_MEMORY) {
        tn_error_restore(&before); // who gives up says so
    }
    return status;
}

struct queued {
    tarn_arena *arena;
    const tarn_parcel_request *request;
    void **parcel;
    struct tn_waiter waiter;
};

// Tries, if nobody is before.
static tarn_status try_in_turn(struct queued *q) {
    if (!tn_wait_set_is_next(&q->arena->wait_set, &q->waiter)) {
        return TARN_NO_DEVICE_MEMORY;
    }
    return place(q->arena, q->request, q->parcel);
}

static tarn_status no_room(tarn_arena *arena, const tarn_parcel_request *request) {
    tarn_arena_stats now = {.struct_size = sizeof now};
    tarn_pool_stats pool = {.struct_size = sizeof pool};
    (void)tn_add_relaxed(&arena->board->stats[TN_ARENA_refusals], 1);
    (void)tarn_arena_query_stats(arena, &now);
    (void)tarn_pool_query_stats(arena->pool, &pool);
    return tn_fail(TARN_NO_DEVICE_MEMORY,
                   "a parcel of %llu bytes does not fit within %llu ns: arena of %llu bytes, live "
                   "%llu, largest free %llu",
                   (unsigned long long)request->bytes, (unsigned long long)request->timeout_ns,
                   (unsigned long long)now.capacity_bytes, (unsigned long long)now.live_bytes,
                   (unsigned long long)pool.largest_free);
}

// Waits in line.
static tarn_status alloc_waiting(tarn_arena *arena, const tarn_parcel_request *request,
                                 void **parcel) {
    struct queued q = {.arena = arena, .request = request, .parcel = parcel};
    uint64_t deadline = request->timeout_ns == 0 ? 0 : tn_deadline(request->timeout_ns);
    bool in_time = request->timeout_ns != 0;
    bool slept = false;
    tn_wait_set_enter(&arena->wait_set, &q.waiter, NULL, TN_WAIT_RETURN);
    tarn_status status = try_in_turn(&q);
    while (status == TARN_NO_DEVICE_MEMORY && in_time) {
        slept = true;
        in_time = tn_wait_set_sleep(&arena->wait_set, &q.waiter, deadline);
        status = try_in_turn(&q);
    }
    tn_wait_set_leave(&arena->wait_set, &q.waiter);
    if (slept) {
        tn_arena_count(arena, TN_ARENA_waits, 1);
    }
    return status == TARN_NO_DEVICE_MEMORY ? no_room(arena, request) : status;
}

bool tn_parcel_alloc_for_link(tarn_arena *arena, uint64_t bytes, int bell, struct tn_waiter *w,
                              bool *in_line, void **parcel) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    request.bytes = bytes;
    if (!*in_line && tn_load_relaxed(&arena->wait_set.for_room) == 0 &&
        place(arena, &request, parcel) == TARN_OK) {
        return true;
    }
    if (!*in_line) {
        tn_wait_set_enter_with_eventfd(&arena->wait_set, w, bell);
        tn_arena_count(arena, TN_ARENA_waits, 1);
        *in_line = true;
    }
    if (!tn_wait_set_is_next(&arena->wait_set, w) || place(arena, &request, parcel) != TARN_OK) {
        return false;
    }
    tn_wait_set_leave(&arena->wait_set, w);
    *in_line = false;
    return true;
}

static tarn_status alloc(tarn_arena *arena, const tarn_parcel_request *request, void **parcel) {
    if (request->bytes == 0 || request->bytes > arena->largest) {
        return tn_fail(TARN_BAD_ARGUMENT, "a parcel of %llu bytes: 1 to %llu",
                       (unsigned long long)request->bytes, (unsigned long long)arena->largest);
    }
    if ((unsigned)request->policy > TARN_PARCEL_MANUAL) {
        return tn_fail(TARN_BAD_ARGUMENT, "policy %d", (int)request->policy);
    }
    if (tn_load_relaxed(&arena->wait_set.for_room) == 0) {
        tarn_status status = place(arena, request, parcel);
        if (status != TARN_NO_DEVICE_MEMORY) {
            return status;
        }
    }
    return alloc_waiting(arena, request, parcel);
}

tarn_status tarn_parcel_alloc(tarn_arena *arena, uint64_t bytes, uint64_t timeout_ns,
                              void **parcel) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK) {
        return status;
    }
    if (parcel == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "parcel NULL");
    }
    request.bytes = bytes;
    request.timeout_ns = timeout_ns;
    return alloc(arena, &request, parcel);
}

tarn_status tarn_parcel_alloc_with(tarn_arena *arena, const tarn_parcel_request *request,
                                   void **parcel) {
    tarn_parcel_request own;
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK) {
        return status;
    }
    if (request == NULL || parcel == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "request %p, parcel %p", (const void *)request,
                       (void *)parcel);
    }
    status = tn_struct_read(&own, sizeof own, request, "tarn_parcel_request");
    return status == TARN_OK ? alloc(arena, &own, parcel) : status;
}

// ---- holders

static tarn_status no_parcel(const void *address, const char *what) {
    return tn_fail(TARN_BAD_ADDRESS, "%p is not the start of a parcel that is held here: %s",
                   address, what);
}

static tarn_status free_own(tarn_arena *arena, void *parcel) {
    struct tn_parcel_record *record = tn_arena_record(arena, parcel);
    if (record == NULL || !let_go(arena, record)) {
        return no_parcel(parcel, record == NULL ? "inside one at best"
                                                : "never allocated, freed or handed over");
    }
    return TARN_OK;
}

tarn_status tarn_parcel_free(tarn_arena *arena, void *parcel) {
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK || parcel == NULL) {
        return status;
    }
    if (tn_arena_has(arena, parcel)) {
        return free_own(arena, parcel);
    }
    tarn_channel *peer = tn_arena_peer_of(arena, parcel);
    if (peer == NULL) {
        return no_parcel(parcel, "in no arena");
    }
    bool freed = tn_channel_free_received(peer, parcel);
    tn_channel_unref(peer);
    return freed ? TARN_OK : no_parcel(parcel, "not received, or freed already");
}

static tarn_status hold_own(tarn_arena *arena, void *parcel) {
    struct tn_parcel_record *record = tn_arena_record(arena, parcel);
    uint64_t life = record != NULL ? tn_load_acquire(&record->life) : 0;
    do {
        if (tn_life_local_holds(life) == 0) {
            return no_parcel(parcel, "nobody here holds one there");
        }
        if (tn_life_local_holds(life) == TN_HOLDS_MAX) {
            return tn_fail(TARN_BUSY, "parcel %p has %u holds", parcel, tn_life_local_holds(life));
        }
    } while (!tn_cas_weak_acq_rel(&record->life, &life, life + TN_HOLD));
    return TARN_OK;
}

tarn_status tarn_parcel_hold(tarn_arena *arena, void *parcel) {
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK) {
        return status;
    }
    if (tn_arena_has(arena, parcel)) {
        return hold_own(arena, parcel);
    }
    tarn_channel *peer = tn_arena_peer_of(arena, parcel);
    if (peer == NULL) {
        return no_parcel(parcel, "in no arena");
    }
    status = tn_channel_hold_received(peer, parcel);
    tn_channel_unref(peer);
    return status == TARN_BAD_ADDRESS ? no_parcel(parcel, "not received, or freed already")
                                      : status;
}

// ---- looking

static tarn_parcel_state state_of(uint64_t life) {
    if (tn_life_peer_holds(life) == 0) {
        return TARN_PARCEL_OWNED;
    }
    return tn_life_local_holds(life) != 0 ? TARN_PARCEL_SHARED : TARN_PARCEL_SENT;
}

static tarn_status query_own(tarn_arena *arena, const void *address, tarn_parcel_info *info) {
    tarn_block block;
    tarn_status status = tarn_pool_query_block(arena->pool, (tarn_addr)(uintptr_t)address, &block);
    if (status != TARN_OK) {
        return status;
    }
    uint64_t offset = block.addr - (uintptr_t)arena->shm.base;
    const struct tn_parcel_record *record = &arena->records[offset / TN_SHM_PAGE];
    uint64_t life = tn_load_acquire(&record->life);
    if (life == 0 || (uintptr_t)address - block.addr >= record->bytes) {
        return no_parcel(address, "no byte of one");
    }
    info->state = state_of(life);
    info->policy = (tarn_parcel_policy)record->policy;
    info->start = arena->shm.base + offset;
    info->bytes = record->bytes;
    info->tag = record->tag;
    info->holds = tn_life_local_holds(life);
    info->peer_holds = tn_life_peer_holds(life);
    return TARN_OK;
}

tarn_status tarn_parcel_query(tarn_arena *arena, const void *address, tarn_parcel_info *info) {
    tarn_parcel_info own = TARN_INIT(tarn_parcel_info);
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK) {
        return status;
    }
    if (address == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "address NULL");
    }
    if (tn_arena_has(arena, address)) {
        status = query_own(arena, address, &own);
    } else {
        tarn_channel *peer = tn_arena_peer_of(arena, address);
        if (peer == NULL) {
            return no_parcel(address, "in no arena");
        }
        status = tn_channel_query_received(peer, address, &own)
                     ? TARN_OK
                     : no_parcel(address, "not received, or freed already");
        tn_channel_unref(peer);
    }
    return status == TARN_OK ? tn_struct_write(info, &own, sizeof own, "tarn_parcel_info") : status;
}
