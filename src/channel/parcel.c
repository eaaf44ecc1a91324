// SPDX-License-Identifier: Apache-2.0
// The calls on parcels: allocation, including the queue of waiting threads, and free, hold and
// query. Any thread may call them with any parcel, because records change by compare-and-swap.
#include <inttypes.h>
#include <tarn/face.h>

#include "base/struct.h"
#include "channel/channel.h"
#include "fail/point.h"

// ---- allocation

static bool place_from_cache(tarn_arena *arena, const tarn_parcel_request *request, void **parcel) {
    uint32_t page = tn_parcel_cache_pop(&arena->cache, tn_parcel_occupied(request->bytes));
    if (page == TN_NO_PAGE) return false;
    *parcel = tn_arena_at(arena, page);
    tn_record_init(arena, *parcel, request);
    return true;
}

static tarn_status place_in_pool(tarn_arena *arena, const tarn_parcel_request *request,
                                 void **parcel) {
    tarn_pool_request wanted = TARN_INIT(tarn_pool_request);
    tarn_addr addr;
    wanted.bytes = tn_parcel_occupied(request->bytes);
    wanted.alignment = wanted.bytes >= TN_SHM_HUGE ? TN_SHM_HUGE : 0;
    TN_TRY(tarn_pool_alloc_with(arena->pool, &wanted, &addr));
    TARN_ASSERT(addr % TN_SHM_PAGE == 0 && tn_arena_has(arena, (const void *)(uintptr_t)addr));
    *parcel = tn_arena_at(arena, (uint32_t)((addr - (uintptr_t)arena->shm.base) / TN_SHM_PAGE));
    tn_record_init(arena, *parcel, request);
    return TARN_OK;
}

// Places a parcel where one was freed last, even one that the peer has returned just now, and
// otherwise in the pool.
static tarn_status place_parcel(tarn_arena *arena, const tarn_parcel_request *request,
                                void **parcel) {
    if (place_from_cache(arena, request, parcel)) return TARN_OK;
    tn_wait_set_reclaim(&arena->wait_set);
    if (place_from_cache(arena, request, parcel)) return TARN_OK;
    struct tn_error_saved before;
    tn_error_save(&before);
    tarn_status status = place_in_pool(arena, request, parcel);
    if (status == TARN_NO_DEVICE_MEMORY) {
        tn_arena_flush_cache(arena);
        status = place_in_pool(arena, request, parcel);
    }
    if (status == TARN_OK || status == TARN_NO_DEVICE_MEMORY)
        tn_error_restore(&before); // the caller reports a lack of room when it stops waiting
    return status;
}

static tarn_status fail_no_room(tarn_arena *arena, const tarn_parcel_request *request) {
    tarn_arena_stats now = {.struct_size = sizeof now};
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    tn_arena_count(arena, TN_ARENA_refusals, 1);
    (void)tarn_arena_query_stats(arena, &now);
    (void)tarn_pool_explain(arena->pool, &report);
    return tn_fail(TARN_NO_DEVICE_MEMORY,
                   "a parcel of %" PRIu64 " bytes does not fit within %" PRIu64
                   " ns: arena of %" PRIu64 " bytes, live %" PRIu64 ", largest free %" PRIu64,
                   request->bytes, request->timeout_ns, now.capacity_bytes, now.live_bytes,
                   report.largest_free);
}

static tarn_status alloc_in_line(tarn_arena *arena, const tarn_parcel_request *request,
                                 void **parcel) {
    struct tn_waiter w;
    uint64_t deadline = request->timeout_ns == 0 ? 0 : tn_deadline(request->timeout_ns);
    bool in_time = request->timeout_ns != 0;
    bool slept = false;
    tarn_status status;
    tn_wait_set_enter(&arena->wait_set, &w, NULL, TN_WAIT_RETURN, -1);
    for (;;) {
        status = tn_wait_set_is_next(&arena->wait_set, &w) ? place_parcel(arena, request, parcel)
                                                           : TARN_NO_DEVICE_MEMORY;
        if (status != TARN_NO_DEVICE_MEMORY || !in_time) break;
        slept = true;
        in_time = tn_wait_set_sleep(&arena->wait_set, &w, deadline);
    }
    tn_wait_set_leave(&arena->wait_set, &w);
    if (slept) tn_arena_count(arena, TN_ARENA_waits, 1);
    return status == TARN_NO_DEVICE_MEMORY ? fail_no_room(arena, request) : status;
}

