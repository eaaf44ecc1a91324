// SPDX-License-Identifier: Apache-2.0
// Which pages a tag can give up. A stretch is a run of pieces that are large blocks of the tag or
// free for all. Its complete handles, from the first of these blocks to the last, become a run
// without memory. The blocks in it are marked as asleep. Free memory in it becomes a remnant: a
// taken node without a block, until the run has memory again or all its blocks are freed. Under the
// growth lock.
#include "core/pool/grow/nap.h"

#include <stdlib.h>

#include "base/error.h"

// A stretch, in bytes of the reservation.
struct stretch {
    uint32_t first;        // its first piece
    uint64_t start, end;   // of it
    uint64_t blocks_start; // of the first block
    uint64_t blocks_end;   // of the last block
    bool blocks;           // it has one
};

// A scan of the pieces: it counts what sleeps, or marks it too.
struct scan {
    uint32_t tag;
    bool mark;
    size_t runs, parts, items;
};

static uint64_t node_start(const tarn_pool *pool, uint32_t node) {
    return tn_piece_addr(pool, node) - pool->growth.source->base;
}

static uint64_t node_end(const tarn_pool *pool, uint32_t node) {
    return tn_piece_end(pool, node) - pool->growth.source->base;
}

static bool is_sleepy(const tarn_pool *pool, uint32_t node, uint32_t tag) {
    return tn_piece_is_taken(pool, node) &&
           (tn_piece_mark(pool, node) & ~(uint32_t)TN_MARK_SHARED) == tag;
}

// ---- runs

// Writes the complete handles of a stretch from the first to the last block. Returns false if there
// are none.
static bool find_run(const tarn_pool *pool, const struct stretch *s, tn_nap_run *run) {
    const tn_pool_handles *handles = &pool->growth.source->handles;
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t first = s->blocks_start / page;
    uint64_t last = (s->blocks_end - 1) / page;
    first -= handles->table[first].back;
    last -= handles->table[last].back;
    uint64_t end = last + handles->table[last].pages;
    if (first * page < s->start) first += handles->table[first].pages;
    if (end * page > s->end) end = last;
    *run = (tn_nap_run){.page = first, .pages = end > first ? end - first : 0, .mapped = true};
    return run->pages != 0;
}

static void mark_block(tarn_pool *pool, struct tn_nap *nap, uint32_t node, uint64_t lo,
                       uint64_t hi) {
    uint64_t start = node_start(pool, node);
    uint64_t end = start + tn_piece_word(pool, node); // requested bytes
    lo = start > lo ? start : lo;
    hi = end < hi ? end : hi;
    tn_piece_set_mark(pool, node, tn_piece_mark(pool, node) | TN_MARK_ASLEEP);
    nap->parts[nap->part_count++] = (tn_nap_part){.node = node,
                                                  .run = (uint32_t)nap->run_count,
                                                  .addr = pool->growth.source->base + lo,
                                                  .bytes = hi > lo ? hi - lo : 0};
}

// Takes the part of a free piece that lies in a run.
static uint32_t mark_remnant(tarn_pool *pool, uint32_t node, uint64_t lo, uint64_t hi) {
    uint64_t start = node_start(pool, node);
    uint64_t end = node_end(pool, node);
    uint64_t from = start > lo ? start : lo;
    uint64_t to = end < hi ? end : hi;
    uint32_t taken = tn_piece_carve(pool, node, (from - start) >> pool->unit_shift,
                                    (to - from) >> pool->unit_shift);
    tn_piece_assign(pool, taken, 0, TN_MARK_REMNANT, 0);
    return taken;
}

// Marks the pieces of a run.
static void mark_run(tarn_pool *pool, uint32_t tag, struct tn_nap *nap, uint32_t node,
                     tn_nap_run run) {
    uint64_t lo = run.page * pool->growth.source->page_bytes;
    uint64_t hi = lo + run.pages * pool->growth.source->page_bytes;
    uint32_t next;
    for (; node != 0 && node_start(pool, node) < hi; node = next) {
        next = tn_piece_after(pool, node);
        if (node_end(pool, node) <= lo) continue;
        if (is_sleepy(pool, node, tag)) {
            mark_block(pool, nap, node, lo, hi);
            run.live++;
        } else {
            node = mark_remnant(pool, node, lo, hi);
        }
        run.first = run.first != 0 ? run.first : node;
    }
    nap->runs[nap->run_count++] = run;
}

// Counts the run of a stretch, and marks it if the nap has room for its records.
static void close_stretch(tarn_pool *pool, struct scan *scan, struct tn_nap *nap,
                          const struct stretch *s) {
    tn_nap_run run;
    if (!s->blocks || !find_run(pool, s, &run)) return;
    size_t blocks = 0;
    for (uint32_t k = s->first; k != 0 && node_start(pool, k) < s->end; k = tn_piece_after(pool, k))
        blocks += is_sleepy(pool, k, scan->tag);
    size_t items = tn_pool_handles_count(&pool->growth.source->handles, run.page, run.pages);
    scan->runs++;
    scan->parts += blocks;
    scan->items += items;
    if (scan->mark && scan->runs <= nap->run_room && scan->parts <= nap->part_room &&
        scan->items <= nap->item_room && tn_piece_has_records(pool)) {
        run.items = items;
        mark_run(pool, scan->tag, nap, s->first, run);
    }
}

