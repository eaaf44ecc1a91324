// SPDX-License-Identifier: Apache-2.0
// Multicast objects: memory of a team of devices behind one address. Copies and fills to the address
// reach the memory of each device. An object is physical memory of the host for the rest of the
// runtime: it is mapped, exported and released like any other. Plain loads and stores of kernels and
// of the host reach these bytes and no device.
//
// All functions return NOT_SUPPORTED without the option `fabric` of the devices, and INVALID_VALUE
// for a handle of something else. Any thread may call them.
#pragma once

#include "compat/runtime/device/device.h"

// The layout is CUDA's.
struct tn_rt_multicast_prop {
    unsigned devices;
    size_t size;
    unsigned long long handle_types;
    unsigned long long flags; // 0
};

tn_rt_error tn_rt_multicast_create(void *handle, const void *prop);
tn_rt_error tn_rt_multicast_granularity(size_t *granularity, const void *prop, int option);

// Adds a device to the team, for good. The functions that follow, and the map of an object, wait
// until the team is complete.
tn_rt_error tn_rt_multicast_add(const void *handle, int ordinal);

// Binds memory of a device of the team, by its handle or by a mapping of it, and ends a binding.
tn_rt_error tn_rt_multicast_bind(const void *handle, size_t offset, const void *memory,
                                 size_t memory_offset, size_t size, unsigned long long flags);
tn_rt_error tn_rt_multicast_bind_address(const void *handle, size_t offset, const void *ptr,
                                         size_t size, unsigned long long flags);
tn_rt_error tn_rt_multicast_unbind(const void *handle, int ordinal, size_t offset, size_t size);

// ---- for the rest of the runtime; each does nothing if no object exists

// Waits for the team if the handle is an object's.
tn_rt_error tn_rt_multicast_wait(tarn_phys phys);

// Refuses what is possible only with ordinary memory: the program's last reference was released, the
// query of properties, an access by address that is not spread.
tn_rt_error tn_rt_multicast_check_release(tarn_phys phys);
tn_rt_error tn_rt_multicast_refuse_handle(tarn_phys phys);
tn_rt_error tn_rt_multicast_refuse_address(tarn_addr addr);

// Ends the objects that the program has released and unmapped.
void tn_rt_multicast_sweep(void);

// Replaces the handle of an imported object by that of the object. Fails with NOT_SUPPORTED if the
// object is of another process.
tn_rt_error tn_rt_multicast_import(tarn_phys *phys);

// Submits a copy or a fill once for each device if it writes to an object; *spread is false if it
// does not. All of the range must be bound.
tn_rt_error tn_rt_multicast_copy(tarn_device *device, const tarn_copy_desc *desc,
                                 tarn_stream stream, bool *spread);
tn_rt_error tn_rt_multicast_fill(tarn_device *device, const tarn_fill_desc *desc,
                                 tarn_stream stream, bool *spread);
