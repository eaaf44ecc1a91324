// SPDX-License-Identifier: Apache-2.0
// The runs of `tarn torture`: the first one counts the calls, each further one is a case. One thread.
#include "tools/torture/torture.h"

// ---- the first run

static bool prepare_base(const void *context, size_t item, const char *folder) {
    (void)context, (void)item, (void)folder;
    return setenv("TARN_FAIL", "", 1) == 0;
}

static bool finish_base(void *context, size_t item, const char *folder,
                        struct tn_run_outcome *outcome) {
    struct tn_torture *torture = (struct tn_torture *)context;
    char tally[TN_RUN_PATH];
    (void)item;
    torture->runs.base = *outcome;
    (void)snprintf(tally, sizeof tally, "%s/tally", folder);
    if (!tn_torture_read_names(torture, tally))
        return tn_complain("the calls of the program cannot be read");
    return true;
}

bool tn_torture_count(struct tn_torture *torture) {
    static const struct tn_run_step step = {prepare_base, finish_base, NULL};
    return tn_runs_base(&torture->runs, &step, torture);
}

// ---- the cases

static bool is_done(const void *context, size_t item) {
    return ((const struct tn_torture *)context)->cases[item].done;
}

// Sets the failure of a case. A quirk is added to those that --quirk asks for.
static bool prepare_case(const void *context, size_t item, const char *folder) {
    const struct tn_torture *torture = (const struct tn_torture *)context;
    char quirks[1024];
    const char *spec = torture->cases[item].spec, *quirk = tn_torture_quirk(spec);
    const char *before = getenv("TARN_QUIRK");
    (void)folder;
    if (quirk == NULL) return setenv("TARN_FAIL", spec, 1) == 0;
    bool alone = before == NULL || *before == '\0';
    int length =
        snprintf(quirks, sizeof quirks, "%s%s%s", alone ? "" : before, alone ? "" : ";", quirk);
    return length < (int)sizeof quirks && setenv("TARN_QUIRK", quirks, 1) == 0 &&
           setenv("TARN_FAIL", "", 1) == 0;
}

static bool finish_case(void *context, size_t item, const char *folder,
                        struct tn_run_outcome *outcome) {
    struct tn_torture *torture = (struct tn_torture *)context;
    struct tn_torture_case *one = &torture->cases[item];
    (void)folder;
    one->outcome = *outcome;
    one->outcome.fired |= tn_torture_quirk(one->spec) != NULL;
    tn_torture_judge(&torture->runs.base, &one->outcome);
    one->done = true;
    return torture->finished(torture, one);
}

bool tn_torture_run(struct tn_torture *torture) {
    static const struct tn_run_step step = {prepare_case, finish_case, is_done};
    return tn_runs_all(&torture->runs, &step, torture, torture->case_count);
}

void tn_torture_print_again(const struct tn_torture *torture, const struct tn_torture_case *one) {
    const char *quirk = tn_torture_quirk(one->spec);
    tn_run_print_again(&torture->launch, torture->runs.check ? "check" : "run");
    tn_run_print_option(quirk != NULL ? "--quirk" : "--fail", quirk != NULL ? quirk : one->spec);
    tn_run_print_program(&torture->launch);
}
