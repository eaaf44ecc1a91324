// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation: pools, their attributes, limits, reuse, rights and handles.
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "pool"

static CUmemPoolProps pool_props(unsigned handle_types) {
    CUmemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.handleTypes = (CUmemAllocationHandleType)handle_types;
    return props;
}

static CUmemoryPool make_pool(size_t limit, unsigned handle_types) {
    CUmemPoolProps props = pool_props(handle_types);
    CUmemoryPool pool = NULL;
    props.maxSize = limit;
    MUST(cuMemPoolCreate, &pool, &props);
    return pool;
}

static unsigned long long attribute(CUmemoryPool pool, int which) {
    unsigned long long value = 0;
    MUST(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)which, &value);
    return value;
}

// The numbers of the attributes.
enum { FOLLOW = 1, OPPORTUNE, INTERNAL, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH };

static void keep_memory(CUmemoryPool pool) {
    unsigned long long all = UINT64_MAX;
    MUST(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)THRESHOLD, &all);
}

static void set_flags(CUmemoryPool pool, int value) {
    for (int which = FOLLOW; which <= INTERNAL; which++)
        MUST(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)which, &value);
}

static CUdeviceptr take(CUmemoryPool pool, size_t bytes, CUstream stream) {
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocFromPoolAsync, &ptr, bytes, pool, stream);
    return ptr;
}

QUESTION(of_zero_bytes, EITHER("cuMemAllocAsync", "hipMallocAsync")) {
    CUdeviceptr ptr = UNSET;
    void *of_runtime = &ptr;
    ASK(cuMemAllocAsync, &ptr, 0, NULL);
    SAY("value", ptr == UNSET ? 7 : ptr == 0 ? 0 : 1);
    ASK(cudaMallocAsync, &of_runtime, 0, NULL);
    SAY("null", of_runtime == NULL);
    ASK(cuMemAllocAsync, NULL, 16, NULL);
    ASK(cudaMallocAsync, NULL, 16, NULL);
}

QUESTION(of_too_much, EITHER("cuMemAllocAsync: out of memory", "hipMallocAsync")) {
    CUdeviceptr ptr = UNSET;
    size_t left = 0, all = 0;
    MUST(cuMemGetInfo, &left, &all);
    ASK(cuMemAllocAsync, &ptr, all + GIB, NULL);
    ASK(cuMemAllocAsync, &ptr, SIZE_MAX, NULL);
    SAY("unchanged", ptr == UNSET);
}

QUESTION(freed_twice, EITHER("cuMemFreeAsync", "hipFreeAsync")) {
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocAsync, &ptr, MIB, NULL);
    ASK(cuMemFreeAsync, ptr, NULL);
    ASK(cuMemFreeAsync, ptr, NULL);
    ASK(cuMemFreeAsync, 0, NULL);
    ASK(cudaFreeAsync, NULL, NULL);
}

QUESTION(freed_inside, EITHER("cuMemFreeAsync", "hipFreeAsync")) {
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocAsync, &ptr, MIB, NULL);
    ASK(cuMemFreeAsync, ptr + 512, NULL);
    ASK(cuMemFree, ptr + 512);
    ASK(cuMemFreeAsync, ptr, NULL);
}

QUESTION(plain_memory_is_freed_in_stream_order, EITHER("cuMemFreeAsync", "hipFreeAsync")) {
    CUdeviceptr ptr = make_memory(MIB);
    long long code = ASK(cuMemFreeAsync, ptr, NULL);
    if (code != 0) MUST(cuMemFree, ptr);
}

QUESTION(other_memory_is_freed_in_stream_order, EITHER("cuMemFreeAsync", "hipFreeAsync")) {
    void *pinned = make_pinned(MIB);
    CUdeviceptr managed = make_managed(MIB);
    int local = 0;
    ASK(cuMemFreeAsync, number(pinned), NULL);
    if (ASK(cuMemFreeAsync, managed, NULL) != 0) MUST(cuMemFree, managed);
    ASK(cuMemFreeAsync, number(&local), NULL);
    MUST(cuMemFreeHost, pinned);
}

