// SPDX-License-Identifier: Apache-2.0
// Reports the order of work to the thread sanitizer of a program. Each stream is a thread of TSan, a
// fibre, on which its work runs, so the threads of the engine and its lock make no order. A clock of
// TSan belongs to an address: that of an operation has what its submission knew, that of a point,
// of a stream or of a device what their completed work knew. See parts.h.
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#include "backend/host/engine/parts.h"

#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetIP

_Thread_local bool tn_host_in_condition;

// ---- streams

static void *create_fibre(const struct tn_host_stream *s, const char *suffix) {
    char name[48];
    void *fibre = __tsan_create_fiber(0);
    (void)snprintf(name, sizeof name, "stream %llu%s", (unsigned long long)s->number, suffix);
    __tsan_set_fiber_name(fibre, name);
    return fibre;
}

// Without memory for the helpers, TSan sees nothing of what they do.
void tn_host_tsan_create(struct tn_host_stream *s) {
    s->helpers = (void **)calloc(s->engine->workers_max, sizeof *s->helpers);
    s->fibre = create_fibre(s, "");
}

void tn_host_tsan_destroy(struct tn_host_stream *s) {
    for (unsigned i = 0; s->helpers != NULL && i < s->engine->workers_max; i++)
        if (s->helpers[i] != NULL) __tsan_destroy_fiber(s->helpers[i]);
    __tsan_destroy_fiber(s->fibre);
    free(s->helpers);
}

// ---- operations

// The image that contains this file. The linker defines both.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static _Unwind_Reason_Code leave_library(struct _Unwind_Context *context, void *arg) {
    uintptr_t start = (uintptr_t)__ehdr_start;
    uintptr_t address = _Unwind_GetIP(context);
    if (address - start < (uintptr_t)_end - start) return _URC_NO_REASON;
    *(void **)arg = (void *)address;
    return _URC_END_OF_STACK;
}

// Returns the return address of the program's call, or NULL.
static void *find_call(void) {
    void *call = NULL;
    if (_Unwind_Backtrace != NULL) (void)_Unwind_Backtrace(leave_library, &call);
    return call;
}

// A borrowed operation is on a stack, where its address is soon that of something else.
static void *clock_of(struct tn_host_stream *s, struct tn_host_op *op) {
    return op->borrowed ? (void *)&s->fibre : (void *)op;
}

void tn_host_tsan_submit(struct tn_host_stream *s, struct tn_host_op *op) {
    tn_tsan_show(true);
    __tsan_java_release_store(clock_of(s, op));
    tn_tsan_show(false);
    op->call = find_call();
}

static void *enter_fibre(void *fibre, void *clock) {
    void *before = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fibre, TN_TSAN_NO_SYNC);
    __tsan_acquire(clock);
    return before;
}

static void leave_fibre(struct tn_host_stream *s, void *before) {
    __tsan_java_release_store(s);
    __tsan_release(&s->engine->devices[s->device]);
    __tsan_switch_to_fiber(before, TN_TSAN_NO_SYNC);
}

void tn_host_tsan_pass(struct tn_host_stream *s, struct tn_host_op *op) {
    void *before = enter_fibre(s->fibre, clock_of(s, op));
    if (op->kind == TN_HOST_OP_RECORD)
        __tsan_java_release_store(op->u.point);
    else
        __tsan_acquire(op->u.point);
    leave_fibre(s, before);
}

void tn_host_tsan_learn(void *clock) {
    tn_tsan_show(true);
    __tsan_acquire(clock);
    tn_tsan_show(false);
}

static int forget_variables(struct dl_phdr_info *object, size_t size, void *arg) {
    (void)size;
    (void)arg;
    for (size_t i = 0; object->dlpi_tls_data != NULL && i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            tn_tsan_forget((uintptr_t)object->dlpi_tls_data, object->dlpi_phdr[i].p_memsz);
    return 0;
}

// The functions that a worker runs for several streams share its stack and its thread's variables,
// without a race.
static __attribute__((noinline)) void take_thread(const struct tn_host_stream *s) {
    static const uintptr_t below = (uintptr_t)128 << 10; // more than functions use as a rule
    static const uintptr_t above = (uintptr_t)4 << 10;   // frames of the engine
    static _Thread_local uint64_t owner;
    if (owner == s->number) return;
    owner = s->number;
    tn_tsan_forget((uintptr_t)__builtin_frame_address(0) - below, below + above);
    (void)dl_iterate_phdr(forget_variables, NULL);
}

void *tn_host_tsan_enter(struct tn_host_stream *s, struct tn_host_op *op) {
    if (op->kind == TN_HOST_OP_CALL || op->kind == TN_HOST_OP_RUN || op->kind == TN_HOST_OP_POLL)
        take_thread(s);
    void *before = enter_fibre(s->fibre, clock_of(s, op));
    if (op->call != NULL) __tsan_func_entry(op->call);
    return before;
}

void tn_host_tsan_leave(struct tn_host_stream *s, struct tn_host_op *op, void *before) {
    if (op->call != NULL) __tsan_func_exit();
    leave_fibre(s, before);
}

// ---- several threads on one operation

void tn_host_tsan_share(struct tn_host_stream *s) { __tsan_java_release_store(&s->helpers); }

void tn_host_tsan_join(struct tn_host_stream *s) { __tsan_acquire(&s->helpers); }

void *tn_host_tsan_help(struct tn_host_stream *s, unsigned number) {
    if (s->helpers == NULL || __tsan_get_current_fiber() == s->fibre) return NULL;
    take_thread(s);
    if (s->helpers[number] == NULL) s->helpers[number] = create_fibre(s, ", helper");
    return enter_fibre(s->helpers[number], &s->helpers);
}

void tn_host_tsan_helped(struct tn_host_stream *s, void *before) {
    __tsan_release(&s->helpers);
    __tsan_switch_to_fiber(before, TN_TSAN_NO_SYNC);
}
