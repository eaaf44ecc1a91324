// SPDX-License-Identifier: Apache-2.0
// The explanation as a screen of text: the recording, the moment with its bar, who holds memory,
// and the answers. See explain.h.
#include <inttypes.h>

#include "tools/explain/explain.h"
#include "tools/terminal.h"

enum { BAR = 64 };

static void print_recording(const struct tn_explain *explain, FILE *out) {
    const struct tn_trace *trace = explain->trace;
    size_t devices = tn_trace_accelerators(trace);
    tn_style_print(out, TN_STYLE_HEAD, "%s: %s, %zu device%s\n", tn_shown(explain->options->path),
                   tn_trace_format_text(trace->format), devices, devices == 1 ? "" : "s");
    for (size_t i = 0; i < trace->device_count; i++) {
        const struct tn_trace_device *device = &trace->devices[i];
        size_t failures = tn_trace_count(trace, device, TN_EVENT_FAILURE);
        fprintf(out, "%s %s %" PRIu32 ": %s, peak live %s%s%s\n",
                device == explain->device ? "*" : " ",
                device->kind != TN_DEVICE_HOST    ? "device"
                : trace->origin == TN_TRACE_PPROF ? "memory of the host"
                                                  : "pinned memory of the host",
                device->number, tn_number(device->event_count, "event"),
                tn_bytes(tn_explain_peak(trace, device)),
                device->says_reserved ? ", peak reserved " : "",
                device->says_reserved ? tn_bytes(device->reserved_peak) : "");
        if (failures > 0)
            tn_style_print(out, TN_STYLE_BAD, "    out of memory: %s refused\n",
                           tn_number(failures, "request"));
    }
}

static void print_amount(FILE *out, const char *name, uint64_t bytes, const char *meaning) {
    fprintf(out, "  %-10s %10s %18s  %s\n", name, tn_bytes(bytes), tn_count(bytes), meaning);
}

// Draws live, rounded, cached and reserved-but-private bytes as one bar.
static void print_bar(const struct tn_explain *explain, FILE *out) {
    const struct tn_fragments *fragments = &explain->fragments;
    const struct {
        char sign;
        uint64_t bytes;
        const char *name;
    } parts[] = {{'#', explain->moment.live - explain->moment.waiting, "live"},
                 {'w', explain->moment.waiting, "waiting"},
                 {'r', fragments->rounding, "rounding"},
                 {'-', fragments->holes, "holes"},
                 {'.', fragments->empty, "empty segments"},
                 {'p', fragments->private_free, "free in private pools"}};
    size_t used = 0;
    if (explain->moment.reserved == 0 || !explain->moment.has_places) return;
    fputs("  [", out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (double k = (double)parts[i].bytes / (double)explain->moment.reserved * BAR + 0.5;
             k >= 1 && used < BAR; k--, used++)
            (void)putc(parts[i].sign, out);
    for (; used < BAR; used++) (void)putc(' ', out);
    fputs("]\n  ", out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].bytes > 0)
            fprintf(out, "%c %s %s  ", parts[i].sign, parts[i].name, tn_bytes(parts[i].bytes));
    fputs("\n", out);
}

static void print_moment(const struct tn_explain *explain, FILE *out) {
    const struct tn_moment *moment = &explain->moment;
    char text[TN_OWNER_TEXT];
    tn_style_print(out, TN_STYLE_HEAD, "\n%s %" PRIu32 " %s:\n",
                   explain->device->kind == TN_DEVICE_HOST ? "Host" : "Device",
                   explain->device->number, tn_explain_when(explain, text));
    print_amount(out, "allocated", moment->live - moment->waiting,
                 "bytes that the program asked for and has not given up");
    print_amount(out, "active", moment->occupied, "as rounded, with blocks that wait for streams");
    if (explain->levels.reserved != NULL)
        print_amount(out, "reserved", explain->levels.reserved[moment->at],
                     "what the allocator has from the device");
    if (explain->kind == TN_EXPLAIN_FAILURE && explain->verdict.device_free != UINT64_MAX)
        print_amount(out, "free", explain->verdict.device_free,
                     "what the driver shows as free on the device");
    print_bar(explain, out);
}

