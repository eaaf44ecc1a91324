// SPDX-License-Identifier: Apache-2.0
// The reader of PyTorch memory snapshots. It reads the known fields of the values and passes the
// history of each device to history.c. Pickles and JSON begin here; page.c is another
// container. The values may be shared or circular, so each walk descends a fixed number of levels,
// and all entries count against the limit of the builder. One thread at a time.
#include "trace/read/snapshot.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/extension.h"
#include "trace/parse/json.h"
#include "trace/parse/pickle.h"
#include "trace/progress.h"
#include "trace/read/frames.h"
#include "trace/read/history.h"
#include "trace/read/read.h"

// The pinned memory of the host is recorded beside the devices; here it is one more of them.
enum { DEVICES = 256, HOST = DEVICES, FIELDS_MAX = 64 };

struct snapshot {
    struct tn_builder *builder;
    struct tn_values values;
    tn_value root;
    uint64_t entries; // visited so far, of all kinds
    struct tn_frames frames;
    struct tn_history history; // its actions are those of the current device
    bool present[DEVICES + 1]; // has segments
    bool made_up[DEVICES + 1]; // and they are not those of the recording
    char at[96];               // the current entry, as Python would name it
};

static void TARN_PRINTF(2, 3) set_place(struct snapshot *snapshot, const char *format, ...) {
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

// Checks that an entry is a dict of limited size, within the limit of entries, before its fields
// are read.
static tarn_status check_entry(struct snapshot *snapshot, tn_value entry) {
    if (tn_value_kind(&snapshot->values, entry) != TN_VALUE_DICT)
        return fail_entry(snapshot, "not a dict");
    if (tn_value_count(&snapshot->values, entry) > 2 * FIELDS_MAX)
        return fail_entry(snapshot, "a dict of more than 64 keys");
    TN_REFUSE(++snapshot->entries > snapshot->builder->limit, TARN_NO_HOST_MEMORY,
              "%s: %s: more than the %" PRIu64 " entries allowed", snapshot->builder->name,
              snapshot->at, snapshot->builder->limit);
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
    return tn_value_get_unsigned(&snapshot->values, entry, key, number);
}

static tarn_status get_number(const struct snapshot *snapshot, tn_value entry, const char *key,
                              uint64_t *number) {
    return find_number(snapshot, entry, key, number) ? TARN_OK
                                                     : fail_missing(snapshot, key, "number");
}

// Snapshots that PyTorch made from a profile name the category of a block.
static enum tn_trace_category find_category(const struct snapshot *snapshot, tn_value entry) {
    tn_value value;
    if (!tn_value_get(&snapshot->values, entry, "category", &value)) return TN_CATEGORY_NONE;
    for (int i = TN_CATEGORY_NONE + 1; i < TN_CATEGORY_COUNT; i++)
        if (tn_value_is(&snapshot->values, value, tn_category_name((enum tn_trace_category)i)))
            return (enum tn_trace_category)i;
    return TN_CATEGORY_UNKNOWN;
}

// ---- segments: the state at the end

// The oldest snapshots have the requested size and the frames of a block in its history.
static tarn_status read_block_history(struct snapshot *snapshot, tn_value block,
                                      struct tn_held *held) {
    tn_value list, entry;
    uint64_t sum = 0, real = 0;
    if (!tn_value_get(&snapshot->values, block, "history", &list) ||
        tn_value_kind(&snapshot->values, list) != TN_VALUE_LIST)
        return TARN_OK;
    struct tn_items items = tn_items_of(&snapshot->values, list);
    while (tn_items_next(&items, &entry)) {
        TN_TRY(check_entry(snapshot, entry));
        if (find_number(snapshot, entry, "real_size", &real))
            sum = __builtin_add_overflow(sum, real, &sum) ? 0 : sum;
        if (held->stack == 0) TN_TRY(tn_frames_stack(&snapshot->frames, entry, &held->stack));
    }
    if (sum != 0 && sum <= held->occupied) held->size = sum;
    return TARN_OK;
}

// Reads a block. On entry `address` is the start of a block that records none; on return it is the
// end of this block.
static tarn_status read_block(struct snapshot *snapshot, tn_value block, uint32_t device,
                              uint64_t stream, uint64_t *address) {
    struct tn_held held = {.address = *address, .stream = stream, .device = device};
    tn_value state;
    TN_TRY(check_entry(snapshot, block));
    TN_TRY(get_number(snapshot, block, "size", &held.occupied));
    (void)find_number(snapshot, block, "address", &held.address);
    *address = held.address + held.occupied;
    if (!tn_value_get(&snapshot->values, block, "state", &state) ||
        tn_value_is(&snapshot->values, state, "inactive"))
        return TARN_OK;
    held.waits = tn_value_is(&snapshot->values, state, "active_pending_free");
    // Events have requested sizes, so the blocks at the start need them too.
    held.size = held.occupied;
    TN_TRY(read_block_history(snapshot, block, &held));
    uint64_t asked = 0;
    if (find_number(snapshot, block, "requested_size", &asked) && asked != 0) held.size = asked;
    if (held.stack == 0) TN_TRY(tn_frames_stack(&snapshot->frames, block, &held.stack));
    TN_TRY(
        tn_value_get_text(&snapshot->values, block, "user_metadata", snapshot->builder, &held.tag));
    held.category = find_category(snapshot, block);
    (void)find_number(snapshot, block, TN_SNAPSHOT_STREAM, &held.stream);
    return TN_APPEND(snapshot->builder, &snapshot->history.held, &held, "blocks");
}

static tarn_status read_segment(struct snapshot *snapshot, tn_value entry, bool host,
                                struct tn_held_segment *segment) {
    tn_value value;
    uint64_t device = HOST, pool = 0;
    TN_TRY(check_entry(snapshot, entry));
    if (!host) TN_TRY(get_number(snapshot, entry, "device", &device));
    TN_TRY(get_number(snapshot, entry, "total_size", &segment->bytes));
    TN_TRY(get_number(snapshot, entry, "address", &segment->address));
    if (!host && device >= DEVICES) return fail_entry(snapshot, "a device number above 255");
    segment->device = (uint32_t)device;
    snapshot->made_up[device] |= tn_value_get_true(&snapshot->values, entry, TN_SNAPSHOT_MADE_UP);
    (void)find_number(snapshot, entry, "stream", &segment->stream);
    segment->mapped = tn_value_get_true(&snapshot->values, entry, "is_expandable");
    segment->is_large = tn_value_get_is(&snapshot->values, entry, "segment_type", "large");
    if (tn_value_get(&snapshot->values, entry, "segment_pool_id", &value)) {
        struct tn_items items = tn_items_of(&snapshot->values, value);
        while (tn_items_next(&items, &value))
            if (tn_value_unsigned(&snapshot->values, value, &pool) && pool != 0)
                segment->is_private = true;
    }
    return tn_frames_stack(&snapshot->frames, entry, &segment->stack);
}

// Reads a segment and its blocks. `host` selects the list of the host's pinned memory, whose
// segments name no device.
static tarn_status read_segment_blocks(struct snapshot *snapshot, tn_value entry, bool host,
                                       size_t index) {
    const char *list = host ? "host_segments" : "segments";
    struct tn_held_segment segment = {0};
    tn_value blocks = 0, block;
    set_place(snapshot, "%s[%zu]", list, index);
    TN_TRY(read_segment(snapshot, entry, host, &segment));
    TN_TRY(get_list(snapshot, entry, "blocks", &blocks));
    TN_TRY(TN_APPEND(snapshot->builder, &snapshot->history.segments, &segment, "segments"));
    snapshot->present[segment.device] = true;
    uint64_t address = segment.address;
    struct tn_items items = tn_items_of(&snapshot->values, blocks);
    for (size_t i = 0; tn_items_next(&items, &block); i++) {
        set_place(snapshot, "%s[%zu]['blocks'][%zu]", list, index, i);
        TN_TRY(read_block(snapshot, block, segment.device, segment.stream, &address));
    }
    return TARN_OK;
}

static tarn_status read_segment_list(struct snapshot *snapshot, tn_value list, bool host) {
    tn_value entry;
    struct tn_items items = tn_items_of(&snapshot->values, list);
    for (size_t i = 0; tn_items_next(&items, &entry); i++)
        TN_TRY(read_segment_blocks(snapshot, entry, host, i));
    return TARN_OK;
}

static tarn_status read_segments(struct snapshot *snapshot) {
    tn_value list = 0;
    set_place(snapshot, "the snapshot");
    TN_TRY(get_list(snapshot, snapshot->root, "segments", &list));
    TN_TRY(read_segment_list(snapshot, list, false));
    if (!tn_value_get(&snapshot->values, snapshot->root, "host_segments", &list)) return TARN_OK;
    return read_segment_list(snapshot, list, true);
}

// ---- phases, which the program announced (only in newer snapshots)

static tarn_status read_phase(struct snapshot *snapshot, tn_value entry) {
    tn_value stage;
    struct tn_phase phase = {.order = snapshot->history.phases.count};
    uint64_t device = 0;
    TN_TRY(check_entry(snapshot, entry));
    if (!tn_value_get(&snapshot->values, entry, "stage", &stage) ||
        !find_number(snapshot, entry, "device", &device) || device >= DEVICES ||
        !find_number(snapshot, entry, "time_us", &phase.time_us))
        return TARN_OK;
    phase.ends = tn_value_is(&snapshot->values, stage, "END");
    TN_TRY(tn_value_get_text(&snapshot->values, entry, "name", snapshot->builder, &phase.name));
    if (phase.name == 0 || (!phase.ends && !tn_value_is(&snapshot->values, stage, "START")))
        return TARN_OK;
    phase.device = (uint32_t)device;
    return TN_APPEND(snapshot->builder, &snapshot->history.phases, &phase, "phases");
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
    TN_SORT(&snapshot->history.phases, 2);
    return status;
}

// ---- actions: one list for each device

static enum tn_action_kind action_kind(const struct snapshot *snapshot, tn_value name) {
    static const char *const names[] = {TN_ACTION_LIST(TN_TEXT_OF)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tn_value_is(&snapshot->values, name, names[i])) return (enum tn_action_kind)i;
    return TN_ACTION_UNKNOWN;
}

static tarn_status read_action(struct snapshot *snapshot, tn_value entry, size_t index,
                               struct tn_action *action) {
    tn_value name;
    TN_TRY(check_entry(snapshot, entry));
    if (!tn_value_get(&snapshot->values, entry, "action", &name))
        return fail_missing(snapshot, "action", "text");
    *action = (struct tn_action){.kind = action_kind(snapshot, name), .where = index};
    (void)find_number(snapshot, entry, "time_us", &action->time_us);
    (void)find_number(snapshot, entry, "stream", &action->stream);
    action->category = find_category(snapshot, entry);
    TN_TRY(tn_value_get_text(&snapshot->values, entry, "user_metadata", snapshot->builder,
                             &action->tag));
    TN_TRY(tn_frames_stack(&snapshot->frames, entry, &action->stack));
    // Only these actions have no address, and some of them no size.
    if (action->kind >= TN_ACTION_OOM) {
        (void)find_number(snapshot, entry, "size", &action->size);
        if (!find_number(snapshot, entry, "device_free", &action->address))
            action->address = UINT64_MAX;
        return TARN_OK;
    }
    TN_TRY(get_number(snapshot, entry, "addr", &action->address));
    return get_number(snapshot, entry, "size", &action->size);
}

// The workspace of an NPU's operators is described by three actions in front of the others: they
// are no history, and its block is among those at the end.
static size_t workspace_actions(const struct snapshot *snapshot) {
    const struct tn_action *at = snapshot->history.actions.items;
    size_t count = 0;
    while (count + 2 < snapshot->history.actions.count &&
           at[count].kind == TN_ACTION_WORKSPACE_SNAPSHOT &&
           at[count + 1].kind == TN_ACTION_SEGMENT_ALLOC && at[count + 2].kind == TN_ACTION_ALLOC &&
           at[count + 1].address == at[count].address && at[count + 2].address == at[count].address)
        count += 3;
    return count;
}

static tarn_status read_actions(struct snapshot *snapshot, tn_value list, const char *name) {
    tn_value entry;
    snapshot->history.actions.count = 0;
    set_place(snapshot, "%s", name);
    if (tn_value_kind(&snapshot->values, list) != TN_VALUE_LIST)
        return fail_entry(snapshot, "not a list");
    struct tn_items items = tn_items_of(&snapshot->values, list);
    for (size_t i = 0; tn_items_next(&items, &entry); i++) {
        struct tn_action action;
        if (i % 1024 == 0)
            tn_trace_report(TN_STAGE_BUILD, i, 2 * tn_value_count(&snapshot->values, list));
        set_place(snapshot, "%s[%zu]", name, i);
        TN_TRY(read_action(snapshot, entry, i, &action));
        TN_TRY(TN_APPEND(snapshot->builder, &snapshot->history.actions, &action, "actions"));
    }
    return TARN_OK;
}

// A device without segments and actions was not used.
static tarn_status add_history(struct snapshot *snapshot, uint32_t device) {
    struct tn_history *history = &snapshot->history;
    if (snapshot->history.actions.count == 0 && !snapshot->present[device]) return TARN_OK;
    size_t skipped = workspace_actions(snapshot);
    snapshot->builder->trace.by_npu |= skipped > 0;
    history->device = device;
    history->kind = device == HOST ? TN_DEVICE_HOST : TN_DEVICE_ACCELERATOR;
    history->made_up = snapshot->made_up[device];
    history->actions.count -= skipped;
    if (skipped > 0)
        memmove(history->actions.items, history->actions.items + skipped,
                history->actions.count * sizeof *history->actions.items);
    return tn_history_add(history, snapshot->builder);
}

static tarn_status read_devices(struct snapshot *snapshot) {
    tn_value list = 0, actions;
    uint32_t device = 0;
    char name[32];
    set_place(snapshot, "the snapshot");
    TN_TRY(get_list(snapshot, snapshot->root, "device_traces", &list));
    if (tn_value_count(&snapshot->values, list) > DEVICES)
        return fail_entry(snapshot, "traces of more than 256 devices");
    struct tn_items items = tn_items_of(&snapshot->values, list);
    for (; tn_items_next(&items, &actions); device++) {
        (void)snprintf(name, sizeof name, "device_traces[%u]", device);
        TN_TRY(read_actions(snapshot, actions, name));
        TN_TRY(add_history(snapshot, device));
    }
    for (snapshot->history.actions.count = 0; device < DEVICES; device++)
        TN_TRY(add_history(snapshot, device));
    if (tn_value_get(&snapshot->values, snapshot->root, "host_traces", &list))
        TN_TRY(read_actions(snapshot, list, "host_traces"));
    return add_history(snapshot, HOST);
}

// ---- settings

// Writes a value as text: a scalar, or the items of a dict as "key:value,...".
static int format_value(const struct snapshot *snapshot, tn_value value, char *text, size_t room) {
    const struct tn_node *node = &snapshot->values.nodes[value];
    const char *bytes;
    char number[80];
    size_t length;
    switch (tn_value_kind(&snapshot->values, value)) {
    case TN_VALUE_BOOL: return snprintf(text, room, "%s", node->as.number != 0 ? "true" : "false");
    case TN_VALUE_INT: return snprintf(text, room, "%" PRId64, node->as.number);
    case TN_VALUE_FLOAT: return snprintf(text, room, "%g", node->as.real);
    case TN_VALUE_DECIMAL:
        (void)snprintf(number, sizeof number, "%.*s", (int)node->count,
                       snapshot->values.bytes + node->as.bits);
        return snprintf(text, room, "%g", strtod(number, NULL));
    case TN_VALUE_TEXT:
        (void)tn_value_text(&snapshot->values, value, &bytes, &length);
        return snprintf(text, room, "%.*s", (int)(length < room ? length : room - 1), bytes);
    default: return snprintf(text, room, "?");
    }
}

static void format_setting(const struct snapshot *snapshot, tn_value value, char *text,
                           size_t room) {
    tn_value item;
    size_t used = 0;
    text[0] = '\0';
    if (tn_value_kind(&snapshot->values, value) != TN_VALUE_DICT) {
        (void)format_value(snapshot, value, text, room);
        return;
    }
    struct tn_items items = tn_items_of(&snapshot->values, value);
    for (bool key = true; tn_items_next(&items, &item) && used + 2 < room; key = !key) {
        if (used > 0) text[used++] = key ? ',' : ':';
        int length = format_value(snapshot, item, text + used, room - used);
        used += length < 0 ? 0 : (size_t)length;
        used = used < room ? used : room - 1;
    }
}

static tarn_status read_settings(struct snapshot *snapshot) {
    tn_value dict, name, value;
    char text[512];
    const char *bytes;
    size_t length;
    set_place(snapshot, "allocator_settings");
    if (!tn_value_get(&snapshot->values, snapshot->root, "allocator_settings", &dict) ||
        tn_value_kind(&snapshot->values, dict) != TN_VALUE_DICT)
        return TARN_OK;
    TN_TRY(check_entry(snapshot, dict));
    struct tn_items items = tn_items_of(&snapshot->values, dict);
    while (tn_items_next(&items, &name) && tn_items_next(&items, &value)) {
        uint32_t key, setting;
        if (!tn_value_text(&snapshot->values, name, &bytes, &length)) continue;
        format_setting(snapshot, value, text, sizeof text);
        TN_TRY(tn_builder_text(snapshot->builder, bytes, length, &key));
        TN_TRY(tn_builder_text(snapshot->builder, text, strlen(text), &setting));
        TN_TRY(tn_builder_setting(snapshot->builder, key, setting));
    }
    return TARN_OK;
}

// Tarn names the format of a recording that it converted, and the facts that this lacks.
static void read_origin(struct snapshot *snapshot) {
    struct tn_trace *trace = &snapshot->builder->trace;
    tn_value value;
    const char *name;
    size_t length;
    uint64_t lacks = 0;
    if (tn_value_get(&snapshot->values, snapshot->root, TN_SNAPSHOT_ORIGIN, &value) &&
        tn_value_text(&snapshot->values, value, &name, &length))
        (void)tn_trace_format_parse(name, length, &trace->origin);
    if (find_number(snapshot, snapshot->root, TN_SNAPSHOT_LACKS, &lacks))
        trace->lacks |= (unsigned)(lacks & 0xff);
}

static tarn_status read_dict(struct snapshot *snapshot) {
    set_place(snapshot, "the snapshot");
    TN_TRY(check_entry(snapshot, snapshot->root));
    read_origin(snapshot);
    TN_TRY(read_settings(snapshot));
    TN_TRY(read_segments(snapshot));
    TN_TRY(read_phases(snapshot));
    return read_devices(snapshot);
}

// memory_snapshot() returns the list of segments alone.
static tarn_status read_list(struct snapshot *snapshot) {
    TN_TRY(read_segment_list(snapshot, snapshot->root, false));
    for (uint32_t device = 0; device < DEVICES; device++) TN_TRY(add_history(snapshot, device));
    return TARN_OK;
}

static tarn_status read_all(struct snapshot *snapshot) {
    TN_TRY(tn_frames_begin(&snapshot->frames, &snapshot->values, snapshot->builder));
    TN_TRY(tn_value_kind(&snapshot->values, snapshot->root) == TN_VALUE_LIST ? read_list(snapshot)
                                                                             : read_dict(snapshot));
    set_place(snapshot, "the snapshot");
    return snapshot->builder->trace.device_count > 0
               ? TARN_OK
               : fail_entry(snapshot, "no device has segments or events");
}

// A pickle of protocol 2 or later; nothing else begins so.
bool tn_snapshot_detect(const uint8_t *bytes, size_t size) {
    return size >= 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

tarn_status tn_snapshot_read(struct tn_source *source, struct tn_builder *builder) {
    return tn_snapshot_convert(source, builder, tn_pickle_read);
}

tarn_status tn_snapshot_convert(struct tn_source *source, struct tn_builder *builder,
                                tn_snapshot_values *read) {
    struct snapshot snapshot = {.builder = builder};
    tn_values_begin(&snapshot.values, builder->name, builder->memory);
    tarn_status status = read(source, &snapshot.values, &snapshot.root);
    if (status == TARN_OK) status = read_all(&snapshot);
    tn_frames_release(&snapshot.frames);
    tn_values_release(&snapshot.values);
    free(snapshot.history.segments.items);
    free(snapshot.history.held.items);
    free(snapshot.history.phases.items);
    free(snapshot.history.actions.items);
    return status;
}

// As JSON, a snapshot is the dict, or the list of segments alone.
bool tn_snapshot_json_detect(const uint8_t *bytes, size_t size) {
    uint8_t second = 0;
    uint8_t first = tn_json_first_bytes(bytes, size, &second);
    if (first == '[') return second == '{' && tn_json_mentions(bytes, size, "blocks");
    return first == '{' && (tn_json_mentions(bytes, size, "segments") ||
                            tn_json_mentions(bytes, size, "device_traces"));
}

tarn_status tn_snapshot_json_read(struct tn_source *source, struct tn_builder *builder) {
    return tn_snapshot_convert(source, builder, tn_json_document);
}
