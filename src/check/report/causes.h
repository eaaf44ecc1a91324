// SPDX-License-Identifier: Apache-2.0
// Groups reports by their probable cause. A report follows an earlier one if it is about the same
// block, the same resource or address, the same place of the program, or a heap that was damaged as
// a whole. Part of check/report/report.c, which serialises every call.
#ifndef TARN_CHECK_REPORT_CAUSES_H
#define TARN_CHECK_REPORT_CAUSES_H

#include "check/report/report.h"
#include "check/report/text.h"

// Adds a report that was printed as number `serial`. Notes, and reports beyond the first 512, are
// left out.
void tn_check_causes_add(const struct tn_check_report *report, uint64_t serial);

// Adds the groups to the text and the JSON of the summary, if there are several reports. Groups
// with an error come first, in the order of time.
void tn_check_causes_print(struct tn_check_text *text, struct tn_check_text *json);

// Forgets all reports.
void tn_check_causes_reset(void);

#endif
