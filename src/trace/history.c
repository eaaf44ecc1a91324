// SPDX-License-Identifier: Apache-2.0
// Converts the history of one device into a part of a trace; see history.h. The state at the start
// is derived from the end and the actions. An address was live at the start if its first action is
// a free, or if it is held at the end and has no action. A block ends when its free is completed;
// between the request and the completion it waits for other streams and is held.
#include "trace/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/segments.h"

// The state of one address during the walk over the actions.
struct place {
    uint64_t address;
    uint32_t block; // if live
    bool live;
    bool seen; // an action names it
    bool held_at_end;
};

struct walk {
    const struct tn_history *history;
    struct tn_builder *builder;
    struct place *places; // sorted by address, each address once
    size_t place_count;
    size_t next_phase;
};

static bool is_block_action(const struct tn_action *action) {
    return action->kind == TN_ACTION_ALLOC || action->kind == TN_ACTION_FREE_REQUESTED ||
           action->kind == TN_ACTION_FREE_COMPLETED;
}

static int by_address(const void *left, const void *right) {
    uint64_t a = ((const struct place *)left)->address;
    uint64_t b = ((const struct place *)right)->address;
    return (a > b) - (a < b);
}

static void add_place(struct walk *walk, uint64_t address) {
    walk->places[walk->place_count++] = (struct place){.address = address};
}

static tarn_status find_places(struct walk *walk) {
    const struct tn_history *history = walk->history;
    size_t most = history->action_count + history->held_count;
    walk->places = (struct place *)calloc(most + 1, sizeof *walk->places);
    if (walk->places == NULL)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the trace",
                       walk->builder->name);
    for (size_t i = 0; i < history->action_count; i++)
        if (is_block_action(&history->actions[i]))
            add_place(walk, history->actions[i].address);
    for (size_t i = 0; i < history->held_count; i++)
        if (history->held[i].device == history->device)
            add_place(walk, history->held[i].address);
    qsort(walk->places, walk->place_count, sizeof *walk->places, by_address);
    size_t kept = 0;
    for (size_t i = 0; i < walk->place_count; i++)
        if (kept == 0 || walk->places[kept - 1].address != walk->places[i].address)
            walk->places[kept++] = walk->places[i];
    walk->place_count = kept;
    return TARN_OK;
}

static struct place *place_of(const struct walk *walk, uint64_t address) {
    struct place key = {.address = address};
    return (struct place *)bsearch(&key, walk->places, walk->place_count, sizeof key, by_address);
}

static tarn_status describe_block(struct walk *walk, uint64_t address, uint64_t size,
                                  uint64_t stream, struct tn_block *block) {
    *block = (struct tn_block){.id = address, .size = size};
    return tn_builder_stream(walk->builder, stream, &block->stream);
}

static tarn_status add_starting(struct walk *walk, struct place *place, uint64_t size,
                                uint64_t stream) {
    struct tn_block block;
    if (size == 0)
        return tn_builder_note(walk->builder, "the block at 0x%" PRIx64 " has no size",
                               place->address);
    tarn_status status = describe_block(walk, place->address, size, stream, &block);
    if (status == TARN_OK)
        status = tn_builder_starting(walk->builder, &block, &place->block);
    if (status == TARN_OK)
        place->live = true;
    return status;
}

static tarn_status start_from_actions(struct walk *walk) {
    const struct tn_history *history = walk->history;
    for (size_t i = 0; i < history->action_count; i++) {
        const struct tn_action *action = &history->actions[i];
        struct place *place = is_block_action(action) ? place_of(walk, action->address) : NULL;
        if (place == NULL || place->seen)
            continue;
        place->seen = true;
        if (action->kind == TN_ACTION_ALLOC)
            continue;
        tarn_status status = add_starting(walk, place, action->size, action->stream);
        if (status != TARN_OK)
            return status;
    }
    return TARN_OK;
}

static tarn_status start_from_end(struct walk *walk) {
    const struct tn_history *history = walk->history;
    for (size_t i = 0; i < history->held_count; i++) {
        const struct tn_held *held = &history->held[i];
        if (held->device != history->device)
            continue;
        struct place *place = place_of(walk, held->address);
        bool twice = place->held_at_end;
        place->held_at_end = true;
        tarn_status status = TARN_OK;
        if (twice)
            status = tn_builder_note(walk->builder, "the block at 0x%" PRIx64 " is listed twice",
                                     held->address);
        else if (!place->seen)
            status = add_starting(walk, place, held->size, held->stream);
        if (status != TARN_OK)
            return status;
    }
    return TARN_OK;
}

static tarn_status add_event(struct walk *walk, enum tn_event_kind kind, size_t index,
                             uint32_t item) {
    struct tn_event event = {.time_us = walk->history->actions[index].time_us,
                             .where = index,
                             .item = item,
                             .kind = (uint32_t)kind};
    return tn_builder_event(walk->builder, &event);
}

