// SPDX-License-Identifier: Apache-2.0
// Physical memory: handles, and the properties with which they were created. Tarn's user words of
// the memory hold the properties, and importers receive them. The file has no state.
#include "compat/acl/vmm.h"

// ---- attributes

enum { NO_MEMORY = 0, ON_HOST = 1, ANYWHERE = 2, GIANT = 4, LATER = 8 };

// The attributes of physical memory. LATER: since generation 2.
static const unsigned char attributes[] = {
    [ACL_DDR_MEM_HUGE] = ON_HOST,
    [ACL_DDR_MEM_NORMAL] = ON_HOST,
    [ACL_HBM_MEM_HUGE] = ANYWHERE,
    [ACL_HBM_MEM_NORMAL] = ANYWHERE,
    [ACL_DDR_MEM_P2P_HUGE] = ON_HOST,
    [ACL_DDR_MEM_P2P_NORMAL] = ON_HOST,
    [ACL_HBM_MEM_HUGE1G] = ANYWHERE | GIANT,
    [ACL_MEM_NORMAL] = ANYWHERE | LATER,
    [ACL_MEM_HUGE] = ANYWHERE | LATER,
    [ACL_MEM_HUGE1G] = ANYWHERE | GIANT | LATER,
    [ACL_MEM_P2P_NORMAL] = ANYWHERE | LATER,
    [ACL_MEM_P2P_HUGE] = ANYWHERE | LATER,
    [ACL_MEM_P2P_HUGE1G] = ANYWHERE | GIANT | LATER,
};

static unsigned traits_of(aclrtMemAttr attribute) {
    return (unsigned)attribute < sizeof attributes ? attributes[attribute] : NO_MEMORY;
}

static bool is_giant(aclrtMemAttr attribute) { return (traits_of(attribute) & GIANT) != 0; }

static aclError check_attribute(aclrtMemAttr attribute, int generation) {
    unsigned traits = traits_of(attribute);
    TN_ACL_ARGUMENT(traits == NO_MEMORY || ((traits & LATER) != 0 && generation <= 1),
                    "prop->memAttr %d is not one of 2 to 7, 10, and 12 to 17", (int)attribute);
    return ACL_SUCCESS;
}

// ---- properties as words

#define OURS UINT64_C(0x61636c6d) // in the upper half of the first word: "aclm"

// ---- aclrtMallocPhysical

static aclError check_prop(const aclrtPhysicalMemProp *prop, int generation) {
    TN_ACL_ARGUMENT(prop->handleType != ACL_MEM_HANDLE_TYPE_NONE ||
                        prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED,
                    "prop->handleType %d or allocationType %d is not 0", (int)prop->handleType,
                    (int)prop->allocationType);
    aclrtMemLocationType type = prop->location.type;
    TN_ACL_ARGUMENT(type != ACL_MEM_LOCATION_TYPE_HOST && type != ACL_MEM_LOCATION_TYPE_DEVICE &&
                        (type != ACL_MEM_LOCATION_TYPE_HOST_NUMA || generation < 2),
                    "prop->location.type %d is neither host 0 nor device 1", (int)type);
    TN_ACL_ARGUMENT(
        type == ACL_MEM_LOCATION_TYPE_DEVICE && (traits_of(prop->memAttr) & ON_HOST) != 0,
        "prop->memAttr %d is memory of the host, prop->location is a device", (int)prop->memAttr);
    return check_attribute(prop->memAttr, generation);
}

static aclError read_location(const aclrtPhysicalMemProp *prop, tarn_location *location) {
    struct tn_face_device *device = NULL;
    uint32_t id = prop->location.id;
    switch (prop->location.type) {
    case ACL_MEM_LOCATION_TYPE_DEVICE:
        TN_ACL_TRY(tn_acl_find_device(id, &device));
        *location = (tarn_location){TARN_LOCATION_DEVICE, device->number};
        return ACL_SUCCESS;
    case ACL_MEM_LOCATION_TYPE_HOST:
        *location = (tarn_location){TARN_LOCATION_HOST, 0};
        return id == 0 ? ACL_SUCCESS
                       : tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                                     "prop->location is host %u, not 0", id);
    default:
        *location = (tarn_location){TARN_LOCATION_HOST_NUMA, (int)id};
        return id <= INT32_MAX ? ACL_SUCCESS : tn_acl_find_device(id, NULL);
    }
}

