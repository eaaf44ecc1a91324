// SPDX-License-Identifier: Apache-2.0
// What the files about memory do for each other: ending blocks of any kind.
#ifndef TARN_COMPAT_HIP_MEMORY_H
#define TARN_COMPAT_HIP_MEMORY_H

#include "compat/hip/block.h"

// Memory of the host that the current device sees, in a block of that kind (HOST or MANAGED). Of 0
// bytes: NULL, and no block. host.c's.
hipError_t tn_hip_host_take(enum tn_hip_block_kind kind, void **ptr, size_t size, unsigned flags);

// Frees a DEVICE, MANAGED or POOLED block that is out of the table, after the work of the devices
// that can use it. The block goes back into the table when that fails.
hipError_t tn_hip_memory_end(struct tn_hip_block *block);

// The same for an OPENED block. ipc.c's.
hipError_t tn_hip_ipc_end(struct tn_hip_block *block);

// Ends what a device had: its memory, managed memory made while it was current, what it opened of
// other processes, its arrays, its pools. Pinned and registered memory of the host and virtual
// memory management are the process's and stay. The device's work is done; nobody may use it
// meanwhile.
void tn_hip_memory_reset(struct tn_hip_device *device);

#endif
