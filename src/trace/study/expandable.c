// SPDX-License-Identifier: Apache-2.0
// See expandable.h. Each stream has a range of small and one of large blocks, and private pools have
// ranges of their own. A range consists of pieces: used, free, or not mapped. Free neighbours are
// joined. PyTorch's names for the three steps of a request are get_free_block, alloc_block and
// release_cached_blocks.
#include "trace/study/expandable.h"

#include <stdlib.h>

#include "base/error.h"
#include "trace/builder.h"
#include "trace/ranges.h"
#include "trace/study/lives.h"

#define MIB (UINT64_C(1) << 20)
// Ranges begin at multiples of this, from 1 on, and are longer than the memory of any card.
#define RANGE (UINT64_C(1) << 41)

enum { UNIT = 512, STEP = 20, SMALL_PAGE = 2 << 20, LARGE_PAGE = 20 << 20 };

enum state { USED, FREE, UNMAPPED };

typedef struct tn_interval_entry piece; // its value is its state

struct range {
    uint32_t stream;
    bool is_private;
    uint64_t page;           // by which it grows: SMALL_PAGE if its blocks are small
    struct tn_interval free; // by key_of(): the addresses of the free pieces
};

struct model {
    const struct tn_trace *trace;
    uint64_t limit, reserved, peak;
    struct tn_interval pieces; // of all ranges
    struct range *ranges;
    size_t range_count, range_room;
    uint64_t *placed;            // by block: its address, or 0
    struct tn_interval privates; // what the recording has of private segments
    bool failed;                 // out of host memory
};

static uint64_t round_up(uint64_t bytes, uint64_t page) { return (bytes + page - 1) / page * page; }

// ---- pieces

static struct range *range_of(const struct model *model, uint64_t address) {
    return &model->ranges[address / RANGE - 1];
}

// Free pieces are ordered by their size, and equal ones by their address.
static uint64_t key_of(uint64_t start, uint64_t end) {
    return (end - start) / UNIT << 32 | start % RANGE / UNIT;
}

static void insert(struct model *model, struct tn_interval *map, uint64_t start, uint64_t end,
                   uint64_t value) {
    model->failed |= tn_interval_insert(map, start, end, value) != TARN_OK;
}

static void add_piece(struct model *model, uint64_t start, uint64_t end, enum state state) {
    uint64_t key = key_of(start, end);
    insert(model, &model->pieces, start, end, state);
    if (state == FREE) insert(model, &range_of(model, start)->free, key, key + 1, start);
}

static void remove_piece(struct model *model, const piece *gone) {
    (void)tn_interval_remove(&model->pieces, gone->start, NULL);
    if (gone->value == FREE)
        (void)tn_interval_remove(&range_of(model, gone->start)->free,
                                 key_of(gone->start, gone->end), NULL);
}

// Adds a piece that is not used, joined with its neighbours of the same state.
static void add_unused(struct model *model, uint64_t start, uint64_t end, enum state state) {
    piece other;
    if (start == end) return;
    if (tn_interval_find(&model->pieces, start - 1, &other) && other.value == state) {
        remove_piece(model, &other);
        start = other.start;
    }
    if (tn_interval_find(&model->pieces, end, &other) && other.value == state) {
        remove_piece(model, &other);
        end = other.end;
    }
    add_piece(model, start, end, state);
}

// ---- pages

// Maps the first bytes of a piece that is not mapped, in whole pages. Returns false if the device
// refuses.
static bool map_piece(struct model *model, const piece *unmapped, uint64_t bytes) {
    uint64_t mapped = round_up(bytes, range_of(model, unmapped->start)->page);
    if (model->reserved + mapped > model->limit) return false;
    model->reserved += mapped;
    if (model->reserved > model->peak) model->peak = model->reserved;
    remove_piece(model, unmapped);
    add_unused(model, unmapped->start + mapped, unmapped->end, UNMAPPED);
    add_unused(model, unmapped->start, unmapped->start + mapped, FREE);
    return true;
}

