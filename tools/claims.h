// SPDX-License-Identifier: Apache-2.0
// Claims: the address ranges of the blocks that are live, so that two that share a byte are found
// however they came about. One thread.
#ifndef TARN_TOOLS_CLAIMS_H
#define TARN_TOOLS_CLAIMS_H

#include <tarn/base.h>

struct tn_claim {
    tarn_addr addr;
    uint64_t bytes;
    uint32_t block; // of the trace
};

struct tn_claims {
    struct tn_claim *by_block;
    void *tree;
};

// For blocks 0 to count - 1. False: no memory.
bool tn_claims_begin(struct tn_claims *claims, size_t count);
void tn_claims_end(struct tn_claims *claims);

// Claims a range for a block that has none. *other is NULL when it is free, else the claim that
// holds part of it; nothing is claimed then. False: no memory.
bool tn_claims_take(struct tn_claims *claims, const struct tn_claim *claim,
                    const struct tn_claim **other);
void tn_claims_give(struct tn_claims *claims, uint32_t block);

#endif
