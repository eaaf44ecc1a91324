// SPDX-License-Identifier: Apache-2.0
// The targets of a replay; see target.h.
#include "tools/replay/target.h"

#include <string.h>

#include "base/error.h"

static const char *const target_names[] = {
#define TARGET_NAME(TARGET_NAME, name, text) name,
    TN_TARGET_LIST(TARGET_NAME)};

const char *tn_target_name(enum tn_target_kind kind) { return target_names[kind]; }

// The pool does not access its range, but --touch does, so the range is real memory.
static tarn_status open_fixed(struct tn_target *target, tarn_pool_desc *desc) {
    uint64_t left = 0;
    TN_TRY(tarn_device_query_memory(target->device, &left, NULL));
    desc->bytes = target->limit != 0 && target->limit < left ? target->limit : left;
    tarn_status status = tarn_memory_alloc(target->device, desc->bytes, &target->range);
    desc->base = target->range;
    return status;
}

static tarn_status open_pool(struct tn_target *target, const struct tn_target_settings *settings) {
    static const tarn_pool_kind kinds[TN_TARGET_KINDS] = {
        [TN_TARGET_FIXED] = TARN_POOL_FIXED,       [TN_TARGET_SEGMENTS] = TARN_POOL_SEGMENTS,
        [TN_TARGET_TIME] = TARN_POOL_EXPANDABLE,   [TN_TARGET_BALANCED] = TARN_POOL_EXPANDABLE,
        [TN_TARGET_MEMORY] = TARN_POOL_EXPANDABLE, [TN_TARGET_PLANNED] = TARN_POOL_EXPANDABLE};
    static const tarn_pool_policy policies[TN_TARGET_KINDS] = {
        [TN_TARGET_TIME] = TARN_POOL_TIME, [TN_TARGET_MEMORY] = TARN_POOL_MEMORY};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = kinds[target->kind];
    desc.policy = policies[target->kind];
    desc.rule = settings->rule;
    desc.segment_bytes = settings->segment_bytes;
    desc.page_bytes = settings->page_bytes;
    desc.device = target->device;
    desc.plan = settings->plan;
    desc.flags =
        TARN_POOL_STRICT |
        (settings->learns ? TARN_POOL_LEARN : 0u); // the table must not show segments as expandable
    if (target->kind == TN_TARGET_FIXED)
        TN_TRY(open_fixed(target, &desc));
    else
        desc.limit = target->limit;
    tarn_status status = tarn_pool_create(&desc, &target->pool);
    if (status != TARN_OK) (void)tarn_memory_free(target->range, 0);
    return status;
}

tarn_status tn_target_open(tarn_device *device, enum tn_target_kind kind,
                           const struct tn_target_settings *settings, uint64_t limit,
                           struct tn_target *target) {
    *target = (struct tn_target){.kind = kind, .device = device, .limit = limit};
    target->before.struct_size = sizeof target->before;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    TN_TRY(tarn_platform_query_stats(device, &target->before));
    if (kind != TN_TARGET_DIRECT) return open_pool(target, settings);
    TN_TRY(tarn_device_query(device, &info));
    target->unit = info.granularity_minimum;
    return TARN_OK;
}

// Returns true if the platform has more resources than before the target was opened.
static bool holds_more(const struct tn_target *target) {
    tarn_platform_stats now = {.struct_size = sizeof now};
    const tarn_platform_stats *before = &target->before;
    return tarn_platform_query_stats(target->device, &now) == TARN_OK &&
           (now.reservations > before->reservations || now.handles > before->handles ||
            now.mappings > before->mappings || now.memory_blocks > before->memory_blocks);
}

tarn_status tn_target_close(struct tn_target *target) {
    TN_TRY(tarn_pool_destroy(target->pool));
    target->pool = NULL;
    TN_TRY(tarn_memory_free(target->range, 0));
    target->range = 0;
    if (!holds_more(target)) return TARN_OK;
    tarn_clear_error(); // every call succeeded
    return TARN_CORRUPT;
}

// Computes the bytes that the device can still allocate directly within the limit.
static tarn_status left_bytes(struct tn_target *target, uint64_t *bytes) {
    tarn_status status = tarn_device_query_memory(target->device, bytes, NULL);
    uint64_t left = target->limit > target->held ? target->limit - target->held : 0;
    if (status == TARN_OK && target->limit != 0 && left < *bytes) *bytes = left;
    return status;
}

static tarn_status direct_state(struct tn_target *target, struct tn_target_state *state) {
    tarn_status status = left_bytes(target, &state->largest_free);
    state->held = target->held;
    state->peak_held = target->peak_held;
    state->peak_used = target->peak_held;
    state->work.created_handles = target->allocations;
    state->work.created_bytes = target->allocated_bytes;
    return status;
}

