// SPDX-License-Identifier: Apache-2.0
// The `tarn` command: selects the command and passes the remaining arguments to it. One thread.
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tarn/base.h>

#include "tools/arguments.h"
#include "tools/command.h"

// X(name, "line of the help")
#define COMMAND_LIST(X)                                                                            \
    X(channel, "channel  measure channels between processes, or watch running ones")               \
    X(check, "check    run a program with the memory checker, or explain its reports")             \
    X(convert, "convert  convert a recording into another format")                                 \
    X(diff, "diff     compare the memory of two recordings")                                       \
    X(explain, "explain  explain a recording: who holds memory, and why a request failed")         \
    X(fit, "fit      find the least memory and the cards in which a recording completes")          \
    X(info, "info     show back-ends, devices and the configuration in effect")                    \
    X(layout, "layout   place segments in a block under an allocator's rule")                      \
    X(record, "record   run a program and record its memory")                                      \
    X(replay, "replay   replay recorded allocations and measure their cost")                       \
    X(run, "run      start a program with Tarn in place of a vendor's library")                    \
    X(torture, "torture  let each call of a program fail in turn")                                 \
    X(view, "view     write a page that shows a recording")

struct command {
    char shown[16]; // argv[0] of the command: "tarn NAME"
    int (*run)(int argc, char **argv);
};

static struct command commands[] = {
#define COMMAND(name, text) {"tarn " #name, tn_command_##name},
    COMMAND_LIST(COMMAND)
#undef COMMAND
};

static const char doc[] = "Tarn: one memory manager for accelerators.\n"
                          "\n"
                          "Commands:\n"
#define COMMAND(name, text) "  " text "\n"
    COMMAND_LIST(COMMAND)
#undef COMMAND
        "\n"
        "`tarn COMMAND --help` explains a command.\v"
        "Device names are like host:0, a software device in this machine's memory, or "
        "sim:0,memory=80G, a device of addresses without bytes. The default is the environment "
        "variable TARN_DEVICE, or else host:0.\n"
        "\n" TN_EXIT_HELP;

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    uint32_t version = tarn_version();
    fprintf(stream, "tarn %u.%u.%u\n", version / 1000000, version / 1000 % 1000, version % 1000);
}

static int run_command(struct argp_state *state, const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].shown + strlen("tarn ")) != 0)
            continue;
        int at = state->next - 1; // the command's own name
        state->argv[at] = commands[i].shown;
        state->next = state->argc;
        return commands[i].run(state->argc - at, state->argv + at);
    }
    argp_error(state, "no command is called \"%s\"", name);
    return TN_EXIT_BAD_INPUT;
}

static error_t parse_command(int key, char *argument, struct argp_state *state) {
    int *exit_code = (int *)state->input;
    if (key == ARGP_KEY_ARG) {
        *exit_code = run_command(state, argument);
        return 0;
    }
    if (key == ARGP_KEY_NO_ARGS)
        argp_usage(state);
    return ARGP_ERR_UNKNOWN;
}

// Called at the end of every command, also by --help and --version, which exit by themselves. A
// successful command whose output was not written has failed.
static void check_output(int exit_code, void *unused) {
    (void)unused;
    errno = 0;
    bool is_lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (is_lost && exit_code == TN_EXIT_OK) {
        (void)fprintf(stderr, "tarn: standard output cannot be written: %s\n",
                      errno != 0 ? strerror(errno) : "an earlier write failed");
        _exit(TN_EXIT_FAILED);
    }
}

// JSON is printed completely or not at all. Most functions of the library ignore a value that could
// not be created, so the first allocation that fails ends the command.
static void *allocate_for_json(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) {
        static const char text[] = "tarn: out of memory for JSON\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        exit(TN_EXIT_FAILED);
    }
    return memory;
}

int main(int argc, char **argv) {
    struct argp argp = {.parser = parse_command, .args_doc = "COMMAND [OPTION...]", .doc = doc};
    int exit_code = TN_EXIT_OK;
    argp_program_version_hook = print_version;
    argp_err_exit_status = TN_EXIT_BAD_INPUT;
    (void)on_exit(check_output, NULL);
    json_set_alloc_funcs(allocate_for_json, free);
    tn_arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, &exit_code);
    return exit_code;
}
