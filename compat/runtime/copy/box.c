// SPDX-License-Identifier: Apache-2.0
// See box.h. The file has no state: a copy that waits in a stream names its array by Tarn's number,
// which Tarn refuses once the array is destroyed.
#include "compat/runtime/copy/box.h"

#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/copy/array.h"
#include "compat/runtime/memory/multicast.h"

static const char *name_of(const struct tn_rt_box *box, const struct tn_rt_side *side) {
    return side == &box->dst ? "destination" : "source";
}

// ---- linear memory

static tn_rt_error check_side(const struct tn_rt_box *box, const struct tn_rt_side *side) {
    uint64_t right = side->x + box->width;
    uint64_t low = side->y + box->height;
    TN_RT_REFUSE(side->base == 0, TN_RT_INVALID_VALUE, "the %s is NULL", name_of(box, side));
    TN_RT_REFUSE(side->pitch < box->width, TN_RT_INVALID_PITCH,
                 "%s pitch %llu, rows have %llu bytes", name_of(box, side),
                 (unsigned long long)side->pitch, (unsigned long long)box->width);
    TN_RT_REFUSE(right < side->x || right > side->pitch, TN_RT_INVALID_VALUE,
                 "%s: %llu bytes from %llu on in a pitch of %llu", name_of(box, side),
                 (unsigned long long)box->width, (unsigned long long)side->x,
                 (unsigned long long)side->pitch);
    bool one_slice = box->depth == 1 && side->z == 0;
    TN_RT_REFUSE(low < side->y || (low > side->rows && !(one_slice && side->rows == 0)),
                 TN_RT_INVALID_VALUE, "%s: %llu rows from %llu on in slices of %llu",
                 name_of(box, side), (unsigned long long)box->height, (unsigned long long)side->y,
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
                           (unsigned long long)side->y, (unsigned long long)side->z,
                           name_of(box, side), (unsigned long long)side->base);
    }
    return error;
}

// ---- arrays

static tn_rt_error run_boxes(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    for (int i = 0; i < 2; i++) TN_RT_TRY(tn_rt_multicast_refuse_address(op->copy.linear[i]));
    return tn_rt_copy_ran(&op->copy, where,
                          tarn_array_copy(where->device->tarn, &op->copy.array_box, where->stream));
}