static tarn_status pool_state(struct tn_target *target, struct tn_target_state *state) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tarn_status status = tarn_pool_query_stats(target->pool, &stats);
    bool fixed = target->kind == TN_TARGET_FIXED;
    state->held = fixed ? stats.reach_bytes : stats.held_bytes;
    state->peak_held = fixed ? stats.reach_bytes : stats.peak_held_bytes;
    state->peak_used = stats.peak_used_bytes;
    state->largest_free = stats.largest_free;
    state->work = (struct tn_work){.created_handles = stats.created_handles,
                                   .created_bytes = stats.created_bytes,
                                   .mapped_handles = stats.mapped_handles,
                                   .mapped_bytes = stats.mapped_bytes,
                                   .moved_handles = stats.moved_handles,
                                   .moved_bytes = stats.moved_bytes,
                                   .device_ns = stats.device_ns};
    state->pool = stats;
    return status;
}

tarn_status tn_target_state(struct tn_target *target, struct tn_target_state *state) {
    tarn_platform_stats now = {.struct_size = sizeof now};
    struct tn_target_state found = {0};
    TN_TRY(target->pool != NULL ? pool_state(target, &found) : direct_state(target, &found));
    TN_TRY(tarn_platform_query_stats(target->device, &now));
    const tarn_platform_stats *before = &target->before;
    struct tn_work *work = &found.work;
    work->driver_calls = now.backend_calls - before->backend_calls;
    work->map_calls = now.map_calls - before->map_calls;
    work->unmap_calls = now.unmap_calls - before->unmap_calls;
    work->virtual_ns = now.virtual_ns - before->virtual_ns;
    // Every handle that was mapped and is not mapped any more was unmapped.
    work->unmapped_handles = work->mapped_handles - (now.mappings - before->mappings);
    work->unmapped_bytes = work->mapped_bytes - (now.mapped_bytes - before->mapped_bytes);
    if (target->pool == NULL) found.work.device_ns = found.work.virtual_ns;
    *state = found;
    return TARN_OK;
}

tarn_status tn_target_mark(struct tn_target *target) {
    return target->pool != NULL ? tarn_pool_mark(target->pool) : TARN_OK;
}

void tn_target_reset_peak(struct tn_target *target) {
    if (target->pool != NULL)
        (void)tarn_pool_reset_peaks(target->pool, TARN_PEAK_HELD); // a live pool, a known bit
    else
        target->peak_held = target->held;
}

void tn_target_explain(struct tn_target *target, tarn_pool_report *report) {
    if (target->pool != NULL) {
        (void)tarn_pool_explain(target->pool, report);
        return;
    }
    uint64_t left = 0;
    (void)tarn_device_query_memory(target->device, &report->device_free, &report->device_bytes);
    (void)left_bytes(target, &left);
    report->free_bytes = report->largest_free = left;
    report->held_bytes = target->held;
    report->limit = target->limit;
    bool limited = left < report->device_free;
    report->cause = limited ? TARN_POOL_CAUSE_LIMIT : TARN_POOL_CAUSE_FULL;
    report->cause_name = limited ? "limit" : "full";
}

tarn_status tn_target_check(struct tn_target *target) {
    tarn_status status = target->pool != NULL ? tarn_pool_verify(target->pool) : TARN_OK;
    return status != TARN_OK ? status : tarn_platform_verify(target->device);
}

static uint64_t round_to_unit(const struct tn_target *target, uint64_t bytes) {
    uint64_t rest = bytes % target->unit;
    return rest == 0 ? bytes : bytes + (target->unit - rest);
}

tarn_status tn_target_alloc_direct(struct tn_target *target, uint64_t bytes, tarn_addr *addr) {
    uint64_t taken = round_to_unit(target, bytes);
    if (taken < bytes || (target->limit != 0 && taken > target->limit - target->held)) {
        tarn_clear_error(); // the command sets the limit; the library did not fail
        return TARN_NO_DEVICE_MEMORY;
    }
    TN_TRY(tarn_memory_alloc(target->device, bytes, addr));
    target->allocations++;
    target->allocated_bytes += taken;
    target->held += taken;
    if (target->held > target->peak_held) target->peak_held = target->held;
    return TARN_OK;
}

tarn_status tn_target_free_direct(struct tn_target *target, uint64_t bytes, tarn_addr addr) {
    tarn_status status = tarn_memory_free(addr, 0);
    if (status == TARN_OK) target->held -= round_to_unit(target, bytes);
    return status;
}
