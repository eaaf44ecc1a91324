// SPDX-License-Identifier: Apache-2.0
// See memory.h: allocates device memory, and answers queries about its size. The file has no state.
#include "compat/runtime/memory/memory.h"

#include "compat/face/fidelity.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"

tn_rt_error tn_rt_memory_alloc(void **ptr, size_t size, unsigned flags) {
    tarn_addr addr = 0;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    if (tn_rt_base_policy.failures_give_null) *ptr = NULL;
    if (size != 0) {
        tarn_status status = tn_rt_pool_alloc_beside(tn_rt_current(), size, &addr);
        if (status == TARN_NO_DEVICE_MEMORY && tn_rt_graph_memory_trim(tn_rt_current()))
            status = tn_rt_pool_alloc_beside(tn_rt_current(), size, &addr);
        TN_RT_TRY(tn_rt_error_of(status));
        tn_rt_block_mark(addr, TN_RT_BLOCK_DEVICE, flags);
    }
    *ptr = (void *)(uintptr_t)addr;
    return TN_RT_OK;
}

// ---- rows and slices

tn_rt_error tn_rt_memory_alloc_box(void **ptr, size_t *pitch, size_t width, size_t height,
                                   size_t depth) {
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    TN_RT_TRY(tn_rt_check_pointer(pitch, "pitch"));
    const size_t unit = tn_rt_memory_policy.pitch_bytes;
    TN_RT_REFUSE(width > SIZE_MAX - (unit - 1), TN_RT_INVALID_VALUE, "rows of %zu bytes", width);
    size_t row = (width + unit - 1) / unit * unit;
    size_t slice = 0;
    size_t bytes = 0;
    TN_RT_REFUSE(__builtin_mul_overflow(row, height, &slice) ||
                     __builtin_mul_overflow(slice, depth, &bytes),
                 TN_RT_OUT_OF_MEMORY, "%zu slices of %zu rows of %zu bytes", depth, height, row);
    TN_RT_TRY(tn_rt_memory_alloc(ptr, bytes, 0));
    *pitch = row;
    return TN_RT_OK;
}

// ---- queries

tn_rt_error tn_rt_memory_alloc_rows(void **ptr, size_t *pitch, size_t width, size_t height) {
    return tn_rt_memory_alloc_box(ptr, pitch, width, height, 1);
}

tn_rt_error tn_rt_memory_alloc_elements(void **ptr, size_t *pitch, size_t width, size_t height,
                                        unsigned element) {
    TN_RT_REFUSE(element != 4 && element != 8 && element != 16, TN_RT_INVALID_VALUE,
                 "elements have %u bytes, not 4, 8 or 16", element);
    TN_RT_REFUSE(width == 0 || height == 0, TN_RT_INVALID_VALUE, "%zu rows of %zu bytes", height,
                 width);
    return tn_rt_memory_alloc_rows(ptr, pitch, width, height);
}

tn_rt_error tn_rt_memory_measure(size_t *free_bytes, size_t *total_bytes) {
    uint64_t left = 0;
    uint64_t all = 0;
    TN_RT_REFUSE(free_bytes == NULL && total_bytes == NULL, TN_RT_INVALID_VALUE,
                 "free and total are NULL");
    tn_rt_pool_settle_all(tn_rt_current());
    (void)tn_rt_graph_memory_trim(tn_rt_current());
    tn_rt_error error =
        tn_rt_error_of(tarn_device_query_memory(tn_rt_current()->tarn, &left, &all));
    if (error == TN_RT_OK && free_bytes != NULL) *free_bytes = (size_t)left;
    if (error == TN_RT_OK && total_bytes != NULL) *total_bytes = (size_t)all;
    return error;
}

tn_rt_error tn_rt_memory_range(void **base, size_t *size, const void *ptr) {
    struct tn_rt_block block;
    TN_RT_REFUSE(!tn_rt_block_query(ptr, &block), TN_RT_NOT_FOUND, "%p is not in %s", ptr,
                 tn_rt_memory_policy.memory_name);
    TN_FACE_DIFFERS(range_outputs, base == NULL || size == NULL);
    if (base != NULL) *base = (void *)(uintptr_t)block.start;
    if (size != NULL) *size = block.bytes;
    return TN_RT_OK;
}
