// SPDX-License-Identifier: Apache-2.0
// HIP's waits for values in memory, and writes of them. See compat/runtime/value.h.
#include <hip/detail/stream_value.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"
#include "compat/runtime/value.h"

_Static_assert((int)hipStreamWaitValueGte == TN_RT_VALUE_GTE &&
                   (int)hipStreamWaitValueEq == TN_RT_VALUE_EQ &&
                   (int)hipStreamWaitValueAnd == TN_RT_VALUE_AND &&
                   (int)hipStreamWaitValueNor == TN_RT_VALUE_NOR,
               "conditions have the same numbers");

hipError_t hipStreamWaitValue32(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags,
                                uint32_t mask) {
    const struct tn_rt_value op = {ptr, value, mask, 4, false, flags};
    return TN_HIP_CALL(tn_rt_value_submit(stream, &op));
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags,
                                uint64_t mask) {
    const struct tn_rt_value op = {ptr, value, mask, 8, false, flags};
    return TN_HIP_CALL(tn_rt_value_submit(stream, &op));
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void *ptr, uint32_t value,
                                 unsigned int flags) {
    const struct tn_rt_value op = {ptr, value, 0, 4, true, flags};
    return TN_HIP_CALL(tn_rt_value_submit(stream, &op));
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void *ptr, uint64_t value,
                                 unsigned int flags) {
    const struct tn_rt_value op = {ptr, value, 0, 8, true, flags};
    return TN_HIP_CALL(tn_rt_value_submit(stream, &op));
}

// ---- several at once

static tn_rt_error read_params(const hipStreamBatchMemOpParams *params, struct tn_rt_value *value) {
    const hipStreamMemOpWaitValueParams *wait = &params->waitValue;
    switch (params->operation) {
    case hipStreamMemOpWaitValue32:
        *value =
            (struct tn_rt_value){wait->address, wait->value, UINT32_MAX, 4, false, wait->flags};
        break;
    case hipStreamMemOpWaitValue64:
        *value =
            (struct tn_rt_value){wait->address, wait->value64, UINT64_MAX, 8, false, wait->flags};
        break;
    case hipStreamMemOpWriteValue32:
        *value = (struct tn_rt_value){wait->address, wait->value, 0, 4, true, 0};
        break;
    case hipStreamMemOpWriteValue64:
        *value = (struct tn_rt_value){wait->address, wait->value64, 0, 8, true, 0};
        break;
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "operation %d is no wait and no write",
                          (int)params->operation);
    }
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipStreamBatchMemOp, hipStream_t, stream, unsigned int, count,
                hipStreamBatchMemOpParams *, paramArray, unsigned int, flags) {
    struct tn_rt_value values[TN_RT_VALUES];
    TN_RT_REFUSE(paramArray == NULL || flags != 0 || count == 0 || count > TN_RT_VALUES,
                 TN_RT_INVALID_VALUE, "%u operations at %p, flags 0x%x; %d at most", count,
                 (const void *)paramArray, flags, TN_RT_VALUES);
    TN_RT_TRY(tn_rt_stream_check(stream)); // an unknown stream precedes an unknown operation
    for (unsigned i = 0; i < count; i++) TN_RT_TRY(read_params(&paramArray[i], &values[i]));
    return tn_rt_values_submit(stream, values, count);
}
