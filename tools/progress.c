// SPDX-License-Identifier: Apache-2.0
// See progress.h.
#include "tools/progress.h"

#include <stdlib.h>

#include "base/variable.h"
#include "tools/terminal.h"
#include "tools/timing.h"
#include "trace/progress.h"

enum { BAR = 30, PATIENCE_MS = 500, LAST_PERCENT = 99 };
#define ERASE "\r\033[K" // the line
static const char hashes[BAR + 1] = "##############################";

static struct {
    bool wanted;
    uint64_t due;        // ns, when the bar may appear; 0 before the first phase
    const char *label;   // NULL draws nothing
    double begun, ended; // parts of the whole: of the phase
    double from, until;  // of the stage, or of the phase
    uint64_t done, total;
    int percent;       // the highest so far
    const char *shown; // the label on the terminal, or NULL
} bar;

static void draw_bar(void) {
    double part = bar.total > 0 ? (double)bar.done / (double)bar.total : 0;
    int percent = (int)(100 * (bar.from + (part < 1 ? part : 1) * (bar.until - bar.from)));
    percent = percent < LAST_PERCENT ? percent : LAST_PERCENT;
    if (bar.label == NULL || (bar.shown == bar.label && percent <= bar.percent) || !bar.wanted ||
        tn_timing_now() < bar.due)
        return;
    bar.percent = percent > bar.percent ? percent : bar.percent;
    bar.shown = bar.label;
    int full = bar.percent * BAR / 100;
    char text[128];
    (void)snprintf(text, sizeof text, ERASE "%s [%.*s%*s] %3d %%", bar.label, full, hashes,
                   BAR - full, "", bar.percent);
    tn_terminal_command(stderr, text);
}

// Begins a part of the bar that ends at `until`.
static void begin_part(const char *label, double until, uint64_t total) {
    bar.from = bar.until;
    bar.until = until;
    bar.label = label;
    bar.done = 0;
    bar.total = total;
}

static void report_stage(enum tn_trace_stage stage, uint64_t done, uint64_t total) {
    static const struct {
        const char *label;
        int percent;
    } stages[] = {
#define STAGE(NAME, label, percent) {label, percent},
        TN_STAGE_LIST(STAGE)};
    if (bar.label != stages[stage].label)
        begin_part(stages[stage].label,
                   bar.begun + (bar.ended - bar.begun) * stages[stage].percent / 100, total);
    bar.done = done;
    bar.total = total;
    draw_bar();
}

void tn_progress_phase(const char *label, double until, uint64_t total) {
    if (bar.due == 0)
        bar.due = tn_timing_now() + tn_variable_value("TARN_PROGRESS_MS", PATIENCE_MS) * 1000000;
    bar.wanted = tn_terminal_wants_progress();
    tn_trace_progress = report_stage;
    bar.begun = bar.until = bar.ended;
    bar.ended = until;
    begin_part(label, label != NULL ? until : bar.begun, total);
    draw_bar();
}

void tn_progress_step(uint64_t done) {
    bar.done += done;
    draw_bar();
}

void tn_progress_hide(void) {
    if (bar.shown != NULL && tn_terminal_wants_progress()) tn_terminal_command(stderr, ERASE);
    bar.shown = NULL;
}
