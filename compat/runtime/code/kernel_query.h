// SPDX-License-Identifier: Apache-2.0
// Queries about kernels by an address or a handle: attributes and occupancy. All of them return the
// errors of tn_rt_host_kernel_get(), and INVALID_VALUE if an output is NULL. The file has no state.
#pragma once

#include "compat/runtime/kernel/kernel.h"

// Attributes have the same numbers at all vendors.
enum {
    TN_RT_KERNEL_MAX_THREADS = 0,
    TN_RT_KERNEL_MAX_DYNAMIC_SHARED = 8,
    TN_RT_KERNEL_CARVEOUT = 9,
};

// Return and set an attribute. Both fail with INVALID_VALUE if the attribute is unknown, or cannot
// be set to this value. A kernel of the host uses no registers, and its static memory is not known:
// the other attributes are 0.
tn_rt_error tn_rt_kernel_get_attribute(int *value, int attribute, const void *function);
tn_rt_error tn_rt_kernel_set_attribute(const void *function, int attribute, int value);

// Checks that it is a kernel. The second function returns its name, or NULL, of a GPU's kernel too.
tn_rt_error tn_rt_kernel_check(const void *function);
const char *tn_rt_kernel_name(const void *function);

// Returns the place of an argument among the arguments, and its size, which may be NULL. Fails with
// INVALID_VALUE if the kernel has no such argument.
tn_rt_error tn_rt_kernel_parameter(const void *function, size_t index, size_t *offset,
                                   size_t *bytes);

// See tn_rt_kernel_blocks() and tn_rt_kernel_grid(). The last function returns the shared memory
// that is left if `blocks` of them run on a unit.
tn_rt_error tn_rt_kernel_occupancy(int *blocks, const void *function, int threads, size_t shared);
tn_rt_error tn_rt_kernel_fit(int *grid, int *block, const void *function, size_t shared, int limit);
tn_rt_error tn_rt_kernel_free_shared(size_t *bytes, const void *function, int blocks, int threads);
