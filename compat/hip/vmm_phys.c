// SPDX-License-Identifier: Apache-2.0
// Physical memory: handles and their properties. The 32 bytes of properties are the four user words
// of Tarn's memory: importers receive the first words, and the last are valid in this process only.
// The file has no state, so any thread may call its functions.
#include <string.h>

#include "compat/hip/vmm.h"
#include "compat/runtime/pool.h"

_Static_assert(sizeof(hipMemAllocationProp) == sizeof((tarn_phys_desc *)0)->user,
               "properties are the words");

// ---- properties as words

enum { PROP_TYPES, PROP_LOCATION, PROP_WIN32, PROP_FLAGS, PROP_WORDS };
static const unsigned char place[PROP_WORDS] = {
    [PROP_TYPES] = 0, [PROP_FLAGS] = 1, [PROP_LOCATION] = 2, [PROP_WIN32] = 3};

static void pack_properties(const hipMemAllocationProp *prop, uint64_t user[PROP_WORDS]) {
    uint64_t words[PROP_WORDS];
    memcpy(words, prop, sizeof words);
    for (int i = 0; i < PROP_WORDS; i++)
        user[place[i]] = words[i];
}

static void unpack_properties(const uint64_t user[PROP_WORDS], hipMemAllocationProp *prop) {
    uint64_t words[PROP_WORDS];
    for (int i = 0; i < PROP_WORDS; i++)
        words[i] = user[place[i]];
    memcpy(prop, words, sizeof words);
}

// ---- types

static bool is_type(hipMemAllocationType type) {
    return type == hipMemAllocationTypePinned || type == hipMemAllocationTypeManaged ||
           type == hipMemAllocationTypeUncached;
}

static tn_rt_error check_type(hipMemAllocationType type) {
    return is_type(type) ? TN_RT_OK
                         : tn_rt_fail(TN_RT_INVALID_VALUE, "memory type %d is unknown", (int)type);
}

// If the CPU accesses the same bytes as the devices, all memory behaves as uncached memory must.
static bool is_provided(hipMemAllocationType type) {
    return type == hipMemAllocationTypePinned ||
           (type == hipMemAllocationTypeUncached && tn_hip_host_access());
}

static tn_rt_error check_provided(const hipMemAllocationProp *prop) {
    if (!is_provided(prop->type)) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "memory of type 0x%x is not supported",
                          (unsigned)prop->type);
    }
    if (((unsigned)prop->requestedHandleType & ~(unsigned)hipMemHandleTypePosixFileDescriptor) !=
        0) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED,
                          "handle type 0x%x: only 0x1, a file descriptor, is supported",
                          (unsigned)prop->requestedHandleType);
    }
    return TN_RT_OK;
}

// ---- hipMemCreate

static tn_rt_error check_create(const hipMemGenericAllocationHandle_t *handle, size_t size,
                                const hipMemAllocationProp *prop, unsigned long long flags,
                                tarn_location *location) {
    if (handle == NULL || prop == NULL || size == 0 || flags != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "handle %p, size %zu, prop %p, flags 0x%llx",
                          (const void *)handle, size, (const void *)prop, flags);
    }
    tn_rt_error error = check_type(prop->type);
    if (error == TN_RT_OK) error = tn_hip_location(prop->location, location);
    if (error == TN_RT_INVALID_DEVICE) error = tn_rt_policy.phys_device_error;
    return error == TN_RT_OK ? check_provided(prop) : error;
}

// HIP 6 takes a multiple of half a page for a size that it cannot allocate.
static tn_rt_error check_size(size_t size) {
    const size_t unit = tn_rt_policy.phys_unit;
    if (size % unit == 0) return TN_RT_OK;
    return tn_rt_fail(size % (unit / 2) == 0 ? TN_RT_OUT_OF_MEMORY : TN_RT_INVALID_VALUE,
                      "size %zu is not a multiple of %zu", size, unit);
}

static tn_rt_error check_capacity(size_t size, const hipMemAllocationProp *prop) {
    const struct tn_face_device *device =
        prop->location.type == hipMemLocationTypeDevice ? tn_rt_device(prop->location.id) : NULL;
    return device == NULL || size <= device->info.memory_bytes
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_OUT_OF_MEMORY, "%zu bytes of device %d, which has %llu", size,
                            device->ordinal, (unsigned long long)device->info.memory_bytes);
}

// Reclaims unused memory of the device's pools if necessary, as hipMalloc() does.
static tarn_status create_or_reclaim(size_t size, const hipMemAllocationProp *prop,
                                     const tarn_phys_desc *desc, tarn_phys *phys) {
    tarn_device *any = tn_rt_devices.of[0].tarn;
    const struct tn_face_device *device =
        prop->location.type == hipMemLocationTypeDevice ? tn_rt_device(prop->location.id) : NULL;
    tarn_status status = tarn_phys_create(any, size, desc, phys);
    if (status == TARN_NO_DEVICE_MEMORY && device != NULL && tn_rt_pool_reclaim(device))
        status = tarn_phys_create(any, size, desc, phys);
    return status;
}

