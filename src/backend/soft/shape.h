// SPDX-License-Identifier: Apache-2.0
// The shape of an array of a software device: its kind and its geometry. It answers the questions
// of <tarn/backend.h> that do not depend on where the bytes are. A shape is constant once made.
#pragma once

#include <tarn/backend.h>

#include "algo/tiles.h"

enum tn_soft_shape_kind { TN_SOFT_DENSE, TN_SOFT_DEFERRED, TN_SOFT_SPARSE };

struct tn_soft_shape {
    enum tn_soft_shape_kind kind;
    struct tn_tiles tiles;
    uint64_t entries; // of the table: 0 of a dense array, 1 of a deferred one
};

// `desc` has been checked.
void tn_soft_shape_init(struct tn_soft_shape *shape, const tarn_array_desc *desc);

void tn_soft_shape_info(const struct tn_soft_shape *shape, tarn_backend_array_info *info);

// Returns the table entries that the item maps or unmaps.
struct tn_tiles_walk tn_soft_shape_walk(const struct tn_soft_shape *shape,
                                        const tarn_backend_array_item *item);
