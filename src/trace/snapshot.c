// SPDX-License-Identifier: Apache-2.0
// The reader of PyTorch memory snapshots. It reads the known fields of the pickle's values and
// passes the history of each device to history.c. The values may be shared or circular, so each
// walk descends a fixed number of levels, and all entries count against the limit of the builder.
// One thread at a time.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/history.h"
#include "trace/pickle.h"
#include "trace/read.h"

enum { DEVICES = 256, FIELDS_MAX = 64 };

struct snapshot {
    struct tn_builder *builder;
    struct tn_values values;
    tn_value root;
    uint64_t entries; // visited so far, of all kinds
    struct tn_held *held;
    size_t held_count, held_room;
    struct tn_phase *phases;
    size_t phase_count, phase_room;
    struct tn_action *actions; // of the current device
    size_t action_count, action_room;
    struct tn_segments segments[DEVICES]; // at the end
    bool present[DEVICES];
    char at[96]; // the current entry, as Python would name it
};

static void set_place(struct snapshot *snapshot, const char *format, ...) TARN_PRINTF(2, 3);

static void set_place(struct snapshot *snapshot, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(snapshot->at, sizeof snapshot->at, format, args);
    va_end(args);
}

static tarn_status fail_entry(const struct snapshot *snapshot, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s: %s: %s", snapshot->builder->name, snapshot->at, what);
}

static tarn_status fail_missing(const struct snapshot *snapshot, const char *key,
                                const char *kind) {
    return tn_fail(TARN_CORRUPT, "%s: %s: no %s named \"%s\"", snapshot->builder->name,
                   snapshot->at, kind, key);
}

static tarn_status fail_no_memory(const struct snapshot *snapshot) {
    return tn_fail(TARN_NO_HOST_MEMORY, "%s: %s: out of host memory", snapshot->builder->name,
                   snapshot->at);
}

// Checks that an entry is a dict of limited size, within the limit of entries, before its fields
// are read.
static tarn_status check_entry(struct snapshot *snapshot, tn_value entry) {
    if (tn_value_kind(&snapshot->values, entry) != TN_VALUE_DICT)
        return fail_entry(snapshot, "not a dict");
    if (tn_value_count(&snapshot->values, entry) > 2 * FIELDS_MAX)
        return fail_entry(snapshot, "a dict of more than 64 keys");
    if (++snapshot->entries > snapshot->builder->limit)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: %s: more than the %" PRIu64 " entries allowed",
                       snapshot->builder->name, snapshot->at, snapshot->builder->limit);
    return TARN_OK;
}

static tarn_status get_list(const struct snapshot *snapshot, tn_value entry, const char *key,
                            tn_value *list) {
    if (!tn_value_get(&snapshot->values, entry, key, list) ||
        tn_value_kind(&snapshot->values, *list) != TN_VALUE_LIST)
        return fail_missing(snapshot, key, "list");
    return TARN_OK;
}

static bool find_number(const struct snapshot *snapshot, tn_value entry, const char *key,
                        uint64_t *number) {
    tn_value value;
    return tn_value_get(&snapshot->values, entry, key, &value) &&
           tn_value_unsigned(&snapshot->values, value, number);
}

static tarn_status get_number(const struct snapshot *snapshot, tn_value entry, const char *key,
                              uint64_t *number) {
    return find_number(snapshot, entry, key, number) ? TARN_OK
                                                     : fail_missing(snapshot, key, "number");
}

// ---- segments: the state at the end

struct segment {
    uint32_t device;
    uint64_t stream;
    uint64_t address; // address of the next block, for snapshots whose blocks have none
};

static bool is_held(const struct snapshot *snapshot, tn_value block) {
    tn_value state;
    return tn_value_get(&snapshot->values, block, "state", &state) &&
           !tn_value_is(&snapshot->values, state, "inactive");
}

static tarn_status add_held(struct snapshot *snapshot, const struct tn_held *held) {
    void *grown =
        tn_append(snapshot->held, &snapshot->held_count, &snapshot->held_room, held, sizeof *held);
    if (grown == NULL)
        return fail_no_memory(snapshot);
    snapshot->held = (struct tn_held *)grown;
    return TARN_OK;
}

static tarn_status read_block(struct snapshot *snapshot, tn_value block, struct segment *segment) {
    tarn_status status = check_entry(snapshot, block);
    uint64_t size = 0, asked = 0, address = segment->address;
    if (status == TARN_OK)
        status = get_number(snapshot, block, "size", &size);
    if (status != TARN_OK)
        return status;
    (void)find_number(snapshot, block, "address", &address);
    (void)find_number(snapshot, block, "requested_size", &asked);
    segment->address = address + size;
    if (!is_held(snapshot, block))
        return TARN_OK;
    // Events have requested sizes, so the blocks at the start need them too.
    struct tn_held held = {.address = address,
                           .size = asked != 0 ? asked : size,
                           .stream = segment->stream,
                           .device = segment->device};
    return add_held(snapshot, &held);
}

