// SPDX-License-Identifier: Apache-2.0
// Access of devices to each other's memory. The file has no state: Tarn's devices hold it.
#include <unistd.h>

#include <acl/detail/peer.h>

#include "compat/acl/context.h"

// Returns whether a device can access memory of a peer or, with `enabled`, whether the program
// enabled that.
static aclError query_peer(int32_t *answer, int32_t ordinal, int32_t peer_ordinal, bool enabled) {
    struct tn_face_device *device = NULL;
    struct tn_face_device *peer = NULL;
    bool found = false;
    TN_ACL_REFUSE(answer == NULL, enabled ? ACL_ERROR_INVALID_PARAM : ACL_ERROR_RT_PARAM_INVALID,
                  "%s is NULL", enabled ? "status" : "canAccessPeer");
    TN_ACL_ARGUMENT(ordinal == peer_ordinal, "device %d cannot be its own peer", ordinal);
    TN_ACL_TRY(tn_acl_open_device(ordinal, &device));
    TN_ACL_TRY(tn_acl_find_device(peer_ordinal, &peer));
    TN_ACL_TRY(tn_acl_status(tarn_device_query_peer(
        device->tarn, peer->tarn, enabled ? NULL : &found, enabled ? &found : NULL)));
    *answer = found;
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtDeviceCanAccessPeer,
           TN_FACE_EXPRESSION(query_peer(canAccessPeer, deviceId, peerDeviceId, false)), int32_t *,
           canAccessPeer, int32_t, deviceId, int32_t, peerDeviceId)

TN_ACL_ROW(aclrtDevicePeerAccessStatus,
           TN_FACE_EXPRESSION(query_peer(status, deviceId, peerDeviceId, true)), int32_t, deviceId,
           int32_t, peerDeviceId, int32_t *, status)

// Finds the device of the current context and a peer other than it.
static aclError find_pair(int32_t ordinal, struct tn_face_device **device,
                          struct tn_face_device **peer) {
    TN_ACL_TRY(tn_acl_current_device(device));
    TN_ACL_ARGUMENT(ordinal == (*device)->ordinal, "device %d is the current one", ordinal);
    return tn_acl_find_device(ordinal, peer);
}

// Clients enable a peer before each copy, so enabling it again succeeds.
TN_ACL_FUNCTION(aclrtDeviceEnablePeerAccess, int32_t, peerDeviceId, uint32_t, flags) {
    struct tn_face_device *device = NULL;
    struct tn_face_device *peer = NULL;
    TN_ACL_REFUSE(flags != 0, ACL_ERROR_FEATURE_UNSUPPORTED, "flags 0x%x is not 0", flags);
    TN_ACL_TRY(find_pair(peerDeviceId, &device, &peer));
    tarn_status status = tarn_device_enable_peer(device->tarn, peer->tarn);
    return status == TARN_BUSY ? ACL_SUCCESS : tn_acl_status(status);
}

TN_ACL_FUNCTION(aclrtDeviceDisablePeerAccess, int32_t, peerDeviceId) {
    struct tn_face_device *device = NULL;
    struct tn_face_device *peer = NULL;
    bool enabled = false;
    TN_ACL_TRY(find_pair(peerDeviceId, &device, &peer));
    TN_ACL_TRY(tn_acl_status(tarn_device_query_peer(device->tarn, peer->tarn, NULL, &enabled)));
    return enabled ? tn_acl_status(tarn_device_disable_peer(device->tarn, peer->tarn))
                   : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "device %d has no access to device %d",
                                 device->ordinal, peerDeviceId);
}

// Devices run in the host's processes, so their process ids are the host's.
TN_ACL_FUNCTION(aclrtDeviceGetBareTgid, int32_t *, pid) {
    TN_ACL_POINTER(pid);
    *pid = (int32_t)getpid();
    return ACL_SUCCESS;
}
