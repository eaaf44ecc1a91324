// SPDX-License-Identifier: Apache-2.0
// hipMemGetAccess. Numbers are the rows of its checks.
#include "support/vmm.h"

static void refuses(const hipMemLocation *location, void *at) {
    unsigned long long flags = 99;
    assert_hip(hipMemGetAccess(&flags, location, at), hipErrorInvalidValue);
    assert_int_equal(flags, 99);
}

// ROCm 6.3 and 7.
static void missing_arguments_are_refused(void **state) {
    hipMemLocation location = {hipMemLocationTypeDevice, 0};
    char *at = reserve(G);
    (void)state;
    map_fresh(at, G);
    assert_hip(hipMemGetAccess(NULL, &location, at), hipErrorInvalidValue);
    refuses(NULL, at);
    refuses(&location, NULL);
    unmap_and_free(at, G);
}

// ROCm 6.3 and 7.
static void locations_that_are_none_are_refused(void **state) {
    static const hipMemLocation bad[] = {
        {(hipMemLocationType)0, 0},    {(hipMemLocationType)5, 0},
        {(hipMemLocationType)-1, 0},   {hipMemLocationTypeDevice, -1},
        {hipMemLocationTypeDevice, 2}, {hipMemLocationTypeDevice, 2147483647},
    };
    char *at = reserve(G);
    (void)state;
    map_fresh(at, G);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) refuses(&bad[i], at);
    assert_text_names("2147483647");
    unmap_and_free(at, G);
}

// ROCm 6.3 and 7. AMD's tests ask for the byte behind a mapping.
static void addresses_in_no_mapping_are_refused(void **state) {
    hipMemLocation location = {hipMemLocationTypeDevice, 0};
    char *at = reserve(4 * G);
    (void)state;
    refuses(&location, at); // reserved
    map_fresh(at + G, 2 * G);
    refuses(&location, at + G - 1);
    refuses(&location, at + 3 * G); // one past the end
    assert_hip_ok(hipMemUnmap(at + G, 2 * G));
    refuses(&location, at + G);
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
    refuses(&location, at);
    refuses(&location, &at);
    refuses(&location, (void *)1);
    refuses(&location, (void *)(~(uintptr_t)0));
}

static void never_granted_is_none_and_success(void **state) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_int_equal(rights(at, 0), NONE);
    assert_int_equal(rights(at, 1), NONE);
    grant(at, G, 0, READ);
    assert_int_equal(rights(at, 0), READ);
    assert_int_equal(rights(at, 1), NONE);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, G);
}

// Any byte may be asked for, up to the borders.
static void neighbours_differ_at_their_border(void **state) {
    static const unsigned long long given[3][2] = {{1, 3}, {3, 0}, {0, 1}};
    char *at = reserve(9 * G);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        map_fresh(at + 3 * i * G, 3 * G);
        grant(at + 3 * i * G, 3 * G, 0, given[i][0]);
        grant(at + 3 * i * G, 3 * G, 1, given[i][1]);
    }
    for (size_t i = 0; i < 3; i++) {
        for (int device = 0; device < 2; device++) {
            char *first = at + 3 * i * G;
            assert_int_equal(rights(first, device), given[i][device]);
            assert_int_equal(rights(first + G + 17, device), given[i][device]);
            assert_int_equal(rights(first + 3 * G - 1, device), given[i][device]);
        }
    }
    unmap_and_free(at, 9 * G);
}

// Beyond HIP: the host's own rights, however it is called.
static void the_host_can_be_asked_for(void **state) {
    char *at = reserve(G);
    hipMemAccessDesc desc = desc_of(0, READ);
    (void)state;
    map_fresh(at, G);
    for (int type = hipMemLocationTypeHost; type <= hipMemLocationTypeHostNumaCurrent; type++) {
        hipMemLocation host = {(hipMemLocationType)type, 0};
        unsigned long long flags = 99;
        assert_hip_ok(hipMemGetAccess(&flags, &host, at));
        assert_int_equal(flags, type == hipMemLocationTypeHost ? NONE : READ);
        desc.location.type = hipMemLocationTypeHost;
        assert_hip_ok(hipMemSetAccess(at, G, &desc, 1));
    }
    unmap_and_free(at, G);
}

static void on_devices_in_another_order(void *arg) {
    char *at = reserve(G);
    (void)arg;
    map_fresh(at, G);
    grant(at, G, 1, READ);
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(at, 1), READ);
    unmap_and_free(at, G);
}

// A right that went to another device would let nothing be copied.
static void on_the_second_device_alone(void *arg) {
    char *at = reserve(G);
    (void)arg;
    map_fresh(at, G);
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_hip_ok(hipMemcpyHtoD(at, "x", 1));
    hipMemLocation hidden = {hipMemLocationTypeDevice, 1};
    refuses(&hidden, at);
    unmap_and_free(at, G);
}

static void ordinals_are_those_shown(void **state) {
    (void)state;
    hip_in_child(on_the_second_device_alone, NULL, "HIP_VISIBLE_DEVICES", "1", NULL);
    hip_in_child(on_devices_in_another_order, NULL, "HIP_VISIBLE_DEVICES", "1,0", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(ordinals_are_those_shown),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(locations_that_are_none_are_refused),
        cmocka_unit_test(addresses_in_no_mapping_are_refused),
        cmocka_unit_test(never_granted_is_none_and_success),
        cmocka_unit_test(neighbours_differ_at_their_border),
        cmocka_unit_test(the_host_can_be_asked_for),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
