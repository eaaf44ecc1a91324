// SPDX-License-Identifier: Apache-2.0
// Managed memory: advice and prefetches, of which queries tell, for each page of a range.
#include <sys/mman.h>
#include <unistd.h>

#include "support/cuda.h"

enum { BYTES = 4 << 20, HALF = BYTES / 2 };

static const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
static const CUmemLocation no_device = {CU_MEM_LOCATION_TYPE_DEVICE, 7};
static const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
static CUdeviceptr memory;

static int attribute(CUmem_range_attribute which, CUdeviceptr from, size_t bytes) {
    int value = -99;
    assert_cu_ok(cuMemRangeGetAttribute(&value, sizeof value, which, from, bytes));
    return value;
}

static void begin_test(void) {
    assert_cu_ok(cuMemAllocManaged(&memory, BYTES, CU_MEM_ATTACH_GLOBAL));
}

static void advice_is_kept_for_pages(void **state) {
    int devices[2] = {9, 9};
    (void)state;
    begin_test();
    assert_cu_ok(cuMemAdvise(memory, HALF, CU_MEM_ADVISE_SET_READ_MOSTLY, no_device));
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, HALF), 1);
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, BYTES), 0);
    assert_cu_ok(cuMemAdvise(memory, HALF, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, HALF), 0);
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, BYTES), -2);
    assert_cuda_ok(
        cudaMemAdvise((void *)(uintptr_t)memory, BYTES, cudaMemAdviseSetAccessedBy, device));
    assert_cu_ok(cuMemRangeGetAttribute(devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                        memory, BYTES));
    assert_true(devices[0] == 0 && devices[1] == -2);
    assert_cu(cuMemAdvise(memory, 2 * (size_t)BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, device), 1);
    assert_cu(cuMemAdvise(memory, BYTES, (CUmem_advise)99, device), 1);
    assert_cu(cuMemAdvise(memory, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, no_device), 1);
    assert_cu(cuMemAdvise(memory, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, no_device), 1);
    assert_cu_ok(cuMemFree(memory));
}

static void one_query_answers_several_questions(void **state) {
    int mostly = 9, last = 9;
    void *data[] = {&mostly, &last};
    size_t sizes[] = {sizeof mostly, sizeof last};
    CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                     CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
    (void)state;
    begin_test();
    assert_cu_ok(cuMemPrefetchAsync(memory, BYTES, host, 0, NULL));
    assert_cu_ok(cuMemRangeGetAttributes(data, sizes, which, 2, memory, BYTES));
    assert_true(mostly == 0 && last == -1);
    sizes[1] = 3;
    assert_cu(cuMemRangeGetAttributes(data, sizes, which, 2, memory, BYTES), 1);
    assert_cu_ok(cuMemFree(memory));
}

static void a_list_is_prefetched_or_discarded(void **state) {
    CUmemLocation locations[] = {device, host};
    CUstream stream = NULL;
    size_t first[] = {0, 1};
    size_t sizes[] = {HALF, HALF};
    (void)state;
    begin_test();
    CUdeviceptr ranges[] = {memory, memory + HALF};
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    assert_cu_ok(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first, 2, 0, stream));
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory, HALF), 0);
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory + HALF, HALF),
                     -1);
    locations[0] = no_device;
    assert_cu(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first, 2, 0, stream), 1);
    assert_cu_ok(
        cuMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, &locations[1], first, 1, 0, stream));
    assert_int_equal(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory, BYTES), -1);
    assert_cu_ok(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
    assert_cu(cuMemDiscardBatchAsync(ranges, sizes, 2, 1, stream), 1);
    sizes[1] = BYTES;
    assert_cu(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, stream), 1);
    assert_cu_ok(cuStreamDestroy(stream));
    assert_cu_ok(cuMemFree(memory));
}

static void memory_is_attached_to_a_stream(void **state) {
    CUstream stream = NULL;
    (void)state;
    begin_test();
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    assert_cu_ok(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE));
    assert_cuda_ok(
        cudaStreamAttachMemAsync(stream, (void *)(uintptr_t)memory, 0, cudaMemAttachGlobal));
    assert_cu(cuStreamAttachMemAsync(stream, memory, 0, 8), 1);
    assert_cu(cuStreamAttachMemAsync(stream, memory + 512, 0, CU_MEM_ATTACH_GLOBAL), 1);
    CUdeviceptr plain = 0;
    assert_cu_ok(cuMemAlloc(&plain, 64));
    assert_cu(cuStreamAttachMemAsync(stream, plain, 0, CU_MEM_ATTACH_GLOBAL), 1);
    assert_cu_ok(cuMemFree(plain));
    assert_cu_ok(cuStreamDestroy(stream));
    assert_cu_ok(cuMemFree(memory));
}

// Returns the number of the block's pages that hold memory.
static size_t resident(const void *ptr, size_t bytes) {
    const size_t pages = bytes / (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *present = malloc(pages);
    size_t count = 0;
    assert_non_null(present);
    assert_int_equal(mincore((void *)(uintptr_t)ptr, bytes, present), 0);
    for (size_t i = 0; i < pages; i++) count += present[i] & 1;
    free(present);
    return count;
}

static void memory_takes_its_pages_when_they_are_touched(void **state) {
    (void)state;
    begin_test();
    volatile char *bytes = (volatile char *)(uintptr_t)memory;
    assert_int_equal(resident((void *)(uintptr_t)memory, BYTES), 0);
    assert_cu_ok(cuMemsetD8(memory, 7, HALF));
    assert_int_equal(bytes[HALF - 1], 7);
    assert_int_equal(bytes[BYTES - 1], 0);
    assert_in_range(resident((void *)(uintptr_t)memory, BYTES), HALF / 4096, BYTES / 4096);
    assert_cu_ok(cuMemFree(memory));
}

// More than the device has, and less than the machine: two blocks of two thirds of it do not fit.
static void a_device_may_be_oversubscribed_up_to_the_machine(void **state) {
    const size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t free_bytes = 0, total = 0;
    void *first = NULL, *second = &second;
    (void)state;
    assert_cuda_ok(cudaMemGetInfo(&free_bytes, &total));
    assert_cuda_ok(cudaMallocManaged(&first, machine / 3 * 2, cudaMemAttachGlobal));
    assert_cuda(cudaMallocManaged(&second, machine / 3 * 2, cudaMemAttachGlobal),
                cudaErrorMemoryAllocation);
    assert_cu(cuMemAllocManaged(&memory, machine / 3 * 2, CU_MEM_ATTACH_GLOBAL),
              CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
    size_t now = 0;
    assert_cuda_ok(cudaMemGetInfo(&now, &total));
    assert_int_equal(now, free_bytes);
    assert_cuda_ok(cudaFree(first));
    assert_cuda_ok(cudaMallocManaged(&second, machine / 3 * 2, cudaMemAttachGlobal));
    assert_cuda_ok(cudaFree(second));
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    cuda_begin();
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_is_kept_for_pages),
        cmocka_unit_test(one_query_answers_several_questions),
        cmocka_unit_test(a_list_is_prefetched_or_discarded),
        cmocka_unit_test(memory_is_attached_to_a_stream),
        cmocka_unit_test(memory_takes_its_pages_when_they_are_touched),
        cmocka_unit_test(a_device_may_be_oversubscribed_up_to_the_machine),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
