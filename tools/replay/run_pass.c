// SPDX-License-Identifier: Apache-2.0
// Records what each pass of a run costs. One thread.
#include "tools/replay/run.h"

bool tn_replay_run_state(struct tn_replay_run *run, struct tn_target_state *state) {
    tarn_status status = tn_target_state(&run->target, state);
    if (status != TARN_OK)
        tn_replay_fail(run->replay, TN_EXIT_FAILED, status, "%s: the state cannot be read",
                       tn_target_name(run->replay->kind));
    return status == TARN_OK;
}

void tn_replay_run_begin_pass(struct tn_replay_run *run) {
    tarn_status status = tn_target_mark(&run->target);
    if (status != TARN_OK)
        tn_replay_fail(run->replay, TN_EXIT_FAILED, status, "%s: the pass cannot begin",
                       tn_target_name(run->replay->kind));
    if (!run->observed) return;
    tn_target_reset_peak(&run->target);
    (void)tn_replay_run_state(run, &run->before);
    run->curve = run->replay->curves != NULL && run->round == 0
                     ? &run->replay->curves[run->part - run->trace->devices]
                     : NULL;
    run->curve_peak = 0;
}

void tn_replay_run_extend_curve(struct tn_replay_run *run, size_t done) {
    struct tn_target_state state = {0};
    size_t events = run->part->event_count;
    size_t parts = events < TN_CURVE_PARTS ? events : TN_CURVE_PARTS;
    if (run->curve == NULL || done != (parts > 0 ? run->curve->count * events / parts : 0) ||
        !tn_replay_run_state(run, &state))
        return;
    run->curve->held[run->curve->count++] = state.peak_held;
    if (state.peak_held > run->curve_peak) run->curve_peak = state.peak_held;
    tn_target_reset_peak(&run->target);
}

void tn_replay_run_end_pass(struct tn_replay_run *run) {
    struct tn_target_state now = {0};
    if (!run->observed || !tn_replay_run_state(run, &now)) return;
    if (run->curve_peak > now.peak_held) now.peak_held = run->curve_peak;
    run->peak_held = now.peak_held > run->peak_held ? now.peak_held : run->peak_held;
    if (run->round >= TN_PASSES) return;
    struct tn_pass *pass = &run->replay->passes[run->round];
    pass->peak_held_bytes += now.peak_held;
#define ADD(name, text) pass->work.name += now.work.name - run->before.work.name;
    TN_WORK_LIST(ADD)
    if (run->replay->pass_count == run->round) run->replay->pass_count++;
}
