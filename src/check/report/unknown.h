// SPDX-License-Identifier: Apache-2.0
// Counts reads of memory of which the checker does not know whether it was written. The summary
// states the number. Any thread may call.
#ifndef TARN_CHECK_REPORT_UNKNOWN_H
#define TARN_CHECK_REPORT_UNKNOWN_H

#include <stdint.h>

#include "check/report/text.h"

void tn_check_unknown_add(uint64_t reads);

// Adds the number to the summary, unless it is 0.
void tn_check_unknown_print(struct tn_check_text *text, struct tn_check_text *json);

// Forgets all reads.
void tn_check_unknown_reset(void);

#endif
