// SPDX-License-Identifier: Apache-2.0
// See peak.h.
#include "tools/replay/peak.h"

#include "base/error.h"

tarn_status tn_replay_peak(const struct tn_trace *trace, const struct tn_trace_device *part,
                           tarn_device *device, enum tn_target_kind kind,
                           struct tn_totals *totals) {
    struct tn_replay_options options;
    tn_replay_defaults(&options);
    options.plan_steps = TN_REPLAY_PLAN_STEPS;
    options.memory_only = true;
    struct tn_replay *replay = tn_replay_create("", NULL, kind, &options);
    replay->trace = trace;
    replay->reports = true;
    tn_replay_run_device(replay, part, device);
    *totals = replay->totals;
    tarn_status status = TARN_OK;
    if (replay->failure.exit_code != TN_EXIT_OK)
        status = tn_fail(replay->failure.status, "the replay on %s failed: %s",
                         tn_target_name(kind), replay->failure.message);
    tn_replay_free(replay);
    return status;
}
