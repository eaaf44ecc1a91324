// SPDX-License-Identifier: Apache-2.0
// Reports of refusals. A report is made when an allocation is refused, under the growth lock, from
// the records as they are then, and stays until the next refusal. The text of the error is taken
// from it, so that an error, tarn_pool_explain() and tools show the same numbers. Making it
// allocates nothing.
#include "core/pool/pool.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/struct.h"
#include "core/platform/platform.h"
#include "core/pool/grow/grow.h"
#include "core/pool/plan/plan.h"
#include "core/pool/small/count.h"

// ---- the memory of the pool

// Inserts a share into a list of the largest, if it is one of them.
static void insert_share(tarn_pool_share list[TARN_POOL_SHARES], uint64_t id, uint64_t bytes) {
    tarn_pool_share share = {id, bytes};
    for (int i = 0; i < TARN_POOL_SHARES; i++) {
        if (share.bytes > list[i].bytes) {
            tarn_pool_share smaller = list[i];
            list[i] = share;
            share = smaller;
        }
    }
}

static void add_free_list(const tarn_pool *pool, unsigned list, tarn_pool_report *r) {
    for (uint32_t k = tn_piece_largest(pool, list); k != 0; k = tn_piece_next_smaller(pool, k)) {
        uint64_t bytes = tn_piece_units(pool, k) << pool->unit_shift;
        r->free_bytes += bytes;
        r->free_by_size[63 - __builtin_clzll(bytes)] += bytes;
        r->largest_free = bytes > r->largest_free ? bytes : r->largest_free;
        r->movable_bytes += tn_movable_bytes(pool, k);
    }
}

void tn_pool_fill_report(tarn_pool *pool, unsigned slot, tarn_pool_report *r) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tn_pool_fill_stats(pool, &stats);
    r->live_bytes = stats.live_bytes;
    r->used_bytes = stats.used_bytes;
    r->held_bytes = stats.held_bytes;
    for (uint32_t t = 0; t < TARN_POOL_TAGS; t++)
        insert_share(r->tags, t, tn_pool_tag_bytes(pool, t));
    uint64_t queued = tn_pool_queued_bytes(pool);
    tn_pool_order_lock(pool);
    tn_pool_fit_lock(pool);
    tn_pool_piece_ungather(pool);
    add_free_list(pool, tn_piece_list(pool, 0, 0), r);
    // Free memory of the request's own stream counts as free, that of other streams as waiting.
    for (unsigned s = 1; s < tn_pool_slot_count(pool); s++) {
        uint64_t bytes = tn_pool_queued_for(pool, s);
        if (s == slot) {
            add_free_list(pool, tn_piece_list(pool, s, 1), r);
            add_free_list(pool, tn_piece_list(pool, s, 2), r);
        } else {
            bytes += tn_pool_lists_bytes(pool, s);
        }
        r->waiting_bytes += bytes;
        insert_share(r->streams, tn_pool_slot_stream(pool, s), bytes);
    }
    r->free_bytes += tn_pool_growth_spare(pool);
    r->movable_bytes += tn_pool_growth_spare(pool);
    uint64_t taken = tn_pool_range_report(pool, r);
    tn_pool_fit_unlock(pool);
    tn_pool_order_unlock(pool);
    r->cached_bytes = taken > r->used_bytes + queued ? taken - r->used_bytes - queued : 0;
}

// ---- the cause

static tarn_pool_cause cause_of(const tarn_pool *pool, const tarn_pool_report *r) {
    uint64_t wanted = r->piece_bytes;
    uint64_t lack = wanted > r->movable_bytes ? wanted - r->movable_bytes : 0;
    switch (r->status) {
    case TARN_NO_DEVICE_MEMORY: break;
    case TARN_NO_ADDRESS_SPACE: return TARN_POOL_CAUSE_SPACE;
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS: return TARN_POOL_CAUSE_RECORDS;
    default: return TARN_POOL_CAUSE_DEVICE;
    }
    if (r->free_bytes + r->cached_bytes >= wanted) return TARN_POOL_CAUSE_FRAGMENTED;
    if (r->waiting_bytes != 0 && r->free_bytes + r->waiting_bytes >= wanted)
        return TARN_POOL_CAUSE_STREAMS;
    if (pool->kind != TARN_POOL_FIXED && r->limit != 0 &&
        (r->held_bytes >= r->limit || lack > r->limit - r->held_bytes))
        return TARN_POOL_CAUSE_LIMIT;
    if (r->device_free < lack && r->others_bytes != 0 && r->device_free + r->others_bytes >= lack)
        return TARN_POOL_CAUSE_OTHERS;
    return TARN_POOL_CAUSE_FULL;
}

// ---- the text

static const char *const cause_names[] = {
#define CAUSE_NAME(name, value, text) [value] = text,
    TARN_POOL_CAUSE_LIST(CAUSE_NAME)
#undef CAUSE_NAME
};

