// SPDX-License-Identifier: Apache-2.0
// Pools of stream-ordered memory, over pools of Tarn. A pool is an object behind a handle, which its
// handle and each live block keep alive. So a pool that is destroyed while blocks live ends with the
// last of them. Each device has a default pool from its first use on, which programs cannot destroy.
#pragma once

#include "compat/runtime/base/handle.h"
#include "compat/runtime/memory/block.h"

struct tn_rt_pool {
    struct tn_face_object object; // first
    struct tn_face_device *device;
    tarn_pool *tarn;                // its user word is the handle
    _Atomic(uint32_t) reuse;        // TARN_REUSE_ bits
    _Atomic(bool) dependencies;     // stored and returned, without any other effect
    struct tn_rt_pool_table *table; // of a pool that processes share, else NULL
    bool imported;                  // the table is of another pool; nothing is allocated here
    _Atomic(bool) exported;         // a descriptor was made
    _Atomic(uint64_t) freed;        // bytes of the last block freed since settle(); 0: none
};

// Makes a pool with a handle, and adds a reference; `limit` as in tarn_pool_desc. Takes over `table`,
// unless it fails; NULL: processes do not share the pool.
tn_rt_error tn_rt_pool_new(struct tn_face_device *device, uint64_t limit,
                           struct tn_rt_pool_table *table, bool imported, struct tn_rt_pool **pool);

// Returns the pool of a handle and adds a reference. Fails with INVALID_VALUE if the handle is of
// none.
tn_rt_error tn_rt_pool_get(void *handle, struct tn_rt_pool **pool);
// The same except of imported pools, by the policy `imported_pools_are_passive`.
tn_rt_error tn_rt_pool_get_own(void *handle, struct tn_rt_pool **pool);
void tn_rt_pool_put(struct tn_rt_pool *pool);

// Allocates a block, which has a reference to the pool of its own. When the device is out of memory,
// its pools release what they do not use.
tn_rt_error tn_rt_pool_alloc(struct tn_rt_pool *pool, const tarn_pool_request *request,
                             tarn_addr *addr);
// Frees a block of that many bytes behind the work of `stream`, of the pool with this user word.
// Fails with INVALID_VALUE if another thread has freed it meanwhile.
tn_rt_error tn_rt_pool_free(uint64_t pool_user, tarn_addr addr, uint64_t bytes, tarn_stream stream);

// By a policy, a pool with the release threshold 0 releases its memory when its last block is freed,
// except for memory that unfinished work may use. Programs that free one block and allocate the next
// would pay for that each time. So the memory is released when a call could tell the difference,
// which calls this function first.
void tn_rt_pool_settle(struct tn_rt_pool *pool);
void tn_rt_pool_settle_all(const struct tn_face_device *device);

// Returns the pool whose memory has this user word and adds a reference, or returns NULL if it has
// ended. Its handle may be closed.
struct tn_rt_pool *tn_rt_pool_of(uint64_t pool_user);

// Returns the device's default pool, made when first needed, or its current one; adds a reference.
tn_rt_error tn_rt_pool_default(struct tn_face_device *device, struct tn_rt_pool **pool);
tn_rt_error tn_rt_pool_current(struct tn_face_device *device, struct tn_rt_pool **pool);

// Makes `pool` the current one of its device.
void tn_rt_pool_select(const struct tn_rt_pool *pool);

// Closes the handle of a pool; its device then uses the default pool. Fails with INVALID_VALUE if
// the handle is not of a pool or is a device's default pool, and by a policy also if the pool has
// live blocks.
tn_rt_error tn_rt_pool_close(void *handle);

// Releases unused memory of the device's pools, without waiting. Called when the device is out of
// memory. Returns true if any was released.
bool tn_rt_pool_reclaim(const struct tn_face_device *device);

// Allocates memory of a device that is no pool's. Unused memory of its pools counts as free, so it
// is reclaimed if necessary.
tarn_status tn_rt_pool_alloc_beside(const struct tn_face_device *device, size_t size,
                                    tarn_addr *addr);

// Frees the blocks of the pool that owns the region at `addr`, if it is a pool of this device, which
// is idle. Other threads may allocate and free meanwhile: a block is freed once.
void tn_rt_pool_empty_at(tarn_addr addr, const struct tn_face_device *device);

// Closes all pools of a device, the default one too. Its next use makes a new one.
void tn_rt_pool_reset(const struct tn_face_device *device);

