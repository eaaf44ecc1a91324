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

_Static_assert((int)hipDevP2PAttrPerformanceRank == TN_RT_PEER_RANK &&
                   (int)hipDevP2PAttrHipArrayAccessSupported == TN_RT_PEER_ARRAYS,
               "attributes have the same numbers");

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
                                    int dstDevice) {
    return TN_HIP_CALL(tn_rt_peer_attribute(value, (int)attr, srcDevice, dstDevice));
}
