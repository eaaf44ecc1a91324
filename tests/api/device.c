// SPDX-License-Identifier: Apache-2.0
// Devices: names, sharing, closing, peers.
#include "support/api.h"

#include <stdio.h>
#include <string.h>

static void one_name_gives_one_device(void **state) {
    struct api *api = *state;
    char uri[32];
    tarn_device *again = NULL;
    (void)snprintf(uri, sizeof uri, "%s:0", api_backend());
    assert_ok(tarn_device_open(uri, &again));
    assert_ptr_equal(again, api->device);
    assert_ok(tarn_device_close(again));
}

static void other_options_give_another_platform(void **state) {
    struct api *api = *state;
    tarn_device *other = api_open(0, "memory=64M");
    assert_ptr_not_equal(other, api->device);
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_ok(tarn_device_query(other, &info));
    assert_int_equal(info.memory_bytes, 64u << 20);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &addr));
    assert_ok(tarn_phys_create(other, info.granularity_minimum, NULL, &phys));
    assert_status(tarn_map(addr, api->g, phys), TARN_BAD_ADDRESS);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(other));
}

static void bad_names_are_refused_and_named(void **state) {
    static const char *const names[] = {"nothing:0",
                                        "host",
                                        "host:",
                                        "host:x",
                                        "host:-1",
                                        "host:0,",
                                        "host:0,colour=red",
                                        "host:0,memory=",
                                        "host:0,memory=12Q",
                                        "sim:0,memory=80GG",
                                        "host:99999999999999999999"};
    tarn_device *device = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tarn_clear_error();
        tarn_status status = tarn_device_open(names[i], &device);
        if (status != TARN_BAD_CONFIG)
            print_error("\"%s\" gave %s\n", names[i], tarn_status_name(status));
        assert_int_equal(status, TARN_BAD_CONFIG);
        tarn_error error;
        (void)tarn_last_error(&error);
        assert_true(strlen(error.message) > 0);
        assert_null(device);
    }
}

static void an_ordinal_out_of_range_is_bad_device(void **state) {
    char uri[32];
    tarn_device *device = NULL;
    (void)state;
    (void)snprintf(uri, sizeof uri, "%s:1000", api_backend());
    assert_status(tarn_device_open(uri, &device), TARN_BAD_DEVICE);
    assert_null(device);
}

static void the_last_close_is_refused_while_something_lives(void **state) {
    (void)state;
    tarn_device *device = api_open(0, "memory=32M");
    tarn_phys phys = 0;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_ok(tarn_device_query(device, &info));
    assert_ok(tarn_phys_create(device, info.granularity_minimum, NULL, &phys));
    assert_status(tarn_device_close(device), TARN_BUSY);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_device_close(device));
}

static void info_is_consistent(void **state) {
    struct api *api = *state;
    const tarn_device_info *info = &api->info;
    assert_string_equal(info->backend, api_backend());
    assert_true(info->device_count >= 1);
    assert_true((info->granularity_minimum & (info->granularity_minimum - 1)) == 0);
    assert_int_equal(info->granularity_recommended % info->granularity_minimum, 0);
    assert_true((info->features & TARN_FEATURE_VMM) != 0);
}

static void every_setting_says_where_it_came_from(void **state) {
    (void)state;
    tarn_device *device = api_open(0, "memory=96M");
    tarn_setting setting;
    bool memory_seen = false;
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++) {
        assert_non_null(setting.key);
        assert_non_null(setting.value);
        assert_true(strlen(setting.help) > 0);
        if (strcmp(setting.key, "memory") == 0) {
            memory_seen = true;
            assert_string_equal(setting.source, "uri");
        } else {
            assert_string_not_equal(setting.source, "uri");
        }
    }
    assert_true(memory_seen);
    assert_ok(tarn_device_close(device));
}

static void peers_are_enabled_once_and_disabled_once(void **state) {
    struct api *api = *state;
    bool can = false;
    api_need_peer(api);
    api_need(api, TARN_FEATURE_PEER);
    assert_ok(tarn_device_query_peer(api->device, api->peer, &can, NULL));
    assert_true(can);
    assert_status(tarn_device_disable_peer(api->device, api->peer), TARN_BAD_ARGUMENT);
    assert_ok(tarn_device_enable_peer(api->device, api->peer));
    assert_status(tarn_device_enable_peer(api->device, api->peer), TARN_BUSY);
    assert_ok(tarn_device_disable_peer(api->device, api->peer));
    assert_status(tarn_device_enable_peer(api->device, api->device), TARN_BAD_ARGUMENT);
}

static void null_arguments_are_refused(void **state) {
    struct api *api = *state;
    assert_status(tarn_device_open("host:0", NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_device_query(NULL, &api->info), TARN_BAD_ARGUMENT);
    assert_status(tarn_device_query(api->device, NULL), TARN_BAD_ARGUMENT);
    tarn_device_info info = {.struct_size = 0};
    assert_status(tarn_device_query(api->device, &info), TARN_BAD_STRUCT);
    assert_status(tarn_device_query_memory(NULL, NULL, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_device_query_memory(api->device, NULL, NULL));
    assert_ok(tarn_device_close(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_name_gives_one_device, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(other_options_give_another_platform, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(bad_names_are_refused_and_named, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(an_ordinal_out_of_range_is_bad_device, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(the_last_close_is_refused_while_something_lives, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(info_is_consistent, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(every_setting_says_where_it_came_from, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(peers_are_enabled_once_and_disabled_once, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(null_arguments_are_refused, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
