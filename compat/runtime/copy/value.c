// SPDX-License-Identifier: Apache-2.0
// See value.h. Both are conditions of Tarn, which access the memory by a copy of one word, so that
// the device's rights count. The file has no state.
#include "compat/runtime/copy/value.h"

#include <stdlib.h>
#include <string.h>

#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/multicast.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/stream/stream.h"
#include "src/base/tsan.h"

// A piece of work that was submitted.
struct value_call {
    struct tn_rt_value op;
    tarn_device *device;
};

static bool value_holds(const struct tn_rt_value *op, uint64_t now) {
    uint64_t v = now & op->mask;
    switch (op->flags) {
    case TN_RT_VALUE_GTE: return v >= op->value;
    case TN_RT_VALUE_EQ: return v == op->value;
    case TN_RT_VALUE_AND: return (v & op->value) != 0;
    default: return (~(v | op->value) & op->mask) != 0;
    }
}

static tarn_status access_value(struct value_call *call) {
    struct tn_rt_value *op = &call->op;
    uint32_t narrow = (uint32_t)op->value;
    uint64_t wide = op->writes ? op->value : 0;
    tarn_addr local = op->bytes == sizeof narrow ? TARN_ADDR(&narrow) : TARN_ADDR(&wide);
    tarn_addr there = TARN_ADDR(op->ptr);
    // The word makes order for the program's atomics, too.
    if (op->writes) tn_tsan_release(op->ptr);
    if (op->writes) return tarn_copy(call->device, there, local, op->bytes, TARN_STREAM_NONE);
    tarn_status status = tarn_copy(call->device, local, there, op->bytes, TARN_STREAM_NONE);
    if (status != TARN_OK) return status;
    tn_tsan_acquire(op->ptr);
    return value_holds(op, op->bytes == sizeof narrow ? narrow : wide) ? TARN_OK : TARN_NOT_READY;
}

static tarn_status value_passed(void *arg, bool dropped) {
    struct value_call *call = (struct value_call *)arg;
    tarn_status status = dropped ? TARN_OK : access_value(call);
    if (status != TARN_NOT_READY) free(call);
    return status;
}

static tn_rt_error submit_value(const struct tn_rt_value *value, const struct tn_rt_where *where) {
    TN_RT_TRY(tn_rt_multicast_refuse_address(TARN_ADDR(value->ptr)));
    struct value_call *call = (struct value_call *)malloc(sizeof *call);
    TN_RT_REFUSE(call == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a value in a stream");
    call->op = *value;
    call->device = where->device->tarn;
    tn_rt_error error = tn_rt_error_of(tarn_stream_wait_until(where->stream, value_passed, call));
    if (error != TN_RT_OK) free(call);
    return error;
}

static tn_rt_error run_values(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    for (uint32_t i = 0; i < op->values.count; i++)
        TN_RT_TRY(submit_value(&op->values.of[i], where));
    return TN_RT_OK;
}

static tn_rt_error keep_values(struct tn_rt_op *op) {
    struct tn_rt_values *values = &op->values;
    size_t count = values->count;
    struct tn_rt_value *own =
        (struct tn_rt_value *)malloc(count * (sizeof *own + sizeof *values->given));
    TN_RT_REFUSE(own == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for %zu values", count);
    memcpy(own, values->of, count * sizeof *own);
    values->of = own;
    values->given = (struct tn_rt_value_op *)(own + count);
    return TN_RT_OK;
}

static void drop_values(struct tn_rt_op *op) { free((void *)(uintptr_t)op->values.of); }

static struct tn_rt_op op_of(const struct tn_rt_value *values, uint32_t count) {
    return (struct tn_rt_op){.work = TN_RT_WORK_VALUE,
                             .run = run_values,
                             .keep = keep_values,
                             .drop = drop_values,
                             .values = {.count = count, .of = values}};
}

static tn_rt_error check_value(const struct tn_rt_value *op) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(op->ptr, "ptr"));
    TN_RT_REFUSE(!tn_rt_block_reach(op->ptr, op->bytes, op->writes, &block) ||
                     block.bytes - (TARN_ADDR(op->ptr) - block.start) < op->bytes,
                 TN_RT_INVALID_VALUE, "no %s has %u bytes at %p", tn_rt_memory_policy.memory_name,
                 op->bytes, op->ptr);
    TN_RT_REFUSE(tn_rt_copy_policy.aligned_values && TARN_ADDR(op->ptr) % op->bytes != 0,
                 TN_RT_INVALID_VALUE, "%p is not a multiple of %u bytes", op->ptr, op->bytes);
    TN_RT_REFUSE(!op->writes && op->flags > TN_RT_VALUE_NOR, TN_RT_INVALID_VALUE,
                 "flags 0x%x: a condition is 0 to 3", op->flags);
    return TN_RT_OK;
}

