// SPDX-License-Identifier: Apache-2.0
// Memory with an address: the functions that its files share.
#ifndef TARN_COMPAT_HIP_MEMORY_H
#define TARN_COMPAT_HIP_MEMORY_H

#include "compat/runtime/block.h"

// Allocates host memory for the current device and makes it a block of that kind (HOST or MANAGED).
// Zero bytes give NULL and no block. Implemented by host.c.
tn_rt_error tn_hip_host_alloc(enum tn_rt_block_kind kind, void **ptr, size_t size, unsigned flags);

// Closes a mapping of another process's memory. Implemented by ipc.c.
tn_rt_error tn_hip_ipc_end(const struct tn_rt_block *block);

// Frees the memory of a device and managed memory that was allocated while it was current. Closes
// the memory of other processes that the device opened. Pinned and registered memory of the host
// and virtual memory management belong to the process and stay. The device is idle. Implemented by
// free.c.
void tn_hip_memory_reset(struct tn_rt_device *device);

#endif
