// SPDX-License-Identifier: Apache-2.0
// Devices: ordinals, identity, attributes, properties, limits, preferences and peers.
#include "begin.h"

#define TN_GROUP "device"

static int count_devices(void) {
    int count = 0;
    MUST(cuDeviceGetCount, &count);
    return count;
}

QUESTION(ordinals_out_of_range, "cuDeviceGet") {
    CUdevice device = 7;
    int count = count_devices();
    ASK(cuDeviceGet, &device, count);
    ASK(cuDeviceGet, &device, -1);
    SAY("unchanged", device == 7);
    ASK(cuDeviceGet, NULL, 0);
    ASK(cuDeviceGet, NULL, -1);
    ASK(cuDeviceGet, &device, 0);
    SAY("device", device);
}

QUESTION(counts_to_null, "cuDeviceGetCount") {
    ASK(cuDeviceGetCount, NULL);
    ASK(cudaGetDeviceCount, NULL);
    ASK0(cudaGetLastError);
}

QUESTION(set_device_out_of_range, "cudaSetDevice") {
    int device = 7, count = count_devices();
    ASK(cudaSetDevice, count);
    ASK(cudaSetDevice, -1);
    ASK(cudaGetDevice, &device);
    SAY("device", device);
    ASK(cudaGetDevice, NULL);
}

QUESTION(names_are_cut, "cuDeviceGetName: at most len bytes with the end") {
    char name[64];
    memset(name, 'x', sizeof name);
    ASK(cuDeviceGetName, name, 5, 0);
    SAY("length", memchr(name, 0, sizeof name) != NULL ? (long long)strlen(name) : -1);
    ASK(cuDeviceGetName, name, 1, 0);
    SAY("end", name[0] == 0);
    ASK(cuDeviceGetName, name, 64, 99);
    ASK(cuDeviceGetName, name, 0, 0);
    ASK(cuDeviceGetName, name, -1, 0);
}

QUESTION(names_to_null, "cuDeviceGetName") { ASK(cuDeviceGetName, NULL, 64, 0); }

QUESTION(bus_ids, "cuDeviceGetPCIBusId") {
    char bus[2][32] = {"", ""};
    int found = -1;
    ASK(cuDeviceGetPCIBusId, bus[0], 32, 0);
    ASK(cudaDeviceGetPCIBusId, bus[1], 32, 0);
    SAY("same", strcmp(bus[0], bus[1]) == 0);
    SAY("length", strlen(bus[0]));
    ASK(cuDeviceGetByPCIBusId, &found, bus[0]);
    SAY("found", found);
    ASK(cudaDeviceGetByPCIBusId, &found, bus[0]);
}

QUESTION(bus_ids_that_do_not_exist, "cuDeviceGetByPCIBusId") {
    int found = -1;
    ASK(cuDeviceGetByPCIBusId, &found, "ffff:ff:1f.0");
    ASK(cuDeviceGetByPCIBusId, &found, "nonsense");
    ASK(cudaDeviceGetByPCIBusId, &found, "nonsense");
}

QUESTION(bus_ids_in_short_buffers, "cuDeviceGetPCIBusId") {
    char bus[32] = "";
    ASK(cuDeviceGetPCIBusId, bus, 13, 0);
    ASK(cuDeviceGetPCIBusId, bus, 12, 0);
    ASK(cuDeviceGetPCIBusId, bus, 5, 0);
    ASK(cuDeviceGetPCIBusId, bus, 0, 0);
}

QUESTION(bus_ids_to_null, "cuDeviceGetPCIBusId") {
    ASK(cuDeviceGetByPCIBusId, NULL, "0000:00:00.0");
    ASK(cuDeviceGetPCIBusId, NULL, 16, 0);
}

QUESTION(uuids, "cuDeviceGetUuid_v2") {
    CUuuid uuid = {{0}};
    struct cudaDeviceProp prop = {0};
    ASK(cuDeviceGetUuid, &uuid, 0);
    MUST(cudaGetDeviceProperties, &prop, 0);
    SAY("same", memcmp(&uuid, &prop.uuid, sizeof uuid) == 0);
    ASK(cuDeviceGetUuid, &uuid, 99);
}

QUESTION(uuids_to_null, "cuDeviceGetUuid_v2") { ASK(cuDeviceGetUuid, NULL, 0); }

