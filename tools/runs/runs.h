// SPDX-License-Identifier: Apache-2.0
// Runs a program many times, for `tarn torture` and `tarn explore`: several at a time, each in a
// process group and a folder of its own, with a time limit; and reads what a run left behind. One
// thread.
#pragma once

#include <jansson.h>

#include "tools/launch/launch.h"

enum { TN_RUN_DETAIL = 240, TN_RUN_PATH = 700 };

// The exit status of a command that has findings, as that of `tarn check`.
enum { TN_RUNS_FINDINGS = 77 };

// The ends of a run: X(name, finding, "text"). Those before `crash` are of `tarn torture` alone,
// those from `good` on of `tarn explore` alone.
#define TN_RUN_CLASSES(X)                                                                          \
    X(reported, false, "the program ended with another status than without the injected failure")  \
    X(handled, false, "same status, other output")                                                 \
    X(unnoticed, false, "same status and output, as if nothing had failed")                        \
    X(unreached, false, "the call was not made this time")                                         \
    X(crash, true, "ended by a signal")                                                            \
    X(hang, true, "did not end within the time limit")                                             \
    X(sanitizer, true, "a sanitizer reported an error")                                            \
    X(checker, true, "the memory checker reported an error")                                       \
    X(leak, true, "more memory than in the run to compare with was not given back")                \
    X(good, false, "the status of the plain order")                                                \
    X(refused, false, "the program ended with another status after a failure that was injected")   \
    X(fails, true, "the program ended with another status")                                        \
    X(output, true, "the program printed something else")

enum tn_run_class {
#define TN_RUN_CLASS(name, finding, text) TN_RUN_##name,
    TN_RUN_CLASSES(TN_RUN_CLASS)
#undef TN_RUN_CLASS
};

// How one run ended.
struct tn_run_outcome {
    enum tn_run_class class;
    int status; // as of waitpid()
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

// A step of a command: a run of the program for each of its items.
struct tn_run_step {
    // In the child, in whose folder the command's files may lie: sets the environment. Returns false
    // if that fails.
    bool (*prepare)(const void *context, size_t item, const char *folder);
    // Takes over the text of the outcome. Returns false, with a message, if the command has failed.
    bool (*finished)(void *context, size_t item, const char *folder,
                     struct tn_run_outcome *outcome);
    // Returns true if the item needs no run. NULL: all need one.
    bool (*skips)(const void *context, size_t item);
};

struct tn_runs {
    const struct tn_launch *launch;
    bool check;                 // under the memory checker
    unsigned jobs;              // runs at a time
    double limit;               // seconds for a run; 0: none
    bool keeps_log;             // the decisions of each run are in the file "decisions"
    struct tn_run_outcome base; // of the run that the others are compared with
    char folder[512];           // of temporary files; the folder of a run is in it
    const struct tn_run_step *step;
    void *context; // for the functions of the step
    size_t next;   // item of the step
    size_t count;
};

// Sets as many runs at a time as there are CPUs, for the parsing of options.
void tn_runs_begin(struct tn_runs *runs);

// Prepares the runs of a program for a command: its faces, the checker, whose reports do not change
// the status of the program, and the folder for temporary files. From then on SIGHUP, SIGINT and
// SIGTERM end all runs. Returns false, with a message, if that fails.
bool tn_runs_open(struct tn_runs *runs, const struct tn_launch *launch, const char *command);

// Removes the folder, and ends the command by the signal that has come, if one has.
void tn_runs_close(const struct tn_runs *runs);

// Runs the program for the items below `count`. Returns false if that is interrupted by a signal
// or, with a message, if it fails.
bool tn_runs_all(struct tn_runs *runs, const struct tn_run_step *step, void *context, size_t count);

// Makes the run that the others are compared with, as a step of one item, and derives their time
// limit unless there is one.
bool tn_runs_base(struct tn_runs *runs, const struct tn_run_step *step, void *context);

// Complains if that run failed, in the words of `fails`, such as "fails in the plain order". Returns
// 0, or the exit status of the command.
int tn_runs_check_base(const struct tn_runs *runs, const char *fails);

// ---- read.c

// Reads the files of a run: its log of failures, its output, its checker's reports.
void tn_run_read(const char *folder, struct tn_run_outcome *outcome);

// Describes the end of a run whose class is known.
void tn_run_describe(struct tn_run_outcome *outcome);

// The texts of a class.
struct tn_run_class_text {
    const char *name;
    bool finding;
};
extern const struct tn_run_class_text tn_run_class_texts[];

// Returns the class, the end and the text of a run as members of an object.
json_t *tn_run_result(const struct tn_run_outcome *outcome);

// Prints the text of a run, indented.
void tn_run_print_text(const struct tn_run_outcome *outcome);

// Returns the program and its arguments as a list.
json_t *tn_run_program(const struct tn_launch *launch);

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
