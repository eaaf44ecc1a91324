// SPDX-License-Identifier: Apache-2.0
// Answers about the whole recording: leaks, completeness, other pools and the cost of the
// allocator. Each is one line; see explain.h.
#include <stdlib.h>

#include "base/error.h"
#include "tools/explain/explain.h"
#include "trace/study/name.h"

// Prints how the steps were found.
static void print_origin(const struct tn_explain *explain, FILE *out) {
    const struct tn_steps *steps = &explain->steps;
    char text[TN_OWNER_TEXT];
    if (steps->kind == TN_STEPS_BY_MARKS)
        fprintf(out, " (from mark to mark, \"%s\")",
                tn_explain_key(explain, TN_HOLD_BY_PHASE, steps->name, text));
    else
        fprintf(out, " (a sequence of %s allocations)", tn_count(steps->period));
}

// Prints what each step leaves, such as "2.00 MiB (2,097,152 bytes)".
static void print_left(const struct tn_explain *explain, FILE *out) {
    fputs(tn_bytes(explain->leak.bytes), out);
    if (explain->leak.bytes >= 1024) fprintf(out, " (%s bytes)", tn_count(explain->leak.bytes));
}

// Prints whose most of it is.
static void print_leaker(const struct tn_explain *explain, FILE *out) {
    const struct tn_holders *grown = &explain->grown.functions;
    char text[TN_OWNER_TEXT];
    if (grown->count > 0)
        fprintf(out, "%.0f %% from %s", 100 * (double)grown->list[0].bytes / (double)grown->bytes,
                tn_explain_function(explain, &explain->grown.lines, grown->list[0].key, text));
}

static void print_growth(const struct tn_explain *explain, FILE *out) {
    print_left(explain, out);
    fprintf(out, " a step stay to the end, in each of %s steps", tn_count(explain->leak.steps));
    print_origin(explain, out);
    fputs(": ", out);
    print_leaker(explain, out);
}

static void print_no_leak(const struct tn_explain *explain, FILE *out) {
    const struct tn_leak *leak = &explain->leak;
    const char *steps = explain->steps.kind == TN_STEPS_BY_MARKS ? "steps" : "repetitions";
    uint64_t last = explain->levels.live[explain->levels.count - 1];
    fputs("no: ", out);
    if (leak->reason == TN_LEAK_FREED)
        fputs("all that was allocated inside the recording is freed at its end", out);
    else if (leak->reason == TN_LEAK_RETURNS)
        fprintf(out, "live is %s at the end, as it was at the start", tn_bytes(last));
    else if (leak->reason == TN_LEAK_LEVEL)
        fprintf(out, "live returns to %s in each of the last %s %s", tn_bytes(leak->level),
                tn_count(leak->steps), steps);
    else
        fprintf(out, "nothing stays of what was allocated in %s %s before the last",
                tn_count(leak->steps), steps);
    if (leak->reason == TN_LEAK_LEVEL || leak->reason == TN_LEAK_CLEAN) print_origin(explain, out);
}

// Prints that a sequence recurs, and what it leaves if that is always the same.
static void print_repetitions(const struct tn_explain *explain, FILE *out) {
    fprintf(out,
            "a sequence of %s allocations recurs %s times, but may be a layer or a part of a step",
            tn_count(explain->steps.period), tn_count(explain->steps.begin_count - 1));
    if (explain->leak.bytes == 0) return;
    fputs("; each leaves ", out);
    print_left(explain, out);
    fputs(", ", out);
    print_leaker(explain, out);
}

