// SPDX-License-Identifier: Apache-2.0
// HIP's functions about peers. See compat/runtime/peer.h.
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/runtime/peer.h"

TN_HIP_ROW(hipDeviceCanAccessPeer, tn_rt_peer_query, int *, int, int)
TN_HIP_ROW(hipDeviceEnablePeerAccess, tn_rt_peer_enable, int, unsigned int)

_Static_assert((int)hipDevP2PAttrPerformanceRank == TN_RT_PEER_RANK &&
                   (int)hipDevP2PAttrHipArrayAccessSupported == TN_RT_PEER_ARRAYS,
               "attributes have the same numbers");

TN_HIP_ROW(hipDeviceGetP2PAttribute, tn_rt_peer_attribute, int *, hipDeviceP2PAttr, int, int)
