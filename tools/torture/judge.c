// SPDX-License-Identifier: Apache-2.0
// Decides the class of a run of `tarn torture`. One thread.
#include <sys/wait.h>

#include "tools/torture/torture.h"

const struct tn_torture_class_text tn_torture_class_texts[TN_TORTURE_CLASS_COUNT] = {
#define CLASS(name, finding, text) {#name, finding, text},
    TN_TORTURE_CLASSES(CLASS)};

static void describe_outcome(struct tn_run_outcome *outcome) {
    char *detail = outcome->detail;
    size_t room = sizeof outcome->detail;
    switch (outcome->class) {
    case TN_TORTURE_crash: tn_run_describe_signal(outcome); break;
    case TN_TORTURE_hang:
        (void)snprintf(detail, room, "killed after %.1f s", outcome->seconds);
        break;
    case TN_TORTURE_leak: (void)snprintf(detail, room, "%s", outcome->leak); break;
    case TN_TORTURE_checker:
    case TN_TORTURE_sanitizer: break; // that of the first report
    default: (void)snprintf(detail, room, "status %d", WEXITSTATUS(outcome->status)); break;
    }
}

void tn_torture_judge(const struct tn_run_outcome *base, struct tn_run_outcome *outcome) {
    bool same = outcome->status == base->status;
    bool leaks = outcome->leaks > base->leaks || outcome->leaked_bytes > base->leaked_bytes;
    outcome->class = outcome->timed_out                ? TN_TORTURE_hang
                     : outcome->sanitizer              ? TN_TORTURE_sanitizer
                     : WIFSIGNALED(outcome->status)    ? TN_TORTURE_crash
                     : outcome->errors > base->errors  ? TN_TORTURE_checker
                     : leaks                           ? TN_TORTURE_leak
                     : !outcome->fired                 ? TN_TORTURE_unreached
                     : !same                           ? TN_TORTURE_reported
                     : outcome->output != base->output ? TN_TORTURE_handled
                                                       : TN_TORTURE_unnoticed;
    describe_outcome(outcome);
    if (outcome->class == TN_TORTURE_crash) tn_run_name_stack(outcome);
    if (!tn_torture_class_texts[outcome->class].finding) {
        free(outcome->text);
        outcome->text = NULL;
    }
}
