// SPDX-License-Identifier: Apache-2.0
// Physical memory: handles, and the properties they were created with. Those go with the memory as
// Tarn's words of the caller's, in the two that an importer is told too.
#include "compat/acl/vmm.h"

// ---- attributes

enum { NO_MEMORY = 0, ON_HOST = 1, ANYWHERE = 2, GIANT = 4, LATER = 8 };

// What physical memory can be; LATER: since generation 2.
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

static bool is_giant(aclrtMemAttr attribute) {
    return (traits_of(attribute) & GIANT) != 0;
}

static bool is_known_in(aclrtMemAttr attribute, int generation) {
    unsigned traits = traits_of(attribute);
    return traits != NO_MEMORY && ((traits & LATER) == 0 || generation > 1);
}

static aclError check_attribute(aclrtMemAttr attribute, int generation) {
    return is_known_in(attribute, generation)
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                             "prop->memAttr %d: physical memory is 2 to 7, 10, or 12 to 17",
                             (int)attribute);
}

// ---- properties as words

#define OURS UINT64_C(0x61636c6d) // in the upper half of the first word: "aclm"

static void pack(const aclrtPhysicalMemProp *prop, uint64_t *user) {
    user[0] = OURS << 32 | (uint64_t)prop->location.type << 16 | (uint64_t)prop->memAttr;
    user[1] = prop->location.id;
}

// The words of imported memory are another program's, perhaps no user of AscendCL: then what Tarn
// says of the memory.
static void unpack(const tarn_phys_info *info, aclrtPhysicalMemProp *prop) {
    bool on_device = info->location.type == TARN_LOCATION_DEVICE;
    *prop = (aclrtPhysicalMemProp){
        .memAttr = info->page_bytes == TN_ACL_GIANT ? ACL_HBM_MEM_HUGE1G : ACL_HBM_MEM_HUGE,
        .location = {on_device ? (uint32_t)info->location.id : 0,
                     on_device ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST}};
    if (info->user[0] >> 32 == OURS) {
        prop->memAttr = (aclrtMemAttr)(info->user[0] & 0xFFFF);
        prop->location.type = (aclrtMemLocationType)(info->user[0] >> 16 & 0xFFFF);
        prop->location.id = (uint32_t)info->user[1];
    }
}

// ---- aclrtMallocPhysical

static bool is_location(aclrtMemLocationType type, int generation) {
    return type == ACL_MEM_LOCATION_TYPE_HOST || type == ACL_MEM_LOCATION_TYPE_DEVICE ||
           (type == ACL_MEM_LOCATION_TYPE_HOST_NUMA && generation > 1);
}

static aclError check_prop(const aclrtPhysicalMemProp *prop, int generation) {
    if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE ||
        prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                           "prop->handleType %d, allocationType %d: only 0 is possible",
                           (int)prop->handleType, (int)prop->allocationType);
    }
    if (!is_location(prop->location.type, generation)) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                           "prop->location.type %d, memory is created on host 0 or device 1",
                           (int)prop->location.type);
    }
    if (prop->location.type == ACL_MEM_LOCATION_TYPE_DEVICE &&
        (traits_of(prop->memAttr) & ON_HOST) != 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                           "prop->memAttr %d is memory of the host, prop->location a device",
                           (int)prop->memAttr);
    }
    return check_attribute(prop->memAttr, generation);
}

static aclError check_malloc(const aclrtDrvMemHandle *handle, size_t size,
                             const aclrtPhysicalMemProp *prop, uint64_t flags) {
    if (handle == NULL || prop == NULL || size == 0 || flags != 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "handle %p, size %zu, prop %p, flags %llu",
                           (const void *)handle, size, (const void *)prop,
                           (unsigned long long)flags);
    }
    return check_prop(prop, 2);
}

static aclError find_location(const aclrtPhysicalMemProp *prop, tarn_location *location) {
    uint32_t id = prop->location.id;
    switch (prop->location.type) {
    case ACL_MEM_LOCATION_TYPE_DEVICE:
        *location = (tarn_location){TARN_LOCATION_DEVICE, (int)id};
        return id < (uint32_t)tn_acl_face.count ? ACL_SUCCESS : tn_acl_no_device(id);
    case ACL_MEM_LOCATION_TYPE_HOST:
        *location = (tarn_location){TARN_LOCATION_HOST, 0};
        return id == 0 ? ACL_SUCCESS
                       : tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                                     "prop->location is host %u, only 0 is possible", id);
    default:
        *location = (tarn_location){TARN_LOCATION_HOST_NUMA, (int)id};
        return id <= INT32_MAX ? ACL_SUCCESS : tn_acl_no_device(id);
    }
}

