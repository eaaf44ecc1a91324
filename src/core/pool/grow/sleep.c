// SPDX-License-Identifier: Apache-2.0
// Sleeping blocks: the large blocks of a tag give up their memory and keep their addresses. A
// stretch is a run of pieces that are large blocks of the tag or free for all. Its complete
// handles, from the first of these blocks to the last, become a run without memory. Free memory in
// it becomes a remnant: a taken piece without a block, until the run has memory again or all its
// blocks are freed. Everything changes under the growth lock; other threads may allocate and free
// meanwhile.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/grow/grow.h"
#include "core/pool/notify.h"
#include "fail/point.h"

// The bytes of one block in a run.
struct nap_part {
    uint32_t node; // 0: the block was freed
    uint32_t run;
    tarn_addr addr;
    uint64_t bytes; // of those requested
    void *copy;     // their contents; NULL: discarded
};

// Complete handles whose memory was given up.
struct nap_run {
    uint64_t page, pages;
    uint32_t first; // the node that holds the first byte
    size_t live;    // sleeping blocks in it
    size_t items;   // its handles
    bool mapped;    // it has memory
};

// A tag that sleeps.
struct tn_nap {
    struct nap_run *runs;
    size_t run_count, run_room;
    struct nap_part *parts; // by address
    size_t part_count, part_room;
    tarn_map_item *items; // handles, while the runs lose them
    size_t item_room;
};

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

// Marks the pieces of a run.
static void mark_run(tarn_pool *pool, uint32_t tag, struct tn_nap *nap, uint32_t node,
                     struct nap_run run) {
    uint64_t lo = run.page * pool->growth.source->page_bytes;
    uint64_t hi = lo + run.pages * pool->growth.source->page_bytes;
    uint32_t next;
    for (; node != 0 && node_start(pool, node) < hi; node = next) {
        next = tn_piece_after(pool, node);
        if (node_end(pool, node) <= lo) continue;
        uint64_t start = node_start(pool, node);
        uint64_t from = start > lo ? start : lo;
        if (is_sleepy(pool, node, tag)) {
            uint64_t end = start + tn_piece_word(pool, node); // requested bytes
            uint64_t to = end < hi ? end : hi;
            tn_piece_set_mark(pool, node, tn_piece_mark(pool, node) | TN_MARK_ASLEEP);
            nap->parts[nap->part_count++] =
                (struct nap_part){.node = node,
                                  .run = (uint32_t)nap->run_count,
                                  .addr = pool->growth.source->base + from,
                                  .bytes = to > from ? to - from : 0};
            run.live++;
        } else {
            // The part of a free piece that lies in the run.
            uint64_t to = node_end(pool, node) < hi ? node_end(pool, node) : hi;
            node = tn_piece_carve(pool, node, (from - start) >> pool->unit_shift,
                                  (to - from) >> pool->unit_shift);
            tn_piece_assign(pool, node, 0, TN_MARK_REMNANT, 0);
        }
        run.first = run.first != 0 ? run.first : node;
    }
    nap->runs[nap->run_count++] = run;
}

