// SPDX-License-Identifier: Apache-2.0
// The libraries of ROCm 6 and ROCm 7: each reports the version of its name and behaves accordingly.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>

#include "support/hip.h"

#define VERSION_7 70226015

struct library {
    __typeof__(hipRuntimeGetVersion) *runtime;
    __typeof__(hipDriverGetVersion) *driver;
    __typeof__(hipMemAddressReserve) *reserve;
    __typeof__(hipSetDevice) *set_device;
    __typeof__(hipGetDevice) *get_device;
};

static void *find_symbol(void *opened, const char *name) {
    void *found = dlsym(opened, name);
    assert_non_null(found);
    return found;
}

// Opens a library that lies beside the one of this program.
static void open_library(const char *name, struct library *library) {
    char path[4096];
    Dl_info own;
    assert_true(dladdr(*(void *const *)&(__typeof__(hipInit) *){hipInit}, &own) != 0);
    (void)snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(own.dli_fname, '/') - own.dli_fname),
                   own.dli_fname, name);
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (opened == NULL) fail_msg("%s", dlerror());
    *(void **)&library->runtime = find_symbol(opened, "hipRuntimeGetVersion");
    *(void **)&library->driver = find_symbol(opened, "hipDriverGetVersion");
    *(void **)&library->reserve = find_symbol(opened, "hipMemAddressReserve");
    *(void **)&library->set_device = find_symbol(opened, "hipSetDevice");
    *(void **)&library->get_device = find_symbol(opened, "hipGetDevice");
}

static void check_level(const struct library *library, int version, hipError_t odd_size) {
    int runtime = 0;
    int driver = 0;
    void *range = NULL;
    assert_hip_ok(library->runtime(&runtime));
    assert_hip_ok(library->driver(&driver));
    assert_int_equal(runtime, version);
    assert_int_equal(driver, version);
    assert_hip(library->reserve(&range, 0, 0, NULL, 0), odd_size);
}

static void each_library_follows_its_name(void **state) {
    struct library six;
    struct library seven;
    (void)state;
    open_library("libamdhip64.so.6", &six);
    open_library("libamdhip64.so.7", &seven);
    check_level(&six, HIP_VERSION, hipErrorOutOfMemory);
    check_level(&seven, VERSION_7, hipErrorInvalidValue);
    check_level(&six, HIP_VERSION, hipErrorOutOfMemory);
}

static void libraries_in_one_process_share_nothing(void **state) {
    struct library six;
    struct library seven;
    int ordinal = -1;
    (void)state;
    open_library("libamdhip64.so.6", &six);
    open_library("libamdhip64.so.7", &seven);
    assert_hip_ok(six.set_device(1));
    assert_hip_ok(seven.get_device(&ordinal));
    assert_int_equal(ordinal, 0);
    assert_hip_ok(six.set_device(0));
}

static void seven_in_both(void *arg) {
    struct library library;
    (void)arg;
    open_library("libamdhip64.so.6", &library);
    check_level(&library, VERSION_7, hipErrorInvalidValue);
    open_library("libamdhip64.so.7", &library);
    check_level(&library, VERSION_7, hipErrorInvalidValue);
}

static void six_in_both(void *arg) {
    struct library library;
    (void)arg;
    open_library("libamdhip64.so.6", &library);
    check_level(&library, HIP_VERSION, hipErrorOutOfMemory);
    open_library("libamdhip64.so.7", &library);
    check_level(&library, HIP_VERSION, hipErrorOutOfMemory);
}

static void the_variable_decides_for_both_libraries(void **state) {
    (void)state;
    hip_in_child(seven_in_both, NULL, "TARN_HIP_COMPAT", "7", NULL);
    hip_in_child(six_in_both, NULL, "TARN_HIP_COMPAT", "6", NULL);
}

// torch_memory_saver asks for 6.3.4, as `6.3.4` becomes 60304000 in its comparison.
static void the_version_of_the_headers_has_a_patch_number(void **state) {
    (void)state;
    assert_int_equal(HIP_VERSION_MAJOR, 6);
    assert_int_equal(HIP_VERSION_MINOR, 3);
    assert_true(HIP_VERSION_PATCH >= 42134);
    assert_true(HIP_VERSION >= 60304000);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(the_variable_decides_for_both_libraries),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_library_follows_its_name),
        cmocka_unit_test(libraries_in_one_process_share_nothing),
        cmocka_unit_test(the_version_of_the_headers_has_a_patch_number),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
