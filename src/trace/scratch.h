// SPDX-License-Identifier: Apache-2.0
// The arrays of one analysis or writer: zeroed, of any types, and released together. A shortage is
// remembered, so that one question after the last of them suffices. The caller owns them. One
// thread at a time.
#pragma once

#include <tarn/base.h>

struct tn_scratch {
    void *arrays[8];
    size_t count;
    bool failed; // out of host memory: some of the arrays are NULL
};

// Sets `pointer` to a new array of at least `count` elements of its type.
#define TN_TAKE(scratch, pointer, count)                                                           \
    ((pointer) = tn_scratch_take((scratch), (count), sizeof *(pointer)))
void *tn_scratch_take(struct tn_scratch *scratch, size_t count, size_t bytes);
void tn_scratch_release(struct tn_scratch *scratch);
