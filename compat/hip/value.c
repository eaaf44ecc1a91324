// SPDX-License-Identifier: Apache-2.0
// Waits for a value in memory, and writes of one, in stream order. Both are conditions of Tarn, which
// access the memory by a copy of one word, so that the device's rights count. The file has no state.
#include <stdlib.h>
#include <string.h>

#include <hip/detail/stream_value.h>

#include "compat/hip/face.h"
#include "compat/runtime/block.h"
#include "compat/runtime/stream.h"

struct value_op {
    void *ptr;
    uint64_t value;
    uint64_t mask;
    uint32_t bytes; // 4 or 8
    bool writes;    // else waits
    unsigned flags; // of a wait: its condition
};

// A piece of work that was submitted.
struct value_call {
    struct value_op op;
    tarn_device *device;
};

static bool value_holds(const struct value_op *op, uint64_t now) {
    uint64_t v = now & op->mask;
    switch (op->flags) {
    case hipStreamWaitValueGte:
        return v >= op->value;
    case hipStreamWaitValueEq:
        return v == op->value;
    case hipStreamWaitValueAnd:
        return (v & op->value) != 0;
    default:
        return (~(v | op->value) & op->mask) != 0;
    }
}

static tarn_status access_value(struct value_call *call) {
    struct value_op *op = &call->op;
    uint32_t narrow = (uint32_t)op->value;
    uint64_t wide = op->writes ? op->value : 0;
    tarn_addr local = op->bytes == sizeof narrow ? TARN_ADDR(&narrow) : TARN_ADDR(&wide);
    tarn_addr there = TARN_ADDR(op->ptr);
    if (op->writes) {
        return tarn_copy(call->device, there, local, op->bytes, TARN_STREAM_NONE);
    }
    tarn_status status = tarn_copy(call->device, local, there, op->bytes, TARN_STREAM_NONE);
    if (status != TARN_OK) {
        return status;
    }
    return value_holds(op, op->bytes == sizeof narrow ? narrow : wide) ? TARN_OK : TARN_NOT_READY;
}

static tarn_status value_passed(void *arg, bool dropped) {
    struct value_call *call = (struct value_call *)arg;
    tarn_status status = dropped ? TARN_OK : access_value(call);
    if (status != TARN_NOT_READY) {
        free(call);
    }
    return status;
}

static tn_rt_error run_value(const void *payload, const struct tn_rt_where *where) {
    struct value_call *call = (struct value_call *)malloc(sizeof *call);
    if (call == NULL) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a value in a stream");
    }
    memcpy(&call->op, payload, sizeof call->op);
    call->device = where->device->tarn;
    tn_rt_error error = tn_rt_from(tarn_stream_poll(where->stream, value_passed, call));
    if (error != TN_RT_OK) {
        free(call);
    }
    return error;
}

static tn_rt_error check_value(const struct value_op *op) {
    struct tn_rt_block block;
    if (!tn_rt_block_query(op->ptr, &block) ||
        block.bytes - (TARN_ADDR(op->ptr) - block.start) < op->bytes) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "no memory of HIP has %u bytes at %p", op->bytes,
                          op->ptr);
    }
    if (!op->writes && op->flags > hipStreamWaitValueNor) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x: a condition is 0 to 3", op->flags);
    }
    return TN_RT_OK;
}

static tn_rt_error check_stream(hipStream_t stream) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(tn_rt_stream_get(stream, &s));
    tn_rt_stream_put(s);
    return TN_RT_OK;
}

static tn_rt_error submit_checked(hipStream_t stream, const struct value_op *value) {
    struct tn_rt_op op = {.work = TN_RT_WORK_VALUE, .run = run_value};
    memcpy(op.payload, value, sizeof *value);
    return tn_rt_submit(stream, &op);
}

static tn_rt_error submit_value(hipStream_t stream, const struct value_op *value) {
    TN_RT_TRY(tn_rt_check_pointer(value->ptr, "ptr"));
    TN_RT_TRY(check_stream(stream));
    TN_RT_TRY(check_value(value));
    return submit_checked(stream, value);
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags,
                                uint32_t mask) {
    const struct value_op op = {ptr, value, mask, 4, false, flags};
    return TN_HIP_CALL(submit_value(stream, &op));
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags,
                                uint64_t mask) {
    const struct value_op op = {ptr, value, mask, 8, false, flags};
    return TN_HIP_CALL(submit_value(stream, &op));
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void *ptr, uint32_t value,
                                 unsigned int flags) {
    const struct value_op op = {ptr, value, 0, 4, true, flags};
    return TN_HIP_CALL(submit_value(stream, &op));
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void *ptr, uint64_t value,
                                 unsigned int flags) {
    const struct value_op op = {ptr, value, 0, 8, true, flags};
    return TN_HIP_CALL(submit_value(stream, &op));
}

// ---- several at once

#define BATCH_MAX 256

static tn_rt_error read_params(const hipStreamBatchMemOpParams *params, struct value_op *value) {
    const hipStreamMemOpWaitValueParams *wait = &params->waitValue;
    switch (params->operation) {
    case hipStreamMemOpWaitValue32:
        *value = (struct value_op){wait->address, wait->value, UINT32_MAX, 4, false, wait->flags};
        break;
    case hipStreamMemOpWaitValue64:
        *value = (struct value_op){wait->address, wait->value64, UINT64_MAX, 8, false, wait->flags};
        break;
    case hipStreamMemOpWriteValue32:
        *value = (struct value_op){wait->address, wait->value, 0, 4, true, 0};
        break;
    case hipStreamMemOpWriteValue64:
        *value = (struct value_op){wait->address, wait->value64, 0, 8, true, 0};
        break;
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "operation %d is no wait and no write",
                          (int)params->operation);
    }
    TN_RT_TRY(tn_rt_check_pointer(value->ptr, "an address"));
    return check_value(value);
}

// Submits them in their order. All are checked before the first is submitted.
static tn_rt_error submit_values(hipStream_t stream, unsigned count,
                                 const hipStreamBatchMemOpParams *params, unsigned flags) {
    struct value_op values[BATCH_MAX];
    if (params == NULL || flags != 0 || count == 0 || count > BATCH_MAX) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%u operations at %p, flags 0x%x; %d at most", count,
                          (const void *)params, flags, BATCH_MAX);
    }
    TN_RT_TRY(check_stream(stream));
    for (unsigned i = 0; i < count; i++) {
        TN_RT_TRY(read_params(&params[i], &values[i]));
    }
    for (unsigned i = 0; i < count; i++) {
        TN_RT_TRY(submit_checked(stream, &values[i]));
    }
    return TN_RT_OK;
}

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams *paramArray, unsigned int flags) {
    return TN_HIP_CALL(submit_values(stream, count, paramArray, flags));
}
