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

// Programs require a capability, so it can be chosen: TARN_CUDA_CAPABILITY=MAJOR.MINOR.
void tn_cu_capability(int *major, int *minor) {
    const char *wish = getenv("TARN_CUDA_CAPABILITY");
    if (wish == NULL || sscanf(wish, "%d.%d", major, minor) != 2) *major = 9, *minor = 0;
}

// ---- the table

#define KEEP(member) member
struct properties_12 {
    CUDA_DEVICE_PROPERTIES_(KEEP)
};
_Static_assert(sizeof(struct cudaDeviceProp) == 1008 && sizeof(struct properties_12) == 1032,
               "the layouts are those of both releases");

struct attribute {
    short number;
    short bytes; // of the member of the structs: 4 or 8
    short at_13; // its offset in the struct of each release; 0: none
    short at_12;
    uint32_t feature; // of a device without it the value is 0
    int value;
};

#define NONE(number, value, feature)                                                               \
    { AT(number), 0, 0, 0, feature, value }
#define ONLY_12(number, value, feature, member)                                                    \
    { AT(number), sizeof(int), 0, offsetof(struct properties_12, member), feature, value }
#define BOTH(number, value, feature, member)                                                       \
    {                                                                                              \
        AT(number), sizeof((struct cudaDeviceProp *)0)->member,                                    \
            offsetof(struct cudaDeviceProp, member), offsetof(struct properties_12, member),       \
            feature, value                                                                         \
    }
#define ASYNC      TARN_FEATURE_ASYNC
#define PINNED     TARN_FEATURE_PINNED
#define VMM        TARN_FEATURE_VMM
#define HOST_PHYS  TARN_FEATURE_HOST_PHYS
#define CONDITIONS TARN_FEATURE_CONDITIONS

// Nominal values are those of an H100, because the software device has no clock, no bus and no
// registers: rates in kHz, the width of the bus in bits. Kernels are functions of the CPU, with the
// limits of compat/runtime/kernel.h. read_attribute() has the values that are 0 here.
static const struct attribute attributes[] = {
    BOTH(MAX_THREADS_PER_BLOCK, TN_RT_THREADS_PER_BLOCK, 0, maxThreadsPerBlock),
    BOTH(MAX_BLOCK_DIM_X, TN_RT_THREADS_PER_BLOCK, 0, maxThreadsDim[0]),
    BOTH(MAX_BLOCK_DIM_Y, TN_RT_THREADS_PER_BLOCK, 0, maxThreadsDim[1]),
    BOTH(MAX_BLOCK_DIM_Z, 64, 0, maxThreadsDim[2]),
    BOTH(MAX_GRID_DIM_X, TN_RT_GRID_X, 0, maxGridSize[0]),
    BOTH(MAX_GRID_DIM_Y, TN_RT_GRID_YZ, 0, maxGridSize[1]),
    BOTH(MAX_GRID_DIM_Z, TN_RT_GRID_YZ, 0, maxGridSize[2]),
    BOTH(MAX_SHARED_MEMORY_PER_BLOCK, TN_RT_SHARED_BYTES, 0, sharedMemPerBlock),
    BOTH(TOTAL_CONSTANT_MEMORY, 65536, 0, totalConstMem),
    BOTH(WARP_SIZE, 32, 0, warpSize),
    BOTH(MAX_PITCH, INT_MAX, 0, memPitch),
    BOTH(MAX_REGISTERS_PER_BLOCK, 65536, 0, regsPerBlock),
    ONLY_12(CLOCK_RATE, 1980000, 0, clockRate), // kHz
    BOTH(TEXTURE_ALIGNMENT, 512, 0, textureAlignment),
    ONLY_12(GPU_OVERLAP, 1, ASYNC, deviceOverlap),
    BOTH(MULTIPROCESSOR_COUNT, 0, 0, multiProcessorCount),
    BOTH(CAN_MAP_HOST_MEMORY, 1, PINNED, canMapHostMemory),
    BOTH(SURFACE_ALIGNMENT, 512, 0, surfaceAlignment),
    BOTH(CONCURRENT_KERNELS, 1, 0, concurrentKernels),
    BOTH(PCI_BUS_ID, 0, 0, pciBusID),
    ONLY_12(MEMORY_CLOCK_RATE, 2619000, 0, memoryClockRate), // kHz
    BOTH(GLOBAL_MEMORY_BUS_WIDTH, 5120, 0, memoryBusWidth),  // bits
    BOTH(L2_CACHE_SIZE, 50 << 20, 0, l2CacheSize),
    BOTH(MAX_THREADS_PER_MULTIPROCESSOR, TN_RT_THREADS_PER_BLOCK, 0, maxThreadsPerMultiProcessor),
    BOTH(ASYNC_ENGINE_COUNT, 1, ASYNC, asyncEngineCount),
    BOTH(UNIFIED_ADDRESSING, 1, 0, unifiedAddressing),
    BOTH(PCI_DOMAIN_ID, TN_RT_PCI_DOMAIN, 0, pciDomainID),
    BOTH(TEXTURE_PITCH_ALIGNMENT, 32, 0, texturePitchAlignment),
    BOTH(COMPUTE_CAPABILITY_MAJOR, 0, 0, major),
    BOTH(COMPUTE_CAPABILITY_MINOR, 0, 0, minor),
    BOTH(STREAM_PRIORITIES_SUPPORTED, 1, 0, streamPrioritiesSupported),
    BOTH(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, TN_RT_SHARED_BYTES, 0, sharedMemPerMultiprocessor),
    BOTH(MAX_REGISTERS_PER_MULTIPROCESSOR, 65536, 0, regsPerMultiprocessor),
    BOTH(MANAGED_MEMORY, 1, PINNED, managedMemory),
    BOTH(MULTI_GPU_BOARD_GROUP_ID, 0, 0, multiGpuBoardGroupID),
    ONLY_12(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2, 0, singleToDoublePrecisionPerfRatio),
    BOTH(CONCURRENT_MANAGED_ACCESS, 1, PINNED, concurrentManagedAccess),
    BOTH(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1, PINNED, canUseHostPointerForRegisteredMem),
    BOTH(COOPERATIVE_LAUNCH, 1, 0, cooperativeLaunch),
    BOTH(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, TN_RT_SHARED_BYTES, 0, sharedMemPerBlockOptin),
    BOTH(HOST_REGISTER_SUPPORTED, 1, PINNED, hostRegisterSupported),
    BOTH(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 1, PINNED, directManagedMemAccessFromHost),
    NONE(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1, VMM),
    BOTH(MAX_BLOCKS_PER_MULTIPROCESSOR, 1, 0, maxBlocksPerMultiProcessor),
    BOTH(SPARSE_CUDA_ARRAY_SUPPORTED, 0, 0, sparseCudaArraySupported),
    BOTH(READ_ONLY_HOST_REGISTER_SUPPORTED, 1, PINNED, hostRegisterReadOnlySupported),
    BOTH(MEMORY_POOLS_SUPPORTED, 1, 0, memoryPoolsSupported),
    BOTH(MEMPOOL_SUPPORTED_HANDLE_TYPES, TN_RT_PHYS_FD, 0, memoryPoolSupportedHandleTypes),
    BOTH(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 0, 0, deferredMappingCudaArraySupported),
    NONE(CAN_USE_64_BIT_STREAM_MEM_OPS, 1, CONDITIONS),
    NONE(CAN_USE_STREAM_WAIT_VALUE_NOR, 1, CONDITIONS),
    BOTH(IPC_EVENT_SUPPORTED, 1, CONDITIONS, ipcEventSupported),
    NONE(MEM_SYNC_DOMAIN_COUNT, 1, 0),
    BOTH(UNIFIED_FUNCTION_POINTERS, 1, 0, unifiedFunctionPointers),
    BOTH(NUMA_ID, -1, 0, deviceNumaId),
    BOTH(HOST_NUMA_ID, -1, 0, hostNumaId),
    NONE(HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1, HOST_PHYS),
    NONE(HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1, HOST_PHYS),
};

