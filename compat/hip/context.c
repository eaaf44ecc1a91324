// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread's stack names contexts by handle and device, without references: what a
// destroyed context leaves on other threads' stacks is a device, and that is all it ever was.
#include "compat/hip/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/context.h>
#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/hip/handle.h"
#include "compat/hip/lock.h"

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
    int base; // the device below the stack, while there is something on it
    int depth;
    struct entry *entries; // DEPTH; made at the first push, freed when the thread ends
} stack;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next two
static hipCtx_t primaries[TN_HIP_DEVICES];               // made when first asked for
static unsigned retained[TN_HIP_DEVICES];

// ---- contexts

static void destroy(struct tn_face_object *object) {
    free((struct context *)object);
}

static hipError_t make(int device, unsigned flags, bool primary, hipCtx_t *handle) {
    struct context *context = (struct context *)calloc(1, sizeof *context);
    if (context != NULL) {
        context->device = device;
        context->flags = flags;
        context->primary = primary;
    }
    if (context == NULL || !tn_face_handle_new(&context->object, TN_HIP_CONTEXT, destroy)) {
        free(context);
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a context");
    }
    *handle = (hipCtx_t)context->object.handle;
    return hipSuccess;
}

static hipError_t no_context(hipCtx_t handle) {
    return tn_hip_fail(hipErrorInvalidContext, "%p is no context", (void *)handle);
}

static hipError_t look(hipCtx_t handle, struct context *copy) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_HIP_CONTEXT);
    if (object == NULL) {
        return no_context(handle);
    }
    const struct context *context = (const struct context *)object;
    copy->device = context->device;
    copy->flags = context->flags;
    copy->primary = context->primary;
    tn_face_object_put(object);
    return hipSuccess;
}

// Under the lock.
static hipError_t primary_of(int device, hipCtx_t *handle) {
    hipError_t error = hipSuccess;
    if (primaries[device] == NULL) {
        error = make(device, 0, true, &primaries[device]);
    }
    if (error == hipSuccess) {
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

static hipError_t make_entries(void) {
    (void)pthread_once(&once, make_key);
    struct entry *entries = (struct entry *)calloc(DEPTH, sizeof *entries);
    if (entries == NULL || pthread_setspecific(at_thread_end, entries) != 0) {
        free(entries);
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for the stack of contexts");
    }
    stack.entries = entries;
    return hipSuccess;
}

static hipError_t push(hipCtx_t handle, int device) {
    if (stack.entries == NULL) {
        hipError_t error = make_entries();
        if (error != hipSuccess) {
            return error;
        }
    }
    if (stack.depth == DEPTH) {
        return tn_hip_fail(hipErrorOutOfMemory, "%d contexts are on the stack", DEPTH);
    }
    if (stack.depth == 0) {
        stack.base = tn_hip_self()->device;
    }
    stack.entries[stack.depth++] = (struct entry){handle, device};
    tn_hip_self()->device = device;
    return hipSuccess;
}

// The stack is not empty.
static void pop(void) {
    stack.depth--;
    tn_hip_self()->device = stack.depth > 0 ? stack.entries[stack.depth - 1].device : stack.base;
}

void tn_hip_context_select(int device) {
    if (stack.depth > 0) {
        stack.entries[stack.depth - 1] = (struct entry){NULL, device};
    }
    tn_hip_self()->device = device;
}

static hipError_t current(hipCtx_t *handle) {
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle != NULL) {
        *handle = stack.entries[stack.depth - 1].handle;
        return hipSuccess;
    }
    (void)pthread_mutex_lock(&lock);
    hipError_t error = primary_of(tn_hip_self()->device, handle);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// ---- HIP's functions

static hipError_t check_device(int device) {
    return tn_hip_device(device) != NULL
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", device,
                             tn_hip_face.count);
}

static hipError_t check_flags(unsigned flags) {
    unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    unsigned ways = flags & hipDeviceScheduleMask;
    return (flags & ~known) == 0 && (ways & (ways - 1)) == 0
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
}

static hipError_t create(hipCtx_t *ctx, unsigned flags, int device) {
    hipCtx_t handle = NULL;
    if (ctx == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "ctx is NULL");
    }
    TN_HIP_TRY(check_flags(flags));
    TN_HIP_TRY(check_device(device));
    TN_HIP_TRY(make(device, flags, false, &handle));
    hipError_t error = push(handle, device);
    if (error != hipSuccess) {
        tn_face_object_put(tn_face_handle_close((uintptr_t)handle, TN_HIP_CONTEXT));
        return error;
    }
    *ctx = handle;
    return hipSuccess;
}

hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device) {
    return TN_HIP_CALL(create(ctx, flags, device));
}

static hipError_t destroy_named(hipCtx_t ctx) {
    struct context copy = {.device = -1};
    TN_HIP_TRY(look(ctx, &copy));
    if (copy.primary) {
        return tn_hip_fail(hipErrorInvalidContext, "%p is the primary context of device %d",
                           (void *)ctx, copy.device);
    }
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)ctx, TN_HIP_CONTEXT);
    if (object == NULL) {
        return no_context(ctx); // another thread was faster
    }
    tn_face_object_put(object);
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle == ctx) {
        pop();
    }
    return hipSuccess;
}

