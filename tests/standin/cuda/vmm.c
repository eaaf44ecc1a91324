// SPDX-License-Identifier: Apache-2.0
// Virtual memory, which needs no context. A handle is Tarn's handle of the memory.
#include "standin/cuda/parts.h"

// The start of each function here.
static tn_cu_result enter(void) { return standin_enter_with(STANDIN_NO_VMM); }

static tarn_device *any(void) { return standin.devices[0].tarn; }

// ---- reservations

tn_cu_result cuMemAddressReserve(tn_cu_address *address, size_t bytes, size_t alignment,
                                 tn_cu_address hint, unsigned long long flags) {
    tarn_addr got = 0;
    tn_cu_result result = standin_take(enter());
    if (result == TN_CU_SUCCESS && (address == NULL || flags != 0 || bytes == 0 ||
                                    bytes % standin.devices[0].info.granularity_minimum != 0))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) {
        result =
            standin_from_address(tarn_space_reserve(any(), bytes, alignment, hint, &got), NULL);
    }
    if (result == TN_CU_SUCCESS) *address = got;
    return result;
}

tn_cu_result cuMemAddressFree(tn_cu_address address, size_t bytes) {
    tn_cu_result result = enter();
    return result == TN_CU_SUCCESS ? standin_from_address(tarn_space_release(address, bytes), NULL)
                                   : result;
}

// ---- physical memory

static tn_cu_result check_properties(const tn_cu_properties *properties, tarn_location *location) {
    if (properties == NULL || properties->type != TN_CU_PINNED) return TN_CU_INVALID_VALUE;
    tn_cu_result result = standin_location(properties->location, location);
    if (result != TN_CU_SUCCESS) return result;
    if (location->type != TARN_LOCATION_DEVICE && !standin.host_access) return TN_CU_NOT_SUPPORTED;
    if ((properties->types & ~TN_CU_HANDLE_FD) != 0 ||
        (properties->types != 0 && (standin.without & STANDIN_NO_FD) != 0))
        return TN_CU_NOT_SUPPORTED;
    return TN_CU_SUCCESS;
}

tn_cu_result cuMemGetAllocationGranularity(size_t *bytes, const tn_cu_properties *properties,
                                           int which) {
    tarn_location location;
    tn_cu_result result = enter();
    if (result == TN_CU_SUCCESS && (bytes == NULL || which < 0 || which > 1))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = check_properties(properties, &location);
    if (result == TN_CU_SUCCESS) {
        const tarn_device_info *info = &standin.devices[0].info;
        *bytes = (size_t)(which == TN_CU_GRANULARITY_MINIMUM ? info->granularity_minimum
                                                             : info->granularity_recommended);
    }
    return result;
}

tn_cu_result cuMemCreate(tn_cu_phys *phys, size_t bytes, const tn_cu_properties *properties,
                         unsigned long long flags) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys got = 0;
    tn_cu_result result = standin_take(enter());
    if (result == TN_CU_SUCCESS && (phys == NULL || bytes == 0 || flags != 0))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = check_properties(properties, &desc.location);
    if (result != TN_CU_SUCCESS) return result;
    desc.shareable = properties->types != 0 ? (uint32_t)TARN_SHAREABLE_FD : 0;
    result = standin_from_address(tarn_phys_create(any(), bytes, &desc, &got), NULL);
    if (result == TN_CU_SUCCESS) *phys = got;
    return result;
}

tn_cu_result cuMemRelease(tn_cu_phys phys) {
    tn_cu_result result = enter();
    return result == TN_CU_SUCCESS ? standin_from_address(tarn_phys_release(phys), NULL) : result;
}

tn_cu_result cuMemRetainAllocationHandle(tn_cu_phys *phys, void *address) {
    tarn_phys got = 0;
    tn_cu_result result = enter();
    if (result == TN_CU_SUCCESS && phys == NULL) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS)
        result = standin_from_address(tarn_map_retain(TARN_ADDR(address), &got), NULL);
    if (result == TN_CU_SUCCESS) *phys = got;
    return result;
}

tn_cu_result cuMemGetAllocationPropertiesFromHandle(tn_cu_properties *properties, tn_cu_phys phys) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tn_cu_result result = enter();
    if (result == TN_CU_SUCCESS && properties == NULL) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = standin_from_address(tarn_phys_query(phys, &info), NULL);
    if (result == TN_CU_SUCCESS) {
        *properties = (tn_cu_properties){
            .type = TN_CU_PINNED,
            .types = (info.shareable & TARN_SHAREABLE_FD) != 0 ? TN_CU_HANDLE_FD : 0,
            .location = {(int)info.location.type, info.location.id},
        };
    }
    return result;
}

// ---- mappings

