// SPDX-License-Identifier: Apache-2.0
// Access of the current device to a peer's memory, for hipDeviceEnablePeerAccess() and the
// functions of contexts.
#ifndef TARN_COMPAT_HIP_PEER_H
#define TARN_COMPAT_HIP_PEER_H

#include "compat/hip/face.h"

// TN_RT_INVALID_DEVICE, TN_RT_INVALID_VALUE: flags, TN_RT_PEER_ALREADY_ENABLED,
// TN_RT_PEER_UNSUPPORTED.
tn_rt_error tn_hip_peer_enable(int peer, unsigned flags);

// TN_RT_INVALID_DEVICE, TN_RT_PEER_NOT_ENABLED.
tn_rt_error tn_hip_peer_disable(int peer);

#endif
