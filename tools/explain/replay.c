// SPDX-License-Identifier: Apache-2.0
// Replays the explained device on pools of Tarn, on the card of the recording; see explain.h. The
// device has no bytes, so the replay costs neither memory nor a GPU.
#include <stdlib.h>

#include "tools/explain/explain.h"
#include "tools/progress.h"

// A pool for which the device has not enough memory has no peak. Any other failure of a replay fails
// the explanation.
static tarn_status replay_peak(struct tn_explain *explain, tarn_device *device,
                               enum tn_target_kind kind, struct tn_explain_replay *result) {
    tarn_status status = TARN_OK;
    struct tn_replay_options options = {.kind = kind,
                                        .rule_name = "gpu",
                                        .scale = 1,
                                        .repeat = 1,
                                        .plan_steps = TN_REPLAY_PLAN_STEPS,
                                        .memory_only = true};
    struct tn_replay *replay = (struct tn_replay *)calloc(1, sizeof *replay);
    if (replay == NULL)
        return tn_explain_fail(explain, TARN_NO_HOST_MEMORY, "out of host memory for a replay");
    (void)tarn_rule_find(options.rule_name, &options.settings.rule);
    replay->path = explain->options->path;
    replay->kind = kind;
    replay->options = &options;
    replay->trace = explain->trace;
    replay->reports = true;
    tn_replay_run_device(replay, explain->device, device);
    result->totals = replay->totals;
    if (replay->failure.exit_code == TN_EXIT_OK)
        result->peak = replay->totals.peak_reserved_bytes;
    else if (replay->failure.status != TARN_NO_DEVICE_MEMORY &&
             replay->failure.status != TARN_NO_ADDRESS_SPACE)
        status = tn_explain_fail(explain, replay->failure.status, "the replay on %s failed: %s",
                                 tn_target_name(kind), replay->failure.message);
    tn_replay_release(replay);
    free(replay);
    return status;
}

tarn_status tn_explain_replay(struct tn_explain *explain) {
    static const enum tn_target_kind kinds[TN_EXPLAIN_REPLAYS] = {
        [TN_EXPLAIN_EXPANDABLE] = TN_TARGET_MEMORY,
        [TN_EXPLAIN_SEGMENTS] = TN_TARGET_SEGMENTS,
        [TN_EXPLAIN_FIXED] = TN_TARGET_FIXED,
        [TN_EXPLAIN_PLANNED] = TN_TARGET_PLANNED};
    tarn_device *device = NULL;
    tn_replay_card(explain->trace, explain->device, &explain->card);
    if (explain->levels.live[explain->levels.peak] == 0) return TARN_OK;
    bool is_torch =
        tn_explain_is_torch(explain) && (explain->trace->lacks & TN_TRACE_NO_ADDRESSES) == 0;
    if (is_torch && tn_expandable_model(explain->trace, explain->device, TN_REPLAY_PLAN_EVENTS,
                                        &explain->expandable) != TARN_OK)
        return TARN_NO_HOST_MEMORY;
    tarn_status status = tarn_device_open(explain->card.device, &device);
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
