// SPDX-License-Identifier: Apache-2.0
// The live bytes at the end of each step of the program, for a picture in the summary. Any thread
// may call; a step that ends during the summary may be missing there.
#ifndef TARN_CHECK_REPORT_GROWTH_H
#define TARN_CHECK_REPORT_GROWTH_H

#include <stdint.h>

#include "check/report/text.h"

// A step has ended.
void tn_check_growth_step(uint64_t live_bytes);

// Adds the picture to the text and the numbers to the JSON of the summary, after two steps or more.
void tn_check_growth_print(struct tn_check_text *text, struct tn_check_text *json);

// Forgets all steps.
void tn_check_growth_reset(void);

#endif