static tn_rt_error create_phys(hipMemGenericAllocationHandle_t *handle, size_t size,
                               const hipMemAllocationProp *prop, unsigned long long flags) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    TN_RT_TRY(check_create(handle, size, prop, flags, &desc.location));
    TN_RT_TRY(check_size(size));
    TN_RT_TRY(check_capacity(size, prop));
    if (prop->requestedHandleType == hipMemHandleTypePosixFileDescriptor)
        desc.shareable = TARN_SHAREABLE_FD;
    if ((prop->allocFlags.usage & hipExtMemCreateUsageTilePool) != 0)
        desc.usage = TARN_USAGE_TILE_POOL;
    pack_properties(prop, desc.user);
    tarn_status status = create_or_reclaim(size, prop, &desc, &phys);
    if (status == TARN_BAD_DEVICE) // a NUMA node, because devices were checked before
        return tn_rt_translate(status, TN_RT_INVALID_VALUE);
    TN_RT_TRY(tn_rt_from(status));
    *handle = tn_hip_phys_handle(phys);
    return TN_RT_OK;
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                        const hipMemAllocationProp *prop, unsigned long long flags) {
    return TN_HIP_VMM_CALL(create_phys(handle, size, prop, flags));
}

// ---- references

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
    return TN_HIP_VMM_CALL(
        tn_rt_translate(tarn_phys_release(tn_hip_phys_of(handle)), TN_RT_INVALID_VALUE));
}

static tn_rt_error retain_phys(hipMemGenericAllocationHandle_t *handle, const void *addr) {
    if (handle == NULL || addr == NULL)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "handle %p, addr %p", (void *)handle, addr);
    tarn_phys phys = 0;
    tarn_status status = tarn_map_retain(tn_hip_addr(addr), &phys);
    if (status == TARN_OK) *handle = tn_hip_phys_handle(phys);
    return tn_rt_translate(status, TN_RT_INVALID_VALUE);
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *addr) {
    return TN_HIP_VMM_CALL(retain_phys(handle, addr));
}

// ---- hipMemGetAllocationPropertiesFromHandle

// The words of imported memory come from another program, which may not use HIP. The type is kept
// if it is valid, and Tarn provides the location. The words that importers do not receive are 0.
static void complete_imported(const tarn_phys_info *info, hipMemAllocationProp *prop) {
    if (!is_type(prop->type)) prop->type = hipMemAllocationTypePinned;
    prop->requestedHandleType = (info->shareable & TARN_SHAREABLE_FD) != 0
                                    ? hipMemHandleTypePosixFileDescriptor
                                    : hipMemHandleTypeNone;
    prop->location = tn_hip_location_back(info->location);
}

static tn_rt_error get_properties(hipMemAllocationProp *prop,
                                  hipMemGenericAllocationHandle_t handle) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    if (prop == NULL) return tn_rt_fail(TN_RT_INVALID_VALUE, "prop is NULL");
    tarn_status status = tarn_phys_query(tn_hip_phys_of(handle), &info);
    if (status == TARN_OK) {
        unpack_properties(info.user, prop);
        if (info.imported) complete_imported(&info, prop);
    }
    return tn_rt_translate(status, TN_RT_INVALID_VALUE);
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop,
                                                   hipMemGenericAllocationHandle_t handle) {
    return TN_HIP_VMM_CALL(get_properties(prop, handle));
}

// ---- hipMemGetAllocationGranularity

static tn_rt_error check_granularity(const size_t *granularity, const hipMemAllocationProp *prop,
                                     hipMemAllocationGranularity_flags option) {
    tarn_location location;
    if (granularity == NULL || prop == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "granularity %p, prop %p", (const void *)granularity,
                          (const void *)prop);
    }
    if (check_type(prop->type) != TN_RT_OK ||
        tn_hip_location(prop->location, &location) != TN_RT_OK)
        return TN_RT_INVALID_VALUE;
    if (option != hipMemAllocationGranularityMinimum &&
        option != hipMemAllocationGranularityRecommended) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "option %d is neither minimum nor recommended",
                          (int)option);
    }
    return TN_RT_OK;
}

static tn_rt_error get_granularity(size_t *granularity, const hipMemAllocationProp *prop,
                                   hipMemAllocationGranularity_flags option) {
    TN_RT_TRY(check_granularity(granularity, prop, option));
    const tarn_device_info *info = &tn_rt_devices.of[0].info; // one for the platform
    *granularity = option == hipMemAllocationGranularityMinimum ? info->granularity_minimum
                                                                : info->granularity_recommended;
    return TN_RT_OK;
}

hipError_t hipMemGetAllocationGranularity(size_t *granularity, const hipMemAllocationProp *prop,
                                          hipMemAllocationGranularity_flags option) {
    return TN_HIP_VMM_CALL(get_granularity(granularity, prop, option));
}
