// SPDX-License-Identifier: Apache-2.0
// Finds the passes and steps of a training program; see training.h. PyTorch announces the steps of an
// optimizer as phases; without those, the stacks show them. A backward pass runs on threads of its
// own: its stacks have functions of automatic differentiation, and no Python or that of hooks.
#include "trace/study/training.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/study/name.h"
#include "trace/study/plumbing.h"

// ---- signs of stacks

struct sign_text {
    const char *text;
    unsigned signs;
};

static const struct sign_text parts[] = {
    {"autograd::Engine::", TN_TRAINING_BACKWARD},
    {"autograd::engine::", TN_TRAINING_BACKWARD}, // PyTorch's profiler
    {"AccumulateGrad", TN_TRAINING_BACKWARD},
    {"run_backward", TN_TRAINING_BACKWARD},
    {"PyNode::apply", TN_TRAINING_BACKWARD | TN_TRAINING_HOOK}, // a backward function in Python
    {"unpack_hook", TN_TRAINING_BACKWARD | TN_TRAINING_HOOK},
    {"getNewWorkspace", TN_TRAINING_WORKSPACE},
    {"BlasLtWorkspace", TN_TRAINING_WORKSPACE},
    {"BlasWorkspace", TN_TRAINING_WORKSPACE},
    {"at::_ops::_to_copy::", TN_TRAINING_CAST},
    {"aten::_to_copy", TN_TRAINING_CAST},
    {"nn.Module: ", TN_TRAINING_MODULE},
    {"cached_cast", TN_TRAINING_CAST},
    {"broadcast_coalesced", TN_TRAINING_CAST}, // of parameters, for other devices
    {"c10d::Reducer", TN_TRAINING_REDUCER},
    {"nn/parallel/distributed.py", TN_TRAINING_REDUCER},
    {"nn\\parallel\\distributed.py", TN_TRAINING_REDUCER},
    {"fsdp", TN_TRAINING_SHARDED},
    {"FSDP", TN_TRAINING_SHARDED},
    {"flat_param", TN_TRAINING_SHARDED},
    {"deepspeed", TN_TRAINING_SHARDED},
    {"megatron", TN_TRAINING_SHARDED},
};

static const struct sign_text names[] = {
    {"backward", TN_TRAINING_BACKWARD},
    {"_make_grads", TN_TRAINING_BACKWARD},
    {"forward", TN_TRAINING_MODULE},
    {"_call_impl", TN_TRAINING_MODULE},
    {"step", TN_TRAINING_UPDATE},
    {"_init_group", TN_TRAINING_UPDATE},
    {"__init__", TN_TRAINING_BUILD},
    {"_apply", TN_TRAINING_BUILD},
    {"deepcopy", TN_TRAINING_BUILD},
    {"__deepcopy__", TN_TRAINING_BUILD},
    {"initialize_parameters", TN_TRAINING_BUILD | TN_TRAINING_LAZY},
    {"materialize", TN_TRAINING_BUILD | TN_TRAINING_LAZY},
    {"load_state_dict", TN_TRAINING_BUILD},
    {"_run_ddp_forward", TN_TRAINING_REDUCER},
};

static bool begins_with(const char *text, const char *part) {
    return strncmp(text, part, strlen(part)) == 0;
}

static bool begins_with_any(const char *text, const char *const *begins, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (begins_with(text, begins[i])) return true;
    return false;
}

// Returns the name of an operator as stacks or PyTorch's profiler have it, or NULL.
static const char *operator_name(const char *text) {
    if (begins_with(text, "at::_ops::")) return text + strlen("at::_ops::");
    return begins_with(text, "aten::") ? text + strlen("aten::") : NULL;
}

// Returns true for operators that compute nothing from other memory of the device.
static bool is_source(const char *name) {
    static const char *const sources[] = {"_to_copy", "to_",      "to::",         "copy_",  "empty",
                                          "zeros",    "ones",     "full",         "arange", "rand",
                                          "eye",      "linspace", "scalar_tensor"};
    return begins_with_any(name, sources, sizeof sources / sizeof *sources) ||
           strcmp(name, "to") == 0;
}

static unsigned text_signs(const char *text) {
    unsigned signs = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        signs |= strstr(text, parts[i].text) != NULL ? parts[i].signs : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        signs |= strcmp(text, names[i].text) == 0 ? names[i].signs : 0;
    if (tn_plumbing_is_backward(text)) signs |= TN_TRAINING_BACKWARD;
    if (tn_plumbing_is_python(text)) signs |= TN_TRAINING_PYTHON;
    bool optimizes = strstr(text, "torch/optim/") != NULL || strstr(text, "torch\\optim\\") != NULL;
    if (optimizes && strstr(text, "scheduler") == NULL && strstr(text, "swa_utils") == NULL)
        signs |= TN_TRAINING_OPTIMIZER;
    const char *name = operator_name(text);
    if (name != NULL)
        signs |= is_source(name) ? TN_TRAINING_OPERATOR | TN_TRAINING_SOURCE : TN_TRAINING_OPERATOR;
    return signs;
}

// Recordings may have base names only, so the function around each step is known by both texts.
static bool is_step_wrapper(const struct tn_trace *trace, const struct tn_trace_call *call) {
    const char *function = trace->texts[call->function];
    return (strcmp(function, "wrapper") == 0 || strcmp(function, "profile_hook_step") == 0) &&
           strcmp(tn_name_base(trace->texts[call->file]), "optimizer.py") == 0;
}

bool tn_training_sign(const struct tn_trace *trace, uint16_t *signs, unsigned *all) {
    uint16_t *texts = (uint16_t *)calloc(trace->text_count + 1, sizeof *texts);
    if (texts == NULL) return false;
    for (size_t i = 0; i < trace->text_count; i++) texts[i] = (uint16_t)text_signs(trace->texts[i]);
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
    static const char *const adams[] = {"#Adam.", "#AdamW.", "#NAdam.", "#RAdam."};
    const char *at = strchr(name, '#');
    return at != NULL && begins_with_any(at, adams, sizeof adams / sizeof *adams);
}

static void list_announced(const struct tn_training *work, const struct tn_phases *phases,
                           const char *name, struct tn_training_spans *spans) {
    for (size_t i = 0; i < phases->count; i++) {
        const struct tn_phase_span *phase = &phases->spans[i];
        const char *text = work->trace->texts[phase->name];
        if (!begins_with(text, name)) continue;
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