static void unmap_piece(struct model *model, const piece *mapped) {
    uint64_t page = range_of(model, mapped->start)->page, base = mapped->start / RANGE * RANGE;
    uint64_t from = base + round_up(mapped->start - base, page);
    uint64_t to = base + (mapped->end - base) / page * page;
    if (from >= to) return;
    model->reserved -= to - from;
    remove_piece(model, mapped);
    add_unused(model, mapped->start, from, FREE);
    add_unused(model, to, mapped->end, FREE);
    add_unused(model, from, to, UNMAPPED);
}

static void unmap_all(struct model *model) {
    piece at = {0};
    while (tn_interval_next(&model->pieces, at.end, &at) && !model->failed)
        if (at.value == FREE) unmap_piece(model, &at);
}

// ---- requests

// Returns a piece's bytes with those that it can grow by in place.
static uint64_t growable(const struct model *model, const piece *at) {
    piece next;
    bool grows = tn_interval_find(&model->pieces, at->end, &next) && next.value == UNMAPPED;
    return (grows ? next.end : at->end) - at->start;
}

static bool find_free(const struct model *model, size_t range, uint64_t bytes, piece *found) {
    piece key, next;
    struct tn_interval_cursor at = tn_interval_seek(&model->ranges[range].free, key_of(0, bytes));
    if (!tn_interval_step(&at, &key)) return false;
    (void)tn_interval_find(&model->pieces, key.value, found);
    while (tn_interval_step(&at, &key) && tn_interval_find(&model->pieces, key.value, &next) &&
           growable(model, &next) < growable(model, found))
        *found = next;
    return true;
}

// Returns the start of the first free neighbours that are long enough together, of which some are not
// mapped, or 0.
static uint64_t find_growable(const struct model *model, size_t range, uint64_t bytes) {
    uint64_t base = (range + 1) * RANGE;
    piece at, other;
    struct tn_interval_cursor cursor = tn_interval_seek(&model->pieces, base);
    while (tn_interval_step(&cursor, &at) && at.start < base + RANGE) {
        if (at.value != UNMAPPED) continue;
        uint64_t first = at.start, end = at.end;
        if (tn_interval_find(&model->pieces, first - 1, &other) && other.value == FREE)
            first = other.start;
        while (end - first < bytes && tn_interval_find(&model->pieces, end, &other) &&
               other.value != USED)
            end = other.end;
        if (end - first >= bytes) return first;
    }
    return 0;
}

// Maps what a request lacks, piece after piece. Returns false if the device refuses.
static bool grow_piece(struct model *model, size_t range, uint64_t bytes, piece *grown) {
    uint64_t first = find_growable(model, range, bytes);
    while (first != 0 && !model->failed) {
        (void)tn_interval_find(&model->pieces, first, grown);
        uint64_t has = grown->value == FREE ? grown->end - first : 0;
        if (has >= bytes) return true;
        piece next = *grown;
        if (has > 0) (void)tn_interval_find(&model->pieces, grown->end, &next);
        uint64_t all = next.end - next.start, lacks = bytes - has;
        if (!map_piece(model, &next, all < lacks ? all : lacks)) return false;
    }
    return false;
}

// Returns the number of the range for a block of that many bytes.
static size_t find_range(struct model *model, const struct tn_block *block, uint64_t bytes) {
    struct range wanted = {.stream = block->stream,
                           .page = bytes <= MIB ? SMALL_PAGE : LARGE_PAGE,
                           .is_private = tn_interval_find(&model->privates, block->id, NULL)};
    size_t i = 0;
    while (i < model->range_count &&
           (model->ranges[i].stream != wanted.stream || model->ranges[i].page != wanted.page ||
            model->ranges[i].is_private != wanted.is_private))
        i++;
    if (i < model->range_count) return i;
    tn_interval_init(&wanted.free);
    void *grown =
        tn_append(model->ranges, &model->range_count, &model->range_room, &wanted, sizeof wanted);
    model->failed |= grown == NULL;
    if (grown == NULL) return i;
    model->ranges = (struct range *)grown;
    // The rest of the last page keeps the pieces of ranges apart.
    add_piece(model, (i + 1) * RANGE, (i + 2) * RANGE - RANGE % LARGE_PAGE, UNMAPPED);
    return i;
}

