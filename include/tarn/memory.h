/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/memory.h - plain device memory, and keys to it for other processes.
 */
#ifndef TARN_MEMORY_H
#define TARN_MEMORY_H

#include <tarn/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Allocates `size` bytes of device memory with an address, readable and writable by the device and
 * by peers enabled with tarn_device_enable_peer(). The start is a multiple of 256 at least;
 * capacity is taken in units of the minimum granularity. Contents are undefined: on `host` zeros,
 * what this process left in memory that it freed, or the pattern of the `poison` option.
 * BAD_ARGUMENT: NULL, size 0; NO_DEVICE_MEMORY; NO_ADDRESS_SPACE; NO_MAPPINGS; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_memory_alloc(tarn_device *device, uint64_t size, tarn_addr *addr);

/* What to allocate. Zeros: as tarn_memory_alloc() does. */
typedef struct tarn_memory_desc {
    size_t struct_size;
    uint64_t bytes;             /* how much; not 0 */
    uint64_t alignment;         /* of the start: a power of two up to 1 GiB; below 256: 256 */
    tarn_page_class page_class; /* named: capacity is taken in whole pages of that class */
} tarn_memory_desc;

/*
 * Allocates plain device memory like tarn_memory_alloc(), with an alignment and a class of pages.
 * The capacity taken is desc->bytes rounded up to whole pages of the class and to the minimum
 * granularity, whatever pages the system gives beneath; tarn_address_query() tells it, and the
 * class obtained. Work may use the bytes asked for only. Freed by tarn_memory_free(). BAD_ARGUMENT:
 * NULL, bytes 0, an alignment or a class that does not exist; BAD_STRUCT; UNSUPPORTED: giant pages,
 * or any class or alignment but the defaults, where the device has none; NO_DEVICE_MEMORY;
 * NO_ADDRESS_SPACE; NO_MAPPINGS; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_memory_alloc_with(tarn_device *device, const tarn_memory_desc *desc,
                                            tarn_addr *addr);

/*
 * Frees what tarn_memory_alloc() returned, after all work of the device and of devices with access
 * to it. 0 is fine. With TARN_NO_WAIT it does not wait: the caller knows that no work uses the
 * memory. Work that does fails, or reaches what is allocated there next; without
 * TARN_FEATURE_CHECKED the vendor's library may wait all the same, and inside a host function of the
 * platform it is BUSY. BAD_ARGUMENT: unknown flags; BAD_ADDRESS: not the start of such memory;
 * imported memory is closed instead.
 */
TARN_API tarn_status tarn_memory_free(tarn_addr addr, uint32_t flags);

/*
 * A key to plain device memory: text that travels by any means to another process of the same user
 * on the same machine. Letters, digits and hyphens, and zeros up to the end of the 64 bytes, of
 * which there is at least one. What it says is the library's; good until the memory is freed or its
 * exporter ends.
 */
typedef struct tarn_memory_key {
    unsigned char bytes[64];
} tarn_memory_key;

/*
 * Makes a key to what tarn_memory_alloc() returned at `addr`; every export of it gives the same
 * key. The first one waits for all work of the platform's devices, since the backend may have to
 * move the bytes to where others can reach them (`host` does; the address stays): no thread of the
 * CPU may write to the memory during that call. BAD_ARGUMENT: key NULL; BAD_ADDRESS: not the start
 * of such memory, imported memory included; UNSUPPORTED: this device has no keys; NO_HANDLES:
 * descriptors, `host` keeps one for each exported or imported block; NO_MAPPINGS; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_memory_export(tarn_addr addr, tarn_memory_key *key);

/*
 * Restricts a key that this process exported to some processes, named by their numbers. Before the
 * first call every process of the user may import it; from then on only those that some call has
 * named, none if `count` is 0, or all for good if that was TARN_PROCESS_ANY. The process that
 * exports needs no leave. Statuses and limits as for tarn_phys_allow().
 */
TARN_API tarn_status tarn_memory_allow(tarn_device *device, const tarn_memory_key *key,
                                       const int *pids, size_t count);

/*
 * Lets `device` and the peers enabled for it use the memory behind a key, at a new address. Nothing
 * is copied: writes are seen on all sides. The memory lives until all imports are closed, even when
 * its exporter has freed it or ended; capacity is taken from the exporter's device only, until it
 * frees it. Each import is closed once. Importing a key again, or in the exporting process, gives
 * another address of the same bytes. `sim` knows keys of its own process and platform only.
 * BAD_ARGUMENT: NULL; BAD_HANDLE: not a key, or to memory that is freed, whose exporter is gone, or
 * that this process may not open; NO_ACCESS: tarn_memory_allow() does not name this process;
 * UNSUPPORTED: this device has no keys; NO_HANDLES;
 * NO_ADDRESS_SPACE; NO_MAPPINGS; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_memory_import(tarn_device *device, const tarn_memory_key *key,
                                        tarn_addr *addr);

/*
 * Ends an import, after all work of the platform's devices. 0 is fine. BAD_ADDRESS: not the start
 * of imported memory.
 */
TARN_API tarn_status tarn_memory_close(tarn_addr addr);

#ifdef __cplusplus
}
#endif
#endif
