// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation: pools, their attributes, limits, reuse, rights and handles.
#include <unistd.h>

#include "old.h"

#define TN_GROUP "pool"

static hipMemPoolProps pool_props(unsigned handle_types) {
    hipMemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    props.handleTypes = (hipMemAllocationHandleType)handle_types;
    return props;
}

static hipMemPool_t make_pool(size_t limit, unsigned handle_types) {
    hipMemPoolProps props = pool_props(handle_types);
    hipMemPool_t pool = NULL;
    props.maxSize = limit;
    MUST(hipMemPoolCreate, &pool, &props);
    return pool;
}

static unsigned long long attribute(hipMemPool_t pool, int which) {
    unsigned long long value = 0;
    MUST(hipMemPoolGetAttribute, pool, (hipMemPoolAttr)which, &value);
    return value;
}

// The numbers of the attributes.
enum { FOLLOW = 1, OPPORTUNE, INTERNAL, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH };

static void keep_memory(hipMemPool_t pool) {
    unsigned long long all = UINT64_MAX;
    MUST(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)THRESHOLD, &all);
}

static void set_flags(hipMemPool_t pool, int value) {
    for (int which = FOLLOW; which <= INTERNAL; which++)
        MUST(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)which, &value);
}

static uintptr_t take(hipMemPool_t pool, size_t bytes, hipStream_t stream) {
    uintptr_t ptr = 0;
    MUST(hipMallocFromPoolAsync, (void **)&ptr, bytes, pool, stream);
    return ptr;
}

QUESTION(of_zero_bytes, "hipMallocAsync") {
    uintptr_t ptr = 7;
    void *of_runtime = &ptr;
    ASK(hipMallocAsync, (void **)&ptr, 0, NULL);
    SAY("value", ptr == 7 ? 7 : ptr == 0 ? 0 : 1);
    ASK(hipMallocAsync, &of_runtime, 0, NULL);
    SAY("null", of_runtime == NULL);
    ASK(hipMallocAsync, NULL, 16, NULL);
    ASK(hipMallocAsync, NULL, 16, NULL);
}

QUESTION(of_too_much, "hipMallocAsync") {
    uintptr_t ptr = 7;
    size_t left = 0, all = 0;
    MUST(hipMemGetInfo, &left, &all);
    ASK(hipMallocAsync, (void **)&ptr, all + GIB, NULL);
    ASK(hipMallocAsync, (void **)&ptr, SIZE_MAX, NULL);
    SAY("unchanged", ptr == 7);
}

QUESTION(freed_twice, "hipFreeAsync") {
    uintptr_t ptr = 0;
    MUST(hipMallocAsync, (void **)&ptr, MIB, NULL);
    ASK(hipFreeAsync, pointer(ptr), NULL);
    ASK(hipFreeAsync, pointer(ptr), NULL);
    ASK(hipFreeAsync, NULL, NULL);
    ASK(hipFreeAsync, NULL, NULL);
}

QUESTION(freed_inside, "hipFreeAsync") {
    uintptr_t ptr = 0;
    MUST(hipMallocAsync, (void **)&ptr, MIB, NULL);
    ASK(hipFreeAsync, pointer(ptr + 512), NULL);
    ASK(hipFree, pointer(ptr + 512));
    ASK(hipFreeAsync, pointer(ptr), NULL);
}

QUESTION(plain_memory_is_freed_in_stream_order, "hipFreeAsync") {
    uintptr_t ptr = make_memory(MIB);
    long long code = ASK(hipFreeAsync, pointer(ptr), NULL);
    if (code != 0) MUST(hipFree, pointer(ptr));
}

QUESTION(other_memory_is_freed_in_stream_order, "hipFreeAsync") {
    void *pinned = make_pinned(MIB);
    uintptr_t managed = make_managed(MIB);
    int local = 0;
    ASK(hipFreeAsync, pinned, NULL);
    if (ASK(hipFreeAsync, pointer(managed), NULL) != 0) MUST(hipFree, pointer(managed));
    ASK(hipFreeAsync, &local, NULL);
    MUST(hipHostFree, pinned);
}

QUESTION(freed_by_cuMemFree_after_cuMemFreeAsync, "hipFree") {
    uintptr_t ptr = 0;
    MUST(hipMallocAsync, (void **)&ptr, MIB, NULL);
    MUST(hipFreeAsync, pointer(ptr), NULL);
    ASK(hipFree, pointer(ptr));
}

