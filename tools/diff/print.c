// SPDX-License-Identifier: Apache-2.0
// Prints the results of `tarn diff`, as text and as JSON. One thread.
#include <inttypes.h>
#include <math.h>

#include "tools/command.h"
#include "tools/diff/diff.h"
#include "tools/result.h"
#include "tools/terminal.h"

enum { CHANGE = 32 };

static const char *sign_of(uint64_t before, uint64_t after, const char *none) {
    return after > before ? "+" : after < before ? "-" : none;
}

// Returns "+1.20 GiB", "-12 B" or "0 B".
static const char *format_change(uint64_t before, uint64_t after, char text[CHANGE]) {
    (void)snprintf(text, CHANGE, "%s%s", sign_of(before, after, ""),
                   tn_bytes(after > before ? after - before : before - after));
    return text;
}

static void print_bytes(const char *name, uint64_t before, uint64_t after) {
    char change[CHANGE];
    printf("  %-34s %11s %11s %12s\n", name, tn_bytes(before), tn_bytes(after),
           format_change(before, after, change));
}

static void print_count(const char *name, uint64_t before, uint64_t after) {
    printf("  %-34s %11s %11s %s%11s\n", name, tn_count(before), tn_count(after),
           sign_of(before, after, " "), tn_count(after > before ? after - before : before - after));
}

static uint64_t count_events(const struct tn_diff_side *side, enum tn_event_kind kind) {
    return tn_trace_count(&side->trace, side->device, kind);
}

static uint64_t live_at_end(const struct tn_diff_side *side) {
    return side->levels.live[side->levels.count - 1];
}

static void print_totals(const struct tn_diff *diff) {
    const struct tn_diff_side *a = &diff->side[0], *b = &diff->side[1];
    print_bytes("peak of live bytes", a->peak.live, b->peak.live);
    print_bytes("rounding at the peak", a->peak.occupied - a->peak.live,
                b->peak.occupied - b->peak.live);
    if (a->device->says_reserved && b->device->says_reserved)
        print_bytes("peak of reserved bytes", a->device->reserved_peak, b->device->reserved_peak);
    if (diff->options->pool != TN_TARGET_KINDS) {
        char name[64];
        (void)snprintf(name, sizeof name, "reserved under %s", tn_target_name(diff->options->pool));
        print_bytes(name, a->reserved, b->reserved);
    }
    print_bytes("live at the start", a->levels.live[0], b->levels.live[0]);
    print_bytes("live at the end", live_at_end(a), live_at_end(b));
    print_count("allocations", count_events(a, TN_EVENT_ALLOC), count_events(b, TN_EVENT_ALLOC));
    print_count("refused requests", count_events(a, TN_EVENT_FAILURE),
                count_events(b, TN_EVENT_FAILURE));
}

static void print_rows(const struct tn_diff_rows *rows, const char *heading, bool blocks,
                       size_t top) {
    size_t shown = 0, equal = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct tn_diff_row *row = &rows->list[i];
        char change[CHANGE];
        if (row->side[0].bytes == row->side[1].bytes) {
            equal++;
            continue;
        }
        if (shown == top) continue;
        if (shown++ == 0) tn_style_print(stdout, TN_STYLE_HEAD, "\n%s\n", heading);
        printf("  %12s  %11s -> %11s  ",
               format_change(row->side[0].bytes, row->side[1].bytes, change),
               tn_bytes(row->side[0].bytes), tn_bytes(row->side[1].bytes));
        if (blocks)
            printf("%6" PRIu64 " -> %6" PRIu64 " blocks  ", row->side[0].count, row->side[1].count);
        printf("%s%s\n", row->text,
               row->side[0].count == 0   ? "  (new)"
               : row->side[1].count == 0 ? "  (gone)"
                                         : "");
    }
    if (rows->count > shown + equal)
        printf("  %zu more that changed less\n", rows->count - shown - equal);
}

void tn_diff_print(const struct tn_diff *diff) {
    size_t top = (size_t)diff->options->top;
    tn_style_print(stdout, TN_STYLE_HEAD, "  %-34s %11s %11s %12s\n", "", "before", "after",
                   "change");
    print_totals(diff);
    print_rows(&diff->holders, "Held at the peak:", true, top);
    print_rows(&diff->phases, "Peaks of phases:", false, top);
}

// ---- JSON

