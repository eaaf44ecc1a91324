// SPDX-License-Identifier: Apache-2.0
// Sleeping blocks: the large blocks of a tag give up their memory and keep their addresses. nap.c
// decides which pages these are. Everything changes under the growth lock; other threads may
// allocate and free meanwhile. The free of a sleeping block is finished here.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/grow/grow.h"
#include "core/pool/grow/nap.h"
#include "core/pool/report/notify.h"
#include "core/pool/stream/reclaim.h"
#include "core/pool/stream/use.h"
#include "fail/point.h"

// ---- the memory of runs

static void set_mapped(tarn_pool *pool, tn_nap_run *run, bool mapped) {
    uint64_t bytes = run->pages * pool->growth.source->page_bytes;
    (void)tn_add_relaxed(&pool->growth.asleep_bytes, mapped ? 0 - bytes : bytes);
    run->mapped = mapped;
}

static void restore_items(tarn_pool *pool, const tn_nap_run *run, const tarn_map_item *items) {
    for (size_t i = 0; i < run->items; i++)
        tn_pool_handles_add(&pool->growth.source->handles, items[i].phys, items[i].bytes);
}

// Unmaps a run. Its handles go to `items`, so that they can be mapped again.
static tarn_status unmap_run(tarn_pool *pool, tn_nap_run *run, tarn_map_item *items) {
    tn_pool_handles *handles = &pool->growth.source->handles;
    tarn_status status =
        pool->growth.source->ops->unmap(pool->growth.source, run->page, run->pages);
    if (status == TARN_OK) {
        set_mapped(pool, run, false);
        memcpy(items, handles->spare, run->items * sizeof *items);
        handles->spare_count = 0;
        handles->spare_bytes = 0;
    }
    return status;
}

// Unmaps all runs and releases their handles, or none.
static tarn_status give_up_runs(tarn_pool *pool, struct tn_nap *nap) {
    tn_pool_source *source = pool->growth.source;
    tarn_map_item *items = nap->items;
    tarn_status status = TARN_OK;
    size_t done = 0;
    while (done < nap->run_count && status == TARN_OK) {
        status = unmap_run(pool, &nap->runs[done], items);
        items += status == TARN_OK ? nap->runs[done++].items : 0;
    }
    while (done > 0) {
        items -= nap->runs[--done].items;
        restore_items(pool, &nap->runs[done], items);
        // After a failure the runs are mapped again. What the device refuses to map stays asleep.
        if (status != TARN_OK && source->ops->map(source, nap->runs[done].page) == TARN_OK)
            set_mapped(pool, &nap->runs[done], true);
        else
            source->ops->drain(source);
    }
    return status;
}

// Gives the runs memory again, as many as the device allows.
static tarn_status back_runs(tarn_pool *pool, struct tn_nap *nap) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < nap->run_count && status == TARN_OK; i++) {
        tn_nap_run *run = &nap->runs[i];
        if (run->first != 0 && !run->mapped) {
            status = tn_pool_back(pool, run->page, run->pages);
            if (status == TARN_OK) set_mapped(pool, run, true);
        }
    }
    return status;
}

// ---- contents

static tarn_status save_parts(tarn_pool *pool, struct tn_nap *nap) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < nap->part_count && status == TARN_OK; i++) {
        tn_nap_part *part = &nap->parts[i];
        if (part->bytes != 0) {
            status = pool->growth.source->ops->save(pool->growth.source, part->addr, part->bytes,
                                                    &part->copy);
        }
    }
    return status;
}

static tarn_status load_parts(tarn_pool *pool, struct tn_nap *nap) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < nap->part_count && status == TARN_OK; i++) {
        const tn_nap_part *part = &nap->parts[i];
        if (part->node != 0 && part->copy != NULL) {
            status = pool->growth.source->ops->load(pool->growth.source, part->addr, part->bytes,
                                                    part->copy);
        }
    }
    return status;
}

// ---- the end of a nap

// Ends a run: its blocks are awake if it has memory, else it has no block left.
static void end_run(tarn_pool *pool, tn_nap_run *run) {
    tn_pool_fit_lock(pool);
    tn_nap_end_run(pool, run);
    tn_pool_fit_unlock(pool);
    if (!run->mapped) set_mapped(pool, run, true); // it is not asleep, but a hole
    run->first = 0;
}

