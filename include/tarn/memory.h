/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/memory.h - plain device memory, and the question what an address is.
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
 * capacity is taken in units of the minimum granularity. BAD_ARGUMENT: NULL, size 0;
 * NO_DEVICE_MEMORY; NO_ADDRESS_SPACE; NO_MAPPINGS; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_memory_alloc(tarn_device *device, uint64_t size, tarn_addr *addr);

/*
 * Frees what tarn_memory_alloc() returned, after all work of the device and of devices with access
 * to it. 0 is fine. BAD_ADDRESS: not the start of such memory.
 */
TARN_API tarn_status tarn_memory_free(tarn_addr addr);

/* What an address is. */
typedef enum tarn_address_kind {
    TARN_ADDRESS_UNKNOWN = 0, /* not of this library: for a CPU pointer, ordinary pageable memory */
    TARN_ADDRESS_RESERVED = 1,  /* in a reservation, nothing mapped */
    TARN_ADDRESS_MAPPED = 2,    /* in a mapping */
    TARN_ADDRESS_MEMORY = 3,    /* tarn_memory_alloc() */
    TARN_ADDRESS_HOST = 4,      /* tarn_host_alloc() */
    TARN_ADDRESS_REGISTERED = 5 /* tarn_host_register() */
} tarn_address_kind;

typedef struct tarn_address_info {
    size_t size;
    tarn_address_kind kind;
    tarn_addr base;         /* of the reservation, mapping, memory or host memory */
    uint64_t bytes;         /* of it */
    tarn_location location; /* where the bytes are; type 0 when unknown */
    tarn_phys phys;         /* of a mapping, else 0 */
} tarn_address_info;
#define TARN_ADDRESS_INFO_INIT                                                                     \
    { sizeof(tarn_address_info), TARN_ADDRESS_UNKNOWN, 0, 0, {(tarn_location_type)0, 0}, 0 }

/* Tells what any number is, without touching it. Always good for a proper `info`. BAD_ARGUMENT,
 * BAD_STRUCT. */
TARN_API tarn_status tarn_address_query(tarn_addr addr, tarn_address_info *info);

#ifdef __cplusplus
}
#endif
#endif
