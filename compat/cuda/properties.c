// SPDX-License-Identifier: Apache-2.0
// The attributes of devices, for both APIs, and cudaGetDeviceProperties(), whose members are attributes
// too. An attribute that is not listed is 0: it is not supported. Rates and sizes by which programs
// divide are never 0.
#include "compat/cuda/properties.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/cuda/face.h"
#include "compat/runtime/identity.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/pool.h"
#include "compat/runtime/vmm.h"

#define AT(name)       CU_DEVICE_ATTRIBUTE_##name
#define ATTRIBUTE_LAST AT(ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED)

_Static_assert((int)ATTRIBUTE_LAST == 147 &&
                   (int)ATTRIBUTE_LAST == cudaDevAttrOnlyPartialHostNativeAtomicSupported &&
                   (int)AT(WARP_SIZE) == cudaDevAttrWarpSize,
               "both APIs have the same attributes");

// Nominal values are those of an H100, because the software device has no clock, no bus and no
// registers. Kernels are functions of the CPU, with the limits of compat/runtime/kernel.h.
static const int constants[ATTRIBUTE_LAST + 1] = {
    [AT(MAX_THREADS_PER_BLOCK)] = TN_RT_THREADS_PER_BLOCK,
    [AT(MAX_BLOCK_DIM_X)] = TN_RT_THREADS_PER_BLOCK,
    [AT(MAX_BLOCK_DIM_Y)] = TN_RT_THREADS_PER_BLOCK,
    [AT(MAX_BLOCK_DIM_Z)] = 64,
    [AT(MAX_GRID_DIM_X)] = TN_RT_GRID_X,
    [AT(MAX_GRID_DIM_Y)] = TN_RT_GRID_YZ,
    [AT(MAX_GRID_DIM_Z)] = TN_RT_GRID_YZ,
    [AT(MAX_SHARED_MEMORY_PER_BLOCK)] = TN_RT_SHARED_BYTES,
    [AT(TOTAL_CONSTANT_MEMORY)] = 65536,
    [AT(WARP_SIZE)] = 32,
    [AT(MAX_PITCH)] = INT_MAX,
    [AT(MAX_REGISTERS_PER_BLOCK)] = 65536,
    [AT(CLOCK_RATE)] = 1980000, // kHz
    [AT(TEXTURE_ALIGNMENT)] = 512,
    [AT(SURFACE_ALIGNMENT)] = 512,
    [AT(CONCURRENT_KERNELS)] = 1,
    [AT(MEMORY_CLOCK_RATE)] = 2619000,    // kHz
    [AT(GLOBAL_MEMORY_BUS_WIDTH)] = 5120, // bits
    [AT(L2_CACHE_SIZE)] = 50 << 20,
    [AT(MAX_THREADS_PER_MULTIPROCESSOR)] = TN_RT_THREADS_PER_BLOCK,
    [AT(UNIFIED_ADDRESSING)] = 1,
    [AT(PCI_DOMAIN_ID)] = TN_RT_PCI_DOMAIN,
    [AT(TEXTURE_PITCH_ALIGNMENT)] = 32,
    [AT(STREAM_PRIORITIES_SUPPORTED)] = 1,
    [AT(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)] = TN_RT_SHARED_BYTES,
    [AT(MAX_REGISTERS_PER_MULTIPROCESSOR)] = 65536,
    [AT(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO)] = 2,
    [AT(COOPERATIVE_LAUNCH)] = 1,
    [AT(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)] = TN_RT_SHARED_BYTES,
    [AT(MAX_BLOCKS_PER_MULTIPROCESSOR)] = 1,
    [AT(MEMORY_POOLS_SUPPORTED)] = 1,
    [AT(MEMPOOL_SUPPORTED_HANDLE_TYPES)] = TN_RT_PHYS_FD,
    [AT(MEM_SYNC_DOMAIN_COUNT)] = 1,
    [AT(UNIFIED_FUNCTION_POINTERS)] = 1,
    [AT(NUMA_ID)] = -1,
    [AT(HOST_NUMA_ID)] = -1,
};

