// SPDX-License-Identifier: Apache-2.0
// See context.h.
#include "compat/acl/context.h"

#include <pthread.h>
#include <stdlib.h>

#include <acl/detail/device.h>

#include "compat/acl/fork.h"
#include "compat/acl/stream.h"

// A device in use: how often it was set, and its default context by name.
struct use {
    uint32_t count;
    uintptr_t context;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards uses
static struct use uses[TN_ACL_DEVICES];

// By name, so that a context destroyed elsewhere is missed, not followed.
static _Thread_local uintptr_t current;

// ---- making and ending

static void destroy(struct tn_face_object *object) {
    struct tn_acl_context *context = (struct tn_acl_context *)object;
    (void)tarn_stream_destroy(context->stream);
    free(context);
}

// A new context by name; 0 with `error` set.
static uintptr_t create(struct tn_acl_device *device, aclError *error) {
    struct tn_acl_context *context = (struct tn_acl_context *)calloc(1, sizeof *context);
    if (context == NULL) {
        *error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for a context");
        return 0;
    }
    context->device = device;
    *error = tn_acl_from(tarn_stream_create(device->tarn, &context->stream),
                         ACL_ERROR_RT_NO_STREAM_RESOURCE);
    if (*error == ACL_SUCCESS && !tn_face_handle_new(&context->object, TN_ACL_CONTEXT, destroy)) {
        (void)tarn_stream_destroy(context->stream);
        *error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no room for another context");
    }
    if (*error != ACL_SUCCESS) {
        free(context);
        return 0;
    }
    return context->object.handle;
}

// Takes the name away, ends its streams and drops its reference: false when there was none.
static bool end(uintptr_t handle) {
    struct tn_face_object *object = tn_face_handle_close(handle, TN_ACL_CONTEXT);
    if (object == NULL) {
        return false;
    }
    tn_acl_streams_end(handle);
    tn_face_object_put(object);
    return true;
}

void tn_acl_context_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        for (int i = 0; i < TN_ACL_DEVICES; i++) {
            uses[i] = (struct use){0, 0};
        }
        current = 0;
    }
    (void)pthread_mutex_unlock(&lock);
}

// ---- the current one

static struct tn_acl_context *find_current(void) {
    return current == 0 ? NULL
                        : (struct tn_acl_context *)tn_face_handle_get(current, TN_ACL_CONTEXT);
}

aclError tn_acl_context_get(struct tn_acl_context **context) {
    aclError error = tn_acl_open();
    *context = error == ACL_SUCCESS ? find_current() : NULL;
    if (error == ACL_SUCCESS && *context == NULL) {
        error = tn_acl_fail(ACL_ERROR_RT_CONTEXT_NULL,
                            "call aclrtSetDevice() or aclrtSetCurrentContext() on this thread");
    }
    return error;
}

void tn_acl_context_put(struct tn_acl_context *context) {
    tn_face_object_put(&context->object);
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
    aclError error =
        context == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "context is NULL") : tn_acl_open();
    if (error == ACL_SUCCESS) {
        struct tn_acl_context *now = find_current();
        *context = (aclrtContext)(now != NULL ? now->object.handle : 0);
        if (now == NULL) {
            return ACL_ERROR_RT_CONTEXT_NULL;
        }
        tn_acl_context_put(now);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtSetCurrentContext(aclrtContext context) {
    aclError error =
        context == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "context is NULL") : tn_acl_open();
    if (error == ACL_SUCCESS) {
        struct tn_face_object *object = tn_face_handle_get((uintptr_t)context, TN_ACL_CONTEXT);
        if (object == NULL) {
            error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no context", context);
        } else {
            current = (uintptr_t)context;
            tn_face_object_put(object);
        }
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId) {
    aclError error =
        context == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "context is NULL") : tn_acl_open();
    struct tn_acl_device *device = error == ACL_SUCCESS ? tn_acl_device(deviceId) : NULL;
    if (error == ACL_SUCCESS && device == NULL) {
        error = tn_acl_fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d, there are %d", deviceId,
                            tn_acl_face.count);
    }
    if (error == ACL_SUCCESS) {
        uintptr_t made = create(device, &error);
        if (made != 0) {
            *context = (aclrtContext)made;
            current = made;
        }
    }
    return tn_acl_leave(error, __func__);
}

