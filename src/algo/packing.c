// SPDX-License-Identifier: Apache-2.0
// See packing.h. A try places the blocks one after another: it finds the placed blocks that live
// at the same time by a tree over the times, sorts them by offset, and takes a gap between them.
// Blocks that live all the time overlap every other one, so they lie at the bottom and take part in
// no search.
#include "algo/packing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    ORDERS = 4,         // by size, by lifetime, by area, by begin
    RUN = 8,            // edges that are sorted by insertion
    MOVED_MAX = 4,      // blocks that a step of the search moves, if it moves no high ones
    SMALLEST_EVERY = 4, // one in so many of these steps takes the smallest gaps
    FIRST_MIN = 8,      // blocks that are first in the order, at least
};

#define NO_HEIGHT UINT64_MAX

// A gap's edge: a placed block that lives at the same time.
struct edge {
    uint64_t start;
    uint64_t end;
};

struct solver {
    tn_packing_block *blocks; // sorted by begin, without those that live all the time
    uint32_t count;
    uint32_t *index; // of each in the caller's array
    uint32_t *upto;  // by block: the number of blocks that begin before it ends
    uint64_t *ends;  // a binary tree in an array: the latest end of the placed blocks below a node
    uint32_t leaves; // a power of two; the leaf of block i is ends[leaves + i]
    struct edge *edges;
    struct edge *spare; // for sorting
    uint64_t *offsets;  // of the present try
    uint32_t *order;
    double *keys;   // by block: the order is ascending
    uint64_t *best; // the offsets of the best try
    uint32_t *best_order;
    uint64_t height; // of the best try
    uint64_t random;
    tn_packing_go_on *go_on;
    void *arg;
    tn_packing result;
};

// ---- the blocks that live at the same time

static void enter_block(struct solver *s, uint32_t block) {
    uint64_t end = s->blocks[block].end;
    for (uint32_t k = s->leaves + block; k != 0 && s->ends[k] < end; k /= 2) s->ends[k] = end;
}

// Collects the placed blocks that live at some time in [begin, end). `upto` blocks begin before it
// ends. Walks the tree without a stack: from a node to the next one that may have such a block.
static uint32_t collect_edges(struct solver *s, uint64_t begin, uint32_t upto) {
    uint32_t found = 0;
    uint32_t k = 1;
    uint32_t limit = s->leaves + upto;
    for (;;) {
        if (s->ends[k] > begin) {
            if (k < s->leaves) {
                k *= 2;
                continue;
            }
            if (k >= limit) break;
            uint32_t block = k - s->leaves;
            uint64_t start = s->offsets[block];
            s->edges[found++] = (struct edge){start, start + s->blocks[block].size};
        }
        // To the right: leaves that lie above `limit` end the walk.
        while ((k & 1) != 0) k /= 2;
        if (k == 0) break;
        k++;
    }
    return found;
}

// Sorts the edges by their start: runs by insertion, which are then merged.
static struct edge *sort_edges(struct solver *s, uint32_t count) {
    struct edge *from = s->edges, *to = s->spare;
    for (uint32_t low = 0; low < count; low += RUN) {
        for (uint32_t i = low + 1; i < count && i < low + RUN; i++) {
            struct edge edge = from[i];
            uint32_t k = i;
            for (; k > low && from[k - 1].start > edge.start; k--) from[k] = from[k - 1];
            from[k] = edge;
        }
    }
    for (uint32_t width = RUN; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t middle = low + width < count ? low + width : count;
            uint32_t high = middle + width < count ? middle + width : count;
            uint32_t a = low, b = middle;
            for (uint32_t k = low; k < high; k++)
                to[k] = a < middle && (b >= high || from[a].start <= from[b].start) ? from[a++]
                                                                                    : from[b++];
        }
        struct edge *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Returns the offset of a gap of `size`: the lowest, or the smallest one.
static uint64_t find_gap(const struct edge *edges, uint32_t count, uint64_t size, bool smallest) {
    uint64_t top = 0, place = 0, best = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t gap = edges[i].start > top ? edges[i].start - top : 0;
        if (gap >= size && gap < best) {
            place = top;
            best = gap;
            if (!smallest || gap == size) break;
        }
        top = edges[i].end > top ? edges[i].end : top;
    }
    return best != UINT64_MAX ? place : top;
}