static tarn_status count_segment(struct snapshot *snapshot, tn_value entry, uint64_t total,
                                 struct tn_segments *segments) {
    tn_value value;
    if (__builtin_add_overflow(segments->bytes, total, &segments->bytes))
        return fail_entry(snapshot, "the segments exceed 64 bits");
    bool expandable = tn_value_get(&snapshot->values, entry, "is_expandable", &value) &&
                      tn_value_true(&snapshot->values, value);
    bool large = tn_value_get(&snapshot->values, entry, "segment_type", &value) &&
                 tn_value_is(&snapshot->values, value, "large");
    if (!expandable)
        segments->plain++;
    else if (large)
        segments->large_bytes += total;
    else
        segments->small_bytes += total;
    return TARN_OK;
}

static tarn_status read_segment(struct snapshot *snapshot, tn_value entry,
                                struct segment *segment) {
    uint64_t device = 0, total = 0;
    tarn_status status = check_entry(snapshot, entry);
    if (status == TARN_OK)
        status = get_number(snapshot, entry, "device", &device);
    if (status == TARN_OK)
        status = get_number(snapshot, entry, "total_size", &total);
    if (status == TARN_OK)
        status = get_number(snapshot, entry, "address", &segment->address);
    if (status != TARN_OK)
        return status;
    if (device >= DEVICES)
        return fail_entry(snapshot, "a device number above 255");
    (void)find_number(snapshot, entry, "stream", &segment->stream);
    segment->device = (uint32_t)device;
    snapshot->present[device] = true;
    return count_segment(snapshot, entry, total, &snapshot->segments[device]);
}

static tarn_status read_segment_blocks(struct snapshot *snapshot, tn_value entry, size_t index) {
    struct segment segment = {0};
    tn_value blocks = 0, block;
    set_place(snapshot, "segments[%zu]", index);
    tarn_status status = read_segment(snapshot, entry, &segment);
    if (status == TARN_OK)
        status = get_list(snapshot, entry, "blocks", &blocks);
    if (status != TARN_OK)
        return status;
    struct tn_items items = tn_items_of(&snapshot->values, blocks);
    for (size_t i = 0; status == TARN_OK && tn_items_next(&items, &block); i++) {
        set_place(snapshot, "segments[%zu]['blocks'][%zu]", index, i);
        status = read_block(snapshot, block, &segment);
    }
    return status;
}

static tarn_status read_segments(struct snapshot *snapshot) {
    tn_value list = 0, entry;
    set_place(snapshot, "the snapshot");
    tarn_status status = get_list(snapshot, snapshot->root, "segments", &list);
    if (status != TARN_OK)
        return status;
    struct tn_items items = tn_items_of(&snapshot->values, list);
    for (size_t i = 0; status == TARN_OK && tn_items_next(&items, &entry); i++)
        status = read_segment_blocks(snapshot, entry, i);
    return status;
}

// ---- phases, which the program announced (only in newer snapshots)

static tarn_status add_phase(struct snapshot *snapshot, const struct tn_phase *phase) {
    void *grown = tn_append(snapshot->phases, &snapshot->phase_count, &snapshot->phase_room, phase,
                            sizeof *phase);
    if (grown == NULL)
        return fail_no_memory(snapshot);
    snapshot->phases = (struct tn_phase *)grown;
    return TARN_OK;
}

static tarn_status read_phase(struct snapshot *snapshot, tn_value entry) {
    tn_value stage, name;
    struct tn_phase phase = {0};
    uint64_t device = 0;
    tarn_status status = check_entry(snapshot, entry);
    if (status != TARN_OK)
        return status;
    if (!tn_value_get(&snapshot->values, entry, "stage", &stage) ||
        !tn_value_is(&snapshot->values, stage, "START") ||
        !tn_value_get(&snapshot->values, entry, "name", &name) ||
        !tn_value_text(&snapshot->values, name, &phase.name, &phase.name_length) ||
        !find_number(snapshot, entry, "device", &device) || device >= DEVICES ||
        !find_number(snapshot, entry, "time_us", &phase.time_us))
        return TARN_OK; // only complete beginnings are marks
    phase.device = (uint32_t)device;
    return add_phase(snapshot, &phase);
}

static int by_time(const void *left, const void *right) {
    uint64_t a = ((const struct tn_phase *)left)->time_us;
    uint64_t b = ((const struct tn_phase *)right)->time_us;
    return (a > b) - (a < b);
}

static tarn_status read_phases(struct snapshot *snapshot) {
    tn_value list, entry;
    if (!tn_value_get(&snapshot->values, snapshot->root, "external_annotations", &list))
        return TARN_OK;
    struct tn_items items = tn_items_of(&snapshot->values, list);
    tarn_status status = TARN_OK;
    for (size_t i = 0; status == TARN_OK && tn_items_next(&items, &entry); i++) {
        set_place(snapshot, "external_annotations[%zu]", i);
        status = read_phase(snapshot, entry);
    }
    if (status == TARN_OK && snapshot->phase_count > 0)
        qsort(snapshot->phases, snapshot->phase_count, sizeof *snapshot->phases, by_time);
    return status;
}

// ---- actions: one list for each device

