// SPDX-License-Identifier: Apache-2.0
// Runs a program many times, for `tarn torture` and `tarn explore`: several at a time, each in a
// process group and a folder of its own, with a time limit; and reads what a run left behind. One
// thread.
#pragma once

#include <jansson.h>

#include "tools/findings.h"
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
    X(exception, true, "ended by a C++ exception that nothing caught")                             \
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

// An error that the checker reported.
struct tn_run_report {
    uint64_t key;    // kind, stack and place of the allocation
    uint64_t weight; // of reports with that key: 1, or lost bytes
    uint64_t pid, serial;
    char kind[48];
    char what[180];
    char place[160]; // the first frame of the program, or ""
    struct tn_finding_place where;
    bool is_leak, is_compared;
    bool is_new; // the run that it is compared with has none or fewer
};

struct tn_run_reports {
    struct tn_run_report *list;
    size_t count, room;
};

// How one run ended.
struct tn_run_outcome {
    enum tn_run_class class;
    int status; // as of waitpid()
    bool timed_out;
    bool fired; // a failure was injected
    double seconds;
    uint64_t errors; // of the checker, without leaks; after tn_run_compare() those that are new
    uint64_t leaks;  // reports of them, also
    uint64_t leaked_bytes;
    uint64_t output; // hash of the output, without numbers
    uint64_t exact;  // hash of the output, without addresses
    bool sanitizer;
    char detail[TN_RUN_DETAIL];     // one line: the first report of a sanitizer or the checker
    char leak[TN_RUN_DETAIL];       // the first leak, or ""
    char exception[160];            // the type of an exception that nothing caught, or ""
    char thrower[160];              // the frame that threw it, or ""
    struct tn_finding_place place;  // of the class
    struct tn_finding_place leaked; // of the first leak
    struct tn_run_reports reports;
    struct tn_run_reports warnings; // the checker's
    char *text;                     // its log, output and reports; malloc'ed, or NULL
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

enum { TN_RUN_LINE = 8192 };

// The output of a run, while it comes. A line is split where it is longer than the buffer.
struct tn_run_output {
    int file; // the end of a pipe, which does not block
    size_t used;
    char line[TN_RUN_LINE + 1];
};

// Begins with an outcome that has no output.
void tn_run_output_begin(struct tn_run_output *output, int file, struct tn_run_outcome *outcome);

// Takes the output that has come.
void tn_run_output_take(struct tn_run_output *output, struct tn_run_outcome *outcome);

// Takes the rest, and closes the pipe.
void tn_run_output_end(struct tn_run_output *output, struct tn_run_outcome *outcome);

// Reads the files of a run: its log of failures and its checker's reports. Returns NULL, or the name
// of a file of which an end is missing.
const char *tn_run_read(const char *folder, struct tn_run_outcome *outcome);

// Shortens the text, for a finding that is kept.
void tn_run_shorten(struct tn_run_outcome *outcome);

// Describes the end of a run whose class is known.
void tn_run_describe(struct tn_run_outcome *outcome);

// The texts of a class.
struct tn_run_class_text {
    const char *name;
    bool finding;
    const char *text;
};
extern const struct tn_run_class_text tn_run_class_texts[];

// Returns the class, the end and the text of a run as members of an object.
json_t *tn_run_result(const struct tn_run_outcome *outcome);

// Prints the text of a run, indented.
void tn_run_print_text(const struct tn_run_outcome *outcome);

// Returns the program and its arguments as a list.
json_t *tn_run_program(const struct tn_launch *launch);

// ---- reports.c

// Adds an error, or a warning.
void tn_run_reports_add(struct tn_run_outcome *outcome, const json_t *report, bool is_warning);
void tn_run_reports_free(struct tn_run_outcome *outcome);

// Reduces the checker's reports of a run to those that are new: its counts, its details and its text.
void tn_run_compare(const struct tn_run_outcome *base, struct tn_run_outcome *outcome);

// Print one line for each report; return the reports as a list.
void tn_run_reports_print(const struct tn_run_reports *reports, const char *indent);
json_t *tn_run_reports_result(const struct tn_run_reports *reports);

// ---- exception.c

// Returns true if an exception that nothing caught ended the run, and describes it.
bool tn_run_find_exception(struct tn_run_outcome *outcome);

// Removes the frames above the one that threw. The stack has its names.
void tn_run_show_thrower(struct tn_run_outcome *outcome);

// Returns true if both are of one type, and one function threw them or they have one message, apart
// from numbers and the names of errors.
bool tn_run_same_exception(const struct tn_run_outcome *a, const struct tn_run_outcome *b);

// Returns true if the line is a frame of the C++ library in the log of a crash.
bool tn_run_is_of_cxx(const char *line);

// ---- findings.c

// Adds the end of a run to the findings, under the name of a case.
void tn_run_add_finding(const struct tn_run_outcome *outcome, const char *name, bool is_warning);

// Adds what the checker reported in the run that the others are compared with.
void tn_run_add_base_findings(const struct tn_run_outcome *base, const char *which);

// Writes the findings. Returns the exit status of the command.
int tn_run_conclude(const struct tn_findings_options *options, bool has_findings,
                    bool has_warnings);

// ---- again.c

// Prints the words of a command and its options that start the program in the same way, for a shell.
// The caller adds its own options and then calls the second function.
void tn_run_print_again(const struct tn_launch *launch, const char *command);
void tn_run_print_option(const char *option, const char *value);
void tn_run_print_options(const char *option, const char *values); // separated by semicolons
void tn_run_print_program(const struct tn_launch *launch);

// ---- names.c

// Adds files and lines to the stack of a crash in the text of an outcome, and finds its place. Does
// nothing without tarn-symbols.
void tn_run_name_stack(struct tn_run_outcome *outcome);
