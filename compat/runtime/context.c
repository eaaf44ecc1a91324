// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread's stack names contexts by handle and device, without references. After a
// context is destroyed, the stacks of other threads still name its device. That suffices, because a
// context names nothing else.
#include "compat/runtime/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/handle.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/preference.h"

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
static bool adopted[TN_RT_DEVICES]; // one of the references is of tn_rt_context_select()

// Contexts that ended, or primary ones without users, which a stack may still name.
static _Atomic(unsigned) ended;

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
    struct context TN_FACE_HELD *context =
        (struct context *)tn_face_handle_get((uintptr_t)handle, TN_RT_CONTEXT);
    if (context == NULL) return no_context(handle);
    copy->device = context->device;
    copy->flags = context->flags;
    copy->primary = context->primary;
    return TN_RT_OK;
}

// Called under the lock.
static tn_rt_error get_primary(int device, uintptr_t *handle) {
    if (primaries[device] == 0) TN_RT_TRY(make_context(device, 0, true, &primaries[device]));
    *handle = primaries[device];
    return TN_RT_OK;
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

static tn_rt_error push_entry(uintptr_t handle, int device) {
    if (stack.entries == NULL) {
        (void)pthread_once(&once, make_key);
        struct entry *entries = (struct entry *)calloc(DEPTH, sizeof *entries);
        if (entries == NULL || pthread_setspecific(at_thread_end, entries) != 0) {
            free(entries);
            return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the stack of contexts");
        }
        stack.entries = entries;
    }
    TN_RT_REFUSE(stack.depth == DEPTH, TN_RT_OUT_OF_MEMORY, "%d contexts are on the stack", DEPTH);
    if (stack.depth == 0) stack.base = tn_rt_current()->ordinal;
    stack.entries[stack.depth++] = (struct entry){handle, device};
    tn_rt_set_current(tn_rt_owner(device, 0));
    return TN_RT_OK;
}

// The stack is not empty.
static void pop_entry(void) {
    stack.depth--;
    int device = stack.depth > 0 ? stack.entries[stack.depth - 1].device : stack.base;
    tn_rt_set_current(tn_rt_owner(device, 0));
}

static tn_rt_error adopt_primary(int device, uintptr_t *handle) {
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(get_primary(device, handle));
    retained[device] += !adopted[device];
    adopted[device] = true;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_select(int device) {
    uintptr_t primary = 0;
    if (tn_rt_policy.explicit_contexts) {
        TN_RT_TRY(adopt_primary(device, &primary));
        if (stack.depth == 0) return push_entry(primary, device);
    }
    if (stack.depth > 0) stack.entries[stack.depth - 1] = (struct entry){primary, device};
    tn_rt_set_current(tn_rt_owner(device, 0));
    return TN_RT_OK;
}

// Returns the handle on top of the stack, or 0 for the primary context of the current device.
static uintptr_t top_handle(void) {
    return stack.depth > 0 ? stack.entries[stack.depth - 1].handle : 0;
}

static tn_rt_error get_current(uintptr_t *handle) {
    *handle = top_handle();
    if (*handle != 0 || tn_rt_policy.explicit_contexts) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    return get_primary(tn_rt_current()->ordinal, handle);
}

// ---- contexts that calls need

static bool is_used(const struct context *context) {
    if (!context->primary) return true;
    TN_FACE_LOCKED(&lock);
    return retained[context->device] > 0;
}

tn_rt_error tn_rt_context_check(void) {
    struct context copy = {.device = -1};
    TN_RT_REFUSE(stack.depth == 0, TN_RT_INVALID_CONTEXT, "no context is current on this thread");
    if (atomic_load_explicit(&ended, memory_order_acquire) == 0) return TN_RT_OK;
    TN_RT_REFUSE(copy_context((void *)top_handle(), &copy) != TN_RT_OK || !is_used(&copy),
                 TN_RT_CONTEXT_DESTROYED, "the current context %p has ended", (void *)top_handle());
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_adopt(void) {
    return stack.depth > 0 ? tn_rt_context_check() : tn_rt_context_select(tn_rt_current()->ordinal);
}

// ---- for programs

tn_rt_error tn_rt_context_current(void *handle) {
    uintptr_t now = 0;
    TN_RT_TRY(tn_rt_check_pointer(handle, "ctx"));
    TN_RT_TRY(get_current(&now));
    tn_rt_give(handle, now);
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_new(void *handle, unsigned flags, int device) {
    uintptr_t made = 0;
    TN_RT_TRY(tn_rt_check_pointer(handle, "ctx"));
    TN_RT_TRY(tn_rt_check_device_flags(flags));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(make_context(device, flags, false, &made));
    tn_rt_error error = push_entry(made, device);
    if (error == TN_RT_OK)
        tn_rt_give(handle, made);
    else
        (void)tn_face_handle_end(made, TN_RT_CONTEXT);
    return error;
}

tn_rt_error tn_rt_context_end(void *ctx) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(ctx, &copy));
    TN_RT_REFUSE(copy.primary, TN_RT_INVALID_CONTEXT, "%p is the primary context of device %d", ctx,
                 copy.device);
    if (!tn_face_handle_end((uintptr_t)ctx, TN_RT_CONTEXT))
        return no_context(ctx); // another thread was faster
    (void)atomic_fetch_add_explicit(&ended, 1, memory_order_release);
    if (top_handle() == (uintptr_t)ctx) pop_entry();
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_push(void *ctx) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(ctx, &copy));
    return push_entry((uintptr_t)ctx, copy.device);
}

tn_rt_error tn_rt_context_pop(void *handle) {
    uintptr_t now = 0;
    TN_RT_REFUSE(stack.depth == 0, TN_RT_INVALID_CONTEXT, "no context is on the stack");
    TN_RT_TRY(get_current(&now));
    if (handle != NULL) tn_rt_give(handle, now);
    pop_entry();
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_set(void *ctx) {
    struct context copy = {.device = -1};
    if (ctx != NULL) TN_RT_TRY(copy_context(ctx, &copy));
    if (stack.depth > 0) pop_entry();
    return ctx != NULL ? push_entry((uintptr_t)ctx, copy.device) : TN_RT_OK;
}

tn_rt_error tn_rt_context_flags(unsigned *flags) {
    struct context copy = {.primary = true};
    TN_RT_TRY(tn_rt_check_pointer(flags, "flags"));
    if (top_handle() != 0) (void)copy_context((void *)top_handle(), &copy);
    *flags = copy.primary ? tn_rt_device_flags(tn_rt_current()->ordinal) : copy.flags;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_ordinal(int *device) {
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    *device = tn_rt_current()->ordinal;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_device(void *handle, int *device) {
    struct context copy = {.device = -1};
    TN_RT_TRY(copy_context(handle, &copy));
    *device = copy.device;
    return TN_RT_OK;
}

// ---- primary contexts

tn_rt_error tn_rt_primary_retain(void *handle, int device) {
    uintptr_t primary = 0;
    TN_RT_TRY(tn_rt_check_pointer(handle, "pctx"));
    TN_RT_TRY(tn_rt_check_device(device));
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(get_primary(device, &primary));
    retained[device]++;
    tn_rt_give(handle, primary);
    return TN_RT_OK;
}

tn_rt_error tn_rt_primary_release(int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(retained[device] == 0, TN_RT_INVALID_CONTEXT,
                 "the primary context of device %d is not retained", device);
    if (--retained[device] == 0) (void)atomic_fetch_add_explicit(&ended, 1, memory_order_release);
    return TN_RT_OK;
}

tn_rt_error tn_rt_primary_state(int device, unsigned *flags, int *active) {
    TN_RT_TRY(tn_rt_check_device(device));
    TN_FACE_LOCKED(&lock);
    if (flags != NULL) *flags = tn_rt_device_flags(device);
    bool current = !tn_rt_policy.explicit_contexts && tn_rt_current()->ordinal == device;
    if (active != NULL) *active = retained[device] > 0 || current;
    return TN_RT_OK;
}

tn_rt_error tn_rt_primary_set_flags(int device, unsigned flags) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_set_device_flags(device, flags);
}

// In the child the handles are dead. The thread stays on its device.
static void forget_contexts(void) {
    memset(primaries, 0, sizeof primaries);
    memset(retained, 0, sizeof retained);
    memset(adopted, 0, sizeof adopted);
    stack.depth = 0;
}

TN_FACE_ON_FORK(TN_RT_LOCK_CONTEXT, &lock, forget_contexts);
