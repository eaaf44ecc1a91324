// SPDX-License-Identifier: Apache-2.0
// Fills of one row.
#include "support/chunks.h"
#include "support/work.h"

#define BYTES ((size_t)4096)

static unsigned char host[3 * CHUNK_BYTES];

static void *device_with(unsigned char value) {
    void *device = NULL;
    assert_hip_ok(hipMalloc(&device, BYTES));
    assert_hip_ok(hipMemset(device, value, BYTES));
    return device;
}

static const unsigned char *read_back(const void *device) {
    assert_hip_ok(hipMemcpy(host, device, BYTES, hipMemcpyDeviceToHost));
    return host;
}

static void takes_the_low_byte(void **state) {
    unsigned char *device = device_with(1);
    (void)state;
    assert_hip_ok(hipMemset(device + 5, 0x12345678, 10));
    const unsigned char *got = read_back(device);
    assert_int_equal(got[4], 1);
    assert_int_equal(got[5], 0x78);
    assert_int_equal(got[14], 0x78);
    assert_int_equal(got[15], 1);
    assert_hip_ok(hipFree(device));
}

static void elements_are_as_wide_as_the_name_says(void **state) {
    unsigned char *device = device_with(1);
    uint16_t sixteen;
    uint32_t thirty_two;
    (void)state;
    assert_hip_ok(hipMemsetD8(device, 0xab, 3));
    assert_hip_ok(hipMemsetD16(device + 4, 0xbeef, 2));
    assert_hip_ok(hipMemsetD32(device + 12, (int)0xdeadbeef, 2));
    const unsigned char *got = read_back(device);
    assert_int_equal(got[2], 0xab);
    assert_int_equal(got[3], 1);
    memcpy(&sixteen, got + 6, sizeof sixteen);
    assert_int_equal(sixteen, 0xbeef);
    assert_int_equal(got[8], 1);
    memcpy(&thirty_two, got + 16, sizeof thirty_two);
    assert_int_equal(thirty_two, 0xdeadbeef);
    assert_int_equal(got[20], 1);
    assert_hip_ok(hipFree(device));
}

// Deadlocks if a fill in a stream waits.
static void streams_keep_the_order(void **state) {
    unsigned char *device = device_with(1);
    hipStream_t stream = NULL;
    struct gate gate = {0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipMemsetAsync(device, 2, BYTES, stream));
    assert_hip_ok(hipMemsetD8Async(device, 3, 12, stream));
    assert_hip_ok(hipMemsetD16Async(device, 0x0404, 4, stream));
    assert_hip_ok(hipMemsetD32Async(device, 0x05050505, 1, stream));
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    const unsigned char *got = read_back(device);
    assert_int_equal(got[3], 5);
    assert_int_equal(got[4], 4);
    assert_int_equal(got[8], 3);
    assert_int_equal(got[12], 2);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(device));
}

static void stream_of_the_thread_is_used(void **state) {
    unsigned char *device = device_with(1);
    (void)state;
    assert_hip_ok(hipMemset_spt(device, 7, 10));
    assert_hip_ok(hipMemsetAsync_spt(device, 8, 5, NULL));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    const unsigned char *got = read_back(device);
    assert_int_equal(got[4], 8);
    assert_int_equal(got[5], 7);
    assert_hip_ok(hipFree(device));
}

static void memory_of_the_cpu_that_is_pinned_is_filled(void **state) {
    unsigned char *pinned = NULL;
    unsigned char *managed = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&pinned, BYTES, 0));
    assert_hip_ok(hipMallocManaged((void **)&managed, BYTES, hipMemAttachGlobal));
    assert_hip_ok(hipMemset(pinned, 9, BYTES));
    assert_hip_ok(hipMemset(managed, 9, BYTES));
    assert_int_equal(pinned[BYTES - 1], 9);
    assert_int_equal(managed[BYTES - 1], 9);
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipFree(managed));
}

