// SPDX-License-Identifier: Apache-2.0
// Arrays by handle. Each record is counted: the table holds one reference, each call that uses it
// another, so that a destroy beside a running call takes effect when that call is over. What is
// mapped in an array is known to its backend alone, which decides it in the order of streams.
#ifndef TARN_CORE_WORK_ARRAY_H
#define TARN_CORE_WORK_ARRAY_H

#include <tarn/array.h>

#include "algo/tiles.h"
#include "core/platform/platform.h"

struct tn_array {
    struct tarn_device *device;
    void *backend; // its array
    tarn_array_desc desc;
    tarn_backend_array_info info;
    struct tn_tiles tiles;
    // Deferred: was a map the last thing given for it? Relaxed: the order of calls of several
    // threads is theirs to know.
    _Atomic bool whole;
    _Atomic unsigned refs; // acq_rel: the last one destroys
};

// The live array with one more reference. BAD_HANDLE, FORKED: recorded.
tarn_status tn_array_get(tarn_array id, struct tn_array **array);
void tn_array_put(struct tn_array *array);

static inline bool tn_array_is(const struct tn_array *array, uint32_t flag) {
    return (array->desc.flags & flag) != 0;
}

#endif