static tarn_status add_mark(struct walk *walk, size_t index, const char *text, size_t length) {
    uint32_t label;
    tarn_status status = tn_builder_text(walk->builder, text, length, &label);
    return status != TARN_OK ? status : add_event(walk, TN_EVENT_MARK, index, label);
}

static tarn_status note_action(struct walk *walk, size_t index, const char *what) {
    return tn_builder_note(
        walk->builder, "device %" PRIu32 ", event %zu, address 0x%" PRIx64 ": %s",
        walk->history->device, index, walk->history->actions[index].address, what);
}

static tarn_status end_block(struct walk *walk, size_t index, struct place *place) {
    place->live = false;
    return add_event(walk, TN_EVENT_FREE, index, place->block);
}

static tarn_status replay_alloc(struct walk *walk, size_t index, struct place *place) {
    const struct tn_action *action = &walk->history->actions[index];
    tarn_status status = TARN_OK;
    if (action->size == 0)
        return note_action(walk, index, "an allocation of 0 bytes is skipped");
    if (place->live) {
        status = note_action(walk, index,
                             "allocated while live; its free is missing and is assumed to be here");
        if (status == TARN_OK)
            status = end_block(walk, index, place);
    }
    struct tn_block block;
    if (status == TARN_OK)
        status = describe_block(walk, action->address, action->size, action->stream, &block);
    if (status == TARN_OK)
        status = tn_builder_block(walk->builder, &block, &place->block);
    if (status == TARN_OK)
        status = add_event(walk, TN_EVENT_ALLOC, index, place->block);
    if (status == TARN_OK)
        place->live = true;
    return status;
}

static tarn_status replay_free(struct walk *walk, size_t index, struct place *place) {
    if (!place->live)
        return note_action(walk, index, "freed while not live");
    if (walk->history->actions[index].kind == TN_ACTION_FREE_REQUESTED)
        return TARN_OK;
    return end_block(walk, index, place);
}

static tarn_status replay_oom(struct walk *walk, size_t index) {
    char text[64];
    int length = snprintf(text, sizeof text, "out of memory, %" PRIu64 " bytes requested",
                          walk->history->actions[index].size);
    return add_mark(walk, index, text, (size_t)length);
}

// Adds the phases that begin before the action as marks.
static tarn_status replay_phases(struct walk *walk, size_t index) {
    const struct tn_history *history = walk->history;
    while (walk->next_phase < history->phase_count) {
        const struct tn_phase *phase = &history->phases[walk->next_phase];
        if (phase->time_us > history->actions[index].time_us)
            break;
        walk->next_phase++;
        tarn_status status = TARN_OK;
        if (phase->device == history->device)
            status = add_mark(walk, index, phase->name, phase->name_length);
        if (status != TARN_OK)
            return status;
    }
    return TARN_OK;
}

static tarn_status replay_action(struct walk *walk, size_t index) {
    const struct tn_action *action = &walk->history->actions[index];
    switch (action->kind) {
    case TN_ACTION_ALLOC:
        return replay_alloc(walk, index, place_of(walk, action->address));
    case TN_ACTION_FREE_REQUESTED:
    case TN_ACTION_FREE_COMPLETED:
        return replay_free(walk, index, place_of(walk, action->address));
    case TN_ACTION_OOM:
        return replay_oom(walk, index);
    case TN_ACTION_SNAPSHOT:
        return add_mark(walk, index, "snapshot", strlen("snapshot"));
    case TN_ACTION_UNKNOWN:
        return note_action(walk, index, "an action of unknown name is skipped");
    default: // segments: see segments.c
        return TARN_OK;
    }
}

static tarn_status replay_all(struct walk *walk) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < walk->history->action_count && status == TARN_OK; i++) {
        status = replay_phases(walk, i);
        if (status == TARN_OK)
            status = replay_action(walk, i);
    }
    return status;
}

static tarn_status check_end(struct walk *walk) {
    for (size_t i = 0; i < walk->place_count; i++) {
        const struct place *place = &walk->places[i];
        if (place->live == place->held_at_end)
            continue;
        tarn_status status =
            tn_builder_note(walk->builder, "device %" PRIu32 ", address 0x%" PRIx64 ": %s",
                            walk->history->device, place->address,
                            place->live ? "live by the events, not by the segments at the end"
                                        : "live by the segments at the end, not by the events");
        if (status != TARN_OK)
            return status;
    }
    return TARN_OK;
}

tarn_status tn_history_add(const struct tn_history *history, struct tn_builder *builder) {
    struct walk walk = {.history = history, .builder = builder};
    struct tn_trace_device *device = NULL;
    tarn_status status = tn_builder_device(builder, history->device, &device);
    if (status == TARN_OK)
        status = tn_segments_walk(history, builder, device);
    if (status == TARN_OK)
        status = find_places(&walk);
    if (status == TARN_OK)
        status = start_from_actions(&walk);
    if (status == TARN_OK)
        status = start_from_end(&walk);
    if (status == TARN_OK)
        status = replay_all(&walk);
    if (status == TARN_OK)
        status = check_end(&walk);
    free(walk.places);
    return status;
}
