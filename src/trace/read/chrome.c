// SPDX-License-Identifier: Apache-2.0
// The reader of Chrome traces with memory events, as PyTorch's profiler (Kineto) writes them. The
// events are in no order and the file may be larger than memory, so they are read one by one; those
// of memory and the calls around them are kept and sorted. Memory of the CPU is left out. One
// thread at a time.
#include <inttypes.h>

#include "algo/interval.h"
#include "base/error.h"
#include "trace/base64.h"
#include "trace/builder.h"
#include "trace/extension.h"
#include "trace/parse/callstack.h"
#include "trace/parse/json.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

// ---- spans: the calls of the recorded threads, each with its time

// Spans of a thread lie in each other, as its calls did. A sweep over the sorted spans finds the calls
// that a thread was in. A stack is built when it is first needed, since most calls allocate nothing.
struct span {
    uint64_t process, thread; // spans are sorted by these and the next three
    uint64_t start_ns;
    uint64_t rest_ns; // from its end on: a longer span is around a shorter one that starts with it
    uint64_t order;   // private
    uint32_t name;    // text of the builder: a function, or one with its file and line
    uint32_t callers; // stack of the call, where no span says it; or 0
    uint32_t stack;   // private: of the call itself, if `known`
    bool known;
};

struct spans {
    struct tn_builder *builder;
    TN_LIST(struct span) all;
    size_t next;            // the first that was not opened yet
    TN_LIST(uint32_t) open; // the calls that the current thread is in, outermost first
};

static tarn_status spans_add(struct spans *spans, const struct span *span) {
    struct span fresh = *span;
    fresh.order = spans->all.count;
    TN_REFUSE(spans->all.count >= spans->builder->memory / sizeof fresh ||
                  spans->all.count >= UINT32_MAX,
              TARN_NO_HOST_MEMORY, "%s: the calls need more than the %" PRIu64 " bytes allowed",
              spans->builder->name, spans->builder->memory);
    return TN_APPEND(spans->builder, &spans->all, &fresh, "calls");
}

static struct span *top_span(const struct spans *spans) {
    return spans->open.count > 0 ? &spans->all.items[spans->open.items[spans->open.count - 1]]
                                 : NULL;
}

// Closes the spans of other threads, and those that end before a time.
static void close_spans(struct spans *spans, uint64_t process, uint64_t thread, uint64_t time_ns) {
    const struct span *top = top_span(spans);
    if (top != NULL && (top->process != process || top->thread != thread)) spans->open.count = 0;
    while ((top = top_span(spans)) != NULL && UINT64_MAX - top->rest_ns < time_ns)
        spans->open.count--;
}

static tarn_status open_span(struct spans *spans, uint32_t index) {
    const struct span *span = &spans->all.items[index];
    close_spans(spans, span->process, span->thread, span->start_ns + 1);
    return TN_APPEND(spans->builder, &spans->open, &index, "calls");
}

// Returns true if the span begins at or before the moment, in the order of the questions.
static bool is_before(const struct span *span, uint64_t process, uint64_t thread,
                      uint64_t time_ns) {
    if (span->process != process) return span->process < process;
    if (span->thread != thread) return span->thread < thread;
    return span->start_ns <= time_ns;
}

// Builds the stacks of the open calls from the first one that has none.
static tarn_status build_stack(struct spans *spans, uint32_t *stack) {
    size_t known = spans->open.count;
    while (known > 0 && !spans->all.items[spans->open.items[known - 1]].known) known--;
    *stack = known > 0 ? spans->all.items[spans->open.items[known - 1]].stack : 0;
    for (size_t i = known; i < spans->open.count; i++) {
        struct span *span = &spans->all.items[spans->open.items[i]];
        const char *name = spans->builder->trace.texts[span->name];
        uint32_t caller = *stack != 0 ? *stack : span->callers;
        TN_TRY(tn_callstack_add(spans->builder, (struct tn_cell){name, strlen(name)}, caller,
                                &span->stack));
        span->known = true;
        *stack = span->stack;
    }
    return TARN_OK;
}

