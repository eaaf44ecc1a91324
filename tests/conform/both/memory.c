// SPDX-License-Identifier: Apache-2.0
// Plain device memory: allocation, freeing, sizes, alignment, and the count of free bytes.
#include "begin.h"

#define TN_GROUP "memory"

QUESTION(malloc_of_zero, EITHER("cudaMalloc", "hipMalloc")) {
    void *ptr = &ptr;
    ASK(cudaMalloc, &ptr, 0);
    SAY("null", ptr == NULL);
    ASK0(cudaGetLastError);
}

#if !IS_HIP
QUESTION(alloc_of_zero, "cuMemAlloc: a bytesize of 0 is an invalid value") {
    CUdeviceptr ptr = 7;
    ASK(cuMemAlloc, &ptr, 0);
    SAY("unchanged", ptr == 7);
}
#endif

QUESTION(malloc_to_null, EITHER("cudaMalloc", "hipMalloc")) {
    ASK(cudaMalloc, NULL, 16);
    ASK0(cudaGetLastError);
}

#if !IS_HIP
QUESTION(alloc_to_null, "cuMemAlloc") { ASK(cuMemAlloc, NULL, 16); }
QUESTION(alloc_of_zero_to_null, "cuMemAlloc: order of checks") { ASK(cuMemAlloc, NULL, 0); }
#endif

#if IS_HIP
QUESTION(alloc_of_zero_to_null, "hipMalloc") { ASK(hipMalloc, NULL, 0); }
#endif

QUESTION(malloc_of_too_much, EITHER("cudaMalloc: out of memory", "hipMalloc")) {
    void *ptr = &ptr;
    size_t left = 0, all = 0;
    MUST(cuMemGetInfo, &left, &all);
    ASK(cudaMalloc, &ptr, all + GIB);
    SAY("unchanged", ptr == (void *)&ptr);
    SAY("same_free", free_bytes() == left);
    ASK0(cudaGetLastError);
    ASK0(cudaGetLastError);
}

#if !IS_HIP
QUESTION(alloc_of_too_much, "cuMemAlloc: out of memory") {
    CUdeviceptr ptr = 7;
    size_t left = 0, all = 0;
    MUST(cuMemGetInfo, &left, &all);
    ASK(cuMemAlloc, &ptr, all + GIB);
    SAY("unchanged", ptr == 7);
}
#endif

QUESTION(alloc_of_size_max, EITHER("cuMemAlloc: out of memory", "hipMalloc")) {
    CUdeviceptr ptr = UNSET;
    ASK(cuMemAlloc, &ptr, SIZE_MAX);
    SAY("unchanged", ptr == UNSET);
}

QUESTION(alloc_of_size_max_less_a_page, EITHER("cuMemAlloc: out of memory", "hipMalloc")) {
    CUdeviceptr ptr = UNSET;
    ASK(cuMemAlloc, &ptr, SIZE_MAX - 4095);
}

QUESTION(malloc_works_after_a_failure, EITHER("cudaMalloc: a failure is not sticky", "hipMalloc")) {
    void *ptr = NULL;
    ASK(cudaMalloc, &ptr, SIZE_MAX / 2);
    ASK(cudaMalloc, &ptr, MIB);
    ASK0(cudaGetLastError);
    MUST(cudaFree, ptr);
}

QUESTION(free_falls_by_large_memory, EITHER("cuMemGetInfo", "hipMemGetInfo")) {
    size_t before = free_bytes();
    CUdeviceptr ptr = make_memory(64 * MIB);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(cuMemFree, ptr);
    SAY("back", before == free_bytes());
}

QUESTION(free_falls_by_odd_memory,
         EITHER("cuMemGetInfo: granularity of large blocks", "hipMemGetInfo")) {
    size_t before = free_bytes();
    CUdeviceptr ptr = make_memory(64 * MIB + 1);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(cuMemFree, ptr);
}

