// SPDX-License-Identifier: Apache-2.0
// Adapter of Tarn's pool for the peer harness, with the public API only. The harness's folder must
// be on the include path. TARN_POOL=fixed (the default) or expandable selects the kind. TARN_POLICY
// sets the policy of an expandable pool: balanced (the default), time or memory.
#pragma once

#include "bench.h"

#include <tarn/pool.h>

using namespace sb;

struct A : AdapterBase {
    static constexpr bool thread_safe = true;
    tarn_device *device = nullptr;
    tarn_pool *pool = nullptr;

    static bool expandable() {
        static const char *kind = getenv("TARN_POOL");
        return kind != nullptr && !strcmp(kind, "expandable");
    }

    static const char *name() { return expandable() ? "tarn-expandable" : "tarn-fixed"; }

    bool init(u64 bytes) {
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        desc.rule = {(uint32_t)kAlign, (uint32_t)kAlign, 0};
        if (expandable()) {
            char uri[64];
            snprintf(uri, sizeof uri, "sim:0,memory=%lu", bytes);
            if (tarn_device_open(uri, &device) != TARN_OK) return false;
            desc.kind = TARN_POOL_EXPANDABLE;
            desc.device = device;
            desc.page_bytes = 2 * MB;
            desc.bytes = 400 * GB;
            const char *policy = getenv("TARN_POLICY");
            desc.policy = policy == nullptr           ? TARN_POOL_BALANCED
                          : !strcmp(policy, "time")   ? TARN_POOL_TIME
                          : !strcmp(policy, "memory") ? TARN_POOL_MEMORY
                                                      : TARN_POOL_BALANCED;
        } else {
            desc.kind = TARN_POOL_FIXED;
            desc.base = 1ull << 40;
            desc.bytes = bytes;
        }
        return tarn_pool_create(&desc, &pool) == TARN_OK;
    }

    ~A() {
        tarn_pool_reset(pool);
        tarn_pool_destroy(pool);
        tarn_device_close(device);
    }

    u64 base() { return 1ull << 40; }

    u64 stat(uint64_t tarn_pool_stats::*field) {
        tarn_pool_stats stats = {};
        stats.struct_size = sizeof stats;
        return tarn_pool_query_stats(pool, &stats) == TARN_OK ? stats.*field : 0;
    }

    u64 peak_reserved() { return expandable() ? stat(&tarn_pool_stats::peak_held_bytes) : 0; }

    u64 driver_calls() { return stat(&tarn_pool_stats::driver_calls); }

    bool alloc(u64 bytes, Handle &h) { return tarn_pool_alloc(pool, bytes, 0, &h.addr) == TARN_OK; }

    void free(Handle &h, u64) { tarn_pool_free(pool, h.addr); }
};
