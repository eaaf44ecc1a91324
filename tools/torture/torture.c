// SPDX-License-Identifier: Apache-2.0
// `tarn torture`: runs a program once for each call that can fail, with that call failing, and
// reports crashes, hangs, errors of checkers and lost memory. One thread.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/named_file.h"
#include "tools/arguments.h"
#include "tools/check/check.h"
#include "tools/command.h"
#include "tools/launch/absence.h"
#include "tools/launch/inject.h"
#include "tools/launch/messages.h"
#include "tools/progress.h"
#include "tools/result.h"
#include "tools/shown.h"
#include "tools/torture/torture.h"
#include "tools/value.h"

enum {
    OPTION_PAIRS = 0x200,
    OPTION_ONLY,
    OPTION_QUIRKS,
    OPTION_SAMPLE,
    OPTION_SEED,
    OPTION_RESUME,
    OPTION_JSON,
    OPTION_NO_CHECK
};
enum { FINDINGS = 77 }; // the exit status, as that of tarn check

static const char doc[] =
    "Runs PROGRAM once to count the calls that it makes to devices and to vendors' APIs, and then "
    "once for each of these calls with that call failing. Reports crashes, hangs, errors that the "
    "memory checker or a sanitizer finds, and memory that is not given back.\v"
    "PROGRAM must be deterministic, end by itself, and read nothing from standard input. A fault "
    "that PROGRAM survives with the same status and output as without it is shown as unnoticed, "
    "which is no finding.\n"
    "\n"
    "Exit status: 0 no finding; 77 findings; if PROGRAM fails without a "
    "fault, " TN_LAUNCH_EXIT_HELP;

static const struct argp_option table[] = {
    {"jobs", 'j', "N", 0, "Run N programs at a time; default: the number of CPUs", 0},
    {"time-limit", 't', "SECONDS", 0,
     "Stop a run after this time; default: 10 s and ten times the time without faults", 0},
    {"only", OPTION_ONLY, "PATTERN", 0,
     "Fail only calls whose name matches, such as map or 'hipMem*'", 0},
    {"quirks", OPTION_QUIRKS, "all|NAMES", 0,
     "Run also once for each of these quirks, separated by commas; tarn info --quirks lists them",
     0},
    {"pairs", OPTION_PAIRS, NULL, 0, "Let two calls fail in each run", 0},
    {"sample", OPTION_SAMPLE, "N", 0, "Run only N of the cases, chosen by --seed", 0},
    {"seed", OPTION_SEED, "N", 0, "Choose another sample; default 1", 0},
    {"resume", OPTION_RESUME, "FILE", 0,
     "Write each result to FILE, and skip the cases that it has already", 0},
    TN_RESULT_OPTION(OPTION_JSON, "Print one JSON object, to FILE if it is given"),
    {"no-check", OPTION_NO_CHECK, NULL, 0, "Run PROGRAM without the memory checker", 0},
    {0},
};

static error_t parse_torture(int key, char *text, struct argp_state *state) {
    struct tn_torture *torture = (struct tn_torture *)state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &torture->launch; return 0;
    case 'j':
        torture->jobs = (unsigned)tn_value_number(state, "--jobs", text, 1, UINT32_MAX);
        return 0;
    case 't': torture->limit = tn_value_seconds(state, "--time-limit", text); return 0;
    case OPTION_PAIRS: torture->pairs = true; return 0;
    case OPTION_ONLY: torture->only = text; return 0;
    case OPTION_QUIRKS:
        torture->quirks = text;
        for (const char *at = text; strcmp(text, "all") != 0 && *at != '\0';) {
            size_t length = strcspn(at, ",");
            tn_launch_check_quirk(at, length, state);
            at += length + (at[length] == ',');
        }
        return 0;
    case OPTION_SAMPLE:
        torture->sample = tn_value_number(state, "--sample", text, 1, UINT64_MAX);
        return 0;
    case OPTION_SEED:
        torture->seed = tn_value_number(state, "--seed", text, 0, UINT64_MAX);
        return 0;
    case OPTION_RESUME: torture->resume = text; return 0;
    case OPTION_JSON: torture->json = true; return 0;
    case OPTION_NO_CHECK: torture->check = false; return 0;
    case ARGP_KEY_END:
        if (torture->launch.fail.text[0] != '\0')
            argp_error(state, "--fail: this command chooses the calls itself");
        break;
    default: break;
    }
    return tn_launch_parse_program(&torture->launch, key, state) ? 0 : ARGP_ERR_UNKNOWN;
}

// ---- temporary files