// Prints why it cannot be told.
static void print_doubt(const struct tn_explain *explain, FILE *out) {
    const struct tn_leak *leak = &explain->leak;
    const struct tn_levels *levels = &explain->levels;
    size_t steps = explain->steps.begin_count > 0 ? explain->steps.begin_count - 1 : 0;
    fputs("cannot be told: ", out);
    if (leak->reason == TN_LEAK_NO_STEPS) {
        fputs("no mark names steps, and no sequence of allocations recurs", out);
    } else if (leak->reason <= TN_LEAK_BUILDS) {
        print_growth(explain, out);
        fputs(
            leak->reason == TN_LEAK_SLIGHT
                ? ", but all of it is less than a thousandth of the peak: it leaks or keeps records"
            : leak->reason == TN_LEAK_STATE
                ? ", but these may be gradients, state of an optimizer or a cache"
                : ", but that is most of what the steps allocate: they may set up memory",
            out);
    } else if (explain->steps.kind == TN_STEPS_BY_PERIOD) {
        print_repetitions(explain, out);
    } else {
        fprintf(out,
                leak->reason == TN_LEAK_FEW ? "only %s"
                : leak->reason == TN_LEAK_PART
                    ? "%s in a part of the recording"
                    : "in %s, live does not rise by the same bytes of the same owners",
                tn_number(steps, leak->reason == TN_LEAK_FEW ? "complete step" : "step"));
        print_origin(explain, out);
    }
    fprintf(out, "; live was %s at the start and %s at the end", tn_bytes(levels->live[0]),
            tn_bytes(levels->live[levels->count - 1]));
}

void tn_answer_leak(const struct tn_explain *explain, FILE *out) {
    if (tn_explain_cannot(explain->is_state, tn_explain_lack(explain), out)) return;
    if (explain->leak.verdict == TN_LEAK_YES) {
        fputs("yes: ", out);
        print_growth(explain, out);
    } else if (explain->leak.verdict == TN_LEAK_NO) {
        print_no_leak(explain, out);
    } else {
        print_doubt(explain, out);
    }
}

void tn_answer_kept(const struct tn_explain *explain, FILE *out) {
    const struct tn_holders *kept = &explain->kept.functions;
    char text[TN_OWNER_TEXT];
    uint64_t count = 0;
    if (tn_explain_cannot(explain->is_state, tn_explain_lack(explain), out)) return;
    for (size_t i = 0; i < kept->count; i++) count += kept->list[i].count;
    fprintf(out, "%s, %s, allocated inside the recording and live at its end",
            tn_number(count, "block"), tn_bytes(kept->bytes));
    for (size_t i = 0; i < kept->count && i < 3; i++)
        fprintf(out, "%s %s %s", i == 0 ? ":" : ",", tn_bytes(kept->list[i].bytes),
                tn_explain_function(explain, &explain->kept.lines, kept->list[i].key, text));
}

void tn_answer_before(const struct tn_explain *explain, FILE *out) {
    const struct tn_trace_device *device = explain->device;
    size_t known = 0;
    for (size_t i = 0; i < device->starting_count; i++)
        known += explain->trace->blocks[device->first_starting + i].stack != 0;
    if (device->starting_count == 0) {
        fputs("nothing was live at the start", out);
    } else {
        fprintf(out, "%s in %s live at the start; stacks are known for %s",
                tn_bytes(explain->levels.live[0]), tn_number(device->starting_count, "block"),
                tn_count(known));
        if (known < device->starting_count && !explain->is_state)
            fputs(" (start the recording before the model is built to have all)", out);
    }
    if (explain->levels.reserved != NULL)
        fprintf(out, "; %s were reserved then", tn_bytes(explain->levels.reserved[0]));
}

void tn_answer_complete(const struct tn_explain *explain, FILE *out) {
    if (explain->is_state)
        fprintf(out, "no: %s", tn_explain_lack(explain));
    else if (tn_explain_is_on(explain, "trace_alloc_overflowed"))
        fprintf(out,
                "no: the ring overflowed, the last %s events were kept; peaks before are unknown",
                tn_count(explain->device->event_count));
    else if (explain->device->starting_count > 0)
        fprintf(out, "it begins with %s live: peaks before its first event are unknown",
                tn_number(explain->device->starting_count, "block"));
    else
        fputs("it begins with no block live, so it holds the whole history of the device", out);
    const struct tn_levels *levels = &explain->levels;
    if (tn_explain_contradicts(explain, levels->peak))
        fprintf(out, "; it contradicts itself: %s are live at the peak, and %s reserved",
                tn_bytes(levels->live[levels->peak]), tn_bytes(levels->reserved[levels->peak]));
    if (explain->trace->note_count > 0)
        fprintf(out, "; it contradicts itself %s, first: %s",
                tn_number(explain->trace->note_count, "time"), explain->trace->notes[0]);
}

