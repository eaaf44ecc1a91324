// SPDX-License-Identifier: Apache-2.0
// Who listens, found once: at the first note the thread that tells it asks every listener whether
// it is there. Threads that come meanwhile wait, so that no note is lost; the searching thread
// itself, called from inside of a tool, does not wait for itself, and its notes go nowhere. Nor
// does the child of a process that was forked in the middle of it, in which nobody listens.
#include "annotate/annotate.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

#include "annotate/subscriber.h"

static const struct tn_subscriber *const subscribers[] = {
    &tn_subscriber_mstx, &tn_subscriber_asan, &tn_subscriber_valgrind, &tn_subscriber_nvtx};

enum {
    COUNT = sizeof subscribers / sizeof subscribers[0],
    UNKNOWN = 1u << COUNT, // below it: a bit for each listener that is there
    SEARCHING = 1u << (COUNT + 1)
};

_Atomic unsigned tn_annotate_state = UNKNOWN;

// While SEARCHING: who does.
static _Atomic(const void *) searcher;
static _Atomic int searcher_process;

// A place that each thread has for itself.
static const void *this_thread(void) {
    return &errno;
}

static unsigned detect_subscribers(void) {
    unsigned found = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        found |= subscribers[i]->detect() ? 1u << i : 0u;
    }
    return found;
}

// Waits for the one who searches. 0 where nobody can be waited for.
static unsigned wait_for_search(unsigned state) {
    while ((state & SEARCHING) != 0) {
        if (tn_load_relaxed(&searcher) == this_thread()) {
            return 0;
        }
        int process = tn_load_relaxed(&searcher_process);
        if (process != 0 && process != getpid()) {
            tn_store_relaxed(&tn_annotate_state, 0);
            return 0;
        }
        sched_yield();
        state = tn_load_acquire(&tn_annotate_state);
    }
    return state;
}

static unsigned find_subscribers(unsigned state) {
    if (state == UNKNOWN && tn_cas_acq_rel(&tn_annotate_state, &state, SEARCHING)) {
        tn_store_relaxed(&searcher, this_thread());
        tn_store_relaxed(&searcher_process, (int)getpid());
        state = detect_subscribers();
        tn_store_release(&tn_annotate_state, state);
        tn_store_relaxed(&searcher, NULL);
        return state;
    }
    return wait_for_search(state);
}

void tn_emit(const struct tn_mem_event *event) {
    int kept = errno;
    unsigned state = tn_load_acquire(&tn_annotate_state);
    if (state >= UNKNOWN) {
        state = find_subscribers(state);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        if ((state >> i & 1u) != 0) {
            subscribers[i]->notify(event);
        }
    }
    errno = kept;
}

// ---- fork

void tn_annotate_fork_prepare(void) {
    for (unsigned i = 0; i < COUNT; i++) {
        if (subscribers[i]->fork_prepare != NULL) {
            subscribers[i]->fork_prepare();
        }
    }
}

void tn_annotate_fork_done(void) {
    for (unsigned i = COUNT; i-- > 0;) {
        if (subscribers[i]->fork_done != NULL) {
            subscribers[i]->fork_done();
        }
    }
}