// Finds the stack of a thread at a moment, 0 if it was in no call. The questions come in the order
// of processes, threads and times.
static tarn_status spans_stack(struct spans *spans, uint64_t process, uint64_t thread,
                               uint64_t time_ns, uint32_t *stack) {
    *stack = 0;
    for (; spans->next < spans->all.count &&
           is_before(&spans->all.items[spans->next], process, thread, time_ns);
         spans->next++)
        TN_TRY(open_span(spans, (uint32_t)spans->next));
    close_spans(spans, process, thread, time_ns);
    return build_stack(spans, stack);
}

// ---- changes

enum { DEVICES = 256, CPU = 0 };

// Times relative to a base may be negative, so they count from this one until all are known.
#define TIME_ZERO (INT64_MAX / 4)

// An event of memory.
struct change {
    uint64_t type;   // of the device
    uint64_t device; // the changes are sorted by this and the next two, once the times are shifted
    uint64_t time_ns;
    uint64_t where; // index in the list of events
    int64_t bytes;  // negative if freed
    uint64_t process;
    uint64_t thread;
    uint64_t address;
    uint64_t live; // of the device, after the event; UINT64_MAX if not recorded
    uint64_t reserved;
    uint32_t stack;
    bool fails;
    bool has_address;
};

// A step or phase that the program announced.
struct phase {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t where;
    uint32_t name;
};

struct chrome {
    struct tn_builder *builder;
    struct tn_json json;
    struct tn_values values;
    struct spans spans;
    struct tn_journal journal;
    TN_LIST(struct change) changes;
    TN_LIST(struct phase) phases;
    uint64_t memory[DEVICES]; // bytes of the cards, 0 if not recorded
    uint64_t index;           // of the event
    bool has_cpu;             // memory of the CPU was left out
    bool has_recording;       // Tarn wrote the trace, and it has the recording
};

// ---- fields

// Finds a number in units of 10^-digits.
static bool find_scaled(const struct chrome *chrome, tn_value dict, const char *key, int digits,
                        int64_t *number) {
    tn_value value;
    return tn_value_get(&chrome->values, dict, key, &value) &&
           tn_value_scaled(&chrome->values, value, digits, number);
}

// Finds a time in microseconds, perhaps with a fraction, as nanoseconds from TIME_ZERO on.
static bool find_time(const struct chrome *chrome, tn_value dict, const char *key, uint64_t *ns) {
    int64_t time = 0;
    bool found = find_scaled(chrome, dict, key, 3, &time) && time < TIME_ZERO && time > -TIME_ZERO;
    if (found) *ns = (uint64_t)(time + TIME_ZERO);
    return found;
}

// Ids of processes and threads are numbers or texts. A text is its number in the trace, above all
// ids of the system.
static tarn_status find_id(const struct chrome *chrome, tn_value dict, const char *key,
                           uint64_t *id) {
    uint32_t text = 0;
    if (tn_value_get_unsigned(&chrome->values, dict, key, id)) return TARN_OK;
    TN_TRY(tn_value_get_text(&chrome->values, dict, key, chrome->builder, &text));
    *id = UINT64_MAX - text;
    return TARN_OK;
}

// ---- events

// The profiler writes the Python calls around an operator into its arguments, if asked to.
static tarn_status find_callers(struct chrome *chrome, tn_value event, uint32_t *callers) {
    tn_value args, value;
    struct tn_cell text;
    if (!tn_value_get(&chrome->values, event, "args", &args) ||
        !tn_value_get(&chrome->values, args, "Call stack", &value) ||
        !tn_value_text(&chrome->values, value, &text.text, &text.length))
        return TARN_OK;
    return tn_callstack_add(chrome->builder, text, 0, callers);
}

