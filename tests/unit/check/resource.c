// SPDX-License-Identifier: Apache-2.0
// What must be given back, each rule with a planted bug and its clean twin.
#include "check/resource.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <tarn/base.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "check/alias.h"
#include "check/ledger.h"
#include "check/order/order.h"
#include "check/report/report.h"

enum { PLACE = 0x40000, BYTES = 4096, STREAM = 5, PHYS = 77 };

static struct tn_check_report last;
static unsigned reports;
static int descriptor;

static bool keep(void *context, const struct tn_check_report *report) {
    (void)context;
    last = *report;
    reports++;
    return true;
}

static int set_up(void **state) {
    (void)state;
    tn_check_order_reset();
    tn_check_resource_reset();
    reports = 0;
    tn_check_report_set_hook(keep, NULL);
    descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return descriptor >= 0 ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    tn_check_report_set_hook(NULL, NULL);
    (void)close(descriptor);
    tn_check_resource_reset();
    tn_check_order_reset();
    return 0;
}

#define NOTE(...) tn_check_resource_event(&(struct tn_mem_event)TN_MEM_INIT(__VA_ARGS__))

static uint64_t object_of(enum tn_mem_resource what) {
    return what == TN_MEM_EXPORT ? (uint64_t)descriptor : PHYS;
}
static void begins(enum tn_mem_resource what, uint64_t addr) {
    (void)NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = (uint16_t)what, .addr = addr, .bytes = BYTES,
               .object = object_of(what));
}
static void ends(enum tn_mem_resource what, uint64_t addr, uint64_t bytes) {
    (void)NOTE(.kind = TN_MEM_RESOURCE_END, .what = (uint16_t)what, .addr = addr, .bytes = bytes,
               .object = object_of(what));
}

static const enum tn_mem_resource all[] = {
    TN_MEM_MEMORY, TN_MEM_PINNED,  TN_MEM_REGISTERED, TN_MEM_RESERVATION,
    TN_MEM_PHYS,   TN_MEM_MAPPING, TN_MEM_EXPORT,
};
enum { ALL = sizeof all / sizeof all[0] };

static void a_leak_is_reported_once_for_each_kind(void **state) {
    (void)state;
    for (unsigned i = 0; i < ALL; i++) begins(all[i], PLACE);
    assert_int_equal(tn_check_resource_leaks(), ALL * BYTES);
    assert_int_equal(reports, ALL);
    assert_int_equal(last.kind, TN_CHECK_KIND_RESOURCE_LEAK);
}

static void what_was_given_back_is_not(void **state) {
    (void)state;
    for (unsigned i = 0; i < ALL; i++) begins(all[i], PLACE);
    for (unsigned i = 0; i < ALL; i++) ends(all[i], PLACE, BYTES);
    assert_int_equal(tn_check_resource_leaks(), 0);
    assert_int_equal(reports, 0);
}

static void a_descriptor_that_the_program_closed_is_not(void **state) {
    (void)state;
    begins(TN_MEM_EXPORT, 0);
    (void)close(descriptor);
    assert_int_equal(tn_check_resource_leaks(), 0);
    assert_int_equal(reports, 0);
    int other = open("/", O_RDONLY | O_CLOEXEC);
    assert_int_equal(other, descriptor); // the number is used again
    assert_int_equal(tn_check_resource_leaks(), 0);
    assert_int_equal(reports, 0);
}

static void what_a_pool_owns_is_not(void **state) {
    (void)state;
    (void)NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MEMORY, .flags = TN_MEM_OWNED,
               .addr = PLACE, .bytes = BYTES);
    assert_int_equal(tn_check_resource_leaks(), 0);
    assert_int_equal(reports, 0);
}

static void leaks_of_one_place_are_one_report(void **state) {
    (void)state;
    for (unsigned i = 0; i < 10; i++) begins(TN_MEM_MEMORY, PLACE + i * BYTES);
    assert_int_equal(tn_check_resource_leaks(), 10 * BYTES);
    assert_int_equal(reports, 1);
    assert_int_equal(last.bytes, 10 * BYTES);
}

