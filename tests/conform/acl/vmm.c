// SPDX-License-Identifier: Apache-2.0
// Virtual memory, pools, and memory between two processes.
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "vmm"

// ---- granularity and reservations

QUESTION(granularities, "aclrtMemGetAllocationGranularity") {
    static const int attrs[] = {ACL_HBM_MEM_HUGE, ACL_HBM_MEM_NORMAL, ACL_HBM_MEM_HUGE1G,
                                ACL_DDR_MEM_HUGE, ACL_MEM_HUGE,       ACL_MEM_NORMAL};
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++) {
        aclrtPhysicalMemProp prop = props_of((aclrtMemAttr)attrs[i]);
        size_t bytes = 77;
        ASK(aclrtMemGetAllocationGranularity, &prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &bytes);
        SAY("bytes", bytes);
        ASK(aclrtMemGetAllocationGranularity, &prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
            &bytes);
        SAY("bytes", bytes);
    }
}

QUESTION(granularity_with_bad_arguments, "aclrtMemGetAllocationGranularity") {
    aclrtPhysicalMemProp prop = props_of(ACL_HBM_MEM_HUGE);
    size_t bytes = 77;
    ASK(aclrtMemGetAllocationGranularity, NULL, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &bytes);
    ASK(aclrtMemGetAllocationGranularity, &prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, NULL);
    ASK(aclrtMemGetAllocationGranularity, &prop, (aclrtMemGranularityOptions)9, &bytes);
    prop.location.id = 99;
    ASK(aclrtMemGetAllocationGranularity, &prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &bytes);
    prop = props_of((aclrtMemAttr)99);
    ASK(aclrtMemGetAllocationGranularity, &prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &bytes);
}

QUESTION(reserve_of_odd_sizes, "aclrtReserveMemAddress: rounded to 2 MiB") {
    static const size_t sizes[] = {0, 1,     512,   4096,     G - 1,
                                   G, G + 1, 3 * G, SIZE_MAX, (size_t)1 << 62};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *at = NULL;
        if (ASK(aclrtReserveMemAddress, &at, sizes[i], 0, NULL, 0) == 0) {
            SAY("not_of_2m", (uintptr_t)at % G);
            MUST(aclrtReleaseMemAddress, at);
        }
    }
}

QUESTION(reserve_with_bad_arguments, "aclrtReserveMemAddress") {
    void *at = &at;
    ASK(aclrtReserveMemAddress, NULL, G, 0, NULL, 0);
    ASK(aclrtReserveMemAddress, &at, G, 4096, NULL, 0);
    ASK(aclrtReserveMemAddress, &at, G, G, NULL, 0);
    ASK(aclrtReserveMemAddress, &at, G, 0, NULL, 2);
    SAY("unchanged", at == (void *)&at);
}

QUESTION(reserve_with_flag_1, "aclrtReserveMemAddress: 1 selects huge pages") {
    void *at = NULL;
    if (ASK(aclrtReserveMemAddress, &at, G, 0, NULL, 1) == 0) MUST(aclrtReleaseMemAddress, at);
}

