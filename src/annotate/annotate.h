// SPDX-License-Identifier: Apache-2.0
// Telling. Whoever allocates, frees, copies or waits writes down a note when somebody listens:
//
//     if (tn_subscribed()) {
//         tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_REGION_BEGIN, ...));
//     }
//
// Nobody listening costs one load and one predictable branch. Who listens is found out once, at the
// first note: an MSTX tool (by its handshake), NVTX's injection, ASan and Valgrind, each at run
// time. Any thread.
#ifndef TARN_ANNOTATE_ANNOTATE_H
#define TARN_ANNOTATE_ANNOTATE_H

#include <stdbool.h>

#include "annotate/mem_event.h"
#include "base/atomic.h"

// Not 0: somebody listens, or nobody was looked for yet. Each copy of the library has its own; said
// here, so that the load needs no table.
extern _Atomic unsigned tn_annotate_state __attribute__((visibility("hidden")));

static inline bool tn_subscribed(void) {
    return __builtin_expect(tn_load_relaxed(&tn_annotate_state) != 0, 0);
}

// Tells all who listen. Does nothing else, and never fails.
__attribute__((cold)) void tn_emit(const struct tn_mem_event *event);

// Around fork(): the listeners' locks, which come after all others.
void tn_annotate_fork_prepare(void);
void tn_annotate_fork_done(void);

#endif
