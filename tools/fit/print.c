// SPDX-License-Identifier: Apache-2.0
// Prints the results of `tarn fit`, as text and as JSON. One thread.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "tools/cards.h"
#include "tools/fit/fit.h"
#include "tools/result.h"
#include "tools/terminal.h"

// The cards are those whose name contains the text, or one of a given size.
size_t tn_fitting_choose_cards(const struct tn_fitting_options *options,
                               struct tn_card chosen[TN_CARDS]) {
    size_t count = 0;
    uint64_t bytes;
    // A size has a unit; digits alone are a part of a name.
    if (options->card != NULL && options->card[strspn(options->card, "0123456789")] != '\0' &&
        tn_parse_size(options->card, strlen(options->card), &bytes)) {
        chosen[0] = (struct tn_card){options->card, bytes, options->vendor};
        return 1;
    }
    for (size_t i = 0; i < TN_CARDS; i++)
        if (options->card == NULL || strcasestr(tn_cards[i].name, options->card) != NULL)
            chosen[count++] = tn_cards[i];
    return tn_cards_prefer(options->vendor, chosen, count);
}

static const struct tn_fitting_need *need_of(const struct tn_fitting *fit, size_t device,
                                             enum tn_target_kind kind) {
    return &fit->needs[device * TN_TARGET_KINDS + (size_t)kind];
}

static bool is_shown(const struct tn_fitting *fit, enum tn_target_kind kind) {
    return tn_fitting_wants(fit->options, kind);
}

// The range of failing sizes that contains a size, or NULL.
static const struct tn_fitting_range *failing_range(const struct tn_fitting_need *need,
                                                    uint64_t bytes) {
    for (size_t i = 0; i < need->range_count && i < TN_FITTING_RANGES; i++)
        if (bytes >= need->ranges[i].from && bytes < need->ranges[i].to) return &need->ranges[i];
    return NULL;
}

// Returns the size that a pool lacks to complete in `bytes` on one device, or the room that it leaves
// there, which is negative.
static int64_t missing_bytes(const struct tn_fitting_need *need, uint64_t bytes) {
    const struct tn_fitting_range *range = failing_range(need, bytes);
    bool unlisted = need->range_count > TN_FITTING_RANGES && bytes < need->above &&
                    bytes >= need->ranges[TN_FITTING_RANGES - 1].to;
    uint64_t wanted = unlisted ? need->above : range != NULL ? range->to : need->bytes;
    return (int64_t)(wanted - bytes);
}

// Writes the room that a kind of pool leaves in `usable` bytes of each device, or what it lacks, which
// is negative. Returns false if the need of a device is unknown.
static bool find_margin(const struct tn_fitting *fit, enum tn_target_kind kind, uint64_t usable,
                        int64_t *margin) {
    *margin = INT64_MAX;
    for (size_t i = 0; i < tn_trace_accelerators(fit->trace); i++) {
        const struct tn_fitting_need *need = need_of(fit, i, kind);
        int64_t own = -missing_bytes(need, usable);
        if (!need->known) return false;
        *margin = own < *margin ? own : *margin;
    }
    return *margin != INT64_MAX;
}

// The least that the recorded allocator is known to need.
static uint64_t largest_recorded(const struct tn_fitting *fit) {
    uint64_t largest = 0;
    for (size_t i = 0; i < tn_trace_accelerators(fit->trace); i++) {
        const struct tn_trace_device *part = &fit->trace->devices[i];
        if (!part->says_reserved) return 0;
        uint64_t refused = fit->refused[i].size + fit->refused[i].live;
        largest = part->reserved_peak > largest ? part->reserved_peak : largest;
        if (!fit->options->as_recorded && refused > largest) largest = refused;
    }
    return largest;
}

// ---- text

static void print_ranges(const struct tn_fitting *fit, size_t device,
                         const struct tn_fitting_need *need) {
    const struct tn_fitting_range *first = &need->ranges[0];
    printf("  %-19s %11s", "", tn_bytes(need->above));
    if (fit->peak_live[device] > 0)
        printf("  %5.1f %%", 100.0 * (double)need->above / (double)fit->peak_live[device]);
    printf("  from here on every size%s completes; ",
           need->untried_above > 0 || need->certain == 0 ? " tried" : "");
    if (need->range_count == 1)
        printf("%s to %s fail\n", tn_count(first->from), tn_count(first->to - fit->granule));
    else
        printf("%zu ranges below fail, the first %s to %s\n", need->range_count,
               tn_count(first->from), tn_count(first->to - fit->granule));
}