static void several_resources_are_named_in_the_plural(void **state) {
    static const char *const names[] = {[TN_MEM_MEMORY] = "2 blocks of device memory of ",
                                        [TN_MEM_PINNED] = "2 blocks of pinned memory of ",
                                        [TN_MEM_REGISTERED] = "2 registrations of host memory of ",
                                        [TN_MEM_RESERVATION] = "2 reservations of ",
                                        [TN_MEM_PHYS] = "2 handles of physical memory of ",
                                        [TN_MEM_MAPPING] = "2 mappings of "};
    (void)state;
    for (uint16_t what = 1; what < sizeof names / sizeof *names; what++) {
        for (unsigned i = 0; i < 2; i++) {
            (void)NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = what, .addr = PLACE + i * BYTES,
                       .object = i + 1, .bytes = BYTES);
        }
        (void)tn_check_resource_leaks();
        assert_memory_equal(last.what, names[what], strlen(names[what]));
        tn_check_resource_reset();
    }
}

static void unmapping_a_run_ends_all_its_mappings(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) begins(TN_MEM_MAPPING, PLACE + i * BYTES);
    ends(TN_MEM_MAPPING, PLACE, 3 * BYTES);
    assert_int_equal(tn_check_resource_leaks(), BYTES);
}

static bool refuses(const char *call, uint64_t addr) {
    return NOTE(.kind = TN_MEM_REFUSED, .name = call, .addr = addr);
}

static void a_free_of_the_wrong_family_is_named(void **state) {
    (void)state;
    begins(TN_MEM_PINNED, PLACE);
    assert_true(refuses("tarn_memory_free", PLACE));
    assert_int_equal(reports, 1);
    assert_int_equal(last.kind, TN_CHECK_KIND_WRONG_FAMILY_FREE);
    assert_int_equal(last.addr, PLACE);
}

static void a_second_free_is_named(void **state) {
    (void)state;
    begins(TN_MEM_MEMORY, PLACE);
    ends(TN_MEM_MEMORY, PLACE, BYTES);
    assert_true(refuses("tarn_memory_free", PLACE));
    assert_int_equal(reports, 1);
    assert_int_equal(last.kind, TN_CHECK_KIND_DOUBLE_FREE);
}