QUESTION(freed_by_cuMemFree_after_cuMemFreeAsync, EITHER("cuMemFree", "hipFree")) {
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocAsync, &ptr, MIB, NULL);
    MUST(cuMemFreeAsync, ptr, NULL);
    ASK(cuMemFree, ptr);
}

QUESTION(blocks_are_aligned, EITHER("cuMemAllocAsync", "hipMallocAsync")) {
    CUdeviceptr a = 0, b = 0;
    MUST(cuMemAllocAsync, &a, 1, NULL);
    MUST(cuMemAllocAsync, &b, 1000, NULL);
    SAY("a", (uintptr_t)a % 512);
    SAY("b", (uintptr_t)b % 512);
    MUST(cuMemFreeAsync, a, NULL);
    MUST(cuMemFreeAsync, b, NULL);
}

QUESTION(a_fresh_pool, EITHER("cuMemPoolGetAttribute: defaults", "hipMemPoolGetAttribute")) {
    CUmemoryPool pool = make_pool(0, 0);
    for (int which = FOLLOW; which <= INTERNAL; which++) {
        int flag = 77;
        ASK(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)which, &flag);
        SAY("flag", flag);
    }
    for (int which = THRESHOLD; which <= USED_HIGH; which++) SAY("value", attribute(pool, which));
    ASK(cuMemPoolDestroy, pool);
}

