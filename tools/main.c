// SPDX-License-Identifier: Apache-2.0
// The `tarn` command: finds out which command is meant and hands over the rest of the line. One
// thread.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/base.h>

#include "command.h"

struct command {
    const char *name;
    char *shown; // as argv[0] of the command
    int (*run)(int argc, char **argv);
};

static char channel_name[] = "tarn channel";
static char check_name[] = "tarn check";
static char info_name[] = "tarn info";
static char layout_name[] = "tarn layout";
static char replay_name[] = "tarn replay";
static char run_name[] = "tarn run";

static const struct command commands[] = {
    {"channel", channel_name, tn_command_channel}, {"check", check_name, tn_command_check},
    {"info", info_name, tn_command_info},          {"layout", layout_name, tn_command_layout},
    {"replay", replay_name, tn_command_replay},    {"run", run_name, tn_command_run},
};

static const char doc[] =
    "Tarn: one memory manager for accelerators.\n"
    "\n"
    "Commands:\n"
    "  channel  parcels between processes: measures them, and looks at running ones\n"
    "  check    runs a program with the memory checker, and tells what a report means\n"
    "  info     backends, devices and the configuration in effect\n"
    "  layout   where segments of a block lie under an allocator's rule, and whether they fit\n"
    "  replay   replays recorded allocations and shows what they cost\n"
    "  run      starts a program with Tarn in the place of a vendor's library\n"
    "\n"
    "`tarn COMMAND --help` tells the rest.\v"
    "Devices have names like host:0, the software device on this machine's memory, or "
    "sim:0,memory=80G, a device of numbers without bytes. The default is the environment's "
    "TARN_DEVICE, else host:0.\n"
    "\n" TN_EXIT_HELP;

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    uint32_t version = tarn_version();
    fprintf(stream, "tarn %u.%u.%u\n", version / 1000000, version / 1000 % 1000, version % 1000);
}

static int run_command(struct argp_state *state, const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) != 0)
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

int main(int argc, char **argv) {
    struct argp argp = {.parser = parse_command, .args_doc = "COMMAND [OPTION...]", .doc = doc};
    int exit_code = TN_EXIT_GOOD;
    argp_program_version_hook = print_version;
    argp_err_exit_status = TN_EXIT_BAD_INPUT;
    error_t error = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &exit_code);
    if (error == 0 && fflush(stdout) != 0)
        error = errno;
    if (error != 0)
        fprintf(stderr, "tarn: %s\n", strerror(error));
    return error != 0 && exit_code == TN_EXIT_GOOD ? TN_EXIT_FAILED : exit_code;
}
