// SPDX-License-Identifier: Apache-2.0
// Segments of plain device memory as a pool's source.
#include <stdlib.h>

#include <tarn/memory.h>

#include "base/atomic.h"
#include "base/error.h"
#include "core/pool/source.h"

struct segments {
    tn_pool_source source;
    tarn_device *device;
};

static tarn_status grow(tn_pool_source *source, uint64_t bytes, tarn_addr *addr) {
    struct segments *s = (struct segments *)source;
    tarn_status status = tarn_memory_alloc(s->device, bytes, addr);
    (void)tn_add_relaxed(&source->driver_calls, 1);
    if (status == TARN_OK) {
        tn_pool_source_came(source, bytes);
    }
    return status;
}

// Memory that the device will not take back, which only a broken backend does, stays counted.
static void shrink(tn_pool_source *source, tarn_addr addr, uint64_t bytes, uint32_t flags) {
    (void)tn_add_relaxed(&source->driver_calls, 1);
    if (tarn_memory_free(addr, flags) == TARN_OK) {
        tn_pool_source_went(source, bytes);
    }
}

static void destroy(tn_pool_source *source) {
    free(source);
}

static const tn_pool_source_ops ops = {.grow = grow, .shrink = shrink, .destroy = destroy};

tarn_status tn_pool_source_segments(const tarn_pool_desc *desc, tn_pool_source **source) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_status status = tarn_device_query(desc->device, &info);
    if (status != TARN_OK) {
        return status;
    }
    struct segments *s = (struct segments *)calloc(1, sizeof *s);
    if (s == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a pool's source");
    }
    s->source.ops = &ops;
    s->source.page_bytes = info.granularity_minimum;
    s->device = desc->device;
    *source = &s->source;
    return TARN_OK;
}