static tn_rt_error place_array(const struct tn_rt_box *box, const struct tn_rt_side *side,
                               tarn_array_place *place, uint64_t *element) {
    struct tn_rt_array TN_FACE_HELD *array = NULL;
    TN_RT_TRY(tn_rt_array_get(side->array, &array));
    *element = tn_rt_element_bytes(array->shape.format, array->shape.channels);
    *place = (tarn_array_place){.array = array->tarn,
                                .level = array->level,
                                .x = side->x / *element,
                                .y = side->y,
                                .z = side->z};
    TN_RT_REFUSE(side->x % *element != 0 || box->width % *element != 0, TN_RT_INVALID_VALUE,
                 "%s: %llu bytes from %llu on, elements have %llu bytes", name_of(box, side),
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
    struct tn_rt_array TN_FACE_HELD *array = NULL;
    if (!side->is_array) return TN_RT_OK;
    TN_RT_TRY(tn_rt_array_get(side->array, &array));
    *device = array->device;
    return TN_RT_OK;
}

// Rights of the current device count too, unless the call names devices.
static void name_peers(const struct tn_rt_box *box, tarn_device **peers) {
    peers[0] = box->peers[0] != NULL ? box->peers[0] : tn_rt_current()->tarn;
    peers[1] = box->peers[1];
}

static tn_rt_error box_op_array(const struct tn_rt_box *box, struct tn_rt_op *op) {
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    uint64_t element = 1;
    TN_RT_TRY(place_side(box, &box->dst, &desc.dst, &element));
    TN_RT_TRY(place_side(box, &box->src, &desc.src, &element));
    desc.width = box->width / element;
    desc.height = box->height;
    desc.depth = box->depth;
    name_peers(box, desc.peers);
    *op = (struct tn_rt_op){.work = TN_RT_WORK_COPY,
                            .run = run_boxes,
                            .keep = tn_rt_copy_keep,
                            .drop = tn_rt_copy_drop,
                            .copy = {.linear = {desc.dst.addr, desc.src.addr},
                                     .form = TN_RT_COPY_ARRAY_BOX,
                                     .array_box = desc}};
    TN_RT_TRY(find_device(&box->dst, &op->copy.array[0]));
    TN_RT_TRY(find_device(&box->src, &op->copy.array[1]));
    return TN_RT_OK;
}

// ---- boxes

static tn_rt_error box_op(const struct tn_rt_box *box, struct tn_rt_op *op) {
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

static tn_rt_error show_side(const struct tn_rt_side *side, size_t width,
                             struct tn_rt_3d_side *given) {
    uint64_t element = 1;
    if (side->is_array) TN_RT_TRY(tn_rt_array_element(side->array, &element));
    *given = (struct tn_rt_3d_side){.array = side->array,
                                    .pos = {side->x / element, side->y, side->z},
                                    .ptr = (void *)(uintptr_t)side->base,
                                    .pitch = side->is_array ? 0 : side->pitch,
                                    .used = side->is_array ? 0 : width,
                                    .rows = side->is_array ? 0 : side->rows};
    return TN_RT_OK;
}

// Describes a box as programs do, which count elements if a side is an array.
static tn_rt_error show_box(const struct tn_rt_box *box, struct tn_rt_3d *given) {
    const struct tn_rt_side *array = box->dst.is_array ? &box->dst : &box->src;
    uint64_t element = 1;
    TN_RT_TRY(show_side(&box->src, box->width, &given->src));
    TN_RT_TRY(show_side(&box->dst, box->width, &given->dst));
    if (array->is_array) TN_RT_TRY(tn_rt_array_element(array->array, &element));
    given->extent[0] = box->width / element;
    given->extent[1] = box->height;
    given->extent[2] = box->depth;
    given->kind = box->kind;
    return TN_RT_OK;
}

// A captured copy of an array keeps the description, because Tarn's does not name the handle.
tn_rt_error tn_rt_copy_box(const struct tn_rt_box *box, void *stream, enum tn_rt_copy_call call) {
    struct tn_rt_3d given;
    struct tn_rt_op op;
    TN_RT_TRY(box_op(box, &op));
    op.copy.kind = box->kind;
    if (op.copy.form != TN_RT_COPY_BOX) {
        TN_RT_TRY(show_box(box, &given));
        op.copy.given = &given;
    }
    return tn_rt_copy_submit(&op, stream, call);
}

static void complete_side(const struct tn_rt_box *box, struct tn_rt_side *side) {
    side->pitch = side->pitch == 0 ? side->x + box->width : side->pitch;
    side->rows = side->rows == 0 ? side->y + box->height : side->rows;
}

tn_rt_error tn_rt_copy_padded_box(struct tn_rt_box *box, void *stream, enum tn_rt_copy_call call) {
    complete_side(box, &box->dst);
    complete_side(box, &box->src);
    box->kind = TN_RT_COPY_DEFAULT;
    return tn_rt_copy_box(box, stream, call);
}

tn_rt_error tn_rt_copy_rows(struct tn_rt_side dst, struct tn_rt_side src, uint64_t width,
                            uint64_t height, int kind, void *stream, enum tn_rt_copy_call call) {
    const struct tn_rt_box box = {
        .dst = dst, .src = src, .width = width, .height = height, .depth = 1, .kind = kind};
    TN_RT_TRY(tn_rt_copy_kind(kind));
    return tn_rt_copy_box(&box, stream, call);
}

// ---- three dimensions

static tn_rt_error read_side(const struct tn_rt_3d_side *given, const struct tn_rt_box *box,
                             struct tn_rt_side *side) {
    TN_RT_REFUSE((given->ptr == NULL) == (given->array == NULL), TN_RT_INVALID_VALUE,
                 "the %s is %s", name_of(box, side),
                 given->array == NULL ? "NULL" : "both an array and a pointer");
    *side = (struct tn_rt_side){.is_array = given->array != NULL,
                                .array = given->array,
                                .base = TARN_ADDR(given->ptr),
                                .pitch = given->pitch,
                                .rows = given->rows,
                                .x = given->pos[0],
                                .y = given->pos[1],
                                .z = given->pos[2]};
    return TN_RT_OK;
}

// The description counts the elements of an array; a box counts bytes.
static tn_rt_error scale_side(struct tn_rt_box *box, struct tn_rt_side *side) {
    uint64_t element = 1;
    if (side->is_array) TN_RT_TRY(tn_rt_array_element(side->array, &element));
    TN_RT_REFUSE(__builtin_mul_overflow(side->x, element, &side->x) ||
                     __builtin_mul_overflow(box->width, element, &box->width),
                 TN_RT_INVALID_VALUE, "%s: elements of %llu bytes from %llu on wrap",
                 name_of(box, side), (unsigned long long)element, (unsigned long long)side->x);
    return TN_RT_OK;
}

static tn_rt_error read_3d(const struct tn_rt_3d *given, struct tn_rt_box *box) {
    *box = (struct tn_rt_box){.width = given->extent[0],
                              .height = given->extent[1],
                              .depth = given->extent[2],
                              .kind = given->kind};
    TN_RT_TRY(tn_rt_copy_kind(given->kind));
    TN_RT_TRY(read_side(&given->dst, box, &box->dst));
    TN_RT_TRY(read_side(&given->src, box, &box->src));
    TN_RT_TRY(scale_side(box, &box->dst));
    uint64_t width = box->width;
    tn_rt_error error = scale_side(box, &box->src);
    box->width = box->dst.is_array ? width : box->width; // once, not for each array
    return error;
}

tn_rt_error tn_rt_copy_3d(const void *description, void *stream, enum tn_rt_copy_call call) {
    struct tn_rt_3d given;
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_check_pointer(description, "p"));
    memcpy(&given, description, sizeof given);
    TN_RT_TRY(read_3d(&given, &box));
    return tn_rt_copy_box(&box, stream, call);
}

tn_rt_error tn_rt_copy_3d_peer(const void *description, void *stream, enum tn_rt_copy_call call) {
    struct tn_rt_3d_peer given;
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_check_pointer(description, "p"));
    memcpy(&given, description, sizeof given);
    struct tn_rt_3d plain = {.src = given.src, .dst = given.dst, .kind = TN_RT_COPY_DEFAULT};
    memcpy(plain.extent, given.extent, sizeof plain.extent);
    TN_RT_TRY(tn_rt_check_device(given.dst_device));
    TN_RT_TRY(tn_rt_check_device(given.src_device));
    TN_RT_TRY(read_3d(&plain, &box));
    box.peers[0] = tn_rt_device(given.dst_device)->tarn;
    box.peers[1] = tn_rt_device(given.src_device)->tarn;
    return tn_rt_copy_box(&box, stream, call);
}

