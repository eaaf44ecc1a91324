// SPDX-License-Identifier: Apache-2.0
// Arrays of a simulated platform: a dense one takes a block of memory, the others have a table that
// says who backs which tile. There are no bytes; copies are checked and charged. The table is under
// the platform's lock.
#include <stdio.h>
#include <stdlib.h>

#include "algo/tiles.h"
#include "backend/sim/platform.h"
#include "backend/sim/reach.h"
#include "base/error.h"

struct tn_sim_array {
    int device;
    bool deferred;
    struct tn_tiles tiles;
    tarn_addr block; // of a dense array
    uint64_t entries;
    void **owners;   // of the references that the tiles hold, NULL: nothing is mapped; the lock
    uint64_t mapped; // how many are not NULL; the lock
    void (*let_go)(void *owner, uint64_t count);
};

// Maps and unmaps on their way. Each item to map holds a reference for each entry of its walk.
struct remap_item {
    struct tn_sim_array *array;
    struct tn_tiles_walk walk;
    void *owner; // NULL: unmap
};

struct tn_sim_remap {
    size_t count;
    struct remap_item items[];
};

// ---- create and destroy

static void describe(const tarn_array_desc *desc, struct tn_sim_array *array) {
    const uint64_t size[3] = {desc->extent.width, desc->extent.height, desc->extent.depth};
    bool fits = tn_tiles_init(&array->tiles, size, desc->layers, desc->levels, desc->element_bytes);
    TARN_ASSERT(fits);
    (void)fits;
    array->deferred = (desc->flags & TARN_ARRAY_DEFERRED) != 0;
    if (array->deferred) {
        array->entries = 1;
    } else if ((desc->flags & TARN_ARRAY_SPARSE) != 0) {
        tn_tiles_cut_standard(&array->tiles, desc->levels == 0);
        array->entries = tn_tiles_entries(&array->tiles);
    }
}

static tarn_status take_memory(struct tn_sim *sim, struct tn_sim_array *array) {
    if (array->entries == 0) {
        return tn_sim_memory_alloc(sim, array->device, tn_tiles_bytes(&array->tiles),
                                   &array->block);
    }
    array->owners = (void **)calloc(array->entries, sizeof array->owners[0]);
    return array->owners != NULL
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "no host memory for the table of %llu tiles",
                         (unsigned long long)array->entries);
}

static void tell(const struct tn_sim_array *array, tarn_backend_array_info *info) {
    const struct tn_tiles *t = &array->tiles;
    *info = (tarn_backend_array_info){.tile_bytes = t->cut.tile_bytes,
                                      .tile = {t->cut.tile[0], t->cut.tile[1], t->cut.tile[2]},
                                      .sparse_levels = t->cut.sparse_levels,
                                      .tail_bytes = t->cut.tail_bytes,
                                      .single_tail = t->cut.single_tail};
    if (array->deferred) {
        info->memory_bytes = tn_sim_round_up(tn_tiles_bytes(t), TN_TILES_BYTES);
        info->memory_alignment = TN_TILES_BYTES;
    }
}

tarn_status tn_sim_array_create(void *p, int device, const tarn_array_desc *desc,
                                void (*let_go)(void *owner, uint64_t count), void **array,
                                tarn_backend_array_info *info) {
    struct tn_sim_array *made = (struct tn_sim_array *)calloc(1, sizeof *made);
    if (made == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for the record of an array");
    }
    made->device = device;
    made->let_go = let_go;
    describe(desc, made);
    tarn_status status = take_memory((struct tn_sim *)p, made);
    if (status != TARN_OK) {
        free(made);
        return status;
    }
    tell(made, info);
    *array = made;
    return TARN_OK;
}

void tn_sim_array_destroy(void *p, void *given) {
    struct tn_sim_array *array = (struct tn_sim_array *)given;
    // Nobody works with it any more.
    for (uint64_t i = 0; array->mapped > 0; i++) {
        if (array->owners[i] != NULL) {
            array->mapped--;
            array->let_go(array->owners[i], 1);
        }
    }
    if (array->entries == 0) {
        tn_sim_memory_free(p, array->device, array->block);
    }
    free(array->owners);
    free(array);
}

// ---- maps

static struct tn_tiles_walk walk_of(const struct tn_sim_array *array,
                                    const tarn_backend_array_item *item) {
    struct tn_tiles_walk walk;
    if (array->deferred) {
        tn_tiles_walk_all(1, &walk);
    } else if (item->part == TARN_ARRAY_TAIL) {
        tn_tiles_walk_tail(&array->tiles, item->layer, item->tail_offset, item->tail_bytes, &walk);
    } else {
        struct tn_tiles_box box = {.level = item->level};
        for (int axis = 0; axis < 3; axis++) {
            box.at[axis] = item->offset[axis];
            box.extent[axis] = item->extent[axis];
        }
        tn_tiles_walk_box(&array->tiles, item->layer, &box, &walk);
    }
    return walk;
}

