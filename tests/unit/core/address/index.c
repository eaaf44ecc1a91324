// SPDX-License-Identifier: Apache-2.0
// Claims about the index of regions, made with a platform that has no backend.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/address/index.c"

#define BASE  ((tarn_addr)1 << 36)
#define BYTES ((uint64_t)1 << 20)

static struct tn_platform platform;

static struct tn_region *new_region(enum tn_region_kind kind, tarn_addr base, uint64_t bytes) {
    struct tn_region *region = tn_region_new(kind, &platform, NULL);
    assert_non_null(region);
    region->base = base;
    region->bytes = bytes;
    return region;
}

static void end_region(enum tn_region_kind kind, tarn_addr base) {
    struct tn_region *region = NULL;
    assert_int_equal(tn_index_remove(kind, NULL, base, 0, &region), TARN_OK);
    (void)tn_sub_acq_rel(&platform.in_backend, 1);
    tn_region_free(region);
}

static struct tn_region *find(tarn_addr addr) {
    tn_index_read();
    struct tn_region *region = tn_index_find(addr);
    tn_index_read_done();
    return region;
}

static void regions_are_found_by_each_of_their_bytes(void **state) {
    (void)state;
    struct tn_region *region = new_region(TN_REGION_MEMORY, BASE, BYTES);
    assert_int_equal(tn_index_insert(region), TARN_OK);
    assert_ptr_equal(find(BASE), region);
    assert_ptr_equal(find(BASE + BYTES - 1), region);
    assert_null(find(BASE - 1));
    assert_null(find(BASE + BYTES));
    assert_int_equal(platform.stats.memory_blocks, 1);
    assert_int_equal(platform.stats.memory_bytes, BYTES);
    end_region(TN_REGION_MEMORY, BASE);
    assert_null(find(BASE));
    assert_int_equal(platform.stats.memory_blocks, 0);
}

static void overlap_is_refused_and_counts_nothing(void **state) {
    (void)state;
    struct tn_region *other = new_region(TN_REGION_SPACE, BASE + BYTES - 1, BYTES);
    assert_int_equal(tn_index_insert(new_region(TN_REGION_MEMORY, BASE, BYTES)), TARN_OK);
    assert_int_equal(tn_index_insert(other), TARN_BUSY);
    assert_int_equal(platform.stats.reservations, 0);
    tn_region_free(other);
    end_region(TN_REGION_MEMORY, BASE);
}

