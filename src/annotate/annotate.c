// SPDX-License-Identifier: Apache-2.0
// The list of subscribers. The thread that opens the first device, or emits an event before that,
// detects them; the others wait for it, so that no event is lost. Two callers do not wait, and
// their events are dropped: the detecting thread itself, when a tool that it opens calls Tarn, and
// the child of a process that forked during the detection.
#include "annotate/annotate.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "annotate/subscriber.h"

static const struct tn_subscriber *const subscribers[] = {&tn_subscriber_mstx, &tn_subscriber_asan,
                                                          &tn_subscriber_valgrind,
                                                          &tn_subscriber_nvtx, &tn_subscriber_tsan};

enum {
    COUNT = sizeof subscribers / sizeof subscribers[0],
    UNKNOWN = 1u << COUNT, // a state below this has one bit for each detected subscriber
    DETECTING = 1u << (COUNT + 1)
};

_Atomic unsigned tn_annotate_state = UNKNOWN;

// The detecting thread and its process, while the state is DETECTING.
static _Atomic(const void *) detecting_thread;
static _Atomic int detecting_process;

// Returns an address that differs for each thread.
static const void *this_thread(void) { return &errno; }

static unsigned detect_subscribers(void) {
    unsigned detected = 0;
    tn_store_relaxed(&detecting_thread, this_thread());
    tn_store_relaxed(&detecting_process, (int)getpid());
    for (unsigned i = 0; i < COUNT; i++) detected |= subscribers[i]->detect() ? 1u << i : 0u;
    tn_store_release(&tn_annotate_state, detected);
    tn_store_relaxed(&detecting_thread, NULL);
    return detected;
}

// Waits until another thread has detected the subscribers, and returns the state. Returns 0 (no
// subscriber) if that thread cannot finish while this one waits.
static unsigned wait_for_detection(void) {
    for (;;) {
        unsigned state = tn_load_acquire(&tn_annotate_state);
        if ((state & DETECTING) == 0) return state;
        bool own_detection = tn_load_relaxed(&detecting_thread) == this_thread();
        if (own_detection) return 0;
        int process = tn_load_relaxed(&detecting_process); // 0 if not stored yet
        bool thread_is_in_the_parent = process != 0 && process != getpid();
        if (thread_is_in_the_parent) {
            tn_store_relaxed(&tn_annotate_state, 0);
            return 0;
        }
        sched_yield();
    }
}

// Returns a bit for each subscriber. The first call detects them.
static unsigned find_subscribers(void) {
    unsigned state = tn_load_acquire(&tn_annotate_state);
    if (state < UNKNOWN) return state;
    bool first = state == UNKNOWN && tn_cas_acq_rel(&tn_annotate_state, &state, DETECTING);
    return first ? detect_subscribers() : wait_for_detection();
}

void tn_annotate_introduce(void) {
    int saved_errno = errno;
    (void)find_subscribers();
    errno = saved_errno;
}

static _Thread_local const char *caller;
static _Thread_local struct tn_mem_event *shortage; // of the call, or NULL

static void drop_shortage(void) {
    free(shortage);
    shortage = NULL;
}

// Returns true if the shortage waits for the end of the call. Without memory for it, it does not.
static bool keep_shortage(const struct tn_mem_event *event) {
    drop_shortage();
    shortage = caller != NULL ? (struct tn_mem_event *)malloc(sizeof *shortage) : NULL;
    if (shortage != NULL) *shortage = *event;
    return shortage != NULL;
}

static bool is_new_memory(const struct tn_mem_event *event) {
    return event->kind == TN_MEM_REGION_BEGIN || event->kind == TN_MEM_RESOURCE_BEGIN;
}

void tn_emit(const struct tn_mem_event *event) {
    int saved_errno = errno;
    if (shortage != NULL && is_new_memory(event)) drop_shortage();
    bool waits = event->kind == TN_MEM_SHORTAGE && keep_shortage(event);
    for (unsigned left = waits ? 0 : find_subscribers(); left != 0; left &= left - 1)
        tn_subscriber_notify(subscribers[__builtin_ctz(left)], event);
    errno = saved_errno;
}

// A tool that is no checker fills nothing in.
const struct tn_mem_watch *tn_annotate_watch(void) {
    static const struct tn_mem_watch nothing;
    static _Atomic(const struct tn_mem_watch *) watch;
    const struct tn_mem_watch *now = tn_load_acquire(&watch);
    unsigned state = tn_load_relaxed(&tn_annotate_state);
    if (now != NULL || state == 0 || state >= UNKNOWN) return now;
    now = &nothing;
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_WATCH, .device = -1,
                                              .object = (uintptr_t)&now));
    tn_store_release(&watch, now);
    return now;
}

const char *tn_annotate_caller(void) { return caller; }

void tn_annotate_set_caller(const char *function) {
    struct tn_mem_event *kept = shortage;
    shortage = NULL;
    caller = function;
    if (kept != NULL && function == NULL) tn_emit(kept);
    free(kept);
}

void tn_annotate_fork_prepare(void) {
    for (unsigned i = 0; i < COUNT; i++) tn_subscriber_fork_prepare(subscribers[i]);
}

void tn_annotate_fork_done(void) {
    for (unsigned i = COUNT; i-- > 0;) tn_subscriber_fork_done(subscribers[i]);
}
