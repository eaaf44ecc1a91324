// SPDX-License-Identifier: Apache-2.0
// The work of rows about launches of kernels that HIP and CUDA have in common. A source file that wants the
// rows with extents defines TN_RT_EXTENTS first: the vendor's type of them. See kernel_node.h and
// kernel_query.h.
#pragma once

#include "compat/runtime/code/kernel_node.h"
#include "compat/runtime/code/kernel_query.h"

#define TN_RT_DIM(dim3) ((struct tn_rt_dim){(dim3).x, (dim3).y, (dim3).z})

static inline tn_rt_error tn_rt_launch_listed(const void *function, struct tn_rt_dim grid,
                                              struct tn_rt_dim block, size_t shared,
                                              bool cooperative, void **params, void **extra,
                                              void *stream) {
    const struct tn_rt_kernel_params own = {function,    grid,   block, shared,
                                            cooperative, params, extra};
    return tn_rt_kernel_call(&own, stream);
}

// ---- by a handle, and by the address of the host stub; and cooperative launches

static inline tn_rt_error tn_rt_launch_grid(const void *function, unsigned x, unsigned y,
                                            unsigned z, unsigned block_x, unsigned block_y,
                                            unsigned block_z, unsigned shared, void *stream,
                                            void **params, void **extra) {
    return tn_rt_launch_listed(function, (struct tn_rt_dim){x, y, z},
                               (struct tn_rt_dim){block_x, block_y, block_z}, shared, false, params,
                               extra, stream);
}

static inline tn_rt_error tn_rt_launch_grid_waiting(const void *function, unsigned x, unsigned y,
                                                    unsigned z, unsigned block_x, unsigned block_y,
                                                    unsigned block_z, unsigned shared, void *stream,
                                                    void **params) {
    return tn_rt_launch_listed(function, (struct tn_rt_dim){x, y, z},
                               (struct tn_rt_dim){block_x, block_y, block_z}, shared, true, params,
                               NULL, stream);
}

#ifdef TN_RT_EXTENTS

static inline tn_rt_error tn_rt_launch_stub(const void *function, TN_RT_EXTENTS grid,
                                            TN_RT_EXTENTS block, void **arguments, size_t shared,
                                            void *stream) {
    return tn_rt_launch_listed(function, TN_RT_DIM(grid), TN_RT_DIM(block), shared, false,
                               arguments, NULL, stream);
}

static inline tn_rt_error tn_rt_launch_stub_waiting(const void *function, TN_RT_EXTENTS grid,
                                                    TN_RT_EXTENTS block, void **arguments,
                                                    size_t shared, void *stream) {
    return tn_rt_launch_listed(function, TN_RT_DIM(grid), TN_RT_DIM(block), shared, true, arguments,
                               NULL, stream);
}

// ---- in several calls

static inline tn_rt_error tn_rt_push_call(TN_RT_EXTENTS grid, TN_RT_EXTENTS block, size_t shared,
                                          void *stream) {
    const struct tn_rt_configuration configuration = {TN_RT_DIM(grid), TN_RT_DIM(block), shared,
                                                      stream};
    return tn_rt_configuration_push(&configuration);
}

static inline tn_rt_error tn_rt_pop_call(TN_RT_EXTENTS *grid, TN_RT_EXTENTS *block, size_t *shared,
                                         void *stream) {
    struct tn_rt_configuration own;
    TN_RT_REFUSE(grid == NULL || block == NULL || shared == NULL || stream == NULL,
                 TN_RT_INVALID_VALUE, "an output is NULL");
    TN_RT_TRY(tn_rt_configuration_pop(&own));
    *grid = (TN_RT_EXTENTS){own.grid.x, own.grid.y, own.grid.z};
    *block = (TN_RT_EXTENTS){own.block.x, own.block.y, own.block.z};
    *shared = own.shared;
    *(void **)stream = own.stream;
    return TN_RT_OK;
}

#endif

// ---- queries: flags and preferences have no effect

static inline tn_rt_error tn_rt_count_blocks(int *blocks, const void *function, int threads,
                                             size_t shared, unsigned flags) {
    (void)flags;
    return tn_rt_kernel_occupancy(blocks, function, threads, shared);
}

static inline tn_rt_error tn_rt_prefer(const void *function, int preference) {
    (void)preference;
    return tn_rt_kernel_check(function);
}
