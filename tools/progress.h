// SPDX-License-Identifier: Apache-2.0
// The progress bar of a command, where terminal.h allows it. It appears when the command has worked for
// half a second; TARN_PROGRESS_MS sets another time. It never goes back, and never shows 100 %: it
// disappears when the work is done. Reading and writing of traces report by themselves. One thread.
#pragma once

#include <stdint.h>

// Begins the phase of the command that ends where the part `until` of its work is done, 0 to 1. It has
// `total` steps. Without a label, the stages of reading and writing in it have theirs.
void tn_progress_phase(const char *label, double until, uint64_t total);
void tn_progress_step(uint64_t done);

// Erases the bar before other text is printed. The next step draws it again.
void tn_progress_hide(void);
