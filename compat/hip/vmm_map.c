// SPDX-License-Identifier: Apache-2.0
// Mappings and access rights. The file has no state, so any thread may call its functions.
#include <stdlib.h>

#include "compat/hip/vmm.h"

_Static_assert((int)hipMemAccessFlagsProtNone == (int)TARN_ACCESS_NONE &&
                   (int)hipMemAccessFlagsProtRead == (int)TARN_ACCESS_READ &&
                   (int)hipMemAccessFlagsProtReadWrite == (int)TARN_ACCESS_READ_WRITE,
               "rights have the same numbers");

// ---- hipMemMap and hipMemUnmap

static hipError_t map_memory(const void *ptr, size_t size, size_t offset,
                             hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
    if (offset != 0 || flags != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "offset %zu, flags 0x%llx: both must be 0", offset,
                           flags);
    }
    return tn_hip_translate(tarn_map(tn_hip_addr(ptr), size, tn_hip_phys_of(handle)),
                            hipErrorInvalidValue);
}

hipError_t hipMemMap(void *ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
    return TN_HIP_VMM_CALL(map_memory(ptr, size, offset, handle, flags));
}

hipError_t hipMemUnmap(void *ptr, size_t size) {
    return TN_HIP_VMM_CALL(
        tn_hip_translate(tarn_unmap(tn_hip_addr(ptr), size, 0), hipErrorInvalidValue));
}

// ---- rights

static bool is_host(hipMemLocation location) {
    return location.type != hipMemLocationTypeDevice;
}

// In these functions an unknown device is an invalid value.
static hipError_t convert_location(hipMemLocation given, tarn_location *location) {
    return tn_hip_location(given, location) == hipSuccess ? hipSuccess : hipErrorInvalidValue;
}

// ---- hipMemSetAccess

#define FEW_GRANTS 8 // need no allocation

static hipError_t convert_grants(const hipMemAccessDesc *desc, size_t count, tarn_grant *grants) {
    for (size_t i = 0; i < count; i++) {
        hipError_t error = convert_location(desc[i].location, &grants[i].location);
        if (error != hipSuccess) {
            return error;
        }
        grants[i].access = (tarn_access)desc[i].flags;
    }
    return hipSuccess;
}

// NOT_SUPPORTED is the error only if the platform cannot give rights to the host. A device without
// access is an invalid value.
static hipError_t access_error(tarn_status status, const hipMemAccessDesc *desc, size_t count) {
    hipError_t error = tn_hip_translate(status, hipErrorInvalidValue);
    for (size_t i = 0; i < count && error == hipErrorNotSupported; i++) {
        if (is_host(desc[i].location) && !tn_hip_host_access()) {
            return error;
        }
    }
    return error == hipErrorNotSupported ? hipErrorInvalidValue : error;
}

static hipError_t set_access(const void *ptr, size_t size, const hipMemAccessDesc *desc,
                             size_t count) {
    tarn_grant few[FEW_GRANTS];
    tarn_grant *grants = few;
    if (desc == NULL || count == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "desc %p, count %zu", (const void *)desc, count);
    }
    if (count > FEW_GRANTS) {
        grants = calloc(count, sizeof *grants);
        if (grants == NULL) {
            return tn_hip_fail(hipErrorOutOfMemory, "no memory for %zu descriptions", count);
        }
    }
    hipError_t error = convert_grants(desc, count, grants);
    if (error == hipSuccess) {
        error =
            access_error(tarn_map_set_access(tn_hip_addr(ptr), size, grants, count), desc, count);
    }
    if (grants != few) {
        free(grants);
    }
    return error;
}

hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc, size_t count) {
    return TN_HIP_VMM_CALL(set_access(ptr, size, desc, count));
}

// ---- hipMemGetAccess

static hipError_t get_access(unsigned long long *flags, const hipMemLocation *given,
                             const void *ptr) {
    tarn_location location;
    tarn_access access = TARN_ACCESS_NONE;
    if (flags == NULL || given == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "flags %p, location %p", (void *)flags,
                           (const void *)given);
    }
    TN_HIP_TRY(convert_location(*given, &location));
    if (is_host(*given) && !tn_hip_host_access()) {
        return tn_hip_fail(hipErrorInvalidValue, "the host cannot have rights on this platform");
    }
    TN_HIP_TRY(tn_hip_translate(tarn_map_get_access(tn_hip_addr(ptr), location, &access),
                                hipErrorInvalidValue));
    *flags = (unsigned long long)access;
    return hipSuccess;
}

hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location, void *ptr) {
    return TN_HIP_VMM_CALL(get_access(flags, location, ptr));
}
