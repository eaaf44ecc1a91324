// SPDX-License-Identifier: Apache-2.0
// hipGetDeviceProperties() and hipChooseDevice(). What is not known or not there stays 0.
#include "compat/hip/properties.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hip/detail/device.h>

static bool has(const struct tn_hip_device *device, uint32_t feature) {
    return (device->info.features & feature) != 0;
}

static int processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static int cache_bytes(void) {
    long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (int)bytes : 0;
}

static void fill_identity(const struct tn_hip_device *device, hipDeviceProp_tR0600 *out) {
    char uuid[sizeof out->uuid.bytes + 1];
    (void)snprintf(out->name, sizeof out->name, "%s", device->info.name);
    (void)snprintf(uuid, sizeof uuid, "TARN%012x", (unsigned)device->tarn_ordinal);
    memcpy(out->uuid.bytes, uuid, sizeof out->uuid.bytes);
    (void)snprintf(out->gcnArchName, sizeof out->gcnArchName, "tarn-%s", device->info.backend);
    out->major = 1;
    out->pciDomainID = TN_HIP_PCI_DOMAIN;
    out->pciBusID = tn_hip_pci_bus(device);
    out->multiGpuBoardGroupID = device->tarn_ordinal;
}

// Kernels are functions of the CPU: one lane at a time, as many blocks at a time as there are CPUs.
static void fill_execution(hipDeviceProp_tR0600 *out) {
    out->warpSize = 1;
    out->multiProcessorCount = processors();
    out->maxThreadsPerBlock = TN_HIP_THREADS_PER_BLOCK;
    out->maxThreadsPerMultiProcessor = TN_HIP_THREADS_PER_BLOCK;
    out->maxBlocksPerMultiProcessor = 1;
    for (int i = 0; i < 3; i++) {
        out->maxThreadsDim[i] = TN_HIP_THREADS_PER_BLOCK;
        out->maxGridSize[i] = i == 0 ? TN_HIP_GRID_X : TN_HIP_GRID_YZ;
    }
    out->sharedMemPerBlock = TN_HIP_SHARED_BYTES;
    out->sharedMemPerMultiprocessor = TN_HIP_SHARED_BYTES;
    out->maxSharedMemoryPerMultiProcessor = TN_HIP_SHARED_BYTES;
    out->sharedMemPerBlockOptin = TN_HIP_SHARED_BYTES;
    out->concurrentKernels = 1;
    out->unifiedFunctionPointers = 1;
    out->arch = (hipDeviceArch_t){.hasGlobalInt32Atomics = 1,
                                  .hasGlobalFloatAtomicExch = 1,
                                  .hasGlobalInt64Atomics = 1,
                                  .hasDoubles = 1,
                                  .hasThreadFenceSystem = 1,
                                  .has3dGrid = 1};
}

static void fill_memory(const struct tn_hip_device *device, hipDeviceProp_tR0600 *out) {
    bool cpu = has(device, TARN_FEATURE_HOST_ACCESS);
    out->totalGlobalMem = device->info.memory_bytes;
    out->memPitch = 0x7fffffff;
    out->textureAlignment = 256;
    out->texturePitchAlignment = 256;
    out->surfaceAlignment = 256;
    out->l2CacheSize = cache_bytes();
    out->integrated = 1;
    out->canMapHostMemory = has(device, TARN_FEATURE_PINNED);
    out->hostRegisterSupported = has(device, TARN_FEATURE_PINNED);
    out->canUseHostPointerForRegisteredMem = has(device, TARN_FEATURE_PINNED);
    out->managedMemory = has(device, TARN_FEATURE_PINNED);
    out->concurrentManagedAccess = has(device, TARN_FEATURE_PINNED);
    out->directManagedMemAccessFromHost = has(device, TARN_FEATURE_PINNED);
    out->pageableMemoryAccess = cpu;
    out->pageableMemoryAccessUsesHostPageTables = cpu;
    out->hostNativeAtomicSupported = cpu;
    out->isLargeBar = cpu;
    out->unifiedAddressing = 1;
    out->memoryPoolsSupported = 1;
    out->sparseHipArraySupported = tn_hip_face.sparse;
    out->deferredMappingHipArraySupported = tn_hip_face.sparse;
    out->asyncEngineCount = has(device, TARN_FEATURE_ASYNC);
    out->deviceOverlap = has(device, TARN_FEATURE_ASYNC);
}

void tn_hip_properties(const struct tn_hip_device *device, hipDeviceProp_tR0600 *out) {
    *out = (hipDeviceProp_tR0600){.computeMode = 0};
    fill_identity(device, out);
    fill_execution(out);
    fill_memory(device, out);
}

// ---- the calls

static hipError_t properties(hipDeviceProp_tR0600 *prop, int ordinal) {
    const struct tn_hip_device *device = tn_hip_device(ordinal);
    if (prop == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "prop is NULL");
    }
    if (device == NULL) {
        return tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", ordinal,
                           tn_hip_face.count);
    }
    tn_hip_properties(device, prop);
    return hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *prop, int deviceId) {
    return TN_HIP_CALL(properties(prop, deviceId));
}

