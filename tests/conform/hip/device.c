// SPDX-License-Identifier: Apache-2.0
// Devices: ordinals, identity, attributes, limits, preferences and peers.
#include "begin.h"

#define TN_GROUP "device"

static int count_devices(void) {
    int count = 0;
    MUST(hipGetDeviceCount, &count);
    return count;
}

QUESTION(ordinals_out_of_range, "hipDeviceGet") {
    hipDevice_t device = 7;
    int count = count_devices();
    ASK(hipDeviceGet, &device, count);
    ASK(hipDeviceGet, &device, -1);
    SAY("unchanged", device == 7);
    ASK(hipDeviceGet, NULL, 0);
    ASK(hipDeviceGet, NULL, -1);
    ASK(hipDeviceGet, &device, 0);
    SAY("device", device);
}

QUESTION(counts_to_null, "hipGetDeviceCount") {
    ASK(hipGetDeviceCount, NULL);
    ASK0(hipGetLastError);
}

QUESTION(set_device_out_of_range, "hipSetDevice") {
    int device = 7, count = count_devices();
    ASK(hipSetDevice, count);
    ASK(hipSetDevice, -1);
    ASK(hipGetDevice, &device);
    SAY("device", device);
    ASK(hipGetDevice, NULL);
}

QUESTION(names_are_cut, "hipDeviceGetName") {
    char name[64];
    memset(name, 'x', sizeof name);
    ASK(hipDeviceGetName, name, 5, 0);
    SAY("length", memchr(name, 0, sizeof name) != NULL ? (long long)strlen(name) : -1);
    ASK(hipDeviceGetName, name, 1, 0);
    SAY("end", name[0] == 0);
    ASK(hipDeviceGetName, name, 0, 0);
    ASK(hipDeviceGetName, NULL, 64, 0);
    ASK(hipDeviceGetName, name, 64, 99);
    ASK(hipDeviceGetName, name, -1, 0);
}

QUESTION(bus_ids, "hipDeviceGetPCIBusId") {
    char bus[32] = "";
    int found = -1;
    ASK(hipDeviceGetPCIBusId, bus, 32, 0);
    SAY("length", strlen(bus));
    ASK(hipDeviceGetByPCIBusId, &found, bus);
    SAY("found", found);
    ASK(hipDeviceGetByPCIBusId, &found, "ffff:ff:1f.0");
    ASK(hipDeviceGetByPCIBusId, &found, "nonsense");
    ASK(hipDeviceGetByPCIBusId, NULL, bus);
    ASK(hipDeviceGetPCIBusId, bus, 5, 0);
    ASK(hipDeviceGetPCIBusId, NULL, 16, 0);
    ASK(hipDeviceGetPCIBusId, bus, 16, 99);
}

QUESTION(uuids, "hipDeviceGetUuid") {
    hipUUID uuid;
    ASK(hipDeviceGetUuid, &uuid, 0);
    ASK(hipDeviceGetUuid, NULL, 0);
    ASK(hipDeviceGetUuid, &uuid, 99);
}

QUESTION(memory_of_devices, "hipDeviceTotalMem") {
    size_t bytes = 0, left = 0, all = 0;
    ASK(hipDeviceTotalMem, &bytes, 0);
    MUST(hipMemGetInfo, &left, &all);
    SAY("same", bytes == all);
    ASK(hipDeviceTotalMem, NULL, 0);
    ASK(hipDeviceTotalMem, &bytes, 99);
}

QUESTION(properties, "hipGetDevicePropertiesR0600") {
    hipDeviceProp_tR0600 prop;
    size_t bytes = 0;
    if (ASK(hipGetDevicePropertiesR0600, &prop, 0) != 0) return;
    MUST(hipDeviceTotalMem, &bytes, 0);
    SAY("memory", prop.totalGlobalMem == bytes);
    SAY("unified", prop.unifiedAddressing);
    SAY("managed", prop.managedMemory);
    SAY("map_host", prop.canMapHostMemory);
    SAY("pools", prop.memoryPoolsSupported);
    ASK(hipGetDevicePropertiesR0600, NULL, 0);
    ASK(hipGetDevicePropertiesR0600, &prop, 99);
    ASK(hipGetDevicePropertiesR0600, &prop, -1);
}

