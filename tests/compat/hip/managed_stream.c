// SPDX-License-Identifier: Apache-2.0
// hipMemPrefetchAsync, hipStreamAttachMemAsync: what streams are told about managed memory.
#include "support/hip.h"

#define PAGE ((size_t)4096)

static char *managed(size_t bytes) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocManaged(&ptr, bytes, hipMemAttachGlobal));
    return ptr;
}

static int last_prefetch(const void *ptr, size_t count) {
    int value = 77;
    assert_hip_ok(hipMemRangeGetAttribute(&value, sizeof value,
                                          hipMemRangeAttributeLastPrefetchLocation, ptr, count));
    return value;
}

static hipStream_t no_stream(void) { return (hipStream_t)(uintptr_t)0xdeadbeef; }

static void prefetch_is_told_back(void **state) {
    char *ptr = managed(4 * PAGE);
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_int_equal(last_prefetch(ptr, PAGE), hipInvalidDeviceId);
    assert_hip_ok(hipMemPrefetchAsync(ptr, 4 * PAGE, 1, stream));
    assert_int_equal(last_prefetch(ptr, 4 * PAGE), 1);
    assert_hip_ok(hipMemPrefetchAsync(ptr + PAGE, PAGE, hipCpuDeviceId, NULL));
    assert_int_equal(last_prefetch(ptr + PAGE, PAGE), hipCpuDeviceId);
    assert_int_equal(last_prefetch(ptr + 2 * PAGE, 2 * PAGE), 1);
    assert_int_equal(last_prefetch(ptr, 4 * PAGE), hipInvalidDeviceId);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(ptr));
}

