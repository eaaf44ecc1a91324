// SPDX-License-Identifier: Apache-2.0
// Peers: devices that can use each other's memory. Tarn keeps the state; see peer.h.
#include "compat/runtime/device/peer.h"
#include "compat/runtime/device/policy.h"

tn_rt_error tn_rt_peer_query(int *can, int device, int peer) {
    bool reachable = false;
    TN_RT_TRY(tn_rt_check_pointer(can, "canAccessPeer"));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(tn_rt_check_device(peer));
    if (device != peer) {
        TN_RT_TRY(tn_rt_error_of(tarn_device_query_peer(
            tn_rt_device(device)->tarn, tn_rt_device(peer)->tarn, &reachable, NULL)));
    }
    *can = reachable;
    return TN_RT_OK;
}

// A peer of the current device is any other device.
static tn_rt_error check_peer(int peer, tn_rt_error error) {
    TN_RT_TRY(tn_rt_check_device(peer));
    TN_RT_REFUSE(peer == tn_rt_current()->ordinal, error, "device %d is the current one", peer);
    return TN_RT_OK;
}

tn_rt_error tn_rt_peer_enable(int peer, unsigned flags) {
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x, only 0 is defined", flags);
    TN_RT_TRY(check_peer(peer, TN_RT_INVALID_DEVICE));
    tarn_status status = tarn_device_enable_peer(tn_rt_current()->tarn, tn_rt_device(peer)->tarn);
    tn_rt_error error = tn_rt_error_of(status);
    return status == TARN_BUSY          ? TN_RT_PEER_ALREADY_ENABLED
           : status == TARN_UNSUPPORTED ? TN_RT_PEER_UNSUPPORTED
                                        : error;
}

tn_rt_error tn_rt_peer_disable(int peer) {
    TN_RT_TRY(check_peer(peer, tn_rt_device_policy.own_peer_error));
    tarn_status status = tarn_device_disable_peer(tn_rt_current()->tarn, tn_rt_device(peer)->tarn);
    tn_rt_error error = tn_rt_error_of(status);
    return status == TARN_BAD_ARGUMENT || status == TARN_UNSUPPORTED ? TN_RT_PEER_NOT_ENABLED
                                                                     : error;
}

// All paths between the devices are the same and support the atomics of the CPU.
tn_rt_error tn_rt_peer_attribute(int *value, int attribute, int device, int peer) {
    int can = 0;
    TN_RT_REFUSE(device == peer, TN_RT_INVALID_DEVICE, "device %d cannot be its own peer", device);
    TN_RT_TRY(tn_rt_peer_query(value != NULL ? &can : NULL, device, peer));
    TN_RT_REFUSE(attribute < TN_RT_PEER_RANK || attribute > TN_RT_PEER_ARRAYS, TN_RT_INVALID_VALUE,
                 "%d is not an attribute of peers", attribute);
    *value = attribute == TN_RT_PEER_RANK ? 0 : can;
    return TN_RT_OK;
}
