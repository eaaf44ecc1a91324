// SPDX-License-Identifier: Apache-2.0
// Access of devices to each other's memory. The file has no state: Tarn's devices hold it.
#include <unistd.h>

#include <acl/detail/peer.h>

#include "compat/acl/context.h"

// Queries two devices: whether the first can access memory of the second, and whether the program
// enabled it. Either output may be NULL, not both.
static aclError query_peer(int32_t ordinal, int32_t peer_ordinal, bool *reachable, bool *enabled) {
    struct tn_acl_device *device = NULL;
    struct tn_acl_device *peer = NULL;
    if (ordinal == peer_ordinal) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "device %d cannot be its own peer", ordinal);
    }
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_TRY(tn_acl_find_device(ordinal, &device));
    TN_ACL_TRY(tn_acl_find_device(peer_ordinal, &peer));
    return tn_acl_from(tarn_device_query_peer(device->tarn, peer->tarn, reachable, enabled),
                       ACL_ERROR_RT_PARAM_INVALID);
}

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
    TN_ACL_POINT;
    bool reachable = false;
    TN_ACL_POINTER(canAccessPeer);
    TN_ACL_ENTER(query_peer(deviceId, peerDeviceId, &reachable, NULL));
    *canAccessPeer = reachable;
    return ACL_SUCCESS;
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status) {
    TN_ACL_POINT;
    bool enabled = false;
    TN_ACL_POINTER(status);
    TN_ACL_ENTER(query_peer(deviceId, peerDeviceId, NULL, &enabled));
    *status = enabled;
    return ACL_SUCCESS;
}

// Finds the device of the current context and a peer other than it.
static aclError find_pair(int32_t ordinal, struct tn_acl_device **device,
                          struct tn_acl_device **peer) {
    TN_ACL_TRY(tn_acl_current_device(device));
    if (ordinal == (*device)->ordinal) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "device %d is the current one", ordinal);
    }
    return tn_acl_find_device(ordinal, peer);
}

// Clients enable a peer before each copy, so enabling it again succeeds.
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
    TN_ACL_POINT;
    struct tn_acl_device *device = NULL;
    struct tn_acl_device *peer = NULL;
    if (flags != 0) {
        TN_ACL_ENTER(tn_acl_fail(ACL_ERROR_FEATURE_UNSUPPORTED, "flags 0x%x is not 0", flags));
    }
    TN_ACL_ENTER(find_pair(peerDeviceId, &device, &peer));
    tarn_status status = tarn_device_enable_peer(device->tarn, peer->tarn);
    return status == TARN_BUSY
               ? ACL_SUCCESS
               : tn_acl_leave(tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID), __func__);
}

static aclError disable_peer(int32_t ordinal) {
    struct tn_acl_device *device = NULL;
    struct tn_acl_device *peer = NULL;
    bool enabled = false;
    TN_ACL_TRY(find_pair(ordinal, &device, &peer));
    TN_ACL_TRY(tn_acl_from(tarn_device_query_peer(device->tarn, peer->tarn, NULL, &enabled),
                           ACL_ERROR_RT_PARAM_INVALID));
    return enabled ? tn_acl_from(tarn_device_disable_peer(device->tarn, peer->tarn),
                                 ACL_ERROR_RT_PARAM_INVALID)
                   : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "device %d has no access to device %d",
                                 device->ordinal, ordinal);
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
    TN_ACL_POINT;
    return tn_acl_leave(disable_peer(peerDeviceId), __func__);
}

// Devices run in the host's processes, so their process ids are the host's.
aclError aclrtDeviceGetBareTgid(int32_t *pid) {
    TN_ACL_POINT;
    TN_ACL_POINTER(pid);
    *pid = (int32_t)getpid();
    return ACL_SUCCESS;
}
