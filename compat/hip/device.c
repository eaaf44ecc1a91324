// SPDX-License-Identifier: Apache-2.0
// Versions, the number of devices, their identity, the current device, and peers.
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/device/identity.h"
#include "compat/runtime/device/peer.h"

TN_HIP_FUNCTION(hipInit, unsigned int, flags) {
    return flags == 0 ? TN_RT_OK
                      : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x, only 0 is defined", flags);
}

// Works without a device.
static tn_rt_error get_version(int *version, const char *name) {
    TN_RT_TRY(tn_rt_check_pointer(version, name));
    *version = tn_hip_version();
    return TN_RT_OK;
}

hipError_t hipDriverGetVersion(int *driverVersion) {
    return tn_hip_leave(get_version(driverVersion, "driverVersion"), __func__);
}

hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
    return tn_hip_leave(get_version(runtimeVersion, "runtimeVersion"), __func__);
}

// The count is 0 on an error. The error of a face without devices precedes that of `count`.
static tn_rt_error get_count(int *count) {
    tn_rt_error error = tn_hip_ready() ? TN_RT_OK : tn_hip_refusal();
    if (count == NULL)
        return error == TN_RT_NO_DEVICE ? error : tn_rt_check_pointer(count, "count");
    *count = error == TN_RT_OK ? tn_rt_devices.count : 0;
    return error;
}

hipError_t hipGetDeviceCount(int *count) { return tn_hip_leave(get_count(count), __func__); }

// ---- identity

TN_HIP_ROW(hipDeviceGetUuid, tn_rt_device_uuid, hipUUID *, uuid, hipDevice_t, device)

// ---- the current device

TN_HIP_FUNCTION(hipSetDevice, int, deviceId) {
    TN_RT_TRY(tn_rt_check_device(deviceId));
    return tn_rt_context_select(deviceId);
}

TN_HIP_FUNCTION(hipGetDevice, int *, deviceId) {
    TN_RT_TRY(tn_rt_check_pointer(deviceId, "deviceId"));
    *deviceId = tn_rt_current()->ordinal;
    return TN_RT_OK;
}

// ---- peers

TN_HIP_ROW(hipDeviceEnablePeerAccess, tn_rt_peer_enable, int, peerDeviceId, unsigned int, flags)

_Static_assert((int)hipDevP2PAttrPerformanceRank == TN_RT_PEER_RANK &&
                   (int)hipDevP2PAttrHipArrayAccessSupported == TN_RT_PEER_ARRAYS,
               "attributes have the same numbers");

TN_HIP_ROW(hipDeviceGetP2PAttribute, tn_rt_peer_attribute, int *, value, hipDeviceP2PAttr, attr,
           int, srcDevice, int, dstDevice)