QUESTION(unknown_attributes, EITHER("cuMemPoolGetAttribute", "hipMemPoolGetAttribute")) {
    CUmemoryPool pool = make_pool(0, 0);
    unsigned long long value = 77;
    ASK(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)0, &value);
    ASK(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)77, &value);
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)77, &value);
    ASK(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)THRESHOLD, NULL);
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)THRESHOLD, NULL);
    ASK(cuMemPoolGetAttribute, NULL, (CUmemPool_attribute)THRESHOLD, &value);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(flags_of_other_values, EITHER("cuMemPoolSetAttribute", "hipMemPoolSetAttribute")) {
    CUmemoryPool pool = make_pool(0, 0);
    int flag = 2;
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)FOLLOW, &flag);
    MUST(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)FOLLOW, &flag);
    SAY("flag", flag);
    flag = -1;
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)FOLLOW, &flag);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(memory_is_released_at_a_synchronisation,
         EITHER("cudaMemPoolAttrReleaseThreshold", "hipMemPoolAttrReleaseThreshold")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUstream stream = make_stream();
    CUdeviceptr ptr = take(pool, MIB, stream);
    SAY("used", attribute(pool, USED));
    SAY("reserved", attribute(pool, RESERVED));
    MUST(cuMemFreeAsync, ptr, stream);
    MUST(cuStreamSynchronize, stream);
    SAY("used", attribute(pool, USED));
    SAY("reserved", attribute(pool, RESERVED));
    SAY("used_high", attribute(pool, USED_HIGH));
    SAY("reserved_high", attribute(pool, RESERVED_HIGH));
    MUST(cuStreamDestroy, stream);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(memory_below_the_threshold_stays,
         EITHER("cudaMemPoolAttrReleaseThreshold", "hipMemPoolAttrReleaseThreshold")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUstream stream = make_stream();
    keep_memory(pool);
    CUdeviceptr ptr = take(pool, 8 * MIB, stream);
    MUST(cuMemFreeAsync, ptr, stream);
    MUST(cuStreamSynchronize, stream);
    SAY("kept", attribute(pool, RESERVED) > 0);
    ASK(cuMemPoolTrimTo, pool, 0);
    SAY("reserved", attribute(pool, RESERVED));
    MUST(cuStreamDestroy, stream);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(sizes_that_a_pool_reserves,
         EITHER("cuMemPoolGetAttribute: CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT",
                "hipMemPoolGetAttribute")) {
    static const size_t sizes[] = {1, MIB, 2 * MIB, 3 * MIB, 31 * MIB, 33 * MIB, 100 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUmemoryPool pool = make_pool(0, 0);
        CUdeviceptr ptr = take(pool, sizes[i], NULL);
        SAY("reserved_mib", attribute(pool, RESERVED) / MIB);
        SAY("used", attribute(pool, USED));
        MUST(cuMemFreeAsync, ptr, NULL);
        MUST(cuStreamSynchronize, NULL);
        MUST(cuMemPoolDestroy, pool);
    }
}

QUESTION(blocks_without_synchronisation_stay, EITHER("cuMemFreeAsync", "hipFreeAsync")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUstream stream = make_stream();
    CUdeviceptr ptr = take(pool, 8 * MIB, stream);
    MUST(cuMemFreeAsync, ptr, stream);
    SAY("used", attribute(pool, USED));
    CUdeviceptr again = take(pool, 8 * MIB, stream);
    SAY("same", ptr == again);
    MUST(cuMemFreeAsync, again, stream);
    MUST(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(trim_to_a_size, EITHER("cuMemPoolTrimTo", "hipMemPoolTrimTo")) {
    CUmemoryPool pool = make_pool(0, 0);
    keep_memory(pool);
    CUdeviceptr a = take(pool, 64 * MIB, NULL), b = take(pool, 64 * MIB, NULL);
    MUST(cuMemFreeAsync, b, NULL);
    MUST(cuStreamSynchronize, NULL);
    ASK(cuMemPoolTrimTo, pool, SIZE_MAX);
    SAY("reserved_mib", attribute(pool, RESERVED) / MIB);
    ASK(cuMemPoolTrimTo, pool, 0);
    SAY("reserved_mib", attribute(pool, RESERVED) / MIB);
    MUST(cuMemFreeAsync, a, NULL);
    MUST(cuStreamSynchronize, NULL);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(peaks_can_be_reset_only,
         EITHER("cuMemPoolSetAttribute: only 0", "hipMemPoolSetAttribute")) {
    CUmemoryPool pool = make_pool(0, 0);
    unsigned long long one = 1, zero = 0;
    CUdeviceptr ptr = take(pool, MIB, NULL);
    MUST(cuMemFreeAsync, ptr, NULL);
    MUST(cuStreamSynchronize, NULL);
    SAY("high", attribute(pool, USED_HIGH));
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)USED_HIGH, &one);
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)USED, &zero);
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)RESERVED, &zero);
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)USED_HIGH, &zero);
    ASK(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)RESERVED_HIGH, &zero);
    SAY("high", attribute(pool, USED_HIGH));
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(reuse_without_rules, EITHER("CU_MEMPOOL_ATTR_REUSE_...", "hipMemPoolReuse...")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUstream s = make_stream(), t = make_stream();
    int gate;
    set_flags(pool, 0);
    keep_memory(pool);
    CUdeviceptr first = take(pool, 32 * MIB, s);
    close_gate(s, &gate);
    MUST(cuMemFreeAsync, first, s);
    CUdeviceptr second = take(pool, 32 * MIB, t);
    SAY("same", first == second);
    MUST(cuMemFreeAsync, second, t);
    open_gate(&gate);
    MUST0(cuCtxSynchronize);
    MUST(cuStreamDestroy, s);
    MUST(cuStreamDestroy, t);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(reuse_behind_an_event, EITHER("CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES",
                                       "hipMemPoolReuseFollowEventDependencies")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUstream s = make_stream(), t = make_stream();
    CUevent event = make_event(CU_EVENT_DISABLE_TIMING);
    int gate, on = 1;
    set_flags(pool, 0);
    MUST(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)FOLLOW, &on);
    keep_memory(pool);
    CUdeviceptr first = take(pool, 32 * MIB, s);
    close_gate(s, &gate);
    MUST(cuMemFreeAsync, first, s);
    MUST(cuEventRecord, event, s);
    MUST(cuStreamWaitEvent, t, event, 0);
    CUdeviceptr second = take(pool, 32 * MIB, t);
    SAY("same", first == second);
    MUST(cuMemFreeAsync, second, t);
    open_gate(&gate);
    MUST0(cuCtxSynchronize);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, s);
    MUST(cuStreamDestroy, t);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(reuse_of_what_has_passed,
         EITHER("CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC", "hipMemPoolReuseAllowOpportunistic")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUstream s = make_stream(), t = make_stream();
    int on = 1;
    set_flags(pool, 0);
    MUST(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)OPPORTUNE, &on);
    keep_memory(pool);
    CUdeviceptr first = take(pool, 32 * MIB, s);
    MUST(cuMemFreeAsync, first, s);
    while (CALL(cuStreamQuery, s) == CUDA_ERROR_NOT_READY) continue;
    CUdeviceptr second = take(pool, 32 * MIB, t);
    SAY("same", first == second);
    MUST(cuMemFreeAsync, second, t);
    MUST0(cuCtxSynchronize);
    MUST(cuStreamDestroy, s);
    MUST(cuStreamDestroy, t);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(destroyed_default_pool, EITHER("cuMemPoolDestroy", "hipMemPoolDestroy")) {
    CUmemoryPool pool = NULL;
    MUST(cuDeviceGetDefaultMemPool, &pool, 0);
    ASK(cuMemPoolDestroy, pool);
    ASK(cuMemPoolDestroy, NULL);
}