static void *exchange(struct tn_sim *sim, struct tn_sim_array *array, uint64_t entry, void *owner) {
    tn_mutex_lock(&sim->lock);
    void *old = array->owners[entry];
    array->owners[entry] = owner;
    array->mapped += (owner != NULL) - (uint64_t)(old != NULL);
    tn_mutex_unlock(&sim->lock);
    return old;
}

static void run_item(struct tn_sim *sim, struct remap_item *item) {
    uint64_t entry;
    while (tn_tiles_walk_step(&item->walk, &entry)) {
        void *old = exchange(sim, item->array, entry, item->owner);
        if (old != NULL) {
            item->array->let_go(old, 1);
        }
    }
}

void tn_sim_remap_run(struct tn_sim *sim, struct tn_sim_remap *remap) {
    for (size_t i = 0; i < remap->count; i++) {
        run_item(sim, &remap->items[i]);
        tn_sim_charge(sim,
                      remap->items[i].owner != NULL ? sim->config.map_ns : sim->config.unmap_ns);
    }
    free(remap);
}

void tn_sim_remap_drop(struct tn_sim_remap *remap) {
    for (size_t i = 0; i < remap->count; i++) {
        const struct remap_item *item = &remap->items[i];
        if (item->owner != NULL) {
            item->array->let_go(item->owner, tn_tiles_walk_count(&item->walk));
        }
    }
    free(remap);
}

tarn_status tn_sim_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                             size_t count) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_remap *remap = (struct tn_sim_remap *)malloc(
        sizeof *remap + count * sizeof remap->items[0]); // the core's own list was no smaller
    if (remap == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory to map %zu parts of arrays", count);
    }
    remap->count = count;
    for (size_t i = 0; i < count; i++) {
        struct tn_sim_array *array = (struct tn_sim_array *)items[i].array;
        remap->items[i] = (struct remap_item){array, walk_of(array, &items[i]),
                                              items[i].phys != 0 ? items[i].owner : NULL};
    }
    if (stream == NULL) {
        tn_sim_remap_run(sim, remap);
        return TARN_OK;
    }
    struct tn_sim_op op = {.kind = TN_SIM_OP_REMAP};
    op.of.remap = remap;
    return tn_sim_give(sim, (struct tn_sim_stream *)stream, &op);
}

// ---- copies

static bool reach_linear(struct tn_sim *sim, const tarn_backend_array_copy *copy,
                         const tarn_backend_array_side *side, tarn_access need,
                         struct tn_sim_violation *violation) {
    const int devices[3] = {copy->device, copy->peers[0], copy->peers[1]};
    const struct tn_sim_box box = {side->addr,      copy->extent[0] * copy->element_bytes,
                                   copy->extent[1], side->pitch,
                                   copy->extent[2], side->slice_pitch};
    return tn_sim_reach(sim, &box, need, devices, violation);
}

static bool reach_array(struct tn_sim *sim, const struct tn_sim_array *array,
                        struct tn_sim_violation *violation) {
    tn_mutex_lock(&sim->lock);
    bool mapped = !array->deferred || array->owners[0] != NULL;
    tn_mutex_unlock(&sim->lock);
    if (!mapped) {
        violation->status = TARN_NOT_MAPPED;
        (void)snprintf(violation->text, sizeof violation->text, "a deferred array is not mapped");
    }
    return mapped;
}

static bool reach_side(struct tn_sim *sim, const tarn_backend_array_copy *copy,
                       const tarn_backend_array_side *side, tarn_access need,
                       struct tn_sim_violation *violation) {
    return side->array == NULL
               ? reach_linear(sim, copy, side, need, violation)
               : reach_array(sim, (const struct tn_sim_array *)side->array, violation);
}

static bool is_inside(const tarn_backend_array_side *side) {
    return side->array != NULL || tn_sim_is_number(side->addr);
}

bool tn_sim_array_move(struct tn_sim *sim, const tarn_backend_array_copy *copy,
                       struct tn_sim_violation *violation) {
    if (!reach_side(sim, copy, &copy->src, TARN_ACCESS_READ, violation) ||
        !reach_side(sim, copy, &copy->dst, TARN_ACCESS_READ_WRITE, violation)) {
        return false;
    }
    bool inside = is_inside(&copy->src) && is_inside(&copy->dst);
    uint64_t bytes = copy->extent[0] * copy->extent[1] * copy->extent[2] * copy->element_bytes;
    tn_sim_charge_copy(sim, bytes, inside);
    return true;
}

tarn_status tn_sim_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_violation violation;
    if (stream != NULL) {
        struct tn_sim_op op = {.kind = TN_SIM_OP_BOX};
        op.of.box = *desc;
        return tn_sim_give(sim, (struct tn_sim_stream *)stream, &op);
    }
    return tn_sim_array_move(sim, desc, &violation)
               ? TARN_OK
               : tn_fail(violation.status, "%s", violation.text);
}