static void bad_prefetch_is_refused_and_changes_nothing(void **state) {
    char *ptr = managed(PAGE);
    void *device = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&device, PAGE));
    assert_hip(hipMemPrefetchAsync(NULL, PAGE, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync(ptr, 0, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync(ptr, PAGE + 1, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync(device, PAGE, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync(ptr, PAGE, 2, NULL), hipErrorInvalidDevice);
    assert_hip(hipMemPrefetchAsync(ptr, PAGE, hipInvalidDeviceId, NULL), hipErrorInvalidDevice);
    assert_hip(hipMemPrefetchAsync(ptr, PAGE, 0, no_stream()), hipErrorContextIsDestroyed);
    assert_int_equal(last_prefetch(ptr, PAGE), hipInvalidDeviceId);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipFree(device));
}

static void a_prefetch_may_name_a_location(void **state) {
    const hipMemLocation device = {hipMemLocationTypeDevice, 1};
    const hipMemLocation host = {hipMemLocationTypeHostNuma, 77};
    const hipMemLocation unknown = {hipMemLocationTypeDevice, 2};
    const hipMemLocation cpu = {hipMemLocationTypeDevice, hipCpuDeviceId};
    char *ptr = managed(2 * PAGE);
    char *heap = malloc(PAGE);
    (void)state;
    assert_hip_ok(hipMemPrefetchAsync_v2(ptr, 2 * PAGE, device, 0, NULL));
    assert_int_equal(last_prefetch(ptr, 2 * PAGE), 1);
    assert_hip_ok(hipMemPrefetchAsync_v2(ptr, PAGE, host, 0, NULL));
    assert_int_equal(last_prefetch(ptr, PAGE), hipCpuDeviceId);
    assert_hip(hipMemPrefetchAsync_v2(ptr, PAGE, device, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync_v2(NULL, PAGE, device, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync_v2(ptr, 0, device, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync_v2(ptr, 3 * PAGE, device, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchAsync_v2(ptr, PAGE, unknown, 0, NULL), hipErrorInvalidDevice);
    assert_hip(hipMemPrefetchAsync_v2(ptr, PAGE, cpu, 0, NULL), hipErrorInvalidDevice);
    assert_int_equal(last_prefetch(ptr, PAGE), hipCpuDeviceId);
    assert_hip(hipMemPrefetchAsync_v2(heap, PAGE, device, 0, NULL), hipErrorNotSupported);
    assert_hip_ok(hipMemPrefetchAsync_v2(heap, PAGE, host, 0, NULL));
    free(heap);
    assert_hip_ok(hipFree(ptr));
}

static void pageable_memory_is_prefetched_to_the_cpu_only(void **state) {
    char *heap = malloc(PAGE);
    hipStream_t stream = NULL;
    int pageable = 7;
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&pageable, hipDeviceAttributePageableMemoryAccess, 0));
    assert_int_equal(pageable, 0);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip(hipMemPrefetchAsync(heap, PAGE, 0, stream), hipErrorNotSupported);
    assert_hip(hipMemPrefetchAsync(heap, PAGE, 1, NULL), hipErrorNotSupported);
    assert_hip(hipMemPrefetchAsync(heap, PAGE, 2, NULL), hipErrorInvalidDevice);
    assert_hip(hipMemPrefetchAsync(heap, 0, hipCpuDeviceId, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipMemPrefetchAsync(heap, PAGE, hipCpuDeviceId, NULL));
    assert_hip(hipStreamAttachMemAsync(stream, heap, 0, hipMemAttachHost), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(heap, PAGE, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip_ok(hipStreamDestroy(stream));
    free(heap);
}

static void memory_is_attached_whole(void **state) {
    char *ptr = managed(2 * PAGE);
    void *device = NULL;
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&device, PAGE));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamAttachMemAsync(stream, ptr, 0, hipMemAttachSingle));
    assert_hip_ok(hipStreamAttachMemAsync(stream, ptr, 2 * PAGE, hipMemAttachHost));
    assert_hip_ok(hipStreamAttachMemAsync(NULL, ptr, 0, hipMemAttachGlobal));
    ptr[2 * PAGE - 1] = 1; // of the CPU all the same
    assert_hip(hipStreamAttachMemAsync(NULL, ptr, 0, hipMemAttachSingle), hipErrorInvalidValue);
    assert_hip(hipStreamAttachMemAsync(stream, ptr, PAGE, hipMemAttachSingle),
               hipErrorInvalidValue);
    assert_hip(hipStreamAttachMemAsync(stream, NULL, 0, hipMemAttachSingle), hipErrorInvalidValue);
    assert_hip_ok(hipStreamAttachMemAsync(stream, device, 0, hipMemAttachSingle));
    assert_hip(hipStreamAttachMemAsync(stream, ptr, 0, 0), hipErrorInvalidValue);
    assert_hip(hipStreamAttachMemAsync(stream, ptr, 0, hipMemAttachSingle | hipMemAttachHost),
               hipErrorInvalidValue);
    assert_hip(hipStreamAttachMemAsync(no_stream(), ptr, 0, hipMemAttachSingle),
               hipErrorContextIsDestroyed);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipFree(device));
}

// The names of ROCm 7.2 and 7.14. The rules are those of CUDA, but the NULL stream is allowed.
static void a_list_is_prefetched_or_discarded(void **state) {
    hipMemLocation places[] = {{hipMemLocationTypeDevice, 1}, {hipMemLocationTypeHost, 0}};
    const hipMemLocation unknown = {hipMemLocationTypeDevice, 2};
    size_t sizes[] = {PAGE, PAGE}, first[] = {0, 1}, equal[] = {0, 0}, late[] = {1, 2};
    char *ptr = managed(4 * PAGE);
    void *ranges[] = {ptr, ptr + 2 * PAGE};
    hipDeviceptr_t same[] = {ptr, ptr + 2 * PAGE};
    (void)state;
    assert_hip_ok(hipMemPrefetchBatchAsync(ranges, sizes, 2, places, first, 2, 0, NULL));
    assert_int_equal(last_prefetch(ptr, PAGE), 1);
    assert_int_equal(last_prefetch(ptr + 2 * PAGE, PAGE), hipCpuDeviceId);
    assert_int_equal(last_prefetch(ptr + PAGE, PAGE), hipInvalidDeviceId);
    assert_hip_ok(hipMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, places, first, 1, 0, NULL));
    assert_int_equal(last_prefetch(ptr + 2 * PAGE, PAGE), 1);
    assert_hip_ok(
        hipDrvMemDiscardAndPrefetchBatchAsync(same, sizes, 2, &places[1], first, 1, 0, NULL));
    assert_int_equal(last_prefetch(ptr, PAGE), hipCpuDeviceId);
    assert_hip_ok(hipMemDiscardBatchAsync(ranges, sizes, 2, 0, NULL));
    assert_hip_ok(hipDrvMemDiscardBatchAsync(same, sizes, 2, 0, NULL));
    assert_hip(hipMemDiscardBatchAsync(ranges, sizes, 2, 1, NULL), hipErrorInvalidValue);
    assert_hip(hipMemDiscardBatchAsync(ranges, sizes, 0, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPrefetchBatchAsync(ranges, sizes, 2, places, equal, 2, 0, NULL),
               hipErrorInvalidValue);
    assert_hip(hipMemPrefetchBatchAsync(ranges, sizes, 2, places, late, 1, 0, NULL),
               hipErrorInvalidValue);
    assert_hip(hipMemPrefetchBatchAsync(ranges, sizes, 1, places, first, 2, 0, NULL),
               hipErrorInvalidValue);
    assert_hip(hipMemPrefetchBatchAsync(ranges, sizes, 2, NULL, first, 1, 0, NULL),
               hipErrorInvalidValue);
    places[1] = unknown;
    assert_hip(hipMemPrefetchBatchAsync(ranges, sizes, 2, places, first, 2, 0, NULL),
               hipErrorInvalidDevice);
    assert_int_equal(last_prefetch(ptr, PAGE), hipCpuDeviceId);
    sizes[1] = 3 * PAGE;
    assert_hip(hipMemDiscardBatchAsync(ranges, sizes, 2, 0, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipFree(ptr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetch_is_told_back),
        cmocka_unit_test(bad_prefetch_is_refused_and_changes_nothing),
        cmocka_unit_test(a_prefetch_may_name_a_location),
        cmocka_unit_test(pageable_memory_is_prefetched_to_the_cpu_only),
        cmocka_unit_test(memory_is_attached_whole),
        cmocka_unit_test(a_list_is_prefetched_or_discarded),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
