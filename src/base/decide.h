// SPDX-License-Identifier: Apache-2.0
// Decisions that a software device may take freely, such as which of two pieces of work runs first.
// Under a seed each decision is a function of the seed, its kind and its number, so that a run can
// be repeated. The environment variables TARN_SEED, TARN_DECISIONS and TARN_DECISION_LOG are read
// once for the process (docs/explore.md); without them each point costs one load and one untaken
// branch. Any thread may call.
#pragma once

#include "base/atomic.h"
#include "base/error.h"

// X(NAME, name). A choice of 0 is always the plain behaviour of the device.
#define TN_DECISIONS(X)                                                                            \
    X(DELAY, delay) /* how long a piece of work is held back */                                    \
    X(FIRST, first) /* which of several pieces of work runs first */                               \
    X(REUSE, reuse) /* whether a pool grows before the work of other streams has passed */         \
    X(FREE, free)   /* how much memory other programs use */                                       \
    X(PEER, peer)   /* whether a process is slow, or dies, at a call of a channel */               \
    X(FAIL, fail)   /* whether a call fails */                                                     \
    X(TURN, turn)   /* which thread of the program calls next */

enum tn_decision {
#define TN_DECISION_NAME(name, text) TN_DECIDE_##name,
    TN_DECISIONS(TN_DECISION_NAME)
#undef TN_DECISION_NAME
        TN_DECISION_KINDS
};

// A source of decisions: an engine, or the process. It counts the decisions of each kind.
struct tn_decider {
    uint64_t seed;
    unsigned number; // in order of opening, for the log; 0: the process
    _Atomic uint64_t counts[TN_DECISION_KINDS];
};

extern struct tn_decider tn_process_decider;

enum { TN_DECIDE_UNREAD, TN_DECIDE_OFF, TN_DECIDE_ON };
extern _Atomic int tn_decide_state;

// Reads the environment, if that is still to be done. Returns true if the process has a seed.
bool tn_decide_read(void);

// Returns false if the process has no seed.
static inline bool tn_decides(void) {
    return __builtin_expect(tn_load_relaxed(&tn_decide_state) != TN_DECIDE_OFF, 0) &&
           tn_decide_read();
}

// Returns OK, or BAD_CONFIG with a text if one of the variables is wrong.
tarn_status tn_decide_status(void);

// Return true if the seed lets calls fail, and if it lets threads take turns.
bool tn_decide_faults(void);
bool tn_decide_threads(void);

// Begins a source. Sources that begin in the same order have the same numbers in each run.
void tn_decider_init(struct tn_decider *decider, uint64_t seed);

// Decides: returns a number below `n`. The text describes the subject for the log.
unsigned tn_decide(struct tn_decider *decider, enum tn_decision kind, unsigned n,
                   const char *format, ...) TARN_PRINTF(4, 5);

// Returns true if there is a log.
bool tn_decide_logs(void);

// Appends one line to the log: a word, the number of the thread's stack or 0, the thread, the text.
// Does nothing without a log.
void tn_decide_log(const char *word, bool stack, const char *format, ...) TARN_PRINTF(3, 4);