static const struct attribute *find_row(int number) {
    const struct attribute *end = attributes + sizeof attributes / sizeof attributes[0];
    for (const struct attribute *row = attributes; row < end; row++)
        if (row->number == number) return row;
    return NULL;
}

static int read_attribute(const struct tn_face_device *device, int number) {
    const struct attribute *row = find_row(number);
    int capability[2] = {0, 0};
    switch (number) {
    case AT(COMPUTE_CAPABILITY_MAJOR):
    case AT(COMPUTE_CAPABILITY_MINOR):
        tn_cu_capability(&capability[0], &capability[1]);
        return capability[number - (int)AT(COMPUTE_CAPABILITY_MAJOR)];
    case AT(MULTIPROCESSOR_COUNT): return tn_rt_processors();
    case AT(PCI_BUS_ID): return tn_rt_pci_bus(device);
    case AT(MULTI_GPU_BOARD_GROUP_ID): return device->number;
    case AT(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED):
        return (device->info.shareable & TARN_SHAREABLE_FD) != 0;
    case AT(SPARSE_CUDA_ARRAY_SUPPORTED):
    case AT(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED): return tn_rt_policy.sparse;
    default: break;
    }
    return row != NULL && (device->info.features & row->feature) == row->feature ? row->value : 0;
}

// ---- queries

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

// The members of the old struct are the first attributes, in their order.
#define OLD_COUNT 14
_Static_assert(sizeof(CUdevprop) == OLD_COUNT * sizeof(int) &&
                   (int)AT(TEXTURE_ALIGNMENT) == OLD_COUNT,
               "each member is an attribute");

TN_CU_BARE_FUNCTION(cuDeviceGetProperties, CUdevprop *, out, CUdevice, device) {
    TN_RT_TRY(tn_rt_check_pointer(out, "prop"));
    TN_RT_TRY(tn_rt_check_device(device));
    for (int i = 0; i < OLD_COUNT; i++) {
        const int value = read_attribute(tn_rt_device(device), i + 1);
        memcpy((char *)out + (size_t)i * sizeof value, &value, sizeof value);
    }
    return TN_RT_OK;
}

// ---- the structs of the runtime API

static void fill_properties(const struct tn_face_device *device, bool of_12, char *out) {
    struct cudaDeviceProp head = {.totalGlobalMem = device->info.memory_bytes};
    (void)snprintf(head.name, sizeof head.name, "%s", device->info.name);
    tn_rt_fill_uuid(device, head.uuid.bytes);
    memset(out, 0, of_12 ? sizeof(struct properties_12) : sizeof head);
    memcpy(out, &head, offsetof(struct cudaDeviceProp, sharedMemPerBlock)); // the same in both
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        const struct attribute *row = &attributes[i];
        const size_t value = (size_t)read_attribute(device, row->number);
        const int at = of_12 ? row->at_12 : row->at_13;
        if (at != 0) memcpy(out + at, &value, (size_t)row->bytes);
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
