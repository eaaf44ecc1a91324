// SPDX-License-Identifier: Apache-2.0
// Claims about the order of work on memory with several addresses.
#include "unit/check/order/events.h"

#include <string.h>

enum { S1 = 11, S2 = 22, PAGE = 0x1000, ONE = 0x100000, OTHER = 0x200000, HANDLE = 7 };

static void maps(uint64_t handle, uint64_t addr) {
    NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .object = handle, .addr = addr,
         .bytes = PAGE);
}
static void unmaps(uint64_t addr, uint32_t flags) {
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .flags = flags, .addr = addr,
         .bytes = PAGE);
}

static void both_addresses_race(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, ONE, 100);
    access_to(S2, TN_MEM_WRITE, OTHER + 100, 100);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_READ, OTHER + 96, 4);
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_int_equal(last.addr, OTHER + 96);
    assert_int_equal(last.bytes, 4);
    assert_non_null(strstr(last.what, "of the same memory at 0x100060"));
}

static void a_second_address_does_not_lose_what_was_known(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    access_to(S1, TN_MEM_WRITE, ONE + 8, 8);
    maps(HANDLE, OTHER);
    access_to(S2, TN_MEM_READ, OTHER, 8);
    access_to(S2, TN_MEM_READ, OTHER + 16, 8);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, OTHER + 15, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
    access_to(S2, TN_MEM_WRITE, ONE + 8, 1); // the address itself
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_null(strstr(last.what, "of the same memory"));
}

static void the_first_address_may_end(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, ONE, 8);
    unmaps(ONE, 0);
    access_to(S2, TN_MEM_WRITE, ONE, 8); // nothing is there
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, OTHER, 8);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void only_work_by_the_address_that_ends_is_in_flight(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, OTHER, 8);
    unmaps(ONE, TN_MEM_UNWAITED);
    assert_int_equal(reports, 0);
    unmaps(OTHER, TN_MEM_UNWAITED);
    expect(TN_CHECK_KIND_UNMAP_IN_FLIGHT);
}

static void new_memory_inherits_nothing(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, OTHER, 8);
    unmaps(OTHER, 0);
    unmaps(ONE, 0);
    maps(HANDLE + 1, ONE);
    maps(HANDLE + 1, OTHER);
    access_to(S2, TN_MEM_WRITE, ONE, 8);
    access_to(S2, TN_MEM_WRITE, OTHER, 8);
    assert_int_equal(reports, 0);
}

static void an_event_orders_both_addresses(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, ONE, PAGE);
    records(S1);
    waits(S2);
    access_to(S2, TN_MEM_WRITE, OTHER, PAGE);
    synchronises(S2);
    access_to(0, TN_MEM_READ, ONE, PAGE);
    assert_int_equal(reports, 0);
}

