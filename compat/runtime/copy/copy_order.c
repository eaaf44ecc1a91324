// SPDX-License-Identifier: Apache-2.0
// The order of a copy: the stream that runs it, the streams that it is ordered with, and whether
// the caller waits. The file has no state, so any thread may call its functions. See copy.h.
#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/copy/copy.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/stream/stream.h"

struct tn_rt_copy_policy tn_rt_copy_policy;

#define TAKEN_BYTES ((size_t)1 << 20)

// The memory of one side of a copy.
struct place {
    const struct tn_face_device *owner; // NULL: memory of the host, or none
    bool ordinary;                      // memory that is not Tarn's
    bool sync_memops;
};

static struct place place_of(const struct tn_rt_copy *copy, int side) {
    const unsigned host = TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED | TN_RT_BLOCK_MANAGED;
    struct tn_rt_block block;
    const void *ptr = (const void *)(uintptr_t)copy->linear[side];
    if (ptr == NULL) return (struct place){.owner = copy->array[side]};
    if (!tn_rt_block_query(ptr, &block)) return (struct place){.ordinary = block.ordinary};
    return (struct place){.owner = (block.kind & host) == 0 ? block.device : NULL,
                          .sync_memops = block.sync_memops};
}

// The calling thread holds a reference to `base`.
static struct tn_rt_order order_of(struct tn_rt_stream *base, const struct place *places,
                                   enum tn_rt_copy_call call) {
    const struct tn_face_device *dst = places[0].owner;
    const struct tn_face_device *src = places[1].owner;
    struct tn_rt_order order = {base, {NULL}};
    if (atomic_load(&base->capturing) || (dst == NULL && src == NULL)) return order;
    if (dst == NULL || src == NULL || dst == src) {
        const struct tn_face_device *owner = dst != NULL ? dst : src;
        if (owner != base->device) order = (struct tn_rt_order){tn_rt_null_stream(owner), {base}};
    } else if (call != TN_RT_COPY_ASYNC) {
        TN_FACE_DIFFERS(copy_between_devices, true);
        struct tn_rt_stream **next = order.others;
        for (int i = 0; i < 2; i++) {
            struct tn_rt_stream *null = tn_rt_null_stream(places[i].owner);
            if (null != base) *next++ = null;
        }
    }
    return order;
}

// A side that the kind calls a device's.
static tn_rt_error check_sides(const struct tn_rt_copy *copy, const struct place *places) {
    struct tn_rt_block block;
    bool of_device[] = {
        copy->kind == TN_RT_COPY_HOST_TO_DEVICE || copy->kind == TN_RT_COPY_ON_DEVICE,
        copy->kind == TN_RT_COPY_DEVICE_TO_HOST || copy->kind == TN_RT_COPY_ON_DEVICE};
    for (int i = 0; i < 2; i++)
        TN_RT_REFUSE(of_device[i] && places[i].ordinary &&
                         !tn_rt_block_reach((const void *)(uintptr_t)copy->linear[i], copy->row,
                                            i == 0, &block),
                     TN_RT_INVALID_VALUE, "kind %d, but 0x%llx is not %s", copy->kind,
                     (unsigned long long)copy->linear[i], tn_rt_memory_policy.memory_name);
    return TN_RT_OK;
}

static tn_rt_error check_kind(const struct tn_rt_copy *copy, const struct place *places) {
    if (copy->kind_counts && tn_rt_copy_policy.copies_check_sides)
        TN_RT_TRY(check_sides(copy, places));
    bool host = copy->kind == TN_RT_COPY_HOST_TO_HOST || copy->kind == TN_RT_COPY_DEFAULT;
    return host || !copy->kind_counts || !places[0].ordinary || !places[1].ordinary
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "kind %d, but neither 0x%llx nor 0x%llx is %s",
                            copy->kind, (unsigned long long)copy->linear[0],
                            (unsigned long long)copy->linear[1], tn_rt_memory_policy.memory_name);
}

// Every capture forbids a synchronous copy. A call that names a stream may be allowed.
static tn_rt_error check_capture(struct tn_rt_stream *base, enum tn_rt_copy_call call) {
    if (call == TN_RT_COPY_ASYNC) return TN_RT_OK;
    if (base->role != TN_RT_STREAM_MADE) return tn_rt_capture_check_synchronous();
    TN_RT_TRY(tn_rt_capture_check_stream(base));
    return tn_rt_capture_allows_settings();
}

static bool must_wait(const struct place *places, enum tn_rt_copy_call call) {
    bool same = places[0].owner != NULL && places[0].owner == places[1].owner;
    bool forced = places[0].sync_memops && places[1].sync_memops;
    return call == TN_RT_COPY_COMPLETE || (call == TN_RT_COPY_SYNC && (!same || forced));
}

static tn_rt_error submit_copy(struct tn_rt_op *op, struct tn_rt_stream *base,
                               enum tn_rt_copy_call call) {
    struct tn_rt_copy *copy = &op->copy;
    const struct place places[] = {place_of(copy, 0), place_of(copy, 1)};
    struct tn_rt_order order = order_of(base, places, call);
    tarn_stream ran = TARN_STREAM_NONE;
    TN_RT_TRY(check_capture(base, call));
    TN_RT_TRY(check_kind(copy, places));
    // A copy that need not be waited for is done at once too if nothing precedes it. A checker shall
    // see it in its stream.
    bool at_once =
        call == TN_RT_COPY_SYNC && !tarn_annotate_subscribed() && !tn_rt_order_is_busy(&order);
    if (at_once || must_wait(places, call)) return tn_rt_submit_to_and_wait(&order, op);
    // Vendors' libraries copy a short row from ordinary memory into a buffer of their own, and
    // return although the stream is busy. If the stream is idle, it is faster to wait for the copy.
    TN_FACE_DIFFERS(copy_pageable,
                    places[1].ordinary && places[0].owner != NULL && tn_rt_order_is_busy(&order));
    bool plain = copy->box.height == 0 || !tn_rt_copy_policy.only_plain_rows_are_taken;
    copy->take_source = places[1].ordinary && places[0].owner != NULL && copy->row != 0 && plain &&
                        copy->row <= TAKEN_BYTES && tn_rt_order_is_busy(&order);
    if (!copy->take_source && (places[0].ordinary || places[1].ordinary)) copy->ran = &ran;
    tn_rt_error error = tn_rt_submit_to(&order, op);
    if (error == TN_RT_OK && ran != TARN_STREAM_NONE)
        error = tn_rt_error_of(tarn_stream_synchronize(ran, TARN_FOREVER));
    return error;
}

// Returns true if a row leaves a mapping at one side.
static bool leaves_mapping(const struct tn_rt_copy *copy) {
    struct tn_rt_block block;
    for (int i = 0; i < 2; i++) {
        const void *ptr = (const void *)(uintptr_t)copy->linear[i];
        if (ptr != NULL && tn_rt_block_query(ptr, &block) && block.kind == TN_RT_BLOCK_MAPPED &&
            block.bytes - (size_t)(copy->linear[i] - block.start) < copy->row)
            return true;
    }
    return false;
}

tn_rt_error tn_rt_copy_submit(struct tn_rt_op *op, void *stream, enum tn_rt_copy_call call) {
    TN_RT_GET_STREAM(base, tn_rt_stream_get(stream, &base));
    tn_rt_error error = submit_copy(op, base, call);
    TN_FACE_DIFFERS(copy_leaves_reservation,
                    error == TN_RT_INVALID_VALUE && leaves_mapping(&op->copy));
    return error;
}