static void print_need(const struct tn_fitting *fit, size_t device, enum tn_target_kind kind) {
    const struct tn_fitting_need *need = need_of(fit, device, kind);
    if (!need->known) {
        printf("  %-19s unknown: %s\n", tn_target_name(kind), need->text);
        return;
    }
    printf("  %-19s %11s", tn_target_name(kind), tn_bytes(need->bytes));
    if (fit->peak_live[device] > 0)
        printf("  %5.1f %%", 100.0 * (double)need->bytes / (double)fit->peak_live[device]);
    if (need->refused)
        printf("  with less, event %" PRIu64 " fails (%s, %s)", need->event, tn_bytes(need->asked),
               need->cause);
    printf("\n");
    if (need->range_count > 0) print_ranges(fit, device, need);
}

// The sizes of which the outcome is not known, for each pool that has some.
static void print_gaps(const struct tn_fitting *fit, size_t device) {
    for (enum tn_target_kind kind = 0; kind < TN_TARGET_KINDS; kind++) {
        const struct tn_fitting_need *need = need_of(fit, device, kind);
        uint64_t most =
            need->untried_above > need->untried_below ? need->untried_above : need->untried_below;
        if (!is_shown(fit, kind) || !need->known || (most == 0 && need->certain != 0)) continue;
        printf("  %s: not known", tn_target_name(kind));
        if (most > 0) printf(" between sizes that were tried, at most %s apart", tn_bytes(most));
        if (need->certain == 0)
            printf("%s above %s", most > 0 ? ", and" : "", tn_bytes(need->tried_to));
        printf("\n");
    }
}

static void print_device(const struct tn_fitting *fit, size_t device) {
    const struct tn_trace_device *part = &fit->trace->devices[device];
    printf("%s", tn_shown(fit->options->path));
    if (tn_trace_accelerators(fit->trace) > 1) printf(", device %" PRIu32, part->number);
    printf(": peak live %s\n", tn_bytes(fit->peak_live[device]));
    tn_style_print(stdout, TN_STYLE_HEAD, "  pool                      needs  of live\n");
    for (enum tn_target_kind kind = 0; kind < TN_TARGET_KINDS; kind++)
        if (is_shown(fit, kind)) print_need(fit, device, kind);
    const struct tn_fitting_need *planned = need_of(fit, device, TN_TARGET_PLANNED);
    if (is_shown(fit, TN_TARGET_PLANNED) && planned->known)
        printf("  with a plan: %s (`tarn plan`)\n", tn_bytes(planned->bytes));
    if (part->says_reserved)
        printf("  %-19s %11s  %5.1f %%  the recorded allocator reserved this\n", "recording",
               tn_bytes(part->reserved_peak),
               100.0 * (double)part->reserved_peak /
                   (double)(fit->peak_live[device] > 0 ? fit->peak_live[device] : 1));
    if (fit->refused[device].size > 0)
        printf("  A request of %s was refused while this was recorded, with %s live: %s in all. "
               "%s.\n",
               tn_bytes(fit->refused[device].size), tn_bytes(fit->refused[device].live),
               tn_bytes(fit->refused[device].size + fit->refused[device].live),
               fit->options->as_recorded ? "The figures leave it out"
                                         : "The figures of the pools include it");
    print_gaps(fit, device);
    printf("\n");
}

// The room that is left on a card, or what is missing.
static void print_margin(bool known, int64_t margin) {
    char text[32];
    (void)snprintf(text, sizeof text, "%c%s", margin >= 0 ? '+' : '-',
                   tn_bytes((uint64_t)(margin < 0 ? -margin : margin)));
    if (known)
        tn_style_print(stdout, margin >= 0 ? TN_STYLE_GOOD : TN_STYLE_BAD, " %12s", text);
    else
        printf(" %12s", "unknown");
}

static void print_card(const struct tn_fitting *fit, const struct tn_card *card) {
    uint64_t usable = tn_card_usable(card, fit->options->context);
    uint64_t recorded = largest_recorded(fit);
    int64_t margin;
    printf("  %-28s", card->name);
    for (enum tn_target_kind kind = 0; kind < TN_TARGET_KINDS; kind++) {
        bool known = find_margin(fit, kind, usable, &margin);
        if (is_shown(fit, kind)) print_margin(known, margin);
    }
    print_margin(recorded != 0, (int64_t)(usable - recorded));
    printf("\n");
}

static void print_cards(const struct tn_fitting *fit) {
    struct tn_card chosen[TN_CARDS];
    size_t count = tn_fitting_choose_cards(fit->options, chosen);
    if (count == 0 && fit->recorded.bytes == 0) return;
    tn_style_print(
        stdout, TN_STYLE_HEAD,
        "Room on a card after %s for the program itself and others; - is what is missing%s\n",
        tn_bytes(fit->options->context),
        tn_trace_accelerators(fit->trace) > 1 ? ", on the fullest device" : "");
    printf("  %-28s", "card");
    for (enum tn_target_kind kind = 0; kind < TN_TARGET_KINDS; kind++)
        if (is_shown(fit, kind))
            printf(" %12.12s",
                   tn_target_name(kind) +
                       (strncmp(tn_target_name(kind), "expandable:", 11) == 0 ? 11 : 0));
    printf(" %12s\n", "recording");
    if (fit->recorded.bytes != 0) print_card(fit, &fit->recorded);
    for (size_t i = 0; i < count; i++) print_card(fit, &chosen[i]);
}

