/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/map.h
 * Mappings of physical memory into reservations, and the rights to use them.
 *
 * A mapping puts the first bytes of a handle at an address inside one reservation. Mappings are
 * disjoint. They are unmapped, and given rights, as a whole: a range passed to tarn_unmap() or
 * tarn_map_set_access() must be a gap-free run of complete mappings of one reservation. A new
 * mapping grants no rights to any location. None of the calls is stream-ordered.
 */
#ifndef TARN_MAP_H
#define TARN_MAP_H

#include <tarn/phys.h>
#include <tarn/space.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rights of a location to a mapping. */
typedef enum tarn_access {
    TARN_ACCESS_NONE = 0,      /**< no access */
    TARN_ACCESS_READ = 1,      /**< read only */
    TARN_ACCESS_READ_WRITE = 3 /**< read and write */
} tarn_access;

/** Rights of one location. */
typedef struct tarn_grant {
    tarn_location location; /**< the device or host that may access the memory */
    uint32_t access;        /**< a tarn_access: its rights */
} tarn_grant;

/** One piece for tarn_map_many(). */
typedef struct tarn_map_item {
    tarn_phys phys; /**< physical memory */
    uint64_t bytes; /**< length to map, from the start of the memory */
} tarn_map_item;

/**
 * Maps the first bytes of physical memory. The mapping holds a reference to `phys`.
 *
 * @param addr  start of the mapping; a multiple of the minimum granularity
 * @param bytes length; a multiple of the minimum granularity
 * @param phys  physical memory of the same platform
 * @retval TARN_BAD_ARGUMENT   addr or bytes is 0
 * @retval TARN_BAD_HANDLE     phys is not a live handle
 * @retval TARN_MISALIGNED     addr or bytes is not such a multiple
 * @retval TARN_BAD_ADDRESS    the range is not inside one reservation, a pool owns the reservation,
 *                             bytes exceeds the handle's, or handle and reservation are of
 *                             different platforms
 * @retval TARN_ALREADY_MAPPED part of the range is mapped
 * @retval TARN_NO_MAPPINGS    the kernel's budget of mappings is exhausted
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_UNSUPPORTED    part of a handle without TARN_FEATURE_PARTIAL, or memory of another
 *                             device than the reservation's without TARN_FEATURE_MIXED
 */
TARN_API tarn_status tarn_map(tarn_addr addr, uint64_t bytes, tarn_phys phys);

/**
 * Maps pieces one after another: all of them or none. The backend is called once for the run where
 * it supports that.
 *
 * @param addr  start of the first mapping
 * @param items the pieces
 * @param count their number
 * @retval TARN_BAD_ARGUMENT items is NULL, count is 0, or a length is 0
 * @return the statuses of tarn_map() otherwise
 */
TARN_API tarn_status tarn_map_many(tarn_addr addr, const tarn_map_item *items, size_t count);

/**
 * Unmaps complete mappings: all of the range or nothing. The call first waits for all work of every
 * device that has rights in the range or owns memory in it. Contents survive while a reference to
 * the handle exists; rights do not. The range stays reserved.
 *
 * @param addr  start of the first mapping
 * @param bytes length of the run of mappings
 * @param flags 0, TARN_NO_WAIT or TARN_WAIT_UNSEEN
 * @retval TARN_BAD_ARGUMENT addr or bytes is 0, unknown flags, or both
 * @retval TARN_NOT_MAPPED   part of the range is not mapped
 * @retval TARN_BAD_ADDRESS  the range starts or ends inside a mapping, is in no reservation, or
 *                           belongs to a pool
 * @retval TARN_BUSY         the call is made inside a host function of the platform and must wait
 *                           (see TARN_FEATURE_CHECKED)
 */
TARN_API tarn_status tarn_unmap(tarn_addr addr, uint64_t bytes, uint32_t flags);

/**
 * Sets the rights of locations on complete mappings, all or nothing. Rights of other locations do
 * not change. The new rights are in effect when the call returns, also for work that is running.
 *
 * On `host` with access=on-grant, a grant to any device also gives the CPU access; with
 * access=strict only a grant to a host location does.
 *
 * @param addr   start of the first mapping
 * @param bytes  length of the run of mappings
 * @param grants the rights; the last one counts for a location that is named twice
 * @param count  their number
 * @retval TARN_BAD_ARGUMENT addr, bytes or count is 0, grants is NULL, or an unknown location type
 *                           or access
 * @retval TARN_BAD_DEVICE   a location is a device that the platform does not have
 * @retval TARN_NOT_MAPPED   as for tarn_unmap()
 * @retval TARN_BAD_ADDRESS  as for tarn_unmap()
 * @retval TARN_UNSUPPORTED  the platform cannot grant a location this access, or without
 *                           TARN_FEATURE_RIGHTS, cannot grant less than all or revoke rights
 * @retval TARN_NO_MAPPINGS  the kernel's budget of mappings is exhausted
 */
TARN_API tarn_status tarn_map_set_access(tarn_addr addr, uint64_t bytes, const tarn_grant *grants,
                                         size_t count);

/**
 * Queries the rights of a location at an address. Host locations count as one: a grant to any of
 * them is a grant to the host.
 *
 * @param addr     any byte of a mapping
 * @param location the location
 * @param access   receives its rights; NONE if they were never granted
 * @retval TARN_BAD_ARGUMENT access is NULL, or the location type is unknown
 * @retval TARN_BAD_DEVICE   the location is a device that the platform does not have
 * @retval TARN_NOT_MAPPED   addr is in no mapping
 * @retval TARN_BAD_ADDRESS  the mapping belongs to a pool, which tarn_pool_get_access() describes
 * @retval TARN_FORKED       the mapping belongs to the parent process
 */
TARN_API tarn_status tarn_map_get_access(tarn_addr addr, tarn_location location,
                                         tarn_access *access);

/**
 * Gets the handle that is mapped at an address, with one more user reference.
 *
 * @param addr any byte of a mapping
 * @param phys receives the handle; the caller releases it
 * @retval TARN_BAD_ARGUMENT phys is NULL
 * @retval TARN_NOT_MAPPED   addr is in no mapping
 * @retval TARN_BAD_ADDRESS  the mapping belongs to a pool
 * @retval TARN_FORKED       the mapping belongs to the parent process
 */
TARN_API tarn_status tarn_map_retain(tarn_addr addr, tarn_phys *phys);

#ifdef __cplusplus
}
#endif
#endif
