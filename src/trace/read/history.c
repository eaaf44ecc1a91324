// SPDX-License-Identifier: Apache-2.0
// Converts the history of one device into a part of a trace; see history.h. The state at the start
// is derived from the end and the actions. An address was live at the start if its first action is
// a free, or if it is held at the end and has no action. A block ends when its free is completed;
// between the request and the completion it waits for other streams and is held.
#include "trace/read/history.h"

#include <inttypes.h>

#include "base/error.h"
#include "trace/progress.h"
#include "trace/read/segments.h"

// The state of one address during the walk over the actions.
struct place {
    uint64_t address; // the key of a set
    uint32_t block;   // if live
    bool live;
    bool seen; // an action names it
    bool held_at_end;
};

struct walk {
    const struct tn_history *history;
    struct tn_builder *builder;
    TN_SET(struct place) places;
    size_t next_phase;
    const struct tn_action *action; // the one that is replayed
    bool completes; // the recording has completions of frees; else a request is the free
};

static bool is_block_action(const struct tn_action *action) {
    return action->kind == TN_ACTION_ALLOC || action->kind == TN_ACTION_FREE_REQUESTED ||
           action->kind == TN_ACTION_FREE_COMPLETED;
}

static tarn_status find_place(struct walk *walk, uint64_t address, struct place **place) {
    const struct place wanted = {.address = address};
    return TN_SET_PLACE(walk->builder, &walk->places, &wanted, sizeof address, "trace", place);
}

// Adds a block that was live before the first action.
static tarn_status add_starting(struct walk *walk, struct place *place,
                                const struct tn_held *held) {
    struct tn_block block = {.id = held->address,
                             .size = held->size,
                             .occupied = held->occupied,
                             .stack = held->stack,
                             .tag = held->tag,
                             .category = (uint32_t)held->category};
    if (held->size == 0)
        return tn_builder_note(walk->builder, "the block at 0x%" PRIx64 " has no size",
                               place->address);
    TN_TRY(tn_builder_stream(walk->builder, held->stream, &block.stream));
    TN_TRY(tn_builder_starting(walk->builder, &block, &place->block));
    place->live = true;
    return TARN_OK;
}

static tarn_status start_from_actions(struct walk *walk) {
    const struct tn_history *history = walk->history;
    for (size_t i = 0; i < history->actions.count; i++) {
        const struct tn_action *action = &history->actions.items[i];
        struct place *place = NULL;
        if (!is_block_action(action)) continue;
        TN_TRY(find_place(walk, action->address, &place));
        if (place->seen) continue;
        place->seen = true;
        if (action->kind == TN_ACTION_ALLOC) continue;
        struct tn_held held = {
            .address = action->address, .size = action->size, .stream = action->stream};
        TN_TRY(add_starting(walk, place, &held));
    }
    return TARN_OK;
}

static tarn_status start_from_end(struct walk *walk) {
    const struct tn_history *history = walk->history;
    for (size_t i = 0; i < history->held.count; i++) {
        const struct tn_held *held = &history->held.items[i];
        if (held->device != history->device) continue;
        struct place *place = NULL;
        TN_TRY(find_place(walk, held->address, &place));
        bool twice = place->held_at_end;
        place->held_at_end = true;
        if (twice)
            TN_TRY(tn_builder_note(walk->builder, "the block at 0x%" PRIx64 " is listed twice",
                                   held->address));
        else if (!place->seen)
            TN_TRY(add_starting(walk, place, held));
    }
    return TARN_OK;
}

static tarn_status add_event(struct walk *walk, enum tn_event_kind kind, uint32_t item) {
    return tn_builder_event(walk->builder, kind, walk->action->time_us, walk->action->where, item);
}

static tarn_status note_action(struct walk *walk, const char *what) {
    return tn_builder_note(walk->builder,
                           "device_traces[%" PRIu32 "][%" PRIu64 "], address 0x%" PRIx64 ": %s",
                           walk->history->device, walk->action->where, walk->action->address, what);
}

static tarn_status end_block(struct walk *walk, struct place *place) {
    place->live = false;
    return add_event(walk, TN_EVENT_FREE, place->block);
}

static tarn_status replay_alloc(struct walk *walk, struct place *place) {
    struct tn_block block = {.id = walk->action->address,
                             .size = walk->action->size,
                             .stack = walk->action->stack,
                             .tag = walk->action->tag,
                             .category = (uint32_t)walk->action->category};
    if (walk->action->size == 0) return note_action(walk, "an allocation of 0 bytes is skipped");
    if (place->live) {
        TN_TRY(note_action(walk,
                           "allocated while live; its free is missing and is assumed to be here"));
        TN_TRY(end_block(walk, place));
    }
    TN_TRY(tn_builder_stream(walk->builder, walk->action->stream, &block.stream));
    TN_TRY(tn_builder_block(walk->builder, &block, &place->block));
    TN_TRY(add_event(walk, TN_EVENT_ALLOC, place->block));
    place->live = true;
    return TARN_OK;
}

static tarn_status replay_free(struct walk *walk, struct place *place) {
    if (!place->live) return note_action(walk, "freed while not live");
    return walk->action->kind == TN_ACTION_FREE_REQUESTED && walk->completes
               ? add_event(walk, TN_EVENT_FREE_REQUEST, place->block)
               : end_block(walk, place);
}