// Programs require a capability, so it can be chosen: TARN_CUDA_CAPABILITY=MAJOR.MINOR.
void tn_cu_capability(int *major, int *minor) {
    const char *wish = getenv("TARN_CUDA_CAPABILITY");
    if (wish == NULL || sscanf(wish, "%d.%d", major, minor) != 2) *major = 9, *minor = 0;
}

static int read_attribute(const struct tn_face_device *device, int attribute) {
    const uint32_t features = device->info.features;
    int major = 0;
    int minor = 0;
    switch (attribute) {
    case AT(COMPUTE_CAPABILITY_MAJOR): tn_cu_capability(&major, &minor); return major;
    case AT(COMPUTE_CAPABILITY_MINOR): tn_cu_capability(&major, &minor); return minor;
    case AT(MULTIPROCESSOR_COUNT): return tn_rt_processors();
    case AT(PCI_BUS_ID): return tn_rt_pci_bus(device);
    case AT(MULTI_GPU_BOARD_GROUP_ID): return device->number;
    case AT(GPU_OVERLAP):
    case AT(ASYNC_ENGINE_COUNT): return (features & TARN_FEATURE_ASYNC) != 0;
    case AT(CAN_MAP_HOST_MEMORY):
    case AT(HOST_REGISTER_SUPPORTED):
    case AT(READ_ONLY_HOST_REGISTER_SUPPORTED):
    case AT(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM):
    case AT(MANAGED_MEMORY):
    case AT(CONCURRENT_MANAGED_ACCESS):
    case AT(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST): return (features & TARN_FEATURE_PINNED) != 0;
    case AT(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED): return (features & TARN_FEATURE_VMM) != 0;
    case AT(HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED):
    case AT(HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED):
        return (features & TARN_FEATURE_HOST_PHYS) != 0;
    case AT(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED):
        return (device->info.shareable & TARN_SHAREABLE_FD) != 0;
    case AT(CAN_USE_64_BIT_STREAM_MEM_OPS):
    case AT(CAN_USE_STREAM_WAIT_VALUE_NOR):
    case AT(IPC_EVENT_SUPPORTED): return (features & TARN_FEATURE_CONDITIONS) != 0;
    case AT(SPARSE_CUDA_ARRAY_SUPPORTED):
    case AT(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED): return tn_rt_policy.sparse;
    default: return constants[attribute];
    }
}

static tn_rt_error get_attribute(int *value, int attribute, int device) {
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_REFUSE(attribute < 1 || attribute > (int)ATTRIBUTE_LAST, TN_RT_INVALID_VALUE,
                 "%d is not an attribute of a device", attribute);
    *value = read_attribute(tn_rt_device(device), attribute);
    return TN_RT_OK;
}

TN_CU_BARE(cuDeviceGetAttribute, get_attribute, int *, CUdevice_attribute, CUdevice)
TN_CUDART_BARE(cudaDeviceGetAttribute, get_attribute, int *, enum cudaDeviceAttr, int)

TN_CU_BARE_FUNCTION(cuDeviceComputeCapability, int *, major, int *, minor, CUdevice, device) {
    TN_RT_TRY(tn_rt_check_pointer(major, "major"));
    TN_RT_TRY(tn_rt_check_pointer(minor, "minor"));
    TN_RT_TRY(tn_rt_check_device(device));
    tn_cu_capability(major, minor);
    return TN_RT_OK;
}

TN_CU_BARE_FUNCTION(cuDeviceGetProperties, CUdevprop *, out, CUdevice, device) {
    TN_RT_TRY(tn_rt_check_pointer(out, "prop"));
    TN_RT_TRY(tn_rt_check_device(device));
    const int *is = constants;
    *out = (CUdevprop){
        .maxThreadsPerBlock = is[AT(MAX_THREADS_PER_BLOCK)],
        .maxThreadsDim = {is[AT(MAX_BLOCK_DIM_X)], is[AT(MAX_BLOCK_DIM_Y)],
                          is[AT(MAX_BLOCK_DIM_Z)]},
        .maxGridSize = {is[AT(MAX_GRID_DIM_X)], is[AT(MAX_GRID_DIM_Y)], is[AT(MAX_GRID_DIM_Z)]},
        .sharedMemPerBlock = is[AT(MAX_SHARED_MEMORY_PER_BLOCK)],
        .totalConstantMemory = is[AT(TOTAL_CONSTANT_MEMORY)],
        .SIMDWidth = is[AT(WARP_SIZE)],
        .memPitch = is[AT(MAX_PITCH)],
        .regsPerBlock = is[AT(MAX_REGISTERS_PER_BLOCK)],
        .clockRate = is[AT(CLOCK_RATE)],
        .textureAlign = is[AT(TEXTURE_ALIGNMENT)]};
    return TN_RT_OK;
}

