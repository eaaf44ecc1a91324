// SPDX-License-Identifier: Apache-2.0
// Replays the explained device on pools of Tarn, with as much memory as they need; see explain.h.
// The device has no bytes, so the replay costs neither memory nor a GPU.
#include <stdlib.h>

#include "tools/explain/explain.h"
#include "tools/progress.h"
#include "tools/replay/replay.h"

static uint64_t replay_peak(const struct tn_explain *explain, tarn_device *device,
                            enum tn_target_kind kind) {
    struct tn_replay_options options = {
        .kind = kind, .rule_name = "gpu", .scale = 1, .repeat = 1, .memory_only = true};
    struct tn_replay *replay = (struct tn_replay *)calloc(1, sizeof *replay);
    if (replay == NULL)
        return 0;
    (void)tarn_rule_find(options.rule_name, &options.settings.rule);
    replay->path = explain->options->path;
    replay->kind = kind;
    replay->options = &options;
    replay->trace = explain->trace;
    replay->reports = true;
    tn_replay_run_device(replay, explain->device, device);
    uint64_t peak =
        replay->failure.exit_code == TN_EXIT_OK ? replay->totals.peak_reserved_bytes : 0;
    tn_replay_release(replay);
    free(replay);
    return peak;
}

void tn_explain_replay(struct tn_explain *explain) {
    static const enum tn_target_kind kinds[TN_EXPLAIN_REPLAYS] = {
        [TN_EXPLAIN_EXPANDABLE] = TN_TARGET_MEMORY,
        [TN_EXPLAIN_SEGMENTS] = TN_TARGET_SEGMENTS,
        [TN_EXPLAIN_FIXED] = TN_TARGET_FIXED};
    tarn_device *device = NULL;
    if (explain->levels.live[explain->levels.peak] == 0 ||
        tarn_device_open("sim:0,memory=16T", &device) != TARN_OK)
        return;
    for (size_t i = 0; i < TN_EXPLAIN_REPLAYS; i++) {
        explain->replays[i].pool = tn_target_name(kinds[i]);
        tn_progress_phase(tn_target_name(kinds[i]),
                          0.6 + 0.4 * (double)(i + 1) / TN_EXPLAIN_REPLAYS,
                          explain->device->event_count);
        explain->replays[i].peak = replay_peak(explain, device, kinds[i]);
    }
    tarn_clear_error();
    (void)tarn_device_close(device);
}
