// SPDX-License-Identifier: Apache-2.0
// Implements hipGetDeviceProperties() and hipChooseDevice(). Unknown or unsupported properties are
// 0. Rates and sizes by which programs divide are never 0.
#include "compat/hip/properties.h"
#include "compat/hip/face.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hip/detail/device.h>
#include <hip/detail/kernel.h>

#include "compat/hip/property_list.h"
#include "compat/runtime/identity.h"
#include "compat/runtime/kernel.h"

static bool has_feature(const struct tn_face_device *device, uint32_t feature) {
    return (device->info.features & feature) != 0;
}

static int cache_bytes(void) {
    long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (int)bytes : 4 << 20; // the L2 cache of a die of the MI300X
}

static void fill_identity(const struct tn_face_device *device, hipDeviceProp_tR0600 *out) {
    (void)snprintf(out->name, sizeof out->name, "%s", device->info.name);
    tn_rt_fill_uuid(device, out->uuid.bytes);
    (void)snprintf(out->gcnArchName, sizeof out->gcnArchName, "tarn-%s", device->info.backend);
    out->major = 1;
    out->pciDomainID = TN_RT_PCI_DOMAIN;
    out->pciBusID = tn_rt_pci_bus(device);
    out->multiGpuBoardGroupID = device->number;
}

// Of all devices: the lanes of a warp are a constant of the program.
static _Atomic(int) warp_size = 64;

// Programs call it before main(), so it opens no device.
hipError_t hipExtSetWarpSize(int lanes) {
    if (lanes != 32 && lanes != 64) return hipErrorInvalidValue;
    warp_size = lanes;
    return hipSuccess;
}

// Kernels are functions of the CPU: one block runs on each CPU.
static void fill_execution(hipDeviceProp_tR0600 *out) {
    out->warpSize = warp_size;
    out->multiProcessorCount = tn_rt_processors();
    out->maxThreadsPerBlock = TN_RT_THREADS_PER_BLOCK;
    out->maxThreadsPerMultiProcessor = TN_RT_THREADS_PER_BLOCK;
    out->maxBlocksPerMultiProcessor = 1;
    for (int i = 0; i < 3; i++) {
        out->maxThreadsDim[i] = TN_RT_THREADS_PER_BLOCK;
        out->maxGridSize[i] = i == 0 ? TN_RT_GRID_X : TN_RT_GRID_YZ;
    }
    out->sharedMemPerBlock = TN_RT_SHARED_BYTES;
    out->sharedMemPerMultiprocessor = TN_RT_SHARED_BYTES;
    out->maxSharedMemoryPerMultiProcessor = TN_RT_SHARED_BYTES;
    out->sharedMemPerBlockOptin = TN_RT_SHARED_BYTES;
    out->concurrentKernels = 1;
    out->unifiedFunctionPointers = 1;
    out->cooperativeLaunch = 1;
    out->arch = (hipDeviceArch_t){.hasGlobalInt32Atomics = 1,
                                  .hasGlobalFloatAtomicExch = 1,
                                  .hasSharedInt32Atomics = 1,
                                  .hasSharedFloatAtomicExch = 1,
                                  .hasFloatAtomicAdd = 1,
                                  .hasGlobalInt64Atomics = 1,
                                  .hasSharedInt64Atomics = 1,
                                  .hasDoubles = 1,
                                  .hasWarpVote = 1,
                                  .hasWarpBallot = 1,
                                  .hasWarpShuffle = 1,
                                  .hasFunnelShift = 1,
                                  .hasThreadFenceSystem = 1,
                                  .hasSyncThreadsExt = 1,
                                  .has3dGrid = 1};
}

// Nominal values, because the software device has no clock, no bus and no registers: those of AMD's
// MI300X, so that a program that divides by them gets a plausible result.
static void fill_nominal(hipDeviceProp_tR0600 *out) {
    out->clockRate = 2100000;                     // kHz: 2100 MHz, the peak of the compute units
    out->memoryClockRate = 1300000;               // kHz: 1300 MHz, HBM3 at 5.2 Gbit/s for each pin
    out->memoryBusWidth = 8192;                   // bits: 8 stacks of 1024
    out->clockInstructionRate = TN_HIP_TIMER_KHZ; // of clock(), as of wall_clock()
    out->regsPerBlock = 65536;                    // 32-bit registers, as hipInfo prints them
    out->regsPerMultiprocessor = 65536;           // a block may have all of them
    out->totalConstMem = 0x7fffffff;              // constants are ordinary memory; AMD's cap
    out->singleToDoublePrecisionPerfRatio = 2;    // 163.4 to 81.7 TFLOPS
}

