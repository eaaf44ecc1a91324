// SPDX-License-Identifier: Apache-2.0
// The reader of Umpire's replay logs: one JSON object on each line, in the layout of today or in
// that up to 2021. A pool's allocation and the chunk that it lies in are both logged; the chunk
// becomes a segment. One thread at a time.
#include <inttypes.h>

#include "algo/interval.h"
#include "base/error.h"
#include "trace/parse/column.h"
#include "trace/parse/json.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

// ALLOCATORS and INTENTS bound linear searches.
enum { ALLOCATORS = 1024, PARENTS = 16, INTENTS = 64, DEVICES = 256 };

#define NO_PARENT UINT32_MAX

enum operation { ALLOCATE, DEALLOCATE, REALLOCATE, MAKE_RESOURCE, MAKE_ALLOCATOR, OTHER };

// A memory resource, or an allocator that takes its memory from another one.
struct allocator {
    uint64_t process;
    uint32_t ref;  // text
    uint32_t name; // text
    uint32_t parent;
    uint32_t depth;
    uint32_t device;
    bool has_chunks; // some of its allocations are the chunks of a pool
    struct tn_interval live;
};

// An allocation or a free.
struct record {
    uint64_t time_ns;
    uint64_t line;
    uint64_t address;
    uint64_t size;
    uint32_t allocator;
    uint32_t tag;
    uint32_t begun; // of a free: its allocation, or UINT32_MAX
    bool frees;
    bool fails;      // an intent to allocate
    bool is_settled; // which has a result
    bool is_chunk;   // an allocation of a pool lies in it
};

// One line of the log.
struct line {
    enum operation operation;
    uint64_t process;
    uint64_t time_ns;
    uint64_t size;
    uint64_t address;
    uint64_t new_address; // of REALLOCATE
    uint32_t ref;
    uint32_t name;
    uint32_t parents[PARENTS]; // texts that may name the parent
    size_t parent_count;
    bool has_size;
    bool has_result;
};

struct umpire {
    struct tn_builder *builder;
    struct tn_json json;
    struct tn_values values;
    struct tn_journal journal;
    TN_LIST(struct allocator) allocators;
    TN_LIST(struct record) records;
    size_t intents[INTENTS]; // records of allocations without a result so far
    size_t intent_count;
    struct line reallocation; // that has no result yet, if its operation says so
};

static tarn_status fail_log(const struct umpire *umpire, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": %s", umpire->builder->name, umpire->json.line,
                   what);
}

// ---- fields

// Finds a text, unless another place had it.
static tarn_status find_either(const struct umpire *umpire, tn_value dict, const char *key,
                               uint32_t *text) {
    return *text == 0 ? tn_value_get_text(&umpire->values, dict, key, umpire->builder, text)
                      : TARN_OK;
}

// Pointers are texts, in hexadecimal; null is "0".
static bool find_pointer(const struct umpire *umpire, tn_value dict, const char *key,
                         uint64_t *address) {
    tn_value value;
    struct tn_cell cell;
    return tn_value_get(&umpire->values, dict, key, &value) &&
           tn_value_text(&umpire->values, value, &cell.text, &cell.length) &&
           tn_cell_unsigned(cell, address);
}

static tarn_status add_parent(const struct umpire *umpire, tn_value value, struct line *line) {
    uint32_t text = 0;
    if (line->parent_count == PARENTS) return TARN_OK;
    TN_TRY(tn_value_intern(&umpire->values, value, umpire->builder, &text));
    if (text != 0) line->parents[line->parent_count++] = text;
    return TARN_OK;
}

// ---- lines

static const struct tn_choice operations[] = {{"allocate", ALLOCATE},
                                              {"named_allocate", ALLOCATE},
                                              {"deallocate", DEALLOCATE},
                                              {"reallocate", REALLOCATE},
                                              {"make_memory_resource", MAKE_RESOURCE},
                                              {"makeMemoryResource", MAKE_RESOURCE},
                                              {"make_allocator", MAKE_ALLOCATOR},
                                              {"makeAllocator", MAKE_ALLOCATOR},
                                              {NULL, 0}};

