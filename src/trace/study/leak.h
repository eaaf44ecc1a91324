// SPDX-License-Identifier: Apache-2.0
// The verdict on whether a device leaks: whether each step leaves the same bytes of the same owners
// to the end of the recording. It is certain or UNKNOWN, because layers, micro-batches and the
// building of a model look like leaking steps. The caller owns it. Constant once made, so any
// thread may read it.
#pragma once

#include "trace/study/holders.h"
#include "trace/study/steps.h"

// X(NAME, "name in JSON")
#define TN_LEAK_LIST(X)                                                                            \
    X(UNKNOWN, "unknown")                                                                          \
    X(NO, "no")                                                                                    \
    X(YES, "yes")

#define TN_LEAK_ENUM(name, json) TN_LEAK_##name,
enum tn_leak_verdict { TN_LEAK_LIST(TN_LEAK_ENUM) };

enum tn_leak_reason {
    // No:
    TN_LEAK_FREED,   // all that was allocated inside is freed
    TN_LEAK_RETURNS, // live is at the end what it was at the start
    TN_LEAK_LEVEL,   // the lowest live bytes are equal in `steps` steps
    TN_LEAK_CLEAN,   // nothing that was allocated in `steps` steps is live at the end
    // Yes:
    TN_LEAK_STEADY, // each of `steps` steps leaves `bytes`
    // Unknown, although each of `steps` steps leaves `bytes`:
    TN_LEAK_SLIGHT, // all of it is less than a thousandth of the peak
    TN_LEAK_STATE,  // gradients, state of an optimizer, or a cache
    TN_LEAK_BUILDS, // most of what the steps allocate
    // Unknown:
    TN_LEAK_NO_STEPS,
    TN_LEAK_FEW,    // steps
    TN_LEAK_PART,   // the steps are a part of the recording
    TN_LEAK_UNEVEN, // what stays differs from step to step
    TN_LEAK_UNSURE  // what recurs may be no step; if `bytes` is not 0, it leaves them
};

struct tn_leak {
    enum tn_leak_verdict verdict;
    enum tn_leak_reason reason;
    size_t steps;     // that the reason is about: the last complete ones, or those before the last
    uint64_t bytes;   // that each of them leaves
    uint32_t *blocks; // those that they leave
    size_t block_count;
    uint64_t level; // lowest live bytes in each of the steps, for LEVEL
    int64_t growth; // of live bytes from begin to begin, on average without the first step
};

// Judges a device. Fails with NO_HOST_MEMORY.
tarn_status tn_leak_judge(const struct tn_tables *facts, struct tn_leak *leak);
void tn_leak_release(struct tn_leak *leak);
