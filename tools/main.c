// SPDX-License-Identifier: Apache-2.0
// The `tarn` command: selects the command and passes the remaining arguments to it. One thread.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/arguments.h"
#include "tools/command.h"
#include "tools/complete/complete.h"
#include "tools/findings.h"
#include "tools/menu.h"
#include "tools/result.h"
#include "tools/terminal.h"

static struct tn_menu_entry entries[] = {
#define COMMAND(name, summary, document) {"tarn " #name, summary, document, tn_command_##name},
    TN_COMMAND_LIST(COMMAND)};

static const struct tn_menu menu = {
    .entries = entries,
    .count = sizeof entries / sizeof *entries,
    .text = "Tarn: one memory manager for accelerators.",
    .after = "`tarn help COMMAND` explains a command.\n"
             "\n"
             "Device names are like host:0, a software device in this machine's memory, or "
             "sim:0,memory=80G, a device of addresses without bytes. The default is the "
             "environment variable TARN_DEVICE, or else host:0.\n"
             "\n" TN_EXIT_HELP};

// ---- tarn help, tarn complete, tarn version

// Selects a command again by the words at `rest`, with `option` behind them if it is not NULL.
static int run_words(char **rest, int argc, char **argv, char *option) {
    static char command[] = "tarn";
    char **words = (char **)calloc((size_t)argc + 3, sizeof *words);
    if (words == NULL) {
        (void)fprintf(stderr, "%s: out of memory\n", argv[0]);
        return TN_EXIT_NO_MEMORY;
    }
    int count = 0;
    words[count++] = command;
    for (; rest != NULL && *rest != NULL; rest++) words[count++] = *rest;
    if (option != NULL) words[count++] = option;
    tn_arguments_set_document("command.md");
    int exit_code = tn_menu_run(&menu, count, words);
    free((void *)words);
    return exit_code;
}

// `tarn help A B` is `tarn A B --help`.
int tn_command_help(int argc, char **argv) {
    static char option[] = "--help";
    static const struct tn_command_line line = {
        .words = {.takes_rest = true},
        .args_doc = "[COMMAND...]",
        .doc = "Prints the help of COMMAND, as `tarn COMMAND --help` does, or the list of "
               "commands.\v" TN_EXIT_HELP};
    if (tn_complete_has_begun()) return tn_menu_run(&menu, argc, argv);
    char **rest = NULL; // the input of the command line
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &rest);
    return run_words(rest, argc, argv, option);
}

int tn_command_complete(int argc, char **argv) {
    static const struct tn_command_line line = {
        .words = {.takes_rest = true},
        .args_doc = "-- WORD...",
        .doc = "Prints the candidates for the last WORD of a command line that begins with "
               "`tarn`: on each line a candidate, a tabulator and its description.\v"
               "The scripts for bash, zsh and fish call this command. It prints nothing where a "
               "file is due.\n\n" TN_EXIT_HELP};
    char **rest = NULL; // the input of the command line
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &rest);
    tn_complete_begin();
    return rest != NULL ? run_words(rest, argc, argv, NULL) : TN_EXIT_OK;
}

int tn_command_version(int argc, char **argv) {
    static const struct tn_arg_option rows[] = {
        {"json", 0, "FILE", "Print one JSON object, to FILE if it is given", .bytes = sizeof(bool),
         .max = 1, .is_optional = true},
        {0}};
    static const struct tn_command_line line = {
        .options = {rows, NULL},
        .doc = "Prints the version of the command and of its library.\v" TN_EXIT_HELP};
    bool json = false;
    tn_arguments_parse(&line, argc, argv, 0, &json);
    if (json) tn_result_print(json_pack("{ss}", "version", tn_arguments_version()));
    if (tn_result_shows_text()) printf("tarn %s\n", tn_arguments_version());
    return TN_EXIT_OK;
}

// ---- the end

// Called at the end of every command, also by --help and --version, which exit by themselves. A
// successful command whose output was not written has failed.
static void check_output(int exit_code, void *unused) {
    (void)unused;
    bool is_written = tn_result_conclude(exit_code);
    tn_findings_conclude(exit_code);
    errno = 0;
    bool is_lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (is_lost && exit_code == TN_EXIT_OK)
        (void)fprintf(stderr, "tarn: standard output cannot be written: %s\n",
                      errno != 0 ? strerror(errno) : "an earlier write failed");
    if ((is_lost || !is_written) && exit_code == TN_EXIT_OK) _exit(tn_arguments_failed());
}

// JSON is printed completely or not at all. Most functions of the library ignore a value that could
// not be created, so the first allocation that fails ends the command.
static void *allocate_for_json(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) {
        static const char text[] = "tarn: out of memory for JSON\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        exit(tn_arguments_no_memory());
    }
    return memory;
}

// A link of these names is `tarn hipcc` or `tarn nvcc`, for build systems that name a compiler by one
// file. Returns the command with its name for messages, or NULL.
static int (*find_compiler(const char *program, const char **shown))(int, char **) {
    const char *name = basename(program);
    bool is_nvcc = strcmp(name, "tarn-nvcc") == 0 || strcmp(name, "nvcc") == 0;
    bool is_hipcc = strcmp(name, "tarn-hipcc") == 0 || strcmp(name, "tarn-hip++") == 0 ||
                    strcmp(name, "hipcc") == 0;
    *shown = is_nvcc ? "tarn nvcc" : "tarn hipcc";
    return is_nvcc ? tn_command_nvcc : is_hipcc ? tn_command_hipcc : NULL;
}

int main(int argc, char **argv) {
    argp_err_exit_status = TN_EXIT_BAD_INPUT;
    tn_terminal_guard();
    (void)on_exit(check_output, NULL);
    json_set_alloc_funcs(allocate_for_json, free);
    tn_arguments_set_document("command.md");
    const char *shown = NULL;
    int (*compiler)(int, char **) = argc > 0 ? find_compiler(argv[0], &shown) : NULL;
    if (compiler != NULL) {
        argv[0] = (char *)(uintptr_t)shown;
        tn_arguments_set_document(compiler == tn_command_nvcc ? "cuda.md" : "hip.md");
        return compiler(argc, argv);
    }
    return tn_menu_run(&menu, argc, argv);
}
