// SPDX-License-Identifier: Apache-2.0
// Claims about parcels: sizes, waiting for room, frees, holds, and queries.
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include <tarn/address.h>
#include <tarn/annotate.h>
#include <tarn/channel.h>

#include "support/channel.h"

#define PAGE UINT64_C(4096)

static int setup(void **state) {
    *state = channel_arena(8 * MIB);
    return 0;
}

static int teardown(void **state) {
    channel_end_arena((tarn_arena *)*state);
    return 0;
}

// An arena whose whole room is one parcel: 4 MiB of 4.
static tarn_arena *small_arena(void) { return channel_arena(4 * MIB); }

// ---- sizes

static void alloc_refuses_nothing_and_more_than_the_largest(void **state) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    void *parcel = NULL;
    (void)state;
    desc.bytes = 1 * MIB * 1024;
    assert_ok(tarn_arena_create(&desc, &arena));
    assert_status(tarn_parcel_alloc(arena, 0, 0, &parcel), TARN_BAD_ARGUMENT);
    assert_status(tarn_parcel_alloc(arena, 256 * MIB + 1, 0, &parcel), TARN_BAD_ARGUMENT);
    assert_null(parcel);
    const uint64_t good[] = {1, 256 * KIB, 256 * MIB};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(tarn_parcel_alloc(arena, good[i], 0, &parcel));
        ((unsigned char *)parcel)[good[i] - 1] = 1;
        assert_ok(tarn_parcel_free(arena, parcel));
    }
    channel_end_arena(arena);
}

// The device side's largest is 96 bytes below that of the host's.
static void largest_is_what_the_arena_was_given(void **state) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    void *parcel = NULL;
    (void)state;
    desc.largest = 256 * MIB - 96;
    assert_ok(tarn_arena_create(&desc, &arena));
    assert_status(tarn_parcel_alloc(arena, 256 * MIB - 95, 0, &parcel), TARN_BAD_ARGUMENT);
    assert_ok(tarn_parcel_alloc(arena, 256 * MIB - 96, 0, &parcel));
    assert_ok(tarn_parcel_free(arena, parcel));
    channel_end_arena(arena);
}

static void arena_refuses_what_it_cannot_be(void **state) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    (void)state;
    assert_status(tarn_arena_create(NULL, &arena), TARN_BAD_ARGUMENT);
    assert_status(tarn_arena_create(&desc, NULL), TARN_BAD_ARGUMENT);
    desc.bytes = (UINT64_C(1) << 40) + 1;
    assert_status(tarn_arena_create(&desc, &arena), TARN_BAD_ARGUMENT);
    desc.bytes = 2 * MIB;
    desc.largest = 2 * MIB + 1;
    assert_status(tarn_arena_create(&desc, &arena), TARN_BAD_ARGUMENT);
    desc.largest = 0;
    desc.flags = 1u << 31;
    assert_status(tarn_arena_create(&desc, &arena), TARN_BAD_ARGUMENT);
    desc.struct_size = 0;
    assert_status(tarn_arena_create(&desc, &arena), TARN_BAD_STRUCT);
    assert_null(arena);
}

static void parcels_are_aligned_distinct_and_keep_their_bytes(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    unsigned char *parcels[24];
    for (unsigned i = 0; i < 24; i++) {
        parcels[i] = (unsigned char *)channel_get(arena, 1 + i * 5000);
        assert_int_equal((uintptr_t)parcels[i] % PAGE, 0);
        memset(parcels[i], (int)i + 1, 1 + i * 5000);
    }
    for (unsigned i = 0; i < 24; i += 2) assert_ok(tarn_parcel_free(arena, parcels[i]));
    for (unsigned i = 1; i < 24; i += 2) {
        assert_int_equal(parcels[i][0], i + 1);
        assert_int_equal(parcels[i][i * 5000], i + 1);
        assert_ok(tarn_parcel_free(arena, parcels[i]));
    }
}

static void big_parcels_begin_at_two_mebibytes(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    void *first = channel_get(arena, PAGE);
    void *big = channel_get(arena, 2 * MIB);
    assert_int_equal((uintptr_t)big % (2 * MIB), 0);
    assert_ok(tarn_parcel_free(arena, first));
    assert_ok(tarn_parcel_free(arena, big));
}