static bool has_no_replays(const struct tn_explain *explain, FILE *out) {
    if (explain->replays[0].pool != NULL) return false;
    fputs(explain->options->replays ? "cannot be told: the recording has no allocations to replay"
                                    : "not replayed (--no-replay)",
          out);
    return true;
}

static void print_recorded(const struct tn_explain *explain, FILE *out) {
    // The recorded peak is of the same work as a replay only if an event of the recording made it.
    if (explain->levels.reserved != NULL && explain->levels.peak_reserved > 0)
        fprintf(out, "%s as recorded",
                tn_bytes(explain->levels.reserved[explain->levels.peak_reserved]));
    else if (explain->levels.reserved != NULL)
        fprintf(out, "%s as recorded, but reserved before the recording began: not comparable",
                tn_bytes(explain->levels.reserved[0]));
    else
        fputs("bytes that are not recorded", out);
}

void tn_answer_expandable(const struct tn_explain *explain, FILE *out) {
    const struct tn_explain_replay *replay = &explain->replays[TN_EXPLAIN_EXPANDABLE];
    const struct tn_expandable *option = &explain->expandable;
    if (has_no_replays(explain, out)) return;
    if (tn_explain_is_on(explain, "expandable_segments")) fputs("they were used; ", out);
    if (option->with_room != 0)
        fprintf(out,
                "PyTorch's expandable segments reserve %s with room on the card, because they "
                "move pages only when the card is full%s%s%s; ",
                tn_bytes(option->with_room), option->least != 0 ? ", and need a card of " : "",
                option->least != 0 ? tn_bytes(option->least) : "",
                option->least != 0 ? " at least" : "");
    fprintf(out, "with one growing range (Tarn's %s) ", replay->pool);
    if (replay->peak != 0)
        fprintf(out, "the peak is %s, against ", tn_bytes(replay->peak));
    else
        fputs("the memory does not suffice, against ", out);
    print_recorded(explain, out);
    fprintf(out, "; replayed %s", explain->card.text);
}

static void print_plan(const struct tn_explain_replay *replay, FILE *out) {
    const struct tn_totals *totals = &replay->totals;
    fputs("; with a plan: ", out);
    if (replay->pool == NULL)
        fprintf(out, "not tried for more than %s events (`tarn fit` does)",
                tn_count(TN_REPLAY_PLAN_EVENTS));
    else
        fputs(replay->peak != 0 ? tn_bytes(replay->peak) : "does not fit", out);
    if (totals->unplanned + totals->late > 0)
        fprintf(
            out,
            " (of %s %s with %s get no place: %s not in the plan, %s because the place is taken)",
            tn_number(totals->planned + totals->unplanned + totals->late, "large request"),
            tn_count(totals->unplanned + totals->late),
            tn_bytes(totals->unplanned_bytes + totals->late_bytes), tn_count(totals->unplanned),
            tn_count(totals->late));
}

void tn_answer_pools(const struct tn_explain *explain, FILE *out) {
    if (has_no_replays(explain, out)) return;
    for (size_t i = 0; i < TN_EXPLAIN_PLANNED; i++)
        fprintf(out, "%s%s %s", i == 0 ? "" : ", ", explain->replays[i].pool,
                explain->replays[i].peak != 0 ? tn_bytes(explain->replays[i].peak)
                                              : "does not fit");
    print_plan(&explain->replays[TN_EXPLAIN_PLANNED], out);
    fputs("; reserved ", out);
    print_recorded(explain, out);
    fprintf(out, "; replayed %s (`tarn fit` finds the least memory of each)", explain->card.text);
}

void tn_answer_difference(const struct tn_explain *explain, FILE *out) {
    (void)explain;
    fputs("this is one recording: `tarn diff A B` compares two", out);
}

