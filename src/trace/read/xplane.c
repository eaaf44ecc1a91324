// SPDX-License-Identifier: Apache-2.0
// The reader of XPlane profiles of TensorFlow and JAX. The allocators of the program emit events of
// memory in the plane of the host. Each has the name of its allocator, the address, the operator
// and the sums of the allocator after the event. One thread at a time.
#include <inttypes.h>

#include "base/error.h"
#include "trace/parse/wire.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

// Numbers of fields.
enum { SPACE_PLANE = 1 };
enum { PLANE_NAME = 2, PLANE_LINE = 3, PLANE_EVENT_NAMES = 4, PLANE_STAT_NAMES = 5 };
enum { MAP_KEY = 1, MAP_VALUE = 2, NAMES_NAME = 2 };
enum { LINE_TIME = 3, LINE_EVENT = 4 };
enum { EVENT_NAME = 1, EVENT_OFFSET = 2, EVENT_STAT = 4 };
enum { STAT_NAME = 1, STAT_UNSIGNED = 3, STAT_SIGNED = 4, STAT_TEXT = 5, STAT_REF = 7 };

enum { DEVICES_MAX = 256, PICOS = 1000 };

// X(NAME, "the name of a stat")
#define STAT_LIST(X)                                                                               \
    X(ALLOCATOR, "allocator_name")                                                                 \
    X(REQUESTED, "requested_bytes")                                                                \
    X(OCCUPIED, "allocation_bytes")                                                                \
    X(ADDRESS, "addr")                                                                             \
    X(OPERATOR, "tf_op")                                                                           \
    X(IN_USE, "bytes_allocated")                                                                   \
    X(AVAILABLE, "bytes_available")

#define STAT_ENUM(name, text) STAT_##name,
enum stat { STAT_LIST(STAT_ENUM) STATS };

// A name of an event or a stat, by its id in a plane.
struct name {
    uint64_t id;
    struct tn_wire text;
};

struct names {
    struct name *items; // sorted by id
    size_t count, room;
};

// The allocator's own sums at one moment.
struct sums {
    uint64_t time_ns;
    uint64_t in_use; // UINT64_MAX if not recorded
    uint64_t reserved;
};

struct xdevice {
    uint32_t number; // or TN_ENTRY_HOST
    struct sums first, last;
    uint64_t reserved_peak;
};

struct xplane {
    struct tn_builder *builder;
    struct tn_journal journal;
    struct names events, stats; // of the current plane
    uint32_t plane;
    uint64_t event; // its number, from 1
    uint64_t line_ns;
    struct xdevice devices[DEVICES_MAX];
    size_t device_count;
};

// An event of memory under construction.
struct memory_event {
    bool frees;
    uint64_t offset_ps;
    uint64_t numbers[STATS];
    struct tn_wire texts[STATS];
    bool present[STATS];
};

// ---- names

// Reads an entry of a map from ids to messages with a name.
static tarn_status read_name(const struct xplane *xplane, struct names *names,
                             struct tn_wire entry) {
    struct tn_wire_field of_entry[MAP_VALUE + 1], of_value[NAMES_NAME + 1];
    TN_TRY(tn_wire_fields(entry, of_entry, MAP_VALUE + 1));
    TN_TRY(tn_wire_fields(of_entry[MAP_VALUE].bytes, of_value, NAMES_NAME + 1));
    const struct name name = {of_entry[MAP_KEY].value, of_value[NAMES_NAME].bytes};
    return TN_APPEND_LIMITED(xplane->builder, names, &name, "names");
}

static const struct tn_wire *find_name(const struct names *names, uint64_t id) {
    static const struct tn_wire none;
    const struct name *found = (const struct name *)TN_FIND(names, id);
    return found != NULL ? &found->text : &none;
}

static tarn_status read_names(struct xplane *xplane, struct tn_wire plane) {
    struct tn_wire_field field;
    xplane->events.count = xplane->stats.count = 0;
    do {
        TN_TRY(tn_wire_next(&plane, &field));
        if (field.kind != TN_WIRE_BYTES) continue;
        if (field.number == PLANE_EVENT_NAMES)
            TN_TRY(read_name(xplane, &xplane->events, field.bytes));
        if (field.number == PLANE_STAT_NAMES)
            TN_TRY(read_name(xplane, &xplane->stats, field.bytes));
    } while (field.number != 0);
    TN_SORT(&xplane->events, 1);
    TN_SORT(&xplane->stats, 1);
    return TARN_OK;
}

// ---- events

