// SPDX-License-Identifier: Apache-2.0
// Layers between core and back-end: the options that they take, the calls that they pass on, and
// the faults of the option fail=.
#include "backend/layer/layer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tarn/tarn.h>

#include "backend/registry.h"

static struct tn_layered layered_over(const char *options) {
    struct tn_layered layered = {0};
    const tarn_backend *sim = tn_backend_find("sim", 3);
    assert_int_equal(tn_layer_open(sim, options, &layered), TARN_OK);
    return layered;
}

static void without_an_option_there_is_no_layer(void **state) {
    struct tn_layered plain = layered_over("devices=1");
    (void)state;
    assert_ptr_equal(plain.ops, tn_backend_find("sim", 3));
    assert_ptr_equal(plain.owner, plain.p);
    plain.ops->platform_close(plain.p);
}

// Wherever the option stands, the back-end gets the others.
static void a_layer_takes_its_option_from_the_list(void **state) {
    static const char *const lists[] = {"fail=map:3,devices=1,memory=64M",
                                        "devices=1,fail=map:3,memory=64M",
                                        "devices=1,memory=64M,fail=map:3"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tn_layered layered = layered_over(lists[i]);
        uint64_t free_bytes = 0, total = 0;
        assert_ptr_not_equal(layered.p, layered.owner);
        assert_string_equal(layered.ops->name, "sim");
        assert_int_equal(layered.ops->device_count(layered.p), 1);
        assert_int_equal(layered.ops->memory_info(layered.p, 0, &free_bytes, &total), TARN_OK);
        assert_int_equal(total, 64 << 20);
        layered.ops->platform_close(layered.p);
    }
}

static void the_option_is_the_last_setting(void **state) {
    struct tn_layered layered = layered_over("fail=map:3;copy:1");
    tarn_setting setting = {0};
    unsigned count = 0;
    (void)state;
    while (layered.ops->setting(layered.p, count, &setting) == TARN_OK) count++;
    assert_true(count > 3);
    assert_string_equal(setting.key, "fail");
    assert_string_equal(setting.value, "map:3;copy:1");
    assert_int_equal(layered.ops->setting(layered.p, count + 1, &setting), TARN_BAD_ARGUMENT);
    layered.ops->platform_close(layered.p);
}

static void wrong_options_open_nothing(void **state) {
    static const char *const wrong[] = {"fail=",          "fail=map:3,fail=map:4", "fail=mapp",
                                        "fail=hipMalloc", "fail=map:3,memory=x",   "fail"};
    tarn_device *device = NULL;
    char uri[64] = "host:0,";
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        strcpy(uri + strlen("host:0,"), wrong[i]);
        assert_int_equal(tarn_device_open(uri, &device), TARN_BAD_CONFIG);
        assert_null(device);
    }
}

// The fourth reservation fails before the back-end sees it; the status and the text are the spec's.
static void a_failing_call_does_not_reach_the_backend(void **state) {
    tarn_device *device = NULL;
    tarn_addr addr[4] = {0};
    tarn_error error;
    (void)state;
    assert_int_equal(tarn_device_open("host:0,memory=64M,fail=reserve:4:as=NO_HANDLES", &device),
                     TARN_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tarn_space_reserve(device, 2 << 20, 0, 0, &addr[i]), TARN_OK);
    assert_int_equal(tarn_space_reserve(device, 2 << 20, 0, 0, &addr[3]), TARN_NO_HANDLES);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message,
                        "reserve: call 4 was made to fail, as \"reserve:4:as=NO_HANDLES\" asks");
    assert_int_equal(addr[3], 0);
    assert_int_equal(tarn_space_reserve(device, 2 << 20, 0, 0, &addr[3]), TARN_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(tarn_space_release(addr[i]), TARN_OK);
    assert_int_equal(tarn_platform_verify(device), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static tarn_status inside;

static void wait_inside(void *device) {
    inside = tarn_device_synchronize((tarn_device *)device, TARN_FOREVER);
}

// A host function is recognised although the core does not know the back-end's platform.
static void host_functions_are_recognised_behind_a_layer(void **state) {
    tarn_device *device = NULL;
    tarn_stream stream = 0;
    (void)state;
    assert_int_equal(tarn_device_open("host:0,memory=64M,fail=map:100", &device), TARN_OK);
    assert_int_equal(tarn_stream_create(device, &stream), TARN_OK);
    assert_int_equal(tarn_stream_call(stream, wait_inside, device), TARN_OK);
    assert_int_equal(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_OK);
    assert_int_equal(inside, TARN_BUSY);
    assert_int_equal(tarn_stream_destroy(stream), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_option_there_is_no_layer),
        cmocka_unit_test(a_layer_takes_its_option_from_the_list),
        cmocka_unit_test(the_option_is_the_last_setting),
        cmocka_unit_test(wrong_options_open_nothing),
        cmocka_unit_test(a_failing_call_does_not_reach_the_backend),
        cmocka_unit_test(host_functions_are_recognised_behind_a_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