// Returns false if the card is too small.
static bool take(struct model *model, uint32_t number) {
    const struct tn_block *block = &model->trace->blocks[number];
    uint64_t bytes = round_up(tn_block_occupied(model->trace, block), UNIT);
    piece at;
    if (bytes >= RANGE) return false;
    size_t range = find_range(model, block, bytes);
    if (model->failed) return true;
    bool found = find_free(model, range, bytes, &at) || grow_piece(model, range, bytes, &at);
    if (!found) {
        unmap_all(model);
        found = grow_piece(model, range, bytes, &at);
    }
    if (!found) return false;
    remove_piece(model, &at);
    add_piece(model, at.start, at.start + bytes, USED);
    add_unused(model, at.start + bytes, at.end, FREE);
    model->placed[number] = at.start;
    return true;
}

static void give_back(struct model *model, uint32_t number) {
    piece at;
    if (!tn_interval_find(&model->pieces, model->placed[number], &at)) return;
    remove_piece(model, &at);
    add_unused(model, at.start, at.end, FREE);
}

// ---- the recording

// Segments may overlap those of another time.
static void find_private(struct model *model) {
    for (size_t i = 0; i < model->trace->segment_count && !model->failed; i++) {
        const struct tn_trace_segment *segment = &model->trace->segments[i];
        uint64_t start = segment->address, end = start + segment->bytes;
        if (segment->is_private && start < end)
            model->failed = tn_ranges_join(&model->privates, start, end, 0) != TARN_OK;
    }
}

// Returns false if the card is too small for the events.
static bool follow_events(struct model *model, const struct tn_moment *start) {
    const struct tn_trace *trace = model->trace;
    const struct tn_trace_device *device = start->device;
    find_private(model);
    for (size_t i = 0; i < start->block_count && !model->failed; i++)
        (void)take(model, start->blocks[i]);
    for (size_t i = 0; i < device->event_count && !model->failed; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC && !take(model, event->item)) return false;
        if (event->kind == TN_EVENT_FREE) give_back(model, event->item);
    }
    return true;
}

static tarn_status run_model(const struct tn_moment *start, uint64_t limit, uint64_t *peak) {
    const struct tn_trace *trace = start->trace;
    struct model model = {.trace = trace, .limit = limit};
    tn_interval_init(&model.pieces);
    tn_interval_init(&model.privates);
    model.placed = (uint64_t *)calloc(trace->block_count + 1, sizeof *model.placed);
    model.failed = model.placed == NULL;
    bool fits = !model.failed && follow_events(&model, start);
    *peak = fits ? model.peak : 0;
    for (size_t i = 0; i < model.range_count; i++) tn_interval_fini(&model.ranges[i].free);
    tn_interval_fini(&model.pieces);
    tn_interval_fini(&model.privates);
    free(model.ranges);
    free(model.placed);
    TN_REFUSE(model.failed, TARN_NO_HOST_MEMORY, "out of host memory for a model of %zu blocks",
              trace->block_count);
    return TARN_OK;
}

tarn_status tn_expandable_model(const struct tn_moment *start, size_t most,
                                struct tn_expandable *made) {
    uint64_t peak = 0;
    *made = (struct tn_expandable){0};
    TN_TRY(run_model(start, UINT64_MAX / 2, &made->with_room));
    uint64_t low = tn_trace_peak(start->trace, start->device).live / (STEP * MIB);
    uint64_t high = (made->with_room + STEP * MIB - 1) / (STEP * MIB);
    if (start->device->event_count > most) return TARN_OK;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        TN_TRY(run_model(start, middle * STEP * MIB, &peak));
        if (peak != 0)
            high = middle;
        else
            low = middle + 1;
    }
    made->least = high * STEP * MIB;
    return TARN_OK;
}
