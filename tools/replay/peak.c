// SPDX-License-Identifier: Apache-2.0
// See peak.h.
#include "tools/replay/peak.h"

tarn_status tn_replay_peak(const struct tn_trace *trace, const struct tn_trace_device *part,
                           tarn_device *device, enum tn_target_kind kind, struct tn_totals *totals,
                           char problem[TN_MESSAGE]) {
    struct tn_replay_options options;
    tn_replay_defaults(&options);
    options.plan_steps = TN_REPLAY_PLAN_STEPS;
    options.memory_only = true;
    struct tn_replay *replay = tn_replay_create("", NULL, kind, &options);
    replay->trace = trace;
    replay->reports = true;
    tn_replay_run_device(replay, part, device);
    *totals = replay->totals;
    tarn_status status = replay->failure.exit_code != TN_EXIT_OK ? replay->failure.status : TARN_OK;
    (void)snprintf(problem, TN_MESSAGE, "the replay on %s failed: %.900s", tn_target_name(kind),
                   replay->failure.message);
    tn_replay_free(replay);
    return status;
}
