// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread's stack names contexts by handle and device, without references. After a
// context is destroyed, the stacks of other threads still name its device. That suffices, because a
// context names nothing else.
#include "compat/runtime/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    uintptr_t handle; // 0: the primary context of the device
    int device;
};

static _Thread_local struct {
    int base; // the current device below the stack, while the stack is not empty
    int depth;
    struct entry *entries; // DEPTH of them; allocated at the first push
} stack;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next two
static uintptr_t primaries[TN_RT_DEVICES];               // made at the first use
static unsigned retained[TN_RT_DEVICES];

// ---- contexts

static void destroy_context(struct tn_face_object *object) { free((struct context *)object); }

static tn_rt_error make_context(int device, unsigned flags, bool primary, uintptr_t *handle) {
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
    *handle = context->object.handle;
    return TN_RT_OK;
}

static tn_rt_error no_context(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_CONTEXT, "%p is not a context", handle);
}

static tn_rt_error copy_context(void *handle, struct context *copy) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_RT_CONTEXT);
    if (object == NULL) return no_context(handle);
    const struct context *context = (const struct context *)object;
    copy->device = context->device;
    copy->flags = context->flags;
    copy->primary = context->primary;
    tn_face_object_put(object);
    return TN_RT_OK;
}

// Called under the lock.
static tn_rt_error get_primary(int device, uintptr_t *handle) {
    tn_rt_error error = TN_RT_OK;
    if (primaries[device] == 0) error = make_context(device, 0, true, &primaries[device]);
    if (error == TN_RT_OK) *handle = primaries[device];
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

static void make_key(void) { (void)pthread_key_create(&at_thread_end, free_entries); }

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

static tn_rt_error push_entry(uintptr_t handle, int device) {
    if (stack.entries == NULL) {
        tn_rt_error error = make_entries();
        if (error != TN_RT_OK) return error;
    }
    TN_RT_REFUSE(stack.depth == DEPTH, TN_RT_OUT_OF_MEMORY, "%d contexts are on the stack", DEPTH);
    if (stack.depth == 0) stack.base = tn_rt_current()->ordinal;
    stack.entries[stack.depth++] = (struct entry){handle, device};
    tn_rt_set_current(device);
    return TN_RT_OK;
}

// The stack is not empty.
static void pop_entry(void) {
    stack.depth--;
    tn_rt_set_current(stack.depth > 0 ? stack.entries[stack.depth - 1].device : stack.base);
}

void tn_rt_context_select(int device) {
    if (stack.depth > 0) stack.entries[stack.depth - 1] = (struct entry){0, device};
    tn_rt_set_current(device);
}

tn_rt_error tn_rt_context_current(uintptr_t *handle) {
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle != 0) {
        *handle = stack.entries[stack.depth - 1].handle;
        return TN_RT_OK;
    }
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = get_primary(tn_rt_current()->ordinal, handle);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// ---- for programs

tn_rt_error tn_rt_context_new(unsigned flags, int device, uintptr_t *handle) {
    uintptr_t made = 0;
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(make_context(device, flags, false, &made));
    tn_rt_error error = push_entry(made, device);
    if (error != TN_RT_OK) {
        (void)tn_face_handle_end(made, TN_RT_CONTEXT);
        return error;
    }
    *handle = made;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_end(void *ctx) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(ctx, &copy));
    TN_RT_REFUSE(copy.primary, TN_RT_INVALID_CONTEXT, "%p is the primary context of device %d", ctx,
                 copy.device);
    if (!tn_face_handle_end((uintptr_t)ctx, TN_RT_CONTEXT))
        return no_context(ctx); // another thread was faster
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle == (uintptr_t)ctx) pop_entry();
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_push(void *ctx) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(ctx, &copy));
    return push_entry((uintptr_t)ctx, copy.device);
}

tn_rt_error tn_rt_context_pop(uintptr_t *handle) {
    TN_RT_REFUSE(stack.depth == 0, TN_RT_INVALID_CONTEXT, "no context is on the stack");
    TN_RT_TRY(tn_rt_context_current(handle));
    pop_entry();
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_set(void *ctx) {
    struct context copy = {.device = -1};
    if (ctx != NULL) TN_RT_TRY(copy_context(ctx, &copy));
    if (stack.depth > 0) pop_entry();
    return ctx != NULL ? push_entry((uintptr_t)ctx, copy.device) : TN_RT_OK;
}

bool tn_rt_context_flags(unsigned *flags) {
    struct context copy = {.primary = true};
    if (stack.depth > 0 && stack.entries[stack.depth - 1].handle != 0)
        (void)copy_context((void *)stack.entries[stack.depth - 1].handle, &copy);
    *flags = copy.flags;
    return !copy.primary;
}

tn_rt_error tn_rt_context_device(void *handle, int *device) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(handle, &copy));
    *device = copy.device;
    return TN_RT_OK;
}

// ---- primary contexts

tn_rt_error tn_rt_primary_retain(int device, uintptr_t *handle) {
    TN_RT_TRY(tn_rt_check_device(device));
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = get_primary(device, handle);
    if (error == TN_RT_OK) retained[device]++;
    (void)pthread_mutex_unlock(&lock);
    return error;
}

tn_rt_error tn_rt_primary_release(int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    (void)pthread_mutex_lock(&lock);
    bool counted = retained[device] > 0;
    retained[device] -= counted ? 1 : 0;
    (void)pthread_mutex_unlock(&lock);
    return counted ? TN_RT_OK
                   : tn_rt_fail(TN_RT_INVALID_CONTEXT,
                                "the primary context of device %d is not retained", device);
}

bool tn_rt_primary_is_active(int device) {
    (void)pthread_mutex_lock(&lock);
    bool active = retained[device] > 0 || tn_rt_current()->ordinal == device;
    (void)pthread_mutex_unlock(&lock);
    return active;
}

// In the child the handles are dead. The thread stays on its device.
static void forget_contexts(void) {
    memset(primaries, 0, sizeof primaries);
    memset(retained, 0, sizeof retained);
    stack.depth = 0;
}

TN_FACE_ON_FORK(TN_RT_LOCK_CONTEXT, &lock, forget_contexts);
