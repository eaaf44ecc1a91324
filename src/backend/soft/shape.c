// SPDX-License-Identifier: Apache-2.0
// Translates array descriptions and items into geometry. See shape.h.
#include "backend/soft/shape.h"

#include "base/assert.h"
#include "base/round.h"

void tn_soft_shape_init(struct tn_soft_shape *shape, const tarn_array_desc *desc) {
    const uint64_t size[3] = {desc->extent.width, desc->extent.height, desc->extent.depth};
    *shape = (struct tn_soft_shape){.kind = TN_SOFT_DENSE};
    bool fits = tn_tiles_init(&shape->tiles, size, desc->layers, desc->levels, desc->element_bytes);
    TARN_ASSERT(fits);
    (void)fits;
    if ((desc->flags & TARN_ARRAY_DEFERRED) != 0) {
        shape->kind = TN_SOFT_DEFERRED;
        shape->entries = 1;
    } else if ((desc->flags & TARN_ARRAY_SPARSE) != 0) {
        shape->kind = TN_SOFT_SPARSE;
        tn_tiles_cut_standard(&shape->tiles, desc->levels == 0);
        shape->entries = tn_tiles_entries(&shape->tiles);
    }
}

void tn_soft_shape_info(const struct tn_soft_shape *shape, tarn_backend_array_info *info) {
    const struct tn_tiles_cut *cut = &shape->tiles.cut;
    *info = (tarn_backend_array_info){.tile_bytes = cut->tile_bytes,
                                      .tile = {cut->tile[0], cut->tile[1], cut->tile[2]},
                                      .sparse_levels = cut->sparse_levels,
                                      .tail_bytes = cut->tail_bytes,
                                      .single_tail = cut->single_tail};
    if (shape->kind == TN_SOFT_DEFERRED) {
        uint64_t bytes = tn_tiles_bytes(&shape->tiles);
        info->memory_bytes = tn_round_up(bytes, TN_TILES_BYTES);
        info->memory_alignment = TN_TILES_BYTES;
    }
}

struct tn_tiles_walk tn_soft_shape_walk(const struct tn_soft_shape *shape,
                                        const tarn_backend_array_item *item) {
    struct tn_tiles_walk walk;
    if (shape->kind == TN_SOFT_DEFERRED) {
        tn_tiles_walk_all(1, &walk);
    } else if (item->part == TARN_ARRAY_TAIL) {
        tn_tiles_walk_tail(&shape->tiles, item->layer, item->tail_offset, item->tail_bytes, &walk);
    } else {
        struct tn_tiles_box box = {.level = item->level};
        for (int axis = 0; axis < 3; axis++) {
            box.at[axis] = item->offset[axis];
            box.extent[axis] = item->extent[axis];
        }
        tn_tiles_walk_box(&shape->tiles, item->layer, &box, &walk);
    }
    return walk;
}
