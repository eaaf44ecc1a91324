// SPDX-License-Identifier: Apache-2.0
// Infers the roles of blocks; see roles.h. An optimizer announces its steps as phases named
// "Optimizer.step...", and allocations of the backward pass have its functions on their stacks.
#include "trace/study/roles.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const char *tn_role_name(enum tn_trace_category category) {
    static const char *const names[] = {[TN_CATEGORY_NONE] = "unclear",
                                        [TN_CATEGORY_PARAMETER] = "parameters",
                                        [TN_CATEGORY_OPTIMIZER_STATE] = "optimizer state",
                                        [TN_CATEGORY_INPUT] = "inputs",
                                        [TN_CATEGORY_TEMPORARY] = "temporary",
                                        [TN_CATEGORY_ACTIVATION] = "activations",
                                        [TN_CATEGORY_GRADIENT] = "gradients",
                                        [TN_CATEGORY_AUTOGRAD_DETAIL] = "autograd details",
                                        [TN_CATEGORY_UNKNOWN] = "unclear"};
    return names[category];
}

// The steps of a device's training loop, as the recording shows them.
struct loop {
    const struct tn_holder_keys *keys;
    uint32_t *next_backward; // by moment: the first later allocation of a backward pass
    uint32_t *next_step;     // by moment: the first optimizer step that begins later
    size_t moments;
    bool has_backward, has_steps;
};

static bool is_optimizer_step(const struct tn_holder_keys *keys, const struct tn_phase_span *span) {
    return strncmp(keys->trace->texts[span->name], "Optimizer.step", 14) == 0;
}

static bool is_backward(const struct tn_holder_keys *keys, uint32_t block) {
    return keys->owners->backward[keys->trace->blocks[block].stack] != 0;
}

static void find_backward(struct loop *loop, const struct tn_trace_device *device) {
    uint32_t next = TN_NEVER;
    for (size_t i = loop->moments; i-- > 0;) {
        loop->next_backward[i] = next;
        if (i == 0)
            break;
        const struct tn_event *event = &loop->keys->trace->events[device->first_event + i - 1];
        if (event->kind == TN_EVENT_ALLOC && is_backward(loop->keys, event->item))
            next = (uint32_t)i;
    }
    loop->has_backward = next != TN_NEVER;
}

static void find_steps(struct loop *loop) {
    const struct tn_phases *phases = loop->keys->phases;
    uint32_t next = TN_NEVER;
    size_t left = phases->count;
    for (size_t i = loop->moments; i-- > 0;) {
        loop->next_step[i] = next;
        for (; left > 0 && phases->spans[left - 1].begin >= i; left--)
            if (is_optimizer_step(loop->keys, &phases->spans[left - 1]))
                next = phases->spans[left - 1].begin;
    }
    loop->has_steps = next != TN_NEVER;
}

// Returns the end of the optimizer step around a moment, or 0.
static uint32_t step_around(const struct loop *loop, uint32_t moment) {
    const struct tn_phases *phases = loop->keys->phases;
    for (uint32_t at = phases->at[moment]; at != 0; at = phases->spans[at - 1].parent)
        if (is_optimizer_step(loop->keys, &phases->spans[at - 1]))
            return phases->spans[at - 1].end;
    return 0;
}

static enum tn_trace_category infer_role(const struct loop *loop, uint32_t block) {
    const struct tn_life *life = &loop->keys->lives[block];
    uint32_t step_end = step_around(loop, life->born);
    bool stays = life->freed == TN_NEVER;
    if (step_end != 0) // optimizers keep their state, or replace it in their next step
        return life->freed > step_end ? TN_CATEGORY_OPTIMIZER_STATE : TN_CATEGORY_TEMPORARY;
    if (is_backward(loop->keys, block))
        return life->freed > loop->next_step[life->born] || stays ? TN_CATEGORY_GRADIENT
                                                                  : TN_CATEGORY_TEMPORARY;
    if (stays)
        return life->born == 0 || life->born < loop->next_backward[0] ? TN_CATEGORY_PARAMETER
                                                                      : TN_CATEGORY_NONE;
    return life->freed > loop->next_backward[life->born] ? TN_CATEGORY_ACTIVATION
                                                         : TN_CATEGORY_TEMPORARY;
}

static void add_role(struct tn_roles *roles, enum tn_trace_category category, uint64_t bytes) {
    roles->bytes[category] += bytes;
    roles->counts[category]++;
}

static void sum_recorded(const struct tn_moment *moment, struct tn_roles *roles) {
    for (size_t i = 0; i < moment->block_count; i++) {
        const struct tn_block *block = &moment->trace->blocks[moment->blocks[i]];
        add_role(roles, (enum tn_trace_category)block->category, block->size);
        roles->known |= block->category != TN_CATEGORY_NONE;
    }
}

static void sum_inferred(const struct loop *loop, const struct tn_moment *moment,
                         struct tn_roles *roles) {
    *roles = (struct tn_roles){.known = true, .inferred = true};
    for (size_t i = 0; i < moment->block_count; i++)
        add_role(roles, infer_role(loop, moment->blocks[i]),
                 moment->trace->blocks[moment->blocks[i]].size);
}

tarn_status tn_roles_make(const struct tn_holder_keys *keys, const struct tn_moment *moment,
                          struct tn_roles *roles) {
    struct loop loop = {.keys = keys, .moments = moment->device->event_count + 1};
    *roles = (struct tn_roles){0};
    sum_recorded(moment, roles);
    if (roles->known)
        return TARN_OK;
    loop.next_backward = (uint32_t *)calloc(loop.moments, sizeof *loop.next_backward);
    loop.next_step = (uint32_t *)calloc(loop.moments, sizeof *loop.next_step);
    bool fits = loop.next_backward != NULL && loop.next_step != NULL;
    if (fits) {
        find_backward(&loop, moment->device);
        find_steps(&loop);
        // Without a backward pass a program does not train; without steps a gradient cannot be
        // told from a temporary block.
        if (loop.has_backward && loop.has_steps)
            sum_inferred(&loop, moment, roles);
    }
    free(loop.next_backward);
    free(loop.next_step);
    return fits ? TARN_OK
                : tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the roles of blocks");
}
