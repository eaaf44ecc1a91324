// SPDX-License-Identifier: Apache-2.0
// Prints a report as text or as JSON, and symbolises its stacks. One thread at a time.
#pragma once

#include "check/report/report.h"

// Appends several lines, each with the pid in front.
void tn_check_print_text(struct tn_check_text *text, const struct tn_check_report *report,
                         uint64_t serial);

// Appends one line with one object.
void tn_check_print_json(struct tn_check_text *text, const struct tn_check_report *report,
                         uint64_t serial);
