// SPDX-License-Identifier: Apache-2.0
// Finds the passes and steps of a training program; see training.h. PyTorch announces the steps of an
// optimizer as phases; without those, the stacks show them. A backward pass runs on threads of its
// own: its stacks have functions of automatic differentiation, and no Python or that of hooks.
#include "trace/study/training.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/study/name.h"
#include "trace/study/signs.h"

// ---- signs of stacks

// Recordings may have base names only, so the function around each step is known by both texts.
static bool is_step_wrapper(const struct tn_trace *trace, const struct tn_trace_call *call) {
    const char *function = trace->texts[call->function];
    return (strcmp(function, "wrapper") == 0 || strcmp(function, "profile_hook_step") == 0) &&
           strcmp(tn_name_base(trace->texts[call->file]), "optimizer.py") == 0;
}

bool tn_training_sign(const struct tn_trace *trace, uint16_t *signs, unsigned *all) {
    uint16_t *texts = (uint16_t *)calloc(trace->text_count + 1, sizeof *texts);
    if (texts == NULL) return false;
    for (size_t i = 0; i < trace->text_count; i++)
        texts[i] = (uint16_t)tn_signs_of_training(trace->texts[i]);
    for (size_t i = 1; i < trace->call_count; i++) {
        const struct tn_trace_call *call = &trace->calls[i];
        unsigned own = texts[call->function] | texts[call->file], outer = signs[call->caller];
        if (is_step_wrapper(trace, call)) own |= TN_TRAINING_OPTIMIZER;
        if ((outer & TN_TRAINING_OPERATOR) != 0) // the outermost operator counts
            own &= ~(unsigned)TN_TRAINING_SOURCE;
        signs[i] = (uint16_t)(own | outer);
        *all |= own;
    }
    free(texts);
    return true;
}

// ---- spans

static unsigned signs_of(const struct tn_training *work, const struct tn_event *event) {
    return work->signs[work->trace->blocks[event->item].stack];
}

static void add_span(struct tn_training_spans *spans, uint32_t begin, uint32_t end, bool complete) {
    if (spans->count == 0 || spans->list[spans->count - 1].end <= begin)
        spans->list[spans->count++] = (struct tn_training_span){
            .begin = begin, .end = end, .complete = complete, .pure = true};
}

static bool is_adam(const char *name) {
    return strstr(name, "#Adam.") != NULL || strstr(name, "#AdamW.") != NULL ||
           strstr(name, "#NAdam.") != NULL || strstr(name, "#RAdam.") != NULL;
}

static void list_announced(const struct tn_training *work, const struct tn_phases *phases,
                           const char *name, struct tn_training_spans *spans) {
    for (size_t i = 0; i < phases->count; i++) {
        const struct tn_phase_span *phase = &phases->spans[i];
        const char *text = work->trace->texts[phase->name];
        if (strncmp(text, name, strlen(name)) != 0) continue;
        add_span(spans, phase->begin, phase->end, phase->end <= work->device->event_count);
        spans->list[spans->count - 1].adam |= is_adam(text); // also within that of a wrapper
    }
}

// Lists the steps that stacks show: from the first allocation of an optimizer to the next other
// one or mark. All temporary blocks of the step are freed before.
static void list_stepping(struct tn_training *work) {
    const unsigned wanted = TN_TRAINING_OPTIMIZER | TN_TRAINING_UPDATE;
    size_t count = work->device->event_count, begin = count;
    for (size_t i = 0; i < count; i++) {
        const struct tn_event *event = &work->trace->events[work->device->first_event + i];
        bool steps = event->kind == TN_EVENT_ALLOC && (signs_of(work, event) & wanted) == wanted;
        bool ends = !steps && (event->kind == TN_EVENT_ALLOC || event->kind == TN_EVENT_MARK ||
                               event->kind == TN_EVENT_MARK_END);
        if (steps && begin == count) {
            begin = i;
        } else if (ends && begin != count) {
            add_span(&work->steps, (uint32_t)begin, (uint32_t)i, true);
            begin = count;
        }
    }
    if (begin != count) add_span(&work->steps, (uint32_t)begin, (uint32_t)count, false);
}

