// SPDX-License-Identifier: Apache-2.0
// A cover: ranges of addresses that may overlap, and who covers a byte. Nearly always they do not
// overlap, and then it is an interval map with one look per question. Ranges that touch each other
// share an entry and are looked through one by one. The ranges are embedded in the records of the
// owner, who serialises everything.
#ifndef TARN_CHECK_COVER_H
#define TARN_CHECK_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/interval.h"

// [lo, hi), never empty while it is in a cover. `next`: the older one of the same entry.
struct tn_check_span {
    uint64_t lo;
    uint64_t hi;
    struct tn_check_span *next;
};

struct tn_check_cover {
    struct tn_interval entries; // value: the span, or a group of spans with bit 0 set
    uint64_t count;             // spans
};

void tn_check_cover_init(struct tn_check_cover *cover);

// The spans stay with their owner.
void tn_check_cover_fini(struct tn_check_cover *cover);

// False: no memory, nothing changed.
bool tn_check_cover_add(struct tn_check_cover *cover, struct tn_check_span *span);

// `span` is in the cover.
void tn_check_cover_remove(struct tn_check_cover *cover, struct tn_check_span *span);

// The newest span that contains `address`, or NULL; and the next older one.
struct tn_check_span *tn_check_cover_at(const struct tn_check_cover *cover, uint64_t address);
struct tn_check_span *tn_check_cover_older(const struct tn_check_span *span, uint64_t address);

// Any span that touches [lo, hi), or NULL.
struct tn_check_span *tn_check_cover_touches(const struct tn_check_cover *cover, uint64_t lo,
                                             uint64_t hi);

// The lowest span that starts above `address`, and the highest one that ends at or below it.
struct tn_check_span *tn_check_cover_after(const struct tn_check_cover *cover, uint64_t address);
struct tn_check_span *tn_check_cover_before(const struct tn_check_cover *cover, uint64_t address);

// Any span at all.
struct tn_check_span *tn_check_cover_any(const struct tn_check_cover *cover);

// Walks every span that touches [lo, hi), entry by entry. Nothing may change meanwhile, and `visit`
// returns false to stop.
void tn_check_cover_walk(const struct tn_check_cover *cover, uint64_t lo, uint64_t hi,
                         bool (*visit)(struct tn_check_span *span, void *context), void *context);

#endif
