// SPDX-License-Identifier: Apache-2.0
// Mappings, and the rights to them. The lock makes three actions one step: checking a reservation's
// tie, mapping, and storing the new tie.
#include <pthread.h>

#include "compat/acl/fork.h"
#include "compat/acl/vmm.h"
#include "compat/face/scope.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
TN_FACE_ON_FORK(TN_ACL_LOCK_SPACE, &lock, NULL);

// ---- aclrtMapMem

// Memory of a device that was imported belongs to the device that it was imported for, not to its
// exporter's.
static tarn_location owner_of(tarn_phys phys, const tarn_phys_info *info) {
    if (info->location.type == TARN_LOCATION_HOST || info->location.type == TARN_LOCATION_HOST_NUMA)
        return (tarn_location){TARN_LOCATION_HOST, 0};
    return info->imported ? (tarn_location){TARN_LOCATION_DEVICE, tn_acl_share_device(phys)}
                          : info->location;
}

static aclError check_tie(const struct tn_acl_space *space, tarn_location owner, bool imported) {
    bool host = space->tie.type == TARN_LOCATION_HOST;
    if (space->tie.type == 0) return ACL_SUCCESS;
    TN_ACL_REFUSE(space->tie.type != owner.type || space->tie.id != owner.id,
                  ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "the reservation at 0x%llx is for memory of %s %d",
                  (unsigned long long)space->start, host ? "host" : "device", space->tie.id);
    TN_ACL_REFUSE(space->imported != imported, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "the reservation at 0x%llx is for %s memory", (unsigned long long)space->start,
                  space->imported ? "imported" : "own");
    return ACL_SUCCESS;
}

// The function without access is one of generation 2. The owner of the memory gets the rights, and
// the reservation is tied to it.
static aclError map_memory(const void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                           uint64_t flags, bool access) {
    tarn_address_info address = TARN_INIT(tarn_address_info);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    struct tn_acl_space space;
    tarn_addr start = TARN_ADDR(virPtr);
    tarn_phys phys = tn_acl_phys_of(handle);
    TN_ACL_ARGUMENT(virPtr == NULL || size == 0 || handle == NULL || flags != 0,
                    "virPtr %p, size %zu, handle %p, flags %llu", virPtr, size, handle,
                    (unsigned long long)flags);
    TN_ACL_TRY(tn_acl_vmm_enter(access ? 1 : 2));
    TN_ACL_INVALID(offset != 0, "offset %zu is not 0", offset);
    TN_ACL_TRY(tn_acl_status(tarn_phys_query(phys, &info)));
    uint64_t unit = info.page_bytes == TN_ACL_GIANT ? TN_ACL_GIANT : TN_ACL_HUGE;
    TN_ACL_REFUSE(start % unit != 0, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "virPtr 0x%llx is not a multiple of 0x%llx", (unsigned long long)start,
                  (unsigned long long)unit);
    TN_ACL_REFUSE(size != info.bytes, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "size %zu is not that of the memory, %llu", size, (unsigned long long)info.bytes);
    const tarn_grant grant = {owner_of(phys, &info), TARN_ACCESS_READ_WRITE};
    TN_FACE_LOCKED(&lock);
    (void)tarn_address_query(start, &address);
    TN_ACL_REFUSE(!tn_acl_space_read(&address, &space) || size > space.start + space.bytes - start,
                  ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "0x%llx and %zu bytes are not in one reservation", (unsigned long long)start,
                  size);
    TN_ACL_TRY(check_tie(&space, grant.location, info.imported));
    TN_ACL_TRY(tn_acl_driver(tarn_map(start, size, phys)));
    aclError error =
        access ? tn_acl_driver(tarn_map_set_access(start, size, &grant, 1)) : ACL_SUCCESS;
    if (error != ACL_SUCCESS) {
        (void)tarn_unmap(start, size, TARN_NO_WAIT);
        return error;
    }
    space.tie = grant.location;
    space.imported = info.imported;
    tn_acl_space_tie(&space);
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtMapMem, TN_FACE_EXPRESSION(map_memory(virPtr, size, offset, handle, flags, true)),
           void *, virPtr, size_t, size, size_t, offset, aclrtDrvMemHandle, handle, uint64_t, flags)

