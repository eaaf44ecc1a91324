// SPDX-License-Identifier: Apache-2.0
// See box.h. The file has no state: a copy that waits in a stream names its array by Tarn's number,
// which Tarn refuses once the array is destroyed.
#include "compat/runtime/box.h"

#include "compat/runtime/array.h"
#include "compat/runtime/copy.h"

// ---- linear memory

static tn_rt_error check_side(const struct tn_rt_box *box, const struct tn_rt_side *side) {
    uint64_t right = side->x + box->width;
    uint64_t low = side->y + box->height;
    TN_RT_REFUSE(side->base == 0, TN_RT_INVALID_VALUE, "the %s is NULL", side->name);
    TN_RT_REFUSE(side->pitch < box->width, TN_RT_INVALID_PITCH,
                 "%s pitch %llu, rows have %llu bytes", side->name, (unsigned long long)side->pitch,
                 (unsigned long long)box->width);
    TN_RT_REFUSE(right < side->x || right > side->pitch, TN_RT_INVALID_VALUE,
                 "%s: %llu bytes from %llu on in a pitch of %llu", side->name,
                 (unsigned long long)box->width, (unsigned long long)side->x,
                 (unsigned long long)side->pitch);
    bool one_slice = box->depth == 1 && side->z == 0;
    TN_RT_REFUSE(low < side->y || (low > side->rows && !(one_slice && side->rows == 0)),
                 TN_RT_INVALID_VALUE, "%s: %llu rows from %llu on in slices of %llu", side->name,
                 (unsigned long long)box->height, (unsigned long long)side->y,
                 (unsigned long long)side->rows);
    return TN_RT_OK;
}

static bool add_offset(const struct tn_rt_side *side, tarn_addr *addr, uint64_t *slice) {
    uint64_t down;
    uint64_t deep;
    return !__builtin_mul_overflow(side->pitch, side->rows, slice) &&
           !__builtin_mul_overflow(side->pitch, side->y, &down) &&
           !__builtin_mul_overflow(*slice, side->z, &deep) &&
           !__builtin_add_overflow(side->base, side->x, addr) &&
           !__builtin_add_overflow(*addr, down, addr) && !__builtin_add_overflow(*addr, deep, addr);
}

// A position must stay in the memory that the program named. Otherwise an address outside of it
// could be mistaken for ordinary memory.
static bool is_same_memory(tarn_addr base, tarn_addr addr) {
    tarn_address_info from = TARN_INIT(tarn_address_info);
    tarn_address_info to = TARN_INIT(tarn_address_info);
    if (addr == base) return true;
    if (tarn_address_query(base, &from) != TARN_OK || tarn_address_query(addr, &to) != TARN_OK)
        return false;
    switch (from.kind) {
    case TARN_ADDRESS_RESERVED:
    case TARN_ADDRESS_MAPPED:
        return to.kind == TARN_ADDRESS_RESERVED || to.kind == TARN_ADDRESS_MAPPED;
    default: return to.kind == from.kind && to.base == from.base;
    }
}

static tn_rt_error place_linear(const struct tn_rt_box *box, const struct tn_rt_side *side,
                                tarn_addr *addr, uint64_t *slice) {
    tn_rt_error error = check_side(box, side);
    if (error == TN_RT_OK &&
        (!add_offset(side, addr, slice) || !is_same_memory(side->base, *addr))) {
        error = tn_rt_fail(TN_RT_INVALID_VALUE, "row %llu of slice %llu is not in the %s 0x%llx",
                           (unsigned long long)side->y, (unsigned long long)side->z, side->name,
                           (unsigned long long)side->base);
    }
    return error;
}

// ---- arrays

struct boxes {
    struct tn_rt_copy head;
    tarn_array_copy_desc desc;
};
_Static_assert(sizeof(struct boxes) <= TN_RT_PAYLOAD, "a copy of a box fits an op");

static tn_rt_error run_boxes(const void *payload, const struct tn_rt_where *where) {
    const struct boxes *copy = (const struct boxes *)payload;
    return tn_rt_copy_ran(&copy->head, where,
                          tarn_array_copy(where->device->tarn, &copy->desc, where->stream));
}

