// SPDX-License-Identifier: Apache-2.0
// The commands of `tarn` and what they exit with. One thread.
#ifndef TARN_TOOLS_COMMAND_H
#define TARN_TOOLS_COMMAND_H

// The exit codes, as --help documents them.
enum tn_exit {
    TN_EXIT_GOOD = 0,
    TN_EXIT_FAILED = 1,    // the machine, a device or the library failed
    TN_EXIT_BAD_INPUT = 2, // an option, a device name or a trace is wrong
    TN_EXIT_NO_FIT = 3,    // the workload does not fit into the memory
    TN_EXIT_CORRUPT = 4    // damaged data or damaged book-keeping was found
};

#define TN_EXIT_HELP                                                                               \
    "Exit status: 0 good; 1 a device or the machine failed; 2 bad input (an option, a device "     \
    "name, a trace); 3 the workload does not fit; 4 corruption found."

// argv[0] is the name to show ("tarn info"). Each returns an exit code.
int tn_command_channel(int argc, char **argv);
int tn_command_check(int argc, char **argv); // its exit codes are the program's, or env(1)'s
int tn_command_info(int argc, char **argv);
int tn_command_layout(int argc, char **argv);
int tn_command_replay(int argc, char **argv);
// Returns only when the program could not be started; its exit codes are env(1)'s.
int tn_command_run(int argc, char **argv);

#endif