static void a_refusal_by_who_frees_anything_is_looked_up_among_all(void **state) {
    (void)state;
    begins(TN_MEM_PINNED, PLACE);
    begins(TN_MEM_MEMORY, 2 * PLACE);
    ends(TN_MEM_MEMORY, 2 * PLACE, BYTES);
    assert_true(
        NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free", .addr = PLACE));
    assert_int_equal(last.kind, TN_CHECK_KIND_WRONG_FAMILY_FREE);
    assert_true(
        NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free", .addr = 2 * PLACE));
    assert_int_equal(last.kind, TN_CHECK_KIND_DOUBLE_FREE);
    assert_false(
        NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free", .addr = 3 * PLACE));
}

static void a_free_inside_a_block_names_the_block(void **state) {
    (void)state;
    begins(TN_MEM_MEMORY, PLACE);
    assert_true(refuses("tarn_memory_free", PLACE + 16));
    assert_int_equal(last.kind, TN_CHECK_KIND_INVALID_FREE);
    assert_non_null(strstr(last.what, "16 byte(s) inside a block of device memory"));
    tn_annotate_set_caller("their_free");
    assert_true(NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free",
                     .addr = PLACE + 32));
    tn_annotate_set_caller(NULL);
    assert_int_equal(last.kind, TN_CHECK_KIND_INVALID_FREE);
    assert_non_null(strstr(last.what, "their_free of 0x"));
}

static bool unmaps(uint64_t addr, uint64_t bytes) {
    return NOTE(.kind = TN_MEM_REFUSED, .name = "tarn_unmap", .addr = addr, .bytes = bytes);
}

static void a_refused_unmap_is_judged_by_its_range(void **state) {
    (void)state;
    begins(TN_MEM_RESERVATION, PLACE);
    begins(TN_MEM_MAPPING, PLACE);
    begins(TN_MEM_MAPPING, PLACE + BYTES);
    assert_false(unmaps(PLACE, BYTES)); // complete: the device was busy
    assert_false(unmaps(PLACE, 2 * BYTES));
    assert_int_equal(reports, 0);
    const uint64_t wrong[] = {0, BYTES - 1, BYTES + 1, 3 * BYTES};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(unmaps(PLACE, wrong[i]));
        assert_int_equal(last.kind, TN_CHECK_KIND_INVALID_FREE);
    }
    ends(TN_MEM_MAPPING, PLACE, BYTES);
    assert_true(unmaps(PLACE, BYTES)); // the reservation, which begins there too, is not meant
    assert_int_equal(last.kind, TN_CHECK_KIND_DOUBLE_FREE);
    ends(TN_MEM_RESERVATION, PLACE, BYTES);
    begins(TN_MEM_MEMORY, PLACE); // newer than the mapping
    assert_true(unmaps(PLACE, BYTES));
    assert_int_equal(last.kind, TN_CHECK_KIND_WRONG_FAMILY_FREE);
}

static void a_refused_handle_keeps_its_value(void **state) {
    (void)state;
    assert_true(NOTE(.kind = TN_MEM_REFUSED, .name = "tarn_phys_release", .object = 0x77));
    assert_int_equal(last.kind, TN_CHECK_KIND_BAD_HANDLE);
    assert_non_null(strstr(last.what, "tarn_phys_release of 0x77, which is no handle"));
    assert_true(NOTE(.kind = TN_MEM_REFUSED, .name = "tarn_stream_destroy", .object = 0x78,
                     .other = (uint64_t)(int64_t)TARN_BAD_HANDLE));
    assert_non_null(strstr(last.what, "tarn_stream_destroy of 0x78, which names nothing"));
    assert_false(NOTE(.kind = TN_MEM_REFUSED, .name = "tarn_stream_destroy", .object = 0x78,
                      .other = (uint64_t)(int64_t)TARN_BUSY));
}

static void a_refusal_that_nothing_here_explains_is_left_to_others(void **state) {
    (void)state;
    begins(TN_MEM_MEMORY, PLACE);
    assert_false(refuses("tarn_memory_free", PLACE - 16));
    assert_false(refuses("tarn_copy", PLACE));
    assert_int_equal(reports, 0);
}

static void maps(uint64_t addr) {
    const struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .addr = addr,
                    .bytes = BYTES, .object = PHYS);
    tn_check_order_event(&event);
    tn_check_alias_event(&event);
}

static void a_second_mapping_beside_work_in_flight_is_reported(void **state) {
    (void)state;
    maps(PLACE);
    tn_check_order_event(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_ACCESS,
                                                           .flags = TN_MEM_WRITE, .stream = STREAM,
                                                           .addr = PLACE, .bytes = 64));
    maps(2 * PLACE);
    assert_int_equal(reports, 1);
    assert_int_equal(last.kind, TN_CHECK_KIND_MAP_WHILE_IN_USE);
    tn_check_order_event(
        &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_STREAM_SYNC, .stream = STREAM));
    maps(3 * PLACE);
    assert_int_equal(reports, 1);
}

static void the_past_of_an_address_is_its_last_block(void **state) {
    (void)state;
    struct tn_check_resource live, ended;
    begins(TN_MEM_RESERVATION, PLACE);
    begins(TN_MEM_MAPPING, PLACE);
    tn_check_resource_find(0, PLACE + 8, &live, &ended);
    assert_int_equal(live.what, TN_MEM_MAPPING);
    assert_int_equal(ended.what, 0);
    ends(TN_MEM_MAPPING, PLACE, BYTES);
    tn_check_resource_find(0, PLACE + 8, &live, &ended);
    assert_int_equal(live.what, TN_MEM_RESERVATION);
    assert_int_equal(ended.what, TN_MEM_MAPPING);
    ends(TN_MEM_RESERVATION, PLACE, BYTES);
    tn_check_resource_find(0, PLACE + 8, &live, &ended);
    assert_int_equal(live.what, 0);
    assert_int_equal(ended.what, TN_MEM_MAPPING);
    begins(TN_MEM_MEMORY, PLACE);
    tn_check_resource_find(0, PLACE + 8, &live, &ended);
    assert_int_equal(live.what, TN_MEM_MEMORY);
    assert_int_equal(ended.what, 0);
    tn_check_resource_find(0, PLACE + BYTES, &live, &ended);
    assert_int_equal(live.what, 0);
    tn_check_resource_find(1, PLACE, &live, &ended);
    assert_int_equal(live.what, 0);
    assert_int_equal(ended.what, 0);
}

