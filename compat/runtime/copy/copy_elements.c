// SPDX-License-Identifier: Apache-2.0
// See box.h: copies of a run of elements. The file has no state.
#include "compat/face/scope.h"
#include "compat/runtime/copy/array.h"
#include "compat/runtime/copy/box.h"
#include "compat/runtime/memory/multicast.h"

// Describes the next piece that is a box: the rest of a row, or complete rows. Returns the number
// of its elements.
static uint64_t next_piece(const struct tn_rt_elements *copy, uint64_t done,
                           tarn_array_copy_desc *desc) {
    uint64_t from = copy->at.x + done;
    uint64_t left = copy->count - done;
    tarn_array_place place = copy->at;
    tarn_array_place linear = {.addr = copy->linear + done * copy->bytes};
    place.x = from % copy->row;
    place.y += from / copy->row;
    bool complete = place.x == 0 && left >= copy->row;
    desc->height = complete ? left / copy->row : 1;
    desc->width = complete ? copy->row : copy->row - place.x < left ? copy->row - place.x : left;
    desc->dst = copy->to_array ? place : linear;
    desc->src = copy->to_array ? linear : place;
    return desc->width * desc->height;
}

static tn_rt_error run_elements(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    const struct tn_rt_elements *copy = &op->copy.elements;
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    tarn_status status = TARN_OK;
    desc.peers[0] = copy->peer;
    for (int i = 0; i < 2; i++) TN_RT_TRY(tn_rt_multicast_refuse_address(op->copy.linear[i]));
    for (uint64_t done = 0; done < copy->count && status == TARN_OK;) {
        done += next_piece(copy, done, &desc);
        status = tarn_array_copy(where->device->tarn, &desc, where->stream);
    }
    return tn_rt_copy_ran(&op->copy, where, status);
}

// `copy` has the members that do not depend on the array.
static tn_rt_error check_elements(const struct tn_rt_array *array, size_t x, size_t y, size_t count,
                                  struct tn_rt_elements *copy) {
    const struct tn_rt_shape *shape = &array->shape;
    uint64_t rows = shape->height == 0 ? 1 : shape->height;
    copy->bytes = tn_rt_element_bytes(shape->format, shape->channels);
    copy->row = shape->width;
    copy->count = count / copy->bytes;
    copy->at = (tarn_array_place){
        .array = array->tarn, .level = array->level, .x = x / copy->bytes, .y = y};
    TN_RT_REFUSE(x % copy->bytes != 0 || count % copy->bytes != 0, TN_RT_INVALID_VALUE,
                 "%zu bytes from %zu on, elements have %llu bytes", count, x,
                 (unsigned long long)copy->bytes);
    TN_RT_REFUSE(
        y >= rows || copy->at.x >= copy->row || copy->count > (rows - y) * copy->row - copy->at.x,
        TN_RT_INVALID_VALUE, "%zu bytes from %zu on in row %zu of %llu rows of %llu bytes", count,
        x, y, (unsigned long long)rows, (unsigned long long)(copy->row * copy->bytes));
    return TN_RT_OK;
}

static tn_rt_error describe_elements(const void *handle, size_t x, size_t y, const void *linear,
                                     size_t bytes, bool to, struct tn_rt_copy *copy) {
    copy->form = TN_RT_COPY_ELEMENTS;
    copy->elements = (struct tn_rt_elements){
        .linear = TARN_ADDR(linear), .peer = tn_rt_current()->tarn, .to_array = to};
    if (bytes == 0) return TN_RT_OK;
    TN_RT_REFUSE(linear == NULL, TN_RT_INVALID_VALUE, "%s is NULL", to ? "src" : "dst");
    copy->linear[0] = TARN_ADDR(linear);
    TN_RT_GET(tn_rt_array, array, tn_rt_array_get(handle, &array));
    copy->array[1] = array->device;
    return check_elements(array, x, y, bytes, &copy->elements);
}

tn_rt_error tn_rt_copy_elements(const void *array, size_t x, size_t y, const void *linear,
                                size_t bytes, int kind, bool to_array, void *stream) {
    struct tn_rt_op op = {.work = TN_RT_WORK_COPY, .run = run_elements, .keep = tn_rt_copy_keep};
    TN_RT_TRY(tn_rt_copy_kind(kind));
    TN_RT_TRY(describe_elements(array, x, y, linear, bytes, to_array, &op.copy));
    return tn_rt_copy_submit(&op, stream, TN_RT_COPY_COMPLETE);
}
