// SPDX-License-Identifier: Apache-2.0
// See context.h. A thread's stack names contexts by handle and owner, without references. After a
// context is destroyed, the stacks of other threads still name its device.
#include "compat/runtime/context/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/handle.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/device/policy.h"
#include "compat/runtime/device/preference.h"

#define DEPTH 64

struct context {
    struct tn_face_object object;
    unsigned owner; // of what is made in it
    _Atomic(unsigned) flags;
    _Atomic(unsigned) users; // that may detach it, with the thread that made it
    bool primary;
};

struct entry {
    uintptr_t handle; // 0: the primary context of the device
    unsigned owner;
};

static _Thread_local struct {
    unsigned base; // the current owner below the stack, while the stack is not empty
    int depth;
    struct entry *entries; // DEPTH of them; allocated at the first push
} stack;

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER;              // guards the next three, and the lists of device.h
static unsigned retained[TN_RT_DEVICES];    // references to them
static bool adopted[TN_RT_DEVICES];         // tn_rt_primary_adopt() has taken a reference
static _Atomic(bool) active[TN_RT_DEVICES]; // primary contexts; changed under the lock

// ---- contexts

static void destroy_context(struct tn_face_object *object) { free((struct context *)object); }

static tn_rt_error make_context(unsigned owner, unsigned flags, bool primary, uintptr_t *handle) {
    struct context *context = (struct context *)calloc(1, sizeof *context);
    if (context != NULL) {
        context->owner = owner;
        atomic_init(&context->flags, flags);
        atomic_init(&context->users, 1);
        context->primary = primary;
    }
    if (context == NULL || !tn_face_handle_new(&context->object, TN_RT_CONTEXT, destroy_context)) {
        free(context);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a context");
    }
    *handle = context->object.handle;
    return TN_RT_OK;
}

static int device_of(unsigned owner) { return (int)(owner % TN_RT_DEVICES); }

static tn_rt_error no_context(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_CONTEXT, "%p is not a context", handle);
}

// The caller has a reference to the context then.
static tn_rt_error get_context(void *handle, struct context **context) {
    *context = (struct context *)tn_face_handle_get((uintptr_t)handle, TN_RT_CONTEXT);
    return *context != NULL ? TN_RT_OK : no_context(handle);
}

static tn_rt_error get_owner(void *handle, unsigned *owner) {
    TN_RT_GET(context, context, get_context(handle, &context));
    *owner = context->owner;
    return TN_RT_OK;
}

// Makes a context with a free number, which none of its objects has any more.
static tn_rt_error make_numbered(int device, unsigned flags, uintptr_t *handle) {
    unsigned number = 1;
    TN_FACE_LOCKED(&lock);
    while (number < TN_RT_CONTEXTS && tn_rt_numbered_contexts[number] != 0) number++;
    TN_RT_REFUSE(number == TN_RT_CONTEXTS, TN_RT_OUT_OF_MEMORY, "%d contexts live",
                 TN_RT_CONTEXTS - 1);
    TN_RT_TRY(make_context(tn_rt_owner(device, number), flags, false, handle));
    tn_rt_numbered_contexts[number] = *handle;
    return TN_RT_OK;
}

// Ends what a context owns.
static void empty_context(unsigned owner) {
    unsigned number = owner / TN_RT_DEVICES;
    if (number == 0) return; // contexts own nothing
    tn_rt_owner_reset(owner);
    TN_FACE_LOCKED(&lock);
    tn_rt_numbered_contexts[number] = 0;
}

