// SPDX-License-Identifier: Apache-2.0
// `tarn explore`: runs a program under many seeds, each of which decides everything that the device
// may decide, and reports crashes, failures, hangs and other output. One thread.
#include <inttypes.h>
#include <unistd.h>

#include "tools/explore/explore.h"
#include "tools/launch/absence.h"
#include "tools/launch/messages.h"
#include "tools/progress.h"
#include "tools/result.h"

enum { SEEDS = 100 }; // the default of -n

static const char doc[] =
    "Runs PROGRAM many times, each time under one seed. The seed decides everything that the "
    "software device may decide: which of several pieces of work runs first, and when copies, host "
    "functions and events end. Reports each seed under which PROGRAM crashes, hangs or fails.\v"
    "The first run is in the plain order, the one in which PROGRAM submits its work. PROGRAM must "
    "end by itself, read nothing from standard input, and succeed in that order. The same seed "
    "gives the same run, unless threads of PROGRAM call Tarn at the same time without --threads.\n"
    "\n"
    "Exit status: 0 no finding; 77 (--error-exitcode) findings, or errors of the checker in the "
    "plain order; if "
    "PROGRAM fails in the plain order, " TN_LAUNCH_EXIT_HELP;

static const struct tn_arg_option rows[] = {
    {"repeat", 'n', "N", "Run PROGRAM under N seeds; default 100, or 1 with --seed",
     TN_NUMBER(struct tn_explore, number, 1, UINT32_MAX)},
    {"seed", 0, "N", "Begin with seed N; default 1",
     TN_NUMBER(struct tn_explore, first, 0, (uint64_t)1 << 62)},
    {"minimise", 'm', NULL, "Find the few decisions that matter for each finding",
     TN_FLAG(struct tn_explore, minimise)},
    {"check", 0, NULL, "Run PROGRAM with the memory checker",
     TN_FLAG(struct tn_explore, runs.check)},
    {"faults", 0, NULL, "Let the seed decide which calls fail, too",
     TN_FLAG(struct tn_explore, faults)},
    {"threads", 0, NULL, "Let threads of PROGRAM call Tarn one after another, as the seed decides",
     TN_FLAG(struct tn_explore, threads)},
    {"same-output", 0, NULL, "Report a run that prints something else than the plain order does",
     TN_FLAG(struct tn_explore, same_output)},
    TN_FINDINGS_OPTIONS(struct tn_explore, reporting),
    {"jobs", 'j', "N", "Run N programs at a time; default: the number of CPUs",
     TN_NUMBER(struct tn_explore, runs.jobs, 1, UINT32_MAX)},
    {"time-limit", 't', "SECONDS",
     "Stop a run after this time; default: 10 s and ten times the time of the plain order",
     TN_SECONDS(struct tn_explore, runs.limit)},
    TN_JSON_OPTION(struct tn_explore, "Print one JSON object, to FILE if it is given"),
    {0},
};

// The plain order must succeed. Returns 0, or the exit status of the command.
static int check_plain(const struct tn_explore *explore) {
    const struct tn_run_outcome *base = &explore->runs.base;
    int code = tn_runs_check_base(&explore->runs, "fails in the plain order");
    if (code == TN_LAUNCH_FAILED || base->status != 0) return code;
    bool loaded = tn_messages()->loaded;
    bool nothing = explore->decided == 0 && !(loaded && (explore->threads || explore->faults));
    if (nothing && !loaded)
        tn_absence_explain(&explore->launch, "nothing was explored");
    else if (nothing)
        (void)tn_complain("%s submits no work to a software device whose schedule a seed may "
                          "decide: nothing was explored",
                          *explore->launch.command);
    if (base->reports.count > 0)
        (void)tn_complain("in the plain order, too, the memory checker reports %ju error(s), which "
                          "`tarn check` shows: %s",
                          (uintmax_t)base->reports.count, base->reports.list[0].what);
    return nothing && code == 0 ? TN_LAUNCH_NOTHING : code;
}

static bool minimise_all(struct tn_explore *explore) {
    tn_progress_phase("minimise", 1, explore->finding_count);
    for (size_t i = 0; i < explore->finding_count; i++) {
        if (!tn_explore_minimise(explore, &explore->findings[i])) return false;
        tn_progress_step(1);
    }
    return true;
}

static void report_findings(const struct tn_explore *explore) {
    tn_run_add_base_findings(&explore->runs.base, "in the plain order");
    for (size_t i = 0; i < explore->finding_count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "seed %" PRIu64, explore->findings[i].seed);
        tn_run_add_finding(&explore->findings[i].outcome, name, false);
    }
}

static int explore_program(struct tn_explore *explore) {
    tn_progress_phase("plain order", 0.05, 0);
    bool good = tn_explore_plain(explore);
    tn_progress_hide();
    if (!good) return TN_LAUNCH_FAILED;
    int code = check_plain(explore);
    if (code != 0) return code;
    tn_progress_phase("explore", explore->minimise ? 0.5 : 1, explore->number);
    good = tn_explore_seeds(explore) && (!explore->minimise || minimise_all(explore));
    tn_progress_hide();
    if (!good) return TN_LAUNCH_FAILED;
    for (size_t i = 0; i < explore->finding_count; i++) {
        struct tn_run_outcome *outcome = &explore->findings[i].outcome;
        bool thrown = outcome->class == TN_RUN_exception;
        if (thrown || outcome->class == TN_RUN_crash) tn_run_name_stack(outcome);
        if (thrown) tn_run_show_thrower(outcome);
    }
    report_findings(explore);
    if (explore->json) tn_explore_print_json(explore);
    if (tn_result_shows_text()) tn_explore_print(explore);
    // Errors and lost memory of the plain order are no success, whatever the seeds show.
    bool clean = explore->finding_count == 0 && explore->runs.base.reports.count == 0;
    return tn_run_conclude(&explore->reporting, !clean, explore->runs.base.warnings.count > 0);
}

static void free_explore(struct tn_explore *explore) {
    for (size_t i = 0; i < explore->finding_count; i++) {
        free(explore->findings[i].outcome.text);
        tn_explore_log_free(&explore->findings[i].log);
    }
    free(explore->runs.base.text);
    tn_run_reports_free(&explore->runs.base);
    free(explore->findings);
    tn_runs_close(&explore->runs);
}

int tn_command_explore(int argc, char **argv) {
    static struct tn_explore explore;
    static const struct tn_command_line line = {
        {rows, NULL}, "[--] PROGRAM [ARGUMENT...]", doc, TN_STARTS(struct tn_explore, launch)};
    tn_runs_begin(&explore.runs);
    explore.first = UINT64_MAX;
    explore.reporting.exitcode = TN_RUNS_FINDINGS;
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &explore);
    if (explore.number == 0) explore.number = explore.first != UINT64_MAX ? 1 : SEEDS;
    if (explore.first == UINT64_MAX) explore.first = 1;
    if (!tn_findings_open(&explore.reporting, "explore", explore.launch.command) ||
        !tn_runs_open(&explore.runs, &explore.launch, "explore"))
        return TN_LAUNCH_FAILED;
    int exit_code = explore_program(&explore);
    free_explore(&explore);
    return exit_code;
}
