// SPDX-License-Identifier: Apache-2.0
// Peers: devices that can use each other's memory. Tarn keeps the state; see peer.h.
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/hip/peer.h"

static tn_rt_error query_access(int *can, int device, int peer) {
    bool reachable = false;
    TN_RT_TRY(tn_rt_check_pointer(can, "canAccessPeer"));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(tn_rt_check_device(peer));
    if (device != peer) {
        TN_RT_TRY(tn_rt_from(tarn_device_query_peer(tn_rt_device(device)->tarn,
                                                    tn_rt_device(peer)->tarn, &reachable, NULL)));
    }
    *can = reachable;
    return TN_RT_OK;
}

hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId) {
    return TN_HIP_CALL(query_access(canAccessPeer, deviceId, peerDeviceId));
}

// A peer of the current device is any other device.
static tn_rt_error check_peer(int peer) {
    TN_RT_TRY(tn_rt_check_device(peer));
    return peer != tn_rt_current()->ordinal
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_DEVICE, "device %d is the current one", peer);
}

tn_rt_error tn_hip_peer_enable(int peer, unsigned flags) {
    if (flags != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x, only 0 is defined", flags);
    }
    TN_RT_TRY(check_peer(peer));
    tarn_status status = tarn_device_enable_peer(tn_rt_current()->tarn, tn_rt_device(peer)->tarn);
    tn_rt_error error = tn_rt_from(status);
    return status == TARN_BUSY          ? TN_RT_PEER_ALREADY_ENABLED
           : status == TARN_UNSUPPORTED ? TN_RT_PEER_UNSUPPORTED
                                        : error;
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
    return TN_HIP_CALL(tn_hip_peer_enable(peerDeviceId, flags));
}

tn_rt_error tn_hip_peer_disable(int peer) {
    TN_RT_TRY(check_peer(peer));
    tarn_status status = tarn_device_disable_peer(tn_rt_current()->tarn, tn_rt_device(peer)->tarn);
    tn_rt_error error = tn_rt_from(status);
    return status == TARN_BAD_ARGUMENT || status == TARN_UNSUPPORTED ? TN_RT_PEER_NOT_ENABLED
                                                                     : error;
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
    return TN_HIP_CALL(tn_hip_peer_disable(peerDeviceId));
}

// All paths between the devices are the same and support the atomics of the CPU.
static tn_rt_error get_p2p_attribute(int *value, int attribute, int source, int destination) {
    int can = 0;
    if (source == destination) {
        return tn_rt_fail(TN_RT_INVALID_DEVICE, "device %d cannot be its own peer", source);
    }
    tn_rt_error error = query_access(value != NULL ? &can : NULL, source, destination);
    if (error != TN_RT_OK) {
        return error;
    }
    switch (attribute) {
    case hipDevP2PAttrPerformanceRank:
        *value = 0;
        return TN_RT_OK;
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrNativeAtomicSupported:
    case hipDevP2PAttrHipArrayAccessSupported:
        *value = can;
        return TN_RT_OK;
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an attribute of peers", attribute);
    }
}

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
                                    int dstDevice) {
    return TN_HIP_CALL(get_p2p_attribute(value, (int)attr, srcDevice, dstDevice));
}