// Prints the call that returned the last segment: most programs have one such place.
static void print_returner(const struct tn_explain *explain, FILE *out) {
    const struct tn_trace *trace = explain->trace;
    char text[TN_OWNER_TEXT];
    for (size_t i = explain->device->event_count; i-- > 0;) {
        const struct tn_event *event = &trace->events[explain->device->first_event + i];
        uint32_t stack =
            event->kind == TN_EVENT_SEGMENT_RETURN ? trace->segments[event->item].stack : 0;
        if (stack == 0) continue;
        fprintf(out, "; the last was returned by %s",
                tn_name_call(explain->trace, explain->owners.detail, explain->owners.calls[stack],
                             true, text));
        uint32_t caller = trace->calls[explain->owners.calls[stack]].caller;
        if (caller != 0)
            fprintf(out, " < %s",
                    tn_name_call(explain->trace, explain->owners.detail,
                                 explain->owners.calls[caller], true, text));
        return;
    }
}

void tn_answer_calls(const struct tn_explain *explain, FILE *out) {
    const struct tn_explain_calls *calls = &explain->calls;
    const struct tn_trace_device *device = explain->device;
    const struct tn_event *events = explain->trace->events + device->first_event;
    if (tn_explain_cannot(explain->levels.reserved == NULL,
                          "the calls of the device are not recorded", out))
        return;
    fprintf(out, "%s taken (%s), %s returned (%s)", tn_number(calls->taken, "segment"),
            tn_bytes(calls->taken_bytes), tn_count(calls->returned),
            tn_bytes(calls->returned_bytes));
    if ((explain->trace->lacks & TN_TRACE_NO_TIMES) == 0 && device->event_count > 0)
        fprintf(out, " in %.2f s",
                (double)(events[device->event_count - 1].time_us - events[0].time_us) / 1e6);
    if (calls->again > 0)
        fprintf(out, "; %s were taken with the size of one returned", tn_count(calls->again));
    print_returner(explain, out);
}

// ---- the list of the questions

static const struct {
    const char *question;
    tn_explain_answers *answer;
} questions[TN_QUESTIONS] = {
    {"Why did it fail?", tn_answer_failure},
    {"Full, or fragmented?", tn_answer_fragmentation},
    {"Who holds the memory?", tn_answer_holders},
    {"When was the peak, in what phase?", tn_answer_peak},
    {"Which line asked?", tn_answer_line},
    {"Why is more reserved than allocated?", tn_answer_reserved},
    {"Does it leak?", tn_answer_leak},
    {"What was never freed?", tn_answer_kept},
    {"What was held before it began?", tn_answer_before},
    {"Is the recording complete?", tn_answer_complete},
    {"How much would have to be saved?", tn_answer_saving},
    {"Would expandable segments help?", tn_answer_expandable},
    {"Would another pool help?", tn_answer_pools},
    {"What size of card would fit?", tn_answer_card},
    {"Parameters, gradients, activations?", tn_answer_roles},
    {"What belongs to others?", tn_answer_others},
    {"Which stream or pool keeps apart?", tn_answer_apart},
    {"Who frees too late?", tn_answer_late},
    {"What changed between recordings?", tn_answer_difference},
    {"What does the allocator cost?", tn_answer_calls},
};

const char *tn_explain_question(unsigned number) { return questions[number - 1].question; }

// Returns the answer as a sentence, or NULL if out of memory. The error of a stream is kept until it
// is closed.
static char *answer_question(const struct tn_explain *explain, unsigned number) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    questions[number - 1].answer(explain, out);
    fputs(".", out);
    bool complete = ferror(out) == 0;
    if (fclose(out) == 0 && complete) return text;
    free(text);
    return NULL;
}

tarn_status tn_explain_answer(struct tn_explain *explain) {
    unsigned only = explain->options->question; // 0 for all
    for (unsigned i = only > 0 ? only : 1; i <= (only > 0 ? only : TN_QUESTIONS); i++) {
        explain->answers[i - 1] = answer_question(explain, i);
        TN_REFUSE(explain->answers[i - 1] == NULL, TARN_NO_HOST_MEMORY,
                  "out of host memory for the answer to question %u", i);
    }
    return TARN_OK;
}
