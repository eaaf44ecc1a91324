/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/space.h
 * Reservations of address space.
 *
 * A reservation is an exclusive range of addresses without memory. It takes no physical memory,
 * serves every device of its platform, and is identified by its first address. The rules are those
 * of HIP's virtual memory management.
 */
#ifndef TARN_SPACE_H
#define TARN_SPACE_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reserves a range of addresses.
 *
 * @param device    a device of the platform
 * @param bytes     length; a multiple of the platform's minimum granularity
 * @param alignment of the start: a power of two, or 0. Values below the minimum granularity select
 *                  the minimum granularity.
 * @param hint      wanted start, or 0. The range starts exactly there if hint is aligned and the
 *                  whole range is free, and anywhere otherwise. The driver of a GPU may choose
 *                  another start (NVIDIA H100, driver 580).
 * @param addr      receives the start
 * @retval TARN_BAD_ARGUMENT     device or addr is NULL, bytes is 0, or alignment is not a power of
 *                               two
 * @retval TARN_MISALIGNED       bytes is not such a multiple
 * @retval TARN_NO_ADDRESS_SPACE no range is free
 * @retval TARN_NO_MAPPINGS      the kernel's budget of mappings is exhausted
 * @retval TARN_NO_HOST_MEMORY   no memory for the record
 * @retval TARN_UNSUPPORTED      the device has no virtual memory management
 */
TARN_API tarn_status tarn_space_reserve(tarn_device *device, uint64_t bytes, uint64_t alignment,
                                        tarn_addr hint, tarn_addr *addr);

/**
 * Releases a complete reservation. Its addresses are then RETIRED (tarn/address.h). The software
 * devices hand them out again only by a hint, or after a part of the address space has been used
 * once, so that a stale pointer finds no memory. The driver of a GPU may hand them out at once.
 *
 * @param addr the start of the reservation
 * @retval TARN_BAD_ARGUMENT addr is 0
 * @retval TARN_BAD_ADDRESS  no reservation starts at addr, or a pool owns it
 * @retval TARN_BUSY         something in it is still mapped
 */
TARN_API tarn_status tarn_space_release(tarn_addr addr);

#ifdef __cplusplus
}
#endif
#endif