// ---- nodes

static tn_rt_error check_node_side(const struct tn_rt_3d_side *side, size_t width,
                                   const char *name) {
    if (side->ptr == NULL) return TN_RT_OK;
    TN_RT_REFUSE(side->pitch < side->used, TN_RT_INVALID_PITCH, "%s pitch %zu, rows use %zu bytes",
                 name, side->pitch, side->used);
    TN_RT_REFUSE(side->pitch >= INT32_MAX || width > side->pitch ||
                     side->pos[0] > side->pitch - width,
                 TN_RT_INVALID_VALUE, "%s: %zu bytes from %zu on in a pitch of %zu", name, width,
                 side->pos[0], side->pitch);
    return TN_RT_OK;
}

static tn_rt_error check_elements(const struct tn_rt_3d *given) {
    uint64_t element[2] = {0, 0};
    if (given->src.array == NULL || given->dst.array == NULL) return TN_RT_OK;
    TN_RT_TRY(tn_rt_array_element(given->src.array, &element[0]));
    TN_RT_TRY(tn_rt_array_element(given->dst.array, &element[1]));
    TN_RT_REFUSE(element[0] != element[1], TN_RT_INVALID_VALUE, "elements of %llu and %llu bytes",
                 (unsigned long long)element[0], (unsigned long long)element[1]);
    return TN_RT_OK;
}