// ---- the structs of the runtime API

#define KEEP(member) member
struct properties_12 {
    CUDA_DEVICE_PROPERTIES_(KEEP)
};
_Static_assert(sizeof(struct cudaDeviceProp) == 1008 && sizeof(struct properties_12) == 1032,
               "the layouts are those of both releases");

// A member whose attribute can be other than 0. A member with several elements has attributes in a
// row. Release 13 lacks some members of 12.
static const struct member {
    short attribute;
    short bytes; // of the member; elements of 4 bytes, or one of 8
    short at_13; // offset; 0: none
    short at_12;
} members[] = {
#define ROW_AT(member, attribute, at)                                                              \
    {                                                                                              \
        AT(attribute), sizeof((struct properties_12 *)0)->member, at,                              \
            offsetof(struct properties_12, member)                                                 \
    }
#define ROW(member, attribute) ROW_AT(member, attribute, offsetof(struct cudaDeviceProp, member))
#define OLD(member, attribute) ROW_AT(member, attribute, 0)
    ROW(sharedMemPerBlock, MAX_SHARED_MEMORY_PER_BLOCK),
    ROW(regsPerBlock, MAX_REGISTERS_PER_BLOCK),
    ROW(warpSize, WARP_SIZE),
    ROW(memPitch, MAX_PITCH),
    ROW(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK),
    ROW(maxThreadsDim, MAX_BLOCK_DIM_X),
    ROW(maxGridSize, MAX_GRID_DIM_X),
    OLD(clockRate, CLOCK_RATE),
    ROW(totalConstMem, TOTAL_CONSTANT_MEMORY),
    ROW(major, COMPUTE_CAPABILITY_MAJOR),
    ROW(minor, COMPUTE_CAPABILITY_MINOR),
    ROW(textureAlignment, TEXTURE_ALIGNMENT),
    ROW(texturePitchAlignment, TEXTURE_PITCH_ALIGNMENT),
    OLD(deviceOverlap, GPU_OVERLAP),
    ROW(multiProcessorCount, MULTIPROCESSOR_COUNT),
    ROW(canMapHostMemory, CAN_MAP_HOST_MEMORY),
    ROW(surfaceAlignment, SURFACE_ALIGNMENT),
    ROW(concurrentKernels, CONCURRENT_KERNELS),
    ROW(pciBusID, PCI_BUS_ID),
    ROW(pciDomainID, PCI_DOMAIN_ID),
    ROW(asyncEngineCount, ASYNC_ENGINE_COUNT),
    ROW(unifiedAddressing, UNIFIED_ADDRESSING),
    OLD(memoryClockRate, MEMORY_CLOCK_RATE),
    ROW(memoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH),
    ROW(l2CacheSize, L2_CACHE_SIZE),
    ROW(maxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR),
    ROW(streamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED),
    ROW(sharedMemPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
    ROW(regsPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR),
    ROW(managedMemory, MANAGED_MEMORY),
    ROW(multiGpuBoardGroupID, MULTI_GPU_BOARD_GROUP_ID),
    OLD(singleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO),
    ROW(concurrentManagedAccess, CONCURRENT_MANAGED_ACCESS),
    ROW(canUseHostPointerForRegisteredMem, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM),
    ROW(cooperativeLaunch, COOPERATIVE_LAUNCH),
    ROW(sharedMemPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    ROW(directManagedMemAccessFromHost, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    ROW(maxBlocksPerMultiProcessor, MAX_BLOCKS_PER_MULTIPROCESSOR),
    ROW(hostRegisterSupported, HOST_REGISTER_SUPPORTED),
    ROW(sparseCudaArraySupported, SPARSE_CUDA_ARRAY_SUPPORTED),
    ROW(hostRegisterReadOnlySupported, READ_ONLY_HOST_REGISTER_SUPPORTED),
    ROW(memoryPoolsSupported, MEMORY_POOLS_SUPPORTED),
    ROW(memoryPoolSupportedHandleTypes, MEMPOOL_SUPPORTED_HANDLE_TYPES),
    ROW(deferredMappingCudaArraySupported, DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED),
    ROW(ipcEventSupported, IPC_EVENT_SUPPORTED),
    ROW(unifiedFunctionPointers, UNIFIED_FUNCTION_POINTERS),
    ROW(deviceNumaId, NUMA_ID),
    ROW(hostNumaId, HOST_NUMA_ID),
};

static void write_member(const struct tn_face_device *device, const struct member *member,
                         char *at) {
    const size_t size = (size_t)read_attribute(device, member->attribute);
    const int count = member->bytes / (int)sizeof(int);
    if (member->bytes == sizeof size) memcpy(at, &size, sizeof size);
    for (int i = 0; i < count && member->bytes != sizeof size; i++) {
        const int value = read_attribute(device, member->attribute + i);
        memcpy(at + (size_t)i * sizeof value, &value, sizeof value);
    }
}

static void fill_properties(const struct tn_face_device *device, bool of_12, char *out) {
    struct cudaDeviceProp head = {.totalGlobalMem = device->info.memory_bytes};
    (void)snprintf(head.name, sizeof head.name, "%s", device->info.name);
    tn_rt_fill_uuid(device, head.uuid.bytes);
    memset(out, 0, of_12 ? sizeof(struct properties_12) : sizeof head);
    memcpy(out, &head, offsetof(struct cudaDeviceProp, sharedMemPerBlock)); // the same in both
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const int at = of_12 ? members[i].at_12 : members[i].at_13;
        if (at != 0) write_member(device, &members[i], out + at);
    }
}

static tn_rt_error get_properties(void *out, int device, bool of_12) {
    TN_RT_TRY(tn_rt_check_pointer(out, "prop"));
    TN_RT_TRY(tn_rt_check_device(device));
    fill_properties(tn_rt_device(device), of_12, (char *)out);
    return TN_RT_OK;
}

static tn_rt_error get_of_release_13(struct cudaDeviceProp *out, int device) {
    return get_properties(out, device, false);
}

static tn_rt_error get_of_release_12(struct cudaDeviceProp *out, int device) {
    return get_properties(out, device, true);
}

TN_CUDART_BARE(cudaGetDeviceProperties, get_of_release_13, struct cudaDeviceProp *, int)
TN_CUDART_ROW_AS(TN_CUDART_BARE_CALL, cudaGetDeviceProperties, tn_cudart_cudaGetDeviceProperties_v2,
                 get_of_release_12, struct cudaDeviceProp *, int)

// Compares members that both releases have at the same place.
static unsigned count_matches(const struct cudaDeviceProp *wish, const struct cudaDeviceProp *is) {
    return (unsigned)(is->totalGlobalMem >= wish->totalGlobalMem) +
           (unsigned)(is->sharedMemPerBlock >= wish->sharedMemPerBlock) +
           (unsigned)(is->maxThreadsPerBlock >= wish->maxThreadsPerBlock) +
           (unsigned)(is->major > wish->major ||
                      (is->major == wish->major && is->minor >= wish->minor));
}

static tn_rt_error pick_device(int *device, const struct cudaDeviceProp *wish) {
    struct cudaDeviceProp is;
    unsigned max = 0;
    int best = 0;
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    TN_RT_TRY(tn_rt_check_pointer(wish, "prop"));
    for (int i = 0; i < tn_rt_devices.count; i++) {
        fill_properties(&tn_rt_devices.of[i], false, (char *)&is);
        unsigned points = count_matches(wish, &is);
        best = points > max ? i : best;
        max = points > max ? points : max;
    }
    *device = best;
    return TN_RT_OK;
}

TN_CUDART_BARE(cudaChooseDevice, pick_device, int *, const struct cudaDeviceProp *)
TN_CUDART_ROW_AS(TN_CUDART_BARE_CALL, cudaChooseDevice, tn_cudart_cudaChooseDevice_v12, pick_device,
                 int *, const struct cudaDeviceProp *)