static enum operation find_operation(const struct umpire *umpire, tn_value name) {
    struct tn_cell cell;
    uint32_t operation = OTHER;
    if (tn_value_text(&umpire->values, name, &cell.text, &cell.length))
        (void)tn_choice_find(operations, cell, &operation);
    return (enum operation)operation;
}

// {"category":"operation","name":...,"numeric_args":{},"string_args":{},"tags":{},"timestamp":...}
static tarn_status read_new_layout(const struct umpire *umpire, tn_value object,
                                   struct line *line) {
    tn_value name, args, key, value;
    if (!tn_value_get(&umpire->values, object, "name", &name)) return TARN_OK;
    line->operation = find_operation(umpire, name);
    if (tn_value_get(&umpire->values, object, "numeric_args", &args))
        line->has_size = tn_value_get_unsigned(&umpire->values, args, "size", &line->size);
    if (tn_value_get(&umpire->values, object, "tags", &args) && line->operation != ALLOCATE)
        TN_TRY(find_either(umpire, args, "allocator_name", &line->name));
    if (!tn_value_get(&umpire->values, object, "string_args", &args)) return TARN_OK;
    TN_TRY(find_either(umpire, args, "allocator_ref", &line->ref));
    TN_TRY(find_either(umpire, args,
                       line->operation == ALLOCATE ? "allocation_name" : "allocator_name",
                       &line->name));
    line->has_result = find_pointer(umpire, args, "pointer", &line->address);
    (void)find_pointer(umpire, args, "current_ptr", &line->address);
    if (line->operation == REALLOCATE)
        line->has_result = find_pointer(umpire, args, "new_ptr", &line->new_address);
    struct tn_items items = tn_items_of(&umpire->values, args);
    while (tn_items_next(&items, &key) && tn_items_next(&items, &value)) {
        const char *text;
        size_t length;
        if (tn_value_text(&umpire->values, key, &text, &length) && length > 3 &&
            memcmp(text, "arg", 3) == 0)
            TN_TRY(add_parent(umpire, value, line));
    }
    return TARN_OK;
}

// The result of a call is an object, or the reference of a resource alone.
static tarn_status read_result(const struct umpire *umpire, tn_value result, struct line *line) {
    line->has_result = true;
    TN_TRY(tn_value_intern(&umpire->values, result, umpire->builder, &line->ref));
    TN_TRY(find_either(umpire, result, "allocator_ref", &line->ref));
    (void)find_pointer(umpire, result, "memory_ptr",
                       line->operation == REALLOCATE ? &line->new_address : &line->address);
    return TARN_OK;
}

// {"kind":"replay","uid":...,"timestamp":...,"event":...,"payload":{},"result":{}}
static tarn_status read_old_layout(const struct umpire *umpire, tn_value object,
                                   struct line *line) {
    tn_value name, payload, value, item;
    if (!tn_value_get(&umpire->values, object, "event", &name) ||
        !tn_value_get(&umpire->values, object, "payload", &payload))
        return TARN_OK;
    line->operation = find_operation(umpire, name);
    (void)tn_value_get_unsigned(&umpire->values, object, "uid", &line->process);
    line->has_size = tn_value_get_unsigned(&umpire->values, payload, "size", &line->size);
    TN_TRY(find_either(umpire, payload, "allocator_ref", &line->ref));
    TN_TRY(find_either(umpire, payload, "allocator_name", &line->name));
    TN_TRY(find_either(umpire, payload, "name", &line->name));
    (void)find_pointer(umpire, payload, "memory_ptr", &line->address);
    (void)find_pointer(umpire, payload, "ptr", &line->address);
    if (tn_value_get(&umpire->values, payload, "args", &value)) {
        struct tn_items items = tn_items_of(&umpire->values, value);
        while (tn_items_next(&items, &item)) TN_TRY(add_parent(umpire, item, line));
    }
    return tn_value_get(&umpire->values, object, "result", &value)
               ? read_result(umpire, value, line)
               : TARN_OK;
}

static tarn_status read_object(struct umpire *umpire, struct line *line) {
    tn_value object = 0;
    *line = (struct line){.operation = OTHER};
    TN_TRY(tn_json_read(&umpire->json, &object));
    (void)tn_value_get_unsigned(&umpire->values, object, "timestamp", &line->time_ns);
    if (tn_value_get_is(&umpire->values, object, "kind", "replay"))
        return read_old_layout(umpire, object, line);
    return tn_value_get_is(&umpire->values, object, "category", "operation")
               ? read_new_layout(umpire, object, line)
               : TARN_OK;
}

