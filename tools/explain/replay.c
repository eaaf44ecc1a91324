// SPDX-License-Identifier: Apache-2.0
// Replays the explained device on pools of Tarn, on the card of the recording; see explain.h. The
// device has no bytes, so the replay costs neither memory nor a GPU.
#include "tools/explain/explain.h"
#include "tools/progress.h"
#include "tools/replay/peak.h"

// A pool for which the device has not enough memory has no peak. Any other failure of a replay fails
// the explanation.
static tarn_status replay_peak(const struct tn_explain *explain, tarn_device *device,
                               enum tn_target_kind kind, struct tn_explain_replay *result) {
    tarn_status status =
        tn_replay_peak(explain->trace, explain->device, device, kind, &result->totals);
    if (status == TARN_OK) result->peak = result->totals.peak_reserved_bytes;
    return status == TARN_NO_DEVICE_MEMORY || status == TARN_NO_ADDRESS_SPACE ? TARN_OK : status;
}

tarn_status tn_explain_replay(struct tn_explain *explain) {
    static const enum tn_target_kind kinds[TN_EXPLAIN_REPLAYS] = {
        TN_TARGET_MEMORY, TN_TARGET_SEGMENTS, TN_TARGET_FIXED, TN_TARGET_PLANNED};
    tarn_device *device = NULL;
    tn_replay_card(explain->trace, explain->device, &explain->card);
    if (explain->levels.live[explain->levels.peak] == 0) return TARN_OK;
    bool is_torch =
        tn_explain_is_torch(explain) && (explain->trace->lacks & TN_TRACE_NO_ADDRESSES) == 0;
    struct tn_moment start = {0};
    tarn_status status = tn_moment_make(explain->trace, explain->device, explain->lives, 0, &start);
    if (status == TARN_OK && is_torch)
        status = tn_expandable_model(&start, TN_REPLAY_PLAN_EVENTS, &explain->expandable);
    tn_moment_release(&start);
    if (status == TARN_OK) status = tarn_device_open(explain->card.device, &device);
    for (size_t i = 0; i < TN_EXPLAIN_REPLAYS && status == TARN_OK; i++) {
        if (kinds[i] == TN_TARGET_PLANNED && explain->device->event_count > TN_REPLAY_PLAN_EVENTS)
            continue;
        explain->replays[i].pool = tn_target_name(kinds[i]);
        tn_progress_phase(tn_target_name(kinds[i]),
                          0.6 + 0.4 * (double)(i + 1) / TN_EXPLAIN_REPLAYS,
                          explain->device->event_count);
        status = replay_peak(explain, device, kinds[i], &explain->replays[i]);
    }
    (void)tarn_device_close(device);
    return status;
}
