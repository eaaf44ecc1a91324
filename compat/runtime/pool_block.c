// SPDX-License-Identifier: Apache-2.0
// See memory.h: allocates blocks of pools in the order of streams. free.c frees them. The file has
// no state.
#include "compat/runtime/memory.h"

#include "compat/runtime/graph_memory.h"
#include "compat/runtime/pool.h"
#include "compat/runtime/stream.h"

static tn_rt_error alloc_block(void **ptr, size_t size, struct tn_rt_pool *pool,
                               tarn_stream stream) {
    tarn_addr addr = 0;
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    if (size != 0) {
        request.bytes = size;
        request.stream = stream;
        request.user = tn_rt_block_word(TN_RT_BLOCK_POOLED, pool->device, 0);
        TN_RT_TRY(tn_rt_pool_alloc(pool, &request, &addr));
    }
    *ptr = (void *)(uintptr_t)addr;
    return TN_RT_OK;
}

// Allocates by a node of a graph, if the stream captures. Returns true with the result then.
static bool alloc_in_capture(void **ptr, size_t size, const struct tn_rt_pool *pool,
                             struct tn_rt_stream *stream, tn_rt_error *error) {
    tarn_addr addr = 0;
    struct tn_face_device *device = pool != NULL ? pool->device : stream->device;
    *error = TN_RT_OK;
    bool nothing = size == 0 && atomic_load(&stream->capturing);
    bool captured = nothing || tn_rt_graph_memory_alloc(stream, device, size, &addr, error);
    if (captured && *error == TN_RT_OK) *ptr = (void *)(uintptr_t)addr;
    return captured;
}

// Returns true with the result if the call ends here, else false with the order of the stream.
static bool begin_alloc(void **ptr, size_t size, const struct tn_rt_pool *pool, void *stream,
                        struct tn_rt_where *where, tn_rt_error *error) {
    struct tn_rt_stream *s = NULL;
    *error = tn_rt_check_pointer(ptr, "dev_ptr");
    if (*error == TN_RT_OK) *error = tn_rt_invalid_stream(tn_rt_stream_get(stream, &s));
    if (*error != TN_RT_OK) return true;
    if (pool != NULL && pool->imported) {
        *error = tn_rt_fail(TN_RT_INVALID_VALUE,
                            "the pool was imported: only its own process allocates from it");
    }
    bool done = *error != TN_RT_OK || alloc_in_capture(ptr, size, pool, s, error);
    tn_rt_stream_put(s);
    if (!done) *error = tn_rt_capture_check_beside();
    if (!done && *error == TN_RT_OK)
        *error = tn_rt_invalid_stream(tn_rt_stream_begin(stream, where));
    return done || *error != TN_RT_OK;
}

// Takes over the reference to `pool`. NULL means the current pool of the stream's device.
static tn_rt_error alloc_on_stream(void **ptr, size_t size, struct tn_rt_pool *pool, void *stream) {
    struct tn_rt_where where;
    tn_rt_error error = TN_RT_OK;
    if (!begin_alloc(ptr, size, pool, stream, &where, &error)) {
        error = pool == NULL && size != 0 ? tn_rt_pool_current(where.device, &pool) : TN_RT_OK;
        if (error == TN_RT_OK) error = alloc_block(ptr, size, pool, where.stream);
        tn_rt_stream_end(&where);
    }
    if (pool != NULL) tn_rt_pool_put(pool);
    return error;
}

tn_rt_error tn_rt_alloc_async(void **ptr, size_t size, void *stream) {
    return alloc_on_stream(ptr, size, NULL, stream);
}

tn_rt_error tn_rt_alloc_from_pool(void **ptr, size_t size, void *handle, void *stream) {
    struct tn_rt_pool *pool = NULL;
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    return alloc_on_stream(ptr, size, pool, stream);
}
