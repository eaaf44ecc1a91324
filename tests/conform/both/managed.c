// SPDX-License-Identifier: Apache-2.0
// Managed memory: allocation, advice, prefetches, and the attributes of ranges.
#include "begin.h"

#define TN_GROUP "managed"

enum { BYTES = 4 << 20, HALF = BYTES / 2 };

static const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
static const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};

static int range_value(CUmem_range_attribute which, CUdeviceptr from, size_t bytes) {
    int value = -99;
    MUST(cuMemRangeGetAttribute, &value, sizeof value, which, from, bytes);
    return value;
}

QUESTION(of_zero, EITHER("cuMemAllocManaged: size 0 is invalid", "hipMallocManaged")) {
    void *ptr = &ptr;
    CUdeviceptr of_driver = UNSET;
    ASK(cudaMallocManaged, &ptr, 0, cudaMemAttachGlobal);
    SAY("unchanged", ptr == (void *)&ptr);
    ASK(cuMemAllocManaged, &of_driver, 0, CU_MEM_ATTACH_GLOBAL);
    SAY("unchanged", of_driver == UNSET);
}

QUESTION(of_bad_flags, EITHER("cuMemAllocManaged", "hipMallocManaged")) {
    CUdeviceptr ptr = UNSET;
    ASK(cuMemAllocManaged, &ptr, 16, 0);
    ASK(cuMemAllocManaged, &ptr, 16, 3);
    ASK(cuMemAllocManaged, &ptr, 16, CU_MEM_ATTACH_SINGLE);
    ASK(cuMemAllocManaged, &ptr, 16, 8);
    SAY("unchanged", ptr == UNSET);
    ASK(cudaMallocManaged, (void **)&ptr, 16, 0);
    ASK(cudaMallocManaged, (void **)&ptr, 16, 3);
    ASK(cuMemAllocManaged, NULL, 16, CU_MEM_ATTACH_GLOBAL);
}

QUESTION(takes_none_of_the_device, EITHER("cuMemGetInfo", "hipMemGetInfo")) {
    size_t before = free_bytes();
    CUdeviceptr ptr = make_managed(16 * MIB);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    MUST(cuMemFree, ptr);
}

QUESTION(attached_to_the_host, EITHER("cuMemAllocManaged", "hipMallocManaged")) {
    CUdeviceptr ptr = 0;
    ASK(cuMemAllocManaged, &ptr, BYTES, CU_MEM_ATTACH_HOST);
    ASK(cuMemsetD8, ptr, 1, 16);
    ASK(cuMemFree, ptr);
}

QUESTION(is_aligned, EITHER("cuMemAllocManaged", "hipMallocManaged")) {
    CUdeviceptr a = make_managed(1), b = make_managed(5 * MIB);
    SAY("a_of_512", (uintptr_t)a % 512 == 0);
    SAY("a_of_page", (uintptr_t)a % 4096 == 0);
    SAY("b_of_2m", (uintptr_t)b % G == 0);
    MUST(cuMemFree, a);
    MUST(cuMemFree, b);
}

QUESTION(the_host_reads_what_the_device_wrote, EITHER("cuMemAllocManaged", "hipMallocManaged")) {
    CUdeviceptr ptr = make_managed(BYTES);
    MUST(cuMemsetD8, ptr, 7, BYTES);
    MUST0(cuCtxSynchronize);
    SAY("byte", *(volatile char *)pointer(ptr + BYTES - 1));
    MUST(cuMemFree, ptr);
}

QUESTION(begins_with_zeros, EITHER("cuMemAllocManaged", "hipMallocManaged")) {
    CUdeviceptr ptr = make_managed(BYTES);
    SAY("byte", *(volatile char *)pointer(ptr + 12345));
    MUST(cuMemFree, ptr);
}

QUESTION(freed_twice, EITHER("cuMemFree", "hipFree")) {
    CUdeviceptr ptr = make_managed(BYTES);
    ASK(cuMemFree, ptr + 512);
    ASK(cuMemFree, ptr);
    ASK(cuMemFree, ptr);
}

QUESTION(never_prefetched, EITHER("CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: -2",
                                  "hipMemRangeAttributeLastPrefetchLocation")) {
    CUdeviceptr ptr = make_managed(BYTES);
    SAY("last", range_value(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, BYTES));
    MUST(cuMemFree, ptr);
}

QUESTION(prefetched_to_the_device, EITHER("cuMemPrefetchAsync", "hipMemPrefetchAsync_v2")) {
    CUdeviceptr ptr = make_managed(BYTES);
    ASK(cuMemPrefetchAsync, ptr, BYTES, device, 0, NULL);
    MUST0(cuCtxSynchronize);
    SAY("last", range_value(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, BYTES));
    MUST(cuMemFree, ptr);
}

