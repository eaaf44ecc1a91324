// SPDX-License-Identifier: Apache-2.0
// Runs a program many times, for `tarn torture` and `tarn explore`: several at a time, each in a
// process group and a folder of its own, with a time limit; and reads what a run left behind. One
// thread.
#pragma once

#include "tools/launch/launch.h"

enum { TN_RUN_DETAIL = 240, TN_RUN_PATH = 700 };

// How one run ended.
struct tn_run_outcome {
    unsigned class; // the command's own
    int status;     // as of waitpid()
    bool timed_out;
    bool fired; // a failure was injected
    double seconds;
    uint64_t errors; // of the checker, without leaks
    uint64_t leaks;  // reports of them
    uint64_t leaked_bytes;
    uint64_t output; // hash of the output, without numbers
    uint64_t exact;  // hash of the output, without addresses
    bool sanitizer;
    char detail[TN_RUN_DETAIL]; // one line: the first report of a sanitizer or the checker
    char leak[TN_RUN_DETAIL];   // the first leak, or ""
    char *text;                 // its log, output and reports; malloc'ed, or NULL
};

struct tn_runs {
    const struct tn_launch *launch;
    bool check;       // under the memory checker
    unsigned jobs;    // runs at a time
    double limit;     // seconds for a run; 0: none
    bool keeps_log;   // the decisions of each run are in the file "decisions"
    char folder[512]; // of temporary files; the folder of a run is in it
    void *context;    // for the functions
    // Returns false if no run is left to begin. `item` receives its number.
    bool (*next)(void *context, size_t *item);
    // In the child, in whose folder the command's files may lie: sets the environment. Returns false
    // if that fails.
    bool (*prepare)(void *context, size_t item, const char *folder);
    // Takes over the text of the outcome. Returns false, with a message, if the command has failed.
    bool (*finished)(void *context, size_t item, const char *folder,
                     struct tn_run_outcome *outcome);
};

// Makes the folder for temporary files. Returns false, with a message, if that fails.
bool tn_runs_open(struct tn_runs *runs, const char *command);
void tn_runs_close(const struct tn_runs *runs);

// From now on SIGHUP, SIGINT and SIGTERM end all runs, and tn_runs_all() returns false.
void tn_runs_catch_signals(void);

// Ends the command by the signal that has come, if one has.
void tn_runs_pass_signal(void);

// Runs the program until `next` returns false. Returns false if that is interrupted or, with a
// message, if it fails.
bool tn_runs_all(struct tn_runs *runs);

// Prepares the checker for the runs: its reports do not change the status of the program. Returns
// false, with a message, if that fails.
bool tn_runs_prepare_check(void);

// ---- read.c

// Reads the files of a run: its log of failures, its output, its checker's reports.
void tn_run_read(const char *folder, struct tn_run_outcome *outcome);

// Describes the signal that ended a run.
void tn_run_describe_signal(struct tn_run_outcome *outcome);

// ---- again.c

// Prints the words of a command and its options that start the program in the same way, for a shell.
// The caller adds its own options and then calls the second function.
void tn_run_print_again(const struct tn_launch *launch, const char *command);
void tn_run_print_option(const char *option, const char *value);
void tn_run_print_options(const char *option, const char *values); // separated by semicolons
void tn_run_print_program(const struct tn_launch *launch);

// ---- names.c

// Adds files and lines to the stack of a crash in the text of an outcome. Does nothing without
// tarn-symbols.
void tn_run_name_stack(struct tn_run_outcome *outcome);