hipError_t hipCtxDestroy(hipCtx_t ctx) {
    return TN_HIP_CALL(destroy_named(ctx));
}

hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
    struct context copy = {.device = -1};
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = look(ctx, &copy);
    }
    if (error == hipSuccess) {
        error = push(ctx, copy.device);
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t pop_current(hipCtx_t *ctx) {
    hipCtx_t handle = NULL;
    if (stack.depth == 0) {
        return tn_hip_fail(hipErrorInvalidContext, "no context is on the stack");
    }
    TN_HIP_TRY(current(&handle));
    pop();
    if (ctx != NULL) {
        *ctx = handle;
    }
    return hipSuccess;
}

hipError_t hipCtxPopCurrent(hipCtx_t *ctx) {
    return TN_HIP_CALL(pop_current(ctx));
}

static hipError_t set_current(hipCtx_t ctx) {
    struct context copy = {.device = -1};
    if (ctx == NULL) {
        if (stack.depth > 0) {
            pop();
        }
        return hipSuccess;
    }
    hipError_t error = look(ctx, &copy);
    if (error == hipSuccess && stack.depth > 0) {
        pop();
    }
    return error == hipSuccess ? push(ctx, copy.device) : error;
}

hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
    return TN_HIP_CALL(set_current(ctx));
}

// What the functions that only ask begin with.
static hipError_t ask(const void *output) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && output == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the answer shall go is NULL");
    }
    return error;
}

hipError_t hipCtxGetCurrent(hipCtx_t *ctx) {
    hipError_t error = ask(ctx);
    if (error == hipSuccess) {
        error = current(ctx);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipCtxGetDevice(hipDevice_t *device) {
    hipError_t error = ask(device);
    if (error == hipSuccess) {
        *device = tn_hip_self()->device;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipCtxGetFlags(unsigned int *flags) {
    struct context copy = {.primary = true};
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle != NULL) {
        (void)look(stack.entries[stack.depth - 1].handle, &copy);
    }
    if (copy.primary) {
        return hipGetDeviceFlags(flags);
    }
    hipError_t error = ask(flags);
    if (error == hipSuccess) {
        *flags = copy.flags;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *apiVersion) {
    struct context copy = {.device = -1};
    hipError_t error = ask(apiVersion);
    if (error == hipSuccess && ctx != NULL) {
        error = look(ctx, &copy);
    }
    if (error == hipSuccess) {
        *apiVersion = 4;
    }
    return tn_hip_leave(error, __func__);
}

// ---- the device's functions by other names

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

hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags) {
    struct context copy = {.device = -1};
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = look(peerCtx, &copy);
    }
    return error == hipSuccess ? hipDeviceEnablePeerAccess(copy.device, flags)
                               : tn_hip_leave(error, __func__);
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx) {
    struct context copy = {.device = -1};
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = look(peerCtx, &copy);
    }
    return error == hipSuccess ? hipDeviceDisablePeerAccess(copy.device)
                               : tn_hip_leave(error, __func__);
}

// ---- primary contexts

static hipError_t retain(hipCtx_t *ctx, int device) {
    if (ctx == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "pctx is NULL");
    }
    TN_HIP_TRY(check_device(device));
    (void)pthread_mutex_lock(&lock);
    hipError_t error = primary_of(device, ctx);
    if (error == hipSuccess) {
        retained[device]++;
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev) {
    return TN_HIP_CALL(retain(pctx, dev));
}

static hipError_t release(int device) {
    TN_HIP_TRY(check_device(device));
    (void)pthread_mutex_lock(&lock);
    bool counted = retained[device] > 0;
    retained[device] -= counted ? 1 : 0;
    (void)pthread_mutex_unlock(&lock);
    return counted ? hipSuccess
                   : tn_hip_fail(hipErrorInvalidContext,
                                 "the primary context of device %d is not retained", device);
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev) {
    return TN_HIP_CALL(release(dev));
}

static hipError_t state_of(int device, unsigned *flags, int *active) {
    hipError_t error = check_device(device);
    if (error != hipSuccess) {
        return error;
    }
    int before = tn_hip_self()->device;
    if (flags != NULL) {
        tn_hip_self()->device = device;
        error = hipGetDeviceFlags(flags);
        tn_hip_self()->device = before;
    }
    if (error == hipSuccess && active != NULL) {
        (void)pthread_mutex_lock(&lock);
        *active = retained[device] > 0 || before == device;
        (void)pthread_mutex_unlock(&lock);
    }
    return error;
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active) {
    return TN_HIP_CALL(state_of(dev, flags, active));
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = check_device(dev);
    }
    if (error != hipSuccess) {
        return tn_hip_leave(error, __func__);
    }
    int before = tn_hip_self()->device;
    tn_hip_self()->device = dev;
    error = hipSetDeviceFlags(flags);
    tn_hip_self()->device = before;
    return error;
}

// In the child the handles are dead. The thread stays on its device.
static void forget_contexts(void) {
    memset(primaries, 0, sizeof primaries);
    memset(retained, 0, sizeof retained);
    stack.depth = 0;
}

TN_FACE_ON_FORK(TN_HIP_LOCK_CONTEXT, &lock, forget_contexts);