QUESTION(prefetched_to_the_host, EITHER("cuMemPrefetchAsync", "hipMemPrefetchAsync_v2")) {
    CUdeviceptr ptr = make_managed(BYTES);
    ASK(cuMemPrefetchAsync, ptr, BYTES, host, 0, NULL);
    MUST0(cuCtxSynchronize);
    SAY("last", range_value(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, BYTES));
    MUST(cuMemFree, ptr);
}

QUESTION(prefetched_in_part,
         EITHER("CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: -2 if not all pages",
                "hipMemRangeAttributeLastPrefetchLocation")) {
    CUdeviceptr ptr = make_managed(BYTES);
    ASK(cuMemPrefetchAsync, ptr, HALF, device, 0, NULL);
    MUST0(cuCtxSynchronize);
    SAY("half", range_value(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, HALF));
    SAY("all", range_value(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, BYTES));
    MUST(cuMemFree, ptr);
}

QUESTION(prefetches_of_bad_ranges, EITHER("cuMemPrefetchAsync", "hipMemPrefetchAsync_v2")) {
    CUdeviceptr ptr = make_managed(BYTES), plain = make_memory(MIB);
    CUmemLocation far = device;
    int local = 0;
    ASK(cuMemPrefetchAsync, plain, MIB, device, 0, NULL);
    ASK(cuMemPrefetchAsync, ptr, BYTES + 1, device, 0, NULL);
    ASK(cuMemPrefetchAsync, ptr, 0, device, 0, NULL);
    ASK(cuMemPrefetchAsync, 0, BYTES, device, 0, NULL);
    ASK(cuMemPrefetchAsync, number(&local), 4, device, 0, NULL);
    ASK(cuMemPrefetchAsync, ptr, BYTES, device, 1, NULL);
    far.id = 99;
    ASK(cuMemPrefetchAsync, ptr, BYTES, far, 0, NULL);
    far.type = (CUmemLocationType)77;
    ASK(cuMemPrefetchAsync, ptr, BYTES, far, 0, NULL);
    MUST(cuMemFree, plain);
    MUST(cuMemFree, ptr);
}

QUESTION(prefetch_of_pinned_memory, EITHER("cuMemPrefetchAsync", "hipMemPrefetchAsync_v2")) {
    void *ptr = make_pinned(BYTES);
    ASK(cuMemPrefetchAsync, number(ptr), BYTES, device, 0, NULL);
    MUST(cuMemFreeHost, ptr);
}

#if !IS_HIP
QUESTION(prefetch_by_the_runtime, "cudaMemPrefetchAsync of release 13") {
    struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice, .id = 0};
    CUdeviceptr ptr = make_managed(BYTES);
    if (tn_has("cudaMemPrefetchAsync_v2")) SKIP("needs the runtime of release 13");
    ASK(cudaMemPrefetchAsync, pointer(ptr), BYTES, here, 0, NULL);
    here.id = 99;
    ASK(cudaMemPrefetchAsync, pointer(ptr), BYTES, here, 0, NULL);
    ASK0(cudaGetLastError);
    MUST(cuMemFree, ptr);
}
#endif

QUESTION(read_mostly, EITHER("cuMemAdvise", "hipMemAdvise_v2")) {
    CUdeviceptr ptr = make_managed(BYTES);
    SAY("before", range_value(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES));
    ASK(cuMemAdvise, ptr, HALF, CU_MEM_ADVISE_SET_READ_MOSTLY, device);
    SAY("half", range_value(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, HALF));
    SAY("all", range_value(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES));
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device);
    SAY("half", range_value(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, HALF));
    MUST(cuMemFree, ptr);
}

QUESTION(preferred_location, EITHER("cuMemAdvise", "hipMemAdvise_v2")) {
    CUdeviceptr ptr = make_managed(BYTES);
    SAY("before", range_value(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, ptr, BYTES));
    ASK(cuMemAdvise, ptr, HALF, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device);
    SAY("half", range_value(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, ptr, HALF));
    SAY("all", range_value(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, ptr, BYTES));
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host);
    SAY("all", range_value(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, ptr, BYTES));
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, host);
    SAY("all", range_value(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, ptr, BYTES));
    MUST(cuMemFree, ptr);
}

