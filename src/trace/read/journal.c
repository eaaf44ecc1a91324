// SPDX-License-Identifier: Apache-2.0
// Converts a journal into the devices of a trace; see journal.h. Three passes: in order of time, to
// pair frees with allocations; sorted by device, to add what was there at the start; and again, to
// add the events.
#include "trace/read/journal.h"

#include <inttypes.h>

#include "base/error.h"
#include "trace/progress.h"
#include "trace/read/segments.h"

// A value of `match`: the entry has none.
#define UNMATCHED UINT32_MAX

// Two values of `order` for each entry, so that one can be added before it.
#define ORDER_OF(index) (2 * (uint64_t)(index) + 1)
#define INDEX_OF(order) ((size_t)((order) / 2))

// A block or segment that is known by its key.
struct place {
    uint64_t key; // the key of a set, up to `entry`
    uint32_t space;
    uint32_t segment; // 1: keys of segments
    uint32_t entry;   // index of the one that began it, or UNMATCHED
};

struct pairing {
    struct tn_journal *journal;
    TN_SET(struct place) places;
};

void tn_journal_release(struct tn_journal *journal) {
    free(journal->entries);
    *journal = (struct tn_journal){.builder = journal->builder, .noun = journal->noun};
}

static tarn_status append_entry(struct tn_journal *journal, const struct tn_entry *entry) {
    return tn_builder_append(journal->builder, &journal->entries, &journal->count, &journal->room,
                             entry, sizeof *entry, TN_HELD, "events");
}

tarn_status tn_journal_add(struct tn_journal *journal, const struct tn_entry *entry) {
    struct tn_entry fresh = *entry;
    fresh.order = ORDER_OF(journal->count);
    fresh.match = UNMATCHED;
    return append_entry(journal, &fresh);
}

// ---- pairing

static bool is_segment_entry(const struct tn_entry *entry) {
    return entry->kind == TN_ENTRY_SEGMENT || entry->kind == TN_ENTRY_SEGMENT_RETURN;
}

// Finds or adds the place of an entry's key.
static tarn_status find_place(struct pairing *pairing, const struct tn_entry *entry,
                              struct place **place) {
    const struct place wanted = {.key = entry->key,
                                 .space = entry->space,
                                 .segment = is_segment_entry(entry),
                                 .entry = UNMATCHED};
    return TN_SET_PLACE(pairing->journal->builder, &pairing->places, &wanted,
                        offsetof(struct place, entry), "events", place);
}

static tarn_status note_entry(const struct tn_journal *journal, const struct tn_entry *entry,
                              const char *what) {
    return tn_builder_note(journal->builder, "%s %" PRIu64 ", address 0x%" PRIx64 ": %s",
                           journal->noun != NULL ? journal->noun : "line", entry->where,
                           entry->address, what);
}

// Adds a free of a live block right before the entry that allocates it again.
static tarn_status end_before(struct tn_journal *journal, size_t index, uint32_t live) {
    struct tn_entry end = journal->entries[index];
    const struct tn_entry *begun = &journal->entries[live];
    end.kind = is_segment_entry(begun) ? TN_ENTRY_SEGMENT_RETURN : TN_ENTRY_FREE;
    end.order--;
    end.match = live;
    end.device = begun->device;
    return append_entry(journal, &end);
}

static tarn_status pair_begin(struct pairing *pairing, size_t index, struct place *place) {
    struct tn_journal *journal = pairing->journal;
    struct tn_entry *entry = &journal->entries[index];
    uint32_t live = place->entry;
    bool renews = entry->kind == TN_ENTRY_RENEW;
    if (entry->size == 0) {
        entry->kind = TN_ENTRY_NOTHING;
        place->entry = live == UNMATCHED ? (uint32_t)index : live;
        return TARN_OK;
    }
    place->entry = (uint32_t)index;
    if (renews) entry->kind = TN_ENTRY_ALLOC;
    if (live == UNMATCHED || journal->entries[live].kind == TN_ENTRY_NOTHING) return TARN_OK;
    if (!renews)
        TN_TRY(note_entry(journal, entry,
                          "allocated while live; its free is missing and is assumed to be here"));
    return end_before(journal, index, live);
}

// A block that is freed before it is allocated was live at the start.
static tarn_status pair_end(struct pairing *pairing, size_t index, struct place *place) {
    struct tn_journal *journal = pairing->journal;
    struct tn_entry *entry = &journal->entries[index];
    bool requests = entry->kind == TN_ENTRY_FREE_REQUEST;
    if (place->entry != UNMATCHED) {
        const struct tn_entry *begun = &journal->entries[place->entry];
        entry->match = place->entry;
        entry->device = begun->device;
        if (begun->kind == TN_ENTRY_NOTHING)
            entry->kind = TN_ENTRY_NOTHING;
        else if (!requests)
            place->entry = UNMATCHED;
    } else if (!requests && entry->size > 0 && entry->device != TN_ENTRY_MATCHED) {
        entry->match = (uint32_t)index;
    } else {
        entry->kind = TN_ENTRY_NOTHING;
        if (!requests)
            return note_entry(journal, entry, "freed while not live, and its size is not recorded");
    }
    return TARN_OK;
}

