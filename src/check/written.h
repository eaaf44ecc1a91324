// SPDX-License-Identifier: Apache-2.0
// Which bytes of a region have been written since it began: nothing, one run of bytes, or a set of
// runs that is made when it is first needed. The region owns it; the model's lock guards it.
#ifndef TARN_CHECK_WRITTEN_H
#define TARN_CHECK_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/interval.h"

// Zeroed: nothing was written.
struct tn_check_written {
    uint64_t lo; // the only run, when there is no set
    uint64_t hi;
    struct tn_interval *more; // all runs, none of which touch; NULL: lo and hi say all
};

void tn_check_written_fini(struct tn_check_written *written);

// Counts [lo, hi) as written. Without memory for it too much is counted: nothing is told wrongly.
void tn_check_written_add(struct tn_check_written *written, uint64_t lo, uint64_t hi);

// Is all of [lo, hi) written? If not: *first is the first byte that is not, *count how many are not
// (each may be NULL).
bool tn_check_written_covers(const struct tn_check_written *written, uint64_t lo, uint64_t hi,
                             uint64_t *first, uint64_t *count);

// Is any byte of [lo, hi) written?
bool tn_check_written_touches(const struct tn_check_written *written, uint64_t lo, uint64_t hi);

#endif