static void ordinary_memory_is_refused(void **state) {
    (void)state;
    memset(host, 0x77, sizeof host);
    assert_hip(hipMemset(host, 1, 10), hipErrorInvalidValue);
    assert_hip(hipMemsetAsync((void *)8, 1, 10, NULL), hipErrorInvalidValue);
    assert_hip(hipMemsetD32((void *)UINTPTR_MAX, 1, 10), hipErrorInvalidValue);
    assert_int_equal(host[0], 0x77);
}

static void bad_arguments_are_refused(void **state) {
    unsigned char *device = device_with(1);
    hipStream_t bad = (hipStream_t)4711;
    (void)state;
    assert_hip(hipMemset(NULL, 1, 1), hipErrorInvalidValue);
    assert_hip(hipMemsetAsync(NULL, 1, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemsetD8(NULL, 1, 1), hipErrorInvalidValue);
    assert_hip(hipMemsetD8Async(NULL, 1, 1, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipMemset(NULL, 1, 0));
    assert_hip(hipMemsetAsync(device, 1, 1, bad), hipErrorContextIsDestroyed);
    assert_hip(hipMemsetAsync(device, 1, 0, bad), hipErrorContextIsDestroyed);
    assert_hip(hipMemsetD16(device + 1, 1, 1), hipErrorInvalidValue);
    assert_hip(hipMemsetD32Async(device + 2, 1, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemset(device, 2, (size_t)1 << 20), hipErrorInvalidValue);
    assert_hip(hipMemsetD32(device, 2, SIZE_MAX / 2), hipErrorInvalidValue);
    assert_int_equal(read_back(device)[0], 1);
    assert_hip_ok(hipFree(device));
}

// A fill goes across mappings, and every byte must be mapped.
static void mapped_ranges_are_crossed_and_holes_refused(void **state) {
    static const struct chunk each[] = {CHUNK_OF(0), CHUNK_OF(1), CHUNK_HOLE};
    size_t bytes = 2 * CHUNK_BYTES - 2;
    (void)state;
    struct chunks range = chunks_make(3, each);
    assert_hip_ok(hipMemset(range.base + 1, 0x42, bytes));
    assert_hip_ok(hipMemcpy(host, range.base + 1, bytes, hipMemcpyDeviceToHost));
    assert_int_equal(host[0], 0x42);
    assert_int_equal(host[bytes - 1], 0x42);
    assert_hip(hipMemset(range.base, 0x43, 2 * CHUNK_BYTES + 1), hipErrorInvalidValue);
    assert_hip(hipMemsetAsync(range.base + 2 * CHUNK_BYTES, 1, 1, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy(host, range.base + 1, 1, hipMemcpyDeviceToHost));
    assert_int_equal(host[0], 0x42);
    chunks_end(&range);
}

// The owner or the current device must hold ReadWrite.
static void rights_are_checked(void **state) {
    static const struct chunk each[] = {{0, 0, hipMemAccessFlagsProtRead},
                                        {0, 1, hipMemAccessFlagsProtReadWrite},
                                        {1, 1, hipMemAccessFlagsProtReadWrite}};
    (void)state;
    struct chunks range = chunks_make(3, each);
    char *of_other = range.base + CHUNK_BYTES;
    assert_hip(hipMemset(range.base, 1, 1), hipErrorInvalidValue);
    assert_hip(hipMemset(of_other, 1, 1), hipErrorInvalidValue);
    assert_hip_ok(hipMemset(of_other + CHUNK_BYTES, 1, 1));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMemset(of_other, 1, 1));
    assert_hip_ok(hipSetDevice(0));
    chunks_end(&range);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_low_byte),
        cmocka_unit_test(elements_are_as_wide_as_the_name_says),
        cmocka_unit_test(streams_keep_the_order),
        cmocka_unit_test(stream_of_the_thread_is_used),
        cmocka_unit_test(memory_of_the_cpu_that_is_pinned_is_filled),
        cmocka_unit_test(ordinary_memory_is_refused),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(mapped_ranges_are_crossed_and_holes_refused),
        cmocka_unit_test(rights_are_checked),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
