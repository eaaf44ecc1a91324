// SPDX-License-Identifier: Apache-2.0
// A report as text and as JSON. Pure but for the names of addresses; one thread.
#ifndef TARN_CHECK_PRINT_H
#define TARN_CHECK_PRINT_H

#include "check/report.h"
#include "check/text.h"

// Of several lines, each with the pid in front.
void tn_check_print_text(struct tn_check_text *text, const struct tn_check_report *report,
                         uint64_t serial);

// One object in one line.
void tn_check_print_json(struct tn_check_text *text, const struct tn_check_report *report,
                         uint64_t serial);

#endif
