// SPDX-License-Identifier: Apache-2.0
// Virtual memory: ranges of addresses, mappings with rights, and physical memory. A program's
// handle of memory is Tarn's number for it, so nothing is looked up or locked, and any thread may
// call these functions. Each fails with NOT_SUPPORTED, before it checks its arguments, if the
// devices have no virtual memory, and with INVALID_VALUE if an address, a size or a handle is
// invalid.
#pragma once

#include "compat/runtime/device/device.h"

// Decides NOT_SUPPORTED if the devices have no virtual memory.
tn_rt_error tn_rt_vmm_check(void);

static inline tarn_phys tn_rt_phys_of(const void *handle) { return (tarn_phys)(uintptr_t)handle; }

// ---- vmm.c: ranges and mappings

// The first function reserves a range of addresses, at `wish` if possible. It fails with the
// policy's range_error if the size or the alignment is impossible, and with OUT_OF_MEMORY, and a
// *ptr of NULL, without room. The second function frees a complete range.
tn_rt_error tn_rt_space_reserve(void **ptr, size_t size, size_t alignment, const void *wish,
                                unsigned long long flags);
tn_rt_error tn_rt_space_free(const void *ptr, size_t size);

// The first function maps the memory of a handle; `offset` and `flags` are 0. It fails with
// NOT_SUPPORTED by the policy `maps_whole`. The second function unmaps complete mappings, when no
// work uses them any more, or at once by a policy.
tn_rt_error tn_rt_map(const void *ptr, size_t size, size_t offset, const void *handle,
                      unsigned long long flags);
tn_rt_error tn_rt_unmap(const void *ptr, size_t size);

// The first function sets the rights of locations to complete mappings, by an array of descriptors
// (struct tn_rt_access). It fails with NOT_SUPPORTED if the host can have no rights to the memory
// of devices. The second function returns the rights of one location.
tn_rt_error tn_rt_map_set_access(const void *ptr, size_t size, const void *descs, size_t count);
tn_rt_error tn_rt_map_get_access(unsigned long long *flags, const void *location, const void *ptr);

// ---- phys.c: physical memory

// The properties of memory, in the layout that CUDA and HIP share. Members without a comment are
// stored and not used.
struct tn_rt_phys_prop {
    int type; // TN_RT_PHYS_, or the policy's type of uncached memory
    unsigned handle_types;
    struct tn_rt_location location;
    void *security;
    unsigned char compression;
    unsigned char rdma;
    unsigned short usage; // bits; TN_RT_PHYS_TILES has a meaning
    unsigned char rest[4];
};
enum { TN_RT_PHYS_PINNED = 1, TN_RT_PHYS_MANAGED = 2 };
enum { TN_RT_PHYS_NO_HANDLE = 0, TN_RT_PHYS_FD = 1, TN_RT_PHYS_FABRIC = 8 };
enum { TN_RT_PHYS_TILES = 1 }; // for sparse arrays

// The first function creates memory with these properties, and writes its handle, a pointer, to
// `handle`. It reclaims unused memory of the device's pools if necessary. It fails with
// NOT_SUPPORTED for another type of memory or of handles, and with OUT_OF_MEMORY if the device has
// too little. The second function drops a reference, and the third one adds a reference to the
// memory mapped at an address.
tn_rt_error tn_rt_phys_create(void *handle, size_t size, const void *prop,
                              unsigned long long flags);
tn_rt_error tn_rt_phys_release(const void *handle);
tn_rt_error tn_rt_phys_retain(void *handle, const void *ptr);

// Returns the properties, and the granularity of memory with given ones: option 0 the minimum,
// option 1 the recommended one.
tn_rt_error tn_rt_phys_properties(void *prop, const void *handle);
tn_rt_error tn_rt_phys_granularity(size_t *granularity, const void *prop, int option);

// Writes a file descriptor for the memory to `out`, an int of any alignment, or a handle of the
// fabric, 64 bytes; writes a descriptor for the mapping that begins at an address; opens memory by
// the descriptor `given`, or by the one or the handle stored there.
tn_rt_error tn_rt_phys_export(void *out, const void *handle, unsigned type,
                              unsigned long long flags);
tn_rt_error tn_rt_phys_export_range(void *fd, const void *ptr, size_t size, unsigned type,
                                    unsigned long long flags);
tn_rt_error tn_rt_phys_import(void *handle, void *given, unsigned type);