// Frees the records of a tag once every run has ended.
static void drop_nap(tarn_pool *pool, uint32_t tag) {
    struct tn_nap *nap = pool->growth.naps[tag];
    size_t i = 0;
    while (i < nap->run_count && nap->runs[i].first == 0)
        i++;
    if (i == nap->run_count) {
        pool->growth.naps[tag] = NULL;
        tn_nap_free(nap);
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
    struct tn_nap *nap = pool->growth.naps[tag];
    for (size_t i = 0; i < nap->part_count; i++) {
        tn_nap_part *part = &nap->parts[i];
        if (part->node != node) continue;
        tn_nap_run *run = &nap->runs[part->run];
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
    for (uint32_t tag = 0; tag < TARN_POOL_TAGS; tag++) {
        struct tn_nap *nap = pool->growth.naps[tag];
        for (size_t i = 0; nap != NULL && i < nap->part_count; i++) {
            const tn_nap_part *part = &nap->parts[i];
            tn_pool_fit_lock(pool);
            if (part->node != 0) {
                tn_granule_put(&pool->map, tn_piece_addr(pool, part->node), 0);
                tn_piece_forget(pool, part->node);
            }
            tn_pool_fit_unlock(pool);
        }
        for (size_t i = 0; nap != NULL && i < nap->run_count; i++)
            if (nap->runs[i].first != 0) end_run(pool, &nap->runs[i]);
        pool->growth.naps[tag] = NULL;
        tn_nap_free(nap);
    }
}

// ---- the calls

static tarn_status fall_asleep(tarn_pool *pool, uint32_t tag, bool keep, uint64_t *released) {
    uint64_t before = tn_load_relaxed(&pool->growth.asleep_bytes);
    TN_TRY(tn_pool_wait_for_streams(pool));
    pool->growth.source->ops->drain(pool->growth.source);
    TN_TRY(tn_nap_begin(pool, tag, &pool->growth.naps[tag]));
    struct tn_nap *nap = pool->growth.naps[tag];
    tarn_status status = keep ? save_parts(pool, nap) : TARN_OK;
    if (status == TARN_OK) status = give_up_runs(pool, nap);
    *released = tn_load_relaxed(&pool->growth.asleep_bytes) - before;
    end_awake_runs(pool, tag); // all, after a failure
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
    return status;
}

// Tools count new pages as free. The block is announced at its old size, and its bytes as written.
static void emit_parts(tarn_pool *pool, const struct tn_nap *nap) {
    for (size_t i = 0; i < nap->part_count; i++) {
        const tn_nap_part *part = &nap->parts[i];
        if (part->node != 0 && part->bytes != 0) {
            tn_pool_fit_lock(pool);
            tarn_addr addr = tn_piece_addr(pool, part->node);
            uint64_t bytes = tn_piece_word(pool, part->node);
            unsigned slot = tn_piece_slot(pool, part->node);
            tn_pool_fit_unlock(pool);
            tn_pool_emit_extend(pool, addr, bytes, slot);
            tn_pool_emit_awake(pool, part->addr, part->bytes);
        }
    }
}

static tarn_status wake_up(tarn_pool *pool, uint32_t tag) {
    struct tn_nap *nap = pool->growth.naps[tag];
    tarn_status status = back_runs(pool, nap);
    if (status == TARN_OK && tn_subscribed())
        emit_parts(pool, nap); // first, so that tools see the contents come into live blocks
    if (status == TARN_OK) status = load_parts(pool, nap);
    if (status == TARN_OK) {
        end_awake_runs(pool, tag);
        return TARN_OK;
    }
    // The runs lose the memory again. One that the device refuses to unmap keeps it until the tag
    // wakes.
    tn_pool_source *source = pool->growth.source;
    for (size_t i = 0; i < nap->run_count; i++) {
        tn_nap_run *run = &nap->runs[i];
        if (run->first != 0 && run->mapped &&
            source->ops->unmap(source, run->page, run->pages) == TARN_OK) {
            set_mapped(pool, run, false);
            source->ops->drain(source);
        }
    }
    return status;
}

tarn_status tarn_pool_wake(tarn_pool *pool, uint32_t tag) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(check_tag(pool, tag));
    tn_pool_grow_lock(pool);
    tn_emit_for_pool(true);
    tarn_status status = pool->growth.naps[tag] != NULL ? wake_up(pool, tag) : TARN_OK;
    tn_emit_for_pool(false);
    tn_pool_grow_unlock(pool);
    return status;
}