// Called under the lock.
static tn_rt_error get_primary(int device, uintptr_t *handle) {
    *handle = tn_rt_primary_contexts[device];
    if (*handle != 0) return TN_RT_OK;
    TN_RT_TRY(make_context(tn_rt_owner(device, 0), 0, true, handle));
    tn_rt_primary_contexts[device] = *handle;
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

static tn_rt_error push_entry(uintptr_t handle, unsigned owner) {
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
    if (stack.depth == 0) stack.base = tn_rt_current_owner();
    stack.entries[stack.depth++] = (struct entry){handle, owner};
    tn_rt_set_current(owner);
    return TN_RT_OK;
}

// The stack is not empty.
static void pop_entry(void) {
    stack.depth--;
    tn_rt_set_current(stack.depth > 0 ? stack.entries[stack.depth - 1].owner : stack.base);
}

static tn_rt_error adopt_primary(int device, uintptr_t *handle) {
    TN_RT_TRY(tn_rt_check_device(device));
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(get_primary(device, handle));
    if (!adopted[device] || retained[device] == 0) retained[device]++;
    adopted[device] = true;
    active[device] = true;
    return TN_RT_OK;
}

tn_rt_error tn_rt_primary_adopt(int device) {
    uintptr_t primary = 0;
    return adopt_primary(device, &primary);
}

tn_rt_error tn_rt_context_select(int device) {
    uintptr_t primary = 0;
    unsigned owner = tn_rt_owner(device, 0);
    if (tn_rt_device_policy.explicit_contexts) {
        TN_RT_TRY(adopt_primary(device, &primary));
        if (stack.depth == 0) return push_entry(primary, owner);
    }
    if (stack.depth > 0) stack.entries[stack.depth - 1] = (struct entry){primary, owner};
    tn_rt_set_current(owner);
    return TN_RT_OK;
}

// Returns the handle on top of the stack, or 0 for the primary context of the current device.
static uintptr_t top_handle(void) {
    return stack.depth > 0 ? stack.entries[stack.depth - 1].handle : 0;
}

static tn_rt_error get_current(uintptr_t *handle) {
    *handle = top_handle();
    if (*handle != 0 || tn_rt_device_policy.explicit_contexts) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    return get_primary(tn_rt_current()->ordinal, handle);
}

// ---- contexts that calls need

tn_rt_error tn_rt_context_check(void) {
    TN_RT_REFUSE(stack.depth == 0, TN_RT_INVALID_CONTEXT, "no context is current on this thread");
    if (atomic_load_explicit(&tn_rt_contexts_ended, memory_order_acquire) == 0) return TN_RT_OK;
    const struct entry *top = &stack.entries[stack.depth - 1];
    // An owner below TN_RT_DEVICES is a primary context.
    bool lives = top->owner < TN_RT_DEVICES ? active[top->owner]
                                            : tn_face_handle_live(top->handle, TN_RT_CONTEXT);
    TN_RT_REFUSE(!lives, TN_RT_CONTEXT_DESTROYED, "the current context 0x%llx has ended",
                 (unsigned long long)top->handle);
    return tn_rt_device_failure(device_of(top->owner));
}

tn_rt_error tn_rt_context_adopt(void) {
    bool primary = stack.depth == 0 || tn_rt_current_owner() < TN_RT_DEVICES;
    tn_rt_error error = stack.depth > 0 ? tn_rt_context_check() : TN_RT_CONTEXT_DESTROYED;
    if (error != TN_RT_CONTEXT_DESTROYED) return error;
    TN_RT_TRY(tn_rt_function_check());
    return primary ? tn_rt_context_select(tn_rt_current()->ordinal) : TN_RT_INVALID_CONTEXT;
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
    unsigned owner = tn_rt_owner(device, 0);
    TN_RT_TRY(tn_rt_device_policy.explicit_contexts ? make_numbered(device, flags, &made)
                                                    : make_context(owner, flags, false, &made));
    tn_rt_error error = get_owner((void *)made, &owner);
    if (error == TN_RT_OK) error = push_entry(made, owner);
    if (error != TN_RT_OK) {
        (void)tn_face_handle_end(made, TN_RT_CONTEXT);
        empty_context(owner);
        return error;
    }
    tn_rt_give(handle, made);
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_end(void *ctx) {
    TN_RT_GET(context, context, get_context(ctx, &context));
    TN_RT_REFUSE(context->primary, TN_RT_INVALID_CONTEXT, "%p is the primary context of device %d",
                 ctx, device_of(context->owner));
    if (!tn_face_handle_end((uintptr_t)ctx, TN_RT_CONTEXT))
        return no_context(ctx); // another thread was faster
    (void)atomic_fetch_add_explicit(&tn_rt_contexts_ended, 1, memory_order_release);
    if (top_handle() == (uintptr_t)ctx) pop_entry();
    empty_context(context->owner);
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_attach(void *handle, unsigned flags) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "pctx"));
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x are reserved", flags);
    TN_RT_GET(context, context, get_context((void *)top_handle(), &context));
    if (context->primary) return tn_rt_primary_retain(handle, device_of(context->owner));
    (void)atomic_fetch_add(&context->users, 1);
    tn_rt_give(handle, top_handle());
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_detach(void *ctx) {
    TN_RT_GET(context, context, get_context(ctx, &context));
    TN_RT_REFUSE(top_handle() != (uintptr_t)ctx, TN_RT_INVALID_CONTEXT,
                 "%p is not the current context", ctx);
    if (context->primary) return tn_rt_primary_release(device_of(context->owner));
    return atomic_fetch_sub(&context->users, 1) == 1 ? tn_rt_context_end(ctx) : TN_RT_OK;
}

tn_rt_error tn_rt_context_push(void *ctx) {
    unsigned owner = 0;
    TN_RT_TRY(get_owner(ctx, &owner));
    return push_entry((uintptr_t)ctx, owner);
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
    unsigned owner = 0;
    if (ctx != NULL) TN_RT_TRY(get_owner(ctx, &owner));
    if (stack.depth > 0) pop_entry();
    return ctx != NULL ? push_entry((uintptr_t)ctx, owner) : TN_RT_OK;
}

tn_rt_error tn_rt_context_flags(unsigned *flags) {
    struct context TN_FACE_HELD *context = NULL;
    TN_RT_TRY(tn_rt_check_pointer(flags, "flags"));
    if (top_handle() != 0) (void)get_context((void *)top_handle(), &context);
    *flags = context == NULL || context->primary
                 ? tn_rt_device_flags(tn_rt_current()->ordinal) | tn_rt_device_policy.primary_flags
                 : context->flags;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_set_flags(unsigned flags) {
    TN_RT_TRY(tn_rt_check_device_flags(flags));
    TN_RT_GET(context, context, get_context((void *)top_handle(), &context));
    if (context->primary) return tn_rt_set_device_flags(device_of(context->owner), flags);
    context->flags = flags;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_version(void *ctx, void *version) {
    unsigned owner = 0;
    TN_RT_REFUSE(tn_rt_device_policy.context_version == 0, TN_RT_NOT_SUPPORTED,
                 "contexts have no version in this release");
    TN_RT_TRY(tn_rt_check_pointer(version, "apiVersion"));
    if (ctx != NULL) TN_RT_TRY(get_owner(ctx, &owner));
    memcpy(version, &tn_rt_device_policy.context_version,
           sizeof tn_rt_device_policy.context_version);
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_ordinal(int *device) {
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    *device = tn_rt_current()->ordinal;
    return TN_RT_OK;
}

tn_rt_error tn_rt_context_device(void *handle, int *device) {
    unsigned owner = 0;
    TN_RT_TRY(get_owner(handle, &owner));
    *device = device_of(owner);
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
    active[device] = true;
    tn_rt_give(handle, primary);
    return TN_RT_OK;
}

// Called under the lock.
static void end_primary(int device) {
    active[device] = false;
    (void)atomic_fetch_add_explicit(&tn_rt_contexts_ended, 1, memory_order_release);
}

static tn_rt_error drop_primary(int device, bool *last) {
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(retained[device] == 0, TN_RT_INVALID_CONTEXT,
                 "the primary context of device %d is not retained", device);
    *last = --retained[device] == 0;
    if (*last) end_primary(device);
    return TN_RT_OK;
}

tn_rt_error tn_rt_primary_reset(int device) {
    TN_RT_TRY(tn_rt_check_device(device));
    (void)pthread_mutex_lock(&lock);
    end_primary(device);
    (void)pthread_mutex_unlock(&lock);
    return tn_rt_reset(device);
}

tn_rt_error tn_rt_primary_release(int device) {
    bool last = false;
    TN_RT_TRY(tn_rt_check_device(device));
    TN_RT_TRY(drop_primary(device, &last));
    return last && tn_rt_device_policy.explicit_contexts ? tn_rt_reset(device) : TN_RT_OK;
}

tn_rt_error tn_rt_primary_state(int device, unsigned *flags, int *is_active) {
    TN_RT_TRY(tn_rt_check_device(device));
    TN_FACE_LOCKED(&lock);
    if (flags != NULL) *flags = tn_rt_device_flags(device);
    bool used = tn_rt_device_policy.explicit_contexts
                    ? active[device]
                    : retained[device] > 0 || tn_rt_current()->ordinal == device;
    if (is_active != NULL) *is_active = used;
    return TN_RT_OK;
}

tn_rt_error tn_rt_primary_set_flags(int device, unsigned flags) {
    TN_RT_TRY(tn_rt_check_device(device));
    return tn_rt_set_device_flags(device, flags);
}

// In the child the handles are dead. The thread stays on its device.
static void forget_contexts(void) {
    memset(tn_rt_primary_contexts, 0, sizeof tn_rt_primary_contexts);
    for (int i = 0; i < TN_RT_DEVICES; i++) active[i] = false;
    memset(retained, 0, sizeof retained);
    memset(adopted, 0, sizeof adopted);
    memset(tn_rt_numbered_contexts, 0, sizeof tn_rt_numbered_contexts);
    stack.depth = 0;
}

TN_FACE_ON_FORK(TN_RT_LOCK_CONTEXT, &lock, forget_contexts);