#define ATTRIBUTE(name, number)                                                                    \
    QUESTION(attribute_##name, "hipDeviceGetAttribute") {                                          \
        int value = -77;                                                                           \
        ASK(hipDeviceGetAttribute, &value, number, 0);                                             \
        SAY("value", value);                                                                       \
    }
ATTRIBUTE(ecc_enabled, hipDeviceAttributeEccEnabled)
ATTRIBUTE(access_policy_max_window_size, hipDeviceAttributeAccessPolicyMaxWindowSize)
ATTRIBUTE(async_engine_count, hipDeviceAttributeAsyncEngineCount)
ATTRIBUTE(can_map_host_memory, hipDeviceAttributeCanMapHostMemory)
ATTRIBUTE(can_use_host_pointer_for_registered_mem,
          hipDeviceAttributeCanUseHostPointerForRegisteredMem)
ATTRIBUTE(compute_mode, hipDeviceAttributeComputeMode)
ATTRIBUTE(compute_preemption_supported, hipDeviceAttributeComputePreemptionSupported)
ATTRIBUTE(concurrent_kernels, hipDeviceAttributeConcurrentKernels)
ATTRIBUTE(concurrent_managed_access, hipDeviceAttributeConcurrentManagedAccess)
ATTRIBUTE(cooperative_launch, hipDeviceAttributeCooperativeLaunch)
ATTRIBUTE(cooperative_multi_device_launch, hipDeviceAttributeCooperativeMultiDeviceLaunch)
ATTRIBUTE(device_overlap, hipDeviceAttributeDeviceOverlap)
ATTRIBUTE(direct_managed_mem_access_from_host, hipDeviceAttributeDirectManagedMemAccessFromHost)
ATTRIBUTE(global_l1_cache_supported, hipDeviceAttributeGlobalL1CacheSupported)
ATTRIBUTE(host_native_atomic_supported, hipDeviceAttributeHostNativeAtomicSupported)
ATTRIBUTE(integrated, hipDeviceAttributeIntegrated)
ATTRIBUTE(kernel_exec_timeout, hipDeviceAttributeKernelExecTimeout)
ATTRIBUTE(local_l1_cache_supported, hipDeviceAttributeLocalL1CacheSupported)
ATTRIBUTE(compute_capability_major, hipDeviceAttributeComputeCapabilityMajor)
ATTRIBUTE(managed_memory, hipDeviceAttributeManagedMemory)
ATTRIBUTE(max_block_dim_x, hipDeviceAttributeMaxBlockDimX)
ATTRIBUTE(max_block_dim_y, hipDeviceAttributeMaxBlockDimY)
ATTRIBUTE(max_block_dim_z, hipDeviceAttributeMaxBlockDimZ)
ATTRIBUTE(max_grid_dim_x, hipDeviceAttributeMaxGridDimX)
ATTRIBUTE(max_grid_dim_y, hipDeviceAttributeMaxGridDimY)
ATTRIBUTE(max_grid_dim_z, hipDeviceAttributeMaxGridDimZ)
ATTRIBUTE(max_surface_1d, hipDeviceAttributeMaxSurface1D)
ATTRIBUTE(max_surface_1d_layered, hipDeviceAttributeMaxSurface1DLayered)
ATTRIBUTE(max_surface_2d, hipDeviceAttributeMaxSurface2D)
ATTRIBUTE(max_surface_2d_layered, hipDeviceAttributeMaxSurface2DLayered)
ATTRIBUTE(max_surface_3d, hipDeviceAttributeMaxSurface3D)
ATTRIBUTE(max_surface_cubemap, hipDeviceAttributeMaxSurfaceCubemap)
ATTRIBUTE(max_surface_cubemap_layered, hipDeviceAttributeMaxSurfaceCubemapLayered)
ATTRIBUTE(max_texture_1d_width, hipDeviceAttributeMaxTexture1DWidth)
ATTRIBUTE(max_texture_1d_layered, hipDeviceAttributeMaxTexture1DLayered)
ATTRIBUTE(max_texture_1d_linear, hipDeviceAttributeMaxTexture1DLinear)
ATTRIBUTE(max_texture_1d_mipmap, hipDeviceAttributeMaxTexture1DMipmap)
ATTRIBUTE(max_texture_2d_width, hipDeviceAttributeMaxTexture2DWidth)
ATTRIBUTE(max_texture_2d_height, hipDeviceAttributeMaxTexture2DHeight)
ATTRIBUTE(max_texture_2d_gather, hipDeviceAttributeMaxTexture2DGather)
QUESTION(attributes_that_do_not_exist, "hipDeviceGetAttribute") {
    int value = 7;
    ASK(hipDeviceGetAttribute, &value, (hipDeviceAttribute_t)-1, 0);
    ASK(hipDeviceGetAttribute, &value, (hipDeviceAttribute_t)9000, 0);
    ASK(hipDeviceGetAttribute, &value, (hipDeviceAttribute_t)30000, 0);
    ASK(hipDeviceGetAttribute, &value, hipDeviceAttributeWarpSize, 99);
    ASK(hipDeviceGetAttribute, &value, hipDeviceAttributeWarpSize, -1);
    ASK(hipDeviceGetAttribute, NULL, hipDeviceAttributeWarpSize, 0);
    ASK(hipDeviceGetAttribute, NULL, hipDeviceAttributeWarpSize, 99);
    SAY("value", value);
}

