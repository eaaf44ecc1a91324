// SPDX-License-Identifier: Apache-2.0
// See packing.h. A try places the blocks one after another: it finds the placed blocks that live
// at the same time by a tree over the times, sorts them by offset, and takes a gap between them.
// The repair lowers the ceiling of the best try: a block above it takes the place of others, which
// are placed anew. Blocks that live all the time overlap every other one, so they are settled: they
// lie at the bottom and take part in no search. So are those that live long, where that costs nothing.
// How long is best depends on the blocks, so two solvers search side by side.
#include "algo/packing.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

enum {
    ORDERS = 4,      // by size, by lifetime, by area, by begin
    RUN = 4,         // edges that are sorted by insertion
    TURNS = 2000,    // blocks that the first repairs move at most
    TURNS_TRY = 64,  // those that count as a try
    LATEST = 16,     // of the blocks without a place, the largest of so many gets one
    CUTS = 7,        // ceilings that are tried: the best height less 1/2, 1/4, ... of its excess
    LONG_PART = 8,   // a long life overlaps this part of the blocks in the first solver,
    LONGER_PART = 2, // and this one in the second
    LAG = 4,         // the solver with the better placement gets so many steps for one of the other
    CHECKED = 200,   // blocks of a placement that debug builds compare pair by pair
    TIGHT_POWER = 7, // squarings of the load, relative to the bound, in a block's weight
};

// Weights are changed at random by up to 5/16, or the repair would move in a circle. All products that
// are added are exact: compilers may round a product and a sum at once, which must make no difference.
#define NOISE 0x5p-36

#define NO_HEIGHT UINT64_MAX

// A placed block that lives at the same time, by its start or its end.
struct edge {
    uint64_t at;
    uint32_t block;
};

// The solvers of a problem share this.
struct search {
    tn_packing_go_on *go_on;
    void *arg;
    tn_packing result;
};

struct solver {
    struct search *search;
    tn_packing_block *blocks; // sorted by begin; behind them the settled ones
    uint32_t count;           // of those that are not settled
    uint32_t total;
    uint32_t *index; // of each in the caller's array
    uint32_t *upto;  // by block: the number of blocks that begin before it ends
    uint64_t *ends;  // a binary tree in an array: the latest end of the placed blocks below a node
    uint64_t *added; // by node of such a tree
    uint32_t leaves; // a power of two; the leaf of block i is ends[leaves + i]
    struct edge *edges;
    struct edge *spare; // for sorting
    struct edge *upper; // the ends of the edges
    uint64_t *offsets;  // of the present try
    uint32_t *order;
    double *keys;    // by block: the order is ascending; in the repair its present weight
    double *weights; // by block: what it costs to move it, more with each move
    uint64_t *best;  // the offsets of the best try, and of the settled blocks
    uint64_t base;   // the end of the settled blocks; other offsets and heights begin there
    uint64_t height; // of the best try
    uint64_t random;
    uint64_t steps; // of this solver
    uint64_t grain; // a power of two that divides the sizes
    unsigned cut;   // of the next repair, and
    uint32_t turns; // the blocks that it moves at most
};

static uint64_t greater_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void count_steps(struct solver *s, uint64_t steps) {
    s->steps += steps;
    s->search->result.steps += steps;
}

// Ends a try. Returns false when the search is over.
static bool goes_on(struct solver *s) {
    struct search *search = s->search;
    search->result.tries++;
    return search->go_on == NULL || search->go_on(search->arg, &search->result);
}

// ---- the blocks that live at the same time

static void enter_block(struct solver *s, uint32_t block) {
    uint64_t end = s->blocks[block].end;
    TARN_ASSERT(block < s->count && s->ends[s->leaves + block] == 0); // it has no place yet
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
            s->edges[found++] = (struct edge){s->offsets[block], block};
        }
        // To the right: leaves that lie above `limit` end the walk.
        while ((k & 1) != 0) k /= 2;
        if (k == 0) break;
        k++;
    }
    count_steps(s, found + 1);
    TARN_ASSERT(found <= upto && upto <= s->count);
    return found;
}

