// SPDX-License-Identifier: Apache-2.0
// Segments of plain device memory as a pool's source. Under the pool's growth lock.
#include <stdlib.h>

#include "base/atomic.h"
#include "base/error.h"
#include "core/platform/platform.h"
#include "core/pool/grow/source.h"

struct segments {
    tn_pool_source source;
    tarn_device *device;
};

static tarn_status segment_alloc(tn_pool_source *source, uint64_t bytes, tarn_addr *addr) {
    struct segments *s = (struct segments *)source;
    tarn_status status = tn_owner_alloc(&source->owner.base, s->device, bytes, addr);
    (void)tn_add_relaxed(&source->driver_calls, 1);
    if (status == TARN_OK) tn_pool_source_gained(source, bytes);
    return status;
}

// Memory that a broken backend refuses to free stays counted.
static void segment_free(tn_pool_source *source, tarn_addr addr, uint64_t bytes, uint32_t flags) {
    (void)tn_add_relaxed(&source->driver_calls, 1);
    if (tn_owner_free(&source->owner.base, addr, flags) == TARN_OK)
        tn_pool_source_lost(source, 1, bytes);
}

static uint64_t segments_room(tn_pool_source *source, bool stated) {
    const struct segments *s = (struct segments *)source;
    return tn_device_room(s->device, tn_load_relaxed(&source->held_bytes), stated);
}

static void segments_destroy(tn_pool_source *source) {
    tn_owner_drain(&source->owner.base);
    free(source);
}

static const tn_pool_source_ops ops = {.grow = segment_alloc,
                                       .shrink = segment_free,
                                       .room = segments_room,
                                       .destroy = segments_destroy};

tarn_status tn_pool_source_segments(const tarn_pool_desc *desc, tn_pool_source **source) {
    struct segments *s = (struct segments *)calloc(1, sizeof *s);
    TN_REFUSE(s == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a pool's source");
    s->source.ops = &ops;
    tn_pool_owner_init(&s->source.owner);
    s->source.page_bytes = desc->device->platform->granularity;
    s->source.total = desc->device->caps.memory_bytes;
    s->device = desc->device;
    *source = &s->source;
    return TARN_OK;
}
