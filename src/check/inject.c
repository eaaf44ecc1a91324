// SPDX-License-Identifier: Apache-2.0
// The entry of the checker, MSTX's handshake, and its exit. Every image of the program that
// contains an MSTX client connects, on any thread, before or after the constructors of this
// library. An image that contains Tarn offers the module that receives complete events. Every other
// image uses the public modules.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/program.h"
#include "check/canary.h"
#include "check/forward.h"
#include "check/inject.h"
#include "check/order/order.h"
#include "check/refused.h"
#include "check/resource.h"
#include "check/unwritten.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void __sanitizer_report_malloc(void *address, uint64_t bytes);
EXPORT void __sanitizer_report_free(void *address);

static _Atomic bool started; // stored with release when everything is ready
static _Atomic bool finished;
static bool forked;

// ---- the exit

static void state_unlooked(void) {
    struct tn_check_seen seen;
    tn_check_order_seen(&seen);
    tn_check_unknown_set_work(&(struct tn_check_unlooked){
        .launches = seen.unreported,
        .too_large = seen.unknown,
        .processes = seen.processes,
        .host = seen.unreported != 0 && !seen.host,
    });
}

int tn_check_finish(void) {
    struct tn_check_call call;
    if (!tn_load_acquire(&started) || tn_exchange_acq_rel(&finished, true)) return 0;
    if (tn_check_call_begin(&call, "", false)) {
        tn_check_canary_end(&call);
        tn_check_leaks_end(&call);
        tn_check_call_end(&call);
    }
    if (tn_check_options()->resources && tn_check_options()->leaks != TN_CHECK_LEAKS_OFF)
        (void)tn_check_resource_leaks();
    tn_check_unwritten_finish();
    state_unlooked();
    return tn_check_report_summary(forked);
}

// Runs after the program's atexit() handlers and C++ destructors, which may still end regions, or
// after its at_quick_exit() handlers. The tables of the checker stay valid for later calls.
__attribute__((destructor)) static void finish_at_exit(void) {
    int code = tn_check_finish();
    if (code != 0) {
        (void)fflush(NULL);
        _exit(code);
    }
}

// ---- the entry

static void before_fork(void) {
    tn_check_model_before_fork();
    tn_check_forward_fork_prepare();
    tn_check_order_fork_prepare();
    tn_check_resource_fork_prepare();
}

// The child need not have the memory of its parent.
static void after_fork(bool child) {
    tn_check_resource_fork_done(child);
    tn_check_order_fork_done();
    tn_check_forward_fork_done();
    if (child) {
        tn_check_backing_regrant(0, UINT64_MAX);
        tn_check_unwritten_reset(); // the parent's streams do not run in the child
    }
    tn_check_model_after_fork(child);
}

static void after_fork_in_parent(void) { after_fork(false); }

static void after_fork_in_child(void) {
    forked = true;
    after_fork(true);
}

static void start_checker(void) {
    tn_stack_limit(tn_check_options()->stack_depth);
    tn_check_model_ready();
    tn_check_report_start();
    tn_check_fault_start();
    (void)at_quick_exit(finish_at_exit);
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    tn_store_release(&started, true);
}

// Returns false if this thread is already initialising the checker and re-entered through the
// program's malloc(). Not inlined, because tn_program_is_static() must come before its
// access to thread-local storage.
__attribute__((noinline)) static bool be_ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static __thread bool starting;
    if (tn_load_acquire(&started)) return true;
    if (starting) return false;
    starting = true;
    (void)pthread_once(&once, start_checker);
    starting = false;
    return true;
}

// The slots are filled last, because clients call them at once.
EXPORT int InitInjectionMstx(mstxGetModuleFuncTableFunc get) {
    if (get == NULL || tn_program_is_static() || !be_ready()) return MSTX_FAIL;
    (void)tn_mstx_connect(get, tn_check_event_receive, tn_check_mstx_slots, TN_CHECK_MSTX_SLOTS);
    return MSTX_SUCCESS;
}

void __sanitizer_report_malloc(void *address, uint64_t bytes) {
    if (be_ready()) tn_check_event_memory_begin((uint64_t)(uintptr_t)address, bytes);
}

void __sanitizer_report_free(void *address) {
    if (be_ready()) tn_check_event_memory_end((uint64_t)(uintptr_t)address);
}