bool tn_parcel_alloc_for_link(tarn_arena *arena, uint64_t bytes, int eventfd, struct tn_waiter *w,
                              bool *queued, void **parcel) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    request.bytes = bytes;
    if (!*queued) {
        if (tn_load_relaxed(&arena->wait_set.for_room) == 0 &&
            place_parcel(arena, &request, parcel) == TARN_OK)
            return true;
        tn_wait_set_enter(&arena->wait_set, w, NULL, TN_WAIT_RETURN, eventfd);
        tn_arena_count(arena, TN_ARENA_waits, 1);
        *queued = true;
    }
    if (!tn_wait_set_is_next(&arena->wait_set, w) ||
        place_parcel(arena, &request, parcel) != TARN_OK)
        return false;
    tn_wait_set_leave(&arena->wait_set, w);
    *queued = false;
    TARN_ASSERT(tn_arena_has(arena, *parcel));
    return true;
}

static tarn_status alloc_parcel(tarn_arena *arena, const tarn_parcel_request *request,
                                void **parcel) {
    TN_REFUSE(request->bytes == 0 || request->bytes > arena->largest, TARN_BAD_ARGUMENT,
              "bytes is %" PRIu64 ", allowed are 1 to %" PRIu64, request->bytes, arena->largest);
    TN_REFUSE((unsigned)request->policy > TARN_PARCEL_MANUAL, TARN_BAD_ARGUMENT,
              "policy %d is unknown", (int)request->policy);
    if (tn_load_relaxed(&arena->wait_set.for_room) == 0) {
        tarn_status status = place_parcel(arena, request, parcel);
        if (status != TARN_NO_DEVICE_MEMORY) return status;
    }
    return alloc_in_line(arena, request, parcel);
}

tarn_status tarn_parcel_alloc(tarn_arena *arena, uint64_t bytes, uint64_t timeout_ns,
                              void **parcel) {
    TN_FAIL_POINT(0, bytes);
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    TN_TRY(tn_arena_usable(arena));
    TN_REFUSE(parcel == NULL, TARN_BAD_ARGUMENT, "parcel is NULL");
    request.bytes = bytes;
    request.timeout_ns = timeout_ns;
    return TN_DONE(alloc_parcel(arena, &request, parcel));
}

tarn_status tarn_parcel_alloc_with(tarn_arena *arena, const tarn_parcel_request *request,
                                   void **parcel) {
    TN_FAIL_POINT(0, request != NULL ? request->bytes : 0);
    tarn_parcel_request own;
    TN_TRY(tn_arena_usable(arena));
    TN_REFUSE(request == NULL || parcel == NULL, TARN_BAD_ARGUMENT, "request is %p, parcel is %p",
              (const void *)request, (void *)parcel);
    TN_TRY(tn_struct_read(&own, sizeof own, request, "tarn_parcel_request"));
    return TN_DONE(alloc_parcel(arena, &own, parcel));
}

// ---- holds

static tarn_status refuse_address(const void *address, const char *why) {
    return tn_fail(TARN_BAD_ADDRESS, "%p is not the start of a parcel that is held here: %s",
                   address, why);
}

static const char not_received[] = "never received, or freed already";

// Finds the channel over which a parcel outside the arena was received, with a reference.
static tarn_status find_sender(tarn_arena *arena, const void *address, tarn_channel **peer) {
    *peer = tn_arena_peer_of(arena, address);
    return *peer != NULL ? TARN_OK : refuse_address(address, "no arena contains it");
}

