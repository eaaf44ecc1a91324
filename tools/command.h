// SPDX-License-Identifier: Apache-2.0
// The commands of `tarn` and their exit codes. One thread.
#pragma once

#include <tarn/base.h>

// X(name, "summary", "page of docs/"): the help, completion and the manual pages are made from this
// list.
#define TN_COMMAND_LIST(X)                                                                         \
    X(channel, "measure channels between processes, or watch running ones", "channel.md")          \
    X(check, "run a program with the memory checker, or explain its reports", "check.md")          \
    X(complete, "list the candidates for a word, for the completion of shells", "command.md")      \
    X(conform, "ask a vendor's library and Tarn the same questions", "conform.md")                 \
    X(convert, "convert a recording into another format", "recordings.md")                         \
    X(diff, "compare the memory of two recordings", "recordings.md")                               \
    X(explain, "explain a recording: who holds memory, and why a request failed", "recordings.md") \
    X(explore, "run a program under seeds that decide the order of its work", "explore.md")        \
    X(fit, "find the least memory and the cards in which a recording completes", "recordings.md")  \
    X(help, "print the help of a command", "command.md")                                           \
    X(hipcc, "compile HIP programs for the CPU, in place of AMD's hipcc", "hip.md")                \
    X(info, "show back-ends, devices and the configuration in effect", "backends.md")              \
    X(layout, "place segments in a block under an allocator's rule", "pools.md")                   \
    X(nvcc, "compile CUDA programs for the CPU, in place of NVIDIA's nvcc", "cuda.md")             \
    X(plan, "plan where the blocks of a repeating program lie", "pools.md")                        \
    X(record, "run a program and record its memory", "recordings.md")                              \
    X(replay, "replay recorded allocations and measure their cost", "recordings.md")               \
    X(run, "start a program with Tarn in place of a vendor's library", "hip.md")                   \
    X(torture, "let each call of a program fail in turn", "failures.md")                           \
    X(version, "print the version", "command.md")                                                  \
    X(view, "write a page that shows a recording", "recordings.md")

// The exit codes, as --help documents them.
enum tn_exit {
    TN_EXIT_OK = 0,
    TN_EXIT_FAILED = 1,           // the system, a device or the library failed
    TN_EXIT_BAD_INPUT = 2,        // an option, a device name or a trace is wrong
    TN_EXIT_NO_FIT = 3,           // the workload does not fit into the memory
    TN_EXIT_CORRUPT = 4,          // corrupt data or records were found
    TN_EXIT_NO_MEMORY = 5,        // host memory is exhausted, or a limit on it is reached
    TN_EXIT_START_NO_MEMORY = 121 // the same for a command that starts a program
};

#define TN_EXIT_HELP                                                                               \
    "Exit status: 0 success; 1 system error, or a failure of a device; 2 invalid input (an "       \
    "option, a device name, a trace); 3 the workload does not fit; 4 corruption found; 5 host "    \
    "memory, or a limit on it, is exhausted."

// Returns the exit code of a command that ends with `status`, which is `other` unless memory is
// exhausted.
static inline enum tn_exit tn_exit_of(tarn_status status, enum tn_exit other) {
    return status == TARN_NO_HOST_MEMORY ? TN_EXIT_NO_MEMORY : other;
}

// Returns the library's message about a failure with `status`, or what the status says by itself. The next
// call overwrites it.
static inline const char *tn_text_of(tarn_status status) {
    static tarn_error error;
    bool known = tarn_last_error(&error) == status && error.message[0] != '\0';
    return known ? error.message : tarn_status_text(status);
}

// Prints "tarn COMMAND: " and the text to standard error, in place of the progress. Returns false.
bool tn_complain(const char *format, ...) TARN_PRINTF(1, 2);
// Does the same, and returns `exit_code`.
enum tn_exit tn_exit_with(enum tn_exit exit_code, const char *format, ...) TARN_PRINTF(2, 3);

// argv[0] is "tarn NAME". Each returns an exit code. That of `check`, `record`, `run` and `torture`
// is the program's or one of launch/launch.h. docs/command.md has a table of all.
#define TN_COMMAND_DECLARE(name, summary, document) int tn_command_##name(int argc, char **argv);
TN_COMMAND_LIST(TN_COMMAND_DECLARE)
#undef TN_COMMAND_DECLARE
