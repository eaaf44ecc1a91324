// SPDX-License-Identifier: Apache-2.0
// Devices: which there are and which is current.
#include <hip/detail/device.h>

#include "compat/hip/context.h"
#include "compat/hip/face.h"

hipError_t hipInit(unsigned int flags) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && flags != 0) {
        error = tn_hip_fail(hipErrorInvalidValue, "flags 0x%x, only 0 is defined", flags);
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t tell_version(int *version, const char *function) {
    hipError_t error = hipSuccess;
    if (version == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the version shall go is NULL");
    } else {
        *version = HIP_VERSION;
    }
    return tn_hip_leave(error, function);
}

hipError_t hipDriverGetVersion(int *driverVersion) {
    return tell_version(driverVersion, __func__);
}

hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
    return tell_version(runtimeVersion, __func__);
}

hipError_t hipGetDeviceCount(int *count) {
    hipError_t error = tn_hip_enter();
    if (count == NULL && error != hipErrorNoDevice) {
        error = tn_hip_fail(hipErrorInvalidValue, "count is NULL");
    } else if (count != NULL) {
        *count = error == hipSuccess ? tn_hip_face.count : 0;
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t check_ordinal(int ordinal) {
    return tn_hip_device(ordinal) != NULL
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", ordinal,
                             tn_hip_face.count);
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && device == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "device is NULL");
    }
    if (error == hipSuccess) {
        error = check_ordinal(ordinal);
    }
    if (error == hipSuccess) {
        *device = ordinal;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipSetDevice(int deviceId) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = check_ordinal(deviceId);
    }
    if (error == hipSuccess) {
        tn_hip_context_select(deviceId);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipGetDevice(int *deviceId) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && deviceId == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "deviceId is NULL");
    }
    if (error == hipSuccess) {
        *deviceId = tn_hip_self()->device;
    }
    return tn_hip_leave(error, __func__);
}