QUESTION(blocks_are_aligned, "hipMallocAsync") {
    uintptr_t a = 0, b = 0;
    MUST(hipMallocAsync, (void **)&a, 1, NULL);
    MUST(hipMallocAsync, (void **)&b, 1000, NULL);
    SAY("a", a % 512);
    SAY("b", b % 512);
    MUST(hipFreeAsync, pointer(a), NULL);
    MUST(hipFreeAsync, pointer(b), NULL);
}

QUESTION(a_fresh_pool, "hipMemPoolGetAttribute") {
    hipMemPool_t pool = make_pool(0, 0);
    for (int which = FOLLOW; which <= INTERNAL; which++) {
        int flag = 77;
        ASK(hipMemPoolGetAttribute, pool, (hipMemPoolAttr)which, &flag);
        SAY("flag", flag);
    }
    for (int which = THRESHOLD; which <= USED_HIGH; which++) SAY("value", attribute(pool, which));
    ASK(hipMemPoolDestroy, pool);
}

QUESTION(unknown_attributes, "hipMemPoolGetAttribute") {
    hipMemPool_t pool = make_pool(0, 0);
    unsigned long long value = 77;
    ASK(hipMemPoolGetAttribute, pool, (hipMemPoolAttr)0, &value);
    ASK(hipMemPoolGetAttribute, pool, (hipMemPoolAttr)77, &value);
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)77, &value);
    ASK(hipMemPoolGetAttribute, pool, (hipMemPoolAttr)THRESHOLD, NULL);
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)THRESHOLD, NULL);
    ASK(hipMemPoolGetAttribute, NULL, (hipMemPoolAttr)THRESHOLD, &value);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(flags_of_other_values, "hipMemPoolSetAttribute") {
    hipMemPool_t pool = make_pool(0, 0);
    int flag = 2;
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)FOLLOW, &flag);
    MUST(hipMemPoolGetAttribute, pool, (hipMemPoolAttr)FOLLOW, &flag);
    SAY("flag", flag);
    flag = -1;
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)FOLLOW, &flag);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(memory_is_released_at_a_synchronisation, "hipMemPoolAttrReleaseThreshold") {
    hipMemPool_t pool = make_pool(0, 0);
    hipStream_t stream = make_stream();
    uintptr_t ptr = take(pool, MIB, stream);
    SAY("used", attribute(pool, USED));
    SAY("reserved", attribute(pool, RESERVED));
    MUST(hipFreeAsync, pointer(ptr), stream);
    MUST(hipStreamSynchronize, stream);
    SAY("used", attribute(pool, USED));
    SAY("reserved", attribute(pool, RESERVED));
    SAY("used_high", attribute(pool, USED_HIGH));
    SAY("reserved_high", attribute(pool, RESERVED_HIGH));
    MUST(hipStreamDestroy, stream);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(memory_below_the_threshold_stays, "hipMemPoolAttrReleaseThreshold") {
    hipMemPool_t pool = make_pool(0, 0);
    hipStream_t stream = make_stream();
    keep_memory(pool);
    uintptr_t ptr = take(pool, 8 * MIB, stream);
    MUST(hipFreeAsync, pointer(ptr), stream);
    MUST(hipStreamSynchronize, stream);
    SAY("kept", attribute(pool, RESERVED) > 0);
    ASK(hipMemPoolTrimTo, pool, 0);
    SAY("reserved", attribute(pool, RESERVED));
    MUST(hipStreamDestroy, stream);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(sizes_that_a_pool_reserves, "hipMemPoolGetAttribute") {
    static const size_t sizes[] = {1, MIB, 2 * MIB, 3 * MIB, 31 * MIB, 33 * MIB, 100 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hipMemPool_t pool = make_pool(0, 0);
        uintptr_t ptr = take(pool, sizes[i], NULL);
        SAY("reserved_mib", attribute(pool, RESERVED) / MIB);
        SAY("used", attribute(pool, USED));
        MUST(hipFreeAsync, pointer(ptr), NULL);
        MUST(hipStreamSynchronize, NULL);
        MUST(hipMemPoolDestroy, pool);
    }
}

QUESTION(blocks_without_synchronisation_stay, "hipFreeAsync") {
    hipMemPool_t pool = make_pool(0, 0);
    hipStream_t stream = make_stream();
    uintptr_t ptr = take(pool, 8 * MIB, stream);
    MUST(hipFreeAsync, pointer(ptr), stream);
    SAY("used", attribute(pool, USED));
    uintptr_t again = take(pool, 8 * MIB, stream);
    SAY("same", ptr == again);
    MUST(hipFreeAsync, pointer(again), stream);
    MUST(hipStreamSynchronize, stream);
    MUST(hipStreamDestroy, stream);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(trim_to_a_size, "hipMemPoolTrimTo") {
    hipMemPool_t pool = make_pool(0, 0);
    keep_memory(pool);
    uintptr_t a = take(pool, 64 * MIB, NULL), b = take(pool, 64 * MIB, NULL);
    MUST(hipFreeAsync, pointer(b), NULL);
    MUST(hipStreamSynchronize, NULL);
    ASK(hipMemPoolTrimTo, pool, SIZE_MAX);
    SAY("reserved_mib", attribute(pool, RESERVED) / MIB);
    ASK(hipMemPoolTrimTo, pool, 0);
    SAY("reserved_mib", attribute(pool, RESERVED) / MIB);
    MUST(hipFreeAsync, pointer(a), NULL);
    MUST(hipStreamSynchronize, NULL);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(peaks_can_be_reset_only, "hipMemPoolSetAttribute") {
    hipMemPool_t pool = make_pool(0, 0);
    unsigned long long one = 1, zero = 0;
    uintptr_t ptr = take(pool, MIB, NULL);
    MUST(hipFreeAsync, pointer(ptr), NULL);
    MUST(hipStreamSynchronize, NULL);
    SAY("high", attribute(pool, USED_HIGH));
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)USED_HIGH, &one);
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)USED, &zero);
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)RESERVED, &zero);
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)USED_HIGH, &zero);
    ASK(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)RESERVED_HIGH, &zero);
    SAY("high", attribute(pool, USED_HIGH));
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(reuse_without_rules, "hipMemPoolReuse...") {
    hipMemPool_t pool = make_pool(0, 0);
    hipStream_t s = make_stream(), t = make_stream();
    int gate;
    set_flags(pool, 0);
    keep_memory(pool);
    uintptr_t first = take(pool, 32 * MIB, s);
    close_gate(s, &gate);
    MUST(hipFreeAsync, pointer(first), s);
    uintptr_t second = take(pool, 32 * MIB, t);
    SAY("same", first == second);
    MUST(hipFreeAsync, pointer(second), t);
    open_gate(&gate);
    MUST0(hipDeviceSynchronize);
    MUST(hipStreamDestroy, s);
    MUST(hipStreamDestroy, t);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(reuse_behind_an_event, "hipMemPoolReuseFollowEventDependencies") {
    hipMemPool_t pool = make_pool(0, 0);
    hipStream_t s = make_stream(), t = make_stream();
    hipEvent_t event = make_event(hipEventDisableTiming);
    int gate, on = 1;
    set_flags(pool, 0);
    MUST(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)FOLLOW, &on);
    keep_memory(pool);
    uintptr_t first = take(pool, 32 * MIB, s);
    close_gate(s, &gate);
    MUST(hipFreeAsync, pointer(first), s);
    MUST(hipEventRecord, event, s);
    MUST(hipStreamWaitEvent, t, event, 0);
    uintptr_t second = take(pool, 32 * MIB, t);
    SAY("same", first == second);
    MUST(hipFreeAsync, pointer(second), t);
    open_gate(&gate);
    MUST0(hipDeviceSynchronize);
    MUST(hipEventDestroy, event);
    MUST(hipStreamDestroy, s);
    MUST(hipStreamDestroy, t);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(reuse_of_what_has_passed, "hipMemPoolReuseAllowOpportunistic") {
    hipMemPool_t pool = make_pool(0, 0);
    hipStream_t s = make_stream(), t = make_stream();
    int on = 1;
    set_flags(pool, 0);
    MUST(hipMemPoolSetAttribute, pool, (hipMemPoolAttr)OPPORTUNE, &on);
    keep_memory(pool);
    uintptr_t first = take(pool, 32 * MIB, s);
    MUST(hipFreeAsync, pointer(first), s);
    while (CALL(hipStreamQuery, s) == hipErrorNotReady) continue;
    uintptr_t second = take(pool, 32 * MIB, t);
    SAY("same", first == second);
    MUST(hipFreeAsync, pointer(second), t);
    MUST0(hipDeviceSynchronize);
    MUST(hipStreamDestroy, s);
    MUST(hipStreamDestroy, t);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(destroyed_default_pool, "hipMemPoolDestroy") {
    hipMemPool_t pool = NULL;
    MUST(hipDeviceGetDefaultMemPool, &pool, 0);
    ASK(hipMemPoolDestroy, pool);
    ASK(hipMemPoolDestroy, NULL);
}

QUESTION(destroyed_current_pool, "hipMemPoolDestroy") {
    hipMemPool_t own = make_pool(0, 0), initial = NULL, now = NULL;
    MUST(hipDeviceGetDefaultMemPool, &initial, 0);
    ASK(hipDeviceSetMemPool, 0, own);
    ASK(hipDeviceGetMemPool, &now, 0);
    SAY("own", now == own);
    ASK(hipMemPoolDestroy, own);
    ASK(hipDeviceGetMemPool, &now, 0);
    SAY("initial", now == initial);
}

QUESTION(destroyed_pool_with_blocks, "hipMemPoolDestroy") {
    hipMemPool_t pool = make_pool(0, 0);
    uintptr_t ptr = take(pool, MIB, NULL);
    ASK(hipMemPoolDestroy, pool);
    ASK(hipMemsetD8, pointer(ptr), 1, MIB);
    ASK(hipFreeAsync, pointer(ptr), NULL);
    MUST0(hipDeviceSynchronize);
}

QUESTION(current_pools_of_bad_devices, "hipDeviceGetMemPool") {
    hipMemPool_t pool = NULL;
    ASK(hipDeviceGetMemPool, &pool, 99);
    ASK(hipDeviceGetDefaultMemPool, &pool, 99);
    ASK(hipDeviceGetMemPool, NULL, 0);
    ASK(hipDeviceSetMemPool, 0, NULL);
    ASK(hipDeviceGetMemPool, (hipMemPool_t *)&pool, 99);
}

QUESTION(current_pool_at_first, "hipDeviceGetMemPool") {
    hipMemPool_t now = NULL, initial = NULL;
    hipMemPool_t of_runtime = NULL;
    MUST(hipDeviceGetMemPool, &now, 0);
    MUST(hipDeviceGetDefaultMemPool, &initial, 0);
    MUST(hipDeviceGetMemPool, &of_runtime, 0);
    SAY("initial", now == initial);
    SAY("of_runtime", (void *)of_runtime == (void *)now);
}

QUESTION(created_with_bad_properties, "hipMemPoolCreate") {
    hipMemPoolProps props = pool_props(0);
    hipMemPool_t pool = NULL;
    ASK(hipMemPoolCreate, NULL, &props);
    ASK(hipMemPoolCreate, &pool, NULL);
    props.allocType = (hipMemAllocationType)0;
    ASK(hipMemPoolCreate, &pool, &props);
    props = pool_props(0);
    props.location.id = 99;
    ASK(hipMemPoolCreate, &pool, &props);
    props.location.type = (hipMemLocationType)0;
    ASK(hipMemPoolCreate, &pool, &props);
    props = pool_props(0x40);
    ASK(hipMemPoolCreate, &pool, &props);
    SAY("null", pool == NULL);
}

QUESTION(created_on_the_host, "hipMemPoolCreate") {
    hipMemPoolProps props = pool_props(0);
    hipMemPool_t pool = NULL;
    props.location.type = hipMemLocationTypeHost;
    if (ASK(hipMemPoolCreate, &pool, &props) == 0) MUST(hipMemPoolDestroy, pool);
    props.location.type = hipMemLocationTypeHostNuma;
    if (ASK(hipMemPoolCreate, &pool, &props) == 0) MUST(hipMemPoolDestroy, pool);
}

QUESTION(a_limit, "hipMemPoolProps") {
    hipMemPool_t pool = make_pool(64 * MIB, 0);
    uintptr_t ptr = 7;
    ASK(hipMallocFromPoolAsync, (void **)&ptr, 128 * MIB, pool, NULL);
    SAY("unchanged", ptr == 7);
    if (ASK(hipMallocFromPoolAsync, (void **)&ptr, 32 * MIB, pool, NULL) == 0)
        MUST(hipFreeAsync, pointer(ptr), NULL);
    MUST(hipStreamSynchronize, NULL);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(a_small_limit, "hipMemPoolProps") {
    hipMemPool_t pool = make_pool(1, 0);
    uintptr_t ptr = 0;
    if (ASK(hipMallocFromPoolAsync, (void **)&ptr, 1, pool, NULL) == 0)
        MUST(hipFreeAsync, pointer(ptr), NULL);
    if (ASK(hipMallocFromPoolAsync, (void **)&ptr, MIB, pool, NULL) == 0)
        MUST(hipFreeAsync, pointer(ptr), NULL);
    MUST(hipStreamSynchronize, NULL);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(rights, "hipMemPoolGetAccess") {
    hipMemPool_t pool = make_pool(0, 0);
    hipMemLocation here = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc desc = rights_of(hipMemAccessFlagsProtNone);
    hipMemAccessFlags flags = (hipMemAccessFlags)77;
    ASK(hipMemPoolGetAccess, &flags, pool, &here);
    SAY("flags", flags);
    ASK(hipMemPoolSetAccess, pool, &desc, 1);
    desc.flags = hipMemAccessFlagsProtRead;
    ASK(hipMemPoolSetAccess, pool, &desc, 1);
    desc.flags = hipMemAccessFlagsProtReadWrite;
    ASK(hipMemPoolSetAccess, pool, &desc, 1);
    desc.location.id = 99;
    ASK(hipMemPoolSetAccess, pool, &desc, 1);
    here.id = 99;
    ASK(hipMemPoolGetAccess, &flags, pool, &here);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(exported_without_a_type, "hipMemPoolExportToShareableHandle") {
    hipMemPool_t pool = make_pool(0, 0), initial = NULL;
    int fd = -1;
    ASK(hipMemPoolExportToShareableHandle, &fd, pool, (hipMemAllocationHandleType)1, 0);
    MUST(hipDeviceGetDefaultMemPool, &initial, 0);
    ASK(hipMemPoolExportToShareableHandle, &fd, initial, (hipMemAllocationHandleType)1, 0);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(exported_as_a_descriptor, "hipMemPoolExportToShareableHandle") {
    hipMemPool_t pool = make_pool(0, 1);
    int fd = -1;
    ASK(hipMemPoolExportToShareableHandle, &fd, pool, (hipMemAllocationHandleType)1, 0);
    SAY("valid", fd >= 0);
    (void)close(fd);
    ASK(hipMemPoolExportToShareableHandle, &fd, pool, (hipMemAllocationHandleType)1, 1);
    ASK(hipMemPoolExportToShareableHandle, &fd, pool, (hipMemAllocationHandleType)8, 0);
    ASK(hipMemPoolExportToShareableHandle, NULL, pool, (hipMemAllocationHandleType)1, 0);
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(exported_pointers, "hipMemPoolExportPointer") {
    hipMemPool_t pool = make_pool(0, 1), other = make_pool(0, 0);
    hipMemPoolPtrExportData data;
    uintptr_t ptr = take(pool, MIB, NULL), plain = take(other, MIB, NULL), cuda = make_memory(MIB);
    ASK(hipMemPoolExportPointer, &data, pointer(ptr));
    ASK(hipMemPoolExportPointer, &data, pointer(ptr + 512));
    ASK(hipMemPoolExportPointer, &data, pointer(plain));
    ASK(hipMemPoolExportPointer, &data, pointer(cuda));
    ASK(hipMemPoolExportPointer, NULL, pointer(ptr));
    MUST(hipFree, pointer(cuda));
    MUST(hipFreeAsync, pointer(ptr), NULL);
    MUST(hipFreeAsync, pointer(plain), NULL);
    MUST(hipStreamSynchronize, NULL);
    MUST(hipMemPoolDestroy, pool);
    MUST(hipMemPoolDestroy, other);
}

QUESTION(free_bytes_count_what_is_reserved, "hipMemGetInfo") {
    hipMemPool_t pool = make_pool(0, 0);
    size_t before = free_bytes();
    uintptr_t ptr = take(pool, 64 * MIB, NULL);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    MUST(hipFreeAsync, pointer(ptr), NULL);
    MUST(hipStreamSynchronize, NULL);
    SAY("back", before == free_bytes());
    MUST(hipMemPoolDestroy, pool);
}

QUESTION(used_from_another_stream, "hipFreeAsync") {
    hipStream_t s = make_stream(), t = make_stream();
    uintptr_t ptr = 0;
    MUST(hipMallocAsync, (void **)&ptr, MIB, s);
    MUST(hipStreamSynchronize, s);
    ASK(hipMemsetD8Async, pointer(ptr), 1, MIB, t);
    ASK(hipFreeAsync, pointer(ptr), t);
    ASK(hipStreamSynchronize, t);
    MUST(hipStreamDestroy, s);
    MUST(hipStreamDestroy, t);
}

QUESTION(a_destroyed_stream, "hipMallocAsync") {
    hipStream_t stream = make_stream();
    uintptr_t ptr = 0;
    MUST(hipMallocAsync, (void **)&ptr, MIB, stream);
    ASK(hipStreamDestroy, stream);
    ASK(hipMemsetD8, pointer(ptr), 1, MIB);
    ASK(hipFreeAsync, pointer(ptr), NULL);
}
