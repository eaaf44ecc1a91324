// SPDX-License-Identifier: Apache-2.0
// The commands of `tarn` and their exit codes. One thread.
#ifndef TARN_TOOLS_COMMAND_H
#define TARN_TOOLS_COMMAND_H

// The exit codes, as --help documents them.
enum tn_exit {
    TN_EXIT_OK = 0,
    TN_EXIT_FAILED = 1,    // the system, a device or the library failed
    TN_EXIT_BAD_INPUT = 2, // an option, a device name or a trace is wrong
    TN_EXIT_NO_FIT = 3,    // the workload does not fit into the memory
    TN_EXIT_CORRUPT = 4    // corrupt data or records were found
};

#define TN_EXIT_HELP                                                                               \
    "Exit status: 0 success; 1 system error, or a failure of a device; 2 invalid input (an "       \
    "option, a device name, a trace); 3 the workload does not fit; 4 corruption found."

// argv[0] is "tarn NAME". Each returns an exit code.
int tn_command_channel(int argc, char **argv);
int tn_command_check(int argc, char **argv); // exits like the program, or like env(1)
int tn_command_convert(int argc, char **argv);
int tn_command_diff(int argc, char **argv);
int tn_command_explain(int argc, char **argv);
int tn_command_fit(int argc, char **argv);
int tn_command_info(int argc, char **argv);
int tn_command_layout(int argc, char **argv);
int tn_command_record(int argc, char **argv); // exits like the program, or like env(1)
int tn_command_replay(int argc, char **argv);
int tn_command_torture(int argc, char **argv);
int tn_command_view(int argc, char **argv);
// Returns only if the program cannot be started, with the exit codes of env(1).
int tn_command_run(int argc, char **argv);

#endif
