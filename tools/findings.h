// SPDX-License-Identifier: Apache-2.0
// Findings of a command, for systems of continuous integration: the options of `tarn check`, `tarn explore`,
// `tarn run` and `tarn torture`, and the files that they ask for (JUnit's XML, SARIF 2.1.0) beside the
// annotations of GitHub. All commands write them in this one way. The files are written when the command
// ends, also when it ends without a result. One thread.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/arguments.h"

enum { TN_FINDING_FILE = 512 };

// The place of a finding: the first frame of the program itself. The file is "" if it is unknown.
struct tn_finding_place {
    char function[160];
    char file[TN_FINDING_FILE]; // as debug information has it
    unsigned line;              // 0: unknown
};

struct tn_finding {
    bool is_warning;
    char rule[64];
    char meaning[240]; // of the rule
    char name[200];    // of the case: which of its kind
    char *message;     // malloc'ed; one line
    char *text;        // malloc'ed, or NULL: the report, for people
    struct tn_finding_place place;
};

// The options of a command.
struct tn_findings_options {
    const char *junit, *sarif; // files, or NULL
    int annotations;           // enum tn_annotations
    bool fail_on_warning;
    unsigned exitcode; // of a command with findings
};

enum tn_annotations { TN_ANNOTATIONS_AUTO, TN_ANNOTATIONS_GITHUB, TN_ANNOTATIONS_NONE };

// The rows of a table of options. `field` is a struct tn_findings_options.
#define TN_FINDINGS_FILES(type, field)                                                             \
    {"junit", 0, "FILE", "Write the findings to FILE as JUnit's XML",                              \
     TN_STRING(type, field.junit)},                                                                \
        {"sarif", 0, "FILE", "Write the findings to FILE as SARIF 2.1.0",                          \
         TN_STRING(type, field.sarif)},                                                            \
        {"annotations", 0, "auto|github|none",                                                     \
         "Print findings as annotations of GitHub; auto: if GITHUB_ACTIONS is true",               \
         TN_CHOICE(type, field.annotations)},                                                      \
    {                                                                                              \
        "fail-on-warning", 0, NULL, "Take warnings as findings",                                   \
            TN_FLAG(type, field.fail_on_warning)                                                   \
    }

#define TN_FINDINGS_OPTIONS(type, field)                                                           \
    TN_FINDINGS_FILES(type, field), {                                                              \
        "error-exitcode", 0, "N", "End with status N if there are findings; default 77",           \
            TN_NUMBER(type, field.exitcode, 0, 255)                                                \
    }

// Begins to collect the findings of a command ("check") about a program, if the options ask for them.
// Refuses a file that cannot be written: returns false, with a message.
bool tn_findings_open(const struct tn_findings_options *options, const char *command,
                      char *const *program);

// Returns true if findings are to be collected.
bool tn_findings_are_wanted(void);

// Adds a copy of the finding, whose message and text stay the caller's. Control characters are allowed.
void tn_findings_add(const struct tn_finding *finding);

// Adds a report of the checker, as its JSON has it. Does nothing for lines that are no report.
void tn_findings_add_report(const json_t *report);

// Writes the files and prints the annotations. Returns false, with a message, if a file cannot be written.
bool tn_findings_write(void);

// Writes the files of a command that failed without a result. For the end of the process.
void tn_findings_conclude(int exit_code);

// ---- places

// Returns true if a frame is in Tarn's own code: in its libraries, or in a function with its prefix. Paths of
// sources say nothing. `object` and `function` may be NULL or "".
bool tn_finding_is_own(const char *object, const char *function);

// Takes the frame as the place unless it is Tarn's own, or the place is known. A frame without a file gives
// way to a later one with a file.
void tn_finding_take_frame(struct tn_finding_place *place, const char *object, const char *function,
                           const char *file, unsigned line);

// The same for each frame of a list of objects with the members object, function, file and line.
void tn_finding_take_frames(struct tn_finding_place *place, const json_t *frames);
