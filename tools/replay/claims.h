// SPDX-License-Identifier: Apache-2.0
// Claims: the address ranges of the live blocks, to detect two blocks that share a byte. One
// thread.
#pragma once

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

// Makes claims for blocks 0 to count - 1. Returns false if out of memory.
bool tn_claims_begin(struct tn_claims *claims, size_t count);
void tn_claims_end(struct tn_claims *claims);

// Claims a range for a block without one. If a claim overlaps the range, stores it in *other and
// claims nothing; otherwise *other is NULL. Returns false if out of memory.
bool tn_claims_insert(struct tn_claims *claims, const struct tn_claim *claim,
                      const struct tn_claim **other);
void tn_claims_remove(struct tn_claims *claims, uint32_t block);