// A stream of frames goes through as few parcels as it can.
static void parcel_freed_last_is_used_next(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    if (tarn_annotate_subscribed()) return; // no freed parcel is kept from a tool
    void *parcels[3];
    for (int i = 0; i < 3; i++) parcels[i] = channel_get(arena, 100000);
    assert_ok(tarn_parcel_free(arena, parcels[0]));
    assert_ok(tarn_parcel_free(arena, parcels[2]));
    assert_ptr_equal(channel_get(arena, 100000), parcels[2]);
    assert_ok(tarn_parcel_free(arena, parcels[1]));
    assert_ok(tarn_parcel_free(arena, parcels[2]));
}

// What was freed in small pieces can be had as one large one.
static void freed_parcels_become_room_for_others(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    void *parcels[8];
    for (int i = 0; i < 8; i++) parcels[i] = channel_get(arena, MIB);
    for (int i = 0; i < 8; i++) assert_ok(tarn_parcel_free(arena, parcels[i]));
    assert_ok(tarn_parcel_free(arena, channel_get(arena, 8 * MIB)));
}

static void huge_pages_are_a_wish(void **state) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    (void)state;
    desc.bytes = 4 * MIB;
    desc.flags = TARN_ARENA_HUGE;
    assert_ok(tarn_arena_create(&desc, &arena));
    assert_ok(tarn_parcel_free(arena, channel_get(arena, 4 * MIB)));
    channel_end_arena(arena);
}

static void policy_must_be_known(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    void *parcel = NULL;
    request.bytes = 1;
    const int bad[] = {2, 4, 6, -1};
    for (size_t i = 0; i < 4; i++) {
        request.policy = (tarn_parcel_policy)bad[i];
        assert_status(tarn_parcel_alloc_with(arena, &request, &parcel), TARN_BAD_ARGUMENT);
    }
    for (int i = 0; i < 2; i++) {
        request.policy = (tarn_parcel_policy)i;
        assert_ok(tarn_parcel_alloc_with(arena, &request, &parcel));
        assert_ok(tarn_parcel_free(arena, parcel));
    }
}

static void prefaulted_arena_takes_no_fault_later(void **state) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    (void)state;
    desc.bytes = 4 * MIB;
    desc.prefault = UINT64_MAX;
    assert_ok(tarn_arena_create(&desc, &arena));
    unsigned char *parcel = (unsigned char *)channel_get(arena, 4 * MIB);
    static unsigned char pages[4 * MIB / PAGE];
    assert_int_equal(mincore(parcel, 4 * MIB, pages), 0);
    for (size_t i = 0; i < sizeof pages; i++) assert_int_equal(pages[i] & 1, 1);
    memset(parcel, 1, 4 * MIB);
    assert_ok(tarn_parcel_free(arena, parcel));
    channel_end_arena(arena);
}

// The pool refuses the first attempt, and the parcels that are kept for reuse make room.
static void alloc_that_succeeds_leaves_the_last_error(void **state) {
    tarn_arena *arena = small_arena();
    tarn_error before, after;
    void *parcel;
    (void)state;
    assert_ok(tarn_parcel_free(arena, channel_get(arena, MIB)));
    assert_status(tarn_parcel_alloc(arena, 0, 0, &parcel), TARN_BAD_ARGUMENT);
    assert_status(tarn_last_error(&before), TARN_BAD_ARGUMENT);
    assert_ok(tarn_parcel_alloc(arena, 4 * MIB, 0, &parcel));
    assert_status(tarn_last_error(&after), TARN_BAD_ARGUMENT);
    assert_string_equal(after.message, before.message);
    assert_ok(tarn_parcel_free(arena, parcel));
    channel_end_arena(arena);
}

// ---- no room

static void full_arena_refuses_at_once_without_time(void **state) {
    tarn_arena *arena = small_arena();
    void *all = channel_get(arena, 4 * MIB);
    void *more = NULL;
    (void)state;
    uint64_t before = channel_now_ns();
    assert_status(tarn_parcel_alloc(arena, 1, 0, &more), TARN_NO_DEVICE_MEMORY);
    assert_true(channel_now_ns() - before < LONG_ENOUGH);
    assert_null(more);
    assert_int_equal(channel_arena_stats(arena).refusals, 1);
    assert_ok(tarn_parcel_free(arena, all));
    channel_end_arena(arena);
}

