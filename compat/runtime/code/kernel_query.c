// SPDX-License-Identifier: Apache-2.0
// See kernel_query.h.
#include "compat/runtime/code/kernel_query.h"

#include "compat/runtime/code/device_code.h"
#include "compat/runtime/code/host_kernel.h"

tn_rt_error tn_rt_kernel_check(const void *function) {
    const struct tn_rt_host_kernel *kernel = NULL;
    return tn_rt_host_kernel_get(function, &kernel);
}

const char *tn_rt_kernel_name(const void *function) {
    const struct tn_rt_host_kernel *kernel =
        function != NULL ? tn_rt_host_kernel_find(function) : NULL;
    return kernel != NULL ? kernel->name : tn_rt_code_kernel(function);
}

tn_rt_error tn_rt_kernel_parameter(const void *function, size_t index, size_t *offset,
                                   size_t *bytes) {
    const struct tn_rt_host_kernel *kernel = NULL;
    size_t at = 0;
    TN_RT_TRY(tn_rt_check_pointer(offset, "the offset"));
    TN_RT_TRY(tn_rt_host_kernel_get(function, &kernel));
    TN_RT_REFUSE(index >= kernel->parameter_count, TN_RT_INVALID_VALUE,
                 "parameter %zu of a kernel with %u", index, kernel->parameter_count);
    for (size_t i = 0; i <= index; i++) {
        const struct tn_rt_parameter *p = &kernel->parameters[i];
        at = (at + p->alignment - 1) / p->alignment * p->alignment;
        *offset = at;
        at += p->bytes;
    }
    if (bytes != NULL) *bytes = kernel->parameters[index].bytes;
    return TN_RT_OK;
}

// ---- attributes

tn_rt_error tn_rt_kernel_get_attribute(int *value, int attribute, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    TN_RT_REFUSE(attribute < TN_RT_KERNEL_MAX_THREADS || attribute > TN_RT_KERNEL_CARVEOUT,
                 TN_RT_INVALID_VALUE, "attribute %d of a kernel", attribute);
    *value = attribute == TN_RT_KERNEL_MAX_THREADS ? (int)tn_rt_host_kernel_threads(function)
             : attribute == TN_RT_KERNEL_MAX_DYNAMIC_SHARED ? TN_RT_SHARED_BYTES
                                                            : 0;
    return TN_RT_OK;
}

// Every kernel may have all of the shared memory.
tn_rt_error tn_rt_kernel_set_attribute(const void *function, int attribute, int value) {
    TN_RT_TRY(tn_rt_kernel_check(function));
    TN_RT_REFUSE(attribute != TN_RT_KERNEL_MAX_DYNAMIC_SHARED && attribute != TN_RT_KERNEL_CARVEOUT,
                 TN_RT_INVALID_VALUE, "attribute %d of a kernel", attribute);
    TN_RT_REFUSE(
        attribute == TN_RT_KERNEL_MAX_DYNAMIC_SHARED && (value < 0 || value > TN_RT_SHARED_BYTES),
        TN_RT_INVALID_VALUE, "%d bytes of shared memory, %d at most", value, TN_RT_SHARED_BYTES);
    return TN_RT_OK;
}

// ---- occupancy: a unit runs one block of a kernel at once

tn_rt_error tn_rt_kernel_occupancy(int *blocks, const void *function, int threads, size_t shared) {
    TN_RT_TRY(tn_rt_check_pointer(blocks, "numBlocks"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    return tn_rt_kernel_blocks(blocks, tn_rt_host_kernel_threads(function), threads, shared);
}

tn_rt_error tn_rt_kernel_fit(int *grid, int *block, const void *function, size_t shared,
                             int limit) {
    TN_RT_TRY(tn_rt_check_pointer(grid, "gridSize"));
    TN_RT_TRY(tn_rt_check_pointer(block, "blockSize"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    return tn_rt_kernel_grid(grid, block, tn_rt_host_kernel_threads(function), shared, limit);
}

// One block runs on a unit, so more of them fit none.
tn_rt_error tn_rt_kernel_free_shared(size_t *bytes, const void *function, int blocks, int threads) {
    TN_RT_TRY(tn_rt_check_pointer(bytes, "dynamicSmemSize"));
    TN_RT_REFUSE(blocks <= 0 || threads <= 0, TN_RT_INVALID_VALUE, "%d blocks of %d threads",
                 blocks, threads);
    TN_RT_TRY(tn_rt_kernel_check(function));
    TN_RT_REFUSE(threads > TN_RT_THREADS_PER_BLOCK, TN_RT_INVALID_VALUE,
                 "blocks of %d threads, %d at most", threads, TN_RT_THREADS_PER_BLOCK);
    *bytes = blocks == 1 ? TN_RT_SHARED_BYTES : 0;
    return TN_RT_OK;
}
