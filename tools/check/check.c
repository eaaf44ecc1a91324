// SPDX-License-Identifier: Apache-2.0
// `tarn check`: runs a program with the memory checker injected, and sums up its findings. This
// process waits for the program, which is its child. One thread.
#include <errno.h>

#include "base/variable.h"
#include "check/report/kinds.h"
#include "check/report/rules.h"
#include "tools/check/check.h"
#include "tools/check/inbox.h"
#include "tools/findings.h"
#include "tools/launch/inject.h"
#include "tools/launch/preload.h"
#include "tools/launch/supervise.h"
#include "tools/result.h"
#include "tools/terminal.h"

struct check {
    struct tn_launch launch;
    char options[8192]; // as in TARN_CHECK_OPTIONS
    const char *kind;   // the kind to explain
    bool preload;
    bool fence;
    bool kernel_races;
    struct tn_findings_options findings;
    struct tn_check_options set; // the parsed options
};

enum { OWN_OPTIONS = 11, OPTIONS = 64 };

static const char doc[] =
    "Runs PROGRAM with the memory checker, which reports wrong accesses, frees, leaks and races. "
    "It sees what Tarn does in the program itself, in libtarn.so and in the faces, and the pools "
    "and blocks that any library annotates by MSTX.\v"
    "The environment variable TARN_CHECK_OPTIONS sets defaults for these options: a list of "
    "key=value, separated by colons, with _ for - in the names. Reports go to standard error. The "
    "last line of each process is its summary.\n"
    "\n"
    "Exit status: that of --exitcode (77) if errors were found in PROGRAM or in a child of it, or "
    "with "
    "--fail-on-warning also warnings; "
    "otherwise " TN_LAUNCH_EXIT_HELP;

// ---- --explain

static void explain_kind(const struct tn_check_kind_text *text) {
    tn_style_print(stdout, TN_STYLE_HEAD, "%s (%s)\n", text->name,
                   tn_check_severity_name(text->severity));
    printf("  %s.\n  Example: %s\n  Cure:    %s.\n", text->meaning, text->example, text->cure);
}

// Prints the explanation of a kind, of "all" kinds, or the "list" of names.
static void explain_kinds(const char *kind) {
    bool list = strcmp(kind, "list") == 0, all = strcmp(kind, "all") == 0;
    unsigned found = tn_check_kind_find(kind);
    if (found < TN_CHECK_KIND_COUNT) explain_kind(&tn_check_kind_texts[found]);
    for (unsigned i = 0; (list || all) && i < TN_CHECK_KIND_COUNT; i++) {
        const struct tn_check_kind_text *text = &tn_check_kind_texts[i];
        if (list)
            printf("%-24s %-6s %s\n", text->name, tn_check_severity_name(text->severity),
                   text->meaning);
        else
            explain_kind(text);
    }
}

// ---- the environment

// A colon in a value is escaped.
static bool add_option(char *options, size_t room, const char *key, const char *value) {
    size_t used = strlen(options);
    int length = snprintf(options + used, room - used, "%s%s=", used == 0 ? "" : ":", key);
    used += (size_t)length;
    for (; *value != '\0' && used + 3 < room; value++) {
        if (*value == ':' || *value == '\\') options[used++] = '\\';
        options[used++] = *value;
    }
    if (*value != '\0' || used + 1 > room) return false;
    options[used] = '\0';
    return true;
}

// The user's variable comes first in the options, and is checked alone, so that it is named.
static bool parse_options(const char *options, struct tn_check_options *set) {
    char error[1024];
    const char *text = tn_variable_text("TARN_CHECK_OPTIONS");
    if (text != NULL && !tn_check_options_parse(text, set, error, sizeof error))
        return tn_complain("environment variable TARN_CHECK_OPTIONS: %s", error);
    struct tn_check_rules rules = {NULL, 0};
    bool good = tn_check_options_parse(options, set, error, sizeof error) &&
                (*set->suppressions == '\0' ||
                 tn_check_rules_read(set->suppressions, &rules, error, sizeof error));
    free(rules.all);
    return good || tn_complain("%s", error);
}

bool tn_check_accepts(const char *options) {
    struct tn_check_options set;
    return parse_options(options, &set);
}

bool tn_check_prepare(const char *options, char library[PATH_MAX]) {
    return tn_inject_find("check", TN_CHECK_LIBRARY, library) &&
           ((setenv("MSTX_INJECTION_PATH", library, 1) == 0 &&
             setenv("TARN_CHECK_OPTIONS", options, 1) == 0) ||
            tn_complain("%s", strerror(errno)));
}

// ---- the command line

// Options by the names that other checkers have for them.
static const struct {
    const char *name, *key;
} names_elsewhere[] = {
    {"error-exitcode", "exitcode"}, {"log-file", "log_path"}, {"num-callers", "stack_depth"}};

