// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread remembers its current context by name, so that a call after another
// thread destroyed it fails.
#include "compat/acl/context.h"

#include <stdlib.h>

#include <acl/detail/device.h>

static _Thread_local uintptr_t current;

static void context_destroy(struct tn_face_object *object) {
    struct tn_acl_context *context = (struct tn_acl_context *)object;
    if (tarn_stream_destroy(context->queue.tarn) != TARN_BUSY) {
        free(context);
    } // else its own work destroys it, and uses the queue
}

aclError tn_acl_context_new(struct tn_face_device *device, uintptr_t *handle) {
    struct tn_acl_context *context = (struct tn_acl_context *)calloc(1, sizeof *context);
    TN_ACL_REFUSE(context == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a context");
    context->device = device;
    aclError error = tn_acl_queue_open(&context->queue, device, 0, 0);
    if (error != ACL_SUCCESS) goto err_free;
    if (!tn_face_handle_new(&context->object, TN_ACL_CONTEXT, context_destroy)) {
        error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of handles for a context");
        goto err_destroy;
    }
    context->queue.context = context->object.handle;
    *handle = context->object.handle;
    return ACL_SUCCESS;

err_destroy:
    (void)tarn_stream_destroy(context->queue.tarn);
err_free:
    free(context);
    return error;
}

// ---- the current one

static struct tn_acl_context *find_context(uintptr_t handle) {
    return (struct tn_acl_context *)tn_face_handle_find(handle, TN_ACL_CONTEXT);
}

void tn_acl_context_set(uintptr_t handle) { current = handle; }

aclError tn_acl_context_get(struct tn_acl_context **context) {
    *context = NULL;
    TN_ACL_TRY(tn_acl_open());
    *context = current != 0 ? find_context(current) : NULL;
    return *context != NULL
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_CONTEXT_NULL,
                             "call aclrtSetDevice() or aclrtSetCurrentContext() on this thread");
}

void tn_acl_context_put(struct tn_acl_context *context) { tn_face_object_put(&context->object); }

aclError tn_acl_current_device(struct tn_face_device **device) {
    struct tn_acl_context *context = NULL;
    TN_ACL_TRY(tn_acl_context_get(&context));
    if (device != NULL) *device = context->device;
    tn_acl_context_put(context);
    return ACL_SUCCESS;
}

uintptr_t tn_acl_current_context(void) {
    struct tn_acl_context *context = current != 0 ? find_context(current) : NULL;
    if (context == NULL) return 0;
    tn_acl_context_put(context);
    return current;
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
    struct tn_acl_context *found =
        (struct tn_acl_context *)tn_face_handle_get((uintptr_t)context, TN_ACL_CONTEXT);
    TN_ACL_REFUSE(found == NULL, ACL_ERROR_RT_PARAM_INVALID, "%p is not a context", context);
    tn_acl_context_put(found);
    tn_acl_context_set((uintptr_t)context);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtCreateContext, aclrtContext *, context, int32_t, deviceId) {
    struct tn_face_device *device = NULL;
    uintptr_t handle = 0;
    TN_ACL_POINTER(context);
    TN_ACL_TRY(tn_acl_open());
    TN_ACL_TRY(tn_acl_find_device(deviceId, &device));
    TN_ACL_TRY(tn_acl_context_new(device, &handle));
    *context = (aclrtContext)handle;
    tn_acl_context_set(handle);
    return ACL_SUCCESS;
}