ATTRIBUTE(max_texture_2d_layered, hipDeviceAttributeMaxTexture2DLayered)
ATTRIBUTE(max_texture_2d_linear, hipDeviceAttributeMaxTexture2DLinear)
ATTRIBUTE(max_texture_2d_mipmap, hipDeviceAttributeMaxTexture2DMipmap)
ATTRIBUTE(max_texture_3d_width, hipDeviceAttributeMaxTexture3DWidth)
ATTRIBUTE(max_texture_3d_height, hipDeviceAttributeMaxTexture3DHeight)
ATTRIBUTE(max_texture_3d_depth, hipDeviceAttributeMaxTexture3DDepth)
ATTRIBUTE(max_texture_3d_alt, hipDeviceAttributeMaxTexture3DAlt)
ATTRIBUTE(max_texture_cubemap, hipDeviceAttributeMaxTextureCubemap)
ATTRIBUTE(max_texture_cubemap_layered, hipDeviceAttributeMaxTextureCubemapLayered)
ATTRIBUTE(max_threads_dim, hipDeviceAttributeMaxThreadsDim)
ATTRIBUTE(max_threads_per_block, hipDeviceAttributeMaxThreadsPerBlock)
ATTRIBUTE(max_pitch, hipDeviceAttributeMaxPitch)
ATTRIBUTE(compute_capability_minor, hipDeviceAttributeComputeCapabilityMinor)
ATTRIBUTE(pageable_memory_access, hipDeviceAttributePageableMemoryAccess)
ATTRIBUTE(pageable_memory_access_uses_host_page_tables,
          hipDeviceAttributePageableMemoryAccessUsesHostPageTables)
ATTRIBUTE(max_registers_per_block, hipDeviceAttributeMaxRegistersPerBlock)
ATTRIBUTE(reserved_shared_mem_per_block, hipDeviceAttributeReservedSharedMemPerBlock)
ATTRIBUTE(max_shared_memory_per_block, hipDeviceAttributeMaxSharedMemoryPerBlock)
ATTRIBUTE(shared_mem_per_block_optin, hipDeviceAttributeSharedMemPerBlockOptin)
ATTRIBUTE(single_to_double_precision_perf_ratio, hipDeviceAttributeSingleToDoublePrecisionPerfRatio)
ATTRIBUTE(stream_priorities_supported, hipDeviceAttributeStreamPrioritiesSupported)
ATTRIBUTE(surface_alignment, hipDeviceAttributeSurfaceAlignment)
ATTRIBUTE(tcc_driver, hipDeviceAttributeTccDriver)
ATTRIBUTE(texture_alignment, hipDeviceAttributeTextureAlignment)
ATTRIBUTE(texture_pitch_alignment, hipDeviceAttributeTexturePitchAlignment)
ATTRIBUTE(total_constant_memory, hipDeviceAttributeTotalConstantMemory)
ATTRIBUTE(unified_addressing, hipDeviceAttributeUnifiedAddressing)
ATTRIBUTE(warp_size, hipDeviceAttributeWarpSize)
ATTRIBUTE(memory_pools_supported, hipDeviceAttributeMemoryPoolsSupported)
ATTRIBUTE(virtual_memory_management_supported, hipDeviceAttributeVirtualMemoryManagementSupported)
ATTRIBUTE(host_register_supported, hipDeviceAttributeHostRegisterSupported)
ATTRIBUTE(memory_pool_supported_handle_types, hipDeviceAttributeMemoryPoolSupportedHandleTypes)
ATTRIBUTE(cooperative_multi_device_unmatched_func,
          hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc)