static void add_value(struct argp_state *state, const struct tn_arg_option *row, unsigned index,
                      const char *value, void *input) {
    const struct tn_check_option *option = &tn_check_option_list()[index];
    if (!tn_check_option_takes(index, value))
        argp_error(state, "--%s takes %s, not \"%s\"", row->name, option->takes, value);
    if (!add_option((char *)tn_arg_field(row, input), row->bytes, option->key, value))
        argp_error(state, "the options are too long");
}

static void parse_alias(struct argp_state *state, const struct tn_arg_option *row, char *text,
                        void *input) {
    const struct tn_check_option *list = tn_check_option_list();
    unsigned alias = 0, index = 0;
    while (strcmp(names_elsewhere[alias].name, row->name) != 0) alias++;
    while (strcmp(list[index].key, names_elsewhere[alias].key) != 0) index++;
    add_value(state, row, index, text, input);
}

static char names[OPTIONS][32];
static struct tn_arg_option rows[OWN_OPTIONS + OPTIONS + 1] = {
    {"explain", 0, "KIND", "Explain a kind of report; `list` shows all kinds, `all` explains all",
     TN_NAME(struct check, kind)},
    {"preload", 0, NULL,
     "Preload the checker as well, for programs that call its functions by name",
     TN_FLAG(struct check, preload)},
    {"fence", 0, NULL,
     "Give each block of a pool pages of its own between pages that fault, if the device can",
     TN_FLAG(struct check, fence)},
    {"kernel-races", 0, NULL,
     "Report races within kernels that `tarn hipcc` or `tarn nvcc` compiled with --kernel-races",
     TN_FLAG(struct check, kernel_races)},
    TN_FINDINGS_FILES(struct check, findings),
    {"error-exitcode", 0, "N", "The same as --exitcode, as in Valgrind and compute-sanitizer",
     TN_PARSED(struct check, options, parse_alias)},
    {"log-file", 0, "FILE", "The same as --log-path, as in Valgrind and compute-sanitizer",
     TN_PARSED(struct check, options, parse_alias)},
    {"num-callers", 0, "N", "The same as --stack-depth, as in Valgrind",
     TN_PARSED(struct check, options, parse_alias)},
};

// Returns the value of an option that is given without one, or NULL if it needs one. For --json it
// is standard output.
static const char *bare_value(const struct tn_check_option *option) {
    return strcmp(option->takes, "0|1") == 0              ? "1"
           : strcmp(option->key, "json") == 0             ? "-"
           : strcmp(option->key, "gen_suppressions") == 0 ? "all"
                                                          : NULL;
}

static void parse_own(struct argp_state *state, const struct tn_arg_option *row, char *text,
                      void *input) {
    unsigned index = (unsigned)(row - rows) - OWN_OPTIONS;
    const struct tn_check_option *option = &tn_check_option_list()[index];
    add_value(state, row, index, text != NULL ? text : bare_value(option), input);
}

// Adds the checker's own options.
static void fill_table(void) {
    const struct tn_check_option *list = tn_check_option_list();
    for (int i = 0; i < OPTIONS && list[i].key != NULL; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s", list[i].key);
        for (char *at = names[i]; *at != '\0'; at++) *at = *at == '_' ? '-' : *at;
        rows[OWN_OPTIONS + i] = (struct tn_arg_option){.name = names[i],
                                                       .arg = list[i].takes,
                                                       .help = list[i].help,
                                                       .group = 1,
                                                       .is_optional = bare_value(&list[i]) != NULL,
                                                       TN_PARSED(struct check, options, parse_own)};
    }
}

static error_t parse_check(int key, char *text, struct argp_state *state, void *input) {
    (void)text, (void)state;
    bool needs_no_program = key == ARGP_KEY_END && ((const struct check *)input)->kind != NULL;
    return needs_no_program ? 0 : ARGP_ERR_UNKNOWN;
}

// ---- the program

// A program may change its folder before its first report.
static bool fix_suppressions(struct check *check) {
    char path[PATH_MAX];
    const char *given = check->set.suppressions;
    return *given == '\0' || *given == '/' || realpath(given, path) == NULL ||
           add_option(check->options, sizeof check->options, "suppressions", path) ||
           tn_complain("the options are too long");
}

// Findings are made of the reports' JSON, which processes send only if a file is named for it.
static bool ask_for_reports(struct check *check) {
    if (!tn_findings_open(&check->findings, "check", check->launch.command)) return false;
    if (!tn_findings_are_wanted() || *check->set.json_path != '\0') return true;
    (void)snprintf(check->set.json_path, sizeof check->set.json_path, "/dev/null");
    return add_option(check->options, sizeof check->options, "json", "/dev/null") ||
           tn_complain("the options are too long");
}

