// SPDX-License-Identifier: Apache-2.0
// Arrays of a simulated platform. A dense array is a block of memory; the others have a table with
// the owner of each tile. There are no bytes: copies are checked and charged. The platform's lock
// guards the tables.
#include <stdio.h>
#include <stdlib.h>

#include "backend/sim/reach.h"
#include "backend/soft/shape.h"
#include "base/error.h"

struct tn_sim_array {
    struct tn_soft_shape shape;
    int device;
    tarn_addr block; // of a dense array
    void **owners;   // of the reference that each tile holds, NULL: no memory is mapped; the lock
    uint64_t mapped; // number of owners that are not NULL; the lock
    void (*unref)(void *owner, uint64_t count);
};

// Maps and unmaps that are submitted. An item that maps holds one reference for each entry of its
// walk.
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

static tarn_status array_allocate(struct tn_sim *sim, struct tn_sim_array *array) {
    if (array->shape.entries == 0)
        return tn_sim_memory_alloc(sim, array->device, tn_tiles_bytes(&array->shape.tiles),
                                   &array->block);
    array->owners = (void **)calloc(array->shape.entries, sizeof array->owners[0]);
    return array->owners != NULL
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the table of %llu tiles",
                         (unsigned long long)array->shape.entries);
}

tarn_status tn_sim_array_create(void *p, int device, const tarn_array_desc *desc,
                                void (*unref)(void *owner, uint64_t count), void **array,
                                tarn_backend_array_info *info) {
    struct tn_sim_array *made = (struct tn_sim_array *)calloc(1, sizeof *made);
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of an array");
    made->device = device;
    made->unref = unref;
    tn_soft_shape_init(&made->shape, desc);
    tarn_status status = array_allocate((struct tn_sim *)p, made);
    if (status != TARN_OK) {
        free(made);
        return status;
    }
    tn_soft_shape_info(&made->shape, info);
    *array = made;
    return TARN_OK;
}

void tn_sim_array_destroy(void *p, void *given) {
    struct tn_sim_array *array = (struct tn_sim_array *)given;
    // No thread works with the array any more, so the lock is not needed.
    for (uint64_t i = 0; array->mapped > 0; i++) {
        if (array->owners[i] != NULL) {
            array->mapped--;
            array->unref(array->owners[i], 1);
        }
    }
    if (array->shape.entries == 0) tn_sim_memory_free(p, array->device, array->block);
    free(array->owners);
    free(array);
}

// ---- maps

void tn_sim_remap_run(struct tn_sim *sim, struct tn_sim_remap *remap) {
    for (size_t i = 0; i < remap->count; i++) {
        struct remap_item *item = &remap->items[i];
        struct tn_sim_array *array = item->array;
        uint64_t entry;
        while (tn_tiles_walk_step(&item->walk, &entry)) {
            tn_mutex_lock(&sim->lock);
            void *old = array->owners[entry];
            array->owners[entry] = item->owner;
            array->mapped += (item->owner != NULL) - (uint64_t)(old != NULL);
            tn_mutex_unlock(&sim->lock);
            if (old != NULL) array->unref(old, 1);
        }
        tn_sim_charge(sim, item->owner != NULL ? sim->config.map_ns : sim->config.unmap_ns);
    }
    free(remap);
}

void tn_sim_remap_drop(struct tn_sim_remap *remap) {
    for (size_t i = 0; i < remap->count; i++) {
        const struct remap_item *item = &remap->items[i];
        if (item->owner != NULL) item->array->unref(item->owner, tn_tiles_walk_count(&item->walk));
    }
    free(remap);
}

tarn_status tn_sim_remap_new(const tarn_backend_array_item *items, size_t count,
                             struct tn_sim_remap **remap) {
    struct tn_sim_remap *made = (struct tn_sim_remap *)malloc(
        sizeof *made + count * sizeof made->items[0]); // cannot overflow: the core's list is larger
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory to map %zu parts of arrays",
              count);
    made->count = count;
    for (size_t i = 0; i < count; i++) {
        struct tn_sim_array *array = (struct tn_sim_array *)items[i].array;
        made->items[i] = (struct remap_item){array, tn_soft_shape_walk(&array->shape, &items[i]),
                                             items[i].phys != 0 ? items[i].owner : NULL};
    }
    *remap = made;
    return TARN_OK;
}

// ---- copies

static bool reach_side(struct tn_sim *sim, const tarn_backend_array_copy *copy,
                       const tarn_backend_array_side *side, tarn_access need,
                       struct tn_sim_violation *violation) {
    if (side->array == NULL) {
        const int devices[3] = {copy->device, copy->peers[0], copy->peers[1]};
        const struct tn_sim_box box = {side->addr,      copy->extent[0] * copy->element_bytes,
                                       copy->extent[1], side->pitch,
                                       copy->extent[2], side->slice_pitch};
        return tn_sim_reach(sim, &box, need, devices, violation);
    }
    const struct tn_sim_array *array = (const struct tn_sim_array *)side->array;
    tn_mutex_lock(&sim->lock);
    bool mapped = array->shape.kind != TN_SOFT_DEFERRED || array->owners[0] != NULL;
    tn_mutex_unlock(&sim->lock);
    if (!mapped) {
        violation->status = TARN_NOT_MAPPED;
        (void)snprintf(violation->text, sizeof violation->text, "a deferred array is not mapped");
    }
    return mapped;
}

static bool is_inside(const tarn_backend_array_side *side) {
    return side->array != NULL || tn_sim_is_number(side->addr);
}

bool tn_sim_box_run(struct tn_sim *sim, const tarn_backend_array_copy *copy,
                    struct tn_sim_violation *violation) {
    if (!reach_side(sim, copy, &copy->src, TARN_ACCESS_READ, violation) ||
        !reach_side(sim, copy, &copy->dst, TARN_ACCESS_READ_WRITE, violation))
        return false;
    bool inside = is_inside(&copy->src) && is_inside(&copy->dst);
    uint64_t bytes = copy->extent[0] * copy->extent[1] * copy->extent[2] * copy->element_bytes;
    tn_sim_charge_copy(sim, bytes, inside);
    return true;
}
