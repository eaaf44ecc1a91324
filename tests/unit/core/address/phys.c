// SPDX-License-Identifier: Apache-2.0
// Claims about the references of a handle, made without a backend.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/address/phys.c"

static unsigned destroyed;

static void count_destroyed(void *p, tarn_backend_phys phys) {
    (void)p;
    (void)phys;
    destroyed++;
}

static const tarn_backend ops = {.phys_destroy = count_destroyed};
static struct tn_platform platform = {.ops = &ops, .granularity = 4096};

static struct tn_phys *new_handle(tarn_phys *id) {
    struct tn_phys *phys = NULL;
    assert_int_equal(new_phys(&platform, &phys), TARN_OK);
    phys->info.bytes = 8 * 4096;
    assert_int_equal(insert_handle(phys, id), TARN_OK);
    destroyed = 0;
    return phys;
}

static void the_last_reference_of_either_kind_destroys(void **state) {
    (void)state;
    tarn_phys id = 0;
    struct tn_phys *phys = new_handle(&id);
    const tarn_map_item item = {id, 4096};
    assert_int_equal(tn_phys_map(&item, 1, &platform, &phys), TARN_OK);
    assert_int_equal(tarn_phys_release(id), TARN_OK);
    assert_int_equal(destroyed, 0);
    assert_int_equal(tarn_phys_release(id), TARN_BAD_HANDLE); // only the mapping is left
    tn_phys_retain_mapped(phys);
    assert_int_equal(tarn_phys_release(id), TARN_OK);
    tn_mutex_lock(&lock);
    drop_map_refs(phys, 1);
    assert_int_equal(destroyed, 1);
    assert_int_equal(tarn_phys_release(id), TARN_BAD_HANDLE);
    assert_int_equal(platform.stats.handles, 0);
    assert_int_equal(platform.in_backend, 0);
}

static void a_map_that_fails_leaves_no_reference(void **state) {
    (void)state;
    tarn_phys id = 0;
    struct tn_phys *phys = new_handle(&id);
    struct tn_phys *found[3];
    const tarn_map_item items[] = {{id, 4096}, {id, 8 * 4096}, {id, 9 * 4096}};
    assert_int_equal(tn_phys_map(items, 3, &platform, found), TARN_BAD_ADDRESS);
    assert_int_equal(phys->map_refs, 0);
    assert_int_equal(tarn_phys_release(id), TARN_OK);
    assert_int_equal(destroyed, 1);
}

static void references_that_are_no_part_of_the_sum_are_found(void **state) {
    (void)state;
    struct tn_phys phys = {.map_refs = 3, .tile_refs = 1, .call_refs = 2};
    TN_LOCKED(&lock);
    assert_true(refs_agree(&phys));
    phys.call_refs++;
    assert_false(refs_agree(&phys));
    phys.call_refs = 0;
    phys.tile_refs = 4;
    assert_false(refs_agree(&phys));
    phys.tile_refs = UINT32_MAX; // one that was released too often
    assert_false(refs_agree(&phys));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_reference_of_either_kind_destroys),
        cmocka_unit_test(a_map_that_fails_leaves_no_reference),
        cmocka_unit_test(references_that_are_no_part_of_the_sum_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