static void print_holders(const struct tn_explain *explain, enum tn_holder_kind kind,
                          const char *heading, FILE *out) {
    const struct tn_holders *holders = &explain->holders[kind];
    const struct tn_holder rest = tn_explain_rest(explain, holders);
    char text[TN_OWNER_TEXT];
    if (holders->count == 0 || (kind != TN_HOLD_BY_FUNCTION && holders->count < 2)) return;
    tn_style_print(out, TN_STYLE_HEAD, "\n%-56s %10s %7s %6s\n", heading, "live", "blocks",
                   "share");
    for (size_t i = 0; i < holders->count && i < explain->options->top; i++) {
        const struct tn_holder *holder = &holders->list[i];
        fprintf(out, "  %-54.54s %10s %7s %5.1f%%\n",
                tn_explain_key(explain, kind, holder->key, text), tn_bytes(holder->bytes),
                tn_count(holder->count), 100 * (double)holder->bytes / (double)holders->bytes);
    }
    if (rest.count > 0)
        fprintf(out, "  %-54s %10s %7s %5.1f%%\n", "the rest", tn_bytes(rest.bytes),
                tn_count(rest.count), 100 * (double)rest.bytes / (double)holders->bytes);
}

static void print_pinned(const struct tn_explain *explain, FILE *out) {
    uint32_t pinned[TN_PINNED];
    char text[TN_OWNER_TEXT];
    size_t count = tn_fragments_pinned(&explain->fragments, pinned, TN_PINNED);
    const struct tn_moment *moment = &explain->moment;
    if (count == 0 || explain->fragments.holes < moment->reserved / 50) return;
    tn_style_print(out, TN_STYLE_HEAD, "\n%-56s %10s %7s %10s\n", "Segments that live blocks keep",
                   "free", "blocks", "largest");
    for (size_t i = 0; i < count; i++) {
        const struct tn_segment_use *use = &explain->fragments.uses[pinned[i]];
        const struct tn_block *first = &moment->trace->blocks[moment->blocks[use->first]];
        char line[2 * TN_OWNER_TEXT];
        (void)snprintf(
            line, sizeof line, "%s, by %s", tn_bytes(moment->segments[use->segment].bytes),
            tn_explain_key(explain, TN_HOLD_BY_LINE, explain->owners.lines[first->stack], text));
        fprintf(out, "  %-54.54s %10s %7s %10s\n", line, tn_bytes(use->free), tn_count(use->blocks),
                tn_bytes(use->largest));
    }
}

void tn_explain_print(const struct tn_explain *explain, FILE *out) {
    const struct tn_explain_opening *opening = &explain->opening;
    tn_style_print(out, opening->is_good ? TN_STYLE_GOOD : TN_STYLE_BAD, "Verdict: %s.\n",
                   opening->verdict);
    tn_style_print(out, TN_STYLE_HEAD, "Remedy: %s.\n\n", opening->remedy);
    print_recording(explain, out);
    print_moment(explain, out);
    print_holders(explain, TN_HOLD_BY_FUNCTION, "Holders", out);
    print_holders(explain, TN_HOLD_BY_PHASE, "By phase of allocation", out);
    print_holders(explain, TN_HOLD_BY_STREAM, "By stream", out);
    print_holders(explain, TN_HOLD_BY_TAG, "By tag", out);
    print_pinned(explain, out);
    fputs("\n", out);
    for (unsigned i = 1; i <= TN_QUESTIONS; i++)
        fprintf(out, "%2u %-36s %s\n", i, tn_explain_question(i), explain->answers[i - 1]);
}
