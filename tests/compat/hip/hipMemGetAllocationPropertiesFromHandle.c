// SPDX-License-Identifier: Apache-2.0
// hipMemGetAllocationPropertiesFromHandle: what was given to hipMemCreate, byte for byte, and what
// an importer is told.
#include <unistd.h>

#include "support/vmm.h"

static hipMemAllocationProp ask(handle_t handle) {
    hipMemAllocationProp prop;
    memset(&prop, 0x5a, sizeof prop);
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
    return prop;
}

static void comes_back_byte_for_byte(const hipMemAllocationProp *given) {
    handle_t handle = NULL;
    assert_hip_ok(hipMemCreate(&handle, G, given, 0));
    hipMemAllocationProp got = ask(handle);
    assert_memory_equal(&got, given, sizeof got);
    assert_hip_ok(hipMemRelease(handle));
}

// Every field with a value of its own, and padding too.
static hipMemAllocationProp peculiar(int device) {
    hipMemAllocationProp prop;
    memset(&prop, 0xc3, sizeof prop);
    prop.type = hipMemAllocationTypeUncached;
    prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
    prop.location.type = hipMemLocationTypeDevice;
    prop.location.id = device;
    prop.win32HandleMetaData = (void *)(uintptr_t)0x1122334455667788;
    prop.allocFlags.compressionType = 0x81;
    prop.allocFlags.gpuDirectRDMACapable = 0x82;
    prop.allocFlags.usage = 0x8483;
    return prop;
}

static void bad_arguments_are_refused(void **state) {
    handle_t handle = create(G);
    hipMemAllocationProp prop = peculiar(0);
    const hipMemAllocationProp before = prop;
    (void)state;
    assert_hip(hipMemGetAllocationPropertiesFromHandle(NULL, handle), hipErrorInvalidValue);
    assert_hip(hipMemGetAllocationPropertiesFromHandle(&prop, NULL), hipErrorInvalidValue);
    assert_hip(hipMemGetAllocationPropertiesFromHandle(&prop, no_handle()), hipErrorInvalidValue);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip(hipMemGetAllocationPropertiesFromHandle(&prop, handle), hipErrorInvalidValue);
    assert_memory_equal(&prop, &before, sizeof prop);
}

static void every_byte_comes_back(void **state) {
    hipMemAllocationProp prop = prop_on(0);
    (void)state;
    comes_back_byte_for_byte(&prop);
    prop = peculiar(1);
    comes_back_byte_for_byte(&prop);
    prop.location.type = hipMemLocationTypeHost;
    prop.location.id = 0x12345678; // ignored, and kept
    comes_back_byte_for_byte(&prop);
}

static void a_mapped_handle_without_references_still_tells(void **state) {
    char *at = reserve(G);
    handle_t handle = create_on(1, G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_int_equal(ask(handle).location.id, 1);
    unmap_and_free(at, G);
}

// Where the memory is and what it is travels; what means something to the exporter alone does not.
static void an_importer_is_told_what_the_memory_is(void **state) {
    hipMemAllocationProp given = peculiar(1);
    handle_t handle = NULL;
    (void)state;
    assert_hip_ok(hipMemCreate(&handle, G, &given, 0));
    int fd = export_fd(handle);
    handle_t twin = import_fd(fd);
    hipMemAllocationProp got = ask(twin);
    assert_int_equal(got.type, hipMemAllocationTypeUncached);
    assert_int_equal(got.requestedHandleType, hipMemHandleTypePosixFileDescriptor);
    assert_int_equal(got.location.type, hipMemLocationTypeDevice);
    assert_int_equal(got.location.id, 1);
    assert_null(got.win32HandleMetaData);
    assert_memory_equal(&got.allocFlags, &given.allocFlags, sizeof given.allocFlags);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemRelease(twin));
}

static void an_importer_is_told_of_host_memory(void **state) {
    hipMemAllocationProp given = peculiar(77);
    handle_t handle = NULL;
    (void)state;
    given.location.type = hipMemLocationTypeHost;
    assert_hip_ok(hipMemCreate(&handle, G, &given, 0));
    int fd = export_fd(handle);
    handle_t twin = import_fd(fd);
    assert_int_equal(ask(twin).location.type, hipMemLocationTypeHost);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemRelease(twin));
}

// A child that sees the devices in another order finds the memory on the right one. The descriptor
// comes to it over the fork.
struct seen {
    int fd;
    int want;
    int current;
};

static void import_and_compare(void *arg) {
    const struct seen *seen = arg;
    assert_hip_ok(hipSetDevice(seen->current));
    handle_t handle = import_fd(seen->fd);
    hipMemAllocationProp prop = ask(handle);
    assert_int_equal(prop.location.type, hipMemLocationTypeDevice);
    assert_int_equal(prop.location.id, seen->want);
    assert_hip_ok(hipMemRelease(handle));
}

// The platform counts the other way round: a number not translated on one of the ways would show.
static void export_and_import(void *arg) {
    handle_t handle = create_shared(G);
    int fd = export_fd(handle);
    handle_t twin = import_fd(fd);
    (void)arg;
    assert_int_equal(ask(handle).location.id, 0);
    assert_int_equal(ask(twin).location.id, 0);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemRelease(twin));
}

// Memory of a device that the importer's platform does not have is the current device's.
static void export_from_the_third_of_three(void *arg) {
    hipMemAllocationProp prop = peculiar(2);
    handle_t handle = NULL;
    (void)arg;
    assert_hip_ok(hipMemCreate(&handle, G, &prop, 0));
    int fd = export_fd(handle);
    for (int current = 0; current < 2; current++) {
        hip_in_child(import_and_compare, &(struct seen){fd, current, current}, "TARN_HIP_DEVICE",
                     "host:0,devices=2", NULL);
    }
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

static void ordinals_of_imported_memory_are_the_importers(void **state) {
    handle_t handle = NULL;
    hipMemAllocationProp prop = peculiar(1);
    (void)state;
    assert_hip_ok(hipMemCreate(&handle, G, &prop, 0));
    int fd = export_fd(handle);
    hip_in_child(import_and_compare, &(struct seen){fd, 1, 0}, NULL);
    hip_in_child(import_and_compare, &(struct seen){fd, 0, 1}, "HIP_VISIBLE_DEVICES", "1,0", NULL);
    hip_in_child(import_and_compare, &(struct seen){fd, 0, 0}, "HIP_VISIBLE_DEVICES", "1", NULL);
    hip_in_child(export_and_import, NULL, "HIP_VISIBLE_DEVICES", "1,0", NULL);
    hip_in_child(export_from_the_third_of_three, NULL, "TARN_HIP_DEVICE", "host:0,devices=3", NULL);
    // A device that is not visible is the current one.
    hip_in_child(import_and_compare, &(struct seen){fd, 0, 0}, "HIP_VISIBLE_DEVICES", "0", NULL);
    hip_in_child(import_and_compare, &(struct seen){fd, 1, 1}, "HIP_VISIBLE_DEVICES", "2,0",
                 "TARN_HIP_DEVICE", "host:0,devices=3", NULL);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(every_byte_comes_back),
        cmocka_unit_test(a_mapped_handle_without_references_still_tells),
        cmocka_unit_test(an_importer_is_told_what_the_memory_is),
        cmocka_unit_test(an_importer_is_told_of_host_memory),
        cmocka_unit_test(ordinals_of_imported_memory_are_the_importers),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