// ---- allocators

// "DEVICE", "DEVICE::1" and "UM" are memory of a device, "HOST", "PINNED" and "FILE" of the host.
static uint32_t device_of(const char *name) {
    bool device = strncmp(name, "DEVICE", 6) == 0 || strncmp(name, "UM", 2) == 0;
    const char *mark = strstr(name, "::");
    uint64_t number = 0;
    if (!device) return TN_ENTRY_HOST;
    if (mark == NULL || !tn_cell_unsigned((struct tn_cell){mark + 2, strlen(mark + 2)}, &number))
        return 0;
    return number < DEVICES ? (uint32_t)number : 0;
}

// Finds the allocator that has this reference or name now. The last one counts, as references are
// addresses that recur.
static uint32_t find_allocator(const struct umpire *umpire, uint64_t process, uint32_t text) {
    for (size_t i = umpire->allocators.count; i-- > 0;) {
        const struct allocator *own = &umpire->allocators.items[i];
        if (own->process == process && (own->ref == text || own->name == text)) return (uint32_t)i;
    }
    return NO_PARENT;
}

static tarn_status add_allocator(struct umpire *umpire, const struct line *line, uint32_t parent) {
    const struct allocator *above = parent != NO_PARENT ? &umpire->allocators.items[parent] : NULL;
    struct allocator fresh = {.process = line->process,
                              .ref = line->ref,
                              .name = line->name,
                              .parent = parent,
                              .depth = above != NULL ? above->depth + 1 : 0};
    fresh.device =
        above != NULL ? above->device : device_of(umpire->builder->trace.texts[line->name]);
    if (umpire->allocators.count == ALLOCATORS || fresh.depth == PARENTS)
        return fail_log(umpire, "more than 1024 allocators, or 16 of them on each other");
    tn_interval_init(&fresh.live);
    return TN_APPEND(umpire->builder, &umpire->allocators, &fresh, "allocators");
}

static tarn_status make_allocator(struct umpire *umpire, const struct line *line) {
    uint32_t parent = NO_PARENT;
    if (line->ref == 0) return TARN_OK;
    for (size_t i = 0; i < line->parent_count && parent == NO_PARENT; i++)
        parent = find_allocator(umpire, line->process, line->parents[i]);
    return add_allocator(umpire, line, parent);
}

// A log that was cut at its beginning lacks the line that made an allocator.
static tarn_status need_allocator(struct umpire *umpire, const struct line *line, uint32_t *index) {
    const struct line unknown = {.process = line->process, .ref = line->ref};
    *index = find_allocator(umpire, line->process, line->ref);
    if (*index != NO_PARENT) return TARN_OK;
    TN_TRY(tn_builder_note(umpire->builder,
                           "line %" PRIu64 ": the allocator %s is not described; it is taken for "
                           "one of device 0",
                           umpire->json.line, umpire->builder->trace.texts[line->ref]));
    *index = (uint32_t)umpire->allocators.count;
    return add_allocator(umpire, &unknown, NO_PARENT);
}

// ---- records

static tarn_status add_record(struct umpire *umpire, const struct record *record) {
    return TN_APPEND_LIMITED(umpire->builder, &umpire->records, record, "events");
}

static struct record begin_record(const struct umpire *umpire, const struct line *line,
                                  uint32_t allocator) {
    const struct allocator *own = &umpire->allocators.items[allocator];
    return (struct record){.time_ns = line->time_ns,
                           .line = umpire->json.line,
                           .address = line->address,
                           .size = line->size,
                           .allocator = allocator,
                           .tag = line->name != 0            ? line->name
                                  : own->parent != NO_PARENT ? own->name
                                                             : 0,
                           .begun = UINT32_MAX};
}

// The allocations of the parents that hold this address are chunks of a pool.
static void mark_chunks(struct umpire *umpire, const struct record *record) {
    uint32_t parent = umpire->allocators.items[record->allocator].parent;
    struct tn_interval_entry entry;
    for (; parent != NO_PARENT; parent = umpire->allocators.items[parent].parent) {
        struct allocator *above = &umpire->allocators.items[parent];
        if (!tn_interval_find(&above->live, record->address, &entry)) continue;
        umpire->records.items[entry.value].is_chunk = true;
        above->has_chunks = true;
    }
}

