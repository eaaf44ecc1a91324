// SPDX-License-Identifier: Apache-2.0
// `tarn check`: runs a program with the memory checker injected, and sums up its findings. This
// process waits for the program, which is its child. One thread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/options.h"
#include "tools/arguments.h"
#include "tools/check/check.h"
#include "tools/check/inbox.h"
#include "tools/choice.h"
#include "tools/command.h"
#include "tools/launch/inject.h"
#include "tools/launch/launch.h"
#include "tools/launch/supervise.h"
#include "tools/result.h"

struct check {
    struct tn_launch launch;
    char options[8192]; // as in TARN_CHECK_OPTIONS
    const char *kind;   // the kind to explain
    bool preload;
    bool fence;
    struct tn_check_options set; // the parsed options
};

enum { OPTION_EXPLAIN = 0x200, OPTION_PRELOAD, OPTION_FENCE, OPTION_CHECKER = 0x300 };
enum { OWN_OPTIONS = 3, OPTIONS = 64 };

static const char doc[] =
    "Runs PROGRAM with the memory checker, which reports wrong accesses, frees, leaks and races. "
    "It "
    "sees what Tarn does in the program itself, in libtarn.so and in the faces, and the pools and "
    "blocks that any library annotates by MSTX.\v"
    "The environment variable TARN_CHECK_OPTIONS sets defaults for these options: a list of "
    "key=value, separated by colons, with _ for - in the names. Reports go to standard error. The "
    "last line of each process is its summary.\n"
    "\n"
    "Exit status: that of --exitcode (77) if errors were found in PROGRAM or in a child of it; "
    "otherwise " TN_LAUNCH_EXIT_HELP;

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

static bool parse_options(const char *command, const char *options, struct tn_check_options *set) {
    char error[1024];
    if (tn_check_options_parse(options, set, error, sizeof error)) return true;
    fprintf(stderr, "%s: %s\n", command, error);
    return false;
}

bool tn_check_accepts(const char *command, const char *options) {
    struct tn_check_options set;
    return parse_options(command, options, &set);
}

bool tn_check_prepare(const char *command, const char *options, char library[PATH_MAX]) {
    if (!tn_inject_find(command, "check", TN_CHECK_LIBRARY, library)) return false;
    if (setenv("MSTX_INJECTION_PATH", library, 1) == 0 &&
        setenv("TARN_CHECK_OPTIONS", options, 1) == 0)
        return true;
    fprintf(stderr, "%s: %s\n", command, strerror(errno));
    return false;
}

// ---- the command line

static char names[OPTIONS][32];
static struct argp_option table[OWN_OPTIONS + OPTIONS + 1] = {
    {"explain", OPTION_EXPLAIN, "KIND", 0,
     "Explain a kind of report; `list` shows all kinds, `all` explains all", 0},
    {"preload", OPTION_PRELOAD, NULL, 0,
     "Preload the checker as well, for programs that call its functions by name", 0},
    {"fence", OPTION_FENCE, NULL, 0,
     "Give each block of a pool pages of its own between pages that fault, if the device can", 0},
};

// Returns the value of an option that is given without one, or NULL if it needs one. For --json it
// is standard output.
static const char *bare_value(const struct tn_check_option *option) {
    return strcmp(option->takes, "0|1") == 0 ? "1" : strcmp(option->key, "json") == 0 ? "-" : NULL;
}

// Adds the checker's own options.
static void fill_table(void) {
    const struct tn_check_option *list = tn_check_option_list();
    for (int i = 0; i < OPTIONS && list[i].key != NULL; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s", list[i].key);
        for (char *at = names[i]; *at != '\0'; at++)
            *at = *at == '_' ? '-' : *at;
        table[OWN_OPTIONS + i] = (struct argp_option){
            names[i],      OPTION_CHECKER + i,
            list[i].takes, bare_value(&list[i]) != NULL ? OPTION_ARG_OPTIONAL : 0,
            list[i].help,  1};
    }
}

