// SPDX-License-Identifier: Apache-2.0
// Mappings, and who may use them. All under the lock of the reservations.
#include "compat/acl/vmm.h"

// ---- aclrtMapMem

struct mapping {
    tarn_addr start;
    uint64_t size;
    tarn_phys phys;
    bool imported;
    tarn_location owner; // who is let in, and what the reservation is tied to
};

static aclError check_shape(const struct mapping *mapping, const tarn_phys_info *info) {
    uint64_t unit = info->page_bytes == TN_ACL_GIANT ? TN_ACL_GIANT : TN_ACL_HUGE;
    if (mapping->start % unit != 0) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                           "virPtr 0x%llx is no multiple of 0x%llx",
                           (unsigned long long)mapping->start, (unsigned long long)unit);
    }
    if (mapping->size != info->bytes) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "size %llu, the memory has %llu",
                           (unsigned long long)mapping->size, (unsigned long long)info->bytes);
    }
    return ACL_SUCCESS;
}

// Imported memory of a device is for the device that it was imported for, not its exporter's.
static tarn_location owner_of(tarn_phys phys, const tarn_phys_info *info) {
    if (info->location.type == TARN_LOCATION_HOST ||
        info->location.type == TARN_LOCATION_HOST_NUMA) {
        return (tarn_location){TARN_LOCATION_HOST, 0};
    }
    return info->imported ? (tarn_location){TARN_LOCATION_DEVICE, tn_acl_share_device(phys)}
                          : info->location;
}

static aclError find_phys(struct mapping *mapping) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    aclError error = tn_acl_from(tarn_phys_query(mapping->phys, &info), ACL_ERROR_RT_PARAM_INVALID);
    if (error == ACL_SUCCESS) {
        mapping->imported = info.imported;
        mapping->owner = owner_of(mapping->phys, &info);
        error = check_shape(mapping, &info);
    }
    return error;
}

static aclError check_space(const struct mapping *mapping, const struct tn_acl_space *space) {
    if (space == NULL || mapping->size > space->start + space->size - mapping->start) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                           "0x%llx and %llu bytes are not in one reservation",
                           (unsigned long long)mapping->start, (unsigned long long)mapping->size);
    }
    if (space->tie.type == 0) {
        return ACL_SUCCESS;
    }
    if (space->tie.type != mapping->owner.type || space->tie.id != mapping->owner.id) {
        bool host = space->tie.type == TARN_LOCATION_HOST;
        return tn_acl_fail(
            ACL_ERROR_RT_DRV_INTERNAL_ERROR, "the reservation at 0x%llx is for memory of %s %d",
            (unsigned long long)space->start, host ? "host" : "device", space->tie.id);
    }
    if (space->imported != mapping->imported) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                           "the reservation at 0x%llx is for %s memory",
                           (unsigned long long)space->start, space->imported ? "imported" : "own");
    }
    return ACL_SUCCESS;
}

static aclError map_in(const struct mapping *mapping, struct tn_acl_space *space, bool access) {
    tarn_grant grant = {mapping->owner, TARN_ACCESS_READ_WRITE};
    aclError error = check_space(mapping, space);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_map(mapping->start, mapping->size, mapping->phys),
                            ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (access) {
        error = tn_acl_from(tarn_map_set_access(mapping->start, mapping->size, &grant, 1),
                            ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    if (error != ACL_SUCCESS) {
        (void)tarn_unmap(mapping->start, mapping->size, TARN_NO_WAIT);
        return error;
    }
    space->tie = mapping->owner;
    space->imported = mapping->imported;
    return ACL_SUCCESS;
}

static aclError check_map(const void *virPtr, size_t size, aclrtDrvMemHandle handle,
                          uint64_t flags) {
    return virPtr == NULL || size == 0 || handle == NULL || flags != 0
               ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "virPtr %p, size %zu, handle %p, flags %llu",
                             virPtr, size, handle, (unsigned long long)flags)
               : ACL_SUCCESS;
}

static aclError map(const void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                    bool access) {
    struct mapping mapping = {tn_acl_addr(virPtr), size, tn_acl_phys_of(handle), false, {0, 0}};
    if (offset != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "offset %zu, only 0 is possible", offset);
    }
    aclError error = find_phys(&mapping);
    if (error == ACL_SUCCESS) {
        struct tn_acl_space *space = tn_acl_space_lock(mapping.start);
        error = map_in(&mapping, space, access);
        tn_acl_space_unlock();
    }
    return error;
}

aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
    aclError error = check_map(virPtr, size, handle, flags);
    if (error == ACL_SUCCESS) {
        error = tn_acl_vmm_enter(1);
    }
    if (error == ACL_SUCCESS) {
        error = map(virPtr, size, offset, handle, true);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags) {
    aclError error = check_map(virPtr, size, handle, flags);
    if (error == ACL_SUCCESS) {
        error = tn_acl_vmm_enter(2);
    }
    if (error == ACL_SUCCESS) {
        error = map(virPtr, size, offset, handle, false);
    }
    return tn_acl_leave(error, __func__);
}