static void only_the_right_call_ends_a_region(void **state) {
    (void)state;
    struct tn_owner owner = {.kind = TARN_OWNER_POOL};
    struct tn_region *region = NULL;
    assert_int_equal(tn_index_insert(new_region(TN_REGION_SPACE, BASE, BYTES)), TARN_OK);
    const struct {
        enum tn_region_kind kind;
        const struct tn_owner *owner;
        tarn_addr addr;
        uint64_t bytes;
    } wrong[] = {{TN_REGION_MEMORY, NULL, BASE, 0},
                 {TN_REGION_SPACE, &owner, BASE, 0},
                 {TN_REGION_SPACE, NULL, BASE + 4096, 0},
                 {TN_REGION_SPACE, NULL, BASE, BYTES - 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(
            tn_index_remove(wrong[i].kind, wrong[i].owner, wrong[i].addr, wrong[i].bytes, &region),
            TARN_BAD_ADDRESS);
    assert_null(region);
    end_region(TN_REGION_SPACE, BASE);
}

static void what_was_a_region_is_known_until_it_is_forgotten(void **state) {
    (void)state;
    assert_int_equal(tn_index_insert(new_region(TN_REGION_HOST, BASE + 2 * BYTES, 100)), TARN_OK);
    end_region(TN_REGION_HOST, BASE + 2 * BYTES);
    tn_index_read();
    assert_true(tn_index_was_region(BASE + 2 * BYTES + 4095, BASE + 2 * BYTES + 4096)); // its page
    assert_false(tn_index_was_region(BASE + 2 * BYTES + 4096, BASE + 2 * BYTES + 4097));
    assert_true(tn_index_was_host(BASE + 2 * BYTES));
    tn_index_read_done();
    tn_index_forget(BASE + 2 * BYTES, BASE + 2 * BYTES + 1);
    tn_index_read();
    assert_false(tn_index_was_region(BASE + 2 * BYTES, BASE + 2 * BYTES + 4096));
    tn_index_read_done();
}

static void registrations_leave_no_history(void **state) {
    (void)state;
    assert_int_equal(tn_index_insert(new_region(TN_REGION_REGISTERED, BASE + 4 * BYTES, BYTES)),
                     TARN_OK);
    end_region(TN_REGION_REGISTERED, BASE + 4 * BYTES);
    tn_index_read();
    assert_false(tn_index_was_region(BASE + 4 * BYTES, BASE + 5 * BYTES));
    tn_index_read_done();
}

// A write closes the readers' slots, so that none keeps a region that ends.
static void a_short_reader_never_finds_an_ended_region(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) { // the slots open after some reads
        assert_int_equal(tn_index_insert(new_region(TN_REGION_MEMORY, BASE, BYTES)), TARN_OK);
        for (int reads = 0; reads < 40; reads++) {
            struct tn_reader *reader = tn_index_peek();
            assert_non_null(tn_index_peek_find(reader, BASE + 17));
            tn_index_peek_done(reader);
        }
        end_region(TN_REGION_MEMORY, BASE);
        struct tn_reader *reader = tn_index_peek();
        assert_null(tn_index_peek_find(reader, BASE + 17));
        tn_index_peek_done(reader);
    }
}

// A copy may skip its checks where a reader has seen nothing, so that must end at what was a region.
static void nothing_ends_where_a_region_was_released_last(void **state) {
    (void)state;
    const tarn_addr at = BASE + 8 * BYTES;
    struct tn_reader *reader = NULL;
    assert_int_equal(tn_index_insert(new_region(TN_REGION_MEMORY, at, BYTES)), TARN_OK);
    end_region(TN_REGION_MEMORY, at);
    for (int reads = 0; reads < 100 && reader == NULL; reads++) { // the slots open after some
        reader = tn_index_peek();
        if (reader == NULL) tn_index_peek_done(reader);
    }
    if (reader == NULL) skip(); // the system has no barrier for short readers
    tn_index_keep_nothing(reader, at - BYTES);
    assert_true(tn_index_peek_nothing(reader, at - BYTES, at));
    assert_false(tn_index_peek_nothing(reader, at - BYTES, at + 1));
    assert_false(tn_index_peek_nothing(reader, at, at + BYTES));
    tn_index_peek_done(reader);
}

static void ranges_of_owners_do_not_overlap(void **state) {
    (void)state;
    struct tn_owner owner = {.kind = TARN_OWNER_CHANNEL};
    struct tn_interval_entry range;
    assert_int_equal(tn_owner_add_range(&owner, BASE, BYTES), TARN_OK);
    assert_int_equal(tn_owner_add_range(&owner, BASE + 1, 1), TARN_BUSY);
    tn_index_read();
    assert_ptr_equal(tn_index_find_range(BASE + 5, &range), &owner);
    tn_index_read_done();
    tn_owner_remove_range(BASE);
    tn_index_read();
    assert_null(tn_index_find_range(BASE + 5, &range));
    assert_true(tn_index_check());
    tn_index_read_done();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_found_by_each_of_their_bytes),
        cmocka_unit_test(overlap_is_refused_and_counts_nothing),
        cmocka_unit_test(only_the_right_call_ends_a_region),
        cmocka_unit_test(what_was_a_region_is_known_until_it_is_forgotten),
        cmocka_unit_test(registrations_leave_no_history),
        cmocka_unit_test(a_short_reader_never_finds_an_ended_region),
        cmocka_unit_test(nothing_ends_where_a_region_was_released_last),
        cmocka_unit_test(ranges_of_owners_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
