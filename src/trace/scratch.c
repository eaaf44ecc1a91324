// SPDX-License-Identifier: Apache-2.0
// Arrays that are released together; see scratch.h.
#include "trace/scratch.h"

#include <stdlib.h>

#include "base/assert.h"

void *tn_scratch_take(struct tn_scratch *scratch, size_t count, size_t bytes) {
    TARN_ASSERT(scratch->count < sizeof scratch->arrays / sizeof *scratch->arrays);
    void *array = calloc(count + 1, bytes);
    scratch->failed |= array == NULL;
    scratch->arrays[scratch->count++] = array;
    return array;
}

void tn_scratch_release(struct tn_scratch *scratch) {
    for (size_t i = 0; i < scratch->count; i++) free(scratch->arrays[i]);
    *scratch = (struct tn_scratch){0};
}
