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

#include "compat/hip/attribute_list.h"
#include "compat/hip/property_list.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/device/identity.h"
#include "compat/runtime/kernel/kernel.h"

static int cache_bytes(void) {
    long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (int)bytes : 4 << 20; // the L2 cache of a die of the MI300X
}

static void fill_identity(const struct tn_face_device *device, hipDeviceProp_tR0600 *out) {
    (void)snprintf(out->name, sizeof out->name, "%s", device->info.name);
    tn_rt_fill_uuid(device, out->uuid.bytes);
    (void)snprintf(out->gcnArchName, sizeof out->gcnArchName, "tarn-%s", device->info.backend);
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

static void fill_others(const struct tn_face_device *device, hipDeviceProp_tR0600 *out) {
    out->warpSize = warp_size;
    out->multiProcessorCount = tn_rt_processors();
    out->unifiedFunctionPointers = 1;
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
    out->totalGlobalMem = device->info.memory_bytes;
    out->l2CacheSize = cache_bytes();
    out->sparseHipArraySupported = tn_rt_copy_policy.sparse;
    out->deferredMappingHipArraySupported = tn_rt_copy_policy.sparse;
}

// The values of attribute_list.txt, and those that are not constant or have no attribute.
void tn_hip_properties(const struct tn_face_device *device, hipDeviceProp_tR0600 *out) {
    *out = (hipDeviceProp_tR0600){.computeMode = 0};
#define PLAIN(name, member)
#define VALUE(name, member, value) out->member = value;
#define FEATURE(name, member, feature)                                                             \
    out->member = (device->info.features & TARN_FEATURE_##feature) != 0;
    TN_HIP_ATTRIBUTE_LIST(PLAIN, VALUE, FEATURE)
    fill_identity(device, out);
    fill_others(device, out);
}

// ---- queries

static tn_rt_error get_properties(hipDeviceProp_tR0600 *prop, int ordinal) {
    TN_RT_TRY(tn_rt_check_pointer(prop, "prop"));
    TN_RT_TRY(tn_rt_check_device(ordinal));
    tn_hip_properties(tn_rt_device(ordinal), prop);
    return TN_RT_OK;
}

TN_HIP_ROW(hipGetDevicePropertiesR0600, get_properties, hipDeviceProp_tR0600 *, prop, int, deviceId)

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

TN_HIP_ROW(hipChooseDeviceR0600, choose_device, int *, device, const hipDeviceProp_tR0600 *, prop)

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
