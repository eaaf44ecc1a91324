// SPDX-License-Identifier: Apache-2.0
// See reach.h.
#include "core/work/reach.h"

#include "core/platform/notify.h"

static void emit_refusal(const struct tn_executor *executor, const struct tn_range_refusal *refusal,
                         tarn_access need, const char *call) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS_REFUSED, .what = (uint16_t)refusal->why,
                    .flags = need == TARN_ACCESS_READ ? TN_MEM_READ : TN_MEM_WRITE,
                    .device = executor->device->ordinal, .addr = refusal->addr,
                    .bytes = refusal->bytes, .other = refusal->bad, .object = refusal->rights,
                    .stream = executor->id, .name = call);
    tn_emit_place(executor->device->platform, &event);
    tn_emit(&event);
}

tarn_status tn_reach_check(const struct tn_executor *executor, const struct tn_box *box,
                           tarn_access need, const struct tn_accessors *accessors,
                           const char *call) {
    struct tn_range_refusal refusal;
    const char *what = need == TARN_ACCESS_READ ? "source" : "destination";
    tarn_status status = tn_range_check(box, need, accessors, what, &refusal);
    bool shows_mistake = status != TARN_OK && refusal.why != TN_MEM_REFUSAL_UNSTATED;
    if (shows_mistake && !executor->unseen && tn_subscribed())
        emit_refusal(executor, &refusal, need, call);
    return status;
}
