// SPDX-License-Identifier: Apache-2.0
// Peers: devices that can use each other's memory. Tarn keeps the state; see peer.h.
#include <hip/detail/device.h>

#include "compat/hip/peer.h"

static hipError_t query_access(int *can, int device, int peer) {
    bool reachable = false;
    TN_HIP_TRY(tn_hip_check_pointer(can, "canAccessPeer"));
    TN_HIP_TRY(tn_hip_check_device(device));
    TN_HIP_TRY(tn_hip_check_device(peer));
    if (device != peer) {
        TN_HIP_TRY(tn_hip_from(tarn_device_query_peer(
            tn_hip_device(device)->tarn, tn_hip_device(peer)->tarn, &reachable, NULL)));
    }
    *can = reachable;
    return hipSuccess;
}

hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId) {
    return TN_HIP_CALL(query_access(canAccessPeer, deviceId, peerDeviceId));
}

// A peer of the current device is any other device.
static hipError_t check_peer(int peer) {
    TN_HIP_TRY(tn_hip_check_device(peer));
    return peer != tn_hip_current()->hip
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidDevice, "device %d is the current one", peer);
}

hipError_t tn_hip_peer_enable(int peer, unsigned flags) {
    if (flags != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x, only 0 is defined", flags);
    }
    TN_HIP_TRY(check_peer(peer));
    tarn_status status = tarn_device_enable_peer(tn_hip_current()->tarn, tn_hip_device(peer)->tarn);
    hipError_t error = tn_hip_from(status);
    return status == TARN_BUSY          ? hipErrorPeerAccessAlreadyEnabled
           : status == TARN_UNSUPPORTED ? hipErrorPeerAccessUnsupported
                                        : error;
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
    return TN_HIP_CALL(tn_hip_peer_enable(peerDeviceId, flags));
}

hipError_t tn_hip_peer_disable(int peer) {
    TN_HIP_TRY(check_peer(peer));
    tarn_status status =
        tarn_device_disable_peer(tn_hip_current()->tarn, tn_hip_device(peer)->tarn);
    hipError_t error = tn_hip_from(status);
    return status == TARN_BAD_ARGUMENT || status == TARN_UNSUPPORTED ? hipErrorPeerAccessNotEnabled
                                                                     : error;
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
    return TN_HIP_CALL(tn_hip_peer_disable(peerDeviceId));
}

// All paths between the devices are the same and support the atomics of the CPU.
static hipError_t get_p2p_attribute(int *value, int attribute, int source, int destination) {
    int can = 0;
    if (source == destination) {
        return tn_hip_fail(hipErrorInvalidDevice, "device %d cannot be its own peer", source);
    }
    hipError_t error = query_access(value != NULL ? &can : NULL, source, destination);
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
        return tn_hip_fail(hipErrorInvalidValue, "%d is not an attribute of peers", attribute);
    }
}

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
                                    int dstDevice) {
    return TN_HIP_CALL(get_p2p_attribute(value, (int)attr, srcDevice, dstDevice));
}
