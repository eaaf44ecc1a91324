// SPDX-License-Identifier: Apache-2.0
// Shared by the files of `tarn torture`: cases and their classes. One thread.
#pragma once

#include <stdio.h>

#include "tools/runs/runs.h"

enum { TN_TORTURE_SPEC = 160 };

enum { TN_TORTURE_CLASSES = TN_RUN_good }; // the classes of `tarn torture` are those before

struct tn_torture_case {
    char spec[TN_TORTURE_SPEC]; // as for --fail; or "quirk:" and a value for --quirk
    bool done;
    struct tn_run_outcome outcome;
};

// The calls that a program made, by name.
struct tn_torture_name {
    char name[64];
    uint64_t calls;
};

struct tn_torture {
    struct tn_launch launch;
    struct tn_runs runs;
    struct tn_findings_options reporting;
    bool pairs;
    uint64_t sample, seed;
    const char *only;   // pattern of names, or NULL
    const char *quirks; // names, separated by commas, or "all", or NULL
    const char *resume; // file, or NULL
    bool json;
    struct tn_torture_name *names;
    size_t name_count;
    struct tn_torture_case *cases;
    size_t case_count;
    bool (*finished)(struct tn_torture *torture, struct tn_torture_case *one);
};

// ---- run.c

// Runs the program without an injected failure, and counts its calls. Returns false, with a
// message, if that fails.
bool tn_torture_count(struct tn_torture *torture);

// Runs all cases that are not done, and calls `finished` for each one, in the order in which they
// end. Returns false, with a message, if the system fails.
bool tn_torture_run(struct tn_torture *torture);

// Prints the command that repeats a run, for a shell, with a newline.
void tn_torture_print_again(const struct tn_torture *torture, const struct tn_torture_case *one);

// ---- judge.c

// Decides the class of a run with an injected failure, and describes it.
void tn_torture_judge(const struct tn_run_outcome *base, struct tn_run_outcome *outcome);

// ---- plan.c

// Reads the counts of calls from a file of TARN_FAIL_TALLY. Returns false if there is no memory.
bool tn_torture_read_names(struct tn_torture *torture, const char *path);

// Returns true if calls of that name are to fail. By default: calls of back-ends, and the functions
// that the program itself calls.
bool tn_torture_chooses(const struct tn_torture *torture, const char *name);

// The pattern of --only that no call matches, for runs under quirks alone.
#define TN_TORTURE_NONE "none"

// Returns false, with a message, if --only chooses no call of the program.
bool tn_torture_check_only(const struct tn_torture *torture);

// Makes the list of cases from the counts and --quirks. Returns false if there is no memory.
bool tn_torture_plan(struct tn_torture *torture);

// Returns the value for --quirk of a case, or NULL if it is a call that fails.
const char *tn_torture_quirk(const char *spec);

// ---- report.c

// Reads the outcomes of an earlier run with --resume. Returns false, with a message, if the file
// cannot be read or belongs to another program.
bool tn_torture_resume(struct tn_torture *torture, FILE *file);

// Appends one outcome, as a line of JSON. Returns false if that fails.
bool tn_torture_append(FILE *file, const struct tn_torture *torture,
                       const struct tn_torture_case *one);

// Print the results.
void tn_torture_print(const struct tn_torture *torture);
void tn_torture_print_json(const struct tn_torture *torture);

// Returns the number of findings. All runs that fail and leave memory are one.
size_t tn_torture_findings(const struct tn_torture *torture);

// Adds the findings, and as warnings the failures that the program did not notice, to those that the
// command writes. Returns the number of warnings.
size_t tn_torture_report(const struct tn_torture *torture);
