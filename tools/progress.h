// SPDX-License-Identifier: Apache-2.0
// A progress bar for work that takes over a second, where terminal.h allows it. One thread.
#ifndef TARN_TOOLS_PROGRESS_H
#define TARN_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct tn_progress {
    bool terminal;
    bool shown;
    uint64_t begun; // ns
    uint64_t last;  // ns, when the line was last written
    uint64_t done;
    uint64_t total;
    const char *label;
};

void tn_progress_begin(struct tn_progress *progress, const char *label, uint64_t total);
void tn_progress_step(struct tn_progress *progress, uint64_t done);
// Erases the line.
void tn_progress_end(struct tn_progress *progress);

#endif