// HIP 5's struct, from HIP 6's. What has an array there is copied by name here too, so that a
// reader sees that nothing is forgotten.
static void to_hip5(const hipDeviceProp_tR0600 *in, hipDeviceProp_tR0000 *out) {
    *out = (hipDeviceProp_tR0000){
        .totalGlobalMem = in->totalGlobalMem,
        .sharedMemPerBlock = in->sharedMemPerBlock,
        .regsPerBlock = in->regsPerBlock,
        .warpSize = in->warpSize,
        .maxThreadsPerBlock = in->maxThreadsPerBlock,
        .clockRate = in->clockRate,
        .memoryClockRate = in->memoryClockRate,
        .memoryBusWidth = in->memoryBusWidth,
        .totalConstMem = in->totalConstMem,
        .major = in->major,
        .minor = in->minor,
        .multiProcessorCount = in->multiProcessorCount,
        .l2CacheSize = in->l2CacheSize,
        .maxThreadsPerMultiProcessor = in->maxThreadsPerMultiProcessor,
        .computeMode = in->computeMode,
        .clockInstructionRate = in->clockInstructionRate,
        .arch = in->arch,
        .concurrentKernels = in->concurrentKernels,
        .pciDomainID = in->pciDomainID,
        .pciBusID = in->pciBusID,
        .pciDeviceID = in->pciDeviceID,
        .maxSharedMemoryPerMultiProcessor = in->maxSharedMemoryPerMultiProcessor,
        .isMultiGpuBoard = in->isMultiGpuBoard,
        .canMapHostMemory = in->canMapHostMemory,
        .integrated = in->integrated,
        .cooperativeLaunch = in->cooperativeLaunch,
        .cooperativeMultiDeviceLaunch = in->cooperativeMultiDeviceLaunch,
        .memPitch = in->memPitch,
        .textureAlignment = in->textureAlignment,
        .texturePitchAlignment = in->texturePitchAlignment,
        .kernelExecTimeoutEnabled = in->kernelExecTimeoutEnabled,
        .ECCEnabled = in->ECCEnabled,
        .tccDriver = in->tccDriver,
        .isLargeBar = in->isLargeBar,
        .asicRevision = in->asicRevision,
        .managedMemory = in->managedMemory,
        .directManagedMemAccessFromHost = in->directManagedMemAccessFromHost,
        .concurrentManagedAccess = in->concurrentManagedAccess,
        .pageableMemoryAccess = in->pageableMemoryAccess,
        .pageableMemoryAccessUsesHostPageTables = in->pageableMemoryAccessUsesHostPageTables,
    };
    memcpy(out->name, in->name, sizeof out->name);
    memcpy(out->gcnArchName, in->gcnArchName, sizeof out->gcnArchName);
    memcpy(out->maxThreadsDim, in->maxThreadsDim, sizeof out->maxThreadsDim);
    memcpy(out->maxGridSize, in->maxGridSize, sizeof out->maxGridSize);
}

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *prop, int deviceId) {
    hipDeviceProp_tR0600 whole;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = properties(prop != NULL ? &whole : NULL, deviceId);
    }
    if (error == hipSuccess) {
        to_hip5(&whole, prop);
    }
    return tn_hip_leave(error, __func__);
}

// ---- the best device for a wish

static unsigned fits(const hipDeviceProp_tR0600 *wish, const hipDeviceProp_tR0600 *is) {
    return (unsigned)(is->totalGlobalMem >= wish->totalGlobalMem) +
           (unsigned)(is->sharedMemPerBlock >= wish->sharedMemPerBlock) +
           (unsigned)(is->maxThreadsPerBlock >= wish->maxThreadsPerBlock) +
           (unsigned)(is->multiProcessorCount >= wish->multiProcessorCount) +
           (unsigned)(is->major > wish->major ||
                      (is->major == wish->major && is->minor >= wish->minor));
}

static hipError_t choose(int *device, const hipDeviceProp_tR0600 *wish) {
    if (device == NULL || wish == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL", device == NULL ? "device" : "prop");
    }
    hipDeviceProp_tR0600 is;
    unsigned most = 0;
    int best = 0;
    for (int i = 0; i < tn_hip_face.count; i++) {
        tn_hip_properties(&tn_hip_face.devices[i], &is);
        unsigned points = fits(wish, &is);
        best = points > most ? i : best;
        most = points > most ? points : most;
    }
    *device = best;
    return hipSuccess;
}

hipError_t hipChooseDeviceR0600(int *device, const hipDeviceProp_tR0600 *prop) {
    return TN_HIP_CALL(choose(device, prop));
}

hipError_t hipChooseDeviceR0000(int *device, const hipDeviceProp_tR0000 *prop) {
    hipDeviceProp_tR0600 wish = {.computeMode = 0};
    hipError_t error = tn_hip_enter();
    if (prop != NULL) {
        wish.totalGlobalMem = prop->totalGlobalMem;
        wish.sharedMemPerBlock = prop->sharedMemPerBlock;
        wish.maxThreadsPerBlock = prop->maxThreadsPerBlock;
        wish.multiProcessorCount = prop->multiProcessorCount;
        wish.major = prop->major;
        wish.minor = prop->minor;
    }
    if (error == hipSuccess) {
        error = choose(device, prop != NULL ? &wish : NULL);
    }
    return tn_hip_leave(error, __func__);
}

// ---- the names that programs built for HIP 5 ask for

#undef hipGetDeviceProperties
#undef hipChooseDevice
HIP_API hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000 *prop, int deviceId);
HIP_API hipError_t hipChooseDevice(int *device, const hipDeviceProp_tR0000 *prop);

hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000 *prop, int deviceId) {
    return hipGetDevicePropertiesR0000(prop, deviceId);
}

hipError_t hipChooseDevice(int *device, const hipDeviceProp_tR0000 *prop) {
    return hipChooseDeviceR0000(device, prop);
}