// An event with a beginning and a length: a phase, or a call.
static tarn_status read_complete(struct chrome *chrome, tn_value event) {
    struct span span = {0};
    uint64_t length = 0;
    bool phase = tn_value_get_is(&chrome->values, event, "cat", "user_annotation");
    bool is_operator = tn_value_get_is(&chrome->values, event, "cat", "cpu_op") ||
                       tn_value_get_is(&chrome->values, event, "cat", "Operator");
    if (!phase && !is_operator &&
        !tn_value_get_is(&chrome->values, event, "cat", "python_function"))
        return TARN_OK;
    if (!find_time(chrome, event, "ts", &span.start_ns) ||
        !find_time(chrome, event, "dur", &length) || length < TIME_ZERO)
        return TARN_OK;
    uint64_t end_ns = span.start_ns + length - TIME_ZERO;
    span.rest_ns = UINT64_MAX - end_ns;
    TN_TRY(tn_value_get_text(&chrome->values, event, "name", chrome->builder, &span.name));
    if (phase)
        return TN_APPEND_LIMITED(chrome->builder, &chrome->phases,
                                 &((struct phase){.start_ns = span.start_ns,
                                                  .end_ns = end_ns,
                                                  .where = chrome->index,
                                                  .name = span.name}),
                                 "phases");
    TN_TRY(find_id(chrome, event, "pid", &span.process));
    TN_TRY(find_id(chrome, event, "tid", &span.thread));
    if (is_operator) TN_TRY(find_callers(chrome, event, &span.callers));
    return spans_add(&chrome->spans, &span);
}

static tarn_status fail_event(const struct chrome *chrome, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": traceEvents[%" PRIu64 "]: %s",
                   chrome->builder->name, chrome->json.line, chrome->index, what);
}

static tarn_status read_change(struct chrome *chrome, tn_value event, bool fails) {
    struct change change = {.where = chrome->index, .fails = fails, .live = UINT64_MAX};
    int64_t device = 0, type = 0;
    tn_value args;
    if (!tn_value_get(&chrome->values, event, "args", &args) ||
        !find_scaled(chrome, args, "Device Type", 0, &type) ||
        !find_scaled(chrome, args, "Device Id", 0, &device))
        return fail_event(chrome, "a memory event without the type and id of its device");
    chrome->has_cpu |= type == CPU;
    if (type == CPU || device < 0) return TARN_OK;
    if (device >= DEVICES || type < 0 || type >= DEVICES)
        return fail_event(chrome, "a device number above 255");
    if (!find_time(chrome, event, "ts", &change.time_ns) ||
        !find_scaled(chrome, args, "Bytes", 0, &change.bytes))
        return fail_event(chrome, "a memory event without \"ts\" or \"Bytes\"");
    change.device = (uint64_t)device;
    change.type = (uint64_t)type;
    change.has_address = tn_value_get_unsigned(&chrome->values, args, "Addr", &change.address);
    (void)tn_value_get_unsigned(&chrome->values, args, "Total Allocated", &change.live);
    (void)tn_value_get_unsigned(&chrome->values, args, "Total Reserved", &change.reserved);
    TN_TRY(find_id(chrome, event, "pid", &change.process));
    TN_TRY(find_id(chrome, event, "tid", &change.thread));
    if (change.bytes == 0 || change.bytes == INT64_MIN) return TARN_OK;
    return TN_APPEND_LIMITED(chrome->builder, &chrome->changes, &change, "events");
}

// Events count on where a file has several lists of them.
static tarn_status read_event(void *reader, tn_value event, size_t index) {
    struct chrome *chrome = (struct chrome *)reader;
    const struct tn_values *values = &chrome->values;
    tarn_status status = TARN_OK;
    (void)index;
    if (tn_value_get_is(values, event, "ph", "X"))
        status = read_complete(chrome, event);
    else if (tn_value_get_is(values, event, "name", "[memory]"))
        status = read_change(chrome, event, false);
    else if (tn_value_get_is(values, event, "name", "[OutOfMemory]"))
        status = read_change(chrome, event, true);
    chrome->index++;
    return status;
}

static tarn_status read_cards(struct chrome *chrome) {
    struct tn_values_mark mark = tn_values_mark(&chrome->values);
    tn_value list = 0, card;
    TN_TRY(tn_json_read(&chrome->json, &list));
    struct tn_items items = tn_items_of(&chrome->values, list);
    while (tn_items_next(&items, &card)) {
        uint64_t id = 0, bytes = 0;
        if (tn_value_get_unsigned(&chrome->values, card, "id", &id) && id < DEVICES &&
            tn_value_get_unsigned(&chrome->values, card, "totalGlobalMem", &bytes))
            chrome->memory[id] = bytes;
    }
    tn_values_rewind(&chrome->values, mark);
    return TARN_OK;
}