static bool uses(uint64_t handle) {
    return NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_HANDLE, .name = "their_call",
                .object = handle, .other = (uint64_t)(int64_t)TARN_BAD_HANDLE);
}

static void a_handle_is_stale_once_its_object_has_ended(void **state) {
    (void)state;
    assert_false(uses(PHYS));
    begins(TN_MEM_HANDLE, 0);
    assert_false(uses(PHYS));
    ends(TN_MEM_HANDLE, 0, 0);
    assert_true(uses(PHYS));
    assert_int_equal(last.kind, TN_CHECK_KIND_BAD_HANDLE);
    assert_non_null(strstr(last.what, "their_call with 0x4d, which was destroyed"));
    begins(TN_MEM_HANDLE, 0);
    assert_false(uses(PHYS)); // the number is used again
    assert_int_equal(tn_check_resource_leaks(), 0);
}

static void a_free_of_an_unknown_address_is_a_mistake_if_the_address_is_wrong(void **state) {
    (void)state;
    assert_true(NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free",
                     .addr = PLACE, .other = (uint64_t)(int64_t)TARN_BAD_ADDRESS));
    assert_int_equal(last.kind, TN_CHECK_KIND_INVALID_FREE);
    assert_non_null(strstr(last.what, "which is no block that can be freed"));
    assert_false(NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free",
                      .addr = PLACE, .other = (uint64_t)(int64_t)TARN_FORKED));
    tn_check_resource_miss();
    assert_false(NOTE(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .name = "a free",
                      .addr = PLACE, .other = (uint64_t)(int64_t)TARN_BAD_ADDRESS));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void ended_resources_make_room_for_new_ones(void **state) {
    (void)state;
    static struct tn_check_ledger ledger;
    for (uint64_t i = 0; i < 1000; i++) {
        const struct tn_check_resource resource = {.what = TN_MEM_MEMORY, .addr = PLACE + i};
        tn_check_ledger_begin(&ledger, &resource);
        assert_true(tn_check_ledger_end(&ledger, &resource));
    }
    assert_int_equal(ledger.live.count, 1);
    tn_check_ledger_fini(&ledger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ended_resources_make_room_for_new_ones),
        TEST(a_leak_is_reported_once_for_each_kind),
        TEST(what_was_given_back_is_not),
        TEST(a_descriptor_that_the_program_closed_is_not),
        TEST(what_a_pool_owns_is_not),
        TEST(leaks_of_one_place_are_one_report),
        TEST(several_resources_are_named_in_the_plural),
        TEST(unmapping_a_run_ends_all_its_mappings),
        TEST(a_free_of_the_wrong_family_is_named),
        TEST(a_second_free_is_named),
        TEST(a_refusal_by_who_frees_anything_is_looked_up_among_all),
        TEST(a_free_inside_a_block_names_the_block),
        TEST(a_refused_unmap_is_judged_by_its_range),
        TEST(a_refused_handle_keeps_its_value),
        TEST(a_refusal_that_nothing_here_explains_is_left_to_others),
        TEST(a_second_mapping_beside_work_in_flight_is_reported),
        TEST(the_past_of_an_address_is_its_last_block),
        TEST(a_handle_is_stale_once_its_object_has_ended),
        TEST(a_free_of_an_unknown_address_is_a_mistake_if_the_address_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