static void full_arena_refuses_after_the_time_and_not_before(void **state) {
    tarn_arena *arena = small_arena();
    void *all = channel_get(arena, 4 * MIB);
    void *more = NULL;
    (void)state;
    uint64_t before = channel_now_ns();
    assert_status(tarn_parcel_alloc(arena, 1, 60 * MS, &more), TARN_NO_DEVICE_MEMORY);
    assert_true(channel_now_ns() - before >= 60 * MS);
    assert_int_equal(channel_arena_stats(arena).waits, 1);
    assert_ok(tarn_parcel_free(arena, all));
    channel_end_arena(arena);
}

struct late_free {
    tarn_arena *arena;
    void *parcel;
};

static void nap(uint64_t ns) {
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    (void)nanosleep(&time, NULL);
}

static void *free_later(void *arg) {
    const struct late_free *late = (const struct late_free *)arg;
    nap(20 * MS);
    return tarn_parcel_free(late->arena, late->parcel) == TARN_OK ? NULL : arg;
}

static void free_lets_a_waiting_alloc_go_on(void **state) {
    tarn_arena *arena = small_arena();
    struct late_free late = {arena, channel_get(arena, 4 * MIB)};
    void *parcel = NULL;
    void *failed = NULL;
    pthread_t thread;
    (void)state;
    tarn_clear_error();
    assert_int_equal(pthread_create(&thread, NULL, free_later, &late), 0);
    assert_ok(tarn_parcel_alloc(arena, 4 * MIB, TARN_FOREVER, &parcel));
    assert_status(tarn_last_error(NULL), TARN_OK);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_ok(tarn_parcel_free(arena, parcel));
    channel_end_arena(arena);
}

// Small parcels freed by other threads make room for a large one.
static void frees_of_another_thread_make_room(void **state) {
    tarn_arena *arena = small_arena();
    void *parcel = NULL;
    pthread_t thread;
    void *failed = NULL;
    (void)state;
    struct late_free late = {arena, NULL};
    while (tarn_parcel_alloc(arena, 1, 0, &parcel) == TARN_OK) {
        if (late.parcel == NULL) late.parcel = parcel;
        parcel = NULL;
    }
    uint64_t live = channel_arena_stats(arena).live_parcels;
    assert_int_equal(pthread_create(&thread, NULL, free_later, &late), 0);
    assert_ok(tarn_parcel_alloc(arena, 1, LONG_ENOUGH, &parcel));
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_int_equal(channel_arena_stats(arena).live_parcels, live);
    assert_ptr_equal(parcel, late.parcel);
    for (unsigned char *p = (unsigned char *)late.parcel; live != 0; p += PAGE)
        live -= tarn_parcel_free(arena, p) == TARN_OK;
    channel_end_arena(arena);
}

struct asker {
    tarn_arena *arena;
    uint64_t bytes;
    void *parcel;
    _Atomic int *order;
    int place;
};

static void *ask(void *arg) {
    struct asker *asker = (struct asker *)arg;
    if (tarn_parcel_alloc(asker->arena, asker->bytes, LONG_ENOUGH, &asker->parcel) == TARN_OK)
        asker->place = ++*asker->order;
    return NULL;
}

static void await_queue(tarn_arena *arena, void *probe) {
    // A call without time fails for as long as somebody waits, although there is room.
    while (tarn_parcel_alloc(arena, 1, 0, &probe) == TARN_OK) {
        assert_ok(tarn_parcel_free(arena, probe));
        nap(MS);
    }
}

static void large_request_is_not_overtaken_by_small_ones(void **state) {
    tarn_arena *arena = small_arena();
    void *half = channel_get(arena, 3 * MIB);
    _Atomic int order = 0;
    struct asker large = {arena, 4 * MIB, NULL, &order, 0};
    struct asker small = {arena, 4 * KIB, NULL, &order, 0};
    pthread_t threads[2];
    void *none = NULL;
    (void)state;
    assert_int_equal(pthread_create(&threads[0], NULL, ask, &large), 0);
    await_queue(arena, none);
    assert_int_equal(pthread_create(&threads[1], NULL, ask, &small), 0);
    nap(20 * MS);
    assert_int_equal(order, 0); // there is room for the small one, but not its turn
    assert_ok(tarn_parcel_free(arena, half));
    assert_int_equal(pthread_join(threads[0], NULL), 0);
    assert_int_equal(large.place, 1);
    assert_ok(tarn_parcel_free(arena, large.parcel));
    assert_int_equal(pthread_join(threads[1], NULL), 0);
    assert_int_equal(small.place, 2);
    assert_ok(tarn_parcel_free(arena, small.parcel));
    channel_end_arena(arena);
}

