// SPDX-License-Identifier: Apache-2.0
// The answer to the question about the size of the card; see explain.h. The cards are those of the
// recording's vendor, or of all where the recording does not show it.
#include "trace/study/card.h"
#include "tools/cards.h"
#include "tools/explain/explain.h"
#include "tools/result.h"

enum { NEEDS = 3 };

// An amount of memory that a card has to have beside a context.
struct need {
    const char *what;
    const char *name; // in JSON
    uint64_t bytes;
};

static size_t list_needs(const struct tn_explain *explain, struct need needs[NEEDS]) {
    const struct tn_verdict *verdict = &explain->verdict;
    const struct tn_explain_replay *replay = &explain->replays[TN_EXPLAIN_EXPANDABLE];
    uint64_t live = tn_explain_peak(explain->trace, explain->device), wanted = live;
    size_t count = 0;
    if (live == 0 || explain->device->kind == TN_DEVICE_HOST) return 0;
    if (verdict->failure != NULL) {
        wanted = explain->levels.live[verdict->at] + verdict->failure->size;
        needs[0] = (struct need){"smallest that could hold the live and the refused",
                                 "live_and_refused", wanted > live ? wanted : live};
        return 1;
    }
    needs[count++] = (struct need){"smallest that could hold the live", "live", live};
    if (explain->levels.reserved != NULL)
        needs[count++] = (struct need){"that holds the recorded", "reserved",
                                       explain->levels.reserved[explain->levels.peak_reserved]};
    if (replay->peak != 0)
        needs[count++] = (struct need){"in Tarn's expandable:memory", replay->pool, replay->peak};
    return count;
}

static bool is_named(enum tn_vendor vendor, enum tn_vendor shown) {
    return shown == TN_VENDORS || vendor == shown;
}

// Prints the smallest card, or that of each vendor if the vendor is not known.
static void print_cards(enum tn_vendor vendor, uint64_t bytes, FILE *out) {
    const char *between = "";
    for (enum tn_vendor i = 0; i < TN_VENDORS; i++) {
        if (!is_named(i, vendor)) continue;
        const struct tn_card *card = tn_card_smallest(i, bytes);
        const char *name = tn_vendor_name(i);
        if (card == NULL)
            fprintf(out, "%sno %s card of the list", between, name);
        else if (vendor != TN_VENDORS || strncmp(card->name, name, strlen(name)) == 0)
            fprintf(out, "%s%s", between, card->name);
        else
            fprintf(out, "%s%s %s", between, name, card->name);
        between = " / ";
    }
}

static bool is_same(enum tn_vendor vendor, uint64_t a, uint64_t b) {
    for (enum tn_vendor i = 0; i < TN_VENDORS; i++)
        if (is_named(i, vendor) && tn_card_smallest(i, a) != tn_card_smallest(i, b)) return false;
    return true;
}

void tn_answer_card(const struct tn_explain *explain, FILE *out) {
    enum tn_vendor vendor = tn_vendor_find(explain->trace);
    struct need needs[NEEDS];
    size_t count = list_needs(explain, needs);
    struct tn_recorded_card own = tn_recorded_card(explain->trace, explain->device);
    if (count == 0) {
        fputs(explain->device->kind == TN_DEVICE_HOST
                  ? "cannot be told: this is memory of the host"
                  : "cannot be told: the recording has no blocks, or more than all memory",
              out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%s %s: ", i > 0 ? "; " : "", needs[i].what, tn_bytes(needs[i].bytes));
        if (i > 0 && is_same(vendor, needs[i - 1].bytes, needs[i].bytes))
            fputs("the same", out);
        else
            print_cards(vendor, needs[i].bytes, out);
    }
    if (own.bytes != 0)
        fprintf(out, "; its own card has %s%s%s", own.is_whole ? "" : "at least ",
                tn_bytes(own.bytes), explain->verdict.failure != NULL ? ", and refused it" : "");
    if (explain->is_state && explain->device->sample_count == 0)
        fputs("; other moments are unknown", out);
    else if (explain->device->starting_count > 0)
        fputs("; peaks before the recording are unknown", out);
    fputs(explain->verdict.failure != NULL
              ? "; with 512 MiB for a context (`tarn fit` counts the refused request too)"
              : "; with 512 MiB for a context (`tarn fit` lists all cards)",
          out);
}

void tn_explain_set_cards(json_t *object, const struct tn_explain *explain) {
    enum tn_vendor vendor = tn_vendor_find(explain->trace);
    struct need needs[NEEDS];
    size_t count = list_needs(explain, needs);
    struct tn_recorded_card own = tn_recorded_card(explain->trace, explain->device);
    if (vendor != TN_VENDORS) tn_member_text(object, "vendor", tn_vendor_name(vendor));
    if (own.bytes != 0)
        tn_member_number(object, own.is_whole ? "own_bytes" : "own_bytes_at_least", own.bytes);
    for (size_t i = 0; i < count; i++) {
        json_t *need = tn_member_object(object, needs[i].name);
        tn_member_number(need, "bytes", needs[i].bytes);
        json_t *cards = tn_member_list(need, "smallest");
        for (enum tn_vendor k = 0; k < TN_VENDORS; k++) {
            const struct tn_card *card =
                is_named(k, vendor) ? tn_card_smallest(k, needs[i].bytes) : NULL;
            if (card != NULL) tn_list_add(cards, json_string(card->name));
        }
    }
}
