// SPDX-License-Identifier: Apache-2.0
// Finds steps; see steps.h. Most marks are of something smaller than a step, so only labels that
// name steps count. The marks of optimizers are the best: a step of training has one.
#include "trace/study/steps.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/intern.h"
#include "trace/scratch.h"
#include "trace/study/period.h"

// With so many marks a step is settled; a coarser label with fewer of them says less.
enum { STEPS_MIN = 3, STEPS_ENOUGH = 8, LABEL_MAX = 256, WORD_MAX = 32 };

static tarn_status fail_steps(void) {
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the steps");
}

// ---- by marks

// Copies a label without its digits: "step 12" and "step 13" are one.
static size_t strip_digits(const char *label, char stripped[LABEL_MAX]) {
    size_t length = 0;
    for (; *label != '\0' && length < LABEL_MAX; label++)
        if (*label < '0' || *label > '9') stripped[length++] = *label;
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

static const char *const step_words[] = {"step",  "steps", "iter", "iteration",
                                         "epoch", "frame", "cycle"};

// The begins of words that name a part of a step, or what precedes the steps.
static const char *const part_words[] = {
    "accum",   "attention", "autotun", "backward", "bench",  "block",  "build", "bwd",    "calib",
    "captur",  "chunk",     "compil",  "decod",    "denois", "diffus", "draft", "expert", "forward",
    "fwd",     "generat",   "head",    "init",     "inner",  "layer",  "load",  "micro",  "pipe",
    "prefill", "quant",     "sampl",   "stage",    "sub",    "tile",   "token", "tun",    "warm"};

// Copies the next word of a label in lower case, and returns the text behind it, or NULL if there
// is none. A word is of letters, and a capital after a small letter begins another.
static const char *next_word(const char *at, char word[WORD_MAX]) {
    size_t length = 0;
    while (*at != '\0' && !isalpha((unsigned char)*at)) at++;
    for (const char *first = at; isalpha((unsigned char)*at); at++) {
        if (at > first && isupper((unsigned char)*at) && islower((unsigned char)at[-1])) break;
        if (length + 1 < WORD_MAX) word[length++] = (char)tolower((unsigned char)*at);
    }
    word[length] = '\0';
    return length > 0 ? at : NULL;
}

// Returns true if a label names steps of the program, such as "step 12" or "ProfilerStep#3", and
// not parts of them, such as "layer step 2" or "micro-step".
static bool names_step(const char *label) {
    char word[WORD_MAX];
    bool names = tn_is_optimizer_step(label);
    while (!tn_is_optimizer_step(label) && (label = next_word(label, word)) != NULL) {
        for (size_t i = 0; i < sizeof step_words / sizeof *step_words; i++)
            names = names || strcmp(word, step_words[i]) == 0;
        for (size_t i = 0; i < sizeof part_words / sizeof *part_words; i++)
            if (strncmp(word, part_words[i], strlen(part_words[i])) == 0) return false;
    }
    return names;
}

// The marks of one label.
struct label_marks {
    uint32_t count;
    uint32_t first; // moments
    uint32_t last;
};

static void count_marks(const struct tn_trace *trace, const struct tn_trace_device *device,
                        const uint32_t *first, struct label_marks *marks) {
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind != TN_EVENT_MARK) continue;
        struct label_marks *own = &marks[first[event->item]];
        if (own->count++ == 0) own->first = (uint32_t)(i + 1);
        own->last = (uint32_t)(i + 1);
    }
}

// Returns true if a label shows steps better than another one does: the coarser of two that have
// enough marks, or else the finer.
static bool is_better(const struct label_marks *a, const struct label_marks *b) {
    if (a->count >= STEPS_ENOUGH && b->count >= STEPS_ENOUGH) return a->count < b->count;
    return a->count > b->count;
}

// Returns the label that shows the steps, over half of the recording at least; 0 if there is none.
// If an optimizer has marks, other marks may be of micro-batches.
static uint32_t choose_label(const struct tn_trace *trace, const struct tn_trace_device *device,
                             const uint32_t *first, struct label_marks *marks) {
    uint32_t chosen = 0;
    bool optimizes = false;
    count_marks(trace, device, first, marks);
    for (uint32_t i = 1; i < trace->text_count; i++)
        optimizes = optimizes || (marks[i].count > 0 && tn_is_optimizer_step(trace->texts[i]));
    for (uint32_t i = 1; i < trace->text_count; i++) {
        const char *label = trace->texts[i];
        bool spans = 2 * (size_t)(marks[i].last - marks[i].first) >= device->event_count;
        if (marks[i].count >= STEPS_MIN && spans && names_step(label) &&
            (!optimizes || tn_is_optimizer_step(label)) &&
            (chosen == 0 || is_better(&marks[i], &marks[chosen])))
            chosen = i;
    }
    return chosen;
}

// Lists the marks. Of those without memory events between them, as from before a ring buffer
// began, only the last counts.
static void list_marks(const struct tn_trace *trace, const struct tn_trace_device *device,
                       const uint32_t *first, struct tn_steps *steps) {
    bool used = true;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        used = used || event->kind == TN_EVENT_ALLOC || event->kind == TN_EVENT_FREE;
        if (event->kind != TN_EVENT_MARK || first[event->item] != steps->name) continue;
        steps->begin_count -= used ? 0 : 1;
        steps->begins[steps->begin_count++] = (uint32_t)(i + 1);
        used = false;
    }
}

static tarn_status begin_at_marks(const struct tn_trace *trace,
                                  const struct tn_trace_device *device, struct tn_steps *steps) {
    struct tn_scratch memory = {0};
    uint32_t *first;
    struct label_marks *marks;
    TN_TAKE(&memory, first, trace->text_count);
    TN_TAKE(&memory, marks, trace->text_count);
    bool fits = !memory.failed && number_labels(trace, first);
    uint32_t chosen = fits ? choose_label(trace, device, first, marks) : 0;
    if (chosen != 0) {
        steps->kind = TN_STEPS_BY_MARKS;
        steps->name = chosen;
        steps->begins = (uint32_t *)calloc(marks[chosen].count, sizeof *steps->begins);
        fits = steps->begins != NULL;
    }
    if (fits && chosen != 0) list_marks(trace, device, first, steps);
    tn_scratch_release(&memory);
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

static void list_allocations(const struct tn_trace *trace, const struct tn_trace_device *device,
                             const struct tn_levels *levels, struct sequence *sequence) {
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind != TN_EVENT_ALLOC) continue;
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
    struct sequence sequence = {0};
    struct tn_scratch memory = {0};
    struct tn_period period = {0};
    TN_TAKE(&memory, sequence.keys, device->event_count);
    TN_TAKE(&memory, sequence.levels, device->event_count);
    TN_TAKE(&memory, sequence.moments, device->event_count);
    tarn_status status = memory.failed ? fail_steps() : TARN_OK;
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
    tn_scratch_release(&memory);
    return status;
}

tarn_status tn_steps_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                          const struct tn_levels *levels, struct tn_steps *steps) {
    struct tn_steps made = {0};
    tarn_status status = begin_at_marks(trace, device, &made);
    if (status == TARN_OK && made.kind == TN_STEPS_BY_NONE)
        status = begin_at_period(trace, device, levels, &made);
    if (status != TARN_OK)
        tn_steps_release(&made);
    else
        *steps = made;
    return status;
}

void tn_steps_release(struct tn_steps *steps) {
    free(steps->begins);
    *steps = (struct tn_steps){0};
}
