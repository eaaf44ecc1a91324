// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread's stack names contexts by handle and device, without references. After a
// context is destroyed, the stacks of other threads still name its device. That suffices, because a
// context names nothing else.
#include "compat/hip/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/context.h>
#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/hip/peer.h"
#include "compat/hip/preference.h"
#include "compat/runtime/handle.h"
#include "compat/runtime/lock.h"

#define DEPTH 64

struct context {
    struct tn_face_object object;
    int device;
    unsigned flags;
    bool primary;
};

struct entry {
    hipCtx_t handle; // NULL: the primary context of the device
    int device;
};

static _Thread_local struct {
    int base; // the current device below the stack, while the stack is not empty
    int depth;
    struct entry *entries; // DEPTH of them; allocated at the first push
} stack;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next two
static hipCtx_t primaries[TN_RT_DEVICES];                // made at the first use
static unsigned retained[TN_RT_DEVICES];

// ---- contexts

static void destroy_context(struct tn_face_object *object) {
    free((struct context *)object);
}

static tn_rt_error make_context(int device, unsigned flags, bool primary, hipCtx_t *handle) {
    struct context *context = (struct context *)calloc(1, sizeof *context);
    if (context != NULL) {
        context->device = device;
        context->flags = flags;
        context->primary = primary;
    }
    if (context == NULL || !tn_face_handle_new(&context->object, TN_RT_CONTEXT, destroy_context)) {
        free(context);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a context");
    }
    *handle = (hipCtx_t)context->object.handle;
    return TN_RT_OK;
}

static tn_rt_error no_context(hipCtx_t handle) {
    return tn_rt_fail(TN_RT_INVALID_CONTEXT, "%p is not a context", (void *)handle);
}

static tn_rt_error copy_context(hipCtx_t handle, struct context *copy) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_RT_CONTEXT);
    if (object == NULL) {
        return no_context(handle);
    }
    const struct context *context = (const struct context *)object;
    copy->device = context->device;
    copy->flags = context->flags;
    copy->primary = context->primary;
    tn_face_object_put(object);
    return TN_RT_OK;
}

// Called under the lock.
static tn_rt_error get_primary(int device, hipCtx_t *handle) {
    tn_rt_error error = TN_RT_OK;
    if (primaries[device] == NULL) {
        error = make_context(device, 0, true, &primaries[device]);
    }
    if (error == TN_RT_OK) {
        *handle = primaries[device];
    }
    return error;
}

// ---- the stack

static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_entries(void *entries) {
    stack.entries = NULL;
    stack.depth = 0;
    free(entries);
}

static void make_key(void) {
    (void)pthread_key_create(&at_thread_end, free_entries);
}

static tn_rt_error make_entries(void) {
    (void)pthread_once(&once, make_key);
    struct entry *entries = (struct entry *)calloc(DEPTH, sizeof *entries);
    if (entries == NULL || pthread_setspecific(at_thread_end, entries) != 0) {
        free(entries);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the stack of contexts");
    }
    stack.entries = entries;
    return TN_RT_OK;
}

static tn_rt_error push_entry(hipCtx_t handle, int device) {
    if (stack.entries == NULL) {
        tn_rt_error error = make_entries();
        if (error != TN_RT_OK) {
            return error;
        }
    }
    if (stack.depth == DEPTH) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "%d contexts are on the stack", DEPTH);
    }
    if (stack.depth == 0) {
        stack.base = tn_rt_current()->ordinal;
    }
    stack.entries[stack.depth++] = (struct entry){handle, device};
    tn_rt_set_current(device);
    return TN_RT_OK;
}

// The stack is not empty.
static void pop_entry(void) {
    stack.depth--;
    tn_rt_set_current(stack.depth > 0 ? stack.entries[stack.depth - 1].device : stack.base);
}

void tn_hip_context_select(int device) {
    if (stack.depth > 0) {
        stack.entries[stack.depth - 1] = (struct entry){NULL, device};
    }
    tn_rt_set_current(device);
}

static tn_rt_error find_current(hipCtx_t *handle) {
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle != NULL) {
        *handle = stack.entries[stack.depth - 1].handle;
        return TN_RT_OK;
    }
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = get_primary(tn_rt_current()->ordinal, handle);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// ---- HIP's functions

static tn_rt_error create_current(hipCtx_t *ctx, unsigned flags, int device) {
    hipCtx_t handle = NULL;
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    TN_RT_TRY(tn_hip_check_device_flags(flags));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(make_context(device, flags, false, &handle));
    tn_rt_error error = push_entry(handle, device);
    if (error != TN_RT_OK) {
        (void)tn_face_handle_end((uintptr_t)handle, TN_RT_CONTEXT);
        return error;
    }
    *ctx = handle;
    return TN_RT_OK;
}

hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device) {
    return TN_HIP_CALL(create_current(ctx, flags, device));
}

static tn_rt_error destroy_by_handle(hipCtx_t ctx) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(ctx, &copy));
    if (copy.primary) {
        return tn_rt_fail(TN_RT_INVALID_CONTEXT, "%p is the primary context of device %d",
                          (void *)ctx, copy.device);
    }
    if (!tn_face_handle_end((uintptr_t)ctx, TN_RT_CONTEXT)) {
        return no_context(ctx); // another thread was faster
    }
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle == ctx) {
        pop_entry();
    }
    return TN_RT_OK;
}

hipError_t hipCtxDestroy(hipCtx_t ctx) {
    return TN_HIP_CALL(destroy_by_handle(ctx));
}

static tn_rt_error push_current(hipCtx_t ctx) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(ctx, &copy));
    return push_entry(ctx, copy.device);
}

hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
    return TN_HIP_CALL(push_current(ctx));
}