// Sorts edges: runs by insertion, which are then merged without a branch that depends on them.
// Returns the array that has the result.
static struct edge *sort_edges(struct edge *from, struct edge *to, uint32_t count) {
    for (uint32_t low = 0; low < count; low += RUN) {
        for (uint32_t i = low + 1; i < count && i < low + RUN; i++) {
            struct edge edge = from[i];
            uint32_t k = i;
            for (; k > low && from[k - 1].at > edge.at; k--) from[k] = from[k - 1];
            from[k] = edge;
        }
    }
    for (uint32_t width = RUN; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t middle = low + width < count ? low + width : count;
            uint32_t high = middle + width < count ? middle + width : count;
            uint32_t a = low, b = middle, k = low;
            while (a < middle && b < high) {
                bool first = from[a].at <= from[b].at;
                to[k++] = from[first ? a : b];
                a += first;
                b += !first;
            }
            memcpy(to + k, from + a, (middle - a) * sizeof *to);
            memcpy(to + k + (middle - a), from + b, (high - b) * sizeof *to);
        }
        struct edge *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Returns the offset of a gap of `size` below the ceiling: the lowest, or the smallest one. Without
// one it returns the end of the highest edge.
static uint64_t find_gap(const struct solver *s, const struct edge *edges, uint32_t count,
                         uint64_t size, uint64_t ceiling, bool smallest) {
    uint64_t top = 0, place = 0, best = UINT64_MAX;
    for (uint32_t i = 0; i <= count; i++) {
        uint64_t start = i < count ? edges[i].at : ceiling;
        uint64_t gap = start > top ? start - top : 0;
        if (gap >= size && gap < best) {
            place = top;
            best = gap;
            if (!smallest || gap == size) break;
        }
        uint64_t end = i < count ? start + s->blocks[edges[i].block].size : 0;
        top = greater_of(top, end);
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
        const struct edge *edges = sort_edges(s->edges, s->spare, count);
        uint64_t at = find_gap(s, edges, count, block->size, UINT64_MAX - 1, smallest);
        TARN_ASSERT(at <= UINT64_MAX - 1 - block->size);
        s->offsets[k] = at;
        enter_block(s, k);
        height = greater_of(height, at + block->size);
        if (height > ceiling) return NO_HEIGHT;
    }
    return height;
}

// Keeps the offsets of a try or a repair, which is lower than those before.
static void keep_best(struct solver *s, uint64_t height) {
    uint64_t *lowest = &s->search->result.height;
    memcpy(s->best, s->offsets, s->count * sizeof *s->best);
    TARN_ASSERT(height <= s->height); // a solver never forgets a better placement
    s->height = height;
    if (s->base + height < *lowest) *lowest = s->base + height;
}

// Returns true if no placement is lower than the best one, of any solver.
static bool is_perfect(const struct solver *s) {
    return s->search->result.height == s->search->result.bound;
}

// Sorts the order by the keys, places, and keeps the result unless the best one is lower. Returns
// false when the search is over.
static bool try_keys(struct solver *s, bool smallest) {
    for (uint32_t i = 0; i < s->count; i++) s->order[i] = i;
    qsort_r(s->order, s->count, sizeof *s->order, compare_keys, s->keys);
    uint64_t height = place_all(s, s->height, smallest);
    if (height != NO_HEIGHT) keep_best(s, height);
    return goes_on(s) && !is_perfect(s);
}

static double key_of(const tn_packing_block *block, int order) {
    double size = (double)block->size, time = (double)(block->end - block->begin);
    return order == 0   ? -size
           : order == 1 ? -time
           : order == 2 ? -size * time
                        : (double)block->begin;
}

// ---- repair

// A number below 5/16, by xorshift: results depend on the number of steps only.
static double noise(struct solver *s) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (double)(s->random >> 32) * NOISE;
}