ATTRIBUTE(cooperative_multi_device_unmatched_grid_dim,
          hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim)
ATTRIBUTE(cooperative_multi_device_unmatched_block_dim,
          hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim)
ATTRIBUTE(cooperative_multi_device_unmatched_shared_mem,
          hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem)
ATTRIBUTE(is_large_bar, hipDeviceAttributeIsLargeBar)
ATTRIBUTE(can_use_stream_wait_value, hipDeviceAttributeCanUseStreamWaitValue)
ATTRIBUTE(image_support, hipDeviceAttributeImageSupport)
ATTRIBUTE(fine_grain_support, hipDeviceAttributeFineGrainSupport)

QUESTION(flags_are_kept, "hipSetDeviceFlags") {
    unsigned flags = 77;
    ASK(hipGetDeviceFlags, &flags);
    SAY("flags", flags);
    ASK(hipSetDeviceFlags, hipDeviceScheduleBlockingSync | hipDeviceMapHost);
    ASK(hipGetDeviceFlags, &flags);
    SAY("flags", flags);
    ASK(hipSetDeviceFlags, hipDeviceScheduleSpin | hipDeviceScheduleYield);
    ASK(hipSetDeviceFlags, 0x1000);
    ASK(hipGetDeviceFlags, NULL);
    ASK(hipSetDeviceFlags, 0);
}

#define LIMIT(name, number)                                                                        \
    QUESTION(limit_##name, "hipDeviceGetLimit") {                                                  \
        size_t bytes = 77;                                                                         \
        ASK(hipDeviceGetLimit, &bytes, (enum hipLimit_t)(number));                                 \
        SAY("value", bytes);                                                                       \
        ASK(hipDeviceSetLimit, (enum hipLimit_t)(number), bytes);                                  \
    }
LIMIT(stack, hipLimitStackSize)
LIMIT(printf, hipLimitPrintfFifoSize)
LIMIT(heap, hipLimitMallocHeapSize)
LIMIT(beyond_the_last, 77)

QUESTION(cache_preferences, "hipDeviceSetCacheConfig") {
    hipFuncCache_t cache = (hipFuncCache_t)77;
    ASK(hipDeviceGetCacheConfig, &cache);
    SAY("cache", cache);
    ASK(hipDeviceSetCacheConfig, hipFuncCachePreferL1);
    ASK(hipDeviceGetCacheConfig, &cache);
    SAY("cache", cache);
    ASK(hipDeviceSetCacheConfig, (hipFuncCache_t)9);
    ASK(hipDeviceGetCacheConfig, NULL);
}

QUESTION(bank_sizes, "hipDeviceSetSharedMemConfig") {
    hipSharedMemConfig banks = (hipSharedMemConfig)77;
    ASK(hipDeviceGetSharedMemConfig, &banks);
    SAY("banks", banks);
    ASK(hipDeviceSetSharedMemConfig, hipSharedMemBankSizeEightByte);
    ASK(hipDeviceGetSharedMemConfig, &banks);
    SAY("banks", banks);
    ASK(hipDeviceSetSharedMemConfig, (hipSharedMemConfig)9);
}

QUESTION(peers_of_itself, "hipDeviceCanAccessPeer") {
    int can = -1;
    ASK(hipDeviceCanAccessPeer, &can, 0, 0);
    SAY("can", can);
    ASK(hipDeviceCanAccessPeer, &can, 0, 99);
    ASK(hipDeviceCanAccessPeer, NULL, 0, 0);
    ASK(hipDeviceEnablePeerAccess, 0, 0);
    ASK(hipDeviceEnablePeerAccess, 99, 0);
    ASK(hipDeviceEnablePeerAccess, 0, 1);
    ASK(hipDeviceDisablePeerAccess, 0);
    ASK(hipDeviceDisablePeerAccess, 99);
}

