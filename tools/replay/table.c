// SPDX-License-Identifier: Apache-2.0
// Prints replays as a table on standard output. One thread.
#include <inttypes.h>
#include <stdio.h>

#include "tools/replay/replay.h"
#include "tools/terminal.h"
#include "trace/study/name.h"

void tn_table_heading(const struct tn_replay_options *options, const char *device) {
    printf("device %s, rule %s", device, options->rule_name);
    if (options->scale != 1) printf(", sizes times %" PRIu64, options->scale);
    if (options->repeat != 1) printf(", %" PRIu64 " repetitions", options->repeat);
    if (options->limit.text != NULL) printf(", limit %s", options->limit.text);
    if (options->ignore_streams) printf(", streams ignored");
    if (options->touch) printf(", every block written and verified");
    tn_style_print(
        stdout, TN_STYLE_HEAD,
        "\n\n"
        "                          peak   utili-    largest handles                device      "
        "alloc ns      free ns  million\n"
        "pool                  reserved   sation       free created      moved         ms   med    "
        "p99    med    p99  calls/s\n");
}

void tn_table_trace(const struct tn_replay *replay) {
    const struct tn_totals *totals = &replay->totals;
    printf("\n%s: %s events, %s allocations", tn_shown(replay->path), tn_count(totals->events),
           tn_count(totals->allocations));
    if (totals->starting_blocks > 0)
        printf(", %s blocks live before", tn_count(totals->starting_blocks));
    if (replay->trace->stream_count > 1) printf(", %zu streams", replay->trace->stream_count);
    if (tn_trace_accelerators(replay->trace) > 1)
        printf(", %zu devices", tn_trace_accelerators(replay->trace));
    if (replay->failure.exit_code == TN_EXIT_OK)
        printf(", peak live %s", tn_bytes(totals->peak_live_bytes));
    printf("\n");
}

static void print_marks(const struct tn_replay *replay) {
    char label[256];
    bool devices = tn_trace_accelerators(replay->trace) > 1;
    if (replay->mark_count > 0)
        printf("         event        live    reserved   driver calls  mark\n");
    for (size_t i = 0; i < replay->mark_count; i++) {
        const struct tn_mark *mark = &replay->marks[i];
        printf("  %12" PRIu64 " %11s %11s %14" PRIu64 "  ", mark->event, tn_bytes(mark->live),
               tn_bytes(mark->held), mark->driver_calls);
        if (devices) printf("device %" PRIu32 ": ", mark->device);
        if (mark->label != NULL)
            printf("%s\n", tn_name_text(mark->label, label, sizeof label));
        else
            printf("out of memory, %" PRIu64 " bytes requested\n", mark->refused);
    }
}

static void print_row(const struct tn_replay *replay) {
    const struct tn_totals *totals = &replay->totals;
    printf("%-20s %9s %6.1f %% %10s %7" PRIu64 " %10s %10.3f %5" PRIu64 " %6" PRIu64 " %6" PRIu64
           " %6" PRIu64 " %8.2f\n",
           replay->kind == TN_TARGET_FIXED ? "fixed (reach)" : tn_target_name(replay->kind),
           tn_bytes(totals->peak_reserved_bytes), 100 * tn_replay_utilisation(replay),
           tn_bytes(totals->largest_free_at_peak), totals->work.created_handles,
           tn_bytes(totals->work.moved_bytes), (double)totals->work.device_ns / 1e6,
           tn_histogram_quantile(&replay->alloc_times, 500),
           tn_histogram_quantile(&replay->alloc_times, 990),
           tn_histogram_quantile(&replay->free_times, 500),
           tn_histogram_quantile(&replay->free_times, 990), tn_replay_throughput(replay) / 1e6);
}

static void print_handles(uint64_t count, uint64_t bytes) {
    printf(" %6" PRIu64 " %9s", count, count == 0 ? "" : tn_bytes(bytes));
}

// Prints the cost of each repetition.
static void print_passes(const struct tn_replay *replay) {
    if (replay->options->repeat == 1 && !replay->options->verbose) return;
    printf(
        "  pass  peak reserved          created           mapped         unmapped            moved"
        "    calls  device ms\n");
    for (size_t i = 0; i < replay->pass_count; i++) {
        const struct tn_work *work = &replay->passes[i].work;
        printf("%6zu %14s", i + 1, tn_bytes(replay->passes[i].peak_held_bytes));
        print_handles(work->created_handles, work->created_bytes);
        print_handles(work->mapped_handles, work->mapped_bytes);
        print_handles(work->unmapped_handles, work->unmapped_bytes);
        print_handles(work->moved_handles, work->moved_bytes);
        printf(" %8" PRIu64 " %10.3f\n", work->driver_calls, (double)work->device_ns / 1e6);
    }
}

// The complete text goes to standard error.
static void print_failure(const struct tn_replay *replay) {
    const struct tn_failure *failure = &replay->failure;
    const char *what = failure->exit_code == TN_EXIT_NO_FIT    ? "does not fit"
                       : failure->exit_code == TN_EXIT_CORRUPT ? "CORRUPTION"
                                                               : "failed";
    printf("%-20s ", tn_target_name(replay->kind));
    tn_style_print(stdout, TN_STYLE_BAD, "%s", what);
    if (failure->at_event)
        printf(" at event %" PRIu64 ": %s requested, %s free (%s)", failure->event,
               tn_bytes(failure->asked), tn_bytes(failure->report.free_bytes),
               failure->report.cause_name);
    if (failure->at_event && replay->options->repeat > 1)
        printf(" in pass %" PRIu64, failure->pass);
    printf("\n");
}

void tn_table_replay(const struct tn_replay *replay) {
    if (replay->failure.exit_code == TN_EXIT_OK)
        print_row(replay);
    else
        print_failure(replay);
    print_passes(replay);
    print_marks(replay);
}

void tn_table_recording(const struct tn_replay *replay) {
    const struct tn_trace_calls *calls = &replay->recorded_calls;
    double utilisation = replay->recorded_reserved > 0 ? (double)replay->totals.peak_live_bytes /
                                                             (double)replay->recorded_reserved
                                                       : 0;
    if (!replay->says_reserved || replay->failure.exit_code != TN_EXIT_OK ||
        replay->options->scale != 1)
        return;
    printf("%-20s %9s %6.1f %% %10s %7" PRIu64 " %10s %10.3f  by the recorded allocator\n",
           "recording", tn_bytes(replay->recorded_reserved), 100 * utilisation, "",
           calls->allocs + calls->creates, "", (double)replay->recorded_ns / 1e6);
}

void tn_table_legend(uint64_t timer_ns) {
    printf(
        "\n"
        "peak reserved  highest physical memory allocated from the device; of a fixed pool its "
        "reach,\n"
        "               the end of the highest block in the range that it was created with\n"
        "utilisation    peak live / peak reserved; the rest to 100 %% was wasted\n"
        "largest free   largest block that fits without more memory, at the peak of live bytes\n"
        "created        handles of physical memory created; device allocations of pools without\n"
        "moved          physical memory moved from one address to another\n"
        "device ms      time of the device calls by the costs of the device: its model, or\n"
        "               measured once\n"
        "alloc, free    nanoseconds of one call: median and 99th percentile (%" PRIu64
        " ns of the timer subtracted)\n"
        "calls/s        in a second replay, in which no call is timed\n",
        timer_ns);
}