// The accesses of a kernel are known when it has run, so the devices run work before its call returns. A
// schedule that the user chose stays, and so does that of a seed.
static bool run_promptly(void) {
    char text[1024];
    const char *before = getenv("TARN_HOST");
    if (before == NULL) before = "";
    int length =
        snprintf(text, sizeof text, "schedule=prompt%s%s", *before != '\0' ? "," : "", before);
    return getenv("TARN_SEED") != NULL || strstr(before, "schedule=") != NULL ||
           (size_t)length >= sizeof text || setenv("TARN_HOST", text, 1) == 0;
}

static bool prepare_check(struct check *check) {
    char library[PATH_MAX];
    return parse_options(check->options, &check->set) && fix_suppressions(check) &&
           ask_for_reports(check) &&
           (check->kernel_races || !check->set.misaligned ||
            tn_complain("--misaligned needs --kernel-races")) &&
           tn_launch_prepare(&check->launch) && tn_check_prepare(check->options, library) &&
           (((!check->preload || tn_preload_library(library)) &&
             (!check->fence || setenv("TARN_POOL_FENCE", "1", 1) == 0) &&
             (!check->kernel_races ||
              (setenv("TARN_HIP_KERNEL_RACES", "1", 1) == 0 &&
               setenv("TARN_CUDA_KERNEL_RACES", "1", 1) == 0 && run_promptly())) &&
             setenv("TARN_HIP_BARRIERS", "strict", 0) == 0 &&
             setenv("TARN_CUDA_BARRIERS", "strict", 0) == 0) ||
            tn_launch_refuse()) &&
           tn_check_inbox_open(&check->set);
}

// ---- the results

static void print_lost(const struct tn_check_lost *lost, const char *fate) {
    if (lost->count == 0) return;
    fprintf(stderr, "tarn check: %u process(es) %s:", lost->count, fate);
    for (unsigned i = 0; i < lost->count && i < TN_CHECK_NAMED; i++)
        fprintf(stderr, " %d", lost->pids[i]);
    fprintf(stderr, "%s\n", lost->count > TN_CHECK_NAMED ? " ..." : "");
}

static void print_results(const struct tn_check_results *results) {
    const struct tn_check_counts *counts = &results->counts;
    print_lost(&results->ended, "ended without a summary (by _exit, exec or a signal), so that "
                                "leaks in them are unknown");
    print_lost(&results->running, "have not ended; later reports go to their own standard error");
    if (results->unsent > 0)
        (void)tn_complain("%ju report(s) could not be sent, and are in the standard error of "
                          "their process alone",
                          (uintmax_t)results->unsent);
    if (results->processes > 1 || results->ended.count + results->running.count > 0)
        (void)tn_complain("%u processes: %ju error(s), %ju warning(s), %ju byte(s) leaked in %ju "
                          "region(s), %ju suppressed",
                          results->processes, (uintmax_t)counts->errors,
                          (uintmax_t)counts->warnings, (uintmax_t)counts->leaked_bytes,
                          (uintmax_t)counts->leaked_regions, (uintmax_t)counts->suppressed);
}

// Prints the sums. Returns the exit status.
static int conclude_check(const struct check *check, pid_t child, int status) {
    struct tn_check_results results;
    tn_check_inbox_close(child, &results);
    bool failed = tn_inject_failed(&check->launch, TN_CHECK_LIBRARY, results.processes > 0);
    int code = tn_supervise_conclude(&check->launch, status, failed || results.processes > 0,
                                     "nothing was checked");
    print_results(&results);
    if (results.processes > 0) tn_result_done(); // by the processes
    if (failed || results.failed) return TN_LAUNCH_FAILED;
    if (results.processes > 0 && !tn_findings_write()) return TN_LAUNCH_FAILED;
    bool found = results.counts.errors > 0 ||
                 (check->findings.fail_on_warning && results.counts.warnings > 0);
    return found && check->set.exitcode != 0 ? check->set.exitcode : code;
}

int tn_command_check(int argc, char **argv) {
    static const struct tn_supervisor inbox = {tn_check_inbox_descriptor, tn_check_inbox_take};
    static struct check check;
    pid_t child = 0;
    static const struct tn_command_line line = {{rows, parse_check},
                                                "[--] PROGRAM [ARGUMENT...]\n--explain KIND",
                                                doc,
                                                TN_STARTS(struct check, launch)};
    const char *before = getenv("TARN_CHECK_OPTIONS");
    (void)snprintf(check.options, sizeof check.options / 2, "%s", before == NULL ? "" : before);
    fill_table();
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &check);
    if (check.kind != NULL) {
        explain_kinds(check.kind);
        return TN_EXIT_OK;
    }
    int status = prepare_check(&check) ? tn_supervise(&check.launch, &inbox, &child) : -1;
    return status >= 0 ? conclude_check(&check, child, status) : TN_LAUNCH_FAILED;
}
