// SPDX-License-Identifier: Apache-2.0
// Size classes of small blocks: eight in steps of a unit, then eight for each power of two up to
// 16 KiB. Initialised once for a pool; afterwards a plan may join classes.
#pragma once

#include <stdint.h>

#include "base/atomic.h"

#define TN_SMALL_MAX   16384u // bytes; also the granule of a pool that has classes
#define TN_SMALL_SHIFT 14
#define TN_CLASSES     64u // enough for a unit of 16 bytes
#define TN_SLAB_BLOCKS 16u // where fewer fit into a slab of 64 KiB, the slab has 128 KiB

typedef struct tn_pool_classes {
    unsigned unit_shift;
    unsigned count;
    uint32_t stride[TN_CLASSES];     // bytes of a block
    uint32_t reciprocal[TN_CLASSES]; // of the stride: (offset * reciprocal) >> 32 is the index
    uint32_t slab_bytes[TN_CLASSES]; // a multiple of TN_SMALL_MAX
    uint32_t slab_blocks[TN_CLASSES];
    // The class in whose slabs the blocks of a class lie: its own, or one that a plan joins it with.
    _Atomic(uint8_t) serving[TN_CLASSES];
} tn_pool_classes;

// Returns the blocks for which the record of a slab has room. A slab of a plan may have so many.
static inline uint32_t tn_pool_class_room(const tn_pool_classes *classes, unsigned class_index) {
    uint32_t blocks = classes->slab_blocks[class_index];
    return blocks > TN_SLAB_BLOCKS ? blocks : TN_SLAB_BLOCKS;
}

// Initialises the classes of blocks that start at multiples of 1 << unit_shift, 16 to 4096.
void tn_pool_classes_init(tn_pool_classes *classes, unsigned unit_shift);

// Gives each class its own slabs. Then lets the blocks of the classes from `first` to `last` lie in
// slabs of the latter. Any thread.
void tn_pool_classes_part(tn_pool_classes *classes);
void tn_pool_classes_join(tn_pool_classes *classes, unsigned first, unsigned last);

// Returns the smallest class whose stride is at least `bytes`, 1 to TN_SMALL_MAX.
static inline unsigned tn_pool_class_of(const tn_pool_classes *classes, uint64_t bytes) {
    uint32_t last = (uint32_t)((bytes - 1) >> classes->unit_shift); // number of units, less one
    unsigned top = 31u - (unsigned)__builtin_clz(last | 8);
    return 8 * (top - 3) + (last >> (top - 3));
}
