// SPDX-License-Identifier: Apache-2.0
// A cover: ranges of addresses that may overlap, looked up by a byte. Ranges rarely overlap, and
// then a cover is an interval map with one look-up per query. Ranges that touch each other share an
// entry, which is searched linearly. The ranges are embedded in records of the owner, which
// serialises every call.
#pragma once

#include "algo/interval.h"

// [lo, hi) is not empty while it is in a cover. `next` is the next older span of the same entry.
struct tn_check_span {
    uint64_t lo;
    uint64_t hi;
    struct tn_check_span *next;
};

struct tn_check_cover {
    struct tn_interval entries; // the value is a span, or a group of spans with bit 0 set
    uint64_t count;             // of spans
};

void tn_check_cover_init(struct tn_check_cover *cover);

// Does not free the spans, which belong to the owner.
void tn_check_cover_fini(struct tn_check_cover *cover);

// Returns false, without a change, if out of memory. Afterwards span->next is the newest of the older
// spans that share its entry; NULL if the span touches none.
bool tn_check_cover_add(struct tn_check_cover *cover, struct tn_check_span *span);

// The span must be in the cover.
void tn_check_cover_remove(struct tn_check_cover *cover, struct tn_check_span *span);

// Return the newest span that contains the address, and the next older one, or NULL.
struct tn_check_span *tn_check_cover_at(const struct tn_check_cover *cover, uint64_t address);
struct tn_check_span *tn_check_cover_older(const struct tn_check_span *span, uint64_t address);

// Returns the span that contains [lo, hi) if no other span lies there or touched it, or NULL.
struct tn_check_span *tn_check_cover_alone(const struct tn_check_cover *cover, uint64_t lo,
                                           uint64_t hi);

// Returns any span that touches [lo, hi), or NULL.
struct tn_check_span *tn_check_cover_touches(const struct tn_check_cover *cover, uint64_t lo,
                                             uint64_t hi);

// Return the lowest span that starts above the address, and the highest one that ends at or below
// it, or NULL.
struct tn_check_span *tn_check_cover_after(const struct tn_check_cover *cover, uint64_t address);
struct tn_check_span *tn_check_cover_before(const struct tn_check_cover *cover, uint64_t address);

// Returns any span, or NULL.
struct tn_check_span *tn_check_cover_any(const struct tn_check_cover *cover);

// Calls visit() for every span that touches [lo, hi), entry by entry, until it returns false. The
// cover must not change meanwhile.
void tn_check_cover_walk(const struct tn_check_cover *cover, uint64_t lo, uint64_t hi,
                         bool (*visit)(struct tn_check_span *span, void *context), void *context);