QUESTION(destroyed_current_pool,
         EITHER("cuMemPoolDestroy: the default pool becomes the current one",
                "hipMemPoolDestroy")) {
    CUmemoryPool own = make_pool(0, 0), initial = NULL, now = NULL;
    MUST(cuDeviceGetDefaultMemPool, &initial, 0);
    ASK(cuDeviceSetMemPool, 0, own);
    ASK(cuDeviceGetMemPool, &now, 0);
    SAY("own", now == own);
    ASK(cuMemPoolDestroy, own);
    ASK(cuDeviceGetMemPool, &now, 0);
    SAY("initial", now == initial);
}

QUESTION(destroyed_pool_with_blocks,
         EITHER("cuMemPoolDestroy: blocks stay until they are freed", "hipMemPoolDestroy")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUdeviceptr ptr = take(pool, MIB, NULL);
    ASK(cuMemPoolDestroy, pool);
    ASK(cuMemsetD8, ptr, 1, MIB);
    ASK(cuMemFreeAsync, ptr, NULL);
    MUST0(cuCtxSynchronize);
}

QUESTION(current_pools_of_bad_devices, EITHER("cuDeviceGetMemPool", "hipDeviceGetMemPool")) {
    CUmemoryPool pool = NULL;
    ASK(cuDeviceGetMemPool, &pool, 99);
    ASK(cuDeviceGetDefaultMemPool, &pool, 99);
    ASK(cuDeviceGetMemPool, NULL, 0);
    ASK(cuDeviceSetMemPool, 0, NULL);
    ASK(cudaDeviceGetMemPool, (cudaMemPool_t *)&pool, 99);
}

QUESTION(current_pool_at_first, EITHER("cuDeviceGetMemPool", "hipDeviceGetMemPool")) {
    CUmemoryPool now = NULL, initial = NULL;
    cudaMemPool_t of_runtime = NULL;
    MUST(cuDeviceGetMemPool, &now, 0);
    MUST(cuDeviceGetDefaultMemPool, &initial, 0);
    MUST(cudaDeviceGetMemPool, &of_runtime, 0);
    SAY("initial", now == initial);
    SAY("of_runtime", (void *)of_runtime == (void *)now);
}

