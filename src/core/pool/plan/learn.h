// SPDX-License-Identifier: Apache-2.0
// The passes of a program, as a pool learns them: between marks, or where requests repeat themselves
// without marks. Host memory for 2^20 requests at most. The owner serialises every call.
#pragma once

#include "core/pool/plan/follow.h"

typedef struct tn_plan_learner tn_plan_learner;

// NO_HOST_MEMORY.
tarn_status tn_plan_learner_make(tn_plan_learner **learner);
void tn_plan_learner_free(tn_plan_learner *learner);

// Returns true if the next request is to be recorded, for each request once: no pass has begun, or the
// learner pauses.
bool tn_plan_learn_wants(tn_plan_learner *learner);

// Record a request and the free of its block. The first returns a number for the block, or 0 if it is
// not recorded, because the pass has too many requests.
uint32_t tn_plan_learn_alloc(tn_plan_learner *learner, unsigned slot, uint64_t bytes, uint32_t tag);
void tn_plan_learn_free(tn_plan_learner *learner, uint32_t number);

// A pass that has ended, with the frees of its blocks in the pass behind it.
typedef struct tn_plan_pass {
    tarn_plan_block *blocks; // their streams are slots; moments count from the begin of the pass
    size_t count;
    uint64_t period;
} tn_plan_pass;

// A mark ends a pass and begins one. Returns true if there is a pass to plan: the last but one, if
// the last one had the same requests, or is the third and had most of them. The blocks are copies,
// which the caller frees. Returns false without host memory. When three passes had little in common,
// the learner pauses for some passes, each time for twice as many.
bool tn_plan_learn_mark(tn_plan_learner *learner, tn_plan_pass *pass);

// Returns true if a program without marks has made so many requests that it is time to look for a
// period.
bool tn_plan_learn_is_due(const tn_plan_learner *learner);

// Looks for one. Returns true if the last requests were two equal passes, whose blocks were freed:
// `pass` is the first of them, as above. A learner that finds none in 2^18 requests forgets them and
// pauses, each time for twice as many requests.
bool tn_plan_learn_period(tn_plan_learner *learner, tn_plan_pass *pass);

// Forgets all requests, and records none for twice as many passes, or requests, as the last time.
void tn_plan_learn_pause(tn_plan_learner *learner);

// Forgets all requests. The first also returns the memory, until the second, which begins anew. After
// a failure the learner records nothing until the next mark.
void tn_plan_learn_rest(tn_plan_learner *learner);
void tn_plan_learn_restart(tn_plan_learner *learner);