static void set_side(json_t *object, const struct tn_diff_side *side) {
    tn_member_text(object, "recording", side->path);
    tn_member_number(object, "device", side->device->number);
    tn_member_number(object, "peak_live_bytes", side->peak.live);
    tn_member_number(object, "peak_event", side->levels.peak);
    tn_member_number(object, "rounding_bytes", side->peak.occupied - side->peak.live);
    if (side->device->says_reserved)
        tn_member_number(object, "peak_reserved_bytes", side->device->reserved_peak);
    tn_member_number(object, "live_at_start_bytes", side->levels.live[0]);
    tn_member_number(object, "live_at_end_bytes", live_at_end(side));
    tn_member_number(object, "allocations", count_events(side, TN_EVENT_ALLOC));
    tn_member_number(object, "refused", count_events(side, TN_EVENT_FAILURE));
}

static void set_rows(json_t *list, const struct tn_diff_rows *rows, size_t top) {
    for (size_t i = 0; i < rows->count && i < top; i++) {
        const struct tn_diff_row *row = &rows->list[i];
        json_t *object = tn_list_object(list);
        tn_member_text(object, "name", row->text);
        tn_member_number(object, "before_bytes", row->side[0].bytes);
        tn_member_number(object, "after_bytes", row->side[1].bytes);
        tn_member_number(object, "before_count", row->side[0].count);
        tn_member_number(object, "after_count", row->side[1].count);
    }
}

void tn_diff_describe(json_t *whole, const struct tn_diff *diff) {
    size_t top = (size_t)diff->options->top;
    set_side(tn_member_object(whole, "before"), &diff->side[0]);
    set_side(tn_member_object(whole, "after"), &diff->side[1]);
    if (diff->options->pool != TN_TARGET_KINDS) {
        tn_member_text(whole, "pool", tn_target_name(diff->options->pool));
        for (int side = 0; side < 2; side++)
            tn_member_number(json_object_get(whole, side == 0 ? "before" : "after"),
                             "pool_reserved_bytes", diff->side[side].reserved);
    }
    set_rows(tn_member_list(whole, "holders"), &diff->holders, top);
    set_rows(tn_member_list(whole, "phases"), &diff->phases, top);
}

// ---- limits

static bool check_figure(json_t *list, const struct tn_diff *diff, const char *figure,
                         const char *text, const char *name, uint64_t before, uint64_t after) {
    bool is_holder = text[0] == '\0';
    double limit = is_holder ? diff->options->holder_limit : diff->options->limit;
    double base = (double)(is_holder ? diff->side[0].peak.live : before);
    if (after <= before || !((double)(after - before) * 100 > limit * base)) return false;
    (void)tn_complain("device %u: %s%s grew by more than %g%%%s, from %" PRIu64 " to %" PRIu64
                      " bytes",
                      diff->side[1].device->number, text, tn_shown(name), limit,
                      is_holder ? " of the peak" : "", before, after);
    json_t *object = tn_list_object(list);
    tn_member_text(object, "figure", figure);
    tn_member_text(object, "name", name);
    tn_member_number(object, "before_bytes", before);
    tn_member_number(object, "after_bytes", after);
    return true;
}

bool tn_diff_check(json_t *whole, const struct tn_diff *diff) {
    const struct tn_diff_side *a = &diff->side[0], *b = &diff->side[1];
    const struct tn_diff_row *row = diff->holders.list, *end = row + diff->holders.count;
    if (isnan(diff->options->limit) && isnan(diff->options->holder_limit)) return false;
    if (!isnan(diff->options->limit))
        tn_member_set(whole, "limit_percent", json_real(diff->options->limit));
    if (!isnan(diff->options->holder_limit))
        tn_member_set(whole, "holder_limit_percent", json_real(diff->options->holder_limit));
    json_t *list = tn_member_list(whole, "exceeded");
    while (row < end && row->side[1].bytes <= row->side[0].bytes) row++;
    bool over = check_figure(list, diff, "peak_live_bytes", "the peak of live bytes, most at ",
                             row < end ? row->text : "no holder", a->peak.live, b->peak.live);
    if (diff->options->pool != TN_TARGET_KINDS)
        over |= check_figure(list, diff, "peak_reserved_bytes", "the peak of reserved bytes under ",
                             tn_target_name(diff->options->pool), a->reserved, b->reserved);
    for (; row < end; row++)
        over |= check_figure(list, diff, "holder_bytes", "", row->text, row->side[0].bytes,
                             row->side[1].bytes);
    tn_member_set(whole, "over", json_boolean(over));
    return over;
}
