// SPDX-License-Identifier: Apache-2.0
// See learn.h. Two passes are recorded in turn: the present one, and the one before it, whose blocks
// are still being freed.
#include "core/pool/plan/learn.h"

#include <stdlib.h>

#include "base/error.h"
#include "core/pool/array.h"

enum {
    REQUESTS = 1 << 20, // of a pass, at most
    NUMBERS = 31 - 20,  // bits of a number that say the pass
    PASSES_UNEQUAL = 3, // passes after which an unequal one is planned
};

struct record {
    tarn_plan_block *blocks;
    uint64_t room;
    uint32_t count;
    uint32_t pass;
    uint64_t begin; // moment
    uint64_t hash;  // of the requests
};

struct tn_plan_learner {
    struct record records[2]; // by the parity of the pass
    uint32_t pass;            // the present one, counted from 1; 0: none has begun
    uint64_t moment;
};

static struct record *record_of(tn_plan_learner *learner, uint32_t pass) {
    return &learner->records[pass % 2];
}

tarn_status tn_plan_learner_make(tn_plan_learner **learner) {
    tn_plan_learner *made = (tn_plan_learner *)calloc(1, sizeof *made);
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory to learn a plan");
    tarn_status status = TARN_OK;
    for (unsigned i = 0; i < 2 && status == TARN_OK; i++) {
        void *array = NULL;
        struct record *record = &made->records[i];
        status = tn_pool_array_map(sizeof *record->blocks, REQUESTS, REQUESTS / 64, false, &array,
                                   &record->room);
        record->blocks = (tarn_plan_block *)array;
    }
    if (status == TARN_OK)
        *learner = made;
    else
        tn_plan_learner_free(made);
    return status;
}

void tn_plan_learner_free(tn_plan_learner *learner) {
    for (unsigned i = 0; learner != NULL && i < 2; i++)
        tn_pool_array_unmap(learner->records[i].blocks, sizeof *learner->records[i].blocks,
                            learner->records[i].room);
    free(learner);
}

uint32_t tn_plan_learn_alloc(tn_plan_learner *learner, unsigned slot, uint64_t bytes,
                             uint32_t tag) {
    struct record *record = record_of(learner, learner->pass);
    if (learner->pass == 0 || record->count == record->room) return 0;
    record->blocks[record->count] =
        (tarn_plan_block){bytes, learner->moment++, UINT64_MAX, slot, tag};
    record->hash = (record->hash ^ (bytes * 64 + tag)) * UINT64_C(0x9e3779b97f4a7c15) + slot;
    record->hash ^= record->hash >> 32;
    return (learner->pass << 20 | record->count++) & INT32_MAX;
}

void tn_plan_learn_free(tn_plan_learner *learner, uint32_t number) {
    struct record *record = record_of(learner, number >> 20);
    bool same = (record->pass & ((1u << NUMBERS) - 1)) == number >> 20;
    uint32_t block = number & (REQUESTS - 1);
    if (same && block < record->count) record->blocks[block].end = learner->moment++;
}

// Begins a pass in the place of the last but one.
static void begin_pass(tn_plan_learner *learner) {
    learner->pass++;
    struct record *record = record_of(learner, learner->pass);
    record->count = 0;
    record->pass = learner->pass;
    record->begin = learner->moment++;
    record->hash = 0;
}

// Copies a pass, whose moments then count from its begin.
static bool copy_pass(const struct record *record, uint64_t end, tn_plan_pass *pass) {
    *pass = (tn_plan_pass){.count = record->count, .period = end - record->begin};
    pass->blocks = (tarn_plan_block *)malloc((record->count + 1) * sizeof *pass->blocks);
    for (uint32_t i = 0; pass->blocks != NULL && i < record->count; i++) {
        pass->blocks[i] = record->blocks[i];
        pass->blocks[i].begin -= record->begin;
        if (pass->blocks[i].end != UINT64_MAX) pass->blocks[i].end -= record->begin;
    }
    return pass->blocks != NULL;
}

bool tn_plan_learn_pass(tn_plan_learner *learner, tn_plan_pass *pass) {
    const struct record *last = record_of(learner, learner->pass);
    const struct record *before = record_of(learner, learner->pass + 1);
    bool equal = last->hash == before->hash && last->count == before->count;
    bool found = learner->pass >= 2 && before->count != 0 && before->count < before->room &&
                 (equal || learner->pass >= PASSES_UNEQUAL) && copy_pass(before, last->begin, pass);
    begin_pass(learner);
    return found;
}