static tn_rt_error pop_current(hipCtx_t *ctx) {
    hipCtx_t handle = NULL;
    if (stack.depth == 0) {
        return tn_rt_fail(TN_RT_INVALID_CONTEXT, "no context is on the stack");
    }
    TN_RT_TRY(find_current(&handle));
    pop_entry();
    if (ctx != NULL) {
        *ctx = handle;
    }
    return TN_RT_OK;
}

hipError_t hipCtxPopCurrent(hipCtx_t *ctx) {
    return TN_HIP_CALL(pop_current(ctx));
}

// Replaces the top of the stack, or only removes it if `ctx` is NULL.
static tn_rt_error set_current(hipCtx_t ctx) {
    struct context copy = {.device = -1};
    if (ctx != NULL) {
        TN_RT_TRY(copy_context(ctx, &copy));
    }
    if (stack.depth > 0) {
        pop_entry();
    }
    return ctx != NULL ? push_entry(ctx, copy.device) : TN_RT_OK;
}

hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
    return TN_HIP_CALL(set_current(ctx));
}

static tn_rt_error get_current(hipCtx_t *ctx) {
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    return find_current(ctx);
}

hipError_t hipCtxGetCurrent(hipCtx_t *ctx) {
    return TN_HIP_CALL(get_current(ctx));
}

static tn_rt_error get_device(hipDevice_t *device) {
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    *device = tn_rt_current()->ordinal;
    return TN_RT_OK;
}

hipError_t hipCtxGetDevice(hipDevice_t *device) {
    return TN_HIP_CALL(get_device(device));
}

// The flags of a primary context are those of its device.
static tn_rt_error get_flags(unsigned *flags) {
    struct context copy = {.primary = true};
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle != NULL) {
        (void)copy_context(stack.entries[stack.depth - 1].handle, &copy);
    }
    TN_RT_TRY(tn_rt_check_pointer(flags, "flags"));
    *flags = copy.primary ? tn_hip_device_flags(tn_rt_current()->ordinal) : copy.flags;
    return TN_RT_OK;
}

hipError_t hipCtxGetFlags(unsigned int *flags) {
    return TN_HIP_CALL(get_flags(flags));
}

hipError_t hipGetDeviceFlags(unsigned int *flags) {
    return TN_HIP_CALL(get_flags(flags));
}

static tn_rt_error get_version(hipCtx_t ctx, int *version) {
    struct context copy;
    if (tn_rt_policy.context_version == 0) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "contexts have no version in this release");
    }
    TN_RT_TRY(tn_rt_check_pointer(version, "apiVersion"));
    if (ctx != NULL) {
        TN_RT_TRY(copy_context(ctx, &copy));
    }
    *version = tn_rt_policy.context_version;
    return TN_RT_OK;
}

hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *apiVersion) {
    return TN_HIP_CALL(get_version(ctx, apiVersion));
}

// ---- functions of the device under other names

hipError_t hipCtxSynchronize(void) {
    return hipDeviceSynchronize();
}

hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig) {
    return hipDeviceGetCacheConfig(cacheConfig);
}

hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig) {
    return hipDeviceSetCacheConfig(cacheConfig);
}

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig) {
    return hipDeviceGetSharedMemConfig(pConfig);
}

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
    return hipDeviceSetSharedMemConfig(config);
}

static tn_rt_error enable_peer(hipCtx_t peer, unsigned flags) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(peer, &copy));
    return tn_hip_peer_enable(copy.device, flags);
}

hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags) {
    return TN_HIP_CALL(enable_peer(peerCtx, flags));
}

static tn_rt_error disable_peer(hipCtx_t peer) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(peer, &copy));
    return tn_hip_peer_disable(copy.device);
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx) {
    return TN_HIP_CALL(disable_peer(peerCtx));
}

// ---- primary contexts

static tn_rt_error retain_primary(hipCtx_t *ctx, int device) {
    TN_RT_TRY(tn_rt_check_pointer(ctx, "pctx"));
    TN_RT_TRY(tn_rt_check_device(device));
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = get_primary(device, ctx);
    if (error == TN_RT_OK) {
        retained[device]++;
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev) {
    return TN_HIP_CALL(retain_primary(pctx, dev));
}

static tn_rt_error release_primary(int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    (void)pthread_mutex_lock(&lock);
    bool counted = retained[device] > 0;
    retained[device] -= counted ? 1 : 0;
    (void)pthread_mutex_unlock(&lock);
    return counted ? TN_RT_OK
                   : tn_rt_fail(TN_RT_INVALID_CONTEXT,
                                "the primary context of device %d is not retained", device);
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev) {
    return TN_HIP_CALL(release_primary(dev));
}

static tn_rt_error get_state(int device, unsigned *flags, int *active) {
    TN_RT_TRY(tn_rt_check_device(device));
    if (flags != NULL) {
        *flags = tn_hip_device_flags(device);
    }
    if (active != NULL) {
        (void)pthread_mutex_lock(&lock);
        *active = retained[device] > 0 || tn_rt_current()->ordinal == device;
        (void)pthread_mutex_unlock(&lock);
    }
    return TN_RT_OK;
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active) {
    return TN_HIP_CALL(get_state(dev, flags, active));
}

static tn_rt_error set_flags(int device, unsigned flags) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_hip_set_device_flags(device, flags);
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags) {
    return TN_HIP_CALL(set_flags(dev, flags));
}

// In the child the handles are dead. The thread stays on its device.
static void forget_contexts(void) {
    memset(primaries, 0, sizeof primaries);
    memset(retained, 0, sizeof retained);
    stack.depth = 0;
}

TN_FACE_ON_FORK(TN_RT_LOCK_CONTEXT, &lock, forget_contexts);
