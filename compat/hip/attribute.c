// SPDX-License-Identifier: Apache-2.0
// hipDeviceGetAttribute(): a table that maps attributes to members of the properties, and the few
// attributes that have no member.
#include <limits.h>
#include <string.h>

#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/hip/properties.h"

struct row {
    int attribute;
    unsigned offset; // in the properties
    unsigned bytes;  // of the member: 4 or 8
};

#define MEMBER(member)                                                                             \
    offsetof(hipDeviceProp_tR0600, member), sizeof(((hipDeviceProp_tR0600 *)0)->member)
#define ROW(name, member)                                                                          \
    { hipDeviceAttribute##name, MEMBER(member) }

static const struct row rows[] = {
    ROW(EccEnabled, ECCEnabled),
    ROW(AccessPolicyMaxWindowSize, accessPolicyMaxWindowSize),
    ROW(AsyncEngineCount, asyncEngineCount),
    ROW(CanMapHostMemory, canMapHostMemory),
    ROW(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    ROW(ClockRate, clockRate),
    ROW(ComputeMode, computeMode),
    ROW(ComputePreemptionSupported, computePreemptionSupported),
    ROW(ConcurrentKernels, concurrentKernels),
    ROW(ConcurrentManagedAccess, concurrentManagedAccess),
    ROW(CooperativeLaunch, cooperativeLaunch),
    ROW(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    ROW(DeviceOverlap, deviceOverlap),
    ROW(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    ROW(GlobalL1CacheSupported, globalL1CacheSupported),
    ROW(HostNativeAtomicSupported, hostNativeAtomicSupported),
    ROW(Integrated, integrated),
    ROW(IsMultiGpuBoard, isMultiGpuBoard),
    ROW(KernelExecTimeout, kernelExecTimeoutEnabled),
    ROW(L2CacheSize, l2CacheSize),
    ROW(LocalL1CacheSupported, localL1CacheSupported),
    ROW(LuidDeviceNodeMask, luidDeviceNodeMask),
    ROW(ComputeCapabilityMajor, major),
    ROW(ManagedMemory, managedMemory),
    ROW(MaxBlocksPerMultiProcessor, maxBlocksPerMultiProcessor),
    ROW(MaxBlockDimX, maxThreadsDim[0]),
    ROW(MaxBlockDimY, maxThreadsDim[1]),
    ROW(MaxBlockDimZ, maxThreadsDim[2]),
    ROW(MaxGridDimX, maxGridSize[0]),
    ROW(MaxGridDimY, maxGridSize[1]),
    ROW(MaxGridDimZ, maxGridSize[2]),
    ROW(MaxSurface1D, maxSurface1D),
    ROW(MaxSurface1DLayered, maxSurface1DLayered[0]),
    ROW(MaxSurface2D, maxSurface2D[0]),
    ROW(MaxSurface2DLayered, maxSurface2DLayered[0]),
    ROW(MaxSurface3D, maxSurface3D[0]),
    ROW(MaxSurfaceCubemap, maxSurfaceCubemap),
    ROW(MaxSurfaceCubemapLayered, maxSurfaceCubemapLayered[0]),
    ROW(MaxTexture1DWidth, maxTexture1D),
    ROW(MaxTexture1DLayered, maxTexture1DLayered[0]),
    ROW(MaxTexture1DLinear, maxTexture1DLinear),
    ROW(MaxTexture1DMipmap, maxTexture1DMipmap),
    ROW(MaxTexture2DWidth, maxTexture2D[0]),
    ROW(MaxTexture2DHeight, maxTexture2D[1]),
    ROW(MaxTexture2DGather, maxTexture2DGather[0]),
    ROW(MaxTexture2DLayered, maxTexture2DLayered[0]),
    ROW(MaxTexture2DLinear, maxTexture2DLinear[0]),
    ROW(MaxTexture2DMipmap, maxTexture2DMipmap[0]),
    ROW(MaxTexture3DWidth, maxTexture3D[0]),
    ROW(MaxTexture3DHeight, maxTexture3D[1]),
    ROW(MaxTexture3DDepth, maxTexture3D[2]),
    ROW(MaxTexture3DAlt, maxTexture3DAlt[0]),
    ROW(MaxTextureCubemap, maxTextureCubemap),
    ROW(MaxTextureCubemapLayered, maxTextureCubemapLayered[0]),
    ROW(MaxThreadsDim, maxThreadsDim[0]),
    ROW(MaxThreadsPerBlock, maxThreadsPerBlock),
    ROW(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    ROW(MaxPitch, memPitch),
    ROW(MemoryBusWidth, memoryBusWidth),
    ROW(MemoryClockRate, memoryClockRate),
    ROW(ComputeCapabilityMinor, minor),
    ROW(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    ROW(MultiprocessorCount, multiProcessorCount),
    ROW(PageableMemoryAccess, pageableMemoryAccess),
    ROW(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    ROW(PciBusId, pciBusID),
    ROW(PciDeviceId, pciDeviceID),
    ROW(PciDomainID, pciDomainID),
    ROW(PersistingL2CacheMaxSize, persistingL2CacheMaxSize),
    ROW(MaxRegistersPerBlock, regsPerBlock),
    ROW(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    ROW(ReservedSharedMemPerBlock, reservedSharedMemPerBlock),
    ROW(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    ROW(SharedMemPerBlockOptin, sharedMemPerBlockOptin),
    ROW(SharedMemPerMultiprocessor, sharedMemPerMultiprocessor),
    ROW(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    ROW(StreamPrioritiesSupported, streamPrioritiesSupported),
    ROW(SurfaceAlignment, surfaceAlignment),
    ROW(TccDriver, tccDriver),
    ROW(TextureAlignment, textureAlignment),
    ROW(TexturePitchAlignment, texturePitchAlignment),
    ROW(TotalConstantMemory, totalConstMem),
    ROW(TotalGlobalMem, totalGlobalMem),
    ROW(UnifiedAddressing, unifiedAddressing),
    ROW(WarpSize, warpSize),
    ROW(MemoryPoolsSupported, memoryPoolsSupported),
    ROW(HostRegisterSupported, hostRegisterSupported),
    ROW(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    ROW(ClockInstructionRate, clockInstructionRate),
    ROW(MaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor),
    ROW(CooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedFunc),
    ROW(CooperativeMultiDeviceUnmatchedGridDim, cooperativeMultiDeviceUnmatchedGridDim),
    ROW(CooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedBlockDim),
    ROW(CooperativeMultiDeviceUnmatchedSharedMem, cooperativeMultiDeviceUnmatchedSharedMem),
    ROW(IsLargeBar, isLargeBar),
    ROW(AsicRevision, asicRevision),
    ROW(PhysicalMultiProcessorCount, multiProcessorCount),
};

static int clamp_to_int(uint64_t value) { return value > INT_MAX ? INT_MAX : (int)value; }

static int read_member(const hipDeviceProp_tR0600 *properties, const struct row *row) {
    const char *at = (const char *)properties + row->offset;
    uint64_t wide = 0;
    int narrow = 0;
    if (row->bytes == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return clamp_to_int(wide);
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

// Reads attributes that have no member. Returns false for an unknown attribute, or one that is not
// an int.
static bool read_other(const struct tn_face_device *device, int attribute, int *value) {
    switch (attribute) {
    case hipDeviceAttributeVirtualMemoryManagementSupported:
        *value = (device->info.features & TARN_FEATURE_VMM) != 0;
        return true;
    case hipDeviceAttributeFineGrainSupport:
        *value = (device->info.features & TARN_FEATURE_HOST_ACCESS) != 0;
        return true;
    case hipDeviceAttributeCanUseStreamWaitValue:
        *value = (device->info.features & TARN_FEATURE_CONDITIONS) != 0;
        return true;
    case hipDeviceAttributeNumberOfXccs: *value = 1; return true;
    case hipDeviceAttributeWallClockRate: *value = TN_HIP_TIMER_KHZ; return true;
    case hipDeviceAttributeMaxAvailableVgprsPerThread: *value = 512; return true; // nominal
    case hipDeviceAttributeImageSupport:
    case hipDeviceAttributePciChipId: // the software device has no chip
    case hipDeviceAttributeGcnArch: *value = 0; return true;
    default: return false;
    }
}

static bool read_attribute(const struct tn_face_device *device, int attribute, int *value) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].attribute == attribute) {
            hipDeviceProp_tR0600 properties;
            tn_hip_properties(device, &properties);
            *value = read_member(&properties, &rows[i]);
            return true;
        }
    }
    return read_other(device, attribute, value);
}

// Two attributes are addresses of registers of the GPU. AMD's library writes a pointer, of 8 bytes.
static bool is_register(hipDeviceAttribute_t attribute) {
    return attribute == hipDeviceAttributeHdpMemFlushCntl ||
           attribute == hipDeviceAttributeHdpRegFlushCntl;
}

TN_HIP_FUNCTION(hipDeviceGetAttribute, int *, pi, hipDeviceAttribute_t, attr, int, deviceId) {
    TN_RT_TRY(tn_rt_check_pointer(pi, "pi"));
    TN_RT_TRY(tn_rt_check_device(deviceId));
    if (is_register(attr)) { // NULL, as in the properties: the software device has none
        memset(pi, 0, sizeof(uint32_t *));
        return TN_RT_OK;
    }
    return read_attribute(tn_rt_device(deviceId), (int)attr, pi)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an attribute with a number", (int)attr);
}