QUESTION(reserve_of_large_ranges, "aclrtReserveMemAddress: aligned to 1 GiB") {
    char *at = make_range(GIB + 1);
    SAY("of_1g", (uintptr_t)at % GIB == 0);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(reserve_at_an_address, "aclrtReserveMemAddress: expectPtr") {
    char *range = make_range(4 * GIB);
    void *at = NULL, *other = NULL;
    MUST(aclrtReleaseMemAddress, range);
    ASK(aclrtReserveMemAddress, &at, G, 0, range + G, 0);
    SAY("same", at == range + G);
    ASK(aclrtReserveMemAddress, &other, G, 0, range + G, 0);
    SAY("same", other == at);
    if (other != NULL) MUST(aclrtReleaseMemAddress, other);
    MUST(aclrtReleaseMemAddress, at);
    if (ASK(aclrtReserveMemAddress, &at, G, 0, range + MIB, 0) == 0)
        MUST(aclrtReleaseMemAddress, at);
    if (ASK(aclrtReserveMemAddress, &at, 2 * GIB, 0, range + GIB / 2, 0) == 0)
        MUST(aclrtReleaseMemAddress, at);
}

QUESTION(reserve_by_the_second_function, "aclrtReserveMemAddressNoUCMemory") {
    void *at = NULL;
    if (ASK(aclrtReserveMemAddressNoUCMemory, &at, G, 0, NULL, 0) == 0)
        MUST(aclrtReleaseMemAddress, at);
    ASK(aclrtReserveMemAddressNoUCMemory, NULL, G, 0, NULL, 0);
    ASK(aclrtReserveMemAddressNoUCMemory, &at, 0, 0, NULL, 0);
}

QUESTION(released_badly, "aclrtReleaseMemAddress") {
    char *at = make_range(2 * G);
    int local = 0;
    ASK(aclrtReleaseMemAddress, NULL);
    ASK(aclrtReleaseMemAddress, at + G);
    ASK(aclrtReleaseMemAddress, &local);
    ASK(aclrtReleaseMemAddress, at);
    ASK(aclrtReleaseMemAddress, at);
}

QUESTION(released_while_mapped, "aclrtReleaseMemAddress") {
    char *at = make_range(2 * G);
    map_memory(at, G);
    ASK(aclrtReleaseMemAddress, at);
    ASK(aclrtMemset, at, G, 1, G);
    end_range(at);
}

// ---- physical memory

#define PHYSICAL(name, attr)                                                                       \
    QUESTION(physical_##name, "aclrtMallocPhysical") {                                             \
        static const size_t sizes[] = {0, 1, 4096, G - 4096, G, 3 * G, GIB};                       \
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {                                \
            aclrtPhysicalMemProp prop = props_of((aclrtMemAttr)(attr));                            \
            aclrtDrvMemHandle handle = NULL;                                                       \
            size_t before = free_bytes();                                                          \
            if (ASK(aclrtMallocPhysical, &handle, sizes[i], &prop, 0) != 0) continue;              \
            SAY("kib", (before - free_bytes()) / KIB);                                             \
            MUST(aclrtFreePhysical, handle);                                                       \
        }                                                                                          \
    }
PHYSICAL(hbm_huge, ACL_HBM_MEM_HUGE)
PHYSICAL(hbm_normal, ACL_HBM_MEM_NORMAL)
PHYSICAL(hbm_giant, ACL_HBM_MEM_HUGE1G)
PHYSICAL(hbm, ACL_HBM_MEM)
PHYSICAL(ddr_huge, ACL_DDR_MEM_HUGE)
PHYSICAL(huge, ACL_MEM_HUGE)
PHYSICAL(normal, ACL_MEM_NORMAL)
PHYSICAL(p2p_huge, ACL_MEM_P2P_HUGE)
PHYSICAL(unknown, 99)

QUESTION(physical_with_bad_arguments, "aclrtMallocPhysical") {
    aclrtPhysicalMemProp prop = props_of(ACL_HBM_MEM_HUGE);
    aclrtDrvMemHandle handle = NULL;
    ASK(aclrtMallocPhysical, NULL, G, &prop, 0);
    ASK(aclrtMallocPhysical, &handle, G, NULL, 0);
    ASK(aclrtMallocPhysical, &handle, G, &prop, 1);
    prop.location.id = 99;
    ASK(aclrtMallocPhysical, &handle, G, &prop, 0);
    prop = props_of(ACL_HBM_MEM_HUGE);
    prop.location.type = (aclrtMemLocationType)9;
    ASK(aclrtMallocPhysical, &handle, G, &prop, 0);
    prop = props_of(ACL_HBM_MEM_HUGE);
    prop.allocationType = (aclrtMemAllocationType)9;
    ASK(aclrtMallocPhysical, &handle, G, &prop, 0);
    prop = props_of(ACL_HBM_MEM_HUGE);
    prop.handleType = (aclrtMemHandleType)9;
    ASK(aclrtMallocPhysical, &handle, G, &prop, 0);
    SAY("null", handle == NULL);
}

QUESTION(physical_of_too_much, "aclrtMallocPhysical: 207001") {
    aclrtPhysicalMemProp prop = props_of(ACL_HBM_MEM_HUGE);
    aclrtDrvMemHandle handle = NULL;
    size_t left = 0, all = 0;
    MUST(aclrtGetMemInfo, ACL_HBM_MEM, &left, &all);
    ASK(aclrtMallocPhysical, &handle, (all + GIB) / G * G, &prop, 0);
    ASK(aclrtMallocPhysical, &handle, SIZE_MAX / G * G, &prop, 0);
    SAY("same_free", left == free_bytes());
}

QUESTION(physical_of_the_host, "ACL_MEM_LOCATION_TYPE_HOST") {
    aclrtPhysicalMemProp prop = props_of(ACL_DDR_MEM_HUGE);
    aclrtDrvMemHandle handle = NULL;
    prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    if (ASK(aclrtMallocPhysical, &handle, G, &prop, 0) == 0) MUST(aclrtFreePhysical, handle);
    prop.location.type = ACL_MEM_LOCATION_TYPE_HOST_NUMA;
    if (ASK(aclrtMallocPhysical, &handle, G, &prop, 0) == 0) MUST(aclrtFreePhysical, handle);
}

QUESTION(physical_freed_twice, "aclrtFreePhysical") {
    aclrtDrvMemHandle handle = make_handle(G);
    ASK(aclrtFreePhysical, NULL);
    ASK(aclrtFreePhysical, handle);
    ASK(aclrtFreePhysical, handle);
}

QUESTION(properties_come_back, "aclrtMemGetAllocationPropertiesFromHandle") {
    aclrtDrvMemHandle handle = make_handle(G);
    aclrtPhysicalMemProp prop;
    memset(&prop, 0xee, sizeof prop);
    if (ASK(aclrtMemGetAllocationPropertiesFromHandle, handle, &prop) == 0) {
        SAY("handle", prop.handleType);
        SAY("type", prop.allocationType);
        SAY("attr", prop.memAttr);
        SAY("location", prop.location.type);
        SAY("id", prop.location.id);
    }
    ASK(aclrtMemGetAllocationPropertiesFromHandle, handle, NULL);
    ASK(aclrtMemGetAllocationPropertiesFromHandle, NULL, &prop);
    MUST(aclrtFreePhysical, handle);
}

// ---- mappings

QUESTION(map_with_bad_arguments, "aclrtMapMem") {
    char *at = make_range(2 * G);
    aclrtDrvMemHandle handle = make_handle(G);
    ASK(aclrtMapMem, NULL, G, 0, handle, 0);
    ASK(aclrtMapMem, at, G, 0, NULL, 0);
    ASK(aclrtMapMem, at, 0, 0, handle, 0);
    ASK(aclrtMapMem, at, G, G, handle, 0);
    ASK(aclrtMapMem, at, G, 0, handle, 1);
    ASK(aclrtMapMem, at, G, G, handle, 1);
    MUST(aclrtFreePhysical, handle);
    ASK(aclrtMapMem, at, G, 0, handle, 0);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(map_at_bad_places, "aclrtMapMem: 507899") {
    char *at = make_range(2 * G);
    aclrtDrvMemHandle handle = make_handle(2 * G);
    ASK(aclrtMapMem, at + 4096, 2 * G, 0, handle, 0);
    ASK(aclrtMapMem, at + G, 2 * G, 0, handle, 0);
    ASK(aclrtMapMem, at, G, 0, handle, 0);
    ASK(aclrtMapMem, at, 3 * G, 0, handle, 0);
    ASK(aclrtMapMem, (void *)G, 2 * G, 0, handle, 0);
    MUST(aclrtFreePhysical, handle);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(map_over_a_mapping, "aclrtMapMem") {
    char *at = make_range(4 * G);
    aclrtDrvMemHandle handle = make_handle(2 * G);
    ASK(aclrtMapMem, at + G, 2 * G, 0, handle, 0);
    ASK(aclrtMapMem, at + G, 2 * G, 0, handle, 0);
    ASK(aclrtMapMem, at, 2 * G, 0, handle, 0);
    ASK(aclrtMapMem, at + 2 * G, 2 * G, 0, handle, 0);
    MUST(aclrtFreePhysical, handle);
    MUST(aclrtUnmapMem, at + G);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(map_twice, "aclrtMapMem: aliases") {
    char *at = make_range(2 * G);
    unsigned char byte = 0;
    aclrtDrvMemHandle handle = make_handle(G);
    ASK(aclrtMapMem, at, G, 0, handle, 0);
    ASK(aclrtMapMem, at + G, G, 0, handle, 0);
    MUST(aclrtFreePhysical, handle);
    MUST(aclrtMemset, at, G, 42, G);
    MUST(aclrtMemcpy, &byte, 1, at + G + 5, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    SAY("byte", byte);
    MUST(aclrtUnmapMem, at);
    MUST(aclrtUnmapMem, at + G);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(unmapped_badly, "aclrtUnmapMem: the start of a mapping") {
    char *at = make_range(4 * G);
    map_memory(at, 2 * G);
    ASK(aclrtUnmapMem, NULL);
    ASK(aclrtUnmapMem, at + G);
    ASK(aclrtUnmapMem, at + 2 * G);
    ASK(aclrtUnmapMem, &at);
    ASK(aclrtUnmapMem, at);
    ASK(aclrtUnmapMem, at);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(capacity, "aclrtGetMemInfo") {
    size_t before = free_bytes();
    char *at = make_range(8 * G);
    SAY("reserved_mib", (before - free_bytes()) / MIB);
    aclrtDrvMemHandle handle = make_handle(8 * G);
    SAY("created_mib", (before - free_bytes()) / MIB);
    MUST(aclrtMapMem, at, 8 * G, 0, handle, 0);
    SAY("mapped_mib", (before - free_bytes()) / MIB);
    MUST(aclrtFreePhysical, handle);
    SAY("freed_mib", (before - free_bytes()) / MIB);
    MUST(aclrtUnmapMem, at);
    SAY("unmapped_mib", (before - free_bytes()) / MIB);
    MUST(aclrtReleaseMemAddress, at);
}

QUESTION(addresses_without_memory, "aclrtMemset") {
    char *at = make_range(2 * G);
    ASK(aclrtMemset, at, G, 1, G);
    map_memory(at, G);
    ASK(aclrtMemset, at, G, 1, G);
    ASK(aclrtMemset, at, 2 * G, 1, 2 * G);
    ASK(aclrtFree, at);
    end_range(at);
}

QUESTION(retained_handles, "aclrtMemRetainAllocationHandle") {
    char *at = make_range(2 * G);
    aclrtDrvMemHandle handle = make_handle(G), again = NULL;
    MUST(aclrtMapMem, at, G, 0, handle, 0);
    ASK(aclrtMemRetainAllocationHandle, at, &again);
    SAY("same", again == handle);
    ASK(aclrtMemRetainAllocationHandle, at + 512, &again);
    ASK(aclrtMemRetainAllocationHandle, at + G, &again);
    ASK(aclrtMemRetainAllocationHandle, NULL, &again);
    ASK(aclrtMemRetainAllocationHandle, at, NULL);
    end_range(at);
    ASK(aclrtFreePhysical, handle);
    ASK(aclrtFreePhysical, handle);
    CALL(aclrtFreePhysical, handle);
}

QUESTION(rights, "aclrtMemGetAccess") {
    char *at = make_range(2 * G);
    aclrtMemLocation device = {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                     host = {0, ACL_MEM_LOCATION_TYPE_HOST};
    uint64_t flags = 77;
    map_memory(at, G);
    ASK(aclrtMemGetAccess, at, &device, &flags);
    SAY("device", flags);
    ASK(aclrtMemGetAccess, at, &host, &flags);
    SAY("host", flags);
    ASK(aclrtMemGetAccess, at + G, &device, &flags);
    ASK(aclrtMemGetAccess, NULL, &device, &flags);
    ASK(aclrtMemGetAccess, at, NULL, &flags);
    ASK(aclrtMemGetAccess, at, &device, NULL);
    device.id = 99;
    ASK(aclrtMemGetAccess, at, &device, &flags);
    end_range(at);
}

QUESTION(rights_are_set, "aclrtMemSetAccess") {
    char *at = make_range(2 * G);
    aclrtMemAccessDesc desc;
    memset(&desc, 0, sizeof desc);
    desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    desc.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    map_memory(at, 2 * G);
    ASK(aclrtMemSetAccess, at, 2 * G, &desc, 1);
    ASK(aclrtMemSetAccess, at, G, &desc, 1);
    ASK(aclrtMemSetAccess, at + G, G, &desc, 1);
    ASK(aclrtMemSetAccess, NULL, G, &desc, 1);
    ASK(aclrtMemSetAccess, at, 0, &desc, 1);
    ASK(aclrtMemSetAccess, at, 2 * G, NULL, 1);
    ASK(aclrtMemSetAccess, at, 2 * G, &desc, 0);
    desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READ;
    ASK(aclrtMemSetAccess, at, 2 * G, &desc, 1);
    desc.flags = ACL_RT_MEM_ACCESS_FLAGS_NONE;
    ASK(aclrtMemSetAccess, at, 2 * G, &desc, 1);
    desc.flags = (aclrtMemAccessFlags)2;
    ASK(aclrtMemSetAccess, at, 2 * G, &desc, 1);
    desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    desc.location.id = 99;
    ASK(aclrtMemSetAccess, at, 2 * G, &desc, 1);
    end_range(at);
}

QUESTION(mapped_without_rights, "aclrtMemMapNoAccess") {
    char *at = make_range(G);
    aclrtMemLocation device = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    aclrtDrvMemHandle handle = make_handle(G);
    uint64_t flags = 77;
    if (ASK(aclrtMemMapNoAccess, at, G, 0, handle, 0) == 0) {
        ASK(aclrtMemGetAccess, at, &device, &flags);
        SAY("flags", flags);
        ASK(aclrtMemset, at, G, 1, G);
        MUST(aclrtUnmapMem, at);
    }
    MUST(aclrtFreePhysical, handle);
    MUST(aclrtReleaseMemAddress, at);
}

// ---- pools

static aclrtMemPool make_pool(size_t limit) {
    aclrtMemPoolProps props;
    aclrtMemPool pool = NULL;
    memset(&props, 0, sizeof props);
    props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    props.maxSize = limit;
    MUST(aclrtMemPoolCreate, &pool, &props);
    return pool;
}

static unsigned long long attribute(aclrtMemPool pool, int which) {
    uint64_t value = 0;
    MUST(aclrtMemPoolGetAttr, pool, (aclrtMemPoolAttr)which, &value);
    return (unsigned long long)value;
}

QUESTION(a_fresh_pool, "aclrtMemPoolGetAttr") {
    aclrtMemPool pool = make_pool(0);
    for (int which = 1; which <= 3; which++) {
        int32_t flag = 77;
        ASK(aclrtMemPoolGetAttr, pool, (aclrtMemPoolAttr)which, &flag);
        SAY("flag", flag);
    }
    for (int which = 4; which <= 8; which++) SAY("value", attribute(pool, which));
    ASK(aclrtMemPoolGetAttr, pool, (aclrtMemPoolAttr)99, &(uint64_t){0});
    ASK(aclrtMemPoolGetAttr, pool, (aclrtMemPoolAttr)4, NULL);
    ASK(aclrtMemPoolDestroy, pool);
    ASK(aclrtMemPoolDestroy, NULL);
}

QUESTION(blocks_of_a_pool, "aclrtMemPoolMallocAsync") {
    aclrtMemPool pool = make_pool(0);
    aclrtStream stream = make_stream();
    void *ptr = NULL;
    ASK(aclrtMemPoolMallocAsync, &ptr, MIB, pool, stream);
    SAY("used", attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT));
    ASK(aclrtMemPoolFreeAsync, ptr, stream);
    ASK(aclrtMemPoolFreeAsync, ptr, stream);
    MUST(aclrtSynchronizeStream, stream);
    SAY("used", attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT));
    SAY("reserved", attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT));
    ASK(aclrtMemPoolMallocAsync, &ptr, 0, pool, stream);
    ASK(aclrtMemPoolMallocAsync, NULL, MIB, pool, stream);
    ASK(aclrtMemPoolMallocAsync, &ptr, MIB, NULL, stream);
    ASK(aclrtMemPoolFreeAsync, NULL, stream);
    ASK(aclrtMemPoolFreeAsync, &ptr, stream);
    ASK(aclrtMemPoolTrimTo, pool, 0);
    MUST(aclrtDestroyStream, stream);
    ASK(aclrtMemPoolDestroy, pool);
}

QUESTION(the_limit_of_a_pool, "aclrtMemPoolProps: maxSize") {
    aclrtMemPool pool = make_pool(64 * MIB);
    void *ptr = NULL;
    ASK(aclrtMemPoolMallocAsync, &ptr, 128 * MIB, pool, NULL);
    if (ASK(aclrtMemPoolMallocAsync, &ptr, 32 * MIB, pool, NULL) == 0)
        MUST(aclrtMemPoolFreeAsync, ptr, NULL);
    MUST(aclrtSynchronizeStream, NULL);
    MUST(aclrtMemPoolDestroy, pool);
}

QUESTION(bad_pools, "aclrtMemPoolCreate") {
    aclrtMemPoolProps props;
    aclrtMemPool pool = NULL;
    memset(&props, 0, sizeof props);
    props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    ASK(aclrtMemPoolCreate, NULL, &props);
    ASK(aclrtMemPoolCreate, &pool, NULL);
    props.location.id = 99;
    ASK(aclrtMemPoolCreate, &pool, &props);
    props.location.id = 0;
    props.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    ASK(aclrtMemPoolCreate, &pool, &props);
    props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    props.allocType = (aclrtMemAllocationType)9;
    ASK(aclrtMemPoolCreate, &pool, &props);
    SAY("null", pool == NULL);
}

QUESTION(pooled_memory_freed_as_plain, "aclrtFree") {
    aclrtMemPool pool = make_pool(0);
    void *ptr = NULL;
    MUST(aclrtMemPoolMallocAsync, &ptr, MIB, pool, NULL);
    MUST(aclrtSynchronizeStream, NULL);
    if (ASK(aclrtFree, ptr) != 0) MUST(aclrtMemPoolFreeAsync, ptr, NULL);
    MUST(aclrtSynchronizeStream, NULL);
    MUST(aclrtMemPoolDestroy, pool);
}

// ---- two processes

struct exported {
    char key[65];
    int32_t parent;
};

static void import_key(const void *data, int file) {
    struct exported exported;
    void *ptr = NULL;
    unsigned char byte = 0;
    (void)file;
    memcpy(&exported, data, sizeof exported);
    if (ASK(aclrtIpcMemImportByKey, &ptr, exported.key, 0) != 0) return;
    ASK(aclrtMemcpy, &byte, 1, ptr, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    SAY("byte", byte);
    ASK(aclrtMemset, (char *)ptr + 1, 1, 42, 1);
    ASK(aclrtFree, ptr);
    ASK(aclrtIpcMemClose, exported.key);
    ASK(aclrtIpcMemClose, exported.key);
}

QUESTION(keys_for_all, "aclrtIpcMemGetExportKey") {
    struct exported exported = {"", 0};
    unsigned char byte = 0;
    char *ptr = make_memory(4 * MIB);
    MUST(aclrtMemset, ptr, 64, 5, 64);
    ASK(aclrtIpcMemGetExportKey, ptr, 4 * MIB, exported.key, 65,
        ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    tn_in_peer(import_key, &exported, sizeof exported, -1);
    MUST(aclrtMemcpy, &byte, 1, ptr + 1, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    SAY("byte", byte);
    ASK(aclrtIpcMemClose, exported.key);
    ASK(aclrtFree, ptr);
}

QUESTION(keys_for_listed_processes, "aclrtIpcMemSetImportPid") {
    struct exported exported = {"", 0};
    char *ptr = make_memory(4 * MIB);
    ASK(aclrtIpcMemGetExportKey, ptr, 4 * MIB, exported.key, 65, 0);
    tn_in_peer(import_key, &exported, sizeof exported, -1);
    CALL(aclrtIpcMemClose, exported.key);
    MUST(aclrtFree, ptr);
}

QUESTION(keys_of_bad_memory, "aclrtIpcMemGetExportKey") {
    char key[65] = "", *ptr = make_memory(MIB);
    int local = 0;
    ASK(aclrtIpcMemGetExportKey, NULL, 1, key, 65, 0);
    ASK(aclrtIpcMemGetExportKey, ptr, 0, key, 65, 0);
    ASK(aclrtIpcMemGetExportKey, ptr, 1, NULL, 65, 0);
    ASK(aclrtIpcMemGetExportKey, ptr, 1, key, 64, 0);
    ASK(aclrtIpcMemGetExportKey, ptr, 1, key, 65, 2);
    ASK(aclrtIpcMemGetExportKey, ptr + 64, 1, key, 65, 0);
    ASK(aclrtIpcMemGetExportKey, ptr, 64 * MIB, key, 65, 0);
    ASK(aclrtIpcMemGetExportKey, &local, 1, key, 65, 0);
    MUST(aclrtFree, ptr);
}

QUESTION(bad_keys, "aclrtIpcMemImportByKey") {
    char key[65] = "", *ptr = make_memory(MIB);
    int32_t pid = 1;
    void *got = NULL;
    MUST(aclrtIpcMemGetExportKey, ptr, MIB, key, 65, 1);
    ASK(aclrtIpcMemImportByKey, &got, key, 0);
    ASK(aclrtIpcMemImportByKey, NULL, key, 0);
    ASK(aclrtIpcMemImportByKey, &got, NULL, 0);
    ASK(aclrtIpcMemImportByKey, &got, "", 0);
    ASK(aclrtIpcMemImportByKey, &got, "nonsense", 0);
    ASK(aclrtIpcMemImportByKey, &got, key, 2);
    ASK(aclrtIpcMemSetImportPid, NULL, &pid, 1);
    ASK(aclrtIpcMemSetImportPid, key, NULL, 1);
    ASK(aclrtIpcMemSetImportPid, key, &pid, 0);
    ASK(aclrtIpcMemSetImportPid, "nonsense", &pid, 1);
    ASK(aclrtIpcMemClose, NULL);
    ASK(aclrtIpcMemClose, "nonsense");
    MUST(aclrtFree, ptr);
}

QUESTION(handles_are_exported, "aclrtMemExportToShareableHandle") {
    aclrtDrvMemHandle handle = make_handle(G), got = NULL;
    uint64_t shareable = 0;
    int32_t pid = 1;
    ASK(aclrtMemExportToShareableHandle, handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &shareable);
    ASK(aclrtMemExportToShareableHandle, NULL, ACL_MEM_HANDLE_TYPE_NONE, 0, &shareable);
    ASK(aclrtMemExportToShareableHandle, handle, ACL_MEM_HANDLE_TYPE_NONE, 0, NULL);
    ASK(aclrtMemExportToShareableHandle, handle, (aclrtMemHandleType)9, 0, &shareable);
    ASK(aclrtMemSetPidToShareableHandle, shareable, &pid, 1);
    ASK(aclrtMemSetPidToShareableHandle, shareable, NULL, 1);
    ASK(aclrtMemSetPidToShareableHandle, shareable, &pid, 0);
    ASK(aclrtMemImportFromShareableHandle, shareable, 99, &got);
    ASK(aclrtMemImportFromShareableHandle, shareable, 0, NULL);
    MUST(aclrtFreePhysical, handle);
}