// Counts the run of a stretch, and marks it if the nap has room for its records.
static void close_stretch(tarn_pool *pool, struct scan *scan, struct tn_nap *nap,
                          const struct stretch *s) {
    if (!s->blocks) return;
    // The run has the complete handles from the first to the last block.
    const tn_pool_handles *handles = &pool->growth.source->handles;
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t first = s->blocks_start / page;
    uint64_t last = (s->blocks_end - 1) / page;
    first -= handles->table[first].back;
    last -= handles->table[last].back;
    uint64_t end = last + handles->table[last].pages;
    if (first * page < s->start) first += handles->table[first].pages;
    if (end * page > s->end) end = last;
    if (end <= first) return;
    struct nap_run run = {.page = first, .pages = end - first, .mapped = true};
    size_t blocks = 0;
    for (uint32_t k = s->first; k != 0 && node_start(pool, k) < s->end; k = tn_piece_after(pool, k))
        blocks += is_sleepy(pool, k, scan->tag);
    size_t items = tn_pool_handles_count(handles, run.page, run.pages);
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
    TARN_ASSERT(tn_pool_grow_is_held(pool) && tn_pool_fit_is_held(pool));
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

static void nap_free(struct tn_nap *nap) {
    if (nap == NULL) return;
    for (size_t i = 0; i < nap->part_count; i++) free(nap->parts[i].copy);
    free(nap->runs);
    free(nap->parts);
    free(nap->items);
    free(nap);
}

// Finds and marks the runs that a tag can give up. Returns NO_HOST_MEMORY, with nothing marked, if
// their records cannot be allocated. Takes the fit lock.
static tarn_status nap_begin(tarn_pool *pool, uint32_t tag, struct tn_nap **nap) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && pool->growth.naps[tag] == NULL);
    struct scan scan = {.tag = tag};
    tn_pool_fit_lock(pool);
    scan_pieces(pool, &scan, NULL);
    tn_pool_fit_unlock(pool);
    struct tn_nap *n = (struct tn_nap *)calloc(1, sizeof *n);
    if (n != NULL) {
        n->runs = (struct nap_run *)calloc(scan.runs + 1, sizeof *n->runs);
        n->parts = (struct nap_part *)calloc(scan.parts + 1, sizeof *n->parts);
        n->items = (tarn_map_item *)calloc(scan.items + 1, sizeof *n->items);
    }
    if (n == NULL || n->runs == NULL || n->parts == NULL || n->items == NULL) {
        nap_free(n);
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
    TARN_ASSERT(tn_pool_fit_is_held(pool) && (tn_piece_mark(pool, node) & TN_MARK_REMNANT) != 0);
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

// ---- the memory of runs

static void set_mapped(tarn_pool *pool, struct nap_run *run, bool mapped) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    uint64_t bytes = run->pages * pool->growth.source->page_bytes;
    (void)tn_add_relaxed(&pool->growth.asleep_bytes, mapped ? 0 - bytes : bytes);
    run->mapped = mapped;
}

// Unmaps all runs and releases their handles, or none.
static tarn_status give_up_runs(tarn_pool *pool, struct tn_nap *nap) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tn_pool_source *source = pool->growth.source;
    tarn_map_item *items = nap->items;
    tarn_status status = TARN_OK;
    size_t done = 0;
    while (done < nap->run_count) {
        struct nap_run *run = &nap->runs[done];
        status = source->ops->unmap(source, run->page, run->pages);
        if (status != TARN_OK) break;
        set_mapped(pool, run, false);
        memcpy(items, source->handles.spare, run->items * sizeof *items);
        source->handles.spare_count = 0;
        source->handles.spare_bytes = 0;
        items += run->items;
        done++;
    }
    while (done > 0) {
        items -= nap->runs[--done].items;
        for (size_t i = 0; i < nap->runs[done].items; i++)
            tn_pool_handles_add(&source->handles, items[i].phys, items[i].bytes);
        // After a failure the runs are mapped again. A run that the device refuses stays asleep.
        if (status != TARN_OK && source->ops->map(source, nap->runs[done].page) == TARN_OK)
            set_mapped(pool, &nap->runs[done], true);
        else
            tn_pool_source_drain(source);
    }
    return status;
}

// ---- contents

// Copies the bytes of the parts to host memory, or back.
static tarn_status copy_parts(const tarn_pool *pool, struct tn_nap *nap, bool save) {
    tn_pool_source *source = pool->growth.source;
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < nap->part_count && status == TARN_OK; i++) {
        struct nap_part *part = &nap->parts[i];
        if (save && part->bytes != 0)
            status = source->ops->save(source, part->addr, part->bytes, &part->copy);
        else if (!save && part->node != 0 && part->copy != NULL)
            status = source->ops->load(source, part->addr, part->bytes, part->copy);
    }
    return status;
}

// ---- the end of a nap

// Ends a run: its blocks are awake if it has memory, else it has no block left.
static void end_run(tarn_pool *pool, struct nap_run *run) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    uint64_t lo = run->page * pool->growth.source->page_bytes;
    uint64_t hi = lo + run->pages * pool->growth.source->page_bytes;
    uint32_t next;
    tn_pool_fit_lock(pool);
    for (uint32_t k = run->first; k != 0 && node_start(pool, k) < hi; k = next) {
        uint32_t mark = tn_piece_mark(pool, k);
        next = tn_piece_after(pool, k);
        if ((mark & TN_MARK_REMNANT) != 0)
            free_remnant(pool, k, run->mapped, lo, hi);
        else
            tn_piece_set_mark(pool, k, mark & ~(uint32_t)TN_MARK_ASLEEP);
    }
    tn_pool_fit_unlock(pool);
    if (!run->mapped) set_mapped(pool, run, true); // it is not asleep, but a hole
    run->first = 0;
}