static void fill_memory(const struct tn_face_device *device, hipDeviceProp_tR0600 *out) {
    bool cpu = has_feature(device, TARN_FEATURE_HOST_ACCESS);
    out->totalGlobalMem = device->info.memory_bytes;
    out->memPitch = 0x7fffffff;
    out->textureAlignment = 256;
    out->texturePitchAlignment = 256;
    out->surfaceAlignment = 256;
    out->l2CacheSize = cache_bytes();
    out->integrated = 1;
    out->canMapHostMemory = has_feature(device, TARN_FEATURE_PINNED);
    out->hostRegisterSupported = has_feature(device, TARN_FEATURE_PINNED);
    out->canUseHostPointerForRegisteredMem = has_feature(device, TARN_FEATURE_PINNED);
    out->managedMemory = has_feature(device, TARN_FEATURE_PINNED);
    out->concurrentManagedAccess = has_feature(device, TARN_FEATURE_PINNED);
    out->directManagedMemAccessFromHost = has_feature(device, TARN_FEATURE_PINNED);
    out->hostNativeAtomicSupported = cpu;
    out->isLargeBar = cpu;
    out->unifiedAddressing = 1;
    out->memoryPoolsSupported = 1;
    out->memoryPoolSupportedHandleTypes = hipMemHandleTypePosixFileDescriptor;
    out->streamPrioritiesSupported = 1;
    out->sparseHipArraySupported = tn_rt_policy.sparse;
    out->deferredMappingHipArraySupported = tn_rt_policy.sparse;
    out->asyncEngineCount = has_feature(device, TARN_FEATURE_ASYNC);
    out->deviceOverlap = has_feature(device, TARN_FEATURE_ASYNC);
}

void tn_hip_properties(const struct tn_face_device *device, hipDeviceProp_tR0600 *out) {
    *out = (hipDeviceProp_tR0600){.computeMode = 0};
    fill_identity(device, out);
    fill_execution(out);
    fill_nominal(out);
    fill_memory(device, out);
}

// ---- queries

static tn_rt_error get_properties(hipDeviceProp_tR0600 *prop, int ordinal) {
    TN_RT_TRY(tn_rt_check_pointer(prop, "prop"));
    TN_RT_TRY(tn_rt_check_device(ordinal));
    tn_hip_properties(tn_rt_device(ordinal), prop);
    return TN_RT_OK;
}

TN_HIP_ROW(hipGetDevicePropertiesR0600, get_properties, hipDeviceProp_tR0600 *, int)

// Converts the struct of HIP 6 to that of HIP 5. The list of members is property_list.txt.
static void to_hip5(const hipDeviceProp_tR0600 *in, hipDeviceProp_tR0000 *out) {
    *out = (hipDeviceProp_tR0000){.computeMode = 0};
#define COPY(member)       out->member = in->member;
#define COPY_ARRAY(member) memcpy(out->member, in->member, sizeof out->member);
    TN_HIP_PROPERTY_LIST(COPY, COPY_ARRAY)
}

TN_HIP_FUNCTION(hipGetDevicePropertiesR0000, hipDeviceProp_tR0000 *, prop, int, deviceId) {
    hipDeviceProp_tR0600 complete;
    TN_RT_TRY(get_properties(prop != NULL ? &complete : NULL, deviceId));
    to_hip5(&complete, prop);
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipDeviceComputeCapability, int *, major, int *, minor, hipDevice_t, device) {
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(tn_rt_check_pointer(major, "major"));
    TN_RT_TRY(tn_rt_check_pointer(minor, "minor"));
    TN_RT_TRY(get_properties(&properties, device));
    *major = properties.major;
    *minor = properties.minor;
    return TN_RT_OK;
}

// ---- the device that matches best

static unsigned count_matches(const struct tn_face_device *device, const void *wanted) {
    const hipDeviceProp_tR0600 *wish = (const hipDeviceProp_tR0600 *)wanted;
    hipDeviceProp_tR0600 is;
    tn_hip_properties(device, &is);
    return (unsigned)(is.totalGlobalMem >= wish->totalGlobalMem) +
           (unsigned)(is.sharedMemPerBlock >= wish->sharedMemPerBlock) +
           (unsigned)(is.maxThreadsPerBlock >= wish->maxThreadsPerBlock) +
           (unsigned)(is.multiProcessorCount >= wish->multiProcessorCount) +
           (unsigned)(is.major > wish->major ||
                      (is.major == wish->major && is.minor >= wish->minor));
}

static tn_rt_error choose_device(int *device, const hipDeviceProp_tR0600 *wish) {
    return tn_rt_device_choose(device, wish, count_matches);
}

TN_HIP_ROW(hipChooseDeviceR0600, choose_device, int *, const hipDeviceProp_tR0600 *)

TN_HIP_FUNCTION(hipChooseDeviceR0000, int *, device, const hipDeviceProp_tR0000 *, prop) {
    if (prop == NULL) return choose_device(device, NULL);
    hipDeviceProp_tR0600 wish = {.totalGlobalMem = prop->totalGlobalMem,
                                 .sharedMemPerBlock = prop->sharedMemPerBlock,
                                 .maxThreadsPerBlock = prop->maxThreadsPerBlock,
                                 .multiProcessorCount = prop->multiProcessorCount,
                                 .major = prop->major,
                                 .minor = prop->minor};
    return choose_device(device, &wish);
}

// ---- names that programs built for HIP 5 use

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