// ---- frees and holds

static void free_of_nothing_is_fine(void **state) {
    assert_ok(tarn_parcel_free((tarn_arena *)*state, NULL));
    assert_status(tarn_parcel_free(NULL, NULL), TARN_BAD_ARGUMENT);
}

static void free_refuses_what_is_no_parcel(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    unsigned char *parcel = (unsigned char *)channel_get(arena, 64 * KIB);
    int elsewhere = 0;
    assert_status(tarn_parcel_free(arena, &elsewhere), TARN_BAD_ADDRESS);
    assert_status(tarn_parcel_free(arena, parcel + 1), TARN_BAD_ADDRESS);
    assert_status(tarn_parcel_free(arena, parcel + PAGE), TARN_BAD_ADDRESS);
    assert_status(tarn_parcel_free(arena, parcel + MIB), TARN_BAD_ADDRESS);
    assert_ok(tarn_parcel_free(arena, parcel));
    assert_status(tarn_parcel_free(arena, parcel), TARN_BAD_ADDRESS);
}

static void each_hold_takes_a_free(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    void *parcel = channel_get(arena, 100);
    assert_ok(tarn_parcel_hold(arena, parcel));
    assert_ok(tarn_parcel_free(arena, parcel));
    assert_int_equal(channel_arena_stats(arena).live_parcels, 1);
    assert_ok(tarn_parcel_free(arena, parcel));
    assert_int_equal(channel_arena_stats(arena).live_parcels, 0);
    assert_status(tarn_parcel_hold(arena, parcel), TARN_BAD_ADDRESS);
}

static void holds_are_bounded(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    void *parcel = channel_get(arena, 100);
    for (unsigned i = 1; i < 65535; i++) assert_ok(tarn_parcel_hold(arena, parcel));
    assert_status(tarn_parcel_hold(arena, parcel), TARN_BUSY);
    for (unsigned i = 0; i < 65535; i++) assert_ok(tarn_parcel_free(arena, parcel));
}

static void arena_with_live_parcels_is_not_destroyed(void **state) {
    tarn_arena *arena = small_arena();
    void *parcel = channel_get(arena, 1);
    (void)state;
    assert_status(tarn_arena_destroy(arena), TARN_BUSY);
    assert_ok(tarn_parcel_free(arena, parcel));
    assert_ok(tarn_arena_destroy(arena));
    assert_ok(tarn_arena_destroy(NULL));
}

// ---- queries

static void query_finds_a_parcel_by_any_byte(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    void *parcel = NULL;
    request.bytes = 100000;
    request.policy = TARN_PARCEL_MANUAL;
    request.tag = 77;
    assert_ok(tarn_parcel_alloc_with(arena, &request, &parcel));
    assert_ok(tarn_parcel_query(arena, (char *)parcel + 99999, &info));
    assert_int_equal(info.state, TARN_PARCEL_OWNED);
    assert_int_equal(info.policy, TARN_PARCEL_MANUAL);
    assert_ptr_equal(info.start, parcel);
    assert_int_equal(info.bytes, 100000);
    assert_int_equal(info.tag, 77);
    assert_int_equal(info.holds, 1);
    assert_int_equal(info.peer_holds, 0);
    assert_status(tarn_parcel_query(arena, (char *)parcel + 100000, &info), TARN_BAD_ADDRESS);
    assert_ok(tarn_parcel_free(arena, parcel));
    assert_status(tarn_parcel_query(arena, parcel, &info), TARN_BAD_ADDRESS);
    assert_status(tarn_parcel_query(arena, NULL, &info), TARN_BAD_ARGUMENT);
}

