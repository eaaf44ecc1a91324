// SPDX-License-Identifier: Apache-2.0
// See expandable.h. Each stream has a range of small and one of large blocks, and private pools have
// ranges of their own. A range is a list of neighbours: used, free, or not mapped. Free neighbours are
// joined. PyTorch's names for the three steps of a request are get_free_block, alloc_block and
// release_cached_blocks.
#include "trace/study/expandable.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "trace/builder.h"
#include "trace/study/lives.h"

#define MIB       (UINT64_C(1) << 20)
#define RANGE_MAX (UINT64_C(1) << 46)

enum { SPLIT = 512, STEP = 20 };

// A piece of a range, by its index. Piece 0 stands for none.
struct piece {
    uint64_t start, bytes;
    uint32_t prev, next, range;
    bool used, mapped;
};

// The free pieces of a range that are mapped, by size and address, and those that are not, by address.
struct list {
    uint32_t *pieces;
    size_t count, room;
};

struct range {
    uint32_t stream;
    bool is_small, is_private;
    uint64_t page;
    uint32_t first;
    struct list free, unmapped;
};

struct model {
    const struct tn_trace *trace;
    uint64_t limit, reserved, peak;
    struct piece *pieces;
    size_t piece_count, piece_room;
    uint32_t unused; // pieces that were joined, by `next`
    struct range *ranges;
    size_t range_count, range_room;
    uint32_t *placed;                  // by block: its piece
    struct tn_trace_segment *privates; // all that the recording has
    size_t private_count, private_room;
    bool failed; // out of host memory
};

// ---- lists

static struct list *list_of(const struct model *model, const struct piece *piece) {
    struct range *range = &model->ranges[piece->range];
    return piece->mapped ? &range->free : &range->unmapped;
}

static bool is_before(const struct piece *a, const struct piece *b) {
    return a->mapped && a->bytes != b->bytes ? a->bytes < b->bytes : a->start < b->start;
}

// Returns the first place in a list whose piece is not before the wanted one.
static size_t find_place(const struct model *model, const struct list *list,
                         const struct piece *wanted) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&model->pieces[list->pieces[middle]], wanted))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void enlist(struct model *model, uint32_t index) {
    struct list *list = list_of(model, &model->pieces[index]);
    void *grown = tn_grow(list->pieces, &list->room, list->count + 1, sizeof *list->pieces);
    model->failed = model->failed || grown == NULL;
    if (grown == NULL) return;
    list->pieces = (uint32_t *)grown;
    size_t at = find_place(model, list, &model->pieces[index]);
    memmove(list->pieces + at + 1, list->pieces + at, (list->count++ - at) * sizeof *list->pieces);
    list->pieces[at] = index;
}

// A model that has failed is given up, and its lists may lack pieces.
static void unlist(struct model *model, uint32_t index) {
    if (model->failed) return;
    struct list *list = list_of(model, &model->pieces[index]);
    size_t at = find_place(model, list, &model->pieces[index]);
    memmove(list->pieces + at, list->pieces + at + 1, (--list->count - at) * sizeof *list->pieces);
}

// ---- pieces

static uint32_t new_piece(struct model *model, const struct piece *wanted) {
    uint32_t index = model->unused;
    if (index != 0) {
        model->unused = model->pieces[index].next;
    } else {
        void *grown = tn_append(model->pieces, &model->piece_count, &model->piece_room, wanted,
                                sizeof *wanted);
        model->failed = model->failed || grown == NULL;
        if (grown == NULL) return 0;
        model->pieces = (struct piece *)grown;
        index = (uint32_t)model->piece_count - 1;
    }
    model->pieces[index] = *wanted;
    return index;
}

// Cuts the bytes after the first `bytes` off a piece that is in no list. Returns the rest, which is in
// none either, or 0.
static uint32_t split(struct model *model, uint32_t index, uint64_t bytes) {
    struct piece rest = model->pieces[index];
    if (rest.bytes == bytes) return 0;
    rest.start += bytes;
    rest.bytes -= bytes;
    rest.prev = index;
    uint32_t made = new_piece(model, &rest);
    if (made == 0) return 0;
    if (rest.next != 0) model->pieces[rest.next].prev = made;
    model->pieces[index].next = made;
    model->pieces[index].bytes = bytes;
    return made;
}

// Joins two neighbours, if the second is free and like the first, which is in no list.
static void join(struct model *model, uint32_t index, uint32_t other, bool is_before_it) {
    struct piece *piece = &model->pieces[index], *with = &model->pieces[other];
    if (other == 0 || with->used || with->mapped != piece->mapped) return;
    unlist(model, other);
    piece->bytes += with->bytes;
    if (is_before_it) {
        piece->start = with->start;
        piece->prev = with->prev;
        if (piece->prev != 0)
            model->pieces[piece->prev].next = index;
        else
            model->ranges[piece->range].first = index;
    } else {
        piece->next = with->next;
        if (piece->next != 0) model->pieces[piece->next].prev = index;
    }
    with->next = model->unused;
    model->unused = other;
}