static bool make_folder(struct tn_torture *torture) {
    const char *parent = getenv("TMPDIR");
    (void)snprintf(torture->folder, sizeof torture->folder, "%.400s/tarn-torture-XXXXXX",
                   parent == NULL || *parent != '/' ? "/tmp" : parent);
    if (mkdtemp(torture->folder) != NULL) return true;
    fprintf(stderr, "tarn torture: %s: %s\n", torture->folder, strerror(errno));
    return false;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

// ---- the command

static FILE *journal;

static bool finish_case(struct tn_torture *torture, struct tn_torture_case *one) {
    tn_progress_step(1);
    return journal == NULL || tn_torture_append(journal, torture, one);
}

// Findings are differences from the run without a fault, which must succeed. Returns 0, or the exit
// status of the command.
static int check_base(const struct tn_torture *torture) {
    const struct tn_torture_outcome *base = &torture->base;
    const char *program = *torture->launch.command;
    if (tn_inject_failed(&torture->launch, "tarn torture", TN_CHECK_LIBRARY, true))
        return TN_LAUNCH_FAILED;
    bool exited = WIFEXITED(base->status);
    int code = exited ? WEXITSTATUS(base->status) : 128 + WTERMSIG(base->status);
    if (base->timed_out)
        fprintf(stderr, "tarn torture: %s did not end within %.0f s without a fault\n", program,
                torture->limit);
    else if (code != 0 || base->sanitizer)
        fprintf(stderr, "tarn torture: %s fails without a fault: %s %d\n%s", program,
                exited ? "status" : "signal", exited ? code : code - 128,
                base->text != NULL ? base->text : "");
    bool nothing = torture->name_count == 0;
    if (nothing && !base->timed_out)
        tn_absence_explain(&torture->launch, "tarn torture", "no call can be made to fail");
    return code != 0 ? code : base->sanitizer ? FINDINGS : nothing ? TN_LAUNCH_NOTHING : 0;
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
        fprintf(stderr, "tarn torture: --resume %s: %s\n", tn_shown(torture->resume),
                failure != 0  ? tn_named_file_error(failure)
                : !is_regular ? "it is no regular file"
                              : strerror(errno));
        if (failure == 0) (void)close(file);
    }
    return journal != NULL;
}

static int torture_program(struct tn_torture *torture) {
    if (!open_journal(torture)) return TN_LAUNCH_FAILED;
    tn_progress_phase("run without a fault", 0.05, 0);
    bool counted = tn_torture_count(torture);
    tn_progress_hide();
    if (!counted) return TN_LAUNCH_FAILED;
    int code = check_base(torture);
    if (code != 0) return code;
    if (!tn_torture_plan(torture) || (journal != NULL && !tn_torture_resume(torture, journal)))
        return TN_LAUNCH_FAILED;
    tn_progress_phase("torture", 1, torture->case_count);
    for (size_t i = 0; i < torture->case_count; i++)
        tn_progress_step(torture->cases[i].done); // by an earlier run
    bool good = tn_torture_run(torture, finish_case);
    tn_progress_hide();
    if (!good) return TN_LAUNCH_FAILED;
    if (torture->json) tn_torture_print_json(torture);
    if (tn_result_shows_text()) tn_torture_print(torture);
    return tn_torture_findings(torture) > 0 ? FINDINGS : TN_EXIT_OK;
}

static void free_torture(struct tn_torture *torture) {
    for (size_t i = 0; i < torture->case_count; i++)
        free(torture->cases[i].outcome.text);
    free(torture->base.text);
    free(torture->cases);
    free(torture->names);
    if (journal != NULL) (void)fclose(journal);
    (void)nftw(torture->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// The checker's findings must not change the program's exit status.
static bool prepare_check(const struct tn_torture *torture) {
    char library[PATH_MAX], options[8192];
    const char *before = getenv("TARN_CHECK_OPTIONS");
    (void)snprintf(options, sizeof options, "%s%sexitcode=0", before != NULL ? before : "",
                   before != NULL && *before != '\0' ? ":" : "");
    return !torture->check || (tn_check_accepts("tarn torture", options) &&
                               tn_check_prepare("tarn torture", options, library));
}

int tn_command_torture(int argc, char **argv) {
    static struct tn_torture torture;
    struct argp_child children[] = {{&tn_launch_argp, 0, "A face, as for `tarn run`:", 2}, {0}};
    struct argp argp = {.options = table,
                        .parser = parse_torture,
                        .args_doc = "[--] PROGRAM [ARGUMENT...]",
                        .doc = doc,
                        .children = children};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    torture.jobs = cpus > 0 ? (unsigned)cpus : 1;
    torture.check = true;
    torture.seed = 1;
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, &torture);
    if (!tn_launch_prepare(&torture.launch, "tarn torture") || !prepare_check(&torture) ||
        !tn_messages_open("tarn torture") || !make_folder(&torture))
        return TN_LAUNCH_FAILED;
    tn_torture_catch_signals();
    int exit_code = torture_program(&torture);
    free_torture(&torture);
    tn_torture_pass_signal();
    return exit_code;
}