// Looks at every piece of the reservation. Under fit.
static void scan_pieces(tarn_pool *pool, struct scan *scan, struct tn_nap *nap) {
    struct stretch s = {0};
    uint32_t next;
    for (uint32_t k = tn_piece_first(pool, 0); k != 0; k = next) {
        bool sleepy = is_sleepy(pool, k, scan->tag);
        // Memory that the sole stream may still use is not free for all.
        bool loose = !tn_piece_may_be_used(pool) && tn_piece_is_free(pool, k);
        next = tn_piece_after(pool, k);
        if (!sleepy && !loose) {
            close_stretch(pool, scan, nap, &s);
            s = (struct stretch){0};
            continue;
        }
        if (s.first == 0) {
            s.first = k;
            s.start = node_start(pool, k);
        }
        s.end = node_end(pool, k);
        if (sleepy) {
            s.blocks_start = s.blocks ? s.blocks_start : node_start(pool, k);
            s.blocks_end = s.end;
            s.blocks = true;
        }
    }
    close_stretch(pool, scan, nap, &s);
}

// ---- naps

void tn_nap_free(struct tn_nap *nap) {
    for (size_t i = 0; nap != NULL && i < nap->part_count; i++)
        free(nap->parts[i].copy);
    if (nap != NULL) {
        free(nap->runs);
        free(nap->parts);
        free(nap->items);
    }
    free(nap);
}

tarn_status tn_nap_begin(tarn_pool *pool, uint32_t tag, struct tn_nap **nap) {
    struct scan scan = {.tag = tag};
    tn_pool_fit_lock(pool);
    scan_pieces(pool, &scan, NULL);
    tn_pool_fit_unlock(pool);
    struct tn_nap *n = (struct tn_nap *)calloc(1, sizeof *n);
    if (n != NULL) {
        n->runs = (tn_nap_run *)calloc(scan.runs + 1, sizeof *n->runs);
        n->parts = (tn_nap_part *)calloc(scan.parts + 1, sizeof *n->parts);
        n->items = (tarn_map_item *)calloc(scan.items + 1, sizeof *n->items);
    }
    if (n == NULL || n->runs == NULL || n->parts == NULL || n->items == NULL) {
        tn_nap_free(n);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for %zu sleeping blocks",
                       scan.parts);
    }
    n->run_room = scan.runs;
    n->part_room = scan.parts;
    n->item_room = scan.items;
    scan = (struct scan){.tag = tag, .mark = true};
    tn_pool_fit_lock(pool);
    scan_pieces(pool, &scan, n);
    tn_pool_fit_unlock(pool);
    *nap = n;
    return TARN_OK;
}

// ---- the end of a run

// Frees a remnant whose run has memory, or none and never again. Under fit.
static void free_remnant(tarn_pool *pool, uint32_t node, bool mapped, uint64_t lo, uint64_t hi) {
    uint64_t start = node_start(pool, node);
    uint64_t end = node_end(pool, node);
    uint32_t hole = tn_piece_release(pool, node, !mapped);
    const uint64_t outside[2][2] = {{start, lo}, {hi, end}}; // of the run: these have memory
    for (int i = 0; i < 2 && !mapped; i++) {
        uint64_t from = outside[i][0] > start ? outside[i][0] : start;
        uint64_t to = outside[i][1] < end ? outside[i][1] : end;
        if (from < to) {
            uint32_t piece =
                tn_piece_carve(pool, hole, (from - node_start(pool, hole)) >> pool->unit_shift,
                               (to - from) >> pool->unit_shift);
            hole = i == 0 ? tn_piece_after(pool, piece) : hole;
            (void)tn_piece_release(pool, piece, false);
        }
    }
}

// Ends the pieces of a run: blocks are awake, and remnants are free. Under fit.
void tn_nap_end_run(tarn_pool *pool, const tn_nap_run *run) {
    uint64_t lo = run->page * pool->growth.source->page_bytes;
    uint64_t hi = lo + run->pages * pool->growth.source->page_bytes;
    uint32_t next;
    for (uint32_t k = run->first; k != 0 && node_start(pool, k) < hi; k = next) {
        uint32_t mark = tn_piece_mark(pool, k);
        next = tn_piece_after(pool, k);
        if ((mark & TN_MARK_REMNANT) != 0)
            free_remnant(pool, k, run->mapped, lo, hi);
        else
            tn_piece_set_mark(pool, k, mark & ~(uint32_t)TN_MARK_ASLEEP);
    }
}