static tarn_status replay_oom(struct walk *walk) {
    uint32_t item;
    TN_TRY(tn_builder_refusal(walk->builder, walk->action->size, walk->action->address,
                              walk->action->stream, walk->action->stack, &item));
    return add_event(walk, TN_EVENT_FAILURE, item);
}

static tarn_status replay_segment(struct walk *walk) {
    struct tn_trace_segment segment = {.address = walk->action->address,
                                       .bytes = walk->action->size,
                                       .stack = walk->action->stack,
                                       .mapped = tn_action_maps(walk->action)};
    uint32_t item;
    TN_TRY(tn_builder_stream(walk->builder, walk->action->stream, &segment.stream));
    TN_TRY(tn_builder_segment(walk->builder, &segment, &item));
    return add_event(
        walk, tn_action_gets(walk->action) ? TN_EVENT_SEGMENT : TN_EVENT_SEGMENT_RETURN, item);
}

// Adds the phases that begin or end before the action as marks, or all that are left at the end.
static tarn_status replay_phases(struct walk *walk, bool is_end) {
    const struct tn_history *history = walk->history;
    for (; walk->next_phase < history->phases.count; walk->next_phase++) {
        const struct tn_phase *phase = &history->phases.items[walk->next_phase];
        if (!is_end && phase->time_us > walk->action->time_us) break;
        if (phase->device == history->device)
            TN_TRY(tn_builder_event(walk->builder, phase->ends ? TN_EVENT_MARK_END : TN_EVENT_MARK,
                                    phase->time_us, walk->action->where + is_end, phase->name));
    }
    return TARN_OK;
}

static tarn_status replay_action(struct walk *walk) {
    struct place *place = NULL;
    if (is_block_action(walk->action) || walk->action->kind == TN_ACTION_ANNOTATE)
        TN_TRY(find_place(walk, walk->action->address, &place));
    switch (walk->action->kind) {
    case TN_ACTION_ALLOC: return replay_alloc(walk, place);
    case TN_ACTION_FREE_REQUESTED:
    case TN_ACTION_FREE_COMPLETED: return replay_free(walk, place);
    case TN_ACTION_OOM: return replay_oom(walk);
    case TN_ACTION_SNAPSHOT: {
        uint32_t text;
        TN_TRY(tn_builder_text(walk->builder, "snapshot", strlen("snapshot"), &text));
        return add_event(walk, TN_EVENT_MARK, text);
    }
    case TN_ACTION_ANNOTATE: // metadata that the program attached to a live block
        if (place->live) walk->builder->trace.blocks[place->block].tag = walk->action->tag;
        return TARN_OK;
    case TN_ACTION_WORKSPACE_SNAPSHOT: // its block is among those at the end
        return TARN_OK;
    case TN_ACTION_UNKNOWN: return note_action(walk, "an action of unknown name is skipped");
    default: return replay_segment(walk);
    }
}

static tarn_status replay_all(struct walk *walk) {
    size_t count = walk->history->actions.count;
    for (size_t i = 0; i < count; i++) {
        if (i % 1024 == 0) tn_trace_report(TN_STAGE_BUILD, count + i, 2 * count);
        walk->action = &walk->history->actions.items[i];
        TN_TRY(replay_phases(walk, false));
        TN_TRY(replay_action(walk));
    }
    return count > 0 ? replay_phases(walk, true) : TARN_OK;
}

static tarn_status check_end(struct walk *walk) {
    TN_SORT(&walk->places, 1); // for the order of the notes
    for (size_t i = 0; i < walk->places.count; i++) {
        const struct place *place = &walk->places.items[i];
        if (place->live == place->held_at_end) continue;
        TN_TRY(tn_builder_note(walk->builder, "device %" PRIu32 ", address 0x%" PRIx64 ": %s",
                               walk->history->device, place->address,
                               place->live ? "live by the events, not by the segments at the end"
                                           : "live by the segments at the end, not by the events"));
    }
    return TARN_OK;
}

// Returns true if a request to free is not yet the free: a completion is recorded, or a block waits
// for one.
static bool has_completions(const struct tn_history *history) {
    for (size_t i = 0; i < history->held.count; i++)
        if (history->held.items[i].device == history->device && history->held.items[i].waits)
            return true;
    for (size_t i = 0; i < history->actions.count; i++)
        if (history->actions.items[i].kind == TN_ACTION_FREE_COMPLETED) return true;
    return false;
}

static tarn_status add_blocks(struct walk *walk) {
    TN_TRY(start_from_actions(walk));
    TN_TRY(start_from_end(walk));
    TN_TRY(replay_all(walk));
    return check_end(walk);
}

tarn_status tn_history_add(const struct tn_history *history, struct tn_builder *builder) {
    struct walk walk = {
        .history = history, .builder = builder, .completes = has_completions(history)};
    struct tn_trace_device *device = NULL;
    TN_TRY(tn_builder_device(builder, history->device, &device));
    device->kind = history->kind;
    if (device->kind == TN_DEVICE_HOST) device->number = 0;
    if (!history->made_up) TN_TRY(tn_segments_walk(history, builder, device));
    tarn_status status = add_blocks(&walk);
    TN_SET_RELEASE(&walk.places);
    return status;
}