static tarn_status add_allocation(struct umpire *umpire, const struct record *record) {
    struct tn_interval *live = &umpire->allocators.items[record->allocator].live;
    struct tn_interval_entry entry;
    uint64_t end;
    TN_TRY(add_record(umpire, record));
    mark_chunks(umpire, record);
    if (record->size == 0 || __builtin_add_overflow(record->address, record->size, &end))
        return TARN_OK;
    while (tn_interval_next(live, record->address, &entry) && entry.start < end)
        (void)tn_interval_remove(live, entry.start, NULL);
    tarn_status status = tn_interval_insert(live, record->address, end, umpire->records.count - 1);
    return status == TARN_OK ? TARN_OK
                             : tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the events",
                                       umpire->builder->name);
}

static tarn_status add_free(struct umpire *umpire, const struct record *record) {
    struct record fresh = *record;
    struct tn_interval_entry entry;
    fresh.frees = true;
    fresh.size = 0;
    if (tn_interval_remove(&umpire->allocators.items[record->allocator].live, record->address,
                           &entry))
        fresh.begun = (uint32_t)entry.value;
    return add_record(umpire, &fresh);
}

// The old layout writes an intent before each allocation. Those without a result have failed.
static tarn_status add_intent(struct umpire *umpire, const struct record *record) {
    struct record intent = *record;
    intent.fails = true;
    TN_TRY(add_record(umpire, &intent));
    if (umpire->intent_count == INTENTS)
        memmove(umpire->intents, umpire->intents + 1,
                --umpire->intent_count * sizeof *umpire->intents);
    umpire->intents[umpire->intent_count++] = umpire->records.count - 1;
    return TARN_OK;
}

// Takes back the last intent of an allocation, which has a result now.
static void settle_intent(struct umpire *umpire, const struct record *record) {
    for (size_t i = umpire->intent_count; i-- > 0;) {
        struct record *intent = &umpire->records.items[umpire->intents[i]];
        if (intent->allocator != record->allocator || intent->size != record->size) continue;
        intent->is_settled = true;
        umpire->intent_count--;
        memmove(umpire->intents + i, umpire->intents + i + 1,
                (umpire->intent_count - i) * sizeof *umpire->intents);
        return;
    }
}

// Some allocators write the steps of a reallocation too, others only its intent and its result.
static tarn_status handle_reallocation(struct umpire *umpire, const struct line *line,
                                       uint32_t allocator) {
    struct line *open = &umpire->reallocation;
    if (!line->has_result) {
        *open = *line;
        return TARN_OK;
    }
    bool known = open->operation == REALLOCATE && open->ref == line->ref;
    struct line step = *open;
    open->operation = OTHER;
    if (!known || !step.has_size) return TARN_OK;
    step.time_ns = line->time_ns;
    step.name = 0;
    struct record record = begin_record(umpire, &step, allocator);
    if (step.address != 0) TN_TRY(add_free(umpire, &record));
    record.address = line->new_address;
    return add_allocation(umpire, &record);
}

static tarn_status handle_memory(struct umpire *umpire, const struct line *line) {
    uint32_t allocator = 0;
    TN_TRY(need_allocator(umpire, line, &allocator));
    if (line->operation == REALLOCATE) return handle_reallocation(umpire, line, allocator);
    if (umpire->reallocation.ref == line->ref) // its steps are written
        umpire->reallocation.operation = OTHER;
    struct record record = begin_record(umpire, line, allocator);
    if (line->operation == DEALLOCATE) return add_free(umpire, &record);
    if (!line->has_size) return fail_log(umpire, "an allocation without a size");
    if (!line->has_result) return add_intent(umpire, &record);
    settle_intent(umpire, &record);
    return add_allocation(umpire, &record);
}

static tarn_status handle_line(struct umpire *umpire, const struct line *line) {
    switch (line->operation) {
    case MAKE_RESOURCE: return line->ref != 0 ? add_allocator(umpire, line, NO_PARENT) : TARN_OK;
    case MAKE_ALLOCATOR: return make_allocator(umpire, line);
    case OTHER: return TARN_OK;
    default:
        return line->ref != 0 ? handle_memory(umpire, line)
                              : fail_log(umpire, "an operation without \"allocator_ref\"");
    }
}