static tarn_status pair_entry(struct pairing *pairing, size_t index) {
    uint32_t kind = pairing->journal->entries[index].kind;
    bool ends =
        kind == TN_ENTRY_FREE_REQUEST || kind == TN_ENTRY_FREE || kind == TN_ENTRY_SEGMENT_RETURN;
    bool begins = kind == TN_ENTRY_STARTING || kind == TN_ENTRY_ALLOC || kind == TN_ENTRY_RENEW ||
                  kind == TN_ENTRY_SEGMENT;
    struct place *place = NULL;
    if (!begins && !ends) return TARN_OK;
    TN_TRY(find_place(pairing, &pairing->journal->entries[index], &place));
    return begins ? pair_begin(pairing, index, place) : pair_end(pairing, index, place);
}

static tarn_status pair_entries(struct tn_journal *journal) {
    struct pairing pairing = {.journal = journal};
    tarn_status status = TARN_OK;
    size_t count = journal->count;
    for (size_t i = 0; i < count && status == TARN_OK; i++) status = pair_entry(&pairing, i);
    TN_SET_RELEASE(&pairing.places);
    return status;
}

// ---- order

// Devices by number, then the host, then the marks of every device, then the rest.
static int compare_devices(const void *left, const void *right) {
    const struct tn_entry *a = (const struct tn_entry *)left;
    const struct tn_entry *b = (const struct tn_entry *)right;
    uint32_t nothing = TN_ENTRY_NOTHING;
    if ((a->kind == nothing) != (b->kind == nothing)) return a->kind == nothing ? 1 : -1;
    if (a->device != b->device) return a->device > b->device ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

// ---- addition to the trace

struct addition {
    struct tn_builder *builder;
    size_t total;                   // entries of all devices
    const struct tn_entry *entries; // of one device
    size_t count;
    const struct tn_entry *common; // the marks of every device
    size_t common_count;
    uint32_t *items; // by index before the sort: the block or segment that an entry began
};

// A block or segment that ends before it begins was there at the start.
static bool ends_itself(const struct tn_entry *entry) {
    return entry->match == INDEX_OF(entry->order);
}

static tarn_status make_block(struct addition *addition, const struct tn_entry *entry,
                              struct tn_block *block) {
    *block = (struct tn_block){
        .id = entry->address, .size = entry->size, .stack = entry->stack, .tag = entry->tag};
    return tn_builder_stream(addition->builder, entry->stream, &block->stream);
}

static tarn_status add_starting_blocks(struct addition *addition) {
    for (size_t i = 0; i < addition->count; i++) {
        const struct tn_entry *entry = &addition->entries[i];
        struct tn_block block;
        if (entry->kind != TN_ENTRY_STARTING &&
            (entry->kind != TN_ENTRY_FREE || !ends_itself(entry)))
            continue;
        TN_TRY(make_block(addition, entry, &block));
        TN_TRY(tn_builder_starting(addition->builder, &block,
                                   &addition->items[INDEX_OF(entry->order)]));
    }
    return TARN_OK;
}

static tarn_status add_segment(struct addition *addition, const struct tn_entry *entry,
                               bool starts) {
    struct tn_trace_segment segment = {
        .address = entry->address, .bytes = entry->size, .stack = entry->stack};
    uint32_t *item = &addition->items[INDEX_OF(entry->order)];
    TN_TRY(tn_builder_stream(addition->builder, entry->stream, &segment.stream));
    *item = (uint32_t)addition->builder->trace.segment_count;
    return starts ? tn_builder_starting_segment(addition->builder, &segment)
                  : tn_builder_segment(addition->builder, &segment, item);
}

static tarn_status add_starting_segments(struct addition *addition) {
    for (size_t i = 0; i < addition->count; i++) {
        const struct tn_entry *entry = &addition->entries[i];
        if (entry->kind == TN_ENTRY_SEGMENT_RETURN && ends_itself(entry))
            TN_TRY(add_segment(addition, entry, true));
    }
    return TARN_OK;
}

static tarn_status add_entry(struct addition *addition, const struct tn_entry *entry) {
    const struct tn_trace_sample sample = {
        .time_us = entry->time_ns / 1000, .live = entry->address, .reserved = entry->size};
    struct tn_block block;
    uint32_t item = entry->tag;
    switch (entry->kind) {
    case TN_ENTRY_STARTING: return TARN_OK;
    case TN_ENTRY_SAMPLE: return tn_builder_sample(addition->builder, &sample);
    case TN_ENTRY_ALLOC:
        TN_TRY(make_block(addition, entry, &block));
        TN_TRY(tn_builder_block(addition->builder, &block, &item));
        addition->items[INDEX_OF(entry->order)] = item;
        break;
    case TN_ENTRY_SEGMENT:
        TN_TRY(add_segment(addition, entry, false));
        item = addition->items[INDEX_OF(entry->order)];
        break;
    case TN_ENTRY_FREE_REQUEST:
    case TN_ENTRY_FREE:
    case TN_ENTRY_SEGMENT_RETURN: item = addition->items[entry->match]; break;
    case TN_ENTRY_FAILURE:
        TN_TRY(tn_builder_refusal(addition->builder, entry->size, entry->address, entry->stream,
                                  entry->stack, &item));
        break;
    default: break;
    }
    return tn_builder_event(addition->builder, (enum tn_event_kind)entry->kind,
                            entry->time_ns / 1000, entry->where, item);
}

static tarn_status add_device(struct addition *addition) {
    struct tn_trace_device *device = NULL;
    const struct tn_entry *entry = addition->entries;
    const struct tn_entry *common = addition->common;
    bool host = entry->device == TN_ENTRY_HOST;
    TN_TRY(tn_builder_device(addition->builder, host ? 0 : entry->device, &device));
    device->kind = host ? TN_DEVICE_HOST : TN_DEVICE_ACCELERATOR;
    TN_TRY(add_starting_blocks(addition));
    TN_TRY(add_starting_segments(addition));
    while (entry < addition->entries + addition->count ||
           common < addition->common + addition->common_count) {
        if (addition->builder->trace.event_count % 1024 == 0)
            tn_trace_report(TN_STAGE_BUILD, addition->total + addition->builder->trace.event_count,
                            2 * addition->total);
        bool own = common == addition->common + addition->common_count ||
                   (entry < addition->entries + addition->count && entry->order < common->order);
        TN_TRY(add_entry(addition, own ? entry++ : common++));
    }
    return tn_segments_sum(addition->builder, device);
}

// Returns the index after the entries of the same device.
static size_t find_device_end(const struct tn_journal *journal, size_t from) {
    size_t to = from;
    while (to < journal->count && journal->entries[to].kind != TN_ENTRY_NOTHING &&
           journal->entries[to].device == journal->entries[from].device)
        to++;
    return to;
}

static tarn_status fail_nothing(const struct tn_journal *journal) {
    return tn_fail(TARN_CORRUPT, "%s: no event of memory is recorded", journal->builder->name);
}

static tarn_status add_devices(struct tn_journal *journal, uint32_t *items) {
    struct addition addition = {
        .builder = journal->builder, .total = journal->count, .items = items};
    size_t devices = 0;
    while (devices < journal->count && journal->entries[devices].device != TN_ENTRY_EVERY &&
           journal->entries[devices].kind != TN_ENTRY_NOTHING)
        devices++;
    if (devices == 0) return fail_nothing(journal);
    addition.common = journal->entries + devices;
    addition.common_count = find_device_end(journal, devices) - devices;
    for (size_t from = 0; from < devices;) {
        size_t to = find_device_end(journal, from);
        addition.entries = journal->entries + from;
        addition.count = to - from;
        TN_TRY(add_device(&addition));
        from = to;
    }
    return TARN_OK;
}

tarn_status tn_journal_end(struct tn_journal *journal, enum tn_journal_order order) {
    if (journal->count == 0) return fail_nothing(journal);
    if (order == TN_JOURNAL_BY_TIME) {
        tn_numbers_sort(journal->entries, journal->count, sizeof *journal->entries, 2);
        for (size_t i = 0; i < journal->count; i++) journal->entries[i].order = ORDER_OF(i);
    }
    tn_trace_report(TN_STAGE_BUILD, journal->count / 2, 2 * journal->count);
    uint32_t *items = (uint32_t *)calloc(journal->count + 1, sizeof *items);
    tarn_status status = items != NULL
                             ? pair_entries(journal)
                             : tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the events",
                                       journal->builder->name);
    if (status == TARN_OK) {
        qsort(journal->entries, journal->count, sizeof *journal->entries, compare_devices);
        status = add_devices(journal, items);
    }
    free(items);
    return status;
}

tarn_status tn_journal_finish(struct tn_journal *journal, tarn_status status,
                              enum tn_journal_order order) {
    if (status == TARN_OK) status = tn_journal_end(journal, order);
    tn_journal_release(journal);
    return status;
}
