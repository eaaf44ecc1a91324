// SPDX-License-Identifier: Apache-2.0
// HIP's functions about peers. See compat/runtime/peer.h.
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/runtime/peer.h"

hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId) {
    return TN_HIP_CALL(tn_rt_peer_query(canAccessPeer, deviceId, peerDeviceId));
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
    return TN_HIP_CALL(tn_rt_peer_enable(peerDeviceId, flags));
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
    return TN_HIP_CALL(tn_rt_peer_disable(peerDeviceId));
}

// All paths between the devices are the same and support the atomics of the CPU.
static tn_rt_error get_p2p_attribute(int *value, int attribute, int source, int destination) {
    int can = 0;
    TN_RT_REFUSE(source == destination, TN_RT_INVALID_DEVICE, "device %d cannot be its own peer",
                 source);
    tn_rt_error error = tn_rt_peer_query(value != NULL ? &can : NULL, source, destination);
    if (error != TN_RT_OK) return error;
    switch (attribute) {
    case hipDevP2PAttrPerformanceRank: *value = 0; return TN_RT_OK;
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrNativeAtomicSupported:
    case hipDevP2PAttrHipArrayAccessSupported: *value = can; return TN_RT_OK;
    default: return tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an attribute of peers", attribute);
    }
}

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
                                    int dstDevice) {
    return TN_HIP_CALL(get_p2p_attribute(value, (int)attr, srcDevice, dstDevice));
}