QUESTION(accessed_by, EITHER("CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: filled with -2",
                             "hipMemRangeAttributeAccessedBy")) {
    CUdeviceptr ptr = make_managed(BYTES);
    int devices[3] = {9, 9, 9};
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, device);
    ASK(cuMemRangeGetAttribute, devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, ptr,
        BYTES);
    for (int i = 0; i < 3; i++) SAY("device", devices[i]);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, host);
    ASK(cuMemRangeGetAttribute, devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, ptr,
        BYTES);
    for (int i = 0; i < 3; i++) SAY("device", devices[i]);
    MUST(cuMemFree, ptr);
}

QUESTION(bad_advice, EITHER("cuMemAdvise", "hipMemAdvise_v2")) {
    CUdeviceptr ptr = make_managed(BYTES), plain = make_memory(MIB);
    CUmemLocation far = {CU_MEM_LOCATION_TYPE_DEVICE, 99};
    ASK(cuMemAdvise, ptr, 2 * (size_t)BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, device);
    ASK(cuMemAdvise, ptr, BYTES, (CUmem_advise)99, device);
    ASK(cuMemAdvise, ptr, BYTES, (CUmem_advise)0, device);
    ASK(cuMemAdvise, ptr, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, device);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, far);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, far);
    ASK(cuMemAdvise, plain, MIB, CU_MEM_ADVISE_SET_READ_MOSTLY, device);
    MUST(cuMemFree, plain);
    MUST(cuMemFree, ptr);
}

QUESTION(bad_sizes_of_attributes,
         EITHER("cuMemRangeGetAttribute: dataSize", "hipMemRangeGetAttribute")) {
    CUdeviceptr ptr = make_managed(BYTES);
    int values[2] = {7, 7};
    ASK(cuMemRangeGetAttribute, values, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, values, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, values, 0, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, values, 6, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, NULL, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, values, 4, (CUmem_range_attribute)99, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, values, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, 0);
    SAY("value", values[0]);
    MUST(cuMemFree, ptr);
}

QUESTION(attributes_of_other_memory, EITHER("cuMemRangeGetAttribute", "hipMemRangeGetAttribute")) {
    CUdeviceptr ptr = make_memory(BYTES);
    int value = 7;
    ASK(cuMemRangeGetAttribute, &value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, BYTES);
    ASK(cuMemRangeGetAttribute, &value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, number(&value), 4);
    MUST(cuMemFree, ptr);
}

QUESTION(several_attributes, EITHER("cuMemRangeGetAttributes", "hipMemRangeGetAttributes")) {
    CUdeviceptr ptr = make_managed(BYTES);
    int mostly = 9, last = 9;
    void *data[] = {&mostly, &last};
    size_t sizes[] = {4, 4};
    CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                     CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
    ASK(cuMemRangeGetAttributes, data, sizes, which, 2, ptr, BYTES);
    SAY("mostly", mostly);
    SAY("last", last);
    ASK(cuMemRangeGetAttributes, data, sizes, which, 0, ptr, BYTES);
    sizes[1] = 3;
    ASK(cuMemRangeGetAttributes, data, sizes, which, 2, ptr, BYTES);
    MUST(cuMemFree, ptr);
}

QUESTION(attached_to_a_stream, EITHER("cuStreamAttachMemAsync", "hipStreamAttachMemAsync")) {
    CUdeviceptr ptr = make_managed(BYTES);
    CUstream stream = make_stream();
    ASK(cuStreamAttachMemAsync, stream, ptr, 0, CU_MEM_ATTACH_SINGLE);
    ASK(cuStreamAttachMemAsync, stream, ptr, 0, CU_MEM_ATTACH_GLOBAL);
    ASK(cuStreamAttachMemAsync, stream, ptr, BYTES, CU_MEM_ATTACH_HOST);
    ASK(cuStreamAttachMemAsync, stream, ptr, 100, CU_MEM_ATTACH_GLOBAL);
    ASK(cuStreamAttachMemAsync, stream, ptr, 0, 8);
    ASK(cuStreamAttachMemAsync, stream, ptr + 512, 0, CU_MEM_ATTACH_GLOBAL);
    ASK(cuStreamAttachMemAsync, NULL, ptr, 0, CU_MEM_ATTACH_SINGLE);
    MUST(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, ptr);
}

QUESTION(attached_plain_memory, EITHER("cuStreamAttachMemAsync", "hipStreamAttachMemAsync")) {
    CUdeviceptr ptr = make_memory(BYTES);
    CUstream stream = make_stream();
    ASK(cuStreamAttachMemAsync, stream, ptr, 0, CU_MEM_ATTACH_GLOBAL);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, ptr);
}