// Frees the records of a tag once every run has ended.
static void drop_nap(tarn_pool *pool, uint32_t tag) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct tn_nap *nap = pool->growth.naps[tag];
    size_t i = 0;
    while (i < nap->run_count && nap->runs[i].first == 0) i++;
    if (i == nap->run_count) {
        pool->growth.naps[tag] = NULL;
        nap_free(nap);
    }
}

// Ends the runs that have memory, with their contents.
static void end_awake_runs(tarn_pool *pool, uint32_t tag) {
    const struct tn_nap *nap = pool->growth.naps[tag];
    for (size_t i = 0; i < nap->run_count; i++)
        if (nap->runs[i].first != 0 && nap->runs[i].mapped) end_run(pool, &nap->runs[i]);
    drop_nap(pool, tag);
}

// Removes a freed block from its nap.
static void end_part(tarn_pool *pool, uint32_t tag, uint32_t node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct tn_nap *nap = pool->growth.naps[tag];
    for (size_t i = 0; i < nap->part_count; i++) {
        struct nap_part *part = &nap->parts[i];
        if (part->node != node) continue;
        struct nap_run *run = &nap->runs[part->run];
        part->node = 0;
        free(part->copy);
        part->copy = NULL;
        if (--run->live == 0) end_run(pool, run);
    }
    drop_nap(pool, tag);
}

bool tn_pool_sleep_free(tarn_pool *pool, tarn_addr addr, uint32_t node) {
    tn_pool_grow_lock(pool);
    tn_pool_fit_lock(pool);
    uint32_t mark = tn_piece_mark(pool, node);
    bool asleep = (mark & TN_MARK_ASLEEP) != 0;
    bool shared = (mark & TN_MARK_SHARED) != 0;
    if (asleep)
        tn_piece_forget(pool, node);
    else if (!shared)
        tn_pool_piece_free(pool, node); // it woke up meanwhile
    tn_pool_fit_unlock(pool);
    if (asleep) end_part(pool, mark & TN_MARK_TAG, node);
    tn_pool_grow_unlock(pool);
    if (asleep && shared) tn_pool_use_forget(pool, addr); // its work had passed when it fell asleep
    return shared && !asleep;
}

void tn_pool_sleep_reset(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    for (uint32_t tag = 0; tag < TARN_POOL_TAGS; tag++) {
        struct tn_nap *nap = pool->growth.naps[tag];
        for (size_t i = 0; nap != NULL && i < nap->part_count; i++) {
            const struct nap_part *part = &nap->parts[i];
            TN_FIT_LOCKED(pool);
            if (part->node != 0) {
                tn_granule_put(&pool->map, tn_piece_addr(pool, part->node), 0);
                tn_piece_forget(pool, part->node);
            }
        }
        for (size_t i = 0; nap != NULL && i < nap->run_count; i++)
            if (nap->runs[i].first != 0) end_run(pool, &nap->runs[i]);
        pool->growth.naps[tag] = NULL;
        nap_free(nap);
    }
}

// ---- the calls

// Waits for the queued work, so that the saved contents are final and no stream uses a block that
// sleeps. The first wait makes freed memory free for all. Another thread may free memory in use after
// it, and allocate it with the tag; the second wait covers that, as marked blocks do not change. A
// failure wakes the blocks again, apart from runs that the device refuses to map.
static tarn_status fall_asleep(tarn_pool *pool, uint32_t tag, bool keep, uint64_t *released) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    uint64_t before = tn_load_relaxed(&pool->growth.asleep_bytes);
    TN_TRY(tn_pool_wait_for_streams(pool));
    tn_pool_source_drain(pool->growth.source);
    TN_TRY(nap_begin(pool, tag, &pool->growth.naps[tag]));
    struct tn_nap *nap = pool->growth.naps[tag];
    tarn_status status = tn_pool_wait_for_streams(pool);
    if (status == TARN_OK && keep) status = copy_parts(pool, nap, true);
    if (status == TARN_OK) status = give_up_runs(pool, nap);
    *released = tn_load_relaxed(&pool->growth.asleep_bytes) - before;
    end_awake_runs(pool, tag); // after a failure: all runs that have their memory again
    return status;
}

