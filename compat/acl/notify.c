// SPDX-License-Identifier: Apache-2.0
// Notifies: handles of bits, and the tasks that set and take them in streams. A notify and another
// one that was imported by its key share the bit. The file's only state counts notifies.
#include <acl/detail/notify.h>

#include <stdlib.h>
#include <string.h>

#include "compat/acl/clock.h"
#include "compat/acl/notify_bit.h"
#include "compat/acl/task.h"
#include "compat/acl/vmm.h"
#include "compat/face/scope.h"
#include "src/base/tsan.h"

#define NOTIFIES_MAX 8192 // of a device

struct notify {
    struct tn_face_object object; // first
    struct tn_acl_notify_bit *bit;
    _Atomic(int) *count; // of the notifies of its device
};

static _Atomic(int) counts[TN_ACL_DEVICES];

// ---- creating and destroying

static void notify_destroy(struct tn_face_object *object) {
    struct notify *notify = (struct notify *)object;
    (void)atomic_fetch_sub(notify->count, 1);
    tn_acl_notify_bit_put(notify->bit);
    free(notify);
}

// Takes over the reference to the bit, also on failure.
static aclError new_notify(struct tn_acl_notify_bit *bit, const struct tn_face_device *device,
                           aclrtNotify *handle) {
    struct notify *notify = (struct notify *)calloc(1, sizeof *notify);
    if (notify == NULL) {
        tn_acl_notify_bit_put(bit);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for a notify");
    }
    notify->bit = bit;
    notify->count = &counts[device->ordinal];
    bool room = atomic_fetch_add(notify->count, 1) < NOTIFIES_MAX;
    if (room && tn_face_handle_new(&notify->object, TN_ACL_NOTIFY, notify_destroy)) {
        *handle = (aclrtNotify)notify->object.handle;
        return ACL_SUCCESS;
    }
    notify_destroy(&notify->object);
    return room ? tn_acl_fail(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "out of handles for a notify")
                : tn_acl_fail(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "device %d has %d notifies already",
                              device->ordinal, NOTIFIES_MAX);
}

TN_ACL_FUNCTION(aclrtCreateNotify, aclrtNotify *, notify, uint64_t, flag) {
    struct tn_acl_notify_bit *bit = NULL;
    TN_ACL_POINTER(notify);
    TN_ACL_INVALID((flag & ~(uint64_t)ACL_NOTIFY_DEVICE_USE_ONLY) != 0, "flag 0x%llx is unknown",
                   (unsigned long long)flag);
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_notify_bit_new(device->number, &bit));
    return new_notify(bit, device, notify);
}

static aclError get_notify(aclrtNotify handle, struct notify **notify) {
    TN_ACL_TRY(tn_acl_check_pointer(handle, "notify"));
    TN_ACL_TRY(tn_acl_current_device(NULL));
    *notify = (struct notify *)tn_face_handle_get((uintptr_t)handle, TN_ACL_NOTIFY);
    return *notify != NULL ? ACL_SUCCESS
                           : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is not a notify", handle);
}

TN_ACL_FUNCTION(aclrtDestroyNotify, aclrtNotify, notify) {
    TN_ACL_GET(notify, found, get_notify(notify, &found));
    (void)tn_face_handle_end((uintptr_t)notify, TN_ACL_NOTIFY);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetNotifyId, aclrtNotify, notify, uint32_t *, notifyId) {
    TN_ACL_POINTER(notifyId);
    TN_ACL_GET(notify, found, get_notify(notify, &found));
    *notifyId = tn_face_handle_slot(&found->object);
    return ACL_SUCCESS;
}

// ---- in streams

struct use {
    struct tn_acl_notify_bit *bit; // a reference
    struct tn_acl_queue *queue;
    uint32_t seconds; // 0: no limit
    bool started;
    int64_t deadline; // in nanoseconds of CLOCK_MONOTONIC, once started
};

static tarn_status run_record(void *closure, bool dropped) {
    const struct use *use = (const struct use *)closure;
    tn_tsan_release(use->bit);
    if (!dropped) (void)tn_acl_notify_bit_exchange(use->bit, true);
    tn_acl_notify_bit_put(use->bit);
    return TARN_OK;
}

