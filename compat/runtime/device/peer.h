// SPDX-License-Identifier: Apache-2.0
// Peers: devices that can use each other's memory. Tarn keeps the state.
#pragma once

#include "compat/runtime/device/device.h"

// Writes whether a device can use the memory of another one; never its own. Fails with
// INVALID_VALUE if `can` is NULL, and with INVALID_DEVICE if a device is unknown.
tn_rt_error tn_rt_peer_query(int *can, int device, int peer);

// Returns an attribute of the path between two devices. Fails as above, with INVALID_DEVICE if both
// are one device, and with INVALID_VALUE if the attribute is unknown.
enum { TN_RT_PEER_RANK, TN_RT_PEER_ACCESS, TN_RT_PEER_ATOMICS, TN_RT_PEER_ARRAYS };
tn_rt_error tn_rt_peer_attribute(int *value, int attribute, int device, int peer);

// Lets the current device use the memory of a peer. Fails with INVALID_DEVICE if there is no such
// device, with INVALID_VALUE if there are flags, with PEER_ALREADY_ENABLED if it may use that
// memory already, and with PEER_UNSUPPORTED if it cannot.
tn_rt_error tn_rt_peer_enable(int peer, unsigned flags);

// Ends that. Fails with INVALID_DEVICE if there is no such device, and with PEER_NOT_ENABLED if the
// current device may not use its memory.
tn_rt_error tn_rt_peer_disable(int peer);
