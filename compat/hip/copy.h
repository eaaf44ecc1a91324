// SPDX-License-Identifier: Apache-2.0
// Copies as pieces of work: what the files about them share.
#ifndef TARN_COMPAT_HIP_COPY_H
#define TARN_COMPAT_HIP_COPY_H

#include "compat/hip/order.h"

// The payload of every copy begins with this.
struct tn_hip_copy {
    tarn_stream *ran;    // is told the stream that got the copy; NULL: nobody waits
    tarn_addr linear[2]; // the sides that are linear memory, else 0
};

// What their runs say at the end, and their keep().
hipError_t tn_hip_copy_ran(const struct tn_hip_copy *copy, const struct tn_hip_where *where,
                           tarn_status status);
hipError_t tn_hip_copy_keep(void *payload);

// hipSuccess, or hipErrorInvalidMemcpyDirection when `kind` is no kind. Beyond that kinds are
// hints: addresses tell what they are.
hipError_t tn_hip_copy_kind(hipMemcpyKind kind);

// Makes *op the copy of linear memory that `desc` says. Rights of the calling thread's current
// device count too, unless desc->peers names devices. The op is plain bytes.
void tn_hip_copy_op(const tarn_copy_desc *desc, struct tn_hip_op *op);

// Gives a copy to a stream. It is done at return when `wait`, or when one side is ordinary memory,
// which belongs to the caller again then; a copy that is captured is recorded as it is.
hipError_t tn_hip_copy_give(struct tn_hip_op *op, hipStream_t stream, bool wait);

#endif
