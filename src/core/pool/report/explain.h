// SPDX-License-Identifier: Apache-2.0
// Refusals: the report that tarn_pool_explain() returns, and the error text made from it.
#ifndef TARN_CORE_POOL_REPORT_EXPLAIN_H
#define TARN_CORE_POOL_REPORT_EXPLAIN_H

#include "core/pool/pool.h"

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

// Makes the report of a refusal, counts it, and returns its status. For NO_DEVICE_MEMORY the text of
// the error becomes that of the report; other statuses keep the text of their own. Under grow.
__attribute__((cold)) tarn_status tn_pool_refuse(tarn_pool *pool, const tn_pool_refusal *refusal);

// The same for the request of an ordinary pool.
__attribute__((cold)) tarn_status tn_pool_refuse_want(tarn_pool *pool, const tn_pool_want *want,
                                                      tarn_status status);

// Fills the fields about the memory of an ordinary pool, for a request of a slot.
void tn_pool_fill_report(tarn_pool *pool, unsigned slot, tarn_pool_report *report);

#endif
