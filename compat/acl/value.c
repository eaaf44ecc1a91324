// SPDX-License-Identifier: Apache-2.0
// Words of device memory that streams write and wait for, in one access each. The file has no
// state.
#include <acl/detail/value.h>

#include "compat/acl/place.h"
#include "compat/acl/task.h"
#include "src/base/tsan.h"

struct value {
    struct tn_face_device *device;
    tarn_addr addr;
    uint64_t value;
    uint32_t condition;
};

// Enqueues a task about 8 bytes of device memory. A flag of a wait is its condition.
static aclError enqueue_value(void *ptr, uint64_t value, uint32_t flag, uint32_t last_flag,
                              tn_acl_task *run, aclrtStream stream) {
    struct tn_acl_place place;
    TN_ACL_TRY(tn_acl_check_pointer(ptr, "devAddr"));
    TN_ACL_INVALID(flag > last_flag, "flag %u is greater than %u", flag, last_flag);
    TN_ACL_TRY(tn_acl_open());
    tn_acl_place_find(TARN_ADDR(ptr), &place);
    tn_acl_place_probe(&place, sizeof(uint64_t), NULL, 0);
    tn_acl_place_refuse(&place, sizeof(uint64_t), true);
    TN_ACL_INVALID(place.kind != TN_ACL_PLACE_DEVICE || (uintptr_t)ptr % sizeof(uint64_t) != 0,
                   "%p is %s; it must be device memory at a multiple of 8", ptr,
                   tn_acl_place_name(&place));
    TN_ACL_ORDER(order, stream);
    const struct value task = {order.device, TARN_ADDR(ptr), value, flag};
    return tn_acl_task_enqueue(&order, run, &task, sizeof task);
}

static tarn_status run_write(void *closure, bool dropped) {
    const struct value *task = (const struct value *)closure;
    if (dropped) return TARN_OK;
    tn_tsan_release((const void *)(uintptr_t)task->addr);
    return tarn_copy(task->device->tarn, task->addr, TARN_ADDR(&task->value), sizeof task->value,
                     TARN_STREAM_NONE);
}

TN_ACL_ROW(aclrtValueWrite,
           TN_FACE_EXPRESSION(enqueue_value(devAddr, value, flag, 0, run_write, stream)), void *,
           devAddr, uint64_t, value, uint32_t, flag, aclrtStream, stream)

// The difference decides GEQ, so that a counter may wrap around.
static bool is_met(uint64_t now, const struct value *task) {
    switch (task->condition) {
    case ACL_STREAM_WAIT_VALUE_GEQ: return (int64_t)(now - task->value) >= 0;
    case ACL_STREAM_WAIT_VALUE_EQ: return now == task->value;
    case ACL_STREAM_WAIT_VALUE_AND: return (now & task->value) != 0;
    default: return ~(now | task->value) != 0;
    }
}

static tarn_status run_wait(void *closure, bool dropped) {
    const struct value *task = (const struct value *)closure;
    uint64_t now = 0;
    if (dropped) return TARN_OK;
    tarn_status status =
        tarn_copy(task->device->tarn, TARN_ADDR(&now), task->addr, sizeof now, TARN_STREAM_NONE);
    tn_tsan_acquire((const void *)(uintptr_t)task->addr);
    return status == TARN_OK && !is_met(now, task) ? TARN_NOT_READY : status;
}

TN_ACL_ROW(aclrtValueWait,
           TN_FACE_EXPRESSION(enqueue_value(devAddr, value, flag, ACL_STREAM_WAIT_VALUE_NOR,
                                            run_wait, stream)),
           void *, devAddr, uint64_t, value, uint32_t, flag, aclrtStream, stream)
