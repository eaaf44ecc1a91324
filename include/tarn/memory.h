/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/memory.h
 * Plain device memory, and keys that share it with other processes.
 */
#ifndef TARN_MEMORY_H
#define TARN_MEMORY_H

#include <tarn/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Allocates device memory with an address, which the device and the peers enabled for it
 * (tarn_device_enable_peer()) may read and write. Contents are undefined: on `host` zeros, bytes
 * that this process left in memory that it freed, or the pattern of the `poison` option.
 *
 * @param device the device
 * @param bytes  length; the capacity taken is rounded up to the minimum granularity
 * @param addr   receives the start, a multiple of 256 at least
 * @retval TARN_BAD_ARGUMENT     device or addr is NULL, or bytes is 0
 * @retval TARN_NO_DEVICE_MEMORY the device does not have enough capacity left
 * @retval TARN_NO_ADDRESS_SPACE no range of addresses is free
 * @retval TARN_NO_MAPPINGS      the kernel's budget of mappings is exhausted
 * @retval TARN_NO_HOST_MEMORY   no memory for the record
 */
TARN_API tarn_status tarn_memory_alloc(tarn_device *device, uint64_t bytes, tarn_addr *addr);

/** Memory to allocate. Zeros select the behaviour of tarn_memory_alloc(). */
typedef struct tarn_memory_desc {
    size_t struct_size;  /**< set by TARN_INIT(tarn_memory_desc) */
    uint64_t bytes;      /**< length; not 0 */
    uint64_t alignment;  /**< of the start: a power of two up to 1 GiB; at least 256 is used */
    uint32_t page_class; /**< a tarn_page_class: a named one takes capacity in complete pages */
} tarn_memory_desc;

/**
 * Allocates plain device memory like tarn_memory_alloc(), with an alignment and a page class.
 *
 * The capacity taken is desc->bytes rounded up to complete pages of the class and to the minimum
 * granularity. It does not depend on the pages that the system provides. tarn_address_query()
 * returns it, and the class obtained. Work may use only the bytes requested.
 *
 * @param device the device
 * @param desc   the memory to allocate
 * @param addr   receives the start; the caller frees it with tarn_memory_free()
 * @retval TARN_BAD_ARGUMENT desc is NULL, desc->bytes is 0, or an unknown alignment or class
 * @retval TARN_BAD_STRUCT   desc has fields that the library does not know
 * @retval TARN_UNSUPPORTED  giant pages, or any class or alignment except the defaults, on a device
 *                           that does not support them
 * @return the statuses of tarn_memory_alloc() otherwise
 */
TARN_API tarn_status tarn_memory_alloc_with(tarn_device *device, const tarn_memory_desc *desc,
                                            tarn_addr *addr);

/**
 * Frees plain memory after all work of the device and of the devices with access to it, or ends an
 * import (tarn_memory_import()) after all work of the platform's devices.
 *
 * With TARN_NO_WAIT the call does not wait. Work that still uses the memory then fails, or accesses
 * the next allocation there. Without TARN_FEATURE_CHECKED the vendor's library may wait
 * nevertheless, so the call returns BUSY inside a host function of the platform.
 *
 * @param addr  the start, as returned by the call that made the memory; 0 does nothing
 * @param flags 0 or TARN_NO_WAIT
 * @retval TARN_BAD_ARGUMENT unknown flags
 * @retval TARN_BAD_ADDRESS  addr is not the start of such memory, or a pool owns the memory
 * @retval TARN_BUSY         the call is made inside a host function of the platform and must wait
 */
TARN_API tarn_status tarn_memory_free(tarn_addr addr, uint32_t flags);

/**
 * Makes a key to plain memory. Every export of the same memory returns the same key, which is valid
 * until the memory is freed.
 *
 * The first export waits for all work of the platform's devices, because the backend may have to
 * move the bytes to where other processes can map them (`host` does; the address stays). No CPU
 * thread may write to the memory during that call.
 *
 * @param addr the start, as returned by tarn_memory_alloc()
 * @param key  receives the key
 * @retval TARN_BAD_ARGUMENT   key is NULL
 * @retval TARN_BAD_ADDRESS    addr is not the start of such memory, the memory is imported, or a
 *                             pool owns it
 * @retval TARN_UNSUPPORTED    the device has no keys
 * @retval TARN_NO_HANDLES     no descriptors are left; `host` keeps one for each exported or
 *                             imported block
 * @retval TARN_NO_MAPPINGS    the kernel's budget of mappings is exhausted
 * @retval TARN_NO_HOST_MEMORY out of memory
 * @retval TARN_BUSY           the call is made inside a host function of the platform and must wait
 */
TARN_API tarn_status tarn_memory_export(tarn_addr addr, tarn_key *key);

/**
 * Restricts a key that this process exported to some processes. Before the first call every process
 * of the user may import it. Afterwards only the processes that some call has named may import it.
 * The exporting process always may.
 *
 * @param device a device of the platform
 * @param key    the key
 * @param pids   process ids, or TARN_PROCESS_ANY, which allows all processes for good
 * @param count  their number; 0 only removes the permission of all others
 * @return the statuses of tarn_phys_allow()
 */
TARN_API tarn_status tarn_memory_allow(tarn_device *device, const tarn_key *key, const int *pids,
                                       size_t count);

/**
 * Enables a device and its enabled peers to access the memory of a key at a new address. Nothing is
 * copied: writes are visible on all sides.
 *
 * The memory lives until all imports are closed, even after its exporter has freed it or ended.
 * Capacity is taken from the exporter's device only, until the exporter frees the memory. Importing
 * a key again, or in the exporting process, returns another address of the same bytes. `sim` knows
 * keys of its own process and platform only.
 *
 * @param device the device
 * @param key    the key
 * @param addr   receives the start; the caller ends each import with tarn_memory_free()
 * @retval TARN_BAD_ARGUMENT     device, key or addr is NULL
 * @retval TARN_BAD_HANDLE       not a key; or the memory is freed, its exporter has ended, or this
 *                               process may not open it
 * @retval TARN_NO_ACCESS        tarn_memory_allow() does not name this process
 * @retval TARN_UNSUPPORTED      the device has no keys
 * @retval TARN_NO_HANDLES       no descriptors are left
 * @retval TARN_NO_ADDRESS_SPACE no range of addresses is free
 * @retval TARN_NO_MAPPINGS      the kernel's budget of mappings is exhausted
 * @retval TARN_NO_HOST_MEMORY   no memory for the record
 */
TARN_API tarn_status tarn_memory_import(tarn_device *device, const tarn_key *key, tarn_addr *addr);

#ifdef __cplusplus
}
#endif
#endif
