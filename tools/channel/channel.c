// SPDX-License-Identifier: Apache-2.0
// `tarn channel`: selects one of its commands. One thread.
#include <argp.h>
#include <string.h>

#include "tools/arguments.h"
#include "tools/channel/channel.h"
#include "tools/command.h"

static char bench_name[] = "tarn channel bench";
static char top_name[] = "tarn channel top";

static const char doc[] = "Parcels handed from one process to another without a copy.\n"
                          "\n"
                          "Commands:\n"
                          "  bench    stream messages to a child process and measure the cost\n"
                          "  top      show the arenas and channels of running processes\n"
                          "\n"
                          "`tarn channel COMMAND --help` describes the options.\v" TN_EXIT_HELP;

static error_t parse_command(int key, char *argument, struct argp_state *state) {
    int *exit_code = (int *)state->input;
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "the command is missing: bench or top");
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    bool bench = strcmp(argument, "bench") == 0;
    if (!bench && strcmp(argument, "top") != 0)
        argp_error(state, "the command \"%s\" does not exist", argument);
    int at = state->next - 1;
    state->argv[at] = bench ? bench_name : top_name;
    state->next = state->argc;
    *exit_code = (bench ? tn_channel_bench : tn_channel_top)(state->argc - at, state->argv + at);
    return 0;
}

int tn_command_channel(int argc, char **argv) {
    struct argp argp = {.parser = parse_command, .args_doc = "COMMAND [OPTION...]", .doc = doc};
    int exit_code = TN_EXIT_OK;
    tn_arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, &exit_code);
    return exit_code;
}
