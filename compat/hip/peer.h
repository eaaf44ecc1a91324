// SPDX-License-Identifier: Apache-2.0
// Access of the current device to a peer's memory, for hipDeviceEnablePeerAccess() and the
// functions of contexts.
#ifndef TARN_COMPAT_HIP_PEER_H
#define TARN_COMPAT_HIP_PEER_H

#include "compat/hip/face.h"

// hipErrorInvalidDevice, hipErrorInvalidValue: flags, hipErrorPeerAccessAlreadyEnabled,
// hipErrorPeerAccessUnsupported.
hipError_t tn_hip_peer_enable(int peer, unsigned flags);

// hipErrorInvalidDevice, hipErrorPeerAccessNotEnabled.
hipError_t tn_hip_peer_disable(int peer);

#endif
