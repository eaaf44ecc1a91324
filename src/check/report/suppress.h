// SPDX-License-Identifier: Apache-2.0
// Suppressions: reports that the user does not want to see. A file has one rule on a line,
// kind:function[:domain], each part with *, ? and [] as in a shell; # begins a comment. A rule
// applies if the kind, the domain of the heap and any function of the report's first stack match.
// The file is read at the first report. A file that cannot be read or parsed ends the program.
#pragma once

#include "check/report/report.h"

// Called with the lock of the reports held.
bool tn_check_suppress_matches(const struct tn_check_report *report);

// Parses a line, for tests and `tarn check`. An empty line or a comment has the kind "". Returns
// false if the line is no rule.
struct tn_check_suppression {
    char kind[64];
    char function[512];
    char domain[256]; // "" means any
};
bool tn_check_suppress_parse(const char *line, struct tn_check_suppression *rule);