static tarn_status read_lines_of(struct umpire *umpire) {
    struct tn_values_mark mark = tn_values_mark(&umpire->values);
    for (;;) {
        struct line line;
        uint8_t byte = 0;
        TN_TRY(tn_json_peek(&umpire->json, &byte));
        if (byte == 0) return tn_json_finish(&umpire->json);
        if (byte == '#') {
            TN_TRY(tn_json_skip_line(&umpire->json));
            continue;
        }
        TN_TRY(read_object(umpire, &line));
        TN_TRY(handle_line(umpire, &line));
        tn_values_rewind(&umpire->values, mark);
    }
}

// ---- conversion

static tarn_status add_entry_of(struct umpire *umpire, const struct record *record,
                                enum tn_entry_kind kind) {
    const struct tn_entry entry = {.time_ns = record->time_ns,
                                   .where = record->line,
                                   .key = record->address,
                                   .address = record->fails ? UINT64_MAX : record->address,
                                   .size = record->size,
                                   .space = record->allocator,
                                   .device = umpire->allocators.items[record->allocator].device,
                                   .tag = record->tag,
                                   .kind = (uint32_t)kind};
    return tn_journal_add(&umpire->journal, &entry);
}

// A resource gets its memory from the device: each of its allocations is a segment, if pools take
// chunks from it. A chunk is no block.
static tarn_status convert_record(struct umpire *umpire, const struct record *record) {
    const struct record *begun =
        record->begun != UINT32_MAX ? &umpire->records.items[record->begun] : record;
    const struct allocator *own = &umpire->allocators.items[record->allocator];
    bool segment = own->parent == NO_PARENT && own->has_chunks && begun->size > 0;
    if (record->fails)
        return record->is_settled ? TARN_OK : add_entry_of(umpire, record, TN_ENTRY_FAILURE);
    if (segment && !record->frees) TN_TRY(add_entry_of(umpire, record, TN_ENTRY_SEGMENT));
    if (!begun->is_chunk)
        TN_TRY(add_entry_of(umpire, record, record->frees ? TN_ENTRY_FREE : TN_ENTRY_ALLOC));
    if (segment && record->frees) TN_TRY(add_entry_of(umpire, record, TN_ENTRY_SEGMENT_RETURN));
    return TARN_OK;
}

static tarn_status convert_umpire(void *reader) {
    struct umpire *umpire = (struct umpire *)reader;
    tarn_status status = read_lines_of(umpire);
    if (status != TARN_OK && umpire->json.ended && umpire->records.count > 0)
        status = tn_builder_note(umpire->builder, "line %" PRIu64 ": the file ends early",
                                 umpire->json.line);
    TN_TRY(status);
    for (size_t i = 0; i < umpire->records.count; i++)
        TN_TRY(convert_record(umpire, &umpire->records.items[i]));
    return TARN_OK;
}

// ----

// One object on each line, perhaps behind comments.
bool tn_umpire_detect(const uint8_t *bytes, size_t size) {
    uint8_t second = 0;
    uint8_t first = tn_json_first_bytes(bytes, size, &second);
    if (first != '{' && first != '#') return false;
    if (tn_json_mentions(bytes, size, "kind") && tn_json_mentions(bytes, size, "replay"))
        return true;
    return tn_json_mentions(bytes, size, "category") && tn_json_mentions(bytes, size, "timestamp");
}

tarn_status tn_umpire_read(struct tn_source *source, struct tn_builder *builder) {
    struct umpire umpire = {
        .builder = builder, .journal = {.builder = builder}, .reallocation = {.operation = OTHER}};
    builder->trace.lacks |= TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS;
    tarn_status status =
        tn_json_parts(&umpire.json, &umpire.values, source, builder, convert_umpire, &umpire);
    status = tn_journal_finish(&umpire.journal, status, TN_JOURNAL_AS_ADDED);
    for (size_t i = 0; i < umpire.allocators.count; i++)
        tn_interval_fini(&umpire.allocators.items[i].live);
    free(umpire.allocators.items);
    free(umpire.records.items);
    return status;
}