// ---- a mapping of the program's, by its first byte

// Under the lock. `space` is the reservation that the address is in.
static aclError find_mapping(tarn_addr start, const struct tn_acl_space *space, uint64_t *size) {
    tarn_addr base = 0;
    if (space == NULL || tarn_map_query(start, &base, size, NULL) != TARN_OK || base != start) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "no mapping starts at 0x%llx",
                           (unsigned long long)start);
    }
    return ACL_SUCCESS;
}

static aclError unmap(tarn_addr start) {
    uint64_t size = 0;
    aclError error = find_mapping(start, tn_acl_space_lock(start), &size);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_unmap(start, size, TARN_NO_WAIT), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    tn_acl_space_unlock();
    return error;
}

aclError aclrtUnmapMem(void *virPtr) {
    aclError error = virPtr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "virPtr is NULL")
                                    : tn_acl_vmm_enter(1);
    if (error == ACL_SUCCESS) {
        error = unmap(tn_acl_addr(virPtr));
    }
    return tn_acl_leave(error, __func__);
}

static aclError retain(tarn_addr start, aclrtDrvMemHandle *handle) {
    uint64_t size = 0;
    tarn_phys phys = 0;
    aclError error = find_mapping(start, tn_acl_space_lock(start), &size);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_map_retain(start, &phys), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    tn_acl_space_unlock();
    if (error == ACL_SUCCESS) {
        *handle = tn_acl_phys_handle(phys);
    }
    return error;
}

aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle) {
    aclError error = virPtr == NULL || handle == NULL
                         ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                                       virPtr == NULL ? "virPtr" : "handle")
                         : tn_acl_vmm_enter(2);
    if (error == ACL_SUCCESS) {
        error = retain(tn_acl_addr(virPtr), handle);
    }
    return tn_acl_leave(error, __func__);
}

// ---- rights

static aclError set_one(tarn_addr start, size_t size, const aclrtMemAccessDesc *desc) {
    tarn_grant grant = {{0, 0}, TARN_ACCESS_READ_WRITE};
    uint64_t bytes = 0;
    aclError error = tn_acl_access_location(desc->location, &grant.location);
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (desc->flags != ACL_RT_MEM_ACCESS_FLAGS_READWRITE) {
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "desc->flags %d, only read and write, 3, is given", (int)desc->flags);
    }
    error = find_mapping(start, tn_acl_space_lock(start), &bytes);
    if (error == ACL_SUCCESS && bytes != size) {
        error = tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "size %zu, the mapping has %llu", size,
                            (unsigned long long)bytes);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_map_set_access(start, size, &grant, 1),
                            ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    tn_acl_space_unlock();
    return error;
}

static aclError set_access(const void *virPtr, size_t size, const aclrtMemAccessDesc *desc,
                           size_t count) {
    aclError error = ACL_SUCCESS;
    if (virPtr == NULL || desc == NULL || count == 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p, desc %p, count %zu", virPtr,
                           (const void *)desc, count);
    }
    for (size_t i = 0; i < count && error == ACL_SUCCESS; i++) {
        error = set_one(tn_acl_addr(virPtr), size, &desc[i]);
    }
    return error;
}

aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count) {
    aclError error = tn_acl_vmm_enter(2);
    if (error == ACL_SUCCESS) {
        error = set_access(virPtr, size, desc, count);
    }
    return tn_acl_leave(error, __func__);
}

static aclError get_access(tarn_addr addr, aclrtMemLocation given, uint64_t *flag) {
    tarn_location location = {0, 0};
    tarn_access access = TARN_ACCESS_NONE;
    aclError error = tn_acl_access_location(given, &location);
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (tn_acl_space_lock(addr) == NULL) {
        error = tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "0x%llx is in no reservation",
                            (unsigned long long)addr);
    } else {
        error = tn_acl_from(tarn_map_get_access(addr, location, &access),
                            ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    tn_acl_space_unlock();
    if (error == ACL_SUCCESS) {
        *flag = (uint64_t)access;
    }
    return error;
}

aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag) {
    aclError error = ACL_SUCCESS;
    if (virPtr == NULL || location == NULL || flag == NULL) {
        error = tn_acl_fail(ACL_ERROR_INVALID_PARAM, "virPtr %p, location %p, flag %p", virPtr,
                            (void *)location, (void *)flag);
    } else {
        error = tn_acl_vmm_enter(2);
    }
    if (error == ACL_SUCCESS) {
        error = get_access(tn_acl_addr(virPtr), *location, flag);
    }
    return tn_acl_leave(error, __func__);
}
