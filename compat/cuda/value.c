// SPDX-License-Identifier: Apache-2.0
// Waits for values in memory, and writes of them, which only the driver has. See
// compat/runtime/copy/value.h.
#include "compat/runtime/copy/value.h"

#include <stddef.h>

#include "compat/cuda/face.h"
#include "compat/runtime/stream/stream.h"

_Static_assert((int)CU_STREAM_WAIT_VALUE_GEQ == TN_RT_VALUE_GTE &&
                   (int)CU_STREAM_WAIT_VALUE_NOR == TN_RT_VALUE_NOR &&
                   (int)CU_STREAM_MEM_OP_WRITE_VALUE_64 == TN_RT_WRITE_64 &&
                   sizeof(CUstreamBatchMemOpParams) == sizeof(struct tn_rt_value_op),
               "operations have the same layout and numbers");

#define VALUE_CALL(name, bits, write)                                                              \
    static tn_rt_error name##_##bits(CUstream stream, void *at, uint##bits##_t value,              \
                                     unsigned flags) {                                             \
        TN_RT_REFUSE((write) && flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER,                   \
                     TN_RT_INVALID_VALUE, "flags 0x%x", flags);                                    \
        const struct tn_rt_value op = {at, value, UINT##bits##_MAX, bits / 8, write, flags};       \
        return tn_rt_value_submit(stream, &op);                                                    \
    }

VALUE_CALL(wait, 32, false)
VALUE_CALL(wait, 64, false)
VALUE_CALL(write, 32, true)
VALUE_CALL(write, 64, true)

TN_CU_STREAM(cuStreamWaitValue32_v2, cuStreamWaitValue32_v2_ptsz, wait_32, CUstream, stream,
             CUdeviceptr, address, cuuint32_t, value, unsigned int, flags)
TN_CU_STREAM(cuStreamWaitValue64_v2, cuStreamWaitValue64_v2_ptsz, wait_64, CUstream, stream,
             CUdeviceptr, address, cuuint64_t, value, unsigned int, flags)
TN_CU_STREAM(cuStreamWriteValue32_v2, cuStreamWriteValue32_v2_ptsz, write_32, CUstream, stream,
             CUdeviceptr, address, cuuint32_t, value, unsigned int, flags)
TN_CU_STREAM(cuStreamWriteValue64_v2, cuStreamWriteValue64_v2_ptsz, write_64, CUstream, stream,
             CUdeviceptr, address, cuuint64_t, value, unsigned int, flags)
// A list of no operations does nothing.
static tn_rt_error submit_list(CUstream stream, unsigned count, CUstreamBatchMemOpParams *ops,
                               unsigned flags) {
    return count == 0 && ops != NULL && flags == 0
               ? tn_rt_stream_check(stream)
               : tn_rt_value_ops_submit(stream, count, ops, flags);
}

TN_CU_STREAM(cuStreamBatchMemOp_v2, cuStreamBatchMemOp_v2_ptsz, submit_list, CUstream, stream,
             unsigned int, count, CUstreamBatchMemOpParams *, list, unsigned int, flags)
