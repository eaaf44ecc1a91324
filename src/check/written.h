// SPDX-License-Identifier: Apache-2.0
// The bytes of a region that have been written since it began: none, one run, or a set of runs that
// is made when it is first needed, and beside them the rows of one box. The region owns the record;
// the model's lock guards it.
#pragma once

#include "algo/interval.h"

// `count` rows of `bytes` bytes, the first one at `lo`, each `pitch` bytes after the one before. The
// rows do not overlap, and the last one does not wrap.
struct tn_check_rows {
    uint64_t lo;
    uint64_t bytes;
    uint64_t pitch;
    uint64_t count;
};

// Zeroed means that no byte was written.
struct tn_check_run {
    uint64_t lo;
    uint64_t hi; // equal to lo: no bytes
};

enum { TN_CHECK_RUNS = 2 };

struct tn_check_carried; // see model.h

struct tn_check_written {
    struct tn_check_run run[TN_CHECK_RUNS]; // all runs, if there is no set; they do not touch
    struct tn_interval *more; // all runs, which do not touch each other, or NULL if those above do
    struct tn_check_rows *rows;       // written too, or NULL
    struct tn_check_carried *carried; // unwritten bytes that copies brought here, or NULL
};

// Returns true if any bytes are written.
static inline bool tn_check_written_any(const struct tn_check_written *written) {
    return written->run[0].lo < written->run[0].hi || written->run[1].lo < written->run[1].hi ||
           written->more != NULL || written->rows != NULL;
}

void tn_check_written_fini(struct tn_check_written *written);

// Count [lo, hi), or rows, as written. If out of memory they count too many bytes, so that no byte
// is wrongly reported as unwritten.
void tn_check_written_add(struct tn_check_written *written, uint64_t lo, uint64_t hi);
void tn_check_written_add_rows(struct tn_check_written *written, const struct tn_check_rows *rows);

// Counts [lo, hi) as unwritten again. If out of memory, too many bytes count as written.
void tn_check_written_remove(struct tn_check_written *written, uint64_t lo, uint64_t hi);

// Returns true if all of [lo, hi) is written. Otherwise *first is the first unwritten byte and
// *count the number of unwritten bytes; both may be NULL.
bool tn_check_written_covers(struct tn_check_written *written, uint64_t lo, uint64_t hi,
                             uint64_t *first, uint64_t *count);

// Returns the first written byte behind the unwritten byte `at`, or `hi` if none is below it.
uint64_t tn_check_written_gap_end(const struct tn_check_written *written, uint64_t at, uint64_t hi);

// Returns true if all rows are certainly written, in a time that does not depend on their number.
// After false each row must be looked at.
bool tn_check_written_covers_rows(const struct tn_check_written *written,
                                  const struct tn_check_rows *rows);

// Returns true if any byte of [lo, hi) is written.
bool tn_check_written_touches(const struct tn_check_written *written, uint64_t lo, uint64_t hi);