tn_rt_error tn_rt_values_submit(void *stream, const struct tn_rt_value *values, unsigned count) {
    TN_RT_TRY(tn_rt_stream_check(stream));
    for (unsigned i = 0; i < count; i++) TN_RT_TRY(check_value(&values[i]));
    for (unsigned i = 0; i < count; i++) {
        const struct tn_rt_op op = op_of(&values[i], 1);
        TN_RT_TRY(tn_rt_submit(stream, &op));
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_value_submit(void *stream, const struct tn_rt_value *value) {
    TN_RT_TRY(tn_rt_check_pointer(value->ptr, "ptr"));
    return tn_rt_values_submit(stream, value, 1);
}

// ---- lists of a program

static tn_rt_error read_op(const struct tn_rt_value_op *op, struct tn_rt_value *value) {
    bool writes = op->operation == TN_RT_WRITE_32 || op->operation == TN_RT_WRITE_64;
    bool narrow = op->operation == TN_RT_WRITE_32 || op->operation == TN_RT_WAIT_32;
    TN_RT_REFUSE(!writes && op->operation != TN_RT_WAIT_32 && op->operation != TN_RT_WAIT_64,
                 TN_RT_INVALID_VALUE, "operation %d is no wait and no write", op->operation);
    *value = (struct tn_rt_value){.ptr = op->address,
                                  .value = narrow ? op->value : op->value64,
                                  .mask = narrow ? UINT32_MAX : UINT64_MAX,
                                  .bytes = narrow ? 4 : 8,
                                  .writes = writes,
                                  .flags = writes ? 0 : op->flags};
    return TN_RT_OK;
}

static tn_rt_error check_list(const void *ops, unsigned count, unsigned flags) {
    TN_RT_REFUSE(ops == NULL || flags != 0 || count == 0 || count > TN_RT_VALUES,
                 TN_RT_INVALID_VALUE, "%u operations at %p, flags 0x%x; %d at most", count, ops,
                 flags, TN_RT_VALUES);
    return TN_RT_OK;
}

tn_rt_error tn_rt_value_ops_submit(void *stream, unsigned count, const void *ops, unsigned flags) {
    struct tn_rt_value values[TN_RT_VALUES];
    TN_RT_TRY(check_list(ops, count, flags));
    TN_RT_TRY(tn_rt_stream_check(stream)); // an unknown stream precedes an unknown operation
    for (unsigned i = 0; i < count; i++)
        TN_RT_TRY(read_op((const struct tn_rt_value_op *)ops + i, &values[i]));
    return tn_rt_values_submit(stream, values, count);
}

tn_rt_error tn_rt_read_values(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_value_list *list = (const struct tn_rt_value_list *)given;
    struct tn_rt_value values[TN_RT_VALUES];
    TN_RT_TRY(tn_rt_not_last_error(check_list(list->ops, list->count, list->flags)));
    TN_RT_TRY(tn_rt_not_last_error(tn_rt_check_pointer(list->context, "ctx")));
    for (unsigned i = 0; i < list->count; i++) {
        TN_RT_TRY(read_op(&list->ops[i], &values[i]));
        TN_RT_TRY(check_value(&values[i]));
    }
    *op = op_of(values, list->count);
    op->values.context = list->context;
    return keep_values(op);
}

tn_rt_error tn_rt_write_values(const struct tn_rt_op *op, void *list) {
    const struct tn_rt_values *values = &op->values;
    for (uint32_t i = 0; i < values->count; i++) {
        const struct tn_rt_value *v = &values->of[i];
        int operation = v->writes ? TN_RT_WRITE_32 : TN_RT_WAIT_32;
        values->given[i] = (struct tn_rt_value_op){.operation = operation + (v->bytes == 8 ? 3 : 0),
                                                   .address = v->ptr,
                                                   .value64 = v->value,
                                                   .flags = v->flags};
    }
    *(struct tn_rt_value_list *)list =
        (struct tn_rt_value_list){values->context, values->count, values->given, 0};
    return TN_RT_OK;
}
