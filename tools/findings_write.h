// SPDX-License-Identifier: Apache-2.0
// The forms of findings. Shared by findings.c and findings_write.c. One thread.
#pragma once

#include "tools/findings.h"

struct tn_findings {
    const char *command;  // "check"
    char *const *program; // and its arguments
    struct tn_finding *list;
    size_t count, left_out;
    bool fails_on_warning;
    int failure; // exit status of a command that ended without a result, or 0
};

// Write the findings. Return false with an errno if that fails.
bool tn_findings_write_junit(int file, const struct tn_findings *findings);
bool tn_findings_write_sarif(int file, const struct tn_findings *findings);

// Prints the findings to standard error as GitHub reads them from the log of a job.
void tn_findings_annotate(const struct tn_findings *findings);
