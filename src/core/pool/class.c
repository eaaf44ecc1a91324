// SPDX-License-Identifier: Apache-2.0
// Size classes of small blocks. See class.h.
#include "core/pool/class.h"

#include "base/assert.h"

void tn_pool_classes_init(tn_pool_classes *classes, unsigned unit_shift) {
    uint32_t unit = UINT32_C(1) << unit_shift;
    uint32_t step = unit;
    uint32_t stride = unit;
    classes->unit_shift = unit_shift;
    classes->count = 0;
    while (stride <= TN_SMALL_MAX) {
        unsigned i = classes->count++;
        uint32_t bytes = 4 * TN_SMALL_MAX;
        if (bytes / stride < TN_SLAB_BLOCKS) bytes *= 2;
        classes->stride[i] = stride;
        // Rounded up: exact for offsets below 2^18 and strides up to 2^14, since the error stays
        // under offset / 2^32 of a stride.
        classes->reciprocal[i] = (uint32_t)(((UINT64_C(1) << 32) + stride - 1) / stride);
        classes->slab_bytes[i] = bytes;
        classes->slab_blocks[i] = bytes / stride;
        if (classes->count % 8 == 0 && classes->count > 8) step *= 2;
        stride += step;
    }
    tn_pool_classes_part(classes);
}

void tn_pool_classes_part(tn_pool_classes *classes) {
    for (unsigned c = 0; c < TN_CLASSES; c++) tn_pool_classes_join(classes, c, c);
}

void tn_pool_classes_join(tn_pool_classes *classes, unsigned first, unsigned last) {
    TARN_ASSERT(first <= last && last < TN_CLASSES);
    for (unsigned c = first; c <= last; c++) tn_store_relaxed(&classes->serving[c], (uint8_t)last);
}