QUESTION(free_falls_by_3_mib,
         EITHER("cuMemGetInfo: granularity of large blocks", "hipMemGetInfo")) {
    size_t before = free_bytes();
    CUdeviceptr ptr = make_memory(3 * MIB);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(cuMemFree, ptr);
}

QUESTION(small_blocks_share_a_granule,
         EITHER("cuMemGetInfo: suballocation of small blocks", "hipMemGetInfo")) {
    CUdeviceptr first = make_memory(1), ptrs[16];
    size_t before = free_bytes();
    for (int i = 0; i < 16; i++) ptrs[i] = make_memory(1000);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    for (int i = 0; i < 16; i++) MUST(cuMemFree, ptrs[i]);
    MUST(cuMemFree, first);
}

QUESTION(a_mebibyte_shares_a_granule,
         EITHER("cuMemGetInfo: suballocation of small blocks", "hipMemGetInfo")) {
    size_t before = free_bytes();
    CUdeviceptr first = make_memory(MIB), second = make_memory(MIB);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(cuMemFree, first);
    MUST(cuMemFree, second);
}

QUESTION(small_memory_is_aligned,
         EITHER("cuMemAlloc: suitably aligned for any kind of variable", "hipMalloc")) {
    CUdeviceptr ptrs[3];
    int odd = 0;
    for (size_t i = 0; i < 3; i++) ptrs[i] = make_memory(1000 * i + 1);
    for (size_t i = 0; i < 3; i++) odd += (uintptr_t)ptrs[i] % 512 != 0;
    SAY("not_of_512", odd);
    for (size_t i = 0; i < 3; i++) MUST(cuMemFree, ptrs[i]);
}

QUESTION(small_blocks_are_512_apart,
         EITHER("cuMemAlloc: suballocation of small blocks", "hipMalloc")) {
    CUdeviceptr a = make_memory(1), b = make_memory(1), c = make_memory(1);
    SAY("distance", b > a ? b - a : a - b);
    SAY("same_step", c - b == b - a);
    MUST(cuMemFree, a);
    MUST(cuMemFree, b);
    MUST(cuMemFree, c);
}

QUESTION(large_memory_is_aligned,
         EITHER("cuMemAlloc: large blocks begin at granules", "hipMalloc")) {
    CUdeviceptr a = make_memory(8 * MIB), b = make_memory(8 * MIB + 5);
    SAY("a_of_2m", (uintptr_t)a % G == 0);
    SAY("b_of_2m", (uintptr_t)b % G == 0);
    MUST(cuMemFree, a);
    MUST(cuMemFree, b);
}

QUESTION(memory_is_reused_at_once,
         EITHER("cuMemAlloc: a freed block serves the same size", "hipMalloc")) {
    CUdeviceptr a = make_memory(8 * MIB);
    MUST(cuMemFree, a);
    CUdeviceptr b = make_memory(8 * MIB);
    SAY("same", a == b);
    MUST(cuMemFree, b);
}

QUESTION(small_memory_is_reused_at_once,
         EITHER("cuMemAlloc: a freed block serves the same size", "hipMalloc")) {
    CUdeviceptr a = make_memory(4096);
    MUST(cuMemFree, a);
    CUdeviceptr b = make_memory(4096);
    SAY("same", a == b);
    MUST(cuMemFree, b);
}

QUESTION(free_of_null, EITHER("cudaFree: if devPtr is 0, no operation is performed", "hipFree")) {
    ASK(cudaFree, NULL);
    ASK(cudaFreeHost, NULL);
    ASK(cuMemFree, 0);
}

QUESTION(free_host_of_null, EITHER("cuMemFreeHost", "hipHostFree")) { ASK(cuMemFreeHost, NULL); }

QUESTION(free_twice, EITHER("cudaFree: an error for memory that was freed", "hipFree")) {
    void *ptr = NULL;
    MUST(cudaMalloc, &ptr, MIB);
    ASK(cudaFree, ptr);
    ASK(cudaFree, ptr);
    ASK0(cudaGetLastError);
}

