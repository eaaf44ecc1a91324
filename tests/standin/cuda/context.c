// SPDX-License-Identifier: Apache-2.0
// Primary contexts, and each thread's stack of them. Retains and current uses are counted. The
// handle of a context is invalid after its last release.
#include <pthread.h>
#include <stdlib.h>

#include "standin/cuda/parts.h"

#define DEPTH 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards `primary` and `retained`

// The stack of a thread: handles, the last of which is current. It is small, because a program may
// open the library late.
static _Thread_local struct {
    int depth;
    tn_cu_context handles[DEPTH];
} stack;

static void destroy(struct tn_face_object *object) { free(object); }

static struct standin_context *find(tn_cu_context handle) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, STANDIN_CONTEXT);
    if (object != NULL) {
        tn_face_object_put(
            object); // who retains it keeps it; a call beside the last release is wrong
    }
    return (struct standin_context *)object;
}

struct standin_context *standin_current(void) {
    return stack.depth > 0 ? find(stack.handles[stack.depth - 1]) : NULL;
}

struct standin_device *standin_device_of(tn_cu_device device) {
    return device >= 0 && device < standin.count ? &standin.devices[device] : NULL;
}

// ---- primary contexts

static tn_cu_result make(struct standin_device *device) {
    struct standin_context *context = calloc(1, sizeof *context);
    if (context == NULL || !tn_face_handle_new(&context->object, STANDIN_CONTEXT, destroy)) {
        free(context);
        return TN_CU_OUT_OF_MEMORY;
    }
    context->device = device;
    device->primary = context;
    return TN_CU_SUCCESS;
}

tn_cu_result cuDevicePrimaryCtxRetain(tn_cu_context *context, tn_cu_device ordinal) {
    tn_cu_result result = standin_take(standin_enter());
    if (result != TN_CU_SUCCESS) return result;
    struct standin_device *device = standin_device_of(ordinal);
    if (context == NULL || device == NULL)
        return context == NULL ? TN_CU_INVALID_VALUE : TN_CU_INVALID_DEVICE;
    (void)pthread_mutex_lock(&lock);
    result = device->primary == NULL ? make(device) : TN_CU_SUCCESS;
    if (result == TN_CU_SUCCESS) {
        device->primary->retained++;
        *context = (tn_cu_context)device->primary->object.handle;
    }
    (void)pthread_mutex_unlock(&lock);
    return result;
}

// The last release destroys the context and its contents.
static tn_cu_result release(tn_cu_device ordinal) {
    struct standin_device *device = standin_device_of(ordinal);
    if (device == NULL) return TN_CU_INVALID_DEVICE;
    (void)pthread_mutex_lock(&lock);
    struct standin_context *context = device->primary;
    bool last = context != NULL && context->retained == 1;
    if (context != NULL) context->retained--;
    if (last) device->primary = NULL;
    (void)pthread_mutex_unlock(&lock);
    if (context == NULL) return TN_CU_INVALID_CONTEXT;
    if (last) {
        standin_streams_end(context);
        standin_memory_end(device);
        tn_face_object_put(tn_face_handle_close(context->object.handle, STANDIN_CONTEXT));
    }
    return TN_CU_SUCCESS;
}

tn_cu_result cuDevicePrimaryCtxRelease_v2(tn_cu_device device) {
    tn_cu_result result = standin_enter();
    return result == TN_CU_SUCCESS ? release(device) : result;
}

// The name before CUDA 11, with the same meaning.
__attribute__((visibility("default"))) tn_cu_result cuDevicePrimaryCtxRelease(tn_cu_device device);
tn_cu_result cuDevicePrimaryCtxRelease(tn_cu_device device) {
    return cuDevicePrimaryCtxRelease_v2(device);
}

// ---- the stack

tn_cu_result cuCtxGetCurrent(tn_cu_context *context) {
    tn_cu_result result = standin_enter();
    if (result == TN_CU_SUCCESS && context == NULL) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) *context = stack.depth > 0 ? stack.handles[stack.depth - 1] : NULL;
    return result;
}

tn_cu_result cuCtxGetDevice(tn_cu_device *device) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    if (result == TN_CU_SUCCESS && device == NULL) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) *device = context->device->ordinal;
    return result;
}

tn_cu_result cuCtxPushCurrent_v2(tn_cu_context context) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    if (find(context) == NULL) return TN_CU_INVALID_CONTEXT;
    if (stack.depth == DEPTH) return TN_CU_OUT_OF_MEMORY;
    stack.handles[stack.depth++] = context;
    return TN_CU_SUCCESS;
}

tn_cu_result cuCtxPopCurrent_v2(tn_cu_context *context) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    if (stack.depth == 0) return TN_CU_INVALID_CONTEXT;
    stack.depth--;
    if (context != NULL) *context = stack.handles[stack.depth];
    return TN_CU_SUCCESS;
}

tn_cu_result cuCtxSynchronize(void) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    return result == TN_CU_SUCCESS ? standin_streams_wait(context) : result;
}

// ---- peers

tn_cu_result cuDeviceCanAccessPeer(int *can, tn_cu_device device, tn_cu_device peer) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    const struct standin_device *from = standin_device_of(device);
    const struct standin_device *to = standin_device_of(peer);
    if (can == NULL || from == NULL || to == NULL)
        return can == NULL ? TN_CU_INVALID_VALUE : TN_CU_INVALID_DEVICE;
    bool yes = false;
    if (from != to && (standin.without & STANDIN_NO_PEER) == 0)
        result = standin_from(tarn_device_query_peer(from->tarn, to->tarn, &yes, NULL), NULL);
    if (result == TN_CU_SUCCESS) *can = yes ? 1 : 0;
    return result;
}

static tn_cu_result set_peer(tn_cu_context handle, bool enabled) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    result = enabled ? standin_take(result) : result;
    if (result != TN_CU_SUCCESS) return result;
    const struct standin_context *peer = find(handle);
    if (peer == NULL || peer == context) return TN_CU_INVALID_CONTEXT;
    if ((standin.without & STANDIN_NO_PEER) != 0)
        return enabled ? TN_CU_PEER_ACCESS_UNSUPPORTED : TN_CU_PEER_ACCESS_NOT_ENABLED;
    tarn_status status = enabled
                             ? tarn_device_enable_peer(context->device->tarn, peer->device->tarn)
                             : tarn_device_disable_peer(context->device->tarn, peer->device->tarn);
    if (status == TARN_BUSY) return TN_CU_PEER_ACCESS_ALREADY_ENABLED;
    return status == TARN_BAD_ARGUMENT ? TN_CU_PEER_ACCESS_NOT_ENABLED
                                       : standin_from(status, context);
}

tn_cu_result cuCtxEnablePeerAccess(tn_cu_context peer, unsigned flags) {
    return flags != 0 ? TN_CU_INVALID_VALUE : set_peer(peer, true);
}

tn_cu_result cuCtxDisablePeerAccess(tn_cu_context peer) { return set_peer(peer, false); }

TN_FACE_ON_FORK(STANDIN_FORK_CONTEXT, &lock, NULL);