QUESTION(created_with_bad_properties, EITHER("cuMemPoolCreate", "hipMemPoolCreate")) {
    CUmemPoolProps props = pool_props(0);
    CUmemoryPool pool = NULL;
    ASK(cuMemPoolCreate, NULL, &props);
    ASK(cuMemPoolCreate, &pool, NULL);
    props.allocType = (CUmemAllocationType)0;
    ASK(cuMemPoolCreate, &pool, &props);
    props = pool_props(0);
    props.location.id = 99;
    ASK(cuMemPoolCreate, &pool, &props);
    props.location.type = (CUmemLocationType)0;
    ASK(cuMemPoolCreate, &pool, &props);
    props = pool_props(0x40);
    ASK(cuMemPoolCreate, &pool, &props);
    SAY("null", pool == NULL);
}

QUESTION(created_on_the_host,
         EITHER("cuMemPoolCreate: CU_MEM_LOCATION_TYPE_HOST_NUMA", "hipMemPoolCreate")) {
    CUmemPoolProps props = pool_props(0);
    CUmemoryPool pool = NULL;
    props.location.type = CU_MEM_LOCATION_TYPE_HOST;
    if (ASK(cuMemPoolCreate, &pool, &props) == 0) MUST(cuMemPoolDestroy, pool);
    props.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    if (ASK(cuMemPoolCreate, &pool, &props) == 0) MUST(cuMemPoolDestroy, pool);
}

