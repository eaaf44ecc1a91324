// SPDX-License-Identifier: Apache-2.0
// Plain device memory: allocation, freeing, sizes, alignment, and the count of free bytes.
#include "old.h"

#define TN_GROUP "memory"

QUESTION(malloc_of_zero, "hipMalloc") {
    void *ptr = &ptr;
    ASK(hipMalloc, &ptr, 0);
    SAY("null", ptr == NULL);
    ASK0(hipGetLastError);
}

QUESTION(malloc_to_null, "hipMalloc") {
    ASK(hipMalloc, NULL, 16);
    ASK0(hipGetLastError);
}

QUESTION(alloc_of_zero_to_null, "hipMalloc") { ASK(hipMalloc, NULL, 0); }

QUESTION(malloc_of_too_much, "hipMalloc") {
    void *ptr = &ptr;
    size_t left = 0, all = 0;
    MUST(hipMemGetInfo, &left, &all);
    ASK(hipMalloc, &ptr, all + GIB);
    SAY("unchanged", ptr == (void *)&ptr);
    SAY("same_free", free_bytes() == left);
    ASK0(hipGetLastError);
    ASK0(hipGetLastError);
}

QUESTION(alloc_of_size_max, "hipMalloc") {
    uintptr_t ptr = 7;
    ASK(hipMalloc, (void **)&ptr, SIZE_MAX);
    SAY("unchanged", ptr == 7);
}

QUESTION(alloc_of_size_max_less_a_page, "hipMalloc") {
    uintptr_t ptr = 7;
    ASK(hipMalloc, (void **)&ptr, SIZE_MAX - 4095);
}

QUESTION(malloc_works_after_a_failure, "hipMalloc") {
    void *ptr = NULL;
    ASK(hipMalloc, &ptr, SIZE_MAX / 2);
    ASK(hipMalloc, &ptr, MIB);
    ASK0(hipGetLastError);
    MUST(hipFree, ptr);
}

QUESTION(free_falls_by_large_memory, "hipMemGetInfo") {
    size_t before = free_bytes();
    uintptr_t ptr = make_memory(64 * MIB);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(hipFree, pointer(ptr));
    SAY("back", before == free_bytes());
}

QUESTION(free_falls_by_odd_memory, "hipMemGetInfo") {
    size_t before = free_bytes();
    uintptr_t ptr = make_memory(64 * MIB + 1);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(hipFree, pointer(ptr));
}

QUESTION(free_falls_by_3_mib, "hipMemGetInfo") {
    size_t before = free_bytes();
    uintptr_t ptr = make_memory(3 * MIB);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(hipFree, pointer(ptr));
}

QUESTION(small_blocks_share_a_granule, "hipMemGetInfo") {
    uintptr_t first = make_memory(1), ptrs[16];
    size_t before = free_bytes();
    for (int i = 0; i < 16; i++) ptrs[i] = make_memory(1000);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    for (int i = 0; i < 16; i++) MUST(hipFree, pointer(ptrs[i]));
    MUST(hipFree, pointer(first));
}

QUESTION(a_mebibyte_shares_a_granule, "hipMemGetInfo") {
    size_t before = free_bytes();
    uintptr_t first = make_memory(MIB), second = make_memory(MIB);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(hipFree, pointer(first));
    MUST(hipFree, pointer(second));
}

QUESTION(small_memory_is_aligned, "hipMalloc") {
    uintptr_t ptrs[3];
    int odd = 0;
    for (size_t i = 0; i < 3; i++) ptrs[i] = make_memory(1000 * i + 1);
    for (size_t i = 0; i < 3; i++) odd += ptrs[i] % 512 != 0;
    SAY("not_of_512", odd);
    for (size_t i = 0; i < 3; i++) MUST(hipFree, pointer(ptrs[i]));
}

QUESTION(small_blocks_are_512_apart, "hipMalloc") {
    uintptr_t a = make_memory(1), b = make_memory(1), c = make_memory(1);
    SAY("distance", b > a ? b - a : a - b);
    SAY("same_step", c - b == b - a);
    MUST(hipFree, pointer(a));
    MUST(hipFree, pointer(b));
    MUST(hipFree, pointer(c));
}

QUESTION(large_memory_is_aligned, "hipMalloc") {
    uintptr_t a = make_memory(8 * MIB), b = make_memory(8 * MIB + 5);
    SAY("a_of_2m", a % G == 0);
    SAY("b_of_2m", b % G == 0);
    MUST(hipFree, pointer(a));
    MUST(hipFree, pointer(b));
}

QUESTION(memory_is_reused_at_once, "hipMalloc") {
    uintptr_t a = make_memory(8 * MIB);
    MUST(hipFree, pointer(a));
    uintptr_t b = make_memory(8 * MIB);
    SAY("same", a == b);
    MUST(hipFree, pointer(b));
}

QUESTION(small_memory_is_reused_at_once, "hipMalloc") {
    uintptr_t a = make_memory(4096);
    MUST(hipFree, pointer(a));
    uintptr_t b = make_memory(4096);
    SAY("same", a == b);
    MUST(hipFree, pointer(b));
}