static bool is_default(uintptr_t handle) {
    bool found = false;
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < TN_ACL_DEVICES; i++) {
        found = found || (uses[i].count > 0 && uses[i].context == handle);
    }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

aclError aclrtDestroyContext(aclrtContext context) {
    aclError error =
        context == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "context is NULL") : tn_acl_open();
    if (error == ACL_SUCCESS && is_default((uintptr_t)context)) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is the default context of a device",
                            context);
    } else if (error == ACL_SUCCESS && !end((uintptr_t)context)) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no context", context);
    }
    return tn_acl_leave(error, __func__);
}

// ---- devices in use

static aclError no_device(int32_t ordinal) {
    return tn_acl_fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d, there are %d", ordinal,
                       tn_acl_face.count);
}

static aclError set_device(struct tn_acl_device *device) {
    aclError error = ACL_SUCCESS;
    (void)pthread_mutex_lock(&lock);
    struct use *use = &uses[device->ordinal];
    if (use->count == 0) {
        use->context = create(device, &error);
    }
    if (error == ACL_SUCCESS) {
        use->count++;
        current = use->context;
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

aclError aclrtSetDevice(int32_t deviceId) {
    aclError error = tn_acl_open();
    if (error == ACL_SUCCESS) {
        struct tn_acl_device *device = tn_acl_device(deviceId);
        error = device == NULL ? no_device(deviceId) : set_device(device);
    }
    return tn_acl_leave(error, __func__);
}

// Waiting for the stream's work happens with the lock dropped.
static aclError reset_device(const struct tn_acl_device *device, bool force) {
    uintptr_t ended = 0;
    (void)pthread_mutex_lock(&lock);
    struct use *use = &uses[device->ordinal];
    bool used = use->count > 0;
    if (used) {
        use->count = force ? 0 : use->count - 1;
        ended = use->count == 0 ? use->context : 0;
    }
    (void)pthread_mutex_unlock(&lock);
    if (!used) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "device %d is not in use", device->ordinal);
    }
    if (ended != 0) {
        (void)end(ended);
    }
    return ACL_SUCCESS;
}

static aclError reset(int32_t ordinal, bool force, const char *function) {
    aclError error = tn_acl_open();
    if (error == ACL_SUCCESS) {
        const struct tn_acl_device *device = tn_acl_device(ordinal);
        error = device == NULL ? no_device(ordinal) : reset_device(device, force);
    }
    return tn_acl_leave(error, function);
}

aclError aclrtResetDevice(int32_t deviceId) {
    return reset(deviceId, false, __func__);
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
    return reset(deviceId, true, __func__);
}

aclError aclrtGetDevice(int32_t *deviceId) {
    struct tn_acl_context *context = NULL;
    aclError error = deviceId == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "deviceId is NULL")
                                      : tn_acl_context_get(&context);
    if (context != NULL) {
        *deviceId = context->device->ordinal;
        tn_acl_context_put(context);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtGetDeviceCount(uint32_t *count) {
    aclError error =
        count == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "count is NULL") : tn_acl_open();
    if (error == ACL_SUCCESS) {
        *count = (uint32_t)tn_acl_face.count;
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtGetRunMode(aclrtRunMode *runMode) {
    aclError error =
        runMode == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "runMode is NULL") : tn_acl_open();
    if (error == ACL_SUCCESS) {
        *runMode = tn_acl_face.rc ? ACL_DEVICE : ACL_HOST;
    }
    return tn_acl_leave(error, __func__);
}
