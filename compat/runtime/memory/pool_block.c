// SPDX-License-Identifier: Apache-2.0
// See memory.h: allocates blocks of pools in the order of streams. free.c frees them. The file has
// no state.
#include "compat/runtime/base/policy.h"
#include "compat/runtime/memory/memory.h"

#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/stream/stream.h"

// Allocates by a node of a graph, if the stream still captures. Returns true with the result then.
static bool alloc_in_capture(void **ptr, size_t size, const struct tn_rt_pool *pool,
                             struct tn_rt_stream *stream, tn_rt_error *error) {
    tarn_addr addr = 0;
    struct tn_face_device *device = pool != NULL ? pool->device : stream->device;
    *error = TN_RT_OK;
    bool captured = size == 0 || tn_rt_graph_memory_alloc(stream, device, size, &addr, error);
    if (captured && *error == TN_RT_OK) *ptr = (void *)(uintptr_t)addr;
    return captured;
}

// *pool is NULL for the current pool, to which this adds a reference.
static tn_rt_error alloc_on(void **ptr, size_t size, struct tn_rt_pool **pool,
                            struct tn_rt_stream *s) {
    struct tn_rt_where where;
    tarn_addr addr = 0;
    tn_rt_error error = TN_RT_OK;
    TN_RT_REFUSE(*pool != NULL && (*pool)->imported, TN_RT_INVALID_VALUE,
                 "the pool was imported: only its own process allocates from it");
    if (atomic_load(&s->capturing) && alloc_in_capture(ptr, size, *pool, s, &error)) return error;
    TN_RT_TRY(tn_rt_capture_check_beside());
    TN_RT_TRY(tn_rt_invalid_stream(tn_rt_stream_begin_on(s, &where)));
    if (size != 0) {
        tarn_pool_request request = TARN_INIT(tarn_pool_request);
        if (*pool == NULL) TN_RT_TRY(tn_rt_pool_current(where.device, pool));
        request.bytes = size;
        request.stream = where.stream;
        request.user = tn_rt_block_word(TN_RT_BLOCK_POOLED, (*pool)->device, 0);
        error = tn_rt_pool_alloc(*pool, &request, &addr);
        if (error == TN_RT_OUT_OF_MEMORY && tn_rt_graph_memory_trim((*pool)->device))
            error = tn_rt_pool_alloc(*pool, &request, &addr);
        if (error != TN_RT_OK) return error;
        tn_rt_stream_marked(s);
    }
    *ptr = (void *)(uintptr_t)addr;
    return TN_RT_OK;
}

// Takes over the reference to `given`. NULL means the current pool of the stream's device.
static tn_rt_error alloc_on_stream(void **ptr, size_t size, struct tn_rt_pool *given,
                                   void *stream) {
    struct tn_rt_pool TN_FACE_HELD *pool = given;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    if (tn_rt_base_policy.failures_give_null) *ptr = NULL;
    TN_RT_GET_STREAM(s, tn_rt_invalid_stream(tn_rt_stream_get(stream, &s)));
    return alloc_on(ptr, size, &pool, s);
}

tn_rt_error tn_rt_alloc_async(void **ptr, size_t size, void *stream) {
    return alloc_on_stream(ptr, size, NULL, stream);
}

tn_rt_error tn_rt_alloc_from_pool(void **ptr, size_t size, void *handle, void *stream) {
    struct tn_rt_pool *pool = NULL;
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    return alloc_on_stream(ptr, size, pool, stream);
}
