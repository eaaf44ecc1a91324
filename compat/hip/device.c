// SPDX-License-Identifier: Apache-2.0
// Versions, the number of devices, and the current device.
#include <hip/detail/device.h>

#include "compat/hip/context.h"
#include "compat/hip/face.h"

static hipError_t check_init_flags(unsigned flags) {
    return flags == 0 ? hipSuccess
                      : tn_hip_fail(hipErrorInvalidValue, "flags 0x%x, only 0 is defined", flags);
}

hipError_t hipInit(unsigned int flags) {
    return TN_HIP_CALL(check_init_flags(flags));
}

#define VERSION_OF_LEVEL_7 70226015 // 7.2

// Works without a device.
static hipError_t get_version(int *version, const char *name) {
    TN_HIP_TRY(tn_hip_check_pointer(version, name));
    *version = tn_hip_level() == 7 ? VERSION_OF_LEVEL_7 : HIP_VERSION;
    return hipSuccess;
}

hipError_t hipDriverGetVersion(int *driverVersion) {
    return tn_hip_leave(get_version(driverVersion, "driverVersion"), __func__);
}

hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
    return tn_hip_leave(get_version(runtimeVersion, "runtimeVersion"), __func__);
}

// The count is 0 on an error. The error of a face without devices precedes that of `count`.
static hipError_t get_count(int *count) {
    hipError_t error = tn_hip_ready() ? hipSuccess : tn_hip_refusal();
    if (count == NULL) {
        return error == hipErrorNoDevice ? error : tn_hip_check_pointer(count, "count");
    }
    *count = error == hipSuccess ? tn_hip_face.count : 0;
    return error;
}

hipError_t hipGetDeviceCount(int *count) {
    return tn_hip_leave(get_count(count), __func__);
}

static hipError_t get_device_by_ordinal(hipDevice_t *device, int ordinal) {
    TN_HIP_TRY(tn_hip_check_pointer(device, "device"));
    TN_HIP_TRY(tn_hip_check_device(ordinal));
    *device = ordinal;
    return hipSuccess;
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
    return TN_HIP_CALL(get_device_by_ordinal(device, ordinal));
}

static hipError_t select_device(int ordinal) {
    TN_HIP_TRY(tn_hip_check_device(ordinal));
    tn_hip_context_select(ordinal);
    return hipSuccess;
}

hipError_t hipSetDevice(int deviceId) {
    return TN_HIP_CALL(select_device(deviceId));
}

static hipError_t get_current_device(int *ordinal) {
    TN_HIP_TRY(tn_hip_check_pointer(ordinal, "deviceId"));
    *ordinal = tn_hip_current()->hip;
    return hipSuccess;
}

hipError_t hipGetDevice(int *deviceId) {
    return TN_HIP_CALL(get_current_device(deviceId));
}