static enum tn_action_kind action_kind(const struct snapshot *snapshot, tn_value name) {
    static const char *const names[] = {
#define NAME(name, text) [TN_ACTION_##name] = (text),
        TN_ACTION_LIST(NAME)
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tn_value_is(&snapshot->values, name, names[i]))
            return (enum tn_action_kind)i;
    return TN_ACTION_UNKNOWN;
}

static tarn_status read_action(struct snapshot *snapshot, tn_value entry,
                               struct tn_action *action) {
    tn_value name;
    tarn_status status = check_entry(snapshot, entry);
    if (status != TARN_OK)
        return status;
    if (!tn_value_get(&snapshot->values, entry, "action", &name))
        return fail_missing(snapshot, "action", "text");
    memset(action, 0, sizeof *action);
    action->kind = action_kind(snapshot, name);
    (void)find_number(snapshot, entry, "time_us", &action->time_us);
    (void)find_number(snapshot, entry, "stream", &action->stream);
    // Only these actions have no address, and some of them no size.
    if (action->kind >= TN_ACTION_OOM) {
        (void)find_number(snapshot, entry, "size", &action->size);
        return TARN_OK;
    }
    status = get_number(snapshot, entry, "addr", &action->address);
    return status != TARN_OK ? status : get_number(snapshot, entry, "size", &action->size);
}

static tarn_status add_action(struct snapshot *snapshot, const struct tn_action *action) {
    void *grown = tn_append(snapshot->actions, &snapshot->action_count, &snapshot->action_room,
                            action, sizeof *action);
    if (grown == NULL)
        return fail_no_memory(snapshot);
    snapshot->actions = (struct tn_action *)grown;
    return TARN_OK;
}

static tarn_status read_actions(struct snapshot *snapshot, tn_value list, size_t device) {
    tn_value entry;
    tarn_status status = TARN_OK;
    snapshot->action_count = 0;
    set_place(snapshot, "device_traces[%zu]", device);
    if (tn_value_kind(&snapshot->values, list) != TN_VALUE_LIST)
        return fail_entry(snapshot, "not a list");
    struct tn_items items = tn_items_of(&snapshot->values, list);
    for (size_t i = 0; status == TARN_OK && tn_items_next(&items, &entry); i++) {
        struct tn_action action;
        set_place(snapshot, "device_traces[%zu][%zu]", device, i);
        status = read_action(snapshot, entry, &action);
        if (status == TARN_OK)
            status = add_action(snapshot, &action);
    }
    return status;
}

// A device without segments and actions was not used.
static tarn_status add_history(struct snapshot *snapshot, size_t device) {
    if (snapshot->action_count == 0 && !snapshot->present[device])
        return TARN_OK;
    struct tn_history history = {.device = (uint32_t)device,
                                 .actions = snapshot->actions,
                                 .action_count = snapshot->action_count,
                                 .held = snapshot->held,
                                 .held_count = snapshot->held_count,
                                 .phases = snapshot->phases,
                                 .phase_count = snapshot->phase_count,
                                 .segments_at_end = snapshot->segments[device]};
    return tn_history_add(&history, snapshot->builder);
}

static tarn_status read_devices(struct snapshot *snapshot) {
    tn_value list = 0, actions;
    size_t device = 0;
    set_place(snapshot, "the snapshot");
    tarn_status status = get_list(snapshot, snapshot->root, "device_traces", &list);
    if (status != TARN_OK)
        return status;
    if (tn_value_count(&snapshot->values, list) > DEVICES)
        return fail_entry(snapshot, "traces of more than 256 devices");
    struct tn_items items = tn_items_of(&snapshot->values, list);
    for (; status == TARN_OK && tn_items_next(&items, &actions); device++) {
        status = read_actions(snapshot, actions, device);
        if (status == TARN_OK)
            status = add_history(snapshot, device);
    }
    for (snapshot->action_count = 0; status == TARN_OK && device < DEVICES; device++)
        status = add_history(snapshot, device);
    return status;
}

static tarn_status read_all(struct snapshot *snapshot) {
    set_place(snapshot, "the snapshot");
    tarn_status status = check_entry(snapshot, snapshot->root);
    if (status == TARN_OK)
        status = read_segments(snapshot);
    if (status == TARN_OK)
        status = read_phases(snapshot);
    if (status == TARN_OK)
        status = read_devices(snapshot);
    if (status != TARN_OK || snapshot->builder->trace.device_count > 0)
        return status;
    set_place(snapshot, "the snapshot");
    return fail_entry(snapshot, "no device has segments or events");
}

tarn_status tn_snapshot_read(struct tn_source *source, uint64_t memory,
                             struct tn_builder *builder) {
    struct snapshot *snapshot = (struct snapshot *)calloc(1, sizeof *snapshot);
    if (snapshot == NULL)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory", builder->name);
    snapshot->builder = builder;
    tn_values_begin(&snapshot->values, memory);
    tarn_status status = tn_pickle_read(source, &snapshot->values, &snapshot->root);
    if (status == TARN_OK)
        status = read_all(snapshot);
    tn_values_release(&snapshot->values);
    free(snapshot->held);
    free(snapshot->phases);
    free(snapshot->actions);
    free(snapshot);
    return status;
}