static int compare_keys(const void *a, const void *b, void *arg) {
    const double *keys = (const double *)arg;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (keys[x] != keys[y]) return keys[x] < keys[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

// ---- a try

// Places all blocks in the order. Returns the height, or NO_HEIGHT once it would exceed `ceiling`.
static uint64_t place_all(struct solver *s, uint64_t ceiling, bool smallest) {
    uint64_t height = 0;
    memset(s->ends, 0, 2 * (size_t)s->leaves * sizeof *s->ends);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t k = s->order[i];
        const tn_packing_block *block = &s->blocks[k];
        uint32_t count = collect_edges(s, block->begin, s->upto[k]);
        uint64_t at = find_gap(sort_edges(s, count), count, block->size, smallest);
        s->offsets[k] = at;
        enter_block(s, k);
        height = at + block->size > height ? at + block->size : height;
        if (height > ceiling) return NO_HEIGHT;
    }
    return height;
}

// Sorts the order by the keys, places, and keeps the result unless the best one is lower. Returns
// false when the search is over.
static bool try_keys(struct solver *s, bool smallest) {
    for (uint32_t i = 0; i < s->count; i++) s->order[i] = i;
    qsort_r(s->order, s->count, sizeof *s->order, compare_keys, s->keys);
    uint64_t height = place_all(s, s->height, smallest);
    if (height != NO_HEIGHT) {
        s->result.height += height - (s->height != NO_HEIGHT ? s->height : 0);
        s->height = height;
        memcpy(s->best, s->offsets, s->count * sizeof *s->best);
        memcpy(s->best_order, s->order, s->count * sizeof *s->order);
    }
    s->result.tries++;
    return s->result.height > s->result.bound && (s->go_on == NULL || s->go_on(s->arg, &s->result));
}

static double key_of(const tn_packing_block *block, int order) {
    double size = (double)block->size, time = (double)(block->end - block->begin);
    return order == 0   ? -size
           : order == 1 ? -time
           : order == 2 ? -size * time
                        : (double)block->begin;
}

// ---- search

// A number below `limit`, by xorshift: results depend on the number of tries only.
static uint32_t draw(struct solver *s, uint32_t limit) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (uint32_t)((s->random >> 16) % limit);
}

// Moves blocks that end above a height between the bound and the best one forward in the order.
static void lift_high(struct solver *s) {
    uint64_t excess = s->result.height - s->result.bound;
    uint64_t least = s->height - 1 - (uint64_t)((double)excess * draw(s, 1000) / 1000);
    for (uint32_t i = 0; i < s->count; i++) {
        bool high = s->best[i] + s->blocks[i].size > least;
        if (high && draw(s, 4) != 0) s->keys[i] = s->keys[i] * (0.3 + draw(s, 700) / 1000.0) - 1;
        if (!high && draw(s, 50) == 0) s->keys[i] *= 0.8 + draw(s, 400) / 1000.0;
    }
}

// Moves a few of the blocks that are first in the order, which decide where the others lie.
static void move_first(struct solver *s) {
    uint32_t first = s->count >> draw(s, 8);
    if (first < FIRST_MIN) first = s->count < FIRST_MIN ? s->count : FIRST_MIN;
    for (uint32_t left = 1 + draw(s, MOVED_MAX); left != 0; left--)
        s->keys[s->best_order[draw(s, first)]] = draw(s, first) - 0.5;
}

static void search(struct solver *s) {
    bool smallest = false, goes_on = true;
    for (int order = 0; order < ORDERS && goes_on; order++)
        for (int fit = 0; fit < 2 && goes_on; fit++) {
            uint64_t before = s->height;
            for (uint32_t i = 0; i < s->count; i++) s->keys[i] = key_of(&s->blocks[i], order);
            goes_on = try_keys(s, fit != 0);
            if (s->height < before) smallest = fit != 0;
        }
    while (goes_on && s->go_on != NULL) {
        for (uint32_t i = 0; i < s->count; i++) s->keys[s->best_order[i]] = i;
        bool lifts = draw(s, 2) == 0;
        if (lifts)
            lift_high(s);
        else
            move_first(s);
        goes_on = try_keys(s, lifts ? smallest : draw(s, SMALLEST_EVERY) == 0);
    }
}