QUESTION(a_limit, EITHER("CUmemPoolProps: maxSize", "hipMemPoolProps")) {
    CUmemoryPool pool = make_pool(64 * MIB, 0);
    CUdeviceptr ptr = UNSET;
    ASK(cuMemAllocFromPoolAsync, &ptr, 128 * MIB, pool, NULL);
    SAY("unchanged", ptr == UNSET);
    if (ASK(cuMemAllocFromPoolAsync, &ptr, 32 * MIB, pool, NULL) == 0)
        MUST(cuMemFreeAsync, ptr, NULL);
    MUST(cuStreamSynchronize, NULL);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(a_small_limit, EITHER("CUmemPoolProps: maxSize", "hipMemPoolProps")) {
    CUmemoryPool pool = make_pool(1, 0);
    CUdeviceptr ptr = 0;
    if (ASK(cuMemAllocFromPoolAsync, &ptr, 1, pool, NULL) == 0) MUST(cuMemFreeAsync, ptr, NULL);
    if (ASK(cuMemAllocFromPoolAsync, &ptr, MIB, pool, NULL) == 0) MUST(cuMemFreeAsync, ptr, NULL);
    MUST(cuStreamSynchronize, NULL);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(rights, EITHER("cuMemPoolGetAccess", "hipMemPoolGetAccess")) {
    CUmemoryPool pool = make_pool(0, 0);
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemAccessDesc desc = rights_of(CU_MEM_ACCESS_FLAGS_PROT_NONE);
    CUmemAccess_flags flags = (CUmemAccess_flags)77;
    ASK(cuMemPoolGetAccess, &flags, pool, &here);
    SAY("flags", flags);
    ASK(cuMemPoolSetAccess, pool, &desc, 1);
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    ASK(cuMemPoolSetAccess, pool, &desc, 1);
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASK(cuMemPoolSetAccess, pool, &desc, 1);
    desc.location.id = 99;
    ASK(cuMemPoolSetAccess, pool, &desc, 1);
    here.id = 99;
    ASK(cuMemPoolGetAccess, &flags, pool, &here);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(exported_without_a_type,
         EITHER("cuMemPoolExportToShareableHandle", "hipMemPoolExportToShareableHandle")) {
    CUmemoryPool pool = make_pool(0, 0), initial = NULL;
    int fd = -1;
    ASK(cuMemPoolExportToShareableHandle, &fd, pool, (CUmemAllocationHandleType)1, 0);
    MUST(cuDeviceGetDefaultMemPool, &initial, 0);
    ASK(cuMemPoolExportToShareableHandle, &fd, initial, (CUmemAllocationHandleType)1, 0);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(exported_as_a_descriptor,
         EITHER("cuMemPoolExportToShareableHandle", "hipMemPoolExportToShareableHandle")) {
    CUmemoryPool pool = make_pool(0, 1);
    int fd = -1;
    ASK(cuMemPoolExportToShareableHandle, &fd, pool, (CUmemAllocationHandleType)1, 0);
    SAY("valid", fd >= 0);
    (void)close(fd);
    ASK(cuMemPoolExportToShareableHandle, &fd, pool, (CUmemAllocationHandleType)1, 1);
    ASK(cuMemPoolExportToShareableHandle, &fd, pool, (CUmemAllocationHandleType)8, 0);
    ASK(cuMemPoolExportToShareableHandle, NULL, pool, (CUmemAllocationHandleType)1, 0);
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(exported_pointers, EITHER("cuMemPoolExportPointer", "hipMemPoolExportPointer")) {
    CUmemoryPool pool = make_pool(0, 1), other = make_pool(0, 0);
    CUmemPoolPtrExportData data;
    CUdeviceptr ptr = take(pool, MIB, NULL), plain = take(other, MIB, NULL),
                cuda = make_memory(MIB);
    ASK(cuMemPoolExportPointer, &data, ptr);
    ASK(cuMemPoolExportPointer, &data, ptr + 512);
    ASK(cuMemPoolExportPointer, &data, plain);
    ASK(cuMemPoolExportPointer, &data, cuda);
    ASK(cuMemPoolExportPointer, NULL, ptr);
    MUST(cuMemFree, cuda);
    MUST(cuMemFreeAsync, ptr, NULL);
    MUST(cuMemFreeAsync, plain, NULL);
    MUST(cuStreamSynchronize, NULL);
    MUST(cuMemPoolDestroy, pool);
    MUST(cuMemPoolDestroy, other);
}

QUESTION(free_bytes_count_what_is_reserved, EITHER("cuMemGetInfo", "hipMemGetInfo")) {
    CUmemoryPool pool = make_pool(0, 0);
    size_t before = free_bytes();
    CUdeviceptr ptr = take(pool, 64 * MIB, NULL);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    MUST(cuMemFreeAsync, ptr, NULL);
    MUST(cuStreamSynchronize, NULL);
    SAY("back", before == free_bytes());
    MUST(cuMemPoolDestroy, pool);
}

QUESTION(used_from_another_stream, EITHER("cuMemFreeAsync on another stream", "hipFreeAsync")) {
    CUstream s = make_stream(), t = make_stream();
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocAsync, &ptr, MIB, s);
    MUST(cuStreamSynchronize, s);
    ASK(cuMemsetD8Async, ptr, 1, MIB, t);
    ASK(cuMemFreeAsync, ptr, t);
    ASK(cuStreamSynchronize, t);
    MUST(cuStreamDestroy, s);
    MUST(cuStreamDestroy, t);
}

QUESTION(a_destroyed_stream, EITHER("cuMemAllocAsync", "hipMallocAsync")) {
    CUstream stream = make_stream();
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocAsync, &ptr, MIB, stream);
    ASK(cuStreamDestroy, stream);
    ASK(cuMemsetD8, ptr, 1, MIB);
    ASK(cuMemFreeAsync, ptr, NULL);
}

#if !IS_HIP
QUESTION(of_a_location, "cuMemGetMemPool since 13.0") {
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemoryPool first = NULL, now = NULL;
    ASK(cuMemGetDefaultMemPool, &first, &here, CU_MEM_ALLOCATION_TYPE_PINNED);
    ASK(cuMemGetMemPool, &now, &here, CU_MEM_ALLOCATION_TYPE_PINNED);
    SAY("same", first == now);
    ASK(cuMemGetMemPool, &now, &host, CU_MEM_ALLOCATION_TYPE_PINNED);
    ASK(cuMemGetDefaultMemPool, &now, &host, CU_MEM_ALLOCATION_TYPE_PINNED);
    ASK(cuMemGetMemPool, &now, &here, (CUmemAllocationType)0);
}
#endif
