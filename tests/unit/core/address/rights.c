// SPDX-License-Identifier: Apache-2.0
// Claims about words of rights and about grants that are refused before anything changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/address/rights.h"

enum { DEVICES = TN_MAX_DEVICES };

static bool has_path(void *p, int device, int peer) {
    (void)p;
    return device + peer != 3; // false for the pair of devices 1 and 2 only
}

static const tarn_backend ops = {.peer_can = has_path};

static int set_up(void **state) {
    struct tn_platform *platform =
        calloc(1, sizeof *platform + DEVICES * sizeof platform->devices[0]);
    assert_non_null(platform);
    platform->ops = &ops;
    platform->device_count = DEVICES;
    platform->devices[0].caps.features = TARN_FEATURE_HOST_ACCESS;
    *state = platform;
    return 0;
}

static int tear_down(void **state) {
    free(*state);
    return 0;
}

static tarn_location device_at(int id) { return (tarn_location){TARN_LOCATION_DEVICE, id}; }

static void each_location_has_rights_of_its_own(void **state) {
    const tarn_location host = {TARN_LOCATION_HOST, 0};
    tn_rights rights = 0;
    (void)state;
    for (int i = 0; i < DEVICES; i++)
        rights = tn_rights_set(rights, device_at(i),
                               i % 2 == 0 ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_READ);
    assert_int_equal(tn_rights_get(rights, host), TARN_ACCESS_NONE);
    rights = tn_rights_set(rights, host, TARN_ACCESS_READ);
    for (int i = 0; i < DEVICES; i++) {
        assert_true(tn_rights_allow(rights, i, TARN_ACCESS_READ));
        assert_int_equal(tn_rights_allow(rights, i, TARN_ACCESS_READ_WRITE), i % 2 == 0);
    }
    assert_false(tn_rights_allow(rights, -1, TARN_ACCESS_READ));
    rights = tn_rights_set(rights, device_at(DEVICES - 1), TARN_ACCESS_NONE);
    assert_false(tn_rights_allow(rights, DEVICES - 1, TARN_ACCESS_READ));
    assert_true(tn_rights_allow(rights, DEVICES - 2, TARN_ACCESS_READ));
}

static void host_locations_share_their_rights(void **state) {
    (void)state;
    tn_rights rights =
        tn_rights_set(0, (tarn_location){TARN_LOCATION_HOST_NUMA, 3}, TARN_ACCESS_READ);
    assert_int_equal(tn_rights_get(rights, (tarn_location){TARN_LOCATION_HOST, 0}),
                     TARN_ACCESS_READ);
}

static void grants_name_what_exists(void **state) {
    struct tn_platform *platform = *state;
    const struct {
        tarn_grant grant;
        tarn_status wanted;
    } rows[] = {
        {{device_at(0), TARN_ACCESS_READ}, TARN_OK},
        {{device_at(DEVICES - 1), TARN_ACCESS_NONE}, TARN_OK},
        {{device_at(DEVICES), TARN_ACCESS_READ}, TARN_BAD_DEVICE},
        {{device_at(-1), TARN_ACCESS_READ}, TARN_BAD_DEVICE},
        {{{(tarn_location_type)99, 0}, TARN_ACCESS_READ}, TARN_BAD_ARGUMENT},
        {{device_at(0), (tarn_access)2}, TARN_BAD_ARGUMENT}, // writes without reads
        {{{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ}, TARN_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(tn_access_check_grant(platform, &rows[i].grant), rows[i].wanted);
    platform->devices[0].caps.features = 0;
    assert_int_equal(tn_access_check_grant(platform, &rows[6].grant), TARN_UNSUPPORTED);
}

static void devices_need_a_path_to_the_owner(void **state) {
    const struct tn_platform *platform = *state;
    tarn_grant grant = {device_at(1), TARN_ACCESS_READ};
    assert_int_equal(tn_access_check_path(platform, device_at(2), &grant), TARN_UNSUPPORTED);
    assert_int_equal(tn_access_check_path(platform, device_at(1), &grant), TARN_OK);
    assert_int_equal(tn_access_check_path(platform, device_at(0), &grant), TARN_OK);
    const tarn_location host = {TARN_LOCATION_HOST, 0};
    assert_int_equal(tn_access_check_path(platform, host, &grant), TARN_OK);
    grant.access = TARN_ACCESS_NONE; // takes a right away
    assert_int_equal(tn_access_check_path(platform, device_at(2), &grant), TARN_OK);
}

static void one_bad_grant_refuses_the_list(void **state) {
    const struct tn_platform *platform = *state;
    const tarn_grant grants[] = {{device_at(0), TARN_ACCESS_READ},
                                 {device_at(1), TARN_ACCESS_READ}};
    assert_int_equal(tn_access_check(platform, device_at(2), grants, 1), TARN_OK);
    assert_int_equal(tn_access_check(platform, device_at(2), grants, 2), TARN_UNSUPPORTED);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CLAIM(each_location_has_rights_of_its_own),
        CLAIM(host_locations_share_their_rights),
        CLAIM(grants_name_what_exists),
        CLAIM(devices_need_a_path_to_the_owner),
        CLAIM(one_bad_grant_refuses_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
