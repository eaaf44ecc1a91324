// SPDX-License-Identifier: Apache-2.0
// Suppressions: reports that the user does not want to see, named in a file with one rule a line,
// kind:function[:domain], each part with * and ? and [] as in a shell; # begins a comment. A rule
// holds when the kind, the domain of the heap and any function of the report's first stack match.
// Read at the first question; a file that cannot be read or understood ends the program.
#ifndef TARN_CHECK_SUPPRESS_H
#define TARN_CHECK_SUPPRESS_H

#include <stdbool.h>

#include "check/report.h"

// Called under the lock of the reports.
bool tn_check_suppress_matches(const struct tn_check_report *report);

// For tests and `tarn check`: whether a line is a rule, with its parts, or (kind "") none. False:
// it is neither.
struct tn_check_suppression {
    char kind[64];
    char function[512];
    char domain[256]; // "": any
};
bool tn_check_suppress_parse(const char *line, struct tn_check_suppression *rule);

#endif