static void join_and_enlist(struct model *model, uint32_t index) {
    join(model, index, model->pieces[index].prev, true);
    join(model, index, model->pieces[index].next, false);
    enlist(model, index);
}

// ---- pages

// Maps the first bytes of a piece that is not mapped, in whole pages, and joins them with what is free
// around them. Returns false if the device refuses.
static bool map_piece(struct model *model, uint32_t index, uint64_t bytes) {
    uint64_t page = model->ranges[model->pieces[index].range].page;
    uint64_t mapped = (bytes + page - 1) / page * page;
    if (model->reserved + mapped > model->limit) return false;
    model->reserved += mapped;
    if (model->reserved > model->peak) model->peak = model->reserved;
    unlist(model, index);
    uint32_t rest = split(model, index, mapped);
    if (rest != 0) enlist(model, rest);
    model->pieces[index].mapped = true;
    join_and_enlist(model, index);
    return true;
}

static void unmap_piece(struct model *model, uint32_t index) {
    const struct piece *piece = &model->pieces[index];
    uint64_t page = model->ranges[piece->range].page;
    uint64_t left = (piece->start + page - 1) / page * page - piece->start;
    uint64_t right = (piece->start + piece->bytes) / page * page - piece->start;
    if (left >= piece->bytes || right <= left) return;
    unlist(model, index);
    uint32_t middle = left > 0 ? split(model, index, left) : index;
    if (left > 0) enlist(model, index);
    uint32_t after = split(model, middle, right - left);
    if (after != 0) enlist(model, after);
    model->reserved -= right - left;
    model->pieces[middle].mapped = false;
    join_and_enlist(model, middle);
}

static void unmap_all(struct model *model) {
    for (size_t i = 0; i < model->range_count; i++)
        for (uint32_t at = model->ranges[i].first; at != 0 && !model->failed;
             at = model->pieces[at].next)
            if (!model->pieces[at].used && model->pieces[at].mapped) unmap_piece(model, at);
}

// ---- requests

// Returns a piece's bytes with those that it can grow by in place.
static uint64_t growable(const struct model *model, uint32_t index) {
    const struct piece *piece = &model->pieces[index], *next = &model->pieces[piece->next];
    return piece->bytes + (piece->next != 0 && !next->mapped ? next->bytes : 0);
}

static uint32_t find_free(const struct model *model, const struct range *range, uint64_t bytes) {
    const struct piece wanted = {.bytes = bytes, .mapped = true};
    size_t at = find_place(model, &range->free, &wanted);
    if (at == range->free.count) return 0;
    while (at + 1 < range->free.count &&
           growable(model, range->free.pieces[at + 1]) < growable(model, range->free.pieces[at]))
        at++;
    return range->free.pieces[at];
}

// Returns the first piece of free neighbours that are long enough together, of which some are not
// mapped.
static uint32_t find_growable(const struct model *model, const struct range *range,
                              uint64_t bytes) {
    for (size_t i = 0; i < range->unmapped.count; i++) {
        uint32_t first = range->unmapped.pieces[i], before = model->pieces[first].prev;
        if (before != 0 && !model->pieces[before].used) first = before;
        uint64_t sum = 0;
        for (uint32_t at = first; at != 0 && !model->pieces[at].used && sum < bytes;
             at = model->pieces[at].next)
            sum += model->pieces[at].bytes;
        if (sum >= bytes) return first;
    }
    return 0;
}

// Maps what a request lacks. Returns the piece, or 0 if the device refuses.
static uint32_t grow_piece(struct model *model, size_t range, uint64_t bytes) {
    uint32_t piece = find_growable(model, &model->ranges[range], bytes);
    if (piece != 0 && !model->pieces[piece].mapped) {
        uint64_t all = model->pieces[piece].bytes;
        if (!map_piece(model, piece, all < bytes ? all : bytes)) return 0;
    }
    while (piece != 0 && model->pieces[piece].bytes < bytes && !model->failed) {
        uint32_t next = model->pieces[piece].next;
        uint64_t all = model->pieces[next].bytes, lacks = bytes - model->pieces[piece].bytes;
        if (!map_piece(model, next, all < lacks ? all : lacks)) return 0;
        piece = next; // which has joined the piece before it
    }
    return piece;
}

static bool is_in_private(const struct model *model, uint64_t address) {
    for (size_t i = 0; i < model->private_count; i++)
        if (address - model->privates[i].address < model->privates[i].bytes) return true;
    return false;
}

// Returns the number of the range for a block of that many bytes.
static size_t find_range(struct model *model, const struct tn_block *block, uint64_t bytes) {
    struct range wanted = {.stream = block->stream,
                           .is_small = bytes <= MIB,
                           .is_private = is_in_private(model, block->id)};
    size_t i = 0;
    while (i < model->range_count && (model->ranges[i].stream != wanted.stream ||
                                      model->ranges[i].is_small != wanted.is_small ||
                                      model->ranges[i].is_private != wanted.is_private))
        i++;
    if (i < model->range_count) return i;
    const struct piece all = {.bytes = RANGE_MAX, .range = (uint32_t)i};
    wanted.page = wanted.is_small ? 2 * MIB : 20 * MIB;
    wanted.first = new_piece(model, &all);
    void *grown =
        tn_append(model->ranges, &model->range_count, &model->range_room, &wanted, sizeof wanted);
    model->failed = model->failed || grown == NULL;
    if (grown != NULL) {
        model->ranges = (struct range *)grown;
        enlist(model, wanted.first);
    }
    return i;
}

