// SPDX-License-Identifier: Apache-2.0
// Memory with an address: of devices, of the host, and of other processes. Any thread may call
// these functions. They fail with INVALID_VALUE for an address that is in no memory of the program.
#pragma once

#include "compat/runtime/memory/block.h"

// ---- memory.c

// Allocates memory of the current device. Zero bytes give NULL. Fails with INVALID_VALUE if `ptr`
// is NULL.
tn_rt_error tn_rt_memory_alloc(void **ptr, size_t size, unsigned flags);

// Allocates `depth` slices of `height` rows of at least `width` bytes; *pitch is the distance of
// rows. Fails with OUT_OF_MEMORY also if the size wraps.
tn_rt_error tn_rt_memory_alloc_box(void **ptr, size_t *pitch, size_t width, size_t height,
                                   size_t depth);

// The same for one slice. The second function also fails with INVALID_VALUE unless elements have 4,
// 8 or 16 bytes, and for no bytes.
tn_rt_error tn_rt_memory_alloc_rows(void **ptr, size_t *pitch, size_t width, size_t height);
tn_rt_error tn_rt_memory_alloc_elements(void **ptr, size_t *pitch, size_t width, size_t height,
                                        unsigned element);

// Returns the free and all bytes of the current device. One of the outputs may be NULL.
tn_rt_error tn_rt_memory_measure(size_t *free_bytes, size_t *total_bytes);

// Returns the block that holds a byte. Each output may be NULL. Fails with NOT_FOUND if no block
// does.
tn_rt_error tn_rt_memory_range(void **base, size_t *size, const void *ptr);

// ---- free.c

// Frees memory of a device, managed memory, pinned memory or a block of a pool, behind all work of
// the devices that can use it; or behind the work of a stream. NULL does nothing; in the order of a
// stream, only if the policy accepts it.
tn_rt_error tn_rt_free(const void *ptr);
tn_rt_error tn_rt_free_async(const void *ptr, void *stream);

// Frees the memory of a device and managed memory that was allocated while it was current. Closes
// the memory of other processes that the device opened. Pinned and registered memory of the host
// and virtual memory management belong to the process and stay. With explicit contexts, memory of
// the owner goes, of the host too, and that of pools stays. The device is idle.
void tn_rt_memory_reset(struct tn_face_device *device, unsigned owner);

// ---- host.c

// Allocates host memory for the current device and makes it a block of that kind (HOST or MANAGED).
// Zero bytes give NULL and no block.
tn_rt_error tn_rt_host_alloc(enum tn_rt_block_kind kind, void **ptr, size_t size, unsigned flags);

// Return the pointer for devices, and the flags, of memory of the host.
tn_rt_error tn_rt_host_pointer(void **device, void *host, unsigned flags);
tn_rt_error tn_rt_host_flags(unsigned *flags, const void *host);

// The first function lets devices use memory of the program. It fails with ALREADY_REGISTERED if
// they may use it already, and with INVALID_VALUE for memory of a device. The second function ends
// that, and fails with NOT_REGISTERED if they may not use it.
tn_rt_error tn_rt_host_register(void *ptr, size_t size, unsigned flags);
tn_rt_error tn_rt_host_unregister(void *ptr);

// ---- ipc.c

// Exports memory of a device: writes a tarn_key, by which other processes open it, to
// `handle`.
tn_rt_error tn_rt_ipc_export(void *handle, const void *ptr);

// Opens memory of another process on the current device. A further opening returns the same
// address. Fails with INVALID_CONTEXT if the memory is of this process, and with INVALID_VALUE if
// `handle` is not a key.
enum { TN_RT_IPC_LAZY = 1 }; // a flag without an effect
tn_rt_error tn_rt_ipc_open(void **ptr, const void *handle, unsigned flags);

// Undoes one opening. The last one ends the mapping, as does the second function at once.
tn_rt_error tn_rt_ipc_close(const void *ptr);
tn_rt_error tn_rt_ipc_end(const struct tn_rt_block *block);

// ---- pool_block.c

// Allocate a block of a pool in the order of a stream, or memory of a graph if the stream captures.
// The first function uses the current pool of the stream's device. Both fail with INVALID_VALUE if
// the pool was imported, and with INVALID_HANDLE if the stream is unknown.
tn_rt_error tn_rt_alloc_async(void **ptr, size_t size, void *stream);
tn_rt_error tn_rt_alloc_from_pool(void **ptr, size_t size, void *pool, void *stream);