static void leave_block(struct solver *s, uint32_t block) {
    uint32_t k = s->leaves + block;
    TARN_ASSERT(s->ends[k] == s->blocks[block].end); // it has a place
    s->ends[k] = 0;
    for (k /= 2; k != 0; k /= 2) {
        uint64_t end = greater_of(s->ends[2 * k], s->ends[2 * k + 1]);
        if (s->ends[k] == end) return;
        s->ends[k] = end;
    }
}

// Sums the bytes that live at the begin of each block, and returns the most.
static uint64_t sum_live(struct solver *s, uint64_t *loads) {
    uint64_t live = 0, most = 0;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < s->count; i++) s->edges[i] = (struct edge){s->blocks[i].end, i};
    const struct edge *by_end = sort_edges(s->edges, s->spare, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        for (; by_end[ended].at <= s->blocks[i].begin; ended++)
            live -= s->blocks[by_end[ended].block].size;
        live += s->blocks[i].size;
        loads[i] = live;
        most = greater_of(most, live);
    }
    return most;
}

// Makes the tree of the most that lives at the begins of blocks. Returns the most of all.
static uint64_t make_loads(struct solver *s) {
    uint64_t *loads = s->ends;
    memset(loads, 0, 2 * (size_t)s->leaves * sizeof *loads);
    uint64_t bound = sum_live(s, loads + s->leaves);
    for (uint32_t k = s->leaves - 1; k != 0; k--)
        loads[k] = greater_of(loads[2 * k], loads[2 * k + 1]);
    return bound;
}

// A block is hard to move if it is large, lives long, and lives when there is little room.
static void weigh_blocks(struct solver *s) {
    const uint64_t *loads = s->ends;
    double bound = (double)make_loads(s);
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t most = 0;
        for (uint32_t a = s->leaves + i, b = s->leaves + s->upto[i]; a < b; a /= 2, b /= 2) {
            if ((a & 1) != 0) most = greater_of(most, loads[a++]);
            if ((b & 1) != 0) most = greater_of(most, loads[--b]);
        }
        double tight = (double)most / bound;
        for (int k = 0; k < TIGHT_POWER; k++) tight *= tight;
        s->weights[i] = (double)s->blocks[i].size * (1.0 + s->upto[i] - i) * tight;
    }
}

// Returns the offset at which a block moves the least weight. The block lies directly above one of
// the edges, or directly below one.
static uint64_t find_least_weight(struct solver *s, const struct edge *edges, uint32_t count,
                                  uint64_t size, uint64_t ceiling) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = edges[i].block;
        s->upper[i] = (struct edge){edges[i].at + s->blocks[block].size, block};
    }
    struct edge *spare = edges == s->edges ? s->spare : s->edges;
    const struct edge *upper = sort_edges(s->upper, spare, count);
    uint64_t place = 0;
    double least = -1;
    TARN_ASSERT(size <= ceiling);
    count_steps(s, 2 * (uint64_t)count);
    for (int below = 0; below < 2; below++) {
        double ended = 0, begun = 0; // weights of the edges that end at `at`, begin before its end
        uint32_t a = 0, b = 0;
        for (uint32_t i = 0; i <= count; i++) {
            uint64_t at = below == 0  ? i == 0 ? 0 : upper[i - 1].at
                          : i < count ? edges[i].at < size ? 0 : edges[i].at - size
                                      : ceiling - size;
            if (at > ceiling - size) break;
            for (; a < count && upper[a].at <= at; a++) ended += s->keys[upper[a].block];
            for (; b < count && edges[b].at < at + size; b++) begun += s->keys[edges[b].block];
            double weight = (begun - ended) * (1 + noise(s));
            if (least < 0 || weight < least) {
                least = weight;
                place = at;
            }
        }
    }
    return place;
}