static tn_rt_error place_array(const struct tn_rt_box *box, const struct tn_rt_side *side,
                               tarn_array_place *place, uint64_t *element) {
    struct tn_rt_array *array = NULL;
    TN_RT_TRY(tn_rt_array_get(side->array, &array));
    *element = tn_rt_element_bytes(array->shape.format, array->shape.channels);
    *place = (tarn_array_place){.array = array->tarn,
                                .level = array->level,
                                .x = side->x / *element,
                                .y = side->y,
                                .z = side->z};
    tn_rt_array_put(array);
    TN_RT_REFUSE(side->x % *element != 0 || box->width % *element != 0, TN_RT_INVALID_VALUE,
                 "%s: %llu bytes from %llu on, elements have %llu bytes", side->name,
                 (unsigned long long)box->width, (unsigned long long)side->x,
                 (unsigned long long)*element);
    return TN_RT_OK;
}

static tn_rt_error place_side(const struct tn_rt_box *box, const struct tn_rt_side *side,
                              tarn_array_place *place, uint64_t *element) {
    if (side->is_array) return place_array(box, side, place, element);
    place->pitch = side->pitch;
    return place_linear(box, side, &place->addr, &place->slice_pitch);
}

static tn_rt_error find_device(const struct tn_rt_side *side,
                               const struct tn_face_device **device) {
    struct tn_rt_array *array = NULL;
    if (side->is_array) {
        TN_RT_TRY(tn_rt_array_get(side->array, &array));
        *device = array->device;
        tn_rt_array_put(array);
    }
    return TN_RT_OK;
}

// Rights of the current device count too, unless the call names devices.
static void name_peers(const struct tn_rt_box *box, tarn_device **peers) {
    peers[0] = box->peers[0] != NULL ? box->peers[0] : tn_rt_current()->tarn;
    peers[1] = box->peers[1];
}

static tn_rt_error box_op_array(const struct tn_rt_box *box, struct tn_rt_op *op) {
    struct boxes *copy = (struct boxes *)op->payload;
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    uint64_t element = 1;
    TN_RT_TRY(place_side(box, &box->dst, &desc.dst, &element));
    TN_RT_TRY(place_side(box, &box->src, &desc.src, &element));
    desc.width = box->width / element;
    desc.height = box->height;
    desc.depth = box->depth;
    name_peers(box, desc.peers);
    *op = (struct tn_rt_op){.work = TN_RT_WORK_COPY, .run = run_boxes, .keep = tn_rt_copy_keep};
    *copy = (struct boxes){{.linear = {desc.dst.addr, desc.src.addr}}, desc};
    TN_RT_TRY(find_device(&box->dst, &copy->head.array[0]));
    TN_RT_TRY(find_device(&box->src, &copy->head.array[1]));
    return TN_RT_OK;
}

// ---- boxes

tn_rt_error tn_rt_box_op(const struct tn_rt_box *box, struct tn_rt_op *op) {
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    if (box->width == 0 || box->height == 0 || box->depth == 0) {
        tn_rt_copy_op(&desc, op);
        return TN_RT_OK;
    }
    if (box->dst.is_array || box->src.is_array) return box_op_array(box, op);
    TN_RT_TRY(place_linear(box, &box->dst, &desc.dst, &desc.dst_slice_pitch));
    TN_RT_TRY(place_linear(box, &box->src, &desc.src, &desc.src_slice_pitch));
    desc.width = box->width;
    desc.height = box->height;
    desc.depth = box->depth;
    desc.dst_pitch = box->dst.pitch;
    desc.src_pitch = box->src.pitch;
    desc.peers[0] = box->peers[0];
    desc.peers[1] = box->peers[1];
    tn_rt_copy_op(&desc, op);
    return TN_RT_OK;
}

tn_rt_error tn_rt_box_submit(const struct tn_rt_box *box, void *stream, bool wait) {
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_box_op(box, &op));
    return tn_rt_copy_submit(&op, stream, wait ? TN_RT_COPY_COMPLETE : TN_RT_COPY_ASYNC);
}
