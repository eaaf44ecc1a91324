// SPDX-License-Identifier: Apache-2.0
// Peers: which devices reach each other's memory.
#include <hip/detail/device.h>

#include "compat/hip/face.h"

static hipError_t no_device(int ordinal) {
    return tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", ordinal,
                       tn_hip_face.count);
}

static hipError_t can_access(int *can, int device, int peer) {
    const struct tn_hip_device *from = tn_hip_device(device);
    const struct tn_hip_device *to = tn_hip_device(peer);
    bool reaches = false;
    if (can == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "canAccessPeer is NULL");
    }
    if (from == NULL || to == NULL) {
        return no_device(from == NULL ? device : peer);
    }
    hipError_t error =
        from == to ? hipSuccess
                   : tn_hip_from(tarn_device_query_peer(from->tarn, to->tarn, &reaches, NULL));
    if (error == hipSuccess) {
        *can = reaches;
    }
    return error;
}

hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId) {
    return TN_HIP_CALL(can_access(canAccessPeer, deviceId, peerDeviceId));
}

// The peer of the current device; NULL with `error` set when that ordinal is none.
static struct tn_hip_device *peer_of_current(int peer, hipError_t *error) {
    struct tn_hip_device *to = tn_hip_device(peer);
    if (to == NULL) {
        *error = no_device(peer);
    } else if (to == tn_hip_current()) {
        *error = tn_hip_fail(hipErrorInvalidDevice, "device %d is the current one", peer);
        to = NULL;
    }
    return to;
}

static hipError_t enable(int peer, unsigned int flags) {
    hipError_t error = hipSuccess;
    struct tn_hip_device *to = peer_of_current(peer, &error);
    if (flags != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x, only 0 is defined", flags);
    }
    if (to == NULL) {
        return error;
    }
    tarn_status status = tarn_device_enable_peer(tn_hip_current()->tarn, to->tarn);
    error = tn_hip_from(status);
    return status == TARN_BUSY          ? hipErrorPeerAccessAlreadyEnabled
           : status == TARN_UNSUPPORTED ? hipErrorPeerAccessUnsupported
                                        : error;
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
    return TN_HIP_CALL(enable(peerDeviceId, flags));
}

static hipError_t disable(int peer) {
    hipError_t error = hipSuccess;
    struct tn_hip_device *to = peer_of_current(peer, &error);
    if (to == NULL) {
        return error;
    }
    tarn_status status = tarn_device_disable_peer(tn_hip_current()->tarn, to->tarn);
    error = tn_hip_from(status);
    return status == TARN_BAD_ARGUMENT || status == TARN_UNSUPPORTED ? hipErrorPeerAccessNotEnabled
                                                                     : error;
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
    return TN_HIP_CALL(disable(peerDeviceId));
}

// Between devices in one memory every path is the same and knows the CPU's atomics.
static hipError_t p2p_attribute(int *value, int attribute, int source, int destination) {
    int can = 0;
    if (source == destination) {
        return tn_hip_fail(hipErrorInvalidDevice, "device %d twice", source);
    }
    hipError_t error = can_access(value != NULL ? &can : NULL, source, destination);
    if (error != hipSuccess) {
        return error;
    }
    switch (attribute) {
    case hipDevP2PAttrPerformanceRank:
        *value = 0;
        return hipSuccess;
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrNativeAtomicSupported:
    case hipDevP2PAttrHipArrayAccessSupported:
        *value = can;
        return hipSuccess;
    default:
        return tn_hip_fail(hipErrorInvalidValue, "%d is no attribute of peers", attribute);
    }
}

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
                                    int dstDevice) {
    return TN_HIP_CALL(p2p_attribute(value, (int)attr, srcDevice, dstDevice));
}