QUESTION(free_of_null, "hipFree") {
    ASK(hipFree, NULL);
    ASK(hipFreeHost, NULL);
    ASK(hipFree, NULL);
}

QUESTION(free_host_of_null, "hipHostFree") { ASK(hipHostFree, NULL); }

QUESTION(free_twice, "hipFree") {
    void *ptr = NULL;
    MUST(hipMalloc, &ptr, MIB);
    ASK(hipFree, ptr);
    ASK(hipFree, ptr);
    ASK0(hipGetLastError);
}

QUESTION(free_inside, "hipFree") {
    char *ptr = NULL;
    MUST(hipMalloc, (void **)&ptr, MIB);
    ASK(hipFree, ptr + 1);
    ASK(hipFree, ptr + 512);
    ASK(hipFree, pointer(number(ptr) + 512));
    ASK(hipFree, ptr);
}

QUESTION(free_of_the_stack, "hipFree") {
    int local = 0;
    ASK(hipFree, &local);
    ASK(hipFree, &local);
}

QUESTION(free_of_pinned, "hipFree") {
    void *pinned = make_pinned(MIB);
    ASK(hipFree, pinned);
    ASK(hipFree, pinned);
    ASK(hipHostFree, pinned);
}

QUESTION(free_host_of_device_memory, "hipFreeHost") {
    uintptr_t ptr = make_memory(MIB);
    ASK(hipFreeHost, pointer(ptr));
    ASK(hipHostFree, pointer(ptr));
    ASK(hipFree, pointer(ptr));
}

QUESTION(free_of_managed, "hipFree") {
    void *ptr = NULL;
    MUST(hipMallocManaged, &ptr, MIB, hipMemAttachGlobal);
    ASK(hipFree, ptr);
}

QUESTION(free_host_of_managed, "hipFreeHost") {
    uintptr_t ptr = make_managed(MIB);
    ASK(hipHostFree, pointer(ptr));
    ASK(hipFree, pointer(ptr));
}

QUESTION(free_of_pooled, "hipFree") {
    void *ptr = NULL;
    MUST(hipMallocAsync, &ptr, MIB, NULL);
    ASK(hipFree, ptr);
}

QUESTION(free_waits_for_work, "hipFree") {
    uintptr_t ptr = make_memory(MIB);
    hipStream_t stream = make_stream();
    ASK(hipMemsetD8Async, pointer(ptr), 1, MIB, stream);
    ASK(hipFree, pointer(ptr));
    ASK(hipStreamQuery, stream);
    MUST(hipStreamDestroy, stream);
}

QUESTION(info_to_null, "hipMemGetInfo") {
    size_t bytes = 7;
    ASK(hipMemGetInfo, NULL, NULL);
    ASK(hipMemGetInfo, &bytes, NULL);
    ASK(hipMemGetInfo, NULL, &bytes);
    ASK(hipMemGetInfo, NULL, &bytes);
    ASK(hipMemGetInfo, &bytes, NULL);
    ASK(hipMemGetInfo, NULL, NULL);
}

QUESTION(both_apis_report_the_same, "hipMemGetInfo") {
    size_t left[2] = {0}, all[2] = {0}, bytes = 0;
    ASK(hipMemGetInfo, &left[0], &all[0]);
    ASK(hipMemGetInfo, &left[1], &all[1]);
    MUST(hipDeviceTotalMem, &bytes, 0);
    SAY("same_free", left[0] == left[1]);
    SAY("same_total", all[0] == all[1]);
    SAY("total_of_device", all[0] == bytes);
    SAY("less_free", left[0] < all[0]);
}

QUESTION(range_of_an_allocation, "hipMemGetAddressRange") {
    uintptr_t ptr = make_memory(1000), base = 0;
    size_t bytes = 0;
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr + 999));
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    ASK(hipMemGetAddressRange, NULL, &bytes, pointer(ptr));
    ASK(hipMemGetAddressRange, (void **)&base, NULL, pointer(ptr));
    ASK(hipMemGetAddressRange, NULL, NULL, pointer(ptr));
    MUST(hipFree, pointer(ptr));
}

QUESTION(range_behind_an_allocation, "hipMemGetAddressRange") {
    uintptr_t ptr = make_memory(64 * MIB), base = 0;
    size_t bytes = 0;
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr + 64 * MIB - 1));
    SAY("bytes", bytes);
    MUST(hipFree, pointer(ptr));
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr));
}

QUESTION(range_of_an_odd_size, "hipMemGetAddressRange") {
    uintptr_t ptr = make_memory(3 * MIB + 7), base = 0;
    size_t bytes = 0;
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr));
    SAY("bytes", bytes);
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr + 3 * MIB + 7));
    MUST(hipFree, pointer(ptr));
}

QUESTION(range_of_host_memory, "hipMemGetAddressRange") {
    uintptr_t base = 0;
    size_t bytes = 0;
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, &base);
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, NULL);
}

