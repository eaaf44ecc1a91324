// SPDX-License-Identifier: Apache-2.0
// The answers of level 7 to the questions about virtual memory that AMD's tests of 2026 ask: memory on
// nodes, captures, handles of ranges, and the access of the host to imported memory. The answers of both
// levels are in cases_create.c and the files that it names. Each test runs in a process of level 7.
#include <unistd.h>

#include "support/hip.h"

#define BYTES ((size_t)64 << 10)

static const hipMemAccessDesc access_of_0 = {{hipMemLocationTypeDevice, 0},
                                             hipMemAccessFlagsProtReadWrite};

static hipMemAllocationProp memory_at(hipMemLocationType type, int id) {
    hipMemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location = (hipMemLocation){type, id};
    return prop;
}

static size_t granule(const hipMemAllocationProp *prop) {
    size_t bytes = 0;
    assert_hip_ok(hipMemGetAllocationGranularity(&bytes, prop, hipMemAllocationGranularityMinimum));
    return bytes;
}

static void *map_new(const hipMemAllocationProp *prop) {
    hipMemGenericAllocationHandle_t handle = NULL;
    void *ptr = NULL;
    assert_hip_ok(hipMemCreate(&handle, BYTES, prop, 0));
    assert_hip_ok(hipMemAddressReserve(&ptr, BYTES, 0, NULL, 0));
    assert_hip_ok(hipMemMap(ptr, BYTES, 0, handle, 0));
    assert_hip_ok(hipMemSetAccess(ptr, BYTES, &access_of_0, 1));
    assert_hip_ok(hipMemRelease(handle));
    return ptr;
}

static void unmap(void *ptr) {
    assert_hip_ok(hipMemUnmap(ptr, BYTES));
    assert_hip_ok(hipMemAddressFree(ptr, BYTES));
}

// ---- memory on nodes

static void use_a_node(hipMemLocationType type) {
    const hipMemAllocationProp prop = memory_at(type, 0);
    hipMemGenericAllocationHandle_t handle = NULL;
    hipMemAllocationProp found;
    int from[1000], to[1000];
    for (int i = 0; i < 1000; i++) from[i] = i;
    assert_hip_ok(hipMemCreate(&handle, BYTES, &prop, 0));
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&found, handle));
    assert_memory_equal(&found.location, &prop.location, sizeof found.location);
    assert_hip_ok(hipMemRelease(handle));
    void *ptr = map_new(&prop);
    assert_hip_ok(hipMemcpyHtoD(ptr, from, sizeof from));
    assert_hip_ok(hipMemcpyDtoH(to, ptr, sizeof to));
    assert_memory_equal(to, from, sizeof to);
    unmap(ptr);
    assert_hip(hipMemCreate(&handle, BYTES, &prop, 1), hipErrorInvalidValue);
    assert_hip(hipMemCreate(&handle, granule(&prop) - 1, &prop, 0), hipErrorInvalidValue);
}

// The software device makes memory of a node only on machines with one.
static void check_nodes(void *arg) {
    const hipMemAllocationProp negative = memory_at(hipMemLocationTypeHostNuma, -1);
    const hipMemAllocationProp absent = memory_at(hipMemLocationTypeHostNuma, 1 << 20);
    hipMemGenericAllocationHandle_t handle = NULL;
    (void)arg;
    if (access("/sys/devices/system/node/node1", F_OK) != 0) {
        use_a_node(hipMemLocationTypeHostNuma);
        use_a_node(hipMemLocationTypeHostNumaCurrent);
    }
    assert_hip(hipMemCreate(&handle, BYTES, &negative, 0), hipErrorInvalidValue);
    assert_hip(hipMemCreate(&handle, BYTES, &absent, 0), hipErrorInvalidValue);
}

static void create_uncached(void *arg) {
    hipMemAllocationProp prop = memory_at(hipMemLocationTypeDevice, 0);
    hipMemGenericAllocationHandle_t handle = NULL;
    size_t cached = granule(&prop);
    (void)arg;
    prop.type = hipMemAllocationTypeUncached;
    assert_int_equal(granule(&prop), cached);
    assert_hip_ok(hipMemCreate(&handle, BYTES, &prop, 0));
    assert_hip_ok(hipMemRelease(handle));
}

// ---- ranges, and captures

