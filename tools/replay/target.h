// SPDX-License-Identifier: Apache-2.0
// A target of a replay: a pool of some kind, or the device itself. It is opened for one replay of
// one device of a trace. One thread.
#pragma once

#include <tarn/tarn.h>

// X(NAME, "name", "description")
#define TN_TARGET_LIST(X)                                                                          \
    X(DIRECT, "direct", "no pool: each request is a device allocation")                            \
    X(FIXED, "fixed", "a pool over one range as large as the memory or limit")                     \
    X(SEGMENTS, "segments", "a pool that allocates device memory in segments")                     \
    X(TIME, "expandable:time", "a pool that maps pages into one range, for few calls")             \
    X(BALANCED, "expandable:balanced", "the same pool, for few calls and little memory")           \
    X(MEMORY, "expandable:memory", "the same pool, for the least memory")                          \
    X(PLANNED, "expandable:planned", "the same pool, which follows a plan of the recording")

enum tn_target_kind {
#define TN_TARGET_ENUM(NAME, name, text) TN_TARGET_##NAME,
    TN_TARGET_LIST(TN_TARGET_ENUM) TN_TARGET_KINDS
};

// The settings of a target's pool. Sizes in bytes; 0 selects the pool's default.
struct tn_target_settings {
    tarn_rule rule;
    uint64_t segment_bytes;
    uint64_t page_bytes;
    const tarn_plan *plan; // NULL: none
    bool learns;           // the pool makes itself a plan
};

struct tn_target {
    enum tn_target_kind kind;
    tarn_device *device; // owned by the caller
    tarn_pool *pool;     // NULL for DIRECT
    tarn_addr range;     // FIXED: the memory under the pool
    uint64_t limit;      // of the held bytes; 0 means the memory of the device
    uint64_t unit;       // DIRECT: the granularity of the device
    uint64_t held;       // DIRECT: allocated bytes
    uint64_t peak_held;
    uint64_t allocations; // DIRECT: so far
    uint64_t allocated_bytes;
    tarn_platform_stats before; // of the platform, before the target was opened
};

// The work of the device for a target, since the target was opened: X(name, "text").
#define TN_WORK_LIST(X)                                                                            \
    X(created_handles, "handles of physical memory created, or device allocations")                \
    X(created_bytes, "their bytes")                                                                \
    X(mapped_handles, "handles mapped")                                                            \
    X(mapped_bytes, "their bytes")                                                                 \
    X(unmapped_handles, "handles unmapped")                                                        \
    X(unmapped_bytes, "their bytes")                                                               \
    X(moved_handles, "handles moved from one address to another")                                  \
    X(moved_bytes, "their bytes")                                                                  \
    X(driver_calls, "device calls that change memory")                                             \
    X(map_calls, "map calls among them")                                                           \
    X(unmap_calls, "unmap calls among them")                                                       \
    X(device_ns, "time of the device calls by the costs of the device, modelled or measured once") \
    X(virtual_ns, "time of the device calls by the device's own clock, if it has a cost model")

struct tn_work {
#define TN_WORK_FIELD(name, text) uint64_t name;
    TN_WORK_LIST(TN_WORK_FIELD)
};

// The current state of a target, and its peaks.
struct tn_target_state {
    uint64_t held; // FIXED: the reach, as for the peak
    uint64_t peak_held;
    uint64_t peak_used; // highest sum of the sizes of live blocks under the rule
    uint64_t largest_free;
    struct tn_work work;
    tarn_pool_stats pool; // zero for DIRECT
};

const char *tn_target_name(enum tn_target_kind kind);

tarn_status tn_target_open(tarn_device *device, enum tn_target_kind kind,
                           const struct tn_target_settings *settings, uint64_t limit,
                           struct tn_target *target);
// Every block must be free. Returns CORRUPT if memory of the device was not freed.
tarn_status tn_target_close(struct tn_target *target);

tarn_status tn_target_state(struct tn_target *target, struct tn_target_state *state);
// Begins a pass of the pool's plan. Does nothing without one.
tarn_status tn_target_mark(struct tn_target *target);
// Sets the peak of the held bytes to the present value. That of a FIXED pool is its reach, which
// stays.
void tn_target_reset_peak(struct tn_target *target);
// Describes the last allocation that was refused. DIRECT: cause and free memory only.
void tn_target_explain(struct tn_target *target, tarn_pool_report *report);
// Verifies all records. CORRUPT names the first contradiction.
tarn_status tn_target_check(struct tn_target *target);

tarn_status tn_target_alloc_direct(struct tn_target *target, uint64_t bytes, tarn_addr *addr);
tarn_status tn_target_free_direct(struct tn_target *target, uint64_t bytes, tarn_addr addr);

static inline tarn_status tn_target_alloc(struct tn_target *target, uint64_t bytes,
                                          tarn_stream stream, tarn_addr *addr) {
    return target->pool != NULL ? tarn_pool_alloc(target->pool, bytes, stream, addr)
                                : tn_target_alloc_direct(target, bytes, addr);
}

// `bytes` is the requested size.
static inline tarn_status tn_target_free(struct tn_target *target, uint64_t bytes, tarn_addr addr) {
    return target->pool != NULL ? tarn_pool_free(target->pool, addr)
                                : tn_target_free_direct(target, bytes, addr);
}
