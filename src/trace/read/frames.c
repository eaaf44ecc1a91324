// SPDX-License-Identifier: Apache-2.0
// Converts the frames of a snapshot into stacks; see frames.h.
#include "trace/read/frames.h"

#include "base/error.h"

tarn_status tn_frames_begin(struct tn_frames *frames, const struct tn_values *values,
                            struct tn_builder *builder) {
    *frames = (struct tn_frames){.values = values, .builder = builder};
    frames->stacks = (uint32_t *)calloc(values->node_count + 1, sizeof *frames->stacks);
    frames->known = (uint32_t *)calloc(values->node_count + 1, sizeof *frames->known);
    if (frames->stacks != NULL && frames->known != NULL) return TARN_OK;
    tn_frames_release(frames);
    return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the stacks", builder->name);
}

void tn_frames_release(struct tn_frames *frames) {
    free(frames->stacks);
    free(frames->known);
    free(frames->calls.items);
    free(frames->pending.items);
    *frames = (struct tn_frames){.values = frames->values, .builder = frames->builder};
}

// Converts a frame. Anything but a dict is a call of which nothing is known.
static tarn_status read_frame(struct tn_frames *frames, tn_value frame,
                              struct tn_trace_call *call) {
    uint64_t line = 0;
    if (frames->known[frame] != 0) {
        *call = frames->calls.items[frames->known[frame] - 1];
        return TARN_OK;
    }
    *call = (struct tn_trace_call){0};
    if (tn_value_kind(frames->values, frame) == TN_VALUE_DICT) {
        TN_TRY(tn_value_get_text(frames->values, frame, "name", frames->builder, &call->function));
        TN_TRY(tn_value_get_text(frames->values, frame, "filename", frames->builder, &call->file));
        if (tn_value_get_unsigned(frames->values, frame, "line", &line) && line <= UINT32_MAX)
            call->line = (uint32_t)line;
    }
    TN_TRY(TN_APPEND(frames->builder, &frames->calls, call, "stacks"));
    frames->known[frame] = (uint32_t)frames->calls.count;
    return TARN_OK;
}

// Lists the innermost frame first, but a stack is built from its outermost call.
static tarn_status convert_list(struct tn_frames *frames, tn_value list, uint32_t *stack) {
    tn_value frame;
    uint32_t made = 0;
    struct tn_items items = tn_items_of(frames->values, list);
    frames->pending.count = 0;
    while (tn_items_next(&items, &frame))
        TN_TRY(TN_APPEND(frames->builder, &frames->pending, &frame, "stacks"));
    while (frames->pending.count > 0) {
        struct tn_trace_call call;
        TN_TRY(read_frame(frames, frames->pending.items[--frames->pending.count], &call));
        call.caller = made;
        TN_TRY(tn_builder_stack(frames->builder, &call, &made));
    }
    frames->stacks[list] = made + 1;
    *stack = made;
    return TARN_OK;
}

tarn_status tn_frames_list(struct tn_frames *frames, tn_value list, uint32_t *stack) {
    *stack = 0;
    if (tn_value_kind(frames->values, list) != TN_VALUE_LIST) return TARN_OK;
    if (frames->stacks[list] == 0) return convert_list(frames, list, stack);
    *stack = frames->stacks[list] - 1;
    return TARN_OK;
}

tarn_status tn_frames_stack(struct tn_frames *frames, tn_value entry, uint32_t *stack) {
    tn_value list;
    *stack = 0;
    return tn_value_get(frames->values, entry, "frames", &list)
               ? tn_frames_list(frames, list, stack)
               : TARN_OK;
}