static void a_range_over_two_pages_is_exact(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE + 1, ONE + PAGE);
    maps(HANDLE + 1, OTHER); // the pages in the other order
    maps(HANDLE, OTHER + PAGE);
    access_to(S1, TN_MEM_WRITE, ONE + PAGE - 8, 16);
    access_to(S2, TN_MEM_WRITE, OTHER + 8, 2 * PAGE - 16);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_READ, OTHER + 7, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
    access_to(S2, TN_MEM_READ, OTHER + 2 * PAGE - 8, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_kernel_meets_a_copy_to_the_other_address(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    NOTE(.kind = TN_MEM_ARGUMENT, .stream = S1, .addr = ONE, .bytes = PAGE, .other = ONE,
         .name = "kernel");
    access_to(S2, TN_MEM_WRITE, OTHER, PAGE);
    expect(TN_CHECK_KIND_OVERLAPPING_WRITERS);
    assert_int_equal(last.addr, ONE);
}

static void region(uint16_t kind, uint64_t stream, uint64_t addr) {
    NOTE(.kind = kind, .stream = stream, .addr = addr, .bytes = BYTES);
}

// A block is given away by its own address: the others need not know of it.
static void blocks_belong_to_one_address(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    region(TN_MEM_REGION_BEGIN, S1, ONE);
    access_to(S2, TN_MEM_WRITE, OTHER, 8);
    region(TN_MEM_REGION_BEGIN, S1, ONE + BYTES);
    region(TN_MEM_REGION_END, S1, ONE + BYTES);
    region(TN_MEM_REGION_BEGIN, S2, OTHER + BYTES);
    assert_int_equal(reports, 0);
    region(TN_MEM_REGION_BEGIN, S1, ONE + 2 * BYTES);
    access_to(S2, TN_MEM_WRITE, ONE + 2 * BYTES, 8);
    expect(TN_CHECK_KIND_USE_BEFORE_EVENT);
    region(TN_MEM_REGION_BEGIN, S1, ONE + 3 * BYTES);
    region(TN_MEM_REGION_END, S1, ONE + 3 * BYTES);
    region(TN_MEM_REGION_BEGIN, S2, ONE + 3 * BYTES);
    expect(TN_CHECK_KIND_REUSE_BEFORE_EVENT);
}

static void a_free_waits_for_work_by_any_address(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    region(TN_MEM_REGION_BEGIN, S1, ONE);
    access_to(S2, TN_MEM_READ, OTHER, 8);
    region(TN_MEM_REGION_END, S1, ONE);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
}

// ---- against a naive model: for each byte of memory, the stream that wrote it last

enum { MEMORIES = 3, NAMES = 6, SMALL = 64 };

static struct {
    uint64_t writer[MEMORIES][SMALL]; // 0: none
    unsigned names[MEMORIES];
    int memory_at[NAMES]; // or -1: nothing is mapped
    uint64_t bytes_at[NAMES];
} model;

static uint64_t address_of(unsigned name) { return ONE + (uint64_t)name * SMALL; }

static void begin_or_end(unsigned name, unsigned memory, uint64_t bytes) {
    int old = model.memory_at[name];
    NOTE(.kind = (uint16_t)(old < 0 ? TN_MEM_RESOURCE_BEGIN : TN_MEM_RESOURCE_END),
         .what = TN_MEM_MAPPING, .object = HANDLE + (old < 0 ? memory : (unsigned)old),
         .addr = address_of(name), .bytes = old < 0 ? bytes : model.bytes_at[name]);
    if (old < 0) {
        model.memory_at[name] = (int)memory;
        model.bytes_at[name] = bytes;
        model.names[memory]++;
        return;
    }
    model.memory_at[name] = -1;
    if (--model.names[old] == 0) memset(model.writer[old], 0, sizeof model.writer[old]);
}

// Writes [lo, hi), which may cover several names. Returns true if the model expects a race.
static bool write_model(uint64_t stream, uint64_t lo, uint64_t hi) {
    bool race = false;
    for (uint64_t at = lo; at < hi; at++) {
        unsigned name = (unsigned)(at / SMALL);
        int memory = model.memory_at[name];
        if (memory < 0 || at % SMALL >= model.bytes_at[name]) continue; // the same stream writes it
        uint64_t *writer = &model.writer[memory][at % SMALL];
        race = race || (*writer != 0 && *writer != stream);
        *writer = stream;
    }
    return race;
}

// The range is cut at the ends of names, because work touches mapped bytes only.
static uint64_t end_of_run(uint64_t lo, uint64_t hi) {
    uint64_t at = lo;
    while (at < hi && model.memory_at[at / SMALL] >= 0 && at % SMALL < model.bytes_at[at / SMALL])
        at++;
    return at;
}

static void names_agree_with_bytes(void **state) {
    (void)state;
    unsigned seed = 11, races = 0;
    memset(&model, 0, sizeof model);
    for (unsigned i = 0; i < NAMES; i++) model.memory_at[i] = -1;
    for (unsigned step = 0; step < 40000; step++) {
        seed = seed * 1103515245 + 12345;
        unsigned name = (seed >> 16) % NAMES;
        if (step % 4 == 0) {
            begin_or_end(name, (seed >> 8) % MEMORIES, SMALL / 4 * (1 + (seed >> 24) % 4));
            continue;
        }
        uint64_t lo = name * SMALL + (seed >> 8) % SMALL;
        uint64_t hi = end_of_run(lo, lo + 1 + (seed >> 20) % (2 * SMALL) < NAMES * SMALL
                                         ? lo + 1 + (seed >> 20) % (2 * SMALL)
                                         : NAMES * SMALL);
        uint64_t stream = (seed >> 28 & 1) != 0 ? S1 : S2;
        if (lo == hi) continue;
        bool race = write_model(stream, lo, hi);
        reports = 0;
        access_to(stream, TN_MEM_WRITE, ONE + lo, hi - lo);
        assert_int_equal(reports, race);
        races += race;
    }
    assert_true(races > 1000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(both_addresses_race),
        TEST(a_second_address_does_not_lose_what_was_known),
        TEST(the_first_address_may_end),
        TEST(only_work_by_the_address_that_ends_is_in_flight),
        TEST(new_memory_inherits_nothing),
        TEST(an_event_orders_both_addresses),
        TEST(a_range_over_two_pages_is_exact),
        TEST(a_kernel_meets_a_copy_to_the_other_address),
        TEST(blocks_belong_to_one_address),
        TEST(a_free_waits_for_work_by_any_address),
        TEST(names_agree_with_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