// Places a block below the ceiling. Adds those that it takes the place of to the `left` others that
// have no place. Returns the number of all of these.
static uint32_t place_below(struct solver *s, uint32_t k, uint64_t ceiling, uint32_t left) {
    uint64_t size = s->blocks[k].size;
    uint32_t count = collect_edges(s, s->blocks[k].begin, s->upto[k]);
    struct edge *edges = sort_edges(s->edges, s->spare, count);
    uint64_t at = find_gap(s, edges, count, size, ceiling, true);
    if (at + size > ceiling) {
        at = find_least_weight(s, edges, count, size, ceiling);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t block = edges[i].block;
            if (edges[i].at >= at + size || edges[i].at + s->blocks[block].size <= at) continue;
            leave_block(s, block);
            s->keys[block] += s->weights[block];
            s->order[left++] = block;
        }
    }
    TARN_ASSERT(at + size <= ceiling && left < s->count);
    s->offsets[k] = at;
    enter_block(s, k);
    return left;
}

// Moves the largest of the latest blocks without a place to the end: a small block finds a gap beside
// a large one, and not the other way round.
static void raise_largest(struct solver *s, uint32_t left) {
    uint32_t largest = left - 1;
    for (uint32_t i = left - 1; i > 0 && left - i < LATEST; i--)
        if (s->blocks[s->order[i - 1]].size > s->blocks[s->order[largest]].size) largest = i - 1;
    uint32_t block = s->order[largest];
    s->order[largest] = s->order[left - 1];
    s->order[left - 1] = block;
}

enum repair { REPAIRED, TOO_LOW, OVER };

// Moves the blocks of the best try below a ceiling.
static enum repair repair_below(struct solver *s, uint64_t ceiling) {
    uint32_t left = 0;
    memset(s->ends, 0, 2 * (size_t)s->leaves * sizeof *s->ends);
    memcpy(s->offsets, s->best, s->count * sizeof *s->best);
    memcpy(s->keys, s->weights, s->count * sizeof *s->keys);
    count_steps(s, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->best[i] + s->blocks[i].size > ceiling)
            s->order[left++] = i;
        else
            enter_block(s, i);
    for (uint32_t turn = 1; left > 0; turn++) {
        raise_largest(s, left);
        left = place_below(s, s->order[left - 1], ceiling, left - 1);
        if (turn == s->turns && left > 0) return TOO_LOW;
        if (turn % TURNS_TRY == 0 && !goes_on(s)) return OVER;
    }
    return REPAIRED;
}

// Tries one ceiling: the next lower one after a success, then a higher one, and at last all of them
// with twice the turns. Returns false when the search is over.
static bool repair(struct solver *s) {
    uint64_t excess = s->height - (s->search->result.bound - s->base);
    uint64_t lowered = (excess >> s->cut) & ~(s->grain - 1);
    enum repair end = repair_below(s, s->height - greater_of(lowered, s->grain));
    if (end == OVER) return false;
    if (end == REPAIRED) {
        uint64_t height = 0;
        for (uint32_t i = 0; i < s->count; i++)
            height = greater_of(height, s->offsets[i] + s->blocks[i].size);
        TARN_ASSERT(height < s->height); // the ceiling was lower
        keep_best(s, height);
        s->cut -= s->cut > 1;
    } else if (++s->cut > CUTS) {
        s->cut = 1;
        s->turns *= 2;
    }
    return goes_on(s) && !is_perfect(s);
}

static void begin_repair(struct solver *s) {
    uint64_t bits = 0;
    weigh_blocks(s);
    for (uint32_t i = 0; i < s->count; i++) bits |= s->blocks[i].size;
    s->grain = bits & (0 - bits);
    s->cut = 1;
    s->turns = TURNS;
}

