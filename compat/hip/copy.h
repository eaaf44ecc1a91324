// SPDX-License-Identifier: Apache-2.0
// Copies as pieces of work: the parts that all of them share.
#ifndef TARN_COMPAT_HIP_COPY_H
#define TARN_COMPAT_HIP_COPY_H

#include "compat/hip/order.h"

// The payload of every copy begins with this.
struct tn_hip_copy {
    tarn_stream *ran;    // receives the stream that got the copy; NULL if no thread waits
    tarn_addr linear[2]; // the sides that are linear memory, else 0
};

// For the end of each copy's run(), and for its keep().
hipError_t tn_hip_copy_ran(const struct tn_hip_copy *copy, const struct tn_hip_where *where,
                           tarn_status status);
hipError_t tn_hip_copy_keep(void *payload);

// hipErrorInvalidMemcpyDirection unless `kind` is one of HIP's kinds. Apart from that check, kinds
// are ignored: the addresses determine the direction.
hipError_t tn_hip_copy_kind(hipMemcpyKind kind);

// Makes *op the copy of linear memory that `desc` describes. Rights of the calling thread's current
// device count too, unless desc->peers names devices. The payload is plain bytes.
void tn_hip_copy_op(const tarn_copy_desc *desc, struct tn_hip_op *op);

// Submits a copy to a stream. The copy is complete at return if `wait` is set, or if one side is
// ordinary memory, which the caller may then reuse. A copy that is captured is only recorded.
hipError_t tn_hip_copy_submit(struct tn_hip_op *op, hipStream_t stream, bool wait);

#endif
