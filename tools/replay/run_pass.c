// SPDX-License-Identifier: Apache-2.0
// Records what each pass of a run costs. One thread.
#include "tools/replay/run.h"

void tn_replay_run_begin_pass(struct tn_replay_run *run) {
    if (!run->observed)
        return;
    tn_target_reset_peak(&run->target);
    (void)tn_target_state(&run->target, &run->before);
}

void tn_replay_run_end_pass(struct tn_replay_run *run) {
    struct tn_target_state now = {0};
    if (!run->observed || tn_target_state(&run->target, &now) != TARN_OK)
        return;
    run->peak_held = now.peak_held > run->peak_held ? now.peak_held : run->peak_held;
    if (run->round >= TN_PASSES)
        return;
    struct tn_pass *pass = &run->replay->passes[run->round];
    pass->peak_held_bytes += now.peak_held;
#define ADD(name, text) pass->work.name += now.work.name - run->before.work.name;
    TN_WORK_LIST(ADD)
#undef ADD
    if (run->replay->pass_count == run->round)
        run->replay->pass_count++;
}
