// SPDX-License-Identifier: Apache-2.0
// Devices in use: the number of times that a program set each, and its default context. The end of
// a context ends its streams. The lock guards the table of uses; no call waits under it.
#include <pthread.h>
#include <string.h>

#include <acl/detail/attribute.h>
#include <acl/detail/device.h>

#include "compat/acl/context.h"
#include "compat/acl/fork.h"
#include "compat/acl/stream.h"
#include "compat/face/scope.h"

struct use {
    uint32_t count;
    uintptr_t context; // by name
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards uses
static struct use uses[TN_ACL_DEVICES];

static void forget_uses(void) { memset(uses, 0, sizeof uses); }
TN_FACE_ON_FORK(TN_ACL_LOCK_DEVICE, &lock, forget_uses);

// ---- set and reset

TN_ACL_FUNCTION(aclrtSetDevice, int32_t, deviceId) {
    TN_ACL_DEVICE(device, tn_acl_open_device(deviceId, &device));
    TN_FACE_LOCKED(&lock);
    struct use *use = &uses[deviceId];
    if (use->count == 0) TN_ACL_TRY(tn_acl_context_new(device, &use->context));
    use->count++;
    tn_acl_context_set(use->context);
    return ACL_SUCCESS;
}

// Returns false if no context has that name. Waits for the work of its streams.
static bool end_context(uintptr_t handle) {
    struct tn_face_object *object = tn_face_handle_close(handle, TN_ACL_CONTEXT);
    if (object == NULL) return false;
    tn_acl_streams_end(handle);
    tn_face_object_put(object);
    return true;
}

static aclError reset_device(int32_t ordinal, bool force) {
    uintptr_t ended = 0;
    TN_ACL_TRY(tn_acl_open_device(ordinal, NULL));
    (void)pthread_mutex_lock(&lock);
    struct use *use = &uses[ordinal];
    bool used = use->count > 0;
    if (used) {
        use->count = force ? 0 : use->count - 1;
        ended = use->count == 0 ? use->context : 0;
    }
    (void)pthread_mutex_unlock(&lock);
    if (ended != 0) (void)end_context(ended);
    return used ? ACL_SUCCESS
                : tn_acl_fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "device %d is not in use",
                              ordinal);
}

aclError aclrtResetDevice(int32_t deviceId) {
    TN_FACE_GIVEN(TN_FACE_WORD(deviceId))
    return TN_ACL_CALL(reset_device(deviceId, false));
}

TN_ACL_ROW(aclrtResetDeviceForce, TN_FACE_EXPRESSION(reset_device(deviceId, true)), int32_t,
           deviceId)

static bool is_default(uintptr_t handle) {
    bool found = false;
    TN_FACE_LOCKED(&lock);
    for (int i = 0; i < TN_ACL_DEVICES; i++)
        found = found || (uses[i].count > 0 && uses[i].context == handle);
    return found;
}

TN_ACL_FUNCTION(aclrtDestroyContext, aclrtContext, context) {
    TN_ACL_POINTER(context);
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_REFUSE(is_default((uintptr_t)context), ACL_ERROR_RT_CONTEXT_NULL,
                  "%p is the default context of a device", context);
    TN_ACL_REFUSE(!end_context((uintptr_t)context), ACL_ERROR_RT_CONTEXT_NULL,
                  "%p is not a context", context);
    return ACL_SUCCESS;
}

// ---- queries

TN_ACL_FUNCTION(aclrtGetPrimaryCtxState, int32_t, deviceId, uint32_t *, flags, int32_t *, active) {
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    TN_FACE_LOCKED(&lock);
    if (flags != NULL) *flags = 0;
    if (active != NULL) *active = uses[deviceId].count > 0;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetDevice, int32_t *, deviceId) {
    TN_ACL_POINTER(deviceId);
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    *deviceId = device->ordinal;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetDeviceCount, uint32_t *, count) {
    TN_ACL_POINTER(count);
    TN_ACL_TRY(tn_acl_open());
    *count = (uint32_t)tn_acl_face.devices.count;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetRunMode, aclrtRunMode *, runMode) {
    TN_ACL_POINTER(runMode);
    TN_ACL_TRY(tn_acl_open());
    *runMode = tn_acl_face.rc ? ACL_DEVICE : ACL_HOST;
    return ACL_SUCCESS;
}
