// SPDX-License-Identifier: Apache-2.0
// `tarn torture`: runs a program once for each call that can fail, with that call failing, and
// reports crashes, hangs, errors of checkers and lost memory. One thread.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "tools/launch/absence.h"
#include "tools/progress.h"
#include "tools/result.h"
#include "tools/terminal.h"
#include "tools/torture/torture.h"

static const char doc[] =
    "Runs PROGRAM once to count the calls that it makes to devices and to vendors' APIs, and then "
    "once for each of these calls with that call failing. Reports crashes, hangs, errors that the "
    "memory checker or a sanitizer finds, and memory that is not given back.\v"
    "PROGRAM must be deterministic, end by itself, and read nothing from standard input. A failure "
    "that PROGRAM survives with the same status and output as without it is shown as unnoticed, "
    "which is a warning and no finding.\n"
    "\n"
    "Exit status: 0 no finding; 77 (--error-exitcode) findings, or errors of PROGRAM without a "
    "failure; if PROGRAM "
    "fails without a "
    "failure, " TN_LAUNCH_EXIT_HELP;

static void parse_quirks(struct argp_state *state, const struct tn_arg_option *option, char *text,
                         void *input) {
    *(const char **)tn_arg_field(option, input) = text;
    for (const char *at = text; strcmp(text, "all") != 0 && *at != '\0';) {
        size_t length = strcspn(at, ",");
        tn_launch_check_quirk(at, length, state);
        at += length + (at[length] == ',');
    }
}

static const struct tn_arg_option rows[] = {
    {"jobs", 'j', "N", "Run N programs at a time; default: the number of CPUs",
     TN_NUMBER(struct tn_torture, runs.jobs, 1, UINT32_MAX)},
    {"time-limit", 't', "SECONDS",
     "Stop a run after this time; default: 10 s and ten times the time without injected failures",
     TN_SECONDS(struct tn_torture, runs.limit)},
    {"only", 0, "PATTERN",
     "Fail only calls whose name matches, such as map or 'hipMem*'; none for --quirks alone",
     TN_STRING(struct tn_torture, only)},
    {"quirks", 0, "all|NAMES",
     "Run also once for each of these quirks, separated by commas; tarn info --quirks lists them",
     TN_PARSED(struct tn_torture, quirks, parse_quirks)},
    {"pairs", 0, NULL, "Let two calls fail in each run", TN_FLAG(struct tn_torture, pairs)},
    {"sample", 0, "N", "Run only N of the cases, chosen by --seed",
     TN_NUMBER(struct tn_torture, sample, 1, UINT64_MAX)},
    {"seed", 0, "N", "Choose another sample; default 1",
     TN_NUMBER(struct tn_torture, seed, 0, UINT64_MAX)},
    {"resume", 0, "FILE", "Write each result to FILE, and skip the cases that it has already",
     TN_STRING(struct tn_torture, resume)},
    TN_JSON_OPTION(struct tn_torture, "Print one JSON object, to FILE if it is given"),
    TN_FINDINGS_OPTIONS(struct tn_torture, reporting),
    {"no-check", 0, NULL, "Run PROGRAM without the memory checker",
     TN_NO_FLAG(struct tn_torture, runs.check)},
    {0},
};

static error_t parse_torture(int key, char *text, struct argp_state *state, void *input) {
    (void)text;
    if (key == ARGP_KEY_END && ((const struct tn_torture *)input)->launch.fail[0] != '\0')
        argp_error(state, "--fail: this command chooses the calls itself");
    return ARGP_ERR_UNKNOWN;
}

// ---- the command

static FILE *journal;

static bool finish_case(struct tn_torture *torture, struct tn_torture_case *one) {
    tn_progress_step(1);
    return journal == NULL || tn_torture_append(journal, torture, one);
}

// Findings are differences from the run without an injected failure, which must succeed. Returns 0,
// or the exit status of the command.
static int check_base(const struct tn_torture *torture) {
    int code = tn_runs_check_base(&torture->runs, "fails without an injected failure");
    bool nothing = torture->name_count == 0;
    if (nothing && code != TN_LAUNCH_FAILED && !torture->runs.base.timed_out)
        tn_absence_explain(&torture->launch, "no call can be made to fail");
    return nothing && code == 0 ? TN_LAUNCH_NOTHING : code;
}

// A device or a pipe cannot be read again.
static bool open_journal(struct tn_torture *torture) {
    struct stat status;
    int file;
    if (torture->resume == NULL) return true;
    int failure =
        tn_named_file_open(torture->resume, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK, &file);
    bool is_regular = failure == 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    journal = is_regular ? fdopen(file, "a+") : NULL;
    if (journal == NULL) {
        (void)tn_complain("--resume %s: %s", tn_shown(torture->resume),
                          failure != 0  ? tn_named_file_error(failure)
                          : !is_regular ? "it is no regular file"
                                        : strerror(errno));
        if (failure == 0) (void)close(file);
    }
    return journal != NULL;
}

static int torture_program(struct tn_torture *torture) {
    if (!open_journal(torture)) return TN_LAUNCH_FAILED;
    tn_progress_phase("run without an injected failure", 0.05, 0);
    bool counted = tn_torture_count(torture);
    tn_progress_hide();
    if (!counted) return TN_LAUNCH_FAILED;
    int code = check_base(torture);
    if (code != 0) return code;
    if (!tn_torture_check_only(torture) || !tn_torture_plan(torture) ||
        (journal != NULL && !tn_torture_resume(torture, journal)))
        return TN_LAUNCH_FAILED;
    tn_progress_phase("torture", 1, torture->case_count);
    for (size_t i = 0; i < torture->case_count; i++)
        tn_progress_step(torture->cases[i].done); // by an earlier run
    bool good = tn_torture_run(torture);
    tn_progress_hide();
    if (!good) return TN_LAUNCH_FAILED;
    if (torture->json) tn_torture_print_json(torture);
    if (tn_result_shows_text()) tn_torture_print(torture);
    // A program with errors of its own is not clean, whatever its other runs show.
    bool clean = tn_torture_findings(torture) == 0 && torture->runs.base.reports.count == 0;
    return tn_run_conclude(&torture->reporting, !clean, tn_torture_report(torture) > 0);
}

static void free_torture(struct tn_torture *torture) {
    for (size_t i = 0; i < torture->case_count; i++) free(torture->cases[i].outcome.text);
    free(torture->runs.base.text);
    tn_run_reports_free(&torture->runs.base);
    free(torture->cases);
    free(torture->names);
    if (journal != NULL) (void)fclose(journal);
    tn_runs_close(&torture->runs);
}

int tn_command_torture(int argc, char **argv) {
    static struct tn_torture torture;
    static const struct tn_command_line line = {{rows, parse_torture},
                                                "[--] PROGRAM [ARGUMENT...]",
                                                doc,
                                                TN_STARTS(struct tn_torture, launch)};
    tn_runs_begin(&torture.runs);
    torture.runs.check = true;
    torture.seed = 1;
    torture.reporting.exitcode = TN_RUNS_FINDINGS;
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &torture);
    if (!tn_findings_open(&torture.reporting, "torture", torture.launch.command) ||
        !tn_runs_open(&torture.runs, &torture.launch, "torture"))
        return TN_LAUNCH_FAILED;
    torture.finished = finish_case;
    int exit_code = torture_program(&torture);
    free_torture(&torture);
    return exit_code;
}
