// SPDX-License-Identifier: Apache-2.0
// Which devices there are, which is current, and what happens when there is none.
#include <pthread.h>
#include <sys/resource.h>

#include "support/hip.h"

static void count_is_that_of_the_platform(void **state) {
    int count = 0;
    (void)state;
    assert_hip_ok(hipInit(0));
    assert_hip_ok(hipGetDeviceCount(&count));
    assert_int_equal(count, 2);
    assert_hip(hipGetDeviceCount(NULL), hipErrorInvalidValue);
    assert_hip(hipInit(1), hipErrorInvalidValue);
}

static void *read_current(void *arg) {
    assert_hip_ok(hipGetDevice(arg));
    return NULL;
}

static void current_device_belongs_to_the_thread(void **state) {
    pthread_t thread;
    int here = -1;
    int there = -1;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_int_equal(pthread_create(&thread, NULL, read_current, &there), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_hip_ok(hipGetDevice(&here));
    assert_int_equal(here, 1);
    assert_int_equal(there, 0);
    assert_hip_ok(hipSetDevice(0));
}

static void unknown_ordinals_are_refused(void **state) {
    hipDevice_t device = 7;
    (void)state;
    assert_hip(hipSetDevice(2), hipErrorInvalidDevice);
    assert_hip(hipSetDevice(-1), hipErrorInvalidDevice);
    assert_hip(hipDeviceGet(&device, 2), hipErrorInvalidDevice);
    assert_hip(hipDeviceGet(NULL, 0), hipErrorInvalidValue);
    assert_int_equal(device, 7);
    assert_hip_ok(hipDeviceGet(&device, 1));
    assert_int_equal(device, 1);
}

static void no_device_is_told_before_arguments_are_looked_at(void *arg) {
    int count = 7;
    (void)arg;
    assert_hip(hipInit(5), hipErrorNoDevice);
    assert_hip(hipGetDeviceCount(&count), hipErrorNoDevice);
    assert_int_equal(count, 0);
    assert_hip(hipSetDevice(0), hipErrorNoDevice);
    assert_hip_ok(hipRuntimeGetVersion(&count));
    assert_int_equal(count, HIP_VERSION);
}

static void none_visible(void **state) {
    (void)state;
    hip_in_child(no_device_is_told_before_arguments_are_looked_at, NULL, "TARN_HIP_DEVICE", "none",
                 NULL);
    hip_in_child(no_device_is_told_before_arguments_are_looked_at, NULL, "HIP_VISIBLE_DEVICES",
                 "-1", NULL);
    hip_in_child(no_device_is_told_before_arguments_are_looked_at, NULL, "CUDA_VISIBLE_DEVICES", "",
                 NULL);
}

static void sees(void *arg) {
    int count = 0;
    assert_hip_ok(hipGetDeviceCount(&count));
    assert_int_equal(count, *(const int *)arg);
}

static void visible_list_chooses_and_ends_at_a_bad_entry(void **state) {
    (void)state;
    hip_in_child(sees, &(int){1}, "HIP_VISIBLE_DEVICES", "1", NULL);
    hip_in_child(sees, &(int){2}, "HIP_VISIBLE_DEVICES", "1,0", NULL);
    hip_in_child(sees, &(int){1}, "HIP_VISIBLE_DEVICES", "0,9,1", NULL);
}

static void is_broken(void *arg) {
    (void)arg;
    assert_hip(hipInit(0), hipErrorNotInitialized);
    assert_non_null(strstr(hipExtGetLastErrorText(), "nonsense"));
}

static void a_device_that_cannot_be_opened_is_named(void **state) {
    (void)state;
    hip_in_child(is_broken, NULL, "TARN_HIP_DEVICE", "nonsense:0", NULL);
}

static void the_second_call_opens_the_devices(void *arg) {
    struct rlimit limit;
    void *ptr = NULL;
    (void)arg;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    struct rlimit none = {0, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_hip(hipMalloc(&ptr, 4096), hipErrorOutOfMemory);
    assert_hip(hipInit(0), hipErrorOutOfMemory);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_hip_ok(hipMalloc(&ptr, 4096));
    assert_hip_ok(hipFree(ptr));
}

static void a_shortage_at_the_first_call_passes(void **state) {
    (void)state;
    hip_in_child(the_second_call_opens_the_devices, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(a_shortage_at_the_first_call_passes),
        cmocka_unit_test(none_visible),
        cmocka_unit_test(visible_list_chooses_and_ends_at_a_bad_entry),
        cmocka_unit_test(a_device_that_cannot_be_opened_is_named),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(count_is_that_of_the_platform),
        cmocka_unit_test(current_device_belongs_to_the_thread),
        cmocka_unit_test(unknown_ordinals_are_refused),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