static error_t parse_check(int key, char *text, struct argp_state *state) {
    struct check *check = (struct check *)state->input;
    tn_launch_refuse_dashes(key, text, state);
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &check->launch; return 0;
    case OPTION_EXPLAIN:
        (void)tn_choice_parse(state, "--explain", "KIND", text, strlen(text));
        check->kind = text;
        return 0;
    case OPTION_PRELOAD: check->preload = true; return 0;
    case OPTION_FENCE: check->fence = true; return 0;
    case ARGP_KEY_END:
        if (check->kind != NULL) return 0;
        break;
    default: break;
    }
    if (key >= OPTION_CHECKER && key < OPTION_CHECKER + OPTIONS) {
        const struct tn_check_option *option = &tn_check_option_list()[key - OPTION_CHECKER];
        const char *value = text != NULL ? text : bare_value(option);
        if (!tn_check_option_takes((unsigned)(key - OPTION_CHECKER), value))
            argp_error(state, "--%s takes %s, not \"%s\"", names[key - OPTION_CHECKER],
                       option->takes, value);
        if (!add_option(check->options, sizeof check->options, option->key, value))
            argp_error(state, "the options are too long");
        return 0;
    }
    return tn_launch_parse_program(&check->launch, key, state) ? 0 : ARGP_ERR_UNKNOWN;
}

// ---- the program

static bool prepare_check(struct check *check) {
    char library[PATH_MAX];
    return parse_options("tarn check", check->options, &check->set) &&
           tn_launch_prepare(&check->launch, "tarn check") &&
           tn_check_prepare("tarn check", check->options, library) &&
           (((!check->preload || tn_supervise_preload(library)) &&
             (!check->fence || setenv("TARN_POOL_FENCE", "1", 1) == 0)) ||
            tn_launch_refuse("tarn check")) &&
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
        fprintf(stderr,
                "tarn check: %ju report(s) could not be sent, and are in the standard error of "
                "their process alone\n",
                (uintmax_t)results->unsent);
    if (results->processes > 1 || results->ended.count + results->running.count > 0)
        fprintf(stderr,
                "tarn check: %u processes: %ju error(s), %ju warning(s), %ju byte(s) leaked in %ju "
                "region(s), %ju suppressed\n",
                results->processes, (uintmax_t)counts->errors, (uintmax_t)counts->warnings,
                (uintmax_t)counts->leaked_bytes, (uintmax_t)counts->leaked_regions,
                (uintmax_t)counts->suppressed);
}

// Prints the sums. Returns the exit status.
static int conclude_check(const struct check *check, pid_t child, int status) {
    struct tn_check_results results;
    tn_check_inbox_close(child, &results);
    bool failed =
        tn_inject_failed(&check->launch, "tarn check", TN_CHECK_LIBRARY, results.processes > 0);
    int code = tn_supervise_conclude(&check->launch, "tarn check", status,
                                     failed || results.processes > 0, "nothing was checked");
    print_results(&results);
    if (results.processes > 0) tn_result_done(); // by the processes
    if (failed || results.failed) return TN_LAUNCH_FAILED;
    return results.counts.errors > 0 && check->set.exitcode != 0 ? check->set.exitcode : code;
}

static int run_check(struct check *check) {
    static const struct tn_supervisor inbox = {tn_check_inbox_descriptor, tn_check_inbox_take};
    pid_t child = 0;
    int status =
        prepare_check(check) ? tn_supervise(&check->launch, "tarn check", &inbox, &child) : -1;
    return status >= 0 ? conclude_check(check, child, status) : TN_LAUNCH_FAILED;
}

int tn_command_check(int argc, char **argv) {
    static struct check check;
    struct argp_child children[] = {{&tn_launch_argp, 0, "A face, as for `tarn run`:", 2}, {0}};
    struct argp argp = {.options = table,
                        .parser = parse_check,
                        .args_doc = "[--] PROGRAM [ARGUMENT...]\n--explain KIND",
                        .doc = doc,
                        .children = children};
    const char *before = getenv("TARN_CHECK_OPTIONS");
    (void)snprintf(check.options, sizeof check.options / 2, "%s", before == NULL ? "" : before);
    fill_table();
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, &check);
    if (check.kind == NULL) return run_check(&check);
    tn_check_explain(check.kind);
    return TN_EXIT_OK;
}
