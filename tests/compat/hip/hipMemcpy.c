// SPDX-License-Identifier: Apache-2.0
// Copies of one row that are done at return, also of mapped memory.
#include "support/chunks.h"

#define BYTES ((size_t)100000)

static unsigned char host[4 * CHUNK_BYTES];
static unsigned char back[4 * CHUNK_BYTES];

static void fill_host(unsigned seed) {
    for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)((i * 7 + seed) >> (i % 5));
    memset(back, 0, sizeof back);
}

static void moves_bytes_between_all_kinds_of_memory(void **state) {
    void *device = NULL;
    void *other = NULL;
    void *pinned = NULL;
    void *managed = NULL;
    (void)state;
    fill_host(1);
    assert_hip_ok(hipMalloc(&device, BYTES));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&other, BYTES));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipHostMalloc(&pinned, BYTES, 0));
    assert_hip_ok(hipMallocManaged(&managed, BYTES, hipMemAttachGlobal));
    assert_hip_ok(hipMemcpy(device, host, BYTES, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemcpy(other, device, BYTES, hipMemcpyDeviceToDevice));
    assert_hip_ok(hipMemcpy(pinned, other, BYTES, hipMemcpyDeviceToHost));
    assert_hip_ok(hipMemcpy(managed, pinned, BYTES, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy(back, managed, BYTES, hipMemcpyDefault));
    assert_memory_equal(back, host, BYTES);
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipFree(other));
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipFree(managed));
}

static void ordinary_memory_goes_to_ordinary_memory(void **state) {
    (void)state;
    fill_host(2);
    assert_hip_ok(hipMemcpy(back, host, BYTES, hipMemcpyHostToHost));
    assert_memory_equal(back, host, BYTES);
}

static void kinds_are_hints(void **state) {
    static const hipMemcpyKind kinds[] = {hipMemcpyHostToHost,   hipMemcpyHostToDevice,
                                          hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice,
                                          hipMemcpyDefault,      hipMemcpyDeviceToDeviceNoCU};
    void *device = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&device, BYTES));
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fill_host(i);
        assert_hip_ok(hipMemcpy(device, host, BYTES, kinds[i]));
        assert_hip_ok(hipMemcpy(back, device, BYTES, kinds[i]));
        assert_memory_equal(back, host, BYTES);
    }
    assert_hip_ok(hipFree(device));
}

static void unknown_kinds_are_refused(void **state) {
    (void)state;
    assert_hip(hipMemcpy(back, host, 1, (hipMemcpyKind)5), hipErrorInvalidMemcpyDirection);
    assert_non_null(strstr(hipExtGetLastErrorText(), "kind 5 is not"));
    assert_hip(hipMemcpy(back, host, 1, (hipMemcpyKind)-1), hipErrorInvalidMemcpyDirection);
    assert_hip_ok(hipMemcpy(back, host, 0, (hipMemcpyKind)1023)); // nothing to copy comes first
    assert_hip(hipMemcpy(NULL, host, 1, (hipMemcpyKind)5), hipErrorInvalidValue); // and NULL
    assert_hip(hipMemcpyWithStream(back, host, 1, (hipMemcpyKind)5, NULL),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpy_spt(back, host, 1, (hipMemcpyKind)5), hipErrorInvalidMemcpyDirection);
}

static void ordinary_memory_is_not_for_devices(void **state) {
    static const hipMemcpyKind kinds[] = {hipMemcpyHostToDevice, hipMemcpyDeviceToHost,
                                          hipMemcpyDeviceToDevice, hipMemcpyDeviceToDeviceNoCU};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_hip(hipMemcpy(back, host, 1, kinds[i]), hipErrorInvalidValue);
        assert_hip(hipMemcpyAsync(back, host, 1, kinds[i], NULL), hipErrorInvalidValue);
    }
    assert_hip(hipMemcpyHtoD(back, host, 1), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy(back, host, 1, hipMemcpyHostToHost));
    assert_hip_ok(hipMemcpy(back, host, 1, hipMemcpyDefault));
}