// A copy in one slice may have more rows than the slice.
static void ignore_rows(const struct tn_rt_box *box, struct tn_rt_side *side) {
    if (box->depth == 1 && side->z == 0) side->rows = 0;
}

tn_rt_error tn_rt_read_3d(const void *description, struct tn_rt_op *op) {
    struct tn_rt_3d given;
    struct tn_rt_box box = {.width = 0};
    memcpy(&given, description, sizeof given);
    TN_RT_TRY(read_side(&given.src, &box, &box.src));
    TN_RT_TRY(read_side(&given.dst, &box, &box.dst));
    TN_RT_TRY(check_elements(&given));
    TN_RT_TRY(check_node_side(&given.src, given.extent[0], "src"));
    TN_RT_TRY(check_node_side(&given.dst, given.extent[0], "dst"));
    TN_RT_TRY(read_3d(&given, &box));
    ignore_rows(&box, &box.src);
    ignore_rows(&box, &box.dst);
    TN_RT_TRY(box_op(&box, op));
    op->copy.kind = given.kind;
    op->copy.given = &given;
    return tn_rt_copy_keep(op);
}

static void write_side(struct tn_rt_3d_side *side, tarn_addr addr, uint64_t pitch, uint64_t slice) {
    side->ptr = (void *)(uintptr_t)addr;
    side->pitch = pitch;
    side->rows = pitch > 0 ? slice / pitch : 0;
}

tn_rt_error tn_rt_write_3d(const struct tn_rt_op *op, void *description) {
    const tarn_copy_desc *box = &op->copy.box;
    struct tn_rt_3d own = {
        .kind = op->copy.kind,
        .extent = {box->width, box->height > 0 ? box->height : 1, box->depth > 0 ? box->depth : 1}};
    if (op->copy.given == NULL) {
        write_side(&own.dst, box->dst, box->dst_pitch, box->dst_slice_pitch);
        write_side(&own.src, box->src, box->src_pitch, box->src_slice_pitch);
    }
    memcpy(description, op->copy.given != NULL ? op->copy.given : &own, sizeof own);
    return TN_RT_OK;
}

static tn_rt_error read_box(struct tn_rt_box *box, struct tn_rt_op *op) {
    struct tn_rt_3d given;
    complete_side(box, &box->dst);
    complete_side(box, &box->src);
    box->kind = TN_RT_COPY_DEFAULT;
    TN_RT_TRY(box_op(box, op));
    TN_RT_TRY(show_box(box, &given));
    op->copy.kind = given.kind;
    op->copy.given = &given;
    return tn_rt_copy_keep(op);
}

tn_rt_error tn_rt_read_box(const void *given, struct tn_rt_op *op) {
    struct tn_rt_box box = *(const struct tn_rt_box *)given;
    tn_rt_error error = read_box(&box, op);
    return error == TN_RT_INVALID_PITCH || error == TN_RT_INVALID_HANDLE ? TN_RT_INVALID_VALUE
                                                                         : error;
}

tn_rt_error tn_rt_write_box(const struct tn_rt_op *op, void *box) {
    struct tn_rt_3d given;
    TN_RT_TRY(tn_rt_write_3d(op, &given));
    return read_3d(&given, (struct tn_rt_box *)box);
}