QUESTION(properties_are_those_of_the_driver, "cudaGetDeviceProperties") {
    struct cudaDeviceProp prop;
    char name[256] = "";
    size_t bytes = 0;
    if (ASK(cudaGetDeviceProperties, &prop, 0) != 0) return;
    MUST(cuDeviceGetName, name, 256, 0);
    MUST(cuDeviceTotalMem, &bytes, 0);
    SAY("name", strcmp(prop.name, name) == 0);
    SAY("memory", prop.totalGlobalMem == bytes);
    SAY("pitch", prop.memPitch);
    SAY("texture_alignment", prop.textureAlignment);
    SAY("texture_pitch_alignment", prop.texturePitchAlignment);
    SAY("warp", prop.warpSize);
    SAY("unified", prop.unifiedAddressing);
    SAY("managed", prop.managedMemory);
    SAY("pools", prop.memoryPoolsSupported);
    SAY("pool_handles", prop.memoryPoolSupportedHandleTypes);
    SAY("register", prop.hostRegisterSupported);
    SAY("map_host", prop.canMapHostMemory);
}

QUESTION(properties_to_null, "cudaGetDeviceProperties") {
    struct cudaDeviceProp prop;
    ASK(cudaGetDeviceProperties, NULL, 0);
    ASK(cudaGetDeviceProperties, &prop, 99);
    ASK(cudaGetDeviceProperties, &prop, -1);
    ASK0(cudaGetLastError);
}

#define ATTRIBUTE(name, value)                                                                     \
    QUESTION(attribute_##name, "cuDeviceGetAttribute") {                                           \
        int of_driver = -77, of_runtime = -78;                                                     \
        ASK(cuDeviceGetAttribute, &of_driver, (CUdevice_attribute)(value), 0);                     \
        SAY("value", of_driver);                                                                   \
        ASK(cudaDeviceGetAttribute, &of_runtime, (enum cudaDeviceAttr)(value), 0);                 \
        SAY("value", of_runtime);                                                                  \
    }
ATTRIBUTE(max_threads_per_block, 1)
ATTRIBUTE(max_block_dim_x, 2)
ATTRIBUTE(max_block_dim_z, 4)
ATTRIBUTE(max_grid_dim_x, 5)
ATTRIBUTE(max_grid_dim_y, 6)
ATTRIBUTE(shared_memory_per_block, 8)
ATTRIBUTE(constant_memory, 9)
ATTRIBUTE(warp_size, 10)
ATTRIBUTE(max_pitch, 11)
ATTRIBUTE(registers_per_block, 12)
ATTRIBUTE(texture_alignment, 14)
ATTRIBUTE(gpu_overlap, 15)
ATTRIBUTE(integrated, 18)
ATTRIBUTE(can_map_host_memory, 19)
ATTRIBUTE(compute_mode, 20)
ATTRIBUTE(concurrent_kernels, 31)
ATTRIBUTE(unified_addressing, 41)
ATTRIBUTE(texture_pitch_alignment, 51)
ATTRIBUTE(capability_major, 75)
ATTRIBUTE(capability_minor, 76)
ATTRIBUTE(stream_priorities, 78)
ATTRIBUTE(managed_memory, 83)
ATTRIBUTE(pageable_memory_access, 88)
ATTRIBUTE(concurrent_managed_access, 89)
ATTRIBUTE(compute_preemption, 90)
ATTRIBUTE(host_pointer_for_registered, 91)
ATTRIBUTE(stream_mem_ops_v1, 92)
ATTRIBUTE(stream_wait_value_64, 93)
ATTRIBUTE(stream_wait_nor, 94)
ATTRIBUTE(cooperative_launch, 95)
ATTRIBUTE(flush_remote_writes, 98)
ATTRIBUTE(host_register, 99)
ATTRIBUTE(pageable_by_host_tables, 100)
ATTRIBUTE(direct_managed_access_from_host, 101)
ATTRIBUTE(virtual_memory, 102)
ATTRIBUTE(handle_posix_fd, 103)
ATTRIBUTE(handle_win32, 104)
ATTRIBUTE(generic_compression, 107)
ATTRIBUTE(direct_rdma_with_vmm, 110)
ATTRIBUTE(sparse_arrays, 112)
ATTRIBUTE(read_only_register, 113)
ATTRIBUTE(memory_pools, 115)
ATTRIBUTE(direct_rdma, 116)
ATTRIBUTE(pool_handle_types, 119)
ATTRIBUTE(deferred_arrays, 121)
ATTRIBUTE(mem_ops_v2, 122)
ATTRIBUTE(dma_buf, 124)
ATTRIBUTE(ipc_event, 125)
ATTRIBUTE(handle_fabric, 128)
ATTRIBUTE(unified_function_pointers, 129)
ATTRIBUTE(numa_config, 130)
ATTRIBUTE(numa_id, 131)
ATTRIBUTE(multicast, 132)
ATTRIBUTE(host_numa_id, 134)
ATTRIBUTE(mig_mode, 142)
ATTRIBUTE(host_numa_virtual_memory, 141)

