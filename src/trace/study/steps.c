// SPDX-License-Identifier: Apache-2.0
// Finds steps and their growth; see steps.h. The coarsest mark that recurs counts, because finer
// ones lie inside its steps.
#include "trace/study/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/intern.h"
#include "trace/study/period.h"

enum { STEPS_MIN = 3, LABEL_MAX = 256 };

static tarn_status fail_steps(void) {
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the steps");
}

// ---- by marks

// Copies a label without its digits: "step 12" and "step 13" are one.
static size_t strip_digits(const char *label, char stripped[LABEL_MAX]) {
    size_t length = 0;
    for (; *label != '\0' && length < LABEL_MAX; label++)
        if (*label < '0' || *label > '9')
            stripped[length++] = *label;
    return length;
}

static bool equal_label(const void *elements, uint32_t number, const void *wanted) {
    char a[LABEL_MAX], b[LABEL_MAX];
    size_t length = strip_digits((*((const char *const *)elements + number)), a);
    return length == strip_digits((const char *)wanted, b) && memcmp(a, b, length) == 0;
}

// Numbers each text by the first that equals it without digits.
static bool number_labels(const struct tn_trace *trace, uint32_t *first) {
    struct tn_intern table = {0};
    bool fits = true;
    for (uint32_t i = 0; i < trace->text_count && fits; i++) {
        char stripped[LABEL_MAX];
        size_t length = strip_digits(trace->texts[i], stripped);
        uint32_t hash = tn_intern_hash(0, stripped, length);
        if (tn_intern_find(&table, hash, equal_label, trace->texts, trace->texts[i], &first[i]))
            continue;
        first[i] = i;
        fits = tn_intern_add(&table, hash, i);
    }
    tn_intern_release(&table);
    return fits;
}

// Returns the label that recurs the least, but often enough; 0 if there is none.
static uint32_t choose_label(const struct tn_trace *trace, const struct tn_trace_device *device,
                             const uint32_t *first, uint32_t *counts) {
    uint32_t chosen = 0;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_MARK)
            counts[first[event->item]]++;
    }
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind != TN_EVENT_MARK || counts[first[event->item]] < STEPS_MIN)
            continue;
        if (chosen == 0 || counts[first[event->item]] < counts[chosen])
            chosen = first[event->item];
    }
    return chosen;
}

static tarn_status begin_at_marks(const struct tn_trace *trace,
                                  const struct tn_trace_device *device, struct tn_steps *steps) {
    uint32_t *first = (uint32_t *)calloc(trace->text_count + 1, sizeof *first);
    uint32_t *counts = (uint32_t *)calloc(trace->text_count + 1, sizeof *counts);
    bool fits = first != NULL && counts != NULL && number_labels(trace, first);
    uint32_t chosen = fits ? choose_label(trace, device, first, counts) : 0;
    if (chosen != 0) {
        steps->kind = TN_STEPS_BY_MARKS;
        steps->name = chosen;
        steps->begins = (uint32_t *)calloc(counts[chosen], sizeof *steps->begins);
        fits = steps->begins != NULL;
    }
    for (size_t i = 0; i < device->event_count && fits && chosen != 0; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_MARK && first[event->item] == chosen)
            steps->begins[steps->begin_count++] = (uint32_t)(i + 1);
    }
    free(first);
    free(counts);
    return fits ? TARN_OK : fail_steps();
}

// ---- by the period of the allocations

// The allocations of a device in order: a key that is equal in each step, the live bytes before,
// and the moment before.
struct sequence {
    uint64_t *keys;
    uint64_t *levels;
    uint32_t *moments;
    size_t count;
};

static bool begin_sequence(struct sequence *sequence, size_t room) {
    *sequence = (struct sequence){0};
    sequence->keys = (uint64_t *)calloc(room + 1, sizeof *sequence->keys);
    sequence->levels = (uint64_t *)calloc(room + 1, sizeof *sequence->levels);
    sequence->moments = (uint32_t *)calloc(room + 1, sizeof *sequence->moments);
    return sequence->keys != NULL && sequence->levels != NULL && sequence->moments != NULL;
}

static void end_sequence(struct sequence *sequence) {
    free(sequence->keys);
    free(sequence->levels);
    free(sequence->moments);
}

static void list_allocations(const struct tn_trace *trace, const struct tn_trace_device *device,
                             const struct tn_levels *levels, struct sequence *sequence) {
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind != TN_EVENT_ALLOC)
            continue;
        const struct tn_block *block = &trace->blocks[event->item];
        sequence->keys[sequence->count] = block->size * UINT64_C(0x9e3779b97f4a7c15) +
                                          ((uint64_t)block->stack << 12) + block->stream;
        sequence->levels[sequence->count] = levels->live[i];
        sequence->moments[sequence->count++] = (uint32_t)i;
    }
}