// Reads the recording that Tarn writes behind the events, which show only a part of it.
static tarn_status read_recording(struct chrome *chrome) {
    struct tn_source *inner = NULL;
    tn_value value = 0;
    size_t size = 0;
    TN_TRY(tn_json_read(&chrome->json, &value));
    const struct tn_node *node = &chrome->values.nodes[value];
    char *text = chrome->values.bytes + node->as.bits;
    TN_REFUSE(chrome->has_recording || tn_value_kind(&chrome->values, value) != TN_VALUE_TEXT ||
                  !tn_base64_decode(text, node->count, &size) ||
                  !tn_binary_detect((const uint8_t *)text, size),
              TARN_CORRUPT, "%s: \"" TN_CHROME_RECORDING "\" is no recording in base64",
              chrome->builder->name);
    TN_TRY(tn_source_open_memory(chrome->builder->name, text, size, &inner));
    tarn_status status = tn_binary_read(inner, chrome->builder);
    tn_source_close(inner);
    chrome->has_recording = status == TARN_OK;
    return status;
}

static tarn_status read_member(void *reader) {
    struct chrome *chrome = (struct chrome *)reader;
    const char *key = chrome->json.key;
    if (strcmp(key, "traceEvents") == 0) return tn_json_list(&chrome->json, read_event, chrome);
    if (strcmp(key, "deviceProperties") == 0) return read_cards(chrome);
    return strcmp(key, TN_CHROME_RECORDING) == 0 ? read_recording(chrome)
                                                 : tn_json_skip(&chrome->json);
}

// A program that crashes leaves the list of events open. Viewers accept that, and so does this.
static tarn_status read_file(struct chrome *chrome) {
    uint8_t byte = 0;
    TN_TRY(tn_json_peek(&chrome->json, &byte));
    tarn_status status = byte == '[' ? tn_json_list(&chrome->json, read_event, chrome)
                                     : tn_json_members(&chrome->json, read_member, chrome);
    if (status == TARN_OK) status = tn_json_finish(&chrome->json);
    if (status == TARN_OK || !chrome->json.ended || chrome->changes.count == 0) return status;
    return tn_builder_note(chrome->builder,
                           "line %" PRIu64 ": the file ends early, in event %" PRIu64,
                           chrome->json.line, chrome->index);
}

// ---- sorted

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_thread(const void *left, const void *right) {
    const struct change *a = (const struct change *)left, *b = (const struct change *)right;
    int processes = compare_numbers(a->process, b->process);
    int threads = compare_numbers(a->thread, b->thread);
    if (processes != 0 || threads != 0) return processes != 0 ? processes : threads;
    int times = compare_numbers(a->time_ns, b->time_ns);
    return times != 0 ? times : compare_numbers(a->where, b->where);
}

static tarn_status find_stacks(struct chrome *chrome) {
    TN_SORT(&chrome->spans.all, 5);
    qsort(chrome->changes.items, chrome->changes.count, sizeof *chrome->changes.items, by_thread);
    for (size_t i = 0; i < chrome->changes.count; i++) {
        struct change *change = &chrome->changes.items[i];
        TN_TRY(spans_stack(&chrome->spans, change->process, change->thread, change->time_ns,
                           &change->stack));
    }
    return TARN_OK;
}

// Times of events are not negative.
static void shift_times(struct chrome *chrome) {
    uint64_t first = TIME_ZERO;
    for (size_t i = 0; i < chrome->changes.count; i++)
        first = chrome->changes.items[i].time_ns < first ? chrome->changes.items[i].time_ns : first;
    for (size_t i = 0; i < chrome->phases.count; i++)
        first = chrome->phases.items[i].start_ns < first ? chrome->phases.items[i].start_ns : first;
    for (size_t i = 0; i < chrome->changes.count; i++) chrome->changes.items[i].time_ns -= first;
    for (size_t i = 0; i < chrome->phases.count; i++) {
        chrome->phases.items[i].start_ns -= first;
        chrome->phases.items[i].end_ns -= first;
    }
}

