// SPDX-License-Identifier: Apache-2.0
// Virtual memory: ranges of addresses, mappings with rights, and physical memory. A program's
// handle of memory is Tarn's number for it, so nothing is looked up or locked, and any thread may
// call these functions. Where the devices have no virtual memory, each returns NOT_SUPPORTED before
// it checks its arguments. An invalid address, size or handle is INVALID_VALUE.
#pragma once

#include "compat/runtime/device/device.h"

// Decides NOT_SUPPORTED if the devices have no virtual memory.
tn_rt_error tn_rt_vmm_check(void);

static inline tarn_phys tn_rt_phys_of(const void *handle) { return (tarn_phys)(uintptr_t)handle; }

// ---- vmm.c: ranges and mappings

// Reserves a range of addresses, at `wish` if possible; frees a complete one. The policy's
// range_error: an impossible size or alignment. OUT_OF_MEMORY: *ptr is NULL then.
tn_rt_error tn_rt_space_reserve(void **ptr, size_t size, size_t alignment, const void *wish,
                                unsigned long long flags);
tn_rt_error tn_rt_space_free(const void *ptr, size_t size);

// Maps the memory of a handle; `offset` and `flags` are 0. NOT_SUPPORTED: see the policy
// `maps_whole`. The second function unmaps complete mappings, when no work
// uses them any more, or at once by a policy.
tn_rt_error tn_rt_map(const void *ptr, size_t size, size_t offset, const void *handle,
                      unsigned long long flags);
tn_rt_error tn_rt_unmap(const void *ptr, size_t size);

// Sets the rights of locations to complete mappings, by an array of descriptors (struct
// tn_rt_access); returns the rights of one location. NOT_SUPPORTED: the host can have no rights to
// the memory of devices.
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

// Creates memory with these properties, and writes its handle, a pointer, to `handle`. Reclaims
// unused memory of the device's pools if necessary. NOT_SUPPORTED: the type of the memory or of
// handles; OUT_OF_MEMORY. Then: drops a reference, and adds one to the memory mapped at an address.
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