static void reserve_badly(void *arg) {
    void *ptr = NULL;
    (void)arg;
    assert_hip(hipMemAddressReserve(NULL, BYTES, 0, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipMemAddressReserve(&ptr, 0, 0, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipMemAddressReserve(&ptr, BYTES, 3, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipMemAddressReserve(&ptr, BYTES - 1, 0, NULL, 0), hipErrorInvalidValue);
}

static void use_during_capture(void *mode) {
    const hipMemAllocationProp prop = memory_at(hipMemLocationTypeDevice, 0);
    hipMemGenericAllocationHandle_t handle = NULL;
    unsigned long long flags = 0;
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, *(const hipStreamCaptureMode *)mode));
    char *ptr = map_new(&prop);
    assert_hip_ok(hipMemGetAccess(&flags, &access_of_0.location, ptr));
    assert_int_equal(flags, hipMemAccessFlagsProtReadWrite);
    assert_hip_ok(hipMemRetainAllocationHandle(&handle, ptr));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip(hipMemUnmap(ptr, BYTES - 1), hipErrorInvalidValue);
    assert_hip(hipMemUnmap(NULL, BYTES), hipErrorInvalidValue);
    assert_hip(hipMemUnmap(ptr, 0), hipErrorInvalidValue);
    unmap(ptr);
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- handles of ranges

static hipError_t handle_of(void *ptr, size_t bytes, int type, unsigned long long flags) {
    int fd = -1;
    hipError_t error =
        hipMemGetHandleForAddressRange(&fd, ptr, bytes, (hipMemRangeHandleType)type, flags);
    if (error == hipSuccess) assert_int_equal(close(fd), 0);
    return error;
}

static void ask_for_handles(void *arg) {
    const int dma_buf = hipMemRangeHandleTypeDmaBufFd;
    char pageable[64];
    const hipMemAllocationProp prop = memory_at(hipMemLocationTypeDevice, 0);
    void *ptr = NULL, *freed = NULL, *reserved = NULL;
    void *mapped = map_new(&prop);
    (void)arg;
    assert_hip_ok(hipMalloc(&ptr, 4096));
    assert_hip_ok(hipMalloc(&freed, 4096));
    assert_hip_ok(hipFree(freed));
    assert_hip_ok(hipMemAddressReserve(&reserved, BYTES, 0, NULL, 0));
    assert_hip_ok(handle_of(ptr, 4096, dma_buf, 0));
    assert_hip_ok(handle_of(mapped, 4096, dma_buf, 0));
    assert_hip(handle_of(reserved, BYTES, dma_buf, 0), hipErrorInvalidValue);
    assert_hip(handle_of(NULL, 4096, dma_buf, 0), hipErrorInvalidValue);
    assert_hip(handle_of(ptr, 0, dma_buf, 0), hipErrorInvalidValue);
    assert_hip(handle_of(ptr, 4096, -1, 0), hipErrorInvalidValue);
    assert_hip(handle_of(ptr, 4096, dma_buf, 0xff), hipErrorInvalidValue);
    assert_hip(handle_of(freed, 4096, dma_buf, 0), hipErrorInvalidValue);
    assert_hip(handle_of(pageable, sizeof pageable, dma_buf, 0), hipErrorInvalidValue);
    unmap(mapped);
    assert_hip_ok(hipMemAddressFree(reserved, BYTES));
    assert_hip_ok(hipFree(ptr));
}

// ---- imported memory

static void write_imported(void *arg) {
    const hipMemAccessDesc host = {{hipMemLocationTypeHost, 0}, hipMemAccessFlagsProtReadWrite};
    hipMemAllocationProp prop = memory_at(hipMemLocationTypeDevice, 1);
    hipMemGenericAllocationHandle_t handle = NULL, imported = NULL;
    void *ptr = NULL;
    int fd = -1, word = 0;
    (void)arg;
    prop.requestedHandleTypes = hipMemHandleTypePosixFileDescriptor;
    assert_hip_ok(hipMemCreate(&handle, BYTES, &prop, 0));
    assert_hip_ok(
        hipMemExportToShareableHandle(&fd, handle, hipMemHandleTypePosixFileDescriptor, 0));
    assert_hip_ok(hipMemImportFromShareableHandle(&imported, (void *)(uintptr_t)fd,
                                                  hipMemHandleTypePosixFileDescriptor));
    assert_hip_ok(hipMemAddressReserve(&ptr, BYTES, 0, NULL, 0));
    assert_hip_ok(hipMemMap(ptr, BYTES, 0, imported, 0));
    assert_hip_ok(hipMemSetAccess(ptr, BYTES, &host, 1));
    ((volatile int *)ptr)[5] = 9;
    assert_hip_ok(hipMemSetAccess(ptr, BYTES, &access_of_0, 1));
    assert_hip_ok(hipMemcpyDtoH(&word, (int *)ptr + 5, sizeof word));
    assert_int_equal(word, 9);
    unmap(ptr);
    assert_hip_ok(hipMemRelease(imported));
    assert_hip_ok(hipMemRelease(handle));
    assert_int_equal(close(fd), 0);
}

static void find_functions(void *arg) {
    static const char *const names[] = {"hipMemAddressReserve", "hipMemCreate",
                                        "hipMemGetHandleForAddressRange", "hipMemMapArrayAsync",
                                        "hipMemRetainAllocationHandle"};
    (void)arg;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function = NULL;
        assert_hip_ok(hipGetProcAddress(names[i], &function, 70000000, 0, NULL));
        assert_non_null(function);
    }
}

// ---- one process each

#define AT_LEVEL_7(claim, body, arg)                                                               \
    static void claim(void **state) {                                                              \
        (void)state;                                                                               \
        hip_in_child(body, arg, "TARN_HIP_COMPAT", "7", NULL);                                     \
    }

AT_LEVEL_7(memory_of_a_node_is_created_and_copied, check_nodes, NULL)
AT_LEVEL_7(uncached_memory_is_created, create_uncached, NULL)
AT_LEVEL_7(ranges_of_bad_shapes_are_refused, reserve_badly, NULL)
AT_LEVEL_7(handles_of_bad_ranges_are_refused, ask_for_handles, NULL)
AT_LEVEL_7(the_host_writes_imported_memory, write_imported, NULL)
AT_LEVEL_7(functions_of_virtual_memory_are_found_by_name, find_functions, NULL)

static void a_capture_of_any_mode_allows_virtual_memory(void **state) {
    (void)state;
    for (int mode = hipStreamCaptureModeGlobal; mode <= hipStreamCaptureModeRelaxed; mode++)
        hip_in_child(use_during_capture, &mode, "TARN_HIP_COMPAT", "7", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_a_node_is_created_and_copied),
        cmocka_unit_test(uncached_memory_is_created),
        cmocka_unit_test(ranges_of_bad_shapes_are_refused),
        cmocka_unit_test(a_capture_of_any_mode_allows_virtual_memory),
        cmocka_unit_test(handles_of_bad_ranges_are_refused),
        cmocka_unit_test(the_host_writes_imported_memory),
        cmocka_unit_test(functions_of_virtual_memory_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