tn_cu_result cuMemMap(tn_cu_address address, size_t bytes, size_t offset, tn_cu_phys phys,
                      unsigned long long flags) {
    tn_cu_result result = standin_take(enter());
    if (result == TN_CU_SUCCESS && (offset != 0 || flags != 0)) result = TN_CU_INVALID_VALUE;
    return result == TN_CU_SUCCESS ? standin_from_address(tarn_map(address, bytes, phys), NULL)
                                   : result;
}

tn_cu_result cuMemUnmap(tn_cu_address address, size_t bytes) {
    tn_cu_result result = enter();
    return result == TN_CU_SUCCESS
               ? standin_from_address(tarn_unmap(address, bytes, TARN_NO_WAIT), NULL)
               : result;
}

// Without peers, a device can access its own memory only.
static tn_cu_result check_reach(tn_cu_address address, tarn_location location) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(address, &info);
    bool own = info.kind != TARN_ADDRESS_MAPPED || info.location.id == location.id;
    return own || (standin.without & STANDIN_NO_PEER) == 0 ? TN_CU_SUCCESS : TN_CU_INVALID_DEVICE;
}

// The host is HOST_NUMA in rights to host memory and HOST in rights to device memory: the strictest
// reading of the documentation.
static tn_cu_result check_host(tn_cu_address address, tarn_location location) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(address, &info);
    bool of_device = info.kind == TARN_ADDRESS_MAPPED && info.location.type == TARN_LOCATION_DEVICE;
    return of_device == (location.type == TARN_LOCATION_HOST) ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}

static tn_cu_result grant_of(tn_cu_address address, const tn_cu_access *access, tarn_grant *grant) {
    tn_cu_result result = standin_location(access->location, &grant->location);
    if (result != TN_CU_SUCCESS) return result;
    if (grant->location.type != TARN_LOCATION_DEVICE && !standin.host_access)
        return TN_CU_NOT_SUPPORTED;
    if (access->flags != TN_CU_ACCESS_NONE && access->flags != TN_CU_ACCESS_READ &&
        access->flags != TN_CU_ACCESS_READ_WRITE)
        return TN_CU_INVALID_VALUE;
    grant->access = (tarn_access)access->flags;
    return grant->location.type == TARN_LOCATION_DEVICE ? check_reach(address, grant->location)
                                                        : check_host(address, grant->location);
}

tn_cu_result cuMemSetAccess(tn_cu_address address, size_t bytes, const tn_cu_access *access,
                            size_t count) {
    tarn_grant grants[STANDIN_DEVICES + 1];
    tn_cu_result result = standin_take(enter());
    if (result == TN_CU_SUCCESS &&
        (access == NULL || count == 0 || count > sizeof grants / sizeof grants[0]))
        result = TN_CU_INVALID_VALUE;
    for (size_t i = 0; i < count && result == TN_CU_SUCCESS; i++)
        result = grant_of(address, &access[i], &grants[i]);
    return result == TN_CU_SUCCESS
               ? standin_from_address(tarn_map_set_access(address, bytes, grants, count), NULL)
               : result;
}

tn_cu_result cuMemGetAccess(unsigned long long *flags, const tn_cu_location *given,
                            tn_cu_address address) {
    tarn_location location;
    tarn_access access = TARN_ACCESS_NONE;
    tn_cu_result result = enter();
    if (result == TN_CU_SUCCESS && (flags == NULL || given == NULL)) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = standin_location(*given, &location);
    if (result == TN_CU_SUCCESS)
        result = standin_from_address(tarn_map_get_access(address, location, &access), NULL);
    if (result == TN_CU_SUCCESS) *flags = (unsigned long long)access;
    return result;
}

// ---- sharing between processes

tn_cu_result cuMemExportToShareableHandle(void *handle, tn_cu_phys phys, int type,
                                          unsigned long long flags) {
    tarn_shareable out = {0, -1, 0};
    tn_cu_result result = standin_take(enter());
    if (result == TN_CU_SUCCESS && (handle == NULL || flags != 0 || type != TN_CU_HANDLE_FD))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS)
        result = standin_from_address(tarn_phys_export(phys, TARN_SHAREABLE_FD, &out), NULL);
    if (result == TN_CU_SUCCESS) *(int *)handle = out.fd;
    return result;
}

// The value of the descriptor, cast to a pointer.
tn_cu_result cuMemImportFromShareableHandle(tn_cu_phys *phys, void *handle, int type) {
    tarn_shareable in = {TARN_SHAREABLE_FD, (int)(intptr_t)handle, 0};
    tarn_phys got = 0;
    tn_cu_result result = standin_take(enter());
    if (result == TN_CU_SUCCESS && (phys == NULL || type != TN_CU_HANDLE_FD))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS && (standin.without & STANDIN_NO_FD) != 0)
        result = TN_CU_NOT_SUPPORTED;
    if (result == TN_CU_SUCCESS)
        result = standin_from_address(tarn_phys_import(any(), &in, &got), NULL);
    if (result == TN_CU_SUCCESS) *phys = got;
    return result;
}
