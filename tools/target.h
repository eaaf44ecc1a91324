// SPDX-License-Identifier: Apache-2.0
// A target: what a trace is replayed on - a pool of some kind, or the device itself. Opened for one
// replay of one device of the trace; used by one thread.
#ifndef TARN_TOOLS_TARGET_H
#define TARN_TOOLS_TARGET_H

#include <tarn/tarn.h>

// X(NAME, "name", "what it is")
#define TN_TARGET_LIST(X)                                                                          \
    X(DIRECT, "direct", "each request straight to the device")                                     \
    X(FIXED, "fixed", "a pool over one range, as large as the memory or the limit")                \
    X(SEGMENTS, "segments", "a pool that takes device memory segment by segment")                  \
    X(EXPANDABLE, "expandable", "a pool over one reservation with pages mapped under it")

enum tn_target_kind {
#define TN_TARGET_ENUM(NAME, name, text) TN_TARGET_##NAME,
    TN_TARGET_LIST(TN_TARGET_ENUM)
#undef TN_TARGET_ENUM
        TN_TARGET_KINDS
};

struct tn_target {
    enum tn_target_kind kind;
    tarn_device *device; // the caller's
    tarn_pool *pool;     // NULL: direct
    tarn_addr range;     // FIXED: the memory under the pool
    uint64_t limit;      // most bytes to hold; 0: as much as the device has
    uint64_t unit;       // DIRECT: memory is taken in multiples of this
    uint64_t held;       // DIRECT: bytes taken now
    uint64_t peak_held;
    tarn_device_stats before; // of the platform, when the target was opened
};

// What a target holds now and has held at most.
struct tn_target_state {
    uint64_t held;
    uint64_t peak_held;
    uint64_t peak_used; // bytes that live blocks occupied under the rule, at most
    uint64_t free;      // bytes that no block occupies, held or not
    uint64_t largest_free;
    uint64_t moved;
    uint64_t host_bytes;
    uint64_t driver_calls; // since the target was opened
    uint64_t map_calls;
    uint64_t unmap_calls;
    uint64_t virtual_ns;
};

const char *tn_target_name(enum tn_target_kind kind);
bool tn_target_find(const char *name, enum tn_target_kind *kind);

tarn_status tn_target_open(tarn_device *device, enum tn_target_kind kind, const tarn_rule *rule,
                           uint64_t limit, struct tn_target *target);
// Every block must be free. CORRUPT when memory of the device was not given back.
tarn_status tn_target_close(struct tn_target *target);

tarn_status tn_target_state(struct tn_target *target, struct tn_target_state *state);
// Walks all book-keeping. CORRUPT names the first contradiction.
tarn_status tn_target_check(struct tn_target *target);

tarn_status tn_target_alloc_direct(struct tn_target *target, uint64_t bytes, tarn_addr *addr);
tarn_status tn_target_free_direct(struct tn_target *target, uint64_t bytes, tarn_addr addr);

static inline tarn_status tn_target_alloc(struct tn_target *target, uint64_t bytes,
                                          tarn_stream stream, tarn_addr *addr) {
    return target->pool != NULL ? tarn_pool_alloc(target->pool, bytes, stream, addr)
                                : tn_target_alloc_direct(target, bytes, addr);
}

// `bytes` is what was asked for.
static inline tarn_status tn_target_free(struct tn_target *target, uint64_t bytes, tarn_addr addr) {
    return target->pool != NULL ? tarn_pool_free(target->pool, addr)
                                : tn_target_free_direct(target, bytes, addr);
}

#endif
