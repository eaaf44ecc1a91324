// SPDX-License-Identifier: Apache-2.0
// The period of a sequence: the distance at which it repeats itself. A program that works in steps
// allocates the same sizes from the same calls in each. Pure; any thread may call.
#pragma once

#include <tarn/base.h>

struct tn_period {
    size_t length;  // 0: the sequence does not repeat three times
    size_t *begins; // positions at which a period begins, rising
    size_t begin_count;
};

// Finds the period of `count` keys, and where each begins: at the position of the period with the
// lowest `level` that is unlike all others of the period. Fails with NO_HOST_MEMORY.
tarn_status tn_period_find(const uint64_t *keys, const uint64_t *levels, size_t count,
                           struct tn_period *period);
void tn_period_release(struct tn_period *period);