QUESTION(peers_are_enabled_once, "hipDeviceEnablePeerAccess") {
    if (count_devices() < 2) SKIP("needs two devices");
    ASK(hipDeviceEnablePeerAccess, 1, 0);
    ASK(hipDeviceEnablePeerAccess, 1, 0);
    ASK(hipDeviceDisablePeerAccess, 1);
    ASK(hipDeviceDisablePeerAccess, 1);
    ASK(hipDeviceEnablePeerAccess, 1, 1);
}

QUESTION(peer_attributes_of_itself, "hipDeviceGetP2PAttribute") {
    int value = -1;
    ASK(hipDeviceGetP2PAttribute, &value, hipDevP2PAttrPerformanceRank, 0, 0);
    ASK(hipDeviceGetP2PAttribute, &value, (hipDeviceP2PAttr)99, 0, 0);
    ASK(hipDeviceGetP2PAttribute, &value, hipDevP2PAttrPerformanceRank, 0, 99);
    ASK(hipDeviceGetP2PAttribute, NULL, hipDevP2PAttrPerformanceRank, 0, 0);
}

QUESTION(contexts, "hipDevicePrimaryCtxRetain") {
    hipCtx_t one = NULL, two = NULL, now = NULL;
    unsigned flags = 77;
    int active = 77;
    ASK(hipDevicePrimaryCtxRetain, &one, 0);
    ASK(hipDevicePrimaryCtxRetain, &two, 0);
    SAY("same", one == two);
    ASK(hipCtxGetCurrent, &now);
    SAY("current", now == one);
    ASK(hipDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
    ASK(hipDevicePrimaryCtxRelease, 0);
    ASK(hipDevicePrimaryCtxRelease, 0);
    ASK(hipDevicePrimaryCtxRelease, 99);
    ASK(hipDevicePrimaryCtxRetain, NULL, 0);
}

// ---- the first calls of a process

FIRST_QUESTION(init_with_flags, "hipInit") {
    ASK(hipInit, 1);
    ASK(hipInit, 0);
    ASK(hipInit, 0);
}

FIRST_QUESTION(memory_as_first_call, "hipMalloc initialises") {
    void *ptr = NULL;
    ASK(hipMalloc, &ptr, 4096);
    ASK(hipFree, ptr);
}

FIRST_QUESTION(last_error_as_first_call, "hipGetLastError") {
    ASK0(hipGetLastError);
    ASK0(hipPeekAtLastError);
}

FIRST_QUESTION(context_as_first_call, "hipCtxGetCurrent") {
    hipCtx_t ctx = (hipCtx_t)&ctx;
    ASK(hipCtxGetCurrent, &ctx);
    SAY("null", ctx == NULL);
}

FIRST_QUESTION(pointer_query_as_first_call, "hipPointerGetAttributes") {
    hipPointerAttribute_t view;
    ASK(hipPointerGetAttributes, &view, &view);
}

FIRST_QUESTION(free_as_first_call, "hipFree") {
    int local = 0;
    ASK(hipFree, NULL);
    ASK(hipFree, &local);
}

// ---- resets

FIRST_QUESTION(a_reset_frees_memory, "hipDeviceReset") {
    void *plain = NULL, *pinned = NULL, *pooled = NULL;
    MUST(hipMalloc, &plain, MIB);
    MUST(hipHostMalloc, &pinned, MIB, 0);
    MUST(hipMallocAsync, &pooled, MIB, NULL);
    ASK0(hipDeviceReset);
    ASK(hipFree, plain);
    ASK(hipHostFree, pinned);
    ASK(hipFree, pooled);
}

FIRST_QUESTION(a_reset_and_virtual_memory, "hipDeviceReset") {
    char byte = 0;
    MUST(hipSetDevice, 0);
    void *at = make_range(G);
    map_memory(at, G);
    grant_rights(at, G, hipMemAccessFlagsProtReadWrite);
    MUST(hipMemset, at, 4, G);
    ASK0(hipDeviceReset);
    ASK(hipMemcpyDtoH, &byte, at, 1);
    ASK(hipMemUnmap, at, G);
    ASK(hipMemAddressFree, at, G);
}

FIRST_QUESTION(a_reset_ends_streams, "hipDeviceReset") {
    hipStream_t stream = make_stream();
    hipEvent_t event = make_event(0);
    ASK0(hipDeviceReset);
    ASK(hipStreamQuery, stream);
    ASK(hipEventQuery, event);
}
