// SPDX-License-Identifier: Apache-2.0
// The address ranges of live blocks, in a tree of the C library. See claims.h.
#include "tools/replay/claims.h"

#include <search.h>
#include <stdlib.h>

// Ranges that share a byte compare as equal. No two in the tree do, so this is an order.
static int compare_claims(const void *left, const void *right) {
    const struct tn_claim *a = (const struct tn_claim *)left;
    const struct tn_claim *b = (const struct tn_claim *)right;
    if (a->addr + (a->bytes - 1) < b->addr) return -1;
    return b->addr + (b->bytes - 1) < a->addr ? 1 : 0;
}

bool tn_claims_begin(struct tn_claims *claims, size_t count) {
    claims->tree = NULL;
    claims->by_block = (struct tn_claim *)calloc(count + 1, sizeof *claims->by_block);
    return claims->by_block != NULL;
}

static void free_nothing(void *claim) { (void)claim; }

void tn_claims_end(struct tn_claims *claims) {
    tdestroy(claims->tree, free_nothing);
    free(claims->by_block);
    claims->tree = NULL;
    claims->by_block = NULL;
}

bool tn_claims_insert(struct tn_claims *claims, const struct tn_claim *claim,
                      const struct tn_claim **other) {
    struct tn_claim *own = &claims->by_block[claim->block];
    *own = *claim;
    // Each node of the tree begins with the pointer to its key.
    const struct tn_claim *const *node =
        (const struct tn_claim *const *)tsearch(own, &claims->tree, compare_claims);
    if (node == NULL) return false;
    *other = *node == own ? NULL : *node;
    if (*other != NULL) own->bytes = 0;
    return true;
}

void tn_claims_remove(struct tn_claims *claims, uint32_t block) {
    struct tn_claim *own = &claims->by_block[block];
    if (own->bytes == 0) return; // never claimed
    (void)tdelete(own, &claims->tree, compare_claims);
    own->bytes = 0;
}