// A step may run the passes itself, if the program gives it a function that does.
static void find_mixed_steps(struct tn_training *work) {
    for (size_t i = 0; i < work->steps.count; i++) {
        struct tn_training_span *step = &work->steps.list[i];
        for (size_t k = step->begin; k < step->end && k < work->device->event_count; k++) {
            const struct tn_event *event = &work->trace->events[work->device->first_event + k];
            if (event->kind == TN_EVENT_ALLOC &&
                (signs_of(work, event) & (TN_TRAINING_MODULE | TN_TRAINING_BACKWARD)) != 0)
                step->pure = false;
        }
    }
}

// A pass lasts to the next mark, or to the next allocation that a Python program makes outside of
// it. Stacks may be cut, so those without Python belong to the pass around them.
static bool ends_pass(const struct tn_training *work, const struct tn_event *event,
                      unsigned signs) {
    if (event->kind == TN_EVENT_MARK || event->kind == TN_EVENT_MARK_END) return true;
    return event->kind == TN_EVENT_ALLOC && (signs & TN_TRAINING_BACKWARD) == 0 &&
           ((signs & TN_TRAINING_PYTHON) != 0 || (work->all & TN_TRAINING_PYTHON) == 0);
}

static void list_passes(struct tn_training *work) {
    struct tn_training_span *open = NULL;
    uint32_t forward = 0;
    for (size_t i = 0; i < work->device->event_count; i++) {
        const struct tn_event *event = &work->trace->events[work->device->first_event + i];
        unsigned signs = event->kind == TN_EVENT_ALLOC ? signs_of(work, event) : 0;
        if (open != NULL && ends_pass(work, event, signs)) {
            open->end = (uint32_t)i;
            open->complete = true;
            open = NULL;
        }
        if ((signs & TN_TRAINING_BACKWARD) != 0 && open == NULL) {
            open = &work->passes.list[work->passes.count++];
            *open = (struct tn_training_span){.begin = (uint32_t)i, .forward = forward};
        }
        if ((signs & TN_TRAINING_BACKWARD) != 0) {
            open->last = (uint32_t)(i + 1);
            open->end = (uint32_t)work->device->event_count;
        } else if ((signs & TN_TRAINING_MODULE) != 0) {
            forward = (uint32_t)(i + 1);
        }
    }
}

tarn_status tn_training_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                             const struct tn_phases *phases, struct tn_training *work) {
    struct tn_training made = {.trace = trace, .device = device};
    size_t room = device->event_count + 1;
    TN_TAKE(&made.memory, made.signs, trace->call_count);
    TN_TAKE(&made.memory, made.passes.list, room);
    TN_TAKE(&made.memory, made.steps.list, room);
    TN_TAKE(&made.memory, made.zeros.list, room);
    if (!made.memory.failed && tn_training_sign(trace, made.signs, &made.all)) {
        list_announced(&made, phases, "Optimizer.step", &made.steps);
        list_announced(&made, phases, "Optimizer.zero_grad", &made.zeros);
        if (made.steps.count == 0) list_stepping(&made);
        find_mixed_steps(&made);
        list_passes(&made);
        *work = made;
        return TARN_OK;
    }
    tn_training_release(&made);
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the passes of %zu events",
                   device->event_count);
}

void tn_training_release(struct tn_training *work) {
    tn_scratch_release(&work->memory);
    *work = (struct tn_training){0};
}

// ---- searches

const struct tn_training_span *tn_training_after(const struct tn_training_spans *spans,
                                                 uint32_t moment) {
    size_t low = 0, high = spans->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->list[middle].begin < moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low < spans->count ? &spans->list[low] : NULL;
}

const struct tn_training_span *tn_training_around(const struct tn_training_spans *spans,
                                                  uint32_t moment) {
    const struct tn_training_span *next = tn_training_after(spans, moment);
    size_t before = next != NULL ? (size_t)(next - spans->list) : spans->count;
    return before > 0 && moment <= spans->list[before - 1].end ? &spans->list[before - 1] : NULL;
}