static tarn_status check_tag(const tarn_pool *pool, uint32_t tag) {
    TN_TRY(tn_pool_may_wait(pool));
    TN_REFUSE(tag >= TARN_POOL_TAGS, TARN_BAD_ARGUMENT, "tag %u is not below %u", tag,
              TARN_POOL_TAGS);
    TN_REFUSE(pool->growth.source == NULL || pool->growth.source->ops->map == NULL,
              TARN_UNSUPPORTED, "only blocks of EXPANDABLE pools sleep");
    return TARN_OK;
}

tarn_status tarn_pool_sleep(tarn_pool *pool, uint32_t tag, uint32_t flags,
                            uint64_t *released_bytes) {
    TN_FAIL_POINT(0, 0);
    uint64_t released = 0;
    TN_TRY(check_tag(pool, tag));
    TN_REFUSE((flags & ~(uint32_t)TARN_POOL_DISCARD) != 0, TARN_BAD_ARGUMENT,
              "flags 0x%x are unknown", flags);
    tn_pool_grow_lock(pool);
    tn_emit_for_pool(true);
    tarn_status status = pool->growth.naps[tag] == NULL
                             ? fall_asleep(pool, tag, (flags & TARN_POOL_DISCARD) == 0, &released)
                             : tn_fail(TARN_BUSY, "blocks of tag %u sleep already", tag);
    tn_emit_for_pool(false);
    tn_pool_grow_unlock(pool);
    if (status == TARN_OK && released_bytes != NULL) *released_bytes = released;
    return TN_DONE(status);
}

// Tools count new pages as free. The block is announced at its old size, and its bytes as written if
// their contents come back.
static void emit_parts(tarn_pool *pool, const struct tn_nap *nap) {
    for (size_t i = 0; i < nap->part_count; i++) {
        const struct nap_part *part = &nap->parts[i];
        if (part->node != 0 && part->bytes != 0) {
            tn_pool_fit_lock(pool);
            tarn_addr addr = tn_piece_addr(pool, part->node);
            uint64_t bytes = tn_piece_word(pool, part->node);
            unsigned slot = tn_piece_slot(pool, part->node);
            tn_pool_fit_unlock(pool);
            tn_pool_emit_extend(pool, addr, bytes, slot);
            tn_pool_emit_awake(pool, part->addr, part->bytes, part->copy != NULL);
        }
    }
}

static tarn_status wake_up(tarn_pool *pool, uint32_t tag) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    struct tn_nap *nap = pool->growth.naps[tag];
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < nap->run_count && status == TARN_OK; i++) {
        struct nap_run *run = &nap->runs[i];
        if (run->first == 0 || run->mapped) continue;
        status = tn_pool_back(pool, run->page, run->pages);
        if (status == TARN_OK) set_mapped(pool, run, true);
    }
    if (status == TARN_OK && tn_subscribed())
        emit_parts(pool, nap); // first, so that tools see the contents come into live blocks
    if (status == TARN_OK) status = copy_parts(pool, nap, false);
    if (status == TARN_OK) {
        end_awake_runs(pool, tag);
        return TARN_OK;
    }
    // The runs lose the memory again. One that the device refuses to unmap keeps it until the tag
    // wakes.
    tn_pool_source *source = pool->growth.source;
    for (size_t i = 0; i < nap->run_count; i++) {
        struct nap_run *run = &nap->runs[i];
        if (run->first != 0 && run->mapped &&
            source->ops->unmap(source, run->page, run->pages) == TARN_OK) {
            set_mapped(pool, run, false);
            tn_pool_source_drain(source);
        }
    }
    return status;
}

tarn_status tarn_pool_wake(tarn_pool *pool, uint32_t tag) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(check_tag(pool, tag));
    TN_GROW_LOCKED(pool);
    const tn_pool_holding before = tn_pool_growth_holding(pool);
    tn_emit_for_pool(true);
    tarn_status status = pool->growth.naps[tag] != NULL ? wake_up(pool, tag) : TARN_OK;
    if (status != TARN_OK) tn_pool_undo_growth(pool, before);
    tn_emit_for_pool(false);
    return TN_DONE(status);
}
