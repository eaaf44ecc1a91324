// SPDX-License-Identifier: Apache-2.0
// The holders of memory: sums of blocks that have something in common, such as their owner. The
// caller owns them. Constant once made, so any thread may read them.
#pragma once

#include "trace/study/moment.h"
#include "trace/study/owner.h"
#include "trace/study/phases.h"

// X(NAME, "name in JSON")
#define TN_HOLDER_LIST(X)                                                                          \
    X(FUNCTION, "by_function")                                                                     \
    X(LINE, "by_line")                                                                             \
    X(STACK, "by_stack")                                                                           \
    X(STREAM, "by_stream")                                                                         \
    X(TAG, "by_tag")                                                                               \
    X(CATEGORY, "by_category")                                                                     \
    X(PHASE, "by_phase")                                                                           \
    X(SIZE, "by_size")

#define TN_HOLDER_ENUM(name, json) TN_HOLD_BY_##name,
enum tn_holder_kind { TN_HOLDER_LIST(TN_HOLDER_ENUM) TN_HOLDER_KINDS };

// The key is: for FUNCTION and LINE the owner's call, for STACK the stack, for STREAM the stream,
// for TAG the text, for CATEGORY the category, for PHASE the text of the phase of birth, and for
// SIZE the requested bytes. Zero means none, except for streams.
struct tn_holder {
    uint64_t key;
    uint64_t bytes; // requested
    uint64_t count; // of blocks
    uint32_t block; // the largest
};

struct tn_holders {
    struct tn_holder *list; // most bytes first
    size_t count;
    uint64_t bytes; // of all
};

// The tables of a recording, and those of one of its devices, by which blocks are studied.
struct tn_tables {
    const struct tn_trace *trace;
    const struct tn_trace_device *device;
    const struct tn_life *lives;
    const struct tn_owners *owners;
    const struct tn_phases *phases; // NULL: blocks have no phase
    const struct tn_levels *levels; // these two for the study of leaks only
    const struct tn_steps *steps;
};

// Returns the key of a block.
uint64_t tn_holder_key(const struct tn_tables *keys, enum tn_holder_kind kind, uint32_t block);

// Sums `count` blocks of one device. Fails with NO_HOST_MEMORY.
tarn_status tn_holders_make(const struct tn_tables *keys, enum tn_holder_kind kind,
                            const uint32_t *blocks, size_t count, struct tn_holders *holders);
void tn_holders_release(struct tn_holders *holders);