static bool try_orders(struct solver *s) {
    for (int order = 0; order < ORDERS; order++)
        for (int fit = 0; fit < 2; fit++) {
            for (uint32_t i = 0; i < s->count; i++) s->keys[i] = key_of(&s->blocks[i], order);
            if (!try_keys(s, fit != 0)) return false;
        }
    return true;
}

// ---- preparation

static int compare_begins(const void *a, const void *b, void *arg) {
    const tn_packing_block *blocks = (const tn_packing_block *)arg;
    const tn_packing_block *x = &blocks[*(const uint32_t *)a], *y = &blocks[*(const uint32_t *)b];
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void find_upto(struct solver *s) {
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
        TARN_ASSERT(i == 0 || s->blocks[i - 1].begin <= s->blocks[i].begin);
    }
}

// Adds bytes to the loads of the blocks from `a` to before `b`. `added` is what all blocks below a node
// have in common.
static void add_load(struct solver *s, uint32_t a, uint32_t b, uint64_t bytes) {
    uint64_t *loads = s->ends;
    for (uint32_t k = s->leaves + a, end = s->leaves + b; k < end; k /= 2, end /= 2) {
        if ((k & 1) != 0) {
            loads[k] += bytes;
            s->added[k++] += bytes;
        }
        if ((end & 1) != 0) {
            loads[--end] += bytes;
            s->added[end] += bytes;
        }
    }
    for (int side = 0; side < 2 && a < b; side++)
        for (uint32_t k = (s->leaves + (side == 0 ? a : b - 1)) / 2; k != 0; k /= 2)
            loads[k] = greater_of(loads[2 * k], loads[2 * k + 1]) + s->added[k];
}

static void add_outside(struct solver *s, uint32_t block, uint64_t bytes) {
    add_load(s, 0, block, bytes);
    add_load(s, s->upto[block], s->count, bytes);
}

// The longest life first, and the first block of the caller of those that are equal.
static int compare_lives(const void *a, const void *b, void *arg) {
    const struct solver *s = (const struct solver *)arg;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t m = s->blocks[x].end - s->blocks[x].begin, n = s->blocks[y].end - s->blocks[y].begin;
    if (m != n) return m > n ? -1 : 1;
    return s->index[x] < s->index[y] ? -1 : s->index[x] > s->index[y];
}

// Settles blocks that may live all the time without more memory, of those that live as long as one of
// `part` blocks. Moves them behind the others.
static void settle_long(struct solver *s, uint32_t part) {
    uint32_t settled = 0, left = 0;
    s->search->result.bound = make_loads(s);
    memset(s->added, 0, 2 * (size_t)s->leaves * sizeof *s->added);
    for (uint32_t i = 0; i < s->count; i++) s->order[i] = i;
    qsort_r(s->order, s->count, sizeof *s->order, compare_lives, s);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t k = s->order[i];
        uint64_t size = s->blocks[k].size;
        bool always = s->blocks[k].begin == s->blocks[0].begin && s->upto[k] == s->count;
        if (!always && s->upto[k] - k < s->count / part) continue;
        add_outside(s, k, size);
        if (s->ends[1] > s->search->result.bound) {
            add_outside(s, k, 0 - size);
            continue;
        }
        s->edges[settled++] = (struct edge){s->base, s->index[k]};
        s->base += size;
        s->blocks[k].size = 0;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->blocks[i].size == 0) continue;
        s->blocks[left] = s->blocks[i];
        s->index[left++] = s->index[i];
    }
    s->count = left;
    for (uint32_t i = 0; i < settled; i++) {
        s->best[left + i] = s->edges[i].at;
        s->index[left + i] = s->edges[i].block;
    }
}

static void sort_blocks(struct solver *s, const tn_packing_block *blocks) {
    for (uint32_t i = 0; i < s->count; i++) s->index[i] = i;
    qsort_r(s->index, s->count, sizeof *s->index, compare_begins, (void *)blocks);
    for (uint32_t i = 0; i < s->count; i++) s->blocks[i] = blocks[s->index[i]];
    find_upto(s);
}

