// SPDX-License-Identifier: Apache-2.0
// Copies as pieces of work: the parts that all of them share.
#pragma once

#include "compat/runtime/stream/order.h"

// When a call returns.
enum tn_rt_copy_call {
    // Asynchronous copies: at once, except that a side in ordinary memory may be
    // reused by the caller. A short row from ordinary memory to a device is taken over.
    TN_RT_COPY_ASYNC,
    // Copies between peers: the same, but the copy is ordered with the NULL streams of both
    // devices.
    TN_RT_COPY_PEER,
    // Synchronous copies of one row: when the copy is complete, unless it stays on one device.
    // Synchronous fills: see fill.c.
    TN_RT_COPY_SYNC,
    // All other copies: when the copy is complete.
    TN_RT_COPY_COMPLETE
};

// For the end of each copy's run(), and its keep() and drop().
tn_rt_error tn_rt_copy_ran(const struct tn_rt_copy *copy, const struct tn_rt_where *where,
                           tarn_status status);
tn_rt_error tn_rt_copy_keep(struct tn_rt_op *op);
void tn_rt_copy_drop(struct tn_rt_op *op);

// Directions of copies. A face may have one more (copy_kind of the policy).
enum {
    TN_RT_COPY_HOST_TO_HOST,
    TN_RT_COPY_HOST_TO_DEVICE,
    TN_RT_COPY_DEVICE_TO_HOST,
    TN_RT_COPY_ON_DEVICE,
    TN_RT_COPY_DEFAULT
};

// TN_RT_INVALID_DIRECTION unless `kind` is a direction. Apart from that check, kinds are ignored:
// the addresses determine the direction.
tn_rt_error tn_rt_copy_kind(int kind);

// Makes *op the copy of linear memory that `desc` describes. Rights of the calling thread's current
// device count too, unless desc->peers names devices.
void tn_rt_copy_op(const tarn_copy_desc *desc, struct tn_rt_op *op);

// A copy of one row, and one between two devices: described and submitted.
tn_rt_error tn_rt_copy_linear(void *dst, const void *src, size_t size, int kind, void *stream,
                              enum tn_rt_copy_call call);
// Describe the copy of a row for a node, by a struct tn_rt_copy_row. Both fail with INVALID_VALUE
// if there are no bytes, a pointer is NULL, the kind is not that of the memory, or the row leaves
// its memory, and with INVALID_DIRECTION if the kind is not one. The second function also refuses a
// copy of a row onto itself.
struct tn_rt_copy_row {
    void *dst;
    const void *src;
    size_t size;
    int kind;
};
tn_rt_error tn_rt_read_row(const void *row, struct tn_rt_op *op);
tn_rt_error tn_rt_read_other_row(const void *row, struct tn_rt_op *op);

tn_rt_error tn_rt_copy_peer(void *dst, int dst_ordinal, const void *src, int src_ordinal,
                            size_t size, void *stream, enum tn_rt_copy_call call);

// Submits a copy to a stream. If one other device owns the memory, the copy runs on that device's
// NULL stream instead, between earlier and later work of `stream`. A copy between two devices runs
// on `stream`; unless the call is asynchronous, it is ordered with the NULL streams of both. A copy
// that is captured is only recorded. Implemented by copy_order.c.
tn_rt_error tn_rt_copy_submit(struct tn_rt_op *op, void *stream, enum tn_rt_copy_call call);