// ---- pool_attribute.c

// Attributes of pools: three flags of reuse (int), and numbers of bytes (uint64_t).
enum {
    TN_RT_POOL_FOLLOW_EVENTS = 1,
    TN_RT_POOL_OPPORTUNISTIC,
    TN_RT_POOL_DEPENDENCIES,
    TN_RT_POOL_THRESHOLD,
    TN_RT_POOL_RESERVED,
    TN_RT_POOL_RESERVED_HIGH,
    TN_RT_POOL_USED,
    TN_RT_POOL_USED_HIGH
};

// Set and return an attribute. Both fail with INVALID_VALUE if the attribute is unknown. The first
// function also fails with INVALID_VALUE if the attribute cannot be set, or if a peak is set to
// anything but 0, and with NOT_SUPPORTED if the program forbids to reuse memory whose work has
// passed, which the face always does.
tn_rt_error tn_rt_pool_set_attribute(void *handle, int attribute, const void *value);
tn_rt_error tn_rt_pool_get_attribute(void *handle, int attribute, void *value);

// Releases unused memory of a pool down to `keep` bytes, without waiting.
tn_rt_error tn_rt_pool_trim(void *handle, size_t keep);

// ---- pool_access.c

// Give devices rights to the memory of a pool, by an array of descriptors (struct tn_rt_access);
// return those of a device, named by a struct tn_rt_location, in an int.
tn_rt_error tn_rt_pool_set_access(void *handle, const void *descs, size_t count);
tn_rt_error tn_rt_pool_get_access(void *flags, void *handle, const void *location);

// ---- pool_choice.c

// The description of a pool, in the layout that CUDA and HIP share.
struct tn_rt_pool_props {
    int type;              // TN_RT_PHYS_PINNED
    unsigned handle_types; // TN_RT_PHYS_NO_HANDLE, or TN_RT_PHYS_FD: processes share it
    struct tn_rt_location location;
    void *security;
    size_t limit; // 0: that of the device's memory
    unsigned char reserved[56];
};

// Makes a pool by such a description. Fails with NOT_SUPPORTED for a pool of the host, or for
// another type of handles.
tn_rt_error tn_rt_pool_make(void *handle, const void *props);

// Return the default and the current pool of a device, and choose the current one. The first
// function fails with INVALID_DEVICE if the device is unknown, and the other two with
// INVALID_VALUE. The third one fails with `pool_device_error` if the pool is of another device.
tn_rt_error tn_rt_pool_default_of(void *handle, int ordinal);
tn_rt_error tn_rt_pool_current_of(void *handle, int ordinal);
tn_rt_error tn_rt_pool_choose(int ordinal, void *handle);

// The same for a location, a struct tn_rt_location, and a type of memory. Fails with INVALID_VALUE
// if the type is unknown, and with NOT_SUPPORTED for managed memory. A location that is not a
// device fails with NOT_SUPPORTED by the policy `pool_knows_host`, and otherwise with
// INVALID_VALUE.
tn_rt_error tn_rt_pool_default_at(void *handle, const void *location, int type);
tn_rt_error tn_rt_pool_current_at(void *handle, const void *location, int type);
tn_rt_error tn_rt_pool_choose_at(const void *location, int type, void *handle);

// ---- pool_share.c

// The first function writes a descriptor by which other processes open the pool to `fd`, an int of
// any alignment. The second one opens such a pool. Both fail with INVALID_VALUE if `type` is not
// TN_RT_PHYS_FD.
tn_rt_error tn_rt_pool_export(void *fd, void *handle, unsigned type, unsigned long long flags);
tn_rt_error tn_rt_pool_import(void *handle, void *fd, unsigned type, unsigned long long flags);

// The form in which a pointer travels to another process.
struct tn_rt_pool_pointer {
    uint64_t magic;
    uint64_t pool[2]; // the name of its table
    uint64_t offset;  // in the segment
    uint64_t bytes;
    uint32_t segment;
    uint32_t zero[5];
};

// Export a pointer of a shared pool, and map a pointer of a pool that was imported. The second
// function fails with OUT_OF_MEMORY if `data` does not describe such a pointer.
tn_rt_error tn_rt_pool_export_pointer(void *data, const void *ptr);
tn_rt_error tn_rt_pool_import_pointer(void **ptr, void *handle, const void *data);
