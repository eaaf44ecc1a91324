// SPDX-License-Identifier: Apache-2.0
// The attributes of devices, for both APIs, and cudaGetDeviceProperties(), whose members are attributes
// too. An attribute that is not listed is 0: it is not supported. Rates and sizes by which programs
// divide are never 0.
#include "compat/cuda/properties.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/cuda/attribute_list.h"
#include "compat/cuda/face.h"
#include "compat/face/variable.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/device/identity.h"
#include "compat/runtime/kernel/kernel.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/memory/vmm.h"

#define AT(name)       CU_DEVICE_ATTRIBUTE_##name
#define ATTRIBUTE_LAST AT(ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED)

_Static_assert((int)ATTRIBUTE_LAST == 147 &&
                   (int)ATTRIBUTE_LAST == cudaDevAttrOnlyPartialHostNativeAtomicSupported &&
                   (int)AT(WARP_SIZE) == cudaDevAttrWarpSize,
               "both APIs have the same attributes");

// Programs require a capability, so it can be chosen: TARN_CUDA_CAPABILITY=MAJOR.MINOR.
void tn_cu_capability(int *major, int *minor) {
    int wish = (int)tn_variable_value("TARN_CUDA_CAPABILITY", 900);
    *major = wish / 100;
    *minor = wish % 100;
}

// ---- the table

#define KEEP(member) member
struct properties_12 {
    CUDA_DEVICE_PROPERTIES_(KEEP)
};
_Static_assert(sizeof(struct cudaDeviceProp) == 1008 && sizeof(struct properties_12) == 1032,
               "the layouts are those of both releases");

// A row of attribute_list.txt.
struct attribute {
    short number;
    short bytes; // of the member of the structs: 4 or 8
    short at_13; // its offset in the struct of each release; 0: none
    short at_12;
    uint32_t feature; // of a device without it the value is 0
    int value;
};

#define NONE(number, value, feature) {AT(number), 0, 0, 0, feature, value},
#define ONLY_12(number, value, feature, member)                                                    \
    {AT(number), sizeof(int), 0, offsetof(struct properties_12, member), feature, value},
#define BOTH(number, value, feature, member)                                                       \
    {AT(number),                                                                                   \
     sizeof((struct cudaDeviceProp *)0)->member,                                                   \
     offsetof(struct cudaDeviceProp, member),                                                      \
     offsetof(struct properties_12, member),                                                       \
     feature,                                                                                      \
     value},
#define ASYNC      TARN_FEATURE_ASYNC
#define PINNED     TARN_FEATURE_PINNED
#define VMM        TARN_FEATURE_VMM
#define HOST_PHYS  TARN_FEATURE_HOST_PHYS
#define CONDITIONS TARN_FEATURE_CONDITIONS

static const struct attribute attributes[] = {TN_CUDA_ATTRIBUTE_LIST(NONE, ONLY_12, BOTH)};

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
    case AT(MULTICAST_SUPPORTED):
    case AT(HANDLE_TYPE_FABRIC_SUPPORTED): return tn_rt_has_fabric();
    case AT(SPARSE_CUDA_ARRAY_SUPPORTED):
    case AT(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED): return tn_rt_copy_policy.sparse;
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

TN_CU_BARE(cuDeviceGetAttribute, get_attribute, int *, value, CUdevice_attribute, attribute,
           CUdevice, device)
TN_CUDART_BARE(cudaDeviceGetAttribute, get_attribute, int *, value, enum cudaDeviceAttr, attribute,
               int, device)

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

TN_CUDART_BARE(cudaGetDeviceProperties,
               TN_FACE_EXPRESSION(get_properties(properties, device, false)),
               struct cudaDeviceProp *, properties, int, device)
TN_CUDART_BARE(cudaGetDeviceProperties_v2,
               TN_FACE_EXPRESSION(get_properties(properties, device, true)),
               struct cudaDeviceProp *, properties, int, device)

// Compares members that both releases have at the same place.
static unsigned count_matches(const struct tn_face_device *device, const void *wanted) {
    const struct cudaDeviceProp *wish = (const struct cudaDeviceProp *)wanted;
    struct cudaDeviceProp is;
    fill_properties(device, false, (char *)&is);
    return (unsigned)(is.totalGlobalMem >= wish->totalGlobalMem) +
           (unsigned)(is.sharedMemPerBlock >= wish->sharedMemPerBlock) +
           (unsigned)(is.maxThreadsPerBlock >= wish->maxThreadsPerBlock) +
           (unsigned)(is.major > wish->major ||
                      (is.major == wish->major && is.minor >= wish->minor));
}

static tn_rt_error pick_device(int *device, const struct cudaDeviceProp *wish) {
    return tn_rt_device_choose(device, wish, count_matches);
}

TN_CUDART_BARE(cudaChooseDevice, pick_device, int *, device, const struct cudaDeviceProp *,
               properties)
TN_CUDART_BARE(cudaChooseDevice_v12, pick_device, int *, device, const struct cudaDeviceProp *,
               properties)