static tarn_status run_wait(void *closure, bool dropped) {
    struct use *use = (struct use *)closure;
    tarn_status status = TARN_OK;
    if (!use->started) {
        use->started = true;
        use->deadline = tn_acl_clock_now() + (int64_t)use->seconds * 1000000000;
    }
    if (!dropped && !tn_acl_notify_bit_exchange(use->bit, false)) {
        if (use->seconds == 0 || tn_acl_clock_now() < use->deadline) return TARN_NOT_READY;
        status = tn_acl_task_fail(use->queue, ACL_ERROR_RT_WAIT_TIMEOUT);
    }
    tn_tsan_acquire(use->bit);
    tn_acl_notify_bit_put(use->bit);
    return status;
}

static aclError use_notify(aclrtNotify handle, aclrtStream stream, tn_acl_task *run,
                           uint32_t seconds) {
    TN_ACL_GET(notify, notify, get_notify(handle, &notify));
    TN_ACL_ORDER(order, stream);
    TN_ACL_INVALID(run == run_wait && order.device->number != tn_acl_notify_bit_number(notify->bit),
                   "a wait on device %d for a notify of another device", order.device->ordinal);
    const struct use use = {notify->bit, order.queue, seconds, false, 0};
    tn_acl_notify_bit_keep(use.bit);
    aclError error = tn_acl_task_enqueue(&order, run, &use, sizeof use);
    if (error != ACL_SUCCESS) tn_acl_notify_bit_put(use.bit);
    return error;
}

TN_ACL_ROW(aclrtRecordNotify, TN_FACE_EXPRESSION(use_notify(notify, stream, run_record, 0)),
           aclrtNotify, notify, aclrtStream, stream)

TN_ACL_ROW(aclrtWaitAndResetNotify,
           TN_FACE_EXPRESSION(use_notify(notify, stream, run_wait, timeout)), aclrtNotify, notify,
           aclrtStream, stream, uint32_t, timeout)

TN_ACL_FUNCTION(aclrtNotifyBatchReset, aclrtNotify *, notifies, size_t, num) {
    TN_ACL_POINTER(notifies);
    TN_ACL_INVALID(num == 0, "num is 0");
    for (size_t i = 0; i < num; i++)
        TN_ACL_INVALID(notifies[i] == NULL, "notifies[%zu] is NULL", i);
    for (size_t i = 0; i < num; i++) {
        TN_ACL_GET(notify, notify, get_notify(notifies[i], &notify));
        (void)tn_acl_notify_bit_exchange(notify->bit, false);
    }
    return ACL_SUCCESS;
}

// ---- between processes

TN_ACL_FUNCTION(aclrtNotifyGetExportKey, aclrtNotify, notify, char *, key, size_t, len, uint64_t,
                flags) {
    char text[TN_ACL_KEY_BYTES];
    TN_ACL_POINTERS(notify, key);
    TN_ACL_INVALID(len < sizeof text ||
                       (flags & ~ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION) != 0,
                   "len %zu is less than %zu, or flags %llu is neither 0 nor 2", len, sizeof text,
                   (unsigned long long)flags);
    TN_ACL_GET(notify, found, get_notify(notify, &found));
    TN_ACL_TRY(tn_acl_notify_bit_export(found->bit, flags != 0, text));
    memset(key, 0, len);
    memcpy(key, text, strlen(text));
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtNotifySetImportPid, aclrtNotify, notify, int32_t *, pid, size_t, num) {
    TN_ACL_POINTER(pid);
    TN_ACL_INVALID(num == 0, "num is 0");
    TN_ACL_TRY(tn_acl_check_pids(pid, num));
    TN_ACL_GET(notify, found, get_notify(notify, &found));
    return tn_acl_notify_bit_allow(found->bit, pid, num);
}

TN_ACL_FUNCTION(aclrtNotifyImportByKey, aclrtNotify *, notify, const char *, key, uint64_t, flags) {
    struct tn_acl_notify_bit *bit = NULL;
    TN_ACL_POINTERS(notify, key);
    TN_ACL_INVALID(flags > 3, "flags %llu is greater than 3", (unsigned long long)flags);
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_notify_bit_import(key, &bit));
    return new_notify(bit, device, notify);
}