static uint64_t magnitude(int64_t bytes) { return bytes < 0 ? (uint64_t)-bytes : (uint64_t)bytes; }

static struct tn_entry entry_of(const struct change *change) {
    return (struct tn_entry){.time_ns = change->time_ns,
                             .where = change->where,
                             .key = change->address,
                             .address = change->address,
                             .size = magnitude(change->bytes),
                             .space = (uint32_t)(change->type << 16 | change->device),
                             .device = (uint32_t)change->device,
                             .stack = change->stack};
}

// Returns the bytes that were live before an event, or 0 if they are unknown.
static uint64_t live_before(const struct change *change) {
    uint64_t before = 0, bytes = change->fails ? 0 : magnitude(change->bytes);
    if (change->live == UINT64_MAX ||
        (change->bytes > 0 ? __builtin_sub_overflow(change->live, bytes, &before)
                           : __builtin_add_overflow(change->live, bytes, &before)))
        return 0;
    return before;
}

// Sums the blocks that are freed without having been allocated.
static tarn_status sum_unknown_frees(const struct chrome *chrome, const struct change *changes,
                                     size_t count, uint64_t *sum) {
    struct tn_interval live;
    tarn_status status = TARN_OK;
    tn_interval_init(&live);
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        uint64_t address = changes[i].address;
        if (!changes[i].has_address || changes[i].fails || address == UINT64_MAX) continue;
        bool known = tn_interval_remove(&live, address, NULL);
        if (changes[i].bytes > 0)
            status = tn_interval_insert(&live, address, address + 1, 0);
        else if (!known)
            *sum += magnitude(changes[i].bytes);
    }
    tn_interval_fini(&live);
    return status == TARN_OK ? TARN_OK
                             : tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the events",
                                       chrome->builder->name);
}

// The first sum tells how much was live before. The part of it that the recorded frees do not
// explain becomes one block.
static tarn_status add_rest(struct chrome *chrome, const struct change *changes, size_t count) {
    static const char tag[] = "live before the recording";
    uint64_t before = live_before(changes), freed = 0;
    struct tn_entry entry = entry_of(changes);
    TN_TRY(sum_unknown_frees(chrome, changes, count, &freed));
    if (before <= freed) return TARN_OK;
    entry.kind = TN_ENTRY_STARTING;
    entry.time_ns = 0;
    entry.key = UINT64_MAX;
    entry.address = 0;
    entry.size = before - freed;
    entry.stack = 0;
    TN_TRY(tn_builder_text(chrome->builder, tag, strlen(tag), &entry.tag));
    return tn_journal_add(&chrome->journal, &entry);
}

static tarn_status add_sums(struct chrome *chrome, const struct change *change, uint64_t live) {
    struct tn_entry entry = entry_of(change);
    entry.kind = TN_ENTRY_SAMPLE;
    entry.address = live;
    entry.size = change->reserved;
    return tn_journal_add(&chrome->journal, &entry);
}

static tarn_status add_change(struct chrome *chrome, const struct change *change) {
    struct tn_entry entry = entry_of(change);
    entry.kind = change->fails       ? TN_ENTRY_FAILURE
                 : change->bytes > 0 ? TN_ENTRY_ALLOC
                                     : TN_ENTRY_FREE;
    if (change->fails)
        entry.address = UINT64_MAX;
    else if (!change->has_address)
        return TARN_OK;
    return tn_journal_add(&chrome->journal, &entry);
}

