// SPDX-License-Identifier: Apache-2.0
// The reports of a pool: counters, the last refusal, and the fields that all events of its memory
// have in common.
#pragma once

#include <stdbool.h>

#include <tarn/pool.h>

#include "core/pool/fit/range.h"

typedef struct tn_pool_reports {
    _Atomic(uint64_t) refusals;
    tarn_pool_report last; // about the last refusal. Guard: grow
    // Written before the first block.
    struct {
        bool known;
        int device;
        uint32_t flags;
        uint32_t space;
    } place;
} tn_pool_reports;

// ---- stats.c

uint64_t tn_pool_refusals(const tarn_pool *pool);

void tn_pool_fill_stats(tarn_pool *pool, tarn_pool_stats *stats);
void tn_pool_reset_peaks(tarn_pool *pool, uint32_t which);

// ---- explain.c

// The request that was refused, with the status of the last attempt.
typedef struct tn_pool_refusal {
    uint64_t bytes;    // requested
    uint64_t occupied; // under the rule
    uint64_t piece;    // bytes of the piece that it needs
    uint64_t align;
    tarn_stream stream;
    unsigned slot;
    uint32_t tag;
    tarn_status status;
} tn_pool_refusal;

// Makes the report of a refusal, counts it, and returns its status. For NO_DEVICE_MEMORY the text
// of the error becomes that of the report; other statuses keep the text of their own. Under grow.
__attribute__((cold)) tarn_status tn_pool_refuse(tarn_pool *pool, const tn_pool_refusal *refusal);

// The same for the request of an ordinary pool.
__attribute__((cold)) tarn_status tn_pool_refuse_want(tarn_pool *pool, const tn_pool_want *want,
                                                      tarn_status status);

// Fills the fields about the memory of an ordinary pool, for a request of a slot.
void tn_pool_fill_report(tarn_pool *pool, unsigned slot, tarn_pool_report *report);