TN_ACL_ROW(aclrtMemMapNoAccess,
           TN_FACE_EXPRESSION(map_memory(virPtr, size, offset, handle, flags, false)), void *,
           virPtr, size_t, size, size_t, offset, aclrtDrvMemHandle, handle, uint64_t, flags)

// ---- a mapping of the program, by its first byte

static aclError find_mapping(tarn_addr start, uint64_t *bytes) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(start, &info);
    TN_ACL_REFUSE(
        info.kind != TARN_ADDRESS_MAPPED || info.owner != TARN_OWNER_FACE || info.base != start,
        ACL_ERROR_RT_DRV_INTERNAL_ERROR, "no mapping starts at 0x%llx", (unsigned long long)start);
    *bytes = info.bytes;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtUnmapMem, void *, virPtr) {
    tarn_addr start = TARN_ADDR(virPtr);
    uint64_t bytes = 0;
    TN_ACL_POINTER(virPtr);
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    aclError error = find_mapping(start, &bytes);
    if (error != ACL_SUCCESS) {
        tarn_annotate_refused("tarn_unmap", start);
        return error;
    }
    return tn_acl_driver(tarn_unmap(start, bytes, TARN_NO_WAIT));
}

TN_ACL_FUNCTION(aclrtMemRetainAllocationHandle, void *, virPtr, aclrtDrvMemHandle *, handle) {
    uint64_t bytes = 0;
    tarn_phys phys = 0;
    TN_ACL_POINTERS(virPtr, handle);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_TRY(find_mapping(TARN_ADDR(virPtr), &bytes));
    TN_ACL_TRY(tn_acl_driver(tarn_map_retain(TARN_ADDR(virPtr), &phys)));
    *handle = (aclrtDrvMemHandle)(uintptr_t)phys;
    return ACL_SUCCESS;
}

// ---- rights

// Converts a place that has rights: a device, or the host with id 0.
static aclError read_location(aclrtMemLocation given, tarn_location *location) {
    if (given.type == ACL_MEM_LOCATION_TYPE_DEVICE) {
        TN_ACL_DEVICE(device, tn_acl_find_device(given.id, &device));
        *location = (tarn_location){TARN_LOCATION_DEVICE, device->number};
        return ACL_SUCCESS;
    }
    TN_ACL_INVALID(given.type != ACL_MEM_LOCATION_TYPE_HOST || given.id != 0,
                   "location type %d with id %u is neither host 0 with id 0 nor device 1",
                   (int)given.type, given.id);
    *location = (tarn_location){TARN_LOCATION_HOST, 0};
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemSetAccess, void *, virPtr, size_t, size, aclrtMemAccessDesc *, desc, size_t,
                count) {
    tarn_grant grant = {{0, 0}, TARN_ACCESS_READ_WRITE};
    uint64_t bytes = 0;
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_INVALID(virPtr == NULL || desc == NULL || count == 0, "virPtr %p, desc %p, count %zu",
                   virPtr, (void *)desc, count);
    for (size_t i = 0; i < count; i++) {
        TN_ACL_TRY(read_location(desc[i].location, &grant.location));
        TN_ACL_UNSUPPORTED(desc[i].flags != ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
                           "desc->flags %d is not 3, read and write", (int)desc[i].flags);
        TN_ACL_TRY(find_mapping(TARN_ADDR(virPtr), &bytes));
        TN_ACL_REFUSE(bytes != size, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                      "size %zu is not that of the mapping, %llu", size, (unsigned long long)bytes);
        TN_ACL_TRY(tn_acl_driver(tarn_map_set_access(TARN_ADDR(virPtr), size, &grant, 1)));
    }
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemGetAccess, void *, virPtr, aclrtMemLocation *, location, uint64_t *, flag) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    struct tn_acl_space space;
    tarn_location place = {0, 0};
    tarn_access access = TARN_ACCESS_NONE;
    TN_ACL_POINTERS(virPtr, location);
    TN_ACL_POINTER(flag);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_TRY(read_location(*location, &place));
    (void)tarn_address_query(TARN_ADDR(virPtr), &info);
    TN_ACL_REFUSE(!tn_acl_space_read(&info, &space), ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "0x%llx is in no reservation", (unsigned long long)TARN_ADDR(virPtr));
    TN_ACL_TRY(tn_acl_driver(tarn_map_get_access(TARN_ADDR(virPtr), place, &access)));
    *flag = (uint64_t)access;
    return ACL_SUCCESS;
}
