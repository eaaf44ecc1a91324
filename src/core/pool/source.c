// SPDX-License-Identifier: Apache-2.0
// Counters of held bytes for sources. See source.h.
#include "core/pool/source.h"

#include "base/atomic.h"

void tn_pool_source_gained(tn_pool_source *source, uint64_t bytes) {
    uint64_t held = tn_load_relaxed(&source->held_bytes) + bytes;
    tn_store_relaxed(&source->held_bytes, held);
    if (held > tn_load_relaxed(&source->peak_held_bytes)) {
        tn_store_relaxed(&source->peak_held_bytes, held);
    }
}

void tn_pool_source_lost(tn_pool_source *source, uint64_t bytes) {
    tn_store_relaxed(&source->held_bytes, tn_load_relaxed(&source->held_bytes) - bytes);
}
