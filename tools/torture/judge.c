// SPDX-License-Identifier: Apache-2.0
// Decides the class of a run of `tarn torture`. One thread.
#include <sys/wait.h>

#include "tools/torture/torture.h"

void tn_torture_judge(const struct tn_run_outcome *base, struct tn_run_outcome *outcome) {
    bool same = outcome->status == base->status, thrown = tn_run_find_exception(outcome);
    bool signaled = WIFSIGNALED(outcome->status);
    tn_run_compare(base, outcome);
    outcome->class = outcome->timed_out                ? TN_RUN_hang
                     : outcome->sanitizer              ? TN_RUN_sanitizer
                     : signaled && !thrown             ? TN_RUN_crash
                     : outcome->errors > 0             ? TN_RUN_checker
                     : thrown                          ? TN_RUN_exception
                     : outcome->leaks > 0              ? TN_RUN_leak
                     : !outcome->fired                 ? TN_RUN_unreached
                     : !same                           ? TN_RUN_reported
                     : outcome->output != base->output ? TN_RUN_handled
                                                       : TN_RUN_unnoticed;
    tn_run_describe(outcome);
    if (outcome->class == TN_RUN_crash || thrown) tn_run_name_stack(outcome);
    if (thrown) tn_run_show_thrower(outcome);
    tn_run_shorten(outcome);
    if (!tn_run_class_texts[outcome->class].finding) {
        free(outcome->text);
        outcome->text = NULL;
    }
}