#if !IS_HIP
QUESTION(free_twice_by_the_driver, "cuMemFree") {
    CUdeviceptr ptr = make_memory(MIB);
    ASK(cuMemFree, ptr);
    ASK(cuMemFree, ptr);
}
#endif

QUESTION(free_inside, EITHER("cudaFree: the pointer must be that of an allocation", "hipFree")) {
    char *ptr = NULL;
    MUST(cudaMalloc, (void **)&ptr, MIB);
    ASK(cudaFree, ptr + 1);
    ASK(cudaFree, ptr + 512);
    ASK(cuMemFree, number(ptr) + 512);
    ASK(cudaFree, ptr);
}

QUESTION(free_of_the_stack, EITHER("cudaFree", "hipFree")) {
    int local = 0;
    ASK(cudaFree, &local);
    ASK(cuMemFree, number(&local));
}

QUESTION(free_of_pinned, EITHER("cudaFree", "hipFree")) {
    void *pinned = make_pinned(MIB);
    ASK(cudaFree, pinned);
    ASK(cuMemFree, number(pinned));
    ASK(cuMemFreeHost, pinned);
}

QUESTION(free_host_of_device_memory, EITHER("cudaFreeHost", "hipFreeHost")) {
    CUdeviceptr ptr = make_memory(MIB);
    ASK(cudaFreeHost, pointer(ptr));
    ASK(cuMemFreeHost, pointer(ptr));
    ASK(cuMemFree, ptr);
}

QUESTION(free_of_managed, EITHER("cudaFree", "hipFree")) {
    void *ptr = NULL;
    MUST(cudaMallocManaged, &ptr, MIB, cudaMemAttachGlobal);
    ASK(cudaFree, ptr);
}

QUESTION(free_host_of_managed, EITHER("cudaFreeHost", "hipFreeHost")) {
    CUdeviceptr ptr = make_managed(MIB);
    ASK(cuMemFreeHost, pointer(ptr));
    ASK(cuMemFree, ptr);
}

QUESTION(free_of_pooled, EITHER("cudaFree frees memory of cudaMallocAsync", "hipFree")) {
    void *ptr = NULL;
    MUST(cudaMallocAsync, &ptr, MIB, NULL);
    ASK(cudaFree, ptr);
}

QUESTION(free_waits_for_work, EITHER("cudaFree: implicit synchronisation", "hipFree")) {
    CUdeviceptr ptr = make_memory(MIB);
    CUstream stream = make_stream();
    ASK(cuMemsetD8Async, ptr, 1, MIB, stream);
    ASK(cuMemFree, ptr);
    ASK(cuStreamQuery, stream);
    MUST(cuStreamDestroy, stream);
}

#if !IS_HIP
QUESTION(memory_of_the_driver_is_freed_by_the_runtime, "programming guide: interoperability") {
    CUdeviceptr ptr = make_memory(MIB);
    void *other = NULL;
    ASK(cudaFree, pointer(ptr));
    MUST(cudaMalloc, &other, MIB);
    ASK(cuMemFree, number(other));
}
#endif

QUESTION(info_to_null, EITHER("cudaMemGetInfo", "hipMemGetInfo")) {
    size_t bytes = 7;
    ASK(cudaMemGetInfo, NULL, NULL);
    ASK(cudaMemGetInfo, &bytes, NULL);
    ASK(cudaMemGetInfo, NULL, &bytes);
    ASK(cuMemGetInfo, NULL, &bytes);
    ASK(cuMemGetInfo, &bytes, NULL);
    ASK(cuMemGetInfo, NULL, NULL);
}

