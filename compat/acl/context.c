// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread remembers its current context by name, so that a call after another
// thread destroyed it fails.
#include "compat/acl/context.h"

#include <stdlib.h>

#include <acl/detail/device.h>

#include "compat/face/scope.h"

static _Thread_local uintptr_t current;

static void context_destroy(struct tn_face_object *object) {
    struct tn_acl_queue *context = (struct tn_acl_queue *)object;
    if (tarn_stream_destroy(context->tarn) != TARN_BUSY) {
        free(context);
    } // else its own work destroys it, and uses the queue
}

aclError tn_acl_context_new(struct tn_face_device *device, uintptr_t *handle) {
    const struct tn_acl_queue like = {.device = device};
    struct tn_acl_queue *context = NULL;
    TN_ACL_TRY(
        tn_acl_queue_new(TN_ACL_CONTEXT, sizeof *context, context_destroy, &like, 0, &context));
    *handle = context->object.handle;
    tn_face_object_put(&context->object);
    return ACL_SUCCESS;
}

// ---- the current one

static struct tn_acl_queue *find_current(void) {
    return current != 0 ? (struct tn_acl_queue *)tn_face_handle_find(current, TN_ACL_CONTEXT)
                        : NULL;
}

void tn_acl_context_set(uintptr_t handle) { current = handle; }

aclError tn_acl_context_get(struct tn_acl_queue **context) {
    *context = NULL;
    TN_ACL_TRY(tn_acl_open());
    *context = find_current();
    TN_ACL_REFUSE(*context == NULL, ACL_ERROR_RT_CONTEXT_NULL,
                  "call aclrtSetDevice() or aclrtSetCurrentContext() on this thread");
    return ACL_SUCCESS;
}

aclError tn_acl_current_device(struct tn_face_device **device) {
    TN_ACL_GET(tn_acl_queue, context, tn_acl_context_get(&context));
    if (device != NULL) *device = context->device;
    return ACL_SUCCESS;
}

uintptr_t tn_acl_current_context(void) {
    TN_FACE_HELD struct tn_acl_queue *context = find_current();
    return context != NULL ? current : 0;
}

static aclError get_current(aclrtContext *context) {
    TN_ACL_POINTER(context);
    TN_ACL_TRY(tn_acl_open());
    *context = (aclrtContext)tn_acl_current_context();
    return ACL_SUCCESS;
}

// A thread without a context is no failure that aclrtGetLastError() reports.
aclError aclrtGetCurrentContext(aclrtContext *context) {
    aclError error = TN_ACL_CALL(get_current(context));
    return error == ACL_SUCCESS && *context == NULL ? ACL_ERROR_RT_CONTEXT_NULL : error;
}

TN_ACL_FUNCTION(aclrtSetCurrentContext, aclrtContext, context) {
    TN_ACL_POINTER(context);
    TN_ACL_TRY(tn_acl_open());
    TN_FACE_HELD struct tn_face_object *found =
        tn_face_handle_get((uintptr_t)context, TN_ACL_CONTEXT);
    TN_ACL_INVALID(found == NULL, "%p is not a context", context);
    tn_acl_context_set((uintptr_t)context);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtCreateContext, aclrtContext *, context, int32_t, deviceId) {
    uintptr_t handle = 0;
    TN_ACL_POINTER(context);
    TN_ACL_DEVICE(device, tn_acl_open_device(deviceId, &device));
    TN_ACL_TRY(tn_acl_context_new(device, &handle));
    *context = (aclrtContext)handle;
    tn_acl_context_set(handle);
    return ACL_SUCCESS;
}
