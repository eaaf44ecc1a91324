// SPDX-License-Identifier: Apache-2.0
// See driver_copy.h.
#include "compat/runtime/copy/driver_copy.h"

#include <stddef.h>
#include <string.h>

#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/block.h"

enum { HOST_TYPE = 1, DEVICE_TYPE = 2 }; // of every vendor

static tn_rt_error read_side(const struct tn_rt_driver_side *given, const char *name,
                             struct tn_rt_side *side) {
    unsigned bit = given->type >= 0 && given->type < 32 ? 1U << given->type : 0;
    *side = (struct tn_rt_side){
        .pitch = given->pitch, .rows = given->rows, .x = given->x, .y = given->y, .z = given->z};
    if ((bit & tn_rt_copy_policy.host_types) != 0) {
        side->base = TARN_ADDR(given->host);
    } else if ((bit & tn_rt_copy_policy.device_types) != 0) {
        side->base = TARN_ADDR(given->device);
    } else {
        TN_RT_REFUSE(given->type != tn_rt_copy_policy.array_type, TN_RT_INVALID_VALUE,
                     "%s: memory type %d is unknown", name, given->type);
        side->is_array = true;
        side->array = given->array;
    }
    return TN_RT_OK;
}

static tn_rt_error read_sides(const struct tn_rt_driver_side *dst,
                              const struct tn_rt_driver_side *src, struct tn_rt_box *box) {
    TN_RT_REFUSE(src->level != 0 || dst->level != 0, TN_RT_INVALID_VALUE,
                 "levels %zu and %zu are not 0", src->level, dst->level);
    TN_RT_TRY(read_side(dst, "destination", &box->dst));
    return read_side(src, "source", &box->src);
}

// ---- three dimensions

static const size_t head = offsetof(struct tn_rt_driver_side, pitch);
static const size_t rest =
    sizeof(struct tn_rt_driver_side) - offsetof(struct tn_rt_driver_side, pitch);

// Both copy a side and return the address behind it in the description.
static const char *load(const char *from, struct tn_rt_driver_side *side) {
    memcpy(side, from, head);
    from += head + tn_rt_copy_policy.driver_copy_room;
    memcpy((char *)side + head, from, rest);
    return from + rest;
}

static char *store(const struct tn_rt_driver_side *side, char *to) {
    memcpy(to, side, head);
    memset(to + head, 0, tn_rt_copy_policy.driver_copy_room);
    to += head + tn_rt_copy_policy.driver_copy_room;
    memcpy(to, (const char *)side + head, rest);
    return to + rest;
}

static tn_rt_error read_box(const void *copy, struct tn_rt_box *box) {
    struct tn_rt_driver_side src, dst;
    size_t extent[3];
    memcpy(extent, load(load(copy, &src), &dst), sizeof extent);
    *box = (struct tn_rt_box){.width = extent[0], .height = extent[1], .depth = extent[2]};
    return read_sides(&dst, &src, box);
}

tn_rt_error tn_rt_driver_copy(const void *copy, void *stream, enum tn_rt_copy_call call) {
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_check_pointer(copy, "pCopy"));
    TN_RT_TRY(read_box(copy, &box));
    return tn_rt_copy_padded_box(&box, stream, call);
}

tn_rt_error tn_rt_read_driver_copy(const void *copy, struct tn_rt_op *op) {
    struct tn_rt_box box;
    TN_RT_TRY(read_box(copy, &box));
    return tn_rt_read_box(&box, op);
}

static int type_of(const struct tn_rt_side *side) {
    const unsigned host = TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED;
    struct tn_rt_block block;
    if (side->is_array) return tn_rt_copy_policy.array_type;
    bool known = tn_rt_block_query((const void *)(uintptr_t)side->base, &block);
    return known && (block.kind & host) == 0 ? DEVICE_TYPE : HOST_TYPE;
}

// Both pointers of a side are set, so that a program may read either.
static char *write_side(const struct tn_rt_side *side, char *to) {
    const void *base = (const void *)(uintptr_t)side->base;
    const struct tn_rt_driver_side own = {side->x, side->y, side->z,     0,           type_of(side),
                                          base,    base,    side->array, side->pitch, side->rows};
    return store(&own, to);
}

tn_rt_error tn_rt_write_driver_copy(const struct tn_rt_op *op, void *copy) {
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_write_box(op, &box));
    const size_t extent[3] = {box.width, box.height, box.depth};
    memcpy(write_side(&box.dst, write_side(&box.src, copy)), extent, sizeof extent);
    return TN_RT_OK;
}

// ---- two dimensions are three with one slice

static struct tn_rt_driver_side with_slices(const struct tn_rt_driver_rect_side *side) {
    return (struct tn_rt_driver_side){.x = side->x,
                                      .y = side->y,
                                      .type = side->type,
                                      .host = side->host,
                                      .device = side->device,
                                      .array = side->array,
                                      .pitch = side->pitch};
}

tn_rt_error tn_rt_driver_copy_rect(const void *rect, void *stream, enum tn_rt_copy_call call) {
    const struct tn_rt_driver_rect *r = (const struct tn_rt_driver_rect *)rect;
    TN_RT_TRY(tn_rt_check_pointer(r, "pCopy"));
    const struct tn_rt_driver_side src = with_slices(&r->src), dst = with_slices(&r->dst);
    struct tn_rt_box box = {.width = r->width, .height = r->height, .depth = 1};
    TN_RT_TRY(read_sides(&dst, &src, &box));
    return tn_rt_copy_padded_box(&box, stream, call);
}
