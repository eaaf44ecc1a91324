// SPDX-License-Identifier: Apache-2.0
// Counters of sources. See source.h.
#include "core/pool/grow/source.h"

#include "base/atomic.h"

static void count(_Atomic(uint64_t) *counter, uint64_t by) {
    tn_store_relaxed(counter, tn_load_relaxed(counter) + by);
}

void tn_pool_source_gained(tn_pool_source *source, uint64_t bytes) {
    uint64_t held = tn_load_relaxed(&source->held_bytes) + bytes;
    count(&source->created_handles, 1);
    count(&source->created_bytes, bytes);
    tn_store_relaxed(&source->held_bytes, held);
    if (held > tn_load_relaxed(&source->peak_held_bytes))
        tn_store_relaxed(&source->peak_held_bytes, held);
}

void tn_pool_source_lost(tn_pool_source *source, uint64_t handles, uint64_t bytes) {
    count(&source->released_handles, handles);
    tn_store_relaxed(&source->held_bytes, tn_load_relaxed(&source->held_bytes) - bytes);
}

void tn_pool_source_mapped(tn_pool_source *source, uint64_t first) {
    count(&source->mapped_handles, source->handles.spare_count);
    count(&source->mapped_bytes, source->handles.spare_bytes);
    tn_pool_handles_enter(&source->handles, first);
}

void tn_pool_source_unmapped(tn_pool_source *source, uint64_t first, uint64_t pages) {
    size_t before = source->handles.spare_count;
    tn_pool_handles_leave(&source->handles, first, pages);
    count(&source->unmapped_handles, source->handles.spare_count - before);
}

uint64_t tn_pool_source_ns(const tn_pool_source *source) {
    const tarn_backend_costs *costs = &source->costs;
    bool pages = source->ops->map != NULL;
    double gib = (double)tn_load_relaxed(&source->created_bytes) / (double)(UINT64_C(1) << 30);
    uint64_t get = pages ? costs->create_ns : costs->allocate_ns;
    uint64_t end = pages ? costs->destroy_ns : costs->free_ns;
    return tn_load_relaxed(&source->created_handles) * get +
           (uint64_t)(gib * (double)costs->gib_ns) +
           tn_load_relaxed(&source->released_handles) * end +
           tn_load_relaxed(&source->mapped_handles) * (costs->map_ns + costs->access_ns) +
           tn_load_relaxed(&source->unmapped_handles) * costs->unmap_ns;
}