QUESTION(range_of_pinned_memory, "hipMemGetAddressRange") {
    char *ptr = (char *)make_pinned(5000);
    uintptr_t base = 0;
    size_t bytes = 0;
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, ptr + 100);
    SAY("base", base == number(ptr));
    SAY("bytes", bytes);
    MUST(hipHostFree, ptr);
}

QUESTION(range_of_managed_memory, "hipMemGetAddressRange") {
    uintptr_t ptr = make_managed(5000), base = 0;
    size_t bytes = 0;
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr + 100));
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    MUST(hipFree, pointer(ptr));
}

QUESTION(range_of_pooled_memory, "hipMemGetAddressRange") {
    uintptr_t ptr = 0, base = 0;
    size_t bytes = 0;
    MUST(hipMallocAsync, (void **)&ptr, 5000, NULL);
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr + 100));
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    MUST(hipFree, pointer(ptr));
}

QUESTION(pitch_of_100_bytes, "hipMemAllocPitch") {
    uintptr_t ptr = 0;
    size_t pitch = 0, of_runtime = 0;
    void *other = NULL;
    ASK(hipMemAllocPitch, (void **)&ptr, &pitch, 100, 3, 4);
    SAY("pitch", pitch);
    ASK(hipMallocPitch, &other, &of_runtime, 100, 3);
    SAY("pitch", of_runtime);
    MUST(hipFree, pointer(ptr));
    MUST(hipFree, other);
}

QUESTION(pitch_of_513_bytes, "hipMemAllocPitch") {
    uintptr_t ptr = 0, base = 0;
    size_t pitch = 0, bytes = 0;
    ASK(hipMemAllocPitch, (void **)&ptr, &pitch, 513, 3, 4);
    SAY("pitch", pitch);
    MUST(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr));
    SAY("bytes", bytes);
    MUST(hipFree, pointer(ptr));
}

QUESTION(pitch_for_an_odd_element, "hipMemAllocPitch") {
    uintptr_t ptr = 0;
    size_t pitch = 0;
    ASK(hipMemAllocPitch, (void **)&ptr, &pitch, 100, 3, 5);
    if (ptr != 0) MUST(hipFree, pointer(ptr));
    ptr = 0;
    ASK(hipMemAllocPitch, (void **)&ptr, &pitch, 100, 3, 0);
    if (ptr != 0) MUST(hipFree, pointer(ptr));
}

QUESTION(pitch_without_rows, "hipMemAllocPitch, hipMallocPitch") {
    uintptr_t number_of = 7;
    void *ptr = &ptr;
    size_t pitch = 7;
    ASK(hipMemAllocPitch, (void **)&number_of, &pitch, 100, 0, 4);
    ASK(hipMemAllocPitch, (void **)&number_of, &pitch, 0, 3, 4);
    ASK(hipMallocPitch, &ptr, &pitch, 100, 0);
    SAY("null", ptr == NULL);
    ASK(hipMallocPitch, &ptr, &pitch, 0, 3);
    SAY("null", ptr == NULL);
}

QUESTION(pitch_to_null, "hipMallocPitch") {
    void *ptr = NULL;
    size_t pitch = 0;
    ASK(hipMallocPitch, NULL, &pitch, 100, 3);
    ASK(hipMallocPitch, &ptr, NULL, 100, 3);
    ASK0(hipGetLastError);
}

QUESTION(box_of_100_by_3_by_2, "hipMalloc3D") {
    hipPitchedPtr box;
    uintptr_t base = 0;
    size_t bytes = 0;
    memset(&box, 0, sizeof box);
    ASK(hipMalloc3D, &box, (hipExtent){100, 3, 2});
    SAY("pitch", box.pitch);
    SAY("xsize", box.xsize);
    SAY("ysize", box.ysize);
    MUST(hipMemGetAddressRange, (void **)&base, &bytes, box.ptr);
    SAY("bytes", bytes);
    MUST(hipFree, box.ptr);
}

QUESTION(box_without_depth, "hipMalloc3D") {
    hipPitchedPtr box = {&box, 7, 7, 7};
    ASK(hipMalloc3D, &box, (hipExtent){100, 3, 0});
    SAY("null", box.ptr == NULL);
}

QUESTION(fresh_memory_is_filled_and_read, "hipMemset") {
    unsigned char bytes[4] = {1, 2, 3, 4};
    uintptr_t ptr = make_memory(MIB);
    ASK(hipMemset, pointer(ptr), 0x15a, MIB);
    ASK(hipMemcpy, bytes, pointer(ptr + MIB - 4), 4, hipMemcpyDeviceToHost);
    SAY("byte", bytes[3]);
    MUST(hipFree, pointer(ptr));
}

QUESTION(many_allocations, "hipMalloc") {
    static uintptr_t ptrs[2000];
    int failed = 0;
    for (int i = 0; i < 2000; i++) failed += CALL(hipMalloc, (void **)&ptrs[i], 256) != 0;
    SAY("failed", failed);
    for (int i = 0; i < 2000; i++) MUST(hipFree, pointer(ptrs[i]));
}