// Makes a solver that settles lives as long as one of `part` blocks. Returns false without memory;
// release_solver() releases it then too.
static bool make_solver(struct solver *s, struct search *search, const tn_packing_block *blocks,
                        size_t count, uint32_t part) {
    *s = (struct solver){.search = search, .leaves = 1, .height = NO_HEIGHT, .random = 1};
    while (s->leaves < count) s->leaves *= 2;
    s->blocks = (tn_packing_block *)malloc((count + 1) * sizeof *s->blocks);
    s->edges = (struct edge *)malloc((count + 1) * 3 * sizeof *s->edges);
    s->offsets = (uint64_t *)malloc((4 * count + 4 * s->leaves) * sizeof *s->offsets);
    s->index = (uint32_t *)malloc((count + 1) * 3 * sizeof *s->index);
    if (s->blocks == NULL || s->edges == NULL || s->offsets == NULL || s->index == NULL)
        return false;
    s->spare = s->edges + count;
    s->upper = s->spare + count;
    s->best = s->offsets + count;
    s->keys = (double *)(s->best + count);
    s->weights = s->keys + count;
    s->ends = s->best + 3 * count;
    s->upto = s->index + count;
    s->order = s->upto + count;
    s->added = s->ends + 2 * s->leaves;
    s->count = s->total = (uint32_t)count;
    sort_blocks(s, blocks);
    settle_long(s, part);
    find_upto(s);
    return true;
}

static void release_solver(struct solver *s) {
    free(s->blocks);
    free(s->edges);
    free(s->offsets);
    free(s->index);
}

// ---- the search

// Returns the solver whose turn it is: the one with the better placement gets more steps.
static struct solver *next_solver(struct solver *a, struct solver *b) {
    bool first = a->base + a->height <= b->base + b->height;
    uint64_t x = a->steps, y = b->steps;
    return (first ? x <= LAG * y : LAG * x <= y) ? a : b;
}

static void search_both(struct solver *a, struct solver *b) {
    bool two = b->count != a->count; // otherwise both settle the same blocks
    if (!try_orders(a) || (two && !try_orders(b)) || a->search->go_on == NULL) return;
    begin_repair(a);
    if (two) begin_repair(b);
    while (repair(two ? next_solver(a, b) : a)) continue;
}

// Searches, and writes the best placement. A solver without blocks has a perfect one.
static void solve(struct search *search, struct solver *a, struct solver *b, uint64_t *offsets) {
    search->result.height = NO_HEIGHT;
    if (a->count == 0)
        keep_best(a, 0);
    else if (b->count == 0)
        keep_best(b, 0);
    else
        search_both(a, b);
    const struct solver *s = a->base + a->height == search->result.height ? a : b;
    for (uint32_t i = 0; i < s->total; i++)
        offsets[s->index[i]] = s->best[i] + (i < s->count ? s->base : 0);
}

tarn_status tn_packing_solve(const tn_packing_block *blocks, size_t count, tn_packing_go_on *go_on,
                             void *arg, uint64_t *offsets, tn_packing *result) {
    TARN_ASSERT(count < 1u << 30);
    struct search search = {.go_on = go_on, .arg = arg};
    struct solver a, b = {.blocks = NULL};
    tarn_status status = TARN_OK;
    if (make_solver(&a, &search, blocks, count, LONG_PART) &&
        make_solver(&b, &search, blocks, count, LONGER_PART)) {
        solve(&search, &a, &b, offsets);
        *result = search.result;
        TARN_ASSERT(result->bound <= result->height);
        TARN_ASSERT(count > CHECKED || tn_packing_check(blocks, count, offsets, result->height));
    } else {
        status = tn_fail(TARN_NO_HOST_MEMORY, "out of host memory to place %zu blocks", count);
    }
    release_solver(&a);
    release_solver(&b);
    return status;
}