TN_ACL_FUNCTION(aclrtMallocPhysical, aclrtDrvMemHandle *, handle, size_t, size,
                const aclrtPhysicalMemProp *, prop, uint64_t, flags) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    TN_ACL_ARGUMENT(handle == NULL || prop == NULL || size == 0 || flags != 0,
                    "handle %p, size %zu, prop %p, flags %llu", (void *)handle, size,
                    (const void *)prop, (unsigned long long)flags);
    TN_ACL_TRY(check_prop(prop, 2));
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    TN_ACL_TRY(check_prop(prop, tn_acl_face.generation));
    TN_ACL_TRY(read_location(prop, &desc.location));
    TN_ACL_INVALID(prop->reserve != 0, "prop->reserve is %llu, not 0",
                   (unsigned long long)prop->reserve);
    uint64_t unit = is_giant(prop->memAttr) ? TN_ACL_GIANT : TN_ACL_HUGE;
    TN_ACL_REFUSE(unit == TN_ACL_GIANT && size > SIZE_MAX - unit, ACL_ERROR_RT_MEMORY_ALLOCATION,
                  "size %zu exceeds the memory of every device", size);
    if (unit == TN_ACL_GIANT) size = (size + unit - 1) / unit * unit;
    TN_ACL_REFUSE(size % unit != 0, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "size %zu is not a multiple of the granularity, 2 MiB", size);
    const struct tn_face_device *any = &tn_acl_face.devices.of[0];
    desc.page_class = is_giant(prop->memAttr) ? TARN_PAGE_GIANT : TARN_PAGE_HUGE;
    // AscendCL does not announce which memory will be exported.
    desc.shareable = any->info.shareable & TARN_SHAREABLE_TOKEN;
    desc.user[0] = OURS << 32 | (uint64_t)prop->location.type << 16 | (uint64_t)prop->memAttr;
    desc.user[1] = prop->location.id;
    tarn_status status = tarn_phys_create(any->tarn, size, &desc, &phys);
    if (status == TARN_NO_HANDLES) { // only shareable memory needs a descriptor
        desc.shareable = 0;
        status = tarn_phys_create(any->tarn, size, &desc, &phys);
    }
    TN_ACL_TRY(tn_acl_driver(status));
    *handle = (aclrtDrvMemHandle)(uintptr_t)phys;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtFreePhysical, aclrtDrvMemHandle, handle) {
    TN_ACL_POINTER(handle);
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    return tn_acl_status(tarn_phys_release(tn_acl_phys_of(handle)));
}

// ---- queries

TN_ACL_FUNCTION(aclrtMemGetAllocationGranularity, aclrtPhysicalMemProp *, prop,
                aclrtMemGranularityOptions, option, size_t *, granularity) {
    TN_ACL_POINTERS(prop, granularity);
    TN_ACL_TRY(check_attribute(prop->memAttr, 2));
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    TN_ACL_TRY(check_attribute(prop->memAttr, tn_acl_face.generation));
    TN_ACL_UNSUPPORTED(option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
                           option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                       "option %d is neither minimum 0 nor recommended 1", (int)option);
    *granularity = is_giant(prop->memAttr) ? TN_ACL_GIANT : TN_ACL_HUGE;
    return ACL_SUCCESS;
}

// Imported memory may come from a program that does not use AscendCL. Then the properties are
// derived from Tarn's description of the memory.
TN_ACL_FUNCTION(aclrtMemGetAllocationPropertiesFromHandle, aclrtDrvMemHandle, handle,
                aclrtPhysicalMemProp *, prop) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    TN_ACL_POINTERS(handle, prop);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_TRY(tn_acl_status(tarn_phys_query(tn_acl_phys_of(handle), &info)));
    bool on_device = info.location.type == TARN_LOCATION_DEVICE;
    *prop = (aclrtPhysicalMemProp){
        .memAttr = info.page_bytes == TN_ACL_GIANT ? ACL_HBM_MEM_HUGE1G : ACL_HBM_MEM_HUGE,
        .location = {on_device ? (uint32_t)tn_acl_ordinal_of(info.location.id) : 0,
                     on_device ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST}};
    if (info.user[0] >> 32 == OURS) {
        prop->memAttr = (aclrtMemAttr)(info.user[0] & 0xFFFF);
        prop->location.type = (aclrtMemLocationType)(info.user[0] >> 16 & 0xFFFF);
        prop->location.id = on_device ? prop->location.id : (uint32_t)info.user[1];
    }
    return ACL_SUCCESS;
}