QUESTION(both_apis_report_the_same, EITHER("cudaMemGetInfo", "hipMemGetInfo")) {
    size_t left[2] = {0}, all[2] = {0}, bytes = 0;
    ASK(cuMemGetInfo, &left[0], &all[0]);
    ASK(cudaMemGetInfo, &left[1], &all[1]);
    MUST(cuDeviceTotalMem, &bytes, 0);
    SAY("same_free", left[0] == left[1]);
    SAY("same_total", all[0] == all[1]);
    SAY("total_of_device", all[0] == bytes);
    SAY("less_free", left[0] < all[0]);
}

QUESTION(range_of_an_allocation, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    CUdeviceptr ptr = make_memory(1000), base = 0;
    size_t bytes = 0;
    ASK(cuMemGetAddressRange, &base, &bytes, ptr + 999);
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    ASK(cuMemGetAddressRange, NULL, &bytes, ptr);
    ASK(cuMemGetAddressRange, &base, NULL, ptr);
    ASK(cuMemGetAddressRange, NULL, NULL, ptr);
    MUST(cuMemFree, ptr);
}

QUESTION(range_behind_an_allocation, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    CUdeviceptr ptr = make_memory(64 * MIB), base = 0;
    size_t bytes = 0;
    ASK(cuMemGetAddressRange, &base, &bytes, ptr + 64 * MIB - 1);
    SAY("bytes", bytes);
    MUST(cuMemFree, ptr);
    ASK(cuMemGetAddressRange, &base, &bytes, ptr);
}

QUESTION(range_of_an_odd_size,
         EITHER("cuMemGetAddressRange: the size that was asked for", "hipMemGetAddressRange")) {
    CUdeviceptr ptr = make_memory(3 * MIB + 7), base = 0;
    size_t bytes = 0;
    ASK(cuMemGetAddressRange, &base, &bytes, ptr);
    SAY("bytes", bytes);
    ASK(cuMemGetAddressRange, &base, &bytes, ptr + 3 * MIB + 7);
    MUST(cuMemFree, ptr);
}

QUESTION(range_of_host_memory, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    CUdeviceptr base = 0;
    size_t bytes = 0;
    ASK(cuMemGetAddressRange, &base, &bytes, number(&base));
    ASK(cuMemGetAddressRange, &base, &bytes, 0);
}

QUESTION(range_of_pinned_memory, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    char *ptr = (char *)make_pinned(5000);
    CUdeviceptr base = 0;
    size_t bytes = 0;
    ASK(cuMemGetAddressRange, &base, &bytes, number(ptr + 100));
    SAY("base", base == number(ptr));
    SAY("bytes", bytes);
    MUST(cuMemFreeHost, ptr);
}

QUESTION(range_of_managed_memory, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    CUdeviceptr ptr = make_managed(5000), base = 0;
    size_t bytes = 0;
    ASK(cuMemGetAddressRange, &base, &bytes, ptr + 100);
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    MUST(cuMemFree, ptr);
}

QUESTION(range_of_pooled_memory, EITHER("cuMemGetAddressRange", "hipMemGetAddressRange")) {
    CUdeviceptr ptr = 0, base = 0;
    size_t bytes = 0;
    MUST(cuMemAllocAsync, &ptr, 5000, NULL);
    ASK(cuMemGetAddressRange, &base, &bytes, ptr + 100);
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    MUST(cuMemFree, ptr);
}

QUESTION(pitch_of_100_bytes, EITHER("cuMemAllocPitch", "hipMemAllocPitch")) {
    CUdeviceptr ptr = 0;
    size_t pitch = 0, of_runtime = 0;
    void *other = NULL;
    ASK(cuMemAllocPitch, &ptr, &pitch, 100, 3, 4);
    SAY("pitch", pitch);
    ASK(cudaMallocPitch, &other, &of_runtime, 100, 3);
    SAY("pitch", of_runtime);
    MUST(cuMemFree, ptr);
    MUST(cudaFree, other);
}