static void statistics_follow_the_parcels(void **state) {
    tarn_arena *arena = (tarn_arena *)*state;
    void *a = channel_get(arena, 1000);
    void *b = channel_get(arena, 500);
    tarn_arena_stats stats = channel_arena_stats(arena);
    assert_int_equal(stats.capacity_bytes, 8 * MIB);
    assert_int_equal(stats.live_parcels, 2);
    assert_int_equal(stats.live_bytes, 1500);
    assert_ok(tarn_parcel_free(arena, a));
    assert_ok(tarn_parcel_free(arena, b));
    stats = channel_arena_stats(arena);
    assert_int_equal(stats.live_bytes, 0);
    assert_int_equal(stats.peak_bytes, 1500);
    assert_int_equal(stats.allocs, 2);
    assert_int_equal(stats.frees, 2);
}

// ---- queries by address

static tarn_address_info address_info(const void *address) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_ok(tarn_address_query((tarn_addr)(uintptr_t)address, &info));
    return info;
}

static void assert_parcel_address(const char *parcel, uint64_t bytes, uint64_t tag) {
    tarn_address_info info = address_info(parcel + bytes - 1);
    assert_int_equal(info.kind, TARN_ADDRESS_ARENA);
    assert_int_equal(info.owner, TARN_OWNER_CHANNEL);
    assert_int_equal(info.region_bytes, 32 * MIB);
    assert_in_range(info.block, info.region_base, info.region_base + info.region_bytes - 1);
    assert_int_equal(info.block, (tarn_addr)(uintptr_t)parcel);
    assert_int_equal(info.block_bytes, bytes);
    assert_int_equal(info.block_user, tag);
    assert_int_equal(address_info(parcel + bytes).block, 0); // in the arena, in no parcel
    assert_int_equal(address_info(parcel + bytes).kind, TARN_ADDRESS_ARENA);
}

static void address_query_knows_parcels(void **state) {
    struct pair *p = (struct pair *)*state;
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    void *parcel = NULL;
    request.bytes = 5000;
    request.tag = 77;
    assert_ok(tarn_parcel_alloc_with(p->arena[0], &request, &parcel));
    assert_parcel_address((const char *)parcel, 5000, 77);
    assert_ok(channel_send(p->end[0], 0, parcel, 5000));
    void *received = channel_take(p->end[1]);
    assert_parcel_address((const char *)received, 5000, 0); // a mapping of its own, or a copy
    assert_ok(tarn_parcel_free(p->arena[1], received));
    assert_int_equal(address_info(received).block, 0);
    assert_int_equal(address_info(received).kind, TARN_ADDRESS_ARENA);
}

static void address_query_forgets_a_destroyed_arena(void **state) {
    tarn_arena *arena = channel_arena(4 * MIB);
    (void)state;
    void *parcel = channel_get(arena, 100);
    assert_int_equal(address_info(parcel).kind, TARN_ADDRESS_ARENA);
    assert_ok(tarn_parcel_free(arena, parcel));
    channel_end_arena(arena);
    assert_int_equal(address_info(parcel).kind, TARN_ADDRESS_UNKNOWN);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(alloc_refuses_nothing_and_more_than_the_largest),
        TEST(largest_is_what_the_arena_was_given),
        TEST(arena_refuses_what_it_cannot_be),
        TEST(parcels_are_aligned_distinct_and_keep_their_bytes),
        TEST(big_parcels_begin_at_two_mebibytes),
        TEST(parcel_freed_last_is_used_next),
        TEST(freed_parcels_become_room_for_others),
        TEST(huge_pages_are_a_wish),
        TEST(policy_must_be_known),
        TEST(prefaulted_arena_takes_no_fault_later),
        TEST(alloc_that_succeeds_leaves_the_last_error),
        TEST(full_arena_refuses_at_once_without_time),
        TEST(full_arena_refuses_after_the_time_and_not_before),
        TEST(free_lets_a_waiting_alloc_go_on),
        TEST(frees_of_another_thread_make_room),
        TEST(large_request_is_not_overtaken_by_small_ones),
        TEST(free_of_nothing_is_fine),
        TEST(free_refuses_what_is_no_parcel),
        TEST(each_hold_takes_a_free),
        TEST(holds_are_bounded),
        TEST(arena_with_live_parcels_is_not_destroyed),
        TEST(query_finds_a_parcel_by_any_byte),
        TEST(statistics_follow_the_parcels),
        cmocka_unit_test_setup_teardown(address_query_knows_parcels, channel_setup,
                                        channel_teardown),
        TEST(address_query_forgets_a_destroyed_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