static void null_is_refused_unless_there_is_nothing_to_copy(void **state) {
    (void)state;
    assert_hip(hipMemcpy(NULL, host, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "dst is NULL"));
    assert_hip(hipMemcpy(back, NULL, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "src is NULL"));
    assert_hip(hipMemcpyHtoD(NULL, host, 1), hipErrorInvalidValue);
    assert_hip(hipMemcpyDtoH(back, NULL, 1), hipErrorInvalidValue);
    assert_hip(hipMemcpyDtoD(NULL, NULL, 1), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy(NULL, NULL, 0, hipMemcpyDefault));
    assert_hip_ok(hipMemcpyHtoD(NULL, host, 0));
}

static void a_range_may_not_leave_its_memory(void **state) {
    char *device = NULL;
    (void)state;
    fill_host(3);
    assert_hip_ok(hipMalloc((void **)&device, 4096));
    assert_hip_ok(hipMemcpy(device, host, 4096, hipMemcpyHostToDevice));
    assert_hip(hipMemcpy(device + 1, back, 1 << 20, hipMemcpyHostToDevice), hipErrorInvalidValue);
    assert_hip(hipMemcpy(back, device, SIZE_MAX, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy(back, device, 4096, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, 4096);
    assert_hip_ok(hipFree(device));
}

static void a_copy_onto_itself_does_nothing_and_overlap_is_refused(void **state) {
    char *device = NULL;
    (void)state;
    fill_host(4);
    assert_hip_ok(hipMalloc((void **)&device, BYTES));
    assert_hip_ok(hipMemcpy(device, host, BYTES, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemcpy(device, device, BYTES, hipMemcpyDeviceToDevice));
    assert_hip(hipMemcpy(device, device + 1, 100, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy(back, device, BYTES, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, BYTES);
    assert_hip_ok(hipFree(device));
}

static void directions_by_name_move_bytes(void **state) {
    void *one = NULL;
    void *two = NULL;
    (void)state;
    fill_host(5);
    assert_hip_ok(hipMalloc(&one, BYTES));
    assert_hip_ok(hipMalloc(&two, BYTES));
    assert_hip_ok(hipMemcpyHtoD(one, host, BYTES));
    assert_hip_ok(hipMemcpyDtoD(two, one, BYTES));
    assert_hip_ok(hipMemcpyDtoH(back, two, BYTES));
    assert_memory_equal(back, host, BYTES);
    assert_hip_ok(hipFree(one));
    assert_hip_ok(hipFree(two));
}

static void streams_are_waited_for(void **state) {
    hipStream_t stream = NULL;
    void *device = NULL;
    (void)state;
    fill_host(6);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipMalloc(&device, BYTES));
    assert_hip_ok(hipMemcpyWithStream(device, host, BYTES, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipMemcpy_spt(back, device, BYTES, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, BYTES);
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip(hipMemcpyWithStream(back, host, 0, hipMemcpyDefault, stream),
               hipErrorContextIsDestroyed);
    assert_hip(hipMemcpyWithStream(back, host, 1, hipMemcpyDefault, (hipStream_t)4711),
               hipErrorContextIsDestroyed);
}

// As on CUDA, a copy goes across mappings of different allocations and devices.
static void mapped_ranges_are_crossed(void **state) {
    static const struct chunk each[] = {CHUNK_OF(0), CHUNK_OF(1), CHUNK_OF(0)};
    static const struct chunk plain[] = {CHUNK_OF(1), CHUNK_OF(1), CHUNK_OF(1)};
    size_t bytes = 3 * CHUNK_BYTES - 20;
    (void)state;
    fill_host(7);
    struct chunks one = chunks_make(3, each);
    struct chunks two = chunks_make(3, plain);
    assert_hip_ok(hipMemcpy(one.base + 13, host, bytes, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemcpy(two.base + 3, one.base + 13, bytes, hipMemcpyDeviceToDevice));
    assert_hip_ok(hipMemcpy(back, two.base + 3, bytes, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, bytes);
    chunks_end(&one);
    chunks_end(&two);
}

// Every byte must be mapped.
static void holes_are_refused_and_nothing_is_copied(void **state) {
    static const struct chunk each[] = {CHUNK_OF(0), CHUNK_HOLE, CHUNK_OF(0)};
    (void)state;
    fill_host(8);
    struct chunks range = chunks_make(3, each);
    assert_hip_ok(hipMemset(range.base, 0x5a, CHUNK_BYTES));
    assert_hip(hipMemcpy(range.base, host, CHUNK_BYTES + 1, hipMemcpyHostToDevice),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy(back, range.base, 3 * CHUNK_BYTES, hipMemcpyDeviceToHost),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy(range.base + CHUNK_BYTES, host, 1, hipMemcpyHostToDevice),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy(range.base + 2 * CHUNK_BYTES, host, CHUNK_BYTES + 1, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_int_equal(back[0], 0);
    assert_hip_ok(hipMemcpy(back, range.base, CHUNK_BYTES, hipMemcpyDeviceToHost));
    assert_int_equal(back[0], 0x5a);
    chunks_end(&range);
}

// The source needs Read, the destination ReadWrite: AMD's tests assert it for NVIDIA.
static void rights_are_checked(void **state) {
    static const struct chunk each[] = {{0, 0, hipMemAccessFlagsProtRead},
                                        {0, -1, hipMemAccessFlagsProtNone}};
    char *readable;
    char *closed;
    (void)state;
    struct chunks range = chunks_make(2, each);
    readable = range.base;
    closed = range.base + CHUNK_BYTES;
    assert_hip(hipMemcpy(readable, host, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy(back, readable, 16, hipMemcpyDeviceToHost));
    assert_hip(hipMemcpy(closed, host, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
    assert_hip(hipMemcpy(back, closed, 16, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    assert_hip(hipMemcpy(back, closed - 8, 16, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    chunks_end(&range);
}

// The owner holds the rights, and the current device has no grant: AMD's tests copy in this way.
static void rights_of_the_owner_count(void **state) {
    static const struct chunk each[] = {CHUNK_OF(1)};
    (void)state;
    fill_host(9);
    struct chunks range = chunks_make(1, each);
    assert_hip_ok(hipMemcpy(range.base, host, CHUNK_BYTES, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemcpy(back, range.base, CHUNK_BYTES, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, CHUNK_BYTES);
    chunks_end(&range);
}

// The current device alone holds the rights.
static void rights_of_the_current_device_count(void **state) {
    static const struct chunk each[] = {{0, 1, hipMemAccessFlagsProtReadWrite}};
    hipStream_t stream = NULL;
    (void)state;
    fill_host(10);
    struct chunks range = chunks_make(1, each);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip(hipMemcpy(range.base, host, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMemcpy(range.base, host, 16, hipMemcpyHostToDevice));
    // Also when the stream is of another device.
    assert_hip_ok(hipMemcpyWithStream(back, range.base, 16, hipMemcpyDeviceToHost, stream));
    assert_memory_equal(back, host, 16);
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipStreamDestroy(stream));
    chunks_end(&range);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_bytes_between_all_kinds_of_memory),
        cmocka_unit_test(ordinary_memory_goes_to_ordinary_memory),
        cmocka_unit_test(kinds_are_hints),
        cmocka_unit_test(unknown_kinds_are_refused),
        cmocka_unit_test(ordinary_memory_is_not_for_devices),
        cmocka_unit_test(null_is_refused_unless_there_is_nothing_to_copy),
        cmocka_unit_test(a_range_may_not_leave_its_memory),
        cmocka_unit_test(a_copy_onto_itself_does_nothing_and_overlap_is_refused),
        cmocka_unit_test(directions_by_name_move_bytes),
        cmocka_unit_test(streams_are_waited_for),
        cmocka_unit_test(mapped_ranges_are_crossed),
        cmocka_unit_test(holes_are_refused_and_nothing_is_copied),
        cmocka_unit_test(rights_are_checked),
        cmocka_unit_test(rights_of_the_owner_count),
        cmocka_unit_test(rights_of_the_current_device_count),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