typedef unsigned long long number;

static void write_text(tarn_pool_report *r, const char *error) {
    char more[96] = ""; // what the cause adds
    r->cause_name = cause_names[r->cause];
    if (r->status != TARN_NO_DEVICE_MEMORY) {
        (void)snprintf(r->text, sizeof r->text, "%s: %.*s", r->cause_name, (int)sizeof r->text - 32,
                       error);
        return;
    }
    if (r->cause == TARN_POOL_CAUSE_STREAMS)
        (void)snprintf(more, sizeof more, "; %llu wait for streams", (number)r->waiting_bytes);
    if (r->cause == TARN_POOL_CAUSE_LIMIT)
        (void)snprintf(more, sizeof more, "; the limit is %llu", (number)r->limit);
    if (r->cause == TARN_POOL_CAUSE_OTHERS) {
        (void)snprintf(more, sizeof more, "; others hold %llu of the device's %llu",
                       (number)r->others_bytes, (number)r->device_bytes);
    }
    if (r->cause == TARN_POOL_CAUSE_FULL && r->device_bytes != 0) {
        (void)snprintf(more, sizeof more, "; the device has %llu free of %llu",
                       (number)r->device_free, (number)r->device_bytes);
    }
    (void)snprintf(
        r->text, sizeof r->text,
        "%s: %llu bytes requested, which occupy %llu; the pool holds %llu, of which %llu "
        "are free, %llu in the largest piece%s",
        r->cause_name, (number)r->requested, (number)(r->requested + r->overhead),
        (number)r->held_bytes, (number)r->free_bytes, (number)r->largest_free, more);
}

// ---- the report

tarn_status tn_pool_refuse(tarn_pool *pool, const tn_pool_refusal *refusal) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && refusal->status != TARN_OK);
    tarn_pool_report *r = &pool->reports.last;
    struct tn_error_saved error;
    tn_error_save(&error);
    *r = (tarn_pool_report){
        .struct_size = sizeof *r,
        .status = refusal->status,
        .refusals = tn_add_relaxed(&pool->reports.refusals, 1) + 1,
        .requested = refusal->bytes,
        .overhead = refusal->occupied > refusal->bytes ? refusal->occupied - refusal->bytes : 0,
        .piece_bytes = refusal->piece,
        .alignment = refusal->align,
        .limit = pool->desc.limit,
        .stream = refusal->stream,
        .tag = refusal->tag,
    };
    pool->ops->fill_report(pool, refusal->slot, r);
    // A device that does not answer counts as one without memory.
    tarn_device *device = pool->kind != TARN_POOL_FIXED ? pool->desc.device : NULL;
    if (device != NULL &&
        tarn_device_query_memory(device, &r->device_free, &r->device_bytes) == TARN_OK) {
        uint64_t known = r->device_free + r->held_bytes;
        r->others_bytes = r->device_bytes > known ? r->device_bytes - known : 0;
        r->handles = tn_load_relaxed(&device->platform->stats.handles);
        r->mappings = tn_load_relaxed(&device->platform->stats.mappings);
    }
    r->cause = cause_of(pool, r);
    write_text(r, error.status == r->status ? error.message : tarn_status_text(r->status));
    TN_REFUSE(r->status == TARN_NO_DEVICE_MEMORY, r->status, "%s", r->text);
    tn_error_restore(&error);
    return r->status;
}

tarn_status tn_pool_refuse_want(tarn_pool *pool, const tn_pool_want *want, tarn_status status) {
    uint64_t piece = want->units << pool->unit_shift;
    const tn_pool_refusal refusal = {
        .bytes = want->bytes,
        .occupied = want->occupied,
        .piece = piece > want->occupied ? piece : want->occupied,
        .align = want->align,
        .stream = tn_load_relaxed(&tn_pool_slot_at(pool, want->slot)->stream),
        .slot = want->slot,
        .tag = want->mark & TN_MARK_TAG,
        .status = status,
    };
    return tn_pool_refuse(pool, &refusal);
}

tarn_status tarn_pool_explain(tarn_pool *pool, tarn_pool_report *report) {
    TN_TRY(tn_pool_usable(pool));
    tn_pool_grow_lock(pool);
    tarn_pool_report last = pool->reports.last;
    tn_pool_grow_unlock(pool);
    if (tn_plan_explain(pool, &last) && last.refusals == 0) {
        last.cause = TARN_POOL_CAUSE_PLAN;
        last.cause_name = cause_names[TARN_POOL_CAUSE_PLAN];
    }
    TN_REFUSE(report != NULL && last.refusals == 0 && last.cause == 0, TARN_NOT_READY,
              "the pool has not refused an allocation yet");
    return TN_DONE(tn_struct_write(report, &last, sizeof last, "tarn_pool_report"));
}