// A text may be the name of another stat instead of a text of its own.
static tarn_status read_stat(const struct xplane *xplane, struct tn_wire stat,
                             struct memory_event *event) {
    static const char *const names[] = {STAT_LIST(TN_TEXT_OF)};
    struct tn_wire_field fields[STAT_REF + 1];
    TN_TRY(tn_wire_fields(stat, fields, STAT_REF + 1));
    const struct tn_wire *name = find_name(&xplane->stats, fields[STAT_NAME].value);
    for (size_t i = 0; i < STATS; i++) {
        if (!tn_wire_is(name, names[i])) continue;
        event->numbers[i] = fields[STAT_UNSIGNED].value | fields[STAT_SIGNED].value; // one of them
        event->texts[i] = fields[STAT_REF].number != 0
                              ? *find_name(&xplane->stats, fields[STAT_REF].value)
                              : fields[STAT_TEXT].bytes;
        event->present[i] = true;
    }
    return TARN_OK;
}

static tarn_status parse_event(const struct xplane *xplane, struct tn_wire message,
                               struct memory_event *event, bool *is_memory) {
    struct tn_wire_field field, fields[EVENT_OFFSET + 1];
    TN_TRY(tn_wire_fields(message, fields, EVENT_OFFSET + 1));
    const struct tn_wire *name = find_name(&xplane->events, fields[EVENT_NAME].value);
    event->offset_ps = fields[EVENT_OFFSET].value;
    event->frees = tn_wire_is(name, "MemoryDeallocation");
    *is_memory = event->frees || tn_wire_is(name, "MemoryAllocation");
    while (*is_memory && message.at < message.end) {
        TN_TRY(tn_wire_next(&message, &field));
        if (field.number == EVENT_STAT && field.kind == TN_WIRE_BYTES)
            TN_TRY(read_stat(xplane, field.bytes, event));
    }
    return TARN_OK;
}

// The number in the name of an allocator, such as "GPU_0_bfc". Allocators of the host have none.
static uint32_t device_of(const struct tn_wire *allocator) {
    for (const uint8_t *at = allocator->at; at < allocator->end; at++)
        if (*at >= '0' && *at <= '9') return tn_wire_index(allocator);
    return TN_ENTRY_HOST;
}

static struct xdevice *find_xdevice(struct xplane *xplane, uint32_t number) {
    for (size_t i = 0; i < xplane->device_count; i++)
        if (xplane->devices[i].number == number) return &xplane->devices[i];
    if (xplane->device_count == DEVICES_MAX) return NULL;
    struct xdevice *device = &xplane->devices[xplane->device_count++];
    *device =
        (struct xdevice){.number = number, .first = {.time_ns = UINT64_MAX, .in_use = UINT64_MAX}};
    return device;
}

// Keeps the allocator's own sums. Before the first event, its block was not or still in use.
static void note_sums(struct xdevice *device, const struct memory_event *event, uint64_t time_ns) {
    uint64_t in_use = event->numbers[STAT_IN_USE], occupied = event->numbers[STAT_OCCUPIED];
    uint64_t reserved = 0;
    if (!event->present[STAT_IN_USE] || in_use > INT64_MAX) return;
    if (event->present[STAT_AVAILABLE] && event->numbers[STAT_AVAILABLE] <= INT64_MAX)
        reserved = in_use + event->numbers[STAT_AVAILABLE];
    if (time_ns < device->first.time_ns) {
        uint64_t before = in_use;
        if (!event->frees) before -= occupied < before ? occupied : before;
        device->first = (struct sums){time_ns, before, reserved};
    }
    if (time_ns >= device->last.time_ns) device->last = (struct sums){time_ns, in_use, reserved};
    if (reserved > device->reserved_peak) device->reserved_peak = reserved;
}

static tarn_status fail_event(const struct xplane *xplane, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s: event %" PRIu64 ": %s", xplane->builder->name, xplane->event,
                   what);
}

static tarn_status read_event(struct xplane *xplane, struct tn_wire message) {
    struct memory_event event = {0};
    bool is_memory;
    xplane->event++;
    TN_TRY(parse_event(xplane, message, &event, &is_memory));
    if (!is_memory) return TARN_OK;
    if (!event.present[STAT_ADDRESS] || !event.present[STAT_ALLOCATOR])
        return fail_event(xplane, event.present[STAT_ADDRESS] ? "no stat named \"allocator_name\""
                                                              : "no stat named \"addr\"");
    const struct tn_wire *text = &event.texts[STAT_OPERATOR];
    uint64_t requested = event.numbers[STAT_REQUESTED];
    struct tn_entry entry = {.time_ns = xplane->line_ns + event.offset_ps / PICOS,
                             .where = xplane->event,
                             .key = event.numbers[STAT_ADDRESS],
                             .address = event.numbers[STAT_ADDRESS],
                             .size = requested != 0 ? requested : event.numbers[STAT_OCCUPIED],
                             .space = xplane->plane,
                             .device = device_of(&event.texts[STAT_ALLOCATOR]),
                             .kind = event.frees ? TN_ENTRY_FREE : TN_ENTRY_ALLOC};
    if (entry.size > INT64_MAX) return fail_event(xplane, "the size is above 2^63");
    TN_TRY(
        tn_builder_text(xplane->builder, (const char *)text->at, tn_wire_size(text), &entry.tag));
    struct xdevice *device = find_xdevice(xplane, entry.device);
    if (device == NULL) return fail_event(xplane, "more than 256 devices");
    // Devices may share addresses with each other and with the host.
    entry.space = xplane->plane * DEVICES_MAX + (uint32_t)(device - xplane->devices);
    note_sums(device, &event, entry.time_ns);
    return tn_journal_add(&xplane->journal, &entry);
}

