// SPDX-License-Identifier: Apache-2.0
// See peer.h.
#include "compat/acl/peer.h"

#include <stdatomic.h>
#include <unistd.h>

#include <acl/detail/peer.h>

#include "compat/acl/context.h"
#include "compat/acl/fork.h"

// Whether the first device reaches the second one's memory.
static _Atomic(bool) enabled[TN_ACL_DEVICES][TN_ACL_DEVICES];

bool tn_acl_peer_enabled(int device, int peer) {
    return device == peer || atomic_load_explicit(&enabled[device][peer], memory_order_acquire);
}

static void set_enabled(int device, int peer, bool on) {
    atomic_store_explicit(&enabled[device][peer], on, memory_order_release);
}

// A child of fork() opens devices of its own, without peers.
void tn_acl_peer_fork(enum tn_face_fork step) {
    for (int i = 0; step == TN_FACE_FORK_CHILD && i < TN_ACL_DEVICES; i++) {
        for (int j = 0; j < TN_ACL_DEVICES; j++) {
            set_enabled(i, j, false);
        }
    }
}

static aclError no_device(int32_t ordinal) {
    return tn_acl_fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d, there are %d", ordinal,
                       tn_acl_face.count);
}

// The arguments of a question about two devices; `answer` must not be NULL.
static aclError check_pair(const void *answer, int32_t device, int32_t peer) {
    if (answer == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "the place for the answer is NULL");
    }
    if (device == peer) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "device %d twice", device);
    }
    aclError error = tn_acl_open();
    if (error == ACL_SUCCESS && (tn_acl_device(device) == NULL || tn_acl_device(peer) == NULL)) {
        error = no_device(tn_acl_device(device) == NULL ? device : peer);
    }
    return error;
}

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
    bool can = false;
    aclError error = check_pair(canAccessPeer, deviceId, peerDeviceId);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_device_query_peer(tn_acl_device(deviceId)->tarn,
                                                   tn_acl_device(peerDeviceId)->tarn, &can, NULL),
                            ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        *canAccessPeer = can;
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status) {
    aclError error = check_pair(status, deviceId, peerDeviceId);
    if (error == ACL_SUCCESS) {
        *status = tn_acl_peer_enabled(deviceId, peerDeviceId);
    }
    return tn_acl_leave(error, __func__);
}

// A peer other than the device of the current context.
static aclError get_pair(int32_t ordinal, struct tn_acl_device **device,
                         struct tn_acl_device **peer) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error != ACL_SUCCESS) {
        return error;
    }
    *device = context->device;
    tn_acl_context_put(context);
    if (ordinal == (*device)->ordinal) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "device %d is the current one", ordinal);
    }
    *peer = tn_acl_device(ordinal);
    return *peer != NULL ? ACL_SUCCESS : no_device(ordinal);
}

// Enabling again is fine: clients do so before each copy.
static aclError enable(int32_t ordinal) {
    struct tn_acl_device *device = NULL;
    struct tn_acl_device *peer = NULL;
    aclError error = get_pair(ordinal, &device, &peer);
    if (error != ACL_SUCCESS) {
        return error;
    }
    tarn_status status = tarn_device_enable_peer(device->tarn, peer->tarn);
    if (status != TARN_BUSY) {
        error = tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        set_enabled(device->ordinal, ordinal, true);
    }
    return error;
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
    aclError error = flags != 0 ? tn_acl_fail(ACL_ERROR_FEATURE_UNSUPPORTED,
                                              "flags 0x%x, only 0 is defined", flags)
                                : enable(peerDeviceId);
    return tn_acl_leave(error, __func__);
}

static aclError disable(int32_t ordinal) {
    struct tn_acl_device *device = NULL;
    struct tn_acl_device *peer = NULL;
    aclError error = get_pair(ordinal, &device, &peer);
    if (error == ACL_SUCCESS && !tn_acl_peer_enabled(device->ordinal, ordinal)) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "device %d has no access to device %d",
                            device->ordinal, ordinal);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_device_disable_peer(device->tarn, peer->tarn),
                            ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        set_enabled(device->ordinal, ordinal, false);
    }
    return error;
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
    return tn_acl_leave(disable(peerDeviceId), __func__);
}

// Devices that live in the host's processes see the host's numbers.
aclError aclrtDeviceGetBareTgid(int32_t *pid) {
    aclError error =
        pid == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "pid is NULL") : ACL_SUCCESS;
    if (error == ACL_SUCCESS) {
        *pid = (int32_t)getpid();
    }
    return tn_acl_leave(error, __func__);
}