void tn_fitting_print(const struct tn_fitting *fit) {
    for (size_t i = 0; i < tn_trace_accelerators(fit->trace); i++) print_device(fit, i);
    print_cards(fit);
}

// ---- JSON

static void describe_sizes(json_t *object, const struct tn_fitting_need *need) {
    tn_member_number(object, "completes_from_bytes", need->above);
    tn_member_number(object, "failing_ranges", need->range_count);
    json_t *ranges = tn_member_list(object, "fails");
    for (size_t i = 0; i < need->range_count && i < TN_FITTING_RANGES; i++) {
        json_t *range = tn_list_object(ranges);
        tn_member_number(range, "from_bytes", need->ranges[i].from);
        tn_member_number(range, "below_bytes", need->ranges[i].to);
    }
    if (need->certain != 0)
        tn_member_number(object, "certain_from_bytes",
                         need->untried_above == 0 ? need->above : need->certain);
    tn_member_number(object, "tried_to_bytes", need->tried_to);
    tn_member_number(object, "untried_bytes", need->untried_above);
    tn_member_number(object, "untried_below_bytes", need->untried_below);
    tn_member_number(object, "replays", need->replays);
}

static void describe_need(json_t *object, const struct tn_fitting_need *need,
                          enum tn_target_kind kind) {
    tn_member_text(object, "pool", tn_target_name(kind));
    if (!need->known) {
        tn_member_text(object, "error", need->text);
        return;
    }
    tn_member_number(object, "needs_bytes", need->bytes);
    describe_sizes(object, need);
    if (need->refused) {
        tn_member_number(object, "refused_event", need->event);
        tn_member_number(object, "refused_where", need->where);
        tn_member_number(object, "refused_bytes", need->asked);
        tn_member_text(object, "refused_cause", need->cause);
        tn_member_text(object, "refused_text", need->text);
    }
}

static void describe_device(json_t *object, const struct tn_fitting *fit, size_t device) {
    const struct tn_trace_device *part = &fit->trace->devices[device];
    tn_member_number(object, "device", part->number);
    tn_member_number(object, "peak_live_bytes", fit->peak_live[device]);
    if (part->says_reserved)
        tn_member_number(object, "recorded_reserved_bytes", part->reserved_peak);
    if (fit->refused[device].size > 0) {
        tn_member_number(object, "recorded_refused_bytes", fit->refused[device].size);
        tn_member_number(object, "live_at_refusal_bytes", fit->refused[device].live);
    }
    json_t *pools = tn_member_list(object, "pools");
    for (enum tn_target_kind kind = 0; kind < TN_TARGET_KINDS; kind++)
        if (is_shown(fit, kind))
            describe_need(tn_list_object(pools), need_of(fit, device, kind), kind);
}

static json_t *describe_margin(bool known, int64_t margin) {
    return known ? json_integer((json_int_t)margin) : json_null();
}

static void describe_card(json_t *object, const struct tn_fitting *fit,
                          const struct tn_card *card) {
    uint64_t usable = tn_card_usable(card, fit->options->context);
    uint64_t recorded = largest_recorded(fit);
    int64_t margin;
    tn_member_text(object, "card", card->name);
    tn_member_number(object, "memory_bytes", card->bytes);
    json_t *margins = tn_member_object(object, "margin_bytes");
    for (enum tn_target_kind kind = 0; kind < TN_TARGET_KINDS; kind++) {
        bool known = find_margin(fit, kind, usable, &margin);
        if (is_shown(fit, kind))
            tn_member_set(margins, tn_target_name(kind), describe_margin(known, margin));
    }
    tn_member_set(margins, "recording",
                  describe_margin(recorded != 0, (int64_t)(usable - recorded)));
}

void tn_fitting_print_json(const struct tn_fitting *fit) {
    struct tn_card chosen[TN_CARDS];
    size_t count = tn_fitting_choose_cards(fit->options, chosen);
    json_t *whole = json_object();
    if (fit->recorded.bytes != 0)
        describe_card(tn_member_object(whole, "recorded_card"), fit, &fit->recorded);
    tn_member_text(whole, "recording", fit->options->path);
    tn_member_number(whole, "granularity_bytes", fit->granule);
    tn_member_number(whole, "context_bytes", fit->options->context);
    json_t *devices = tn_member_list(whole, "devices");
    for (size_t i = 0; i < tn_trace_accelerators(fit->trace); i++)
        describe_device(tn_list_object(devices), fit, i);
    json_t *cards = tn_member_list(whole, "cards");
    for (size_t i = 0; i < count; i++) describe_card(tn_list_object(cards), fit, &chosen[i]);
    tn_result_print(whole);
}