static tarn_status free_parcel(tarn_arena *arena, void *parcel) {
    tarn_channel *peer;
    if (tn_arena_has(arena, parcel)) {
        struct tn_parcel_record *record = tn_arena_record(arena, parcel);
        if (record == NULL) return refuse_address(parcel, "no parcel can start there");
        return tn_record_free(arena, record)
                   ? TARN_OK
                   : refuse_address(parcel, "never allocated, freed or handed over");
    }
    TN_TRY(find_sender(arena, parcel, &peer));
    bool freed = tn_channel_free_received(peer, parcel);
    tn_channel_unref(peer);
    return freed ? TARN_OK : refuse_address(parcel, not_received);
}

// Tells tools whether a second owner freed the parcel or one that has sent it.
static void annotate_refused(const tarn_arena *arena, const void *parcel) {
    const struct tn_parcel_record *record =
        tn_arena_has(arena, parcel) ? tn_arena_record(arena, parcel) : NULL;
    tarn_annotate_refused(record != NULL && tn_record_is_handed_over(record)
                              ? "tarn_parcel_free after a send"
                              : "tarn_parcel_free",
                          (tarn_addr)(uintptr_t)parcel);
}

tarn_status tarn_parcel_free(tarn_arena *arena, void *parcel) {
    tarn_status status = tn_arena_usable(arena);
    if (status != TARN_OK || parcel == NULL) return TN_DONE(status);
    status = free_parcel(arena, parcel);
    if (status == TARN_BAD_ADDRESS) annotate_refused(arena, parcel);
    return TN_DONE(status);
}

static tarn_status hold_own(tarn_arena *arena, void *parcel) {
    struct tn_parcel_record *record = tn_arena_record(arena, parcel);
    uint64_t life = record != NULL ? tn_load_acquire(&record->life) : 0;
    do {
        if (tn_life_local_holds(life) == 0)
            return refuse_address(parcel, "never allocated, freed or handed over");
        TN_REFUSE(tn_life_local_holds(life) == TN_HOLDS_MAX, TARN_BUSY,
                  "parcel %p has %u holds, the most that it can", parcel,
                  tn_life_local_holds(life));
    } while (!tn_cas_weak_acq_rel(&record->life, &life, life + TN_HOLD));
    return TARN_OK;
}

tarn_status tarn_parcel_hold(tarn_arena *arena, void *parcel) {
    tarn_channel *peer;
    TN_TRY(tn_arena_usable(arena));
    if (tn_arena_has(arena, parcel)) return TN_DONE(hold_own(arena, parcel));
    TN_TRY(find_sender(arena, parcel, &peer));
    tarn_status status = tn_channel_hold_received(peer, parcel);
    tn_channel_unref(peer);
    return TN_DONE(status == TARN_BAD_ADDRESS ? refuse_address(parcel, not_received) : status);
}

// ---- query

tarn_status tarn_parcel_query(tarn_arena *arena, const void *address, tarn_parcel_info *info) {
    tarn_parcel_info own = TARN_INIT(tarn_parcel_info);
    tarn_channel *peer;
    tarn_status status = TARN_OK;
    TN_TRY(tn_arena_usable(arena));
    TN_REFUSE(address == NULL, TARN_BAD_ARGUMENT, "address is NULL");
    if (tn_arena_has(arena, address)) {
        if (!tn_record_query(arena, address, &own))
            status = refuse_address(address, "no live parcel contains it");
    } else if ((status = find_sender(arena, address, &peer)) == TARN_OK) {
        bool found = tn_channel_query_received(peer, address, &own);
        tn_channel_unref(peer);
        status = found ? TARN_OK : refuse_address(address, not_received);
    }
    return TN_DONE(status == TARN_OK ? tn_struct_write(info, &own, sizeof own, "tarn_parcel_info")
                                     : status);
}