static tarn_status read_line(struct xplane *xplane, struct tn_wire line) {
    struct tn_wire_field field, fields[LINE_TIME + 1];
    TN_TRY(tn_wire_fields(line, fields, LINE_TIME + 1));
    xplane->line_ns = fields[LINE_TIME].value;
    do {
        TN_TRY(tn_wire_next(&line, &field));
        if (field.number == LINE_EVENT && field.kind == TN_WIRE_BYTES)
            TN_TRY(read_event(xplane, field.bytes));
    } while (field.number != 0);
    return TARN_OK;
}

static tarn_status read_plane(struct xplane *xplane, struct tn_wire plane) {
    struct tn_wire_field field;
    TN_TRY(read_names(xplane, plane));
    do {
        TN_TRY(tn_wire_next(&plane, &field));
        if (field.number == PLANE_LINE && field.kind == TN_WIRE_BYTES)
            TN_TRY(read_line(xplane, field.bytes));
    } while (field.number != 0);
    xplane->plane++;
    return TARN_OK;
}

// ---- the allocators' own sums

static tarn_status add_sums(struct xplane *xplane, struct tn_trace_device *device) {
    uint32_t number = device->kind == TN_DEVICE_HOST ? TN_ENTRY_HOST : device->number;
    const struct xdevice *sums = find_xdevice(xplane, number);
    uint64_t known = tn_trace_live_at_start(&xplane->builder->trace, device);
    if (sums == NULL || sums->first.in_use == UINT64_MAX) return TARN_OK;
    if (sums->first.reserved > 0 && sums->last.reserved > 0) {
        device->says_reserved = true;
        device->reserved_at_start = sums->first.reserved;
        device->reserved_peak = sums->reserved_peak;
        device->reserved_at_end = sums->last.reserved;
    }
    if (sums->first.in_use <= known) return TARN_OK;
    return tn_builder_note(xplane->builder,
                           "device %" PRIu32 ": %" PRIu64
                           " bytes were in use before the first event, in unknown blocks",
                           device->number, sums->first.in_use - known);
}

static tarn_status read_space(struct xplane *xplane, struct tn_wire file) {
    struct tn_wire_field field;
    do {
        TN_TRY(tn_wire_next(&file, &field));
        if (field.number == SPACE_PLANE && field.kind == TN_WIRE_BYTES)
            TN_TRY(read_plane(xplane, field.bytes));
    } while (field.number != 0);
    TN_TRY(tn_journal_end(&xplane->journal, TN_JOURNAL_BY_TIME));
    for (size_t i = 0; i < xplane->builder->trace.device_count; i++)
        TN_TRY(add_sums(xplane, &xplane->builder->trace.devices[i]));
    return TARN_OK;
}

// Begins with a plane, which has a name and more.
bool tn_xplane_detect(const uint8_t *bytes, size_t size) {
    struct tn_wire file = tn_wire_of("", bytes, size);
    struct tn_wire_field field;
    if (!tn_wire_enter(&file, SPACE_PLANE)) return false;
    do {
        if (!tn_wire_parse(&file, &field) || field.number == 0 || field.number > PLANE_NAME)
            return false;
    } while (field.number != PLANE_NAME);
    return field.kind == TN_WIRE_BYTES && tn_wire_is_printable(&field.bytes);
}

tarn_status tn_xplane_read(struct tn_source *source, struct tn_builder *builder) {
    struct xplane xplane = {.builder = builder, .journal = {.builder = builder, .noun = "event"}};
    uint8_t *bytes = NULL;
    size_t size = 0;
    TN_TRY(tn_source_read_all(source, builder->memory, &bytes, &size));
    builder->trace.lacks = TN_TRACE_NO_STREAMS;
    tarn_status status = read_space(&xplane, tn_wire_of(builder->name, bytes, size));
    tn_journal_release(&xplane.journal);
    free(xplane.events.items);
    free(xplane.stats.items);
    free(bytes);
    return status;
}