static tarn_status begin_at_period(const struct tn_trace *trace,
                                   const struct tn_trace_device *device,
                                   const struct tn_levels *levels, struct tn_steps *steps) {
    struct sequence sequence;
    struct tn_period period = {0};
    tarn_status status = TARN_OK;
    if (!begin_sequence(&sequence, device->event_count))
        status = fail_steps();
    if (status == TARN_OK) {
        list_allocations(trace, device, levels, &sequence);
        status = tn_period_find(sequence.keys, sequence.levels, sequence.count, &period);
    }
    if (status == TARN_OK && period.begin_count >= STEPS_MIN) {
        steps->begins = (uint32_t *)calloc(period.begin_count, sizeof *steps->begins);
        status = steps->begins != NULL ? TARN_OK : fail_steps();
    }
    if (steps->begins != NULL) {
        steps->kind = TN_STEPS_BY_PERIOD;
        steps->period = period.length;
        steps->begin_count = period.begin_count;
        for (size_t i = 0; i < period.begin_count; i++)
            steps->begins[i] = sequence.moments[period.begins[i]];
    }
    tn_period_release(&period);
    end_sequence(&sequence);
    return status;
}

// ---- growth

// Lists the blocks of the settled steps that outlived the step after theirs.
static tarn_status list_grown(const struct tn_trace *trace, const struct tn_trace_device *device,
                              const struct tn_life *lives, struct tn_steps *steps) {
    size_t last = steps->begin_count - 1;
    if (last <= steps->settled + 1)
        return TARN_OK;
    steps->grown_steps = last - 1 - steps->settled;
    steps->grown = (uint32_t *)calloc(device->event_count + 1, sizeof *steps->grown);
    if (steps->grown == NULL)
        return fail_steps();
    for (size_t i = steps->begins[steps->settled]; i < steps->begins[last - 1]; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC &&
            tn_life_covers(&lives[event->item], steps->begins[last]))
            steps->grown[steps->grown_count++] = event->item;
    }
    return TARN_OK;
}

// Returns the highest (or lowest) live bytes at `count` begins from `first` on.
static uint64_t extreme_level(const struct tn_levels *levels, const struct tn_steps *steps,
                              size_t first, size_t count, bool highest) {
    uint64_t extreme = levels->live[steps->begins[first]];
    for (size_t i = first; i < first + count; i++) {
        uint64_t live = levels->live[steps->begins[i]];
        extreme = (live > extreme) == highest && live != extreme ? live : extreme;
    }
    return extreme;
}

// Growth is steady if the first quarter lies below the middle, and the middle below the last
// quarter: noise does not hide it, and a single rise is none.
static void measure_growth(const struct tn_levels *levels, struct tn_steps *steps) {
    size_t last = steps->begin_count - 1, first = steps->settled;
    size_t points = last - first + 1, quarter = points / 4 > 0 ? points / 4 : 1;
    if (points < 2)
        return;
    int64_t from = (int64_t)levels->live[steps->begins[first]];
    int64_t to = (int64_t)levels->live[steps->begins[last]];
    uint64_t middle = levels->live[steps->begins[first + points / 2]];
    steps->growth = (to - from) / (int64_t)(points - 1);
    steps->grows = points >= 3 && extreme_level(levels, steps, first, quarter, true) < middle &&
                   middle < extreme_level(levels, steps, last + 1 - quarter, quarter, false);
}

tarn_status tn_steps_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                          const struct tn_life *lives, const struct tn_levels *levels,
                          struct tn_steps *steps) {
    struct tn_steps made = {0};
    tarn_status status = begin_at_marks(trace, device, &made);
    if (status == TARN_OK && made.kind == TN_STEPS_BY_NONE)
        status = begin_at_period(trace, device, levels, &made);
    if (status == TARN_OK && made.kind != TN_STEPS_BY_NONE) {
        made.settled = 1; // the first step sets up the state of the optimizer, caches, workspaces
        measure_growth(levels, &made);
        status = list_grown(trace, device, lives, &made);
    }
    if (status != TARN_OK)
        tn_steps_release(&made);
    else
        *steps = made;
    return status;
}

void tn_steps_release(struct tn_steps *steps) {
    free(steps->begins);
    free(steps->grown);
    *steps = (struct tn_steps){0};
}
