// SPDX-License-Identifier: Apache-2.0
// HIP's waits for values in memory, and writes of them. See compat/runtime/copy/value.h.
#include <stddef.h>

#include <hip/detail/stream_value.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/value.h"

_Static_assert((int)hipStreamWaitValueGte == TN_RT_VALUE_GTE &&
                   (int)hipStreamWaitValueEq == TN_RT_VALUE_EQ &&
                   (int)hipStreamWaitValueAnd == TN_RT_VALUE_AND &&
                   (int)hipStreamWaitValueNor == TN_RT_VALUE_NOR,
               "conditions have the same numbers");

static tn_rt_error submit_value(hipStream_t stream, struct tn_rt_value op) {
    return tn_rt_value_submit(stream, &op);
}

TN_HIP_ROW(hipStreamWaitValue32,
           TN_FACE_EXPRESSION(submit_value(stream, (struct tn_rt_value){ptr, value, mask, 4, false,
                                                                        flags})),
           hipStream_t, stream, void *, ptr, uint32_t, value, unsigned int, flags, uint32_t, mask)
TN_HIP_ROW(hipStreamWriteValue32,
           TN_FACE_EXPRESSION(submit_value(stream,
                                           (struct tn_rt_value){ptr, value, 0, 4, true, flags})),
           hipStream_t, stream, void *, ptr, uint32_t, value, unsigned int, flags)
TN_HIP_ROW(hipStreamWaitValue64,
           TN_FACE_EXPRESSION(submit_value(stream, (struct tn_rt_value){ptr, value, mask, 8, false,
                                                                        flags})),
           hipStream_t, stream, void *, ptr, uint64_t, value, unsigned int, flags, uint64_t, mask)
TN_HIP_ROW(hipStreamWriteValue64,
           TN_FACE_EXPRESSION(submit_value(stream,
                                           (struct tn_rt_value){ptr, value, 0, 8, true, flags})),
           hipStream_t, stream, void *, ptr, uint64_t, value, unsigned int, flags)

// ---- several at once

_Static_assert(sizeof(hipStreamBatchMemOpParams) == sizeof(struct tn_rt_value_op) &&
                   offsetof(hipStreamMemOpWaitValueParams, flags) ==
                       offsetof(struct tn_rt_value_op, flags) &&
                   (int)hipStreamMemOpWaitValue32 == TN_RT_WAIT_32 &&
                   (int)hipStreamMemOpWriteValue32 == TN_RT_WRITE_32 &&
                   (int)hipStreamMemOpWaitValue64 == TN_RT_WAIT_64 &&
                   (int)hipStreamMemOpWriteValue64 == TN_RT_WRITE_64,
               "operations have the same layout and numbers");

TN_HIP_ROW(hipStreamBatchMemOp, tn_rt_value_ops_submit, hipStream_t, stream, unsigned int, count,
           hipStreamBatchMemOpParams *, paramArray, unsigned int, flags)