// ---- preparation

static int compare_begins(const void *a, const void *b, void *arg) {
    const tn_packing_block *blocks = (const tn_packing_block *)arg;
    const tn_packing_block *x = &blocks[*(const uint32_t *)a], *y = &blocks[*(const uint32_t *)b];
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x < y ? -1 : x > y;
}

// Finds the most that lives at one moment.
static uint64_t find_bound(struct solver *s) {
    uint64_t live = 0, most = 0;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < s->count; i++)
        s->edges[i] = (struct edge){s->blocks[i].end, s->blocks[i].size};
    const struct edge *by_end = sort_edges(s, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        for (; by_end[ended].start <= s->blocks[i].begin; ended++) live -= by_end[ended].end;
        live += s->blocks[i].size;
        most = live > most ? live : most;
    }
    return most;
}

// Sorts the blocks by begin, and gives those that live all the time their offsets. Returns the sum
// of their sizes.
static uint64_t sort_blocks(struct solver *s, const tn_packing_block *blocks, size_t count,
                            uint64_t *offsets) {
    uint64_t base = 0, first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < count; i++) {
        first = blocks[i].begin < first ? blocks[i].begin : first;
        last = blocks[i].end > last ? blocks[i].end : last;
    }
    for (size_t i = 0; i < count; i++) {
        offsets[i] = base;
        if (blocks[i].begin == first && blocks[i].end == last)
            base += blocks[i].size;
        else
            s->index[s->count++] = (uint32_t)i;
    }
    qsort_r(s->index, s->count, sizeof *s->index, compare_begins, (void *)blocks);
    for (uint32_t i = 0; i < s->count; i++) s->blocks[i] = blocks[s->index[i]];
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t low = i + 1, high = s->count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (s->blocks[middle].begin < s->blocks[i].end)
                low = middle + 1;
            else
                high = middle;
        }
        s->upto[i] = low;
    }
    return base;
}

tarn_status tn_packing_solve(const tn_packing_block *blocks, size_t count, tn_packing_go_on *go_on,
                             void *arg, uint64_t *offsets, tn_packing *result) {
    struct solver s = {.leaves = 1, .height = NO_HEIGHT, .random = 1, .go_on = go_on, .arg = arg};
    while (s.leaves < count) s.leaves *= 2;
    s.blocks = (tn_packing_block *)malloc((count + 1) * sizeof *s.blocks);
    s.edges = (struct edge *)malloc((count + 1) * 2 * sizeof *s.edges);
    s.offsets = (uint64_t *)malloc((3 * count + 2 * s.leaves) * sizeof *s.offsets);
    s.index = (uint32_t *)malloc((count + 1) * 4 * sizeof *s.index);
    tarn_status status = TARN_OK;
    if (s.blocks != NULL && s.edges != NULL && s.offsets != NULL && s.index != NULL) {
        s.spare = s.edges + count;
        s.best = s.offsets + count;
        s.keys = (double *)(s.best + count);
        s.ends = s.best + 2 * count;
        s.upto = s.index + count;
        s.order = s.upto + count;
        s.best_order = s.order + count;
        s.result.height = sort_blocks(&s, blocks, count, offsets);
        s.result.bound = s.result.height + find_bound(&s);
        if (s.count > 0) search(&s);
        uint64_t base = s.result.height - (s.count > 0 ? s.height : 0);
        for (uint32_t i = 0; i < s.count; i++) offsets[s.index[i]] = base + s.best[i];
        *result = s.result;
    } else {
        status = tn_fail(TARN_NO_HOST_MEMORY, "out of host memory to place %zu blocks", count);
    }
    free(s.blocks);
    free(s.edges);
    free(s.offsets);
    free(s.index);
    return status;
}