QUESTION(attributes_that_do_not_exist, "cuDeviceGetAttribute") {
    int value = 7;
    ASK(cuDeviceGetAttribute, &value, (CUdevice_attribute)0, 0);
    ASK(cuDeviceGetAttribute, &value, (CUdevice_attribute)-1, 0);
    ASK(cuDeviceGetAttribute, &value, (CUdevice_attribute)1000, 0);
    ASK(cudaDeviceGetAttribute, &value, (enum cudaDeviceAttr)0, 0);
    ASK(cudaDeviceGetAttribute, &value, (enum cudaDeviceAttr)1000, 0);
    SAY("value", value);
}

QUESTION(attributes_of_no_device, "cuDeviceGetAttribute: order of checks") {
    int value = 7;
    ASK(cuDeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99);
    ASK(cuDeviceGetAttribute, &value, (CUdevice_attribute)1000, 99);
    ASK(cuDeviceGetAttribute, NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
    ASK(cuDeviceGetAttribute, NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99);
    ASK(cudaDeviceGetAttribute, &value, cudaDevAttrWarpSize, -1);
    ASK(cudaDeviceGetAttribute, NULL, cudaDevAttrWarpSize, 0);
}

QUESTION(choices, "cudaChooseDevice") {
    struct cudaDeviceProp wish;
    int device = -1;
    memset(&wish, 0, sizeof wish);
    wish.major = 99;
    ASK(cudaChooseDevice, &device, &wish);
    SAY("device", device);
    ASK(cudaChooseDevice, NULL, &wish);
    ASK(cudaChooseDevice, &device, NULL);
}

QUESTION(flags_are_kept, "cudaSetDeviceFlags") {
    unsigned flags = 77;
    ASK(cudaGetDeviceFlags, &flags);
    SAY("flags", flags);
    ASK(cudaSetDeviceFlags, cudaDeviceScheduleBlockingSync | cudaDeviceMapHost);
    ASK(cudaGetDeviceFlags, &flags);
    SAY("flags", flags);
    ASK(cudaSetDeviceFlags, cudaDeviceScheduleSpin | cudaDeviceScheduleYield);
    ASK(cudaSetDeviceFlags, 0x100);
    ASK(cudaGetDeviceFlags, NULL);
    ASK(cudaSetDeviceFlags, 0);
}

QUESTION(primary_flags, "cuDevicePrimaryCtxSetFlags") {
    unsigned flags = 77;
    int active = 0;
    ASK(cuDevicePrimaryCtxSetFlags, 0, CU_CTX_SCHED_YIELD);
    ASK(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("flags", flags);
    ASK(cuDevicePrimaryCtxSetFlags, 0, 0x1000);
    ASK(cuDevicePrimaryCtxSetFlags, 0, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD);
    ASK(cuDevicePrimaryCtxSetFlags, 99, 0);
    ASK(cuDevicePrimaryCtxSetFlags, 0, 0);
}

#define LIMIT(name, value)                                                                         \
    QUESTION(limit_##name, "cuCtxGetLimit") {                                                      \
        size_t bytes = 77;                                                                         \
        ASK(cuCtxGetLimit, &bytes, (CUlimit)(value));                                              \
        SAY("value", bytes);                                                                       \
        ASK(cudaDeviceGetLimit, &bytes, (enum cudaLimit)(value));                                  \
    }
LIMIT(stack, 0)
LIMIT(printf, 1)
LIMIT(heap, 2)
LIMIT(sync_depth, 3)
LIMIT(pending_launches, 4)
LIMIT(l2_fetch, 5)
LIMIT(persisting_l2, 6)
LIMIT(shared_memory, 7)
LIMIT(beyond_the_last, 10)

QUESTION(limits_are_set, "cuCtxSetLimit") {
    size_t bytes = 0;
    ASK(cudaDeviceSetLimit, cudaLimitPrintfFifoSize, 2 * MIB);
    ASK(cuCtxGetLimit, &bytes, CU_LIMIT_PRINTF_FIFO_SIZE);
    SAY("bytes", bytes);
    ASK(cuCtxSetLimit, CU_LIMIT_STACK_SIZE, 2000);
    ASK(cuCtxGetLimit, &bytes, CU_LIMIT_STACK_SIZE);
    SAY("bytes", bytes);
    ASK(cuCtxSetLimit, CU_LIMIT_STACK_SIZE, 1024);
    ASK(cuCtxGetLimit, NULL, CU_LIMIT_STACK_SIZE);
    ASK(cuCtxSetLimit, (CUlimit)99, 1);
    ASK(cuCtxSetLimit, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 4);
}

QUESTION(small_limits_are_rounded, "cuCtxSetLimit: the driver may round") {
    size_t bytes = 0;
    ASK(cuCtxSetLimit, CU_LIMIT_PRINTF_FIFO_SIZE, 4096);
    MUST(cuCtxGetLimit, &bytes, CU_LIMIT_PRINTF_FIFO_SIZE);
    SAY("printf", bytes);
    ASK(cuCtxSetLimit, CU_LIMIT_MALLOC_HEAP_SIZE, 0);
    MUST(cuCtxGetLimit, &bytes, CU_LIMIT_MALLOC_HEAP_SIZE);
    SAY("heap", bytes);
    ASK(cuCtxSetLimit, CU_LIMIT_STACK_SIZE, 0);
    MUST(cuCtxGetLimit, &bytes, CU_LIMIT_STACK_SIZE);
    SAY("stack", bytes);
}

QUESTION(cache_preferences, "cuCtxSetCacheConfig") {
    CUfunc_cache cache = (CUfunc_cache)77;
    ASK(cuCtxGetCacheConfig, &cache);
    SAY("cache", cache);
    ASK(cuCtxSetCacheConfig, CU_FUNC_CACHE_PREFER_L1);
    ASK(cuCtxGetCacheConfig, &cache);
    SAY("cache", cache);
    ASK(cuCtxSetCacheConfig, (CUfunc_cache)4);
    ASK(cuCtxGetCacheConfig, NULL);
    ASK(cuCtxSetCacheConfig, CU_FUNC_CACHE_PREFER_NONE);
}

QUESTION(bank_sizes, "cuCtxSetSharedMemConfig") {
    CUsharedconfig banks = (CUsharedconfig)77;
    ASK(cuCtxGetSharedMemConfig, &banks);
    SAY("banks", banks);
    ASK(cuCtxSetSharedMemConfig, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
    ASK(cuCtxGetSharedMemConfig, &banks);
    SAY("banks", banks);
    ASK(cuCtxSetSharedMemConfig, (CUsharedconfig)9);
}

QUESTION(peers_of_itself, "cuDeviceCanAccessPeer") {
    CUcontext ctx = NULL;
    int can = -1;
    MUST(cuCtxGetCurrent, &ctx);
    ASK(cuDeviceCanAccessPeer, &can, 0, 0);
    SAY("can", can);
    ASK(cudaDeviceCanAccessPeer, &can, 0, 0);
    ASK(cudaDeviceCanAccessPeer, &can, 0, 99);
    ASK(cuDeviceCanAccessPeer, NULL, 0, 0);
    ASK(cudaDeviceEnablePeerAccess, 0, 0);
    ASK(cudaDeviceEnablePeerAccess, 99, 0);
    ASK(cudaDeviceEnablePeerAccess, 0, 1);
    ASK(cudaDeviceDisablePeerAccess, 0);
    ASK(cuCtxEnablePeerAccess, ctx, 0);
    ASK(cuCtxEnablePeerAccess, NULL, 0);
    ASK(cuCtxDisablePeerAccess, ctx);
}

QUESTION(peers_are_enabled_once, "cudaDeviceEnablePeerAccess") {
    if (count_devices() < 2) SKIP("needs two devices");
    ASK(cudaDeviceEnablePeerAccess, 1, 0);
    ASK(cudaDeviceEnablePeerAccess, 1, 0);
    ASK(cudaDeviceDisablePeerAccess, 1);
    ASK(cudaDeviceDisablePeerAccess, 1);
    ASK(cudaDeviceEnablePeerAccess, 1, 1);
}

QUESTION(peer_attributes_of_itself, "cuDeviceGetP2PAttribute") {
    int value = -1;
    ASK(cuDeviceGetP2PAttribute, &value, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 0);
    ASK(cuDeviceGetP2PAttribute, &value, (CUdevice_P2PAttribute)99, 0, 0);
    ASK(cuDeviceGetP2PAttribute, &value, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 99);
}

QUESTION(a_reset_restores_limits, "cudaDeviceReset") {
    size_t after = 0;
    MUST(cudaDeviceSetLimit, cudaLimitPrintfFifoSize, 8 * MIB);
    ASK0(cudaDeviceReset);
    MUST(cudaSetDevice, 0);
    MUST(cudaDeviceGetLimit, &after, cudaLimitPrintfFifoSize);
    SAY("bytes", after);
}
