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

#define VALUE_CALLS(bits)                                                                          \
    static tn_rt_error wait_##bits(hipStream_t stream, void *at, uint##bits##_t value,             \
                                   unsigned flags, uint##bits##_t mask) {                          \
        const struct tn_rt_value op = {at, value, mask, bits / 8, false, flags};                   \
        return tn_rt_value_submit(stream, &op);                                                    \
    }                                                                                              \
    static tn_rt_error write_##bits(hipStream_t stream, void *at, uint##bits##_t value,            \
                                    unsigned flags) {                                              \
        const struct tn_rt_value op = {at, value, 0, bits / 8, true, flags};                       \
        return tn_rt_value_submit(stream, &op);                                                    \
    }                                                                                              \
    TN_HIP_ROW(hipStreamWaitValue##bits, wait_##bits, hipStream_t, void *, uint##bits##_t,         \
               unsigned int, uint##bits##_t)                                                       \
    TN_HIP_ROW(hipStreamWriteValue##bits, write_##bits, hipStream_t, void *, uint##bits##_t,       \
               unsigned int)

VALUE_CALLS(32)
VALUE_CALLS(64)

// ---- several at once

_Static_assert(sizeof(hipStreamBatchMemOpParams) == sizeof(struct tn_rt_value_op) &&
                   offsetof(hipStreamMemOpWaitValueParams, flags) ==
                       offsetof(struct tn_rt_value_op, flags) &&
                   (int)hipStreamMemOpWaitValue32 == TN_RT_WAIT_32 &&
                   (int)hipStreamMemOpWriteValue32 == TN_RT_WRITE_32 &&
                   (int)hipStreamMemOpWaitValue64 == TN_RT_WAIT_64 &&
                   (int)hipStreamMemOpWriteValue64 == TN_RT_WRITE_64,
               "operations have the same layout and numbers");

TN_HIP_ROW(hipStreamBatchMemOp, tn_rt_value_ops_submit, hipStream_t, unsigned int,
           hipStreamBatchMemOpParams *, unsigned int)