// The oldest profilers wrote changes without addresses and sums. They are summed up here.
static tarn_status add_device_changes(struct chrome *chrome, const struct change *changes,
                                      size_t count) {
    int64_t running = 0, lowest = 0;
    for (size_t i = 0; i < count; i++) {
        TN_REFUSE(!changes[i].fails && __builtin_add_overflow(running, changes[i].bytes, &running),
                  TARN_CORRUPT, "%s: traceEvents[%" PRIu64 "]: the sum exceeds 63 bits",
                  chrome->builder->name, changes[i].where);
        lowest = running < lowest ? running : lowest;
    }
    TN_TRY(add_rest(chrome, changes, count));
    running = 0;
    for (size_t i = 0; i < count; i++) {
        running += changes[i].fails ? 0 : changes[i].bytes;
        TN_TRY(add_change(chrome, &changes[i]));
        if (changes[i].live != UINT64_MAX)
            TN_TRY(add_sums(chrome, &changes[i], changes[i].live));
        else if (!changes[i].has_address)
            TN_TRY(add_sums(chrome, &changes[i], (uint64_t)running - (uint64_t)lowest));
    }
    return TARN_OK;
}

static tarn_status add_marks(struct chrome *chrome, bool ends) {
    for (size_t i = 0; i < chrome->phases.count; i++) {
        const struct phase *phase = &chrome->phases.items[i];
        const struct tn_entry entry = {.time_ns = ends ? phase->end_ns : phase->start_ns,
                                       .where = phase->where,
                                       .tag = phase->name,
                                       .device = TN_ENTRY_EVERY,
                                       .kind = ends ? TN_ENTRY_MARK_END : TN_ENTRY_MARK};
        TN_TRY(tn_journal_add(&chrome->journal, &entry));
    }
    return TARN_OK;
}

// Events of one time keep the order in which they are added: a phase is around what it touches.
static tarn_status add_all(struct chrome *chrome) {
    struct tn_trace *trace = &chrome->builder->trace;
    TN_TRY(find_stacks(chrome));
    shift_times(chrome);
    TN_SORT(&chrome->changes, 4);
    TN_TRY(add_marks(chrome, false));
    for (size_t from = 0, to; from < chrome->changes.count; from = to) {
        const struct change *first = &chrome->changes.items[from];
        for (to = from + 1; to < chrome->changes.count &&
                            first->type == chrome->changes.items[to].type &&
                            first->device == chrome->changes.items[to].device;)
            to++;
        TN_TRY(add_device_changes(chrome, first, to - from));
    }
    TN_TRY(add_marks(chrome, true));
    TN_TRY(tn_journal_end(&chrome->journal, TN_JOURNAL_BY_TIME));
    for (size_t i = 0; i < trace->device_count; i++)
        trace->devices[i].memory_bytes = chrome->memory[trace->devices[i].number];
    return TARN_OK;
}

static tarn_status convert_chrome(void *reader) {
    struct chrome *chrome = (struct chrome *)reader;
    TN_TRY(read_file(chrome));
    if (chrome->has_recording) return TARN_OK;
    chrome->builder->trace.lacks |= TN_TRACE_NO_STREAMS;
    if (chrome->changes.count > 0) return add_all(chrome);
    return tn_fail(TARN_CORRUPT, "%s: a Chrome trace %s", chrome->builder->name,
                   chrome->has_cpu ? "with memory of the CPU only, and none of a device"
                                   : "without memory events: record it with profile_memory=True");
}

// ---- changes

bool tn_chrome_detect(const uint8_t *bytes, size_t size) {
    static const char *const keys[] = {"traceEvents", "schemaVersion", "deviceProperties",
                                       "displayTimeUnit"};
    uint8_t second = 0;
    uint8_t first = tn_json_first_bytes(bytes, size, &second);
    if (first == '[') return second == '{' && tn_json_mentions(bytes, size, "ph");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (first == '{' && tn_json_mentions(bytes, size, keys[i])) return true;
    return false;
}

tarn_status tn_chrome_read(struct tn_source *source, struct tn_builder *builder) {
    struct chrome chrome = {.builder = builder,
                            .spans = {.builder = builder},
                            .journal = {.builder = builder, .noun = "event"}};
    tarn_status status =
        tn_json_parts(&chrome.json, &chrome.values, source, builder, convert_chrome, &chrome);
    free(chrome.spans.all.items);
    free(chrome.spans.open.items);
    tn_journal_release(&chrome.journal);
    free(chrome.changes.items);
    free(chrome.phases.items);
    return status;
}
