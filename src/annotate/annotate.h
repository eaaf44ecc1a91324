// SPDX-License-Identifier: Apache-2.0
// Memory events. Code that allocates, frees, copies or waits emits an event if a tool subscribes:
//
//     if (tn_subscribed()) {
//         tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_REGION_BEGIN, ...));
//     }
//
// Without a subscriber this costs one load and one predictable branch. The first device that opens, or
// an event before that, starts the search for tools: an MSTX tool (by its handshake), NVTX's
// injection, ASan and Valgrind. Any thread may emit. See mem_event.h for the kinds.
#pragma once

#include <stdbool.h>

#include "annotate/mem_event.h"
#include "annotate/watch.h"
#include "base/atomic.h"

// Zero if the search found no tool. Each copy of the library has its own state. Hidden visibility
// keeps the load from going through a relocation table.
extern _Atomic unsigned tn_annotate_state __attribute__((visibility("hidden")));

// Returns true if a tool subscribes, or if tools have not been searched for yet.
static inline bool tn_subscribed(void) {
    return __builtin_expect(tn_load_relaxed(&tn_annotate_state) != 0, 0);
}

// Introduces this copy of Tarn to the tools, unless an event did. Called before the first call of a
// vendor's library, so that a tool which sees such calls knows whose they are. Preserves errno.
void tn_annotate_introduce(void);

// Passes the event to every subscriber. Never fails, and preserves errno.
void tn_emit(const struct tn_mem_event *event);

// Returns the pages that a checker watches, or NULL. NULL before the search for tools.
const struct tn_mem_watch *tn_annotate_watch(void);

// The function of a library in front of Tarn that the calling thread's program called, or NULL.
// While there is one, a shortage is kept until tn_annotate_set_caller(NULL) emits it: the function
// may release memory and try again. New memory, or another function, drops it.
const char *tn_annotate_caller(void);
void tn_annotate_set_caller(const char *function);

// Called around fork(). The subscribers' locks are taken after all others.
void tn_annotate_fork_prepare(void);
void tn_annotate_fork_done(void);
