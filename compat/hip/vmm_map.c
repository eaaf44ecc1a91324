// SPDX-License-Identifier: Apache-2.0
// Mappings and access rights. The file has no state, so any thread may call its functions.
#include <stdlib.h>

#include "compat/hip/vmm.h"

_Static_assert((int)hipMemAccessFlagsProtNone == (int)TARN_ACCESS_NONE &&
                   (int)hipMemAccessFlagsProtRead == (int)TARN_ACCESS_READ &&
                   (int)hipMemAccessFlagsProtReadWrite == (int)TARN_ACCESS_READ_WRITE,
               "rights have the same numbers");

// ---- hipMemMap and hipMemUnmap

static tn_rt_error map_memory(const void *ptr, size_t size, size_t offset,
                              hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
    if (offset != 0 || flags != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "offset %zu, flags 0x%llx: both must be 0", offset,
                          flags);
    }
    return tn_rt_translate(tarn_map(tn_hip_addr(ptr), size, tn_hip_phys_of(handle)),
                           TN_RT_INVALID_VALUE);
}

hipError_t hipMemMap(void *ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
    return TN_HIP_VMM_CALL(map_memory(ptr, size, offset, handle, flags));
}

hipError_t hipMemUnmap(void *ptr, size_t size) {
    return TN_HIP_VMM_CALL(
        tn_rt_translate(tarn_unmap(tn_hip_addr(ptr), size, 0), TN_RT_INVALID_VALUE));
}

// ---- rights

static bool is_host(hipMemLocation location) { return location.type != hipMemLocationTypeDevice; }

// In these functions an unknown device is an invalid value.
static tn_rt_error convert_location(hipMemLocation given, tarn_location *location) {
    return tn_hip_location(given, location) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
}

// ---- hipMemSetAccess

#define FEW_GRANTS 8 // need no allocation

static tn_rt_error convert_grants(const hipMemAccessDesc *desc, size_t count, tarn_grant *grants) {
    for (size_t i = 0; i < count; i++) {
        tn_rt_error error = convert_location(desc[i].location, &grants[i].location);
        if (error != TN_RT_OK) return error;
        grants[i].access = (tarn_access)desc[i].flags;
    }
    return TN_RT_OK;
}

// NOT_SUPPORTED is the error only if the platform cannot give rights to the host. A device without
// access is an invalid value.
static tn_rt_error access_error(tarn_status status, const hipMemAccessDesc *desc, size_t count) {
    tn_rt_error error = tn_rt_translate(status, TN_RT_INVALID_VALUE);
    for (size_t i = 0; i < count && error == TN_RT_NOT_SUPPORTED; i++)
        if (is_host(desc[i].location) && !tn_hip_host_access()) return error;
    return error == TN_RT_NOT_SUPPORTED ? TN_RT_INVALID_VALUE : error;
}

static tn_rt_error set_access(const void *ptr, size_t size, const hipMemAccessDesc *desc,
                              size_t count) {
    tarn_grant few[FEW_GRANTS];
    tarn_grant *grants = few;
    if (desc == NULL || count == 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "desc %p, count %zu", (const void *)desc, count);
    if (count > FEW_GRANTS) {
        grants = calloc(count, sizeof *grants);
        if (grants == NULL)
            return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no memory for %zu descriptions", count);
    }
    tn_rt_error error = convert_grants(desc, count, grants);
    if (error == TN_RT_OK) {
        error =
            access_error(tarn_map_set_access(tn_hip_addr(ptr), size, grants, count), desc, count);
    }
    if (grants != few) free(grants);
    return error;
}

hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc, size_t count) {
    return TN_HIP_VMM_CALL(set_access(ptr, size, desc, count));
}

// ---- hipMemGetAccess

static tn_rt_error get_access(unsigned long long *flags, const hipMemLocation *given,
                              const void *ptr) {
    tarn_location location;
    tarn_access access = TARN_ACCESS_NONE;
    if (flags == NULL || given == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags %p, location %p", (void *)flags,
                          (const void *)given);
    }
    TN_RT_TRY(convert_location(*given, &location));
    if (is_host(*given) && !tn_hip_host_access())
        return tn_rt_fail(TN_RT_INVALID_VALUE, "the host cannot have rights on this platform");
    TN_RT_TRY(tn_rt_translate(tarn_map_get_access(tn_hip_addr(ptr), location, &access),
                              TN_RT_INVALID_VALUE));
    *flags = (unsigned long long)access;
    return TN_RT_OK;
}

hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location, void *ptr) {
    return TN_HIP_VMM_CALL(get_access(flags, location, ptr));
}