// Returns false if the card is too small.
static bool take(struct model *model, uint32_t number) {
    const struct tn_block *block = &model->trace->blocks[number];
    uint64_t bytes = (tn_block_occupied(model->trace, block) + SPLIT - 1) / SPLIT * SPLIT;
    if (bytes > RANGE_MAX / 2) return false;
    size_t range = find_range(model, block, bytes);
    if (model->failed) return true;
    uint32_t piece = find_free(model, &model->ranges[range], bytes);
    if (piece == 0) piece = grow_piece(model, range, bytes);
    if (piece == 0) {
        unmap_all(model);
        piece = grow_piece(model, range, bytes);
    }
    if (piece == 0) return false;
    unlist(model, piece);
    uint32_t rest = split(model, piece, bytes);
    if (rest != 0) enlist(model, rest);
    model->pieces[piece].used = true;
    model->placed[number] = piece;
    return true;
}

static void give_back(struct model *model, uint32_t number) {
    uint32_t piece = model->placed[number];
    if (piece == 0) return;
    model->pieces[piece].used = false;
    join_and_enlist(model, piece);
}

// ---- the recording

static void find_private(struct model *model) {
    for (size_t i = 0; i < model->trace->segment_count && !model->failed; i++) {
        const struct tn_trace_segment *segment = &model->trace->segments[i];
        if (!segment->is_private) continue;
        void *grown = tn_append(model->privates, &model->private_count, &model->private_room,
                                segment, sizeof *segment);
        model->failed = grown == NULL;
        if (grown != NULL) model->privates = (struct tn_trace_segment *)grown;
    }
}

// Places the blocks that were live at the start, in the order of their addresses.
static void place_starting(struct model *model, const struct tn_trace_device *device) {
    struct {
        uint64_t address, number;
    } *list = calloc(device->starting_count + 1, sizeof *list);
    model->failed = model->failed || list == NULL;
    if (list == NULL) return;
    for (size_t i = 0; i < device->starting_count; i++) {
        size_t number = device->first_starting + i;
        list[i].address = model->trace->blocks[number].id;
        list[i].number = number;
    }
    tn_numbers_sort(list, device->starting_count, sizeof *list, 2);
    for (size_t i = 0; i < device->starting_count && !model->failed; i++)
        (void)take(model, (uint32_t)list[i].number);
    free(list);
}

// Returns false if the card is too small.
static bool follow_events(struct model *model, const struct tn_trace_device *device) {
    const struct tn_trace *trace = model->trace;
    find_private(model);
    place_starting(model, device);
    for (size_t i = 0; i < device->event_count && !model->failed; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC && !take(model, event->item)) return false;
        if (event->kind == TN_EVENT_FREE) give_back(model, event->item);
    }
    return true;
}

static tarn_status run_model(const struct tn_trace *trace, const struct tn_trace_device *device,
                             uint64_t limit, uint64_t *peak) {
    struct model model = {.trace = trace, .limit = limit};
    const struct piece none = {0};
    (void)new_piece(&model, &none);
    model.placed = (uint32_t *)calloc(trace->block_count + 1, sizeof *model.placed);
    model.failed = model.failed || model.placed == NULL;
    bool fits = !model.failed && follow_events(&model, device);
    *peak = fits ? model.peak : 0;
    for (size_t i = 0; i < model.range_count; i++) {
        free(model.ranges[i].free.pieces);
        free(model.ranges[i].unmapped.pieces);
    }
    free(model.ranges);
    free(model.pieces);
    free(model.privates);
    free(model.placed);
    TN_REFUSE(model.failed, TARN_NO_HOST_MEMORY, "out of host memory for a model of %zu blocks",
              trace->block_count);
    return TARN_OK;
}

tarn_status tn_expandable_model(const struct tn_trace *trace, const struct tn_trace_device *device,
                                size_t most, struct tn_expandable *made) {
    uint64_t peak = 0;
    *made = (struct tn_expandable){0};
    TN_TRY(run_model(trace, device, UINT64_MAX / 2, &made->with_room));
    uint64_t low = tn_trace_peak(trace, device).live / (STEP * MIB);
    uint64_t high = (made->with_room + STEP * MIB - 1) / (STEP * MIB);
    if (device->event_count > most) return TARN_OK;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        TN_TRY(run_model(trace, device, middle * STEP * MIB, &peak));
        if (peak != 0)
            high = middle;
        else
            low = middle + 1;
    }
    made->least = high * STEP * MIB;
    return TARN_OK;
}