static aclError check_size(size_t *size, const aclrtPhysicalMemProp *prop) {
    if (prop->reserve != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "prop->reserve is %llu, not 0",
                           (unsigned long long)prop->reserve);
    }
    if (is_giant(prop->memAttr)) {
        if (*size > SIZE_MAX - TN_ACL_GIANT) {
            return tn_acl_fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%zu bytes: no device has as many",
                               *size);
        }
        *size = (*size + TN_ACL_GIANT - 1) / TN_ACL_GIANT * TN_ACL_GIANT;
    } else if (*size % TN_ACL_HUGE != 0) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                           "size %zu is no multiple of the granularity, 2 MiB", *size);
    }
    return ACL_SUCCESS;
}

static aclError malloc_physical(aclrtDrvMemHandle *handle, size_t size,
                                const aclrtPhysicalMemProp *prop) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    aclError error = find_location(prop, &desc.location);
    if (error == ACL_SUCCESS) {
        error = check_size(&size, prop);
    }
    if (error != ACL_SUCCESS) {
        return error;
    }
    desc.page_class = is_giant(prop->memAttr) ? TARN_PAGE_GIANT : TARN_PAGE_HUGE;
    // What will be exported AscendCL does not say beforehand.
    desc.shareable = tn_acl_face.devices[0].info.shareable & TARN_SHAREABLE_TOKEN;
    pack(prop, desc.user);
    tarn_status status = tarn_phys_create(tn_acl_face.devices[0].tarn, size, &desc, &phys);
    if (status == TARN_NO_HANDLES) { // a descriptor for each: without, as long as memory is left
        desc.shareable = 0;
        status = tarn_phys_create(tn_acl_face.devices[0].tarn, size, &desc, &phys);
    }
    error = tn_acl_from(status, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    if (error == ACL_SUCCESS) {
        *handle = tn_acl_phys_handle(phys);
    }
    return error;
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
                             const aclrtPhysicalMemProp *prop, uint64_t flags) {
    aclError error = check_malloc(handle, size, prop, flags);
    if (error == ACL_SUCCESS) {
        error = tn_acl_vmm_enter(1);
    }
    if (error == ACL_SUCCESS) {
        error = check_prop(prop, tn_acl_face.generation);
    }
    if (error == ACL_SUCCESS) {
        error = malloc_physical(handle, size, prop);
    }
    return tn_acl_leave(error, __func__);
}

// ---- aclrtFreePhysical

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
    aclError error = handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "handle is NULL")
                                    : tn_acl_vmm_enter(1);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_phys_release(tn_acl_phys_of(handle)), ACL_ERROR_RT_PARAM_INVALID);
    }
    return tn_acl_leave(error, __func__);
}

// ---- what is asked about memory

static aclError get_granularity(const aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option,
                                size_t *granularity) {
    aclError error = check_attribute(prop->memAttr, tn_acl_face.generation);
    if (error == ACL_SUCCESS && option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
        error = tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                            "option %d, there are minimum 0 and recommended 1", (int)option);
    }
    if (error == ACL_SUCCESS) {
        *granularity = is_giant(prop->memAttr) ? TN_ACL_GIANT : TN_ACL_HUGE;
    }
    return error;
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
                                          aclrtMemGranularityOptions option, size_t *granularity) {
    aclError error = ACL_SUCCESS;
    if (prop == NULL || granularity == NULL) {
        error = tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                            prop == NULL ? "prop" : "granularity");
    } else {
        error = check_attribute(prop->memAttr, 2);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_vmm_enter(1);
    }
    if (error == ACL_SUCCESS) {
        error = get_granularity(prop, option, granularity);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                   aclrtPhysicalMemProp *prop) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    aclError error =
        handle == NULL || prop == NULL
            ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL", handle == NULL ? "handle" : "prop")
            : tn_acl_vmm_enter(2);
    if (error == ACL_SUCCESS) {
        error =
            tn_acl_from(tarn_phys_query(tn_acl_phys_of(handle), &info), ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        unpack(&info, prop);
    }
    return tn_acl_leave(error, __func__);
}