QUESTION(pitch_of_513_bytes, EITHER("cuMemAllocPitch", "hipMemAllocPitch")) {
    CUdeviceptr ptr = 0, base = 0;
    size_t pitch = 0, bytes = 0;
    ASK(cuMemAllocPitch, &ptr, &pitch, 513, 3, 4);
    SAY("pitch", pitch);
    MUST(cuMemGetAddressRange, &base, &bytes, ptr);
    SAY("bytes", bytes);
    MUST(cuMemFree, ptr);
}

QUESTION(pitch_for_an_odd_element,
         EITHER("cuMemAllocPitch: elements have 4, 8 or 16 bytes", "hipMemAllocPitch")) {
    CUdeviceptr ptr = 0;
    size_t pitch = 0;
    ASK(cuMemAllocPitch, &ptr, &pitch, 100, 3, 5);
    if (ptr != 0) MUST(cuMemFree, ptr);
    ptr = 0;
    ASK(cuMemAllocPitch, &ptr, &pitch, 100, 3, 0);
    if (ptr != 0) MUST(cuMemFree, ptr);
}

QUESTION(pitch_without_rows,
         EITHER("cuMemAllocPitch, cudaMallocPitch", "hipMemAllocPitch, hipMallocPitch")) {
    CUdeviceptr number_of = UNSET;
    void *ptr = &ptr;
    size_t pitch = 7;
    ASK(cuMemAllocPitch, &number_of, &pitch, 100, 0, 4);
    ASK(cuMemAllocPitch, &number_of, &pitch, 0, 3, 4);
    ASK(cudaMallocPitch, &ptr, &pitch, 100, 0);
    SAY("null", ptr == NULL);
    ASK(cudaMallocPitch, &ptr, &pitch, 0, 3);
    SAY("null", ptr == NULL);
}

QUESTION(pitch_to_null, EITHER("cudaMallocPitch", "hipMallocPitch")) {
    void *ptr = NULL;
    size_t pitch = 0;
    ASK(cudaMallocPitch, NULL, &pitch, 100, 3);
    ASK(cudaMallocPitch, &ptr, NULL, 100, 3);
    ASK0(cudaGetLastError);
}

QUESTION(box_of_100_by_3_by_2, EITHER("cudaMalloc3D", "hipMalloc3D")) {
    struct cudaPitchedPtr box;
    CUdeviceptr base = 0;
    size_t bytes = 0;
    memset(&box, 0, sizeof box);
    ASK(cudaMalloc3D, &box, (struct cudaExtent){100, 3, 2});
    SAY("pitch", box.pitch);
    SAY("xsize", box.xsize);
    SAY("ysize", box.ysize);
    MUST(cuMemGetAddressRange, &base, &bytes, number(box.ptr));
    SAY("bytes", bytes);
    MUST(cudaFree, box.ptr);
}

QUESTION(box_without_depth, EITHER("cudaMalloc3D", "hipMalloc3D")) {
    struct cudaPitchedPtr box = {&box, 7, 7, 7};
    ASK(cudaMalloc3D, &box, (struct cudaExtent){100, 3, 0});
    SAY("null", box.ptr == NULL);
}

QUESTION(fresh_memory_is_filled_and_read, EITHER("cudaMemset", "hipMemset")) {
    unsigned char bytes[4] = {1, 2, 3, 4};
    CUdeviceptr ptr = make_memory(MIB);
    ASK(cudaMemset, pointer(ptr), 0x15a, MIB);
    ASK(cudaMemcpy, bytes, pointer(ptr + MIB - 4), 4, cudaMemcpyDeviceToHost);
    SAY("byte", bytes[3]);
    MUST(cuMemFree, ptr);
}

QUESTION(many_allocations, EITHER("cuMemAlloc: no small limit to their number", "hipMalloc")) {
    static CUdeviceptr ptrs[2000];
    int failed = 0;
    for (int i = 0; i < 2000; i++) failed += CALL(cuMemAlloc, &ptrs[i], 256) != 0;
    SAY("failed", failed);
    for (int i = 0; i < 2000; i++) MUST(cuMemFree, ptrs[i]);
}
