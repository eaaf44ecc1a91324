// SPDX-License-Identifier: Apache-2.0
// The owner of a stack: the innermost call of the program, not of Tarn, an allocator, a library or a
// framework (signs.h). Without such a call it is the function of a backward pass, a call of an
// unknown library, the outermost operator, or the innermost call: the first of these that the stack
// has. Made once for a trace and constant afterwards, so any thread may read it.
#pragma once

#include "trace/scratch.h"
#include "trace/trace.h"

struct tn_owners {
    const struct tn_trace *trace;
    uint32_t *calls;     // by stack: the call that owns it, an index into `calls`; 0 without stack
    uint32_t *functions; // by stack: the first call with the owner's function and file
    uint8_t *own;        // by stack: 1 if its innermost call belongs to the program
    uint32_t *lines;     // by stack: the first call with its function, file and line
    struct tn_scratch memory;
    uint8_t *detail; // by text: what the names of owners show of it, so that they differ (name.h)
};

// Finds the owner of each stack of a trace, which must outlive it, or makes the innermost call of each
// stack its owner. Fails with NO_HOST_MEMORY.
tarn_status tn_owners_make_by(const struct tn_trace *trace, bool innermost,
                              struct tn_owners *owners);
void tn_owners_release(struct tn_owners *owners);

// Returns the operator that the owner of a stack called, such as "relu", or NULL. Its length is
// stored in *length, because it is a part of a longer text.
const char *tn_owner_operator(const struct tn_owners *owners, uint32_t stack, size_t *length);
