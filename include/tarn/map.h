/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/map.h - mappings of physical memory into reservations, and who may use them.
 *
 * A mapping puts the bytes [0, size) of a handle at an address inside one reservation. Mappings are
 * disjoint and are unmapped, and given rights, whole: a range passed to tarn_unmap() or
 * tarn_map_set_access() must be exactly a gap-free run of whole mappings of one reservation. A new
 * mapping gives no rights to anyone. None of the calls is stream-ordered.
 */
#ifndef TARN_MAP_H
#define TARN_MAP_H

#include <tarn/phys.h>
#include <tarn/space.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tarn_access {
    TARN_ACCESS_NONE = 0,
    TARN_ACCESS_READ = 1,
    TARN_ACCESS_READ_WRITE = 3
} tarn_access;

/* Rights of one location. */
typedef struct tarn_grant {
    tarn_location location;
    tarn_access access;
} tarn_grant;

/* One piece of a tarn_map_many(). */
typedef struct tarn_map_item {
    tarn_phys phys;
    uint64_t size; /* bytes of it to map, from its start */
} tarn_map_item;

/*
 * Maps the first `size` bytes of `phys` at `addr`.
 * BAD_ARGUMENT: addr or size 0; BAD_HANDLE; MISALIGNED: addr or size; BAD_ADDRESS: the range is not
 * inside one reservation, size exceeds the handle's, or handle and reservation are of different
 * platforms; ALREADY_MAPPED; NO_MAPPINGS; NO_HOST_MEMORY; UNSUPPORTED: part of a handle without
 * TARN_FEATURE_PARTIAL, or memory of another device than the reservation's without
 * TARN_FEATURE_MIXED.
 */
TARN_API tarn_status tarn_map(tarn_addr addr, uint64_t size, tarn_phys phys);

/*
 * Maps `count` pieces one behind the other from `addr`: all of them or none. Statuses as
 * tarn_map(), and BAD_ARGUMENT for items NULL or count 0. One kernel or driver call per run where
 * the backend can.
 */
TARN_API tarn_status tarn_map_many(tarn_addr addr, const tarn_map_item *items, size_t count);

/*
 * Unmaps whole mappings: all of the range or nothing. Waits first for all work of every device that
 * has rights in it or owns memory in it (see TARN_NO_WAIT). Contents live on while a
 * reference to the handle does; rights are forgotten; the range stays reserved. BAD_ARGUMENT: addr
 * or size 0, unknown flags; NOT_MAPPED: a gap, or nothing mapped there; BAD_ADDRESS: the range
 * starts or ends inside a mapping, or is in no reservation; BUSY: inside a host function of the
 * platform, if it must wait (see TARN_FEATURE_CHECKED).
 */
TARN_API tarn_status tarn_unmap(tarn_addr addr, uint64_t size, uint32_t flags);

/*
 * Sets the rights of `count` locations on whole mappings, all or nothing; the order of `grants`
 * decides when a location is named twice. Locations not named keep what they have. Takes effect
 * before it returns. On `host` with access=on-grant a grant to any device also opens the CPU's
 * view; with access=strict only a grant to a host location does. BAD_ARGUMENT: addr or size 0,
 * grants NULL, count 0, unknown location type or access; BAD_DEVICE; NOT_MAPPED and BAD_ADDRESS as
 * in tarn_unmap(); UNSUPPORTED: the platform cannot give this location access, or not less than all
 * and not back (TARN_FEATURE_RIGHTS); NO_MAPPINGS.
 */
TARN_API tarn_status tarn_map_set_access(tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                         size_t count);

/*
 * The rights of `location` at `addr`, any byte of a mapping; NONE when never granted. Host
 * locations are one: a grant to any of them is a grant to the host. BAD_ARGUMENT; BAD_DEVICE;
 * NOT_MAPPED: addr is in no mapping; FORKED: in one of the parent process.
 */
TARN_API tarn_status tarn_map_get_access(tarn_addr addr, tarn_location location,
                                         tarn_access *access);

/* The mapping that holds `addr`. Outputs may be NULL. NOT_MAPPED: none does; never faults, whatever
 * the number. */
TARN_API tarn_status tarn_map_query(tarn_addr addr, tarn_addr *base, uint64_t *size,
                                    tarn_phys *phys);

/* The handle mapped at `addr` with one more user reference. NOT_MAPPED. */
TARN_API tarn_status tarn_map_retain(tarn_addr addr, tarn_phys *phys);

#ifdef __cplusplus
}
#endif
#endif
