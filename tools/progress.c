// SPDX-License-Identifier: Apache-2.0
// A progress line on the terminal; see progress.h.
#include "tools/progress.h"

#include "tools/terminal.h"
#include "tools/timing.h"
#include <stdio.h>

enum { BAR = 30 };
static const char bar[BAR + 1] = "##############################";
static const uint64_t patience_ns = 1000000000, interval_ns = 100000000;

void tn_progress_begin(struct tn_progress *progress, const char *label, uint64_t total) {
    uint64_t now = tn_timing_now();
    *progress = (struct tn_progress){.terminal = tn_terminal_wants_progress(),
                                     .begun = now,
                                     .last = now,
                                     .total = total > 0 ? total : 1,
                                     .label = label};
}

void tn_progress_step(struct tn_progress *progress, uint64_t done) {
    progress->done += done;
    if (!progress->terminal)
        return;
    uint64_t now = tn_timing_now();
    if (now - progress->begun < patience_ns || now - progress->last < interval_ns)
        return;
    double part = (double)progress->done / (double)progress->total;
    int full = (int)((part < 1 ? part : 1) * BAR);
    fprintf(stderr, "\r\033[K%s [%.*s%*s] %3.0f %%", progress->label, full, bar, BAR - full, "",
            part < 1 ? 100 * part : 100.0);
    (void)fflush(stderr);
    progress->last = now;
    progress->shown = true;
}

void tn_progress_end(struct tn_progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
