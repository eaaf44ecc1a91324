/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/address.h
 * Queries by address, and memory freed by its address alone.
 *
 * The library records every range of addresses that it hands out, together with its owner and one
 * 64-bit word that the owner may set. The words and marks of this header change nothing else.
 */
#ifndef TARN_ADDRESS_H
#define TARN_ADDRESS_H

#include <tarn/host.h>
#include <tarn/map.h>
#include <tarn/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of memory that an address belongs to. */
typedef enum tarn_address_kind {
    TARN_ADDRESS_UNKNOWN = 0,    /**< not the library's: for a CPU pointer, ordinary memory */
    TARN_ADDRESS_RESERVED = 1,   /**< in a reservation, where nothing is mapped */
    TARN_ADDRESS_MAPPED = 2,     /**< in a mapping */
    TARN_ADDRESS_MEMORY = 3,     /**< tarn_memory_alloc() */
    TARN_ADDRESS_HOST = 4,       /**< tarn_host_alloc() */
    TARN_ADDRESS_REGISTERED = 5, /**< tarn_host_register() */
    TARN_ADDRESS_IMPORTED = 6,   /**< tarn_memory_import() */
    /** In a range that the library handed out and that has been released. Copies and fills refuse
     * such an address. It is UNKNOWN again once the process itself has readable memory there. On
     * `sim`, unused numbers between two allocations count as released. */
    TARN_ADDRESS_RETIRED = 7,
    TARN_ADDRESS_ARENA = 8 /**< memory for parcels, in the arena of a channel */
} tarn_address_kind;

/** The part of a program that manages a region. */
typedef enum tarn_owner {
    TARN_OWNER_APPLICATION = 0, /**< the caller of the public functions */
    TARN_OWNER_POOL = 1,        /**< a pool: only the pool unmaps and frees the region */
    TARN_OWNER_FACE = 2,        /**< a face, as set by tarn_address_set_owner() */
    TARN_OWNER_CHANNEL = 3      /**< a channel: the region is the memory of an arena */
} tarn_owner;

/** Bit of tarn_address_info.readable and tarn_address_info.writable: the CPU. */
#define TARN_ADDRESS_BY_HOST (UINT64_C(1) << 63)

/** The answer to a query by address. Fields that do not apply are 0. */
typedef struct tarn_address_info {
    size_t struct_size;     /**< set by the caller: TARN_INIT(tarn_address_info) */
    uint32_t kind;          /**< a tarn_address_kind: kind of the memory */
    tarn_addr base;         /**< start of the mapping, or of the region if nothing is mapped */
    uint64_t bytes;         /**< length of the mapping or region; as requested, not rounded */
    tarn_addr region_base;  /**< start of the region: of a mapping, the reservation */
    uint64_t region_bytes;  /**< length of the region */
    tarn_location location; /**< where the bytes are; type 0 when unknown; of RETIRED only
                                     whether they were on a device or on the host */
    tarn_phys phys;         /**< of a mapping */
    uint32_t page_class;    /**< a tarn_page_class: obtained; of memory and mappings */
    uint64_t page_bytes;    /**< as in tarn_phys_info */
    uint64_t charged_bytes; /**< of MEMORY: capacity that it takes, at least `bytes` */
    uint32_t pin_class;     /**< a tarn_pin_class: of HOST and REGISTERED */
    uint32_t owner;         /**< a tarn_owner: of the region */
    uint64_t user;          /**< word of the region's owner; 0 until it is set */
    tarn_device *device;    /**< of MEMORY, IMPORTED, HOST, and of a MAPPED address whose bytes are
                                   on a device; a borrowed reference, NULL when unknown */
    uint64_t
        readable; /**< bit i: device i of the platform may read; TARN_ADDRESS_BY_HOST: the CPU */
    uint64_t writable;     /**< the same for writes */
    tarn_pool *pool;       /**< the pool that owns the region, or NULL */
    uint64_t pool_user;    /**< tarn_pool_desc.user of that pool */
    tarn_addr block;       /**< start of the live block of that pool that holds the address, or 0 */
    uint64_t block_bytes;  /**< bytes requested for the block */
    uint64_t block_usable; /**< bytes that the block's user may use, at least block_bytes */
    uint64_t block_user;   /**< user word of the block */
    tarn_stream block_stream; /**< stream that the block was allocated on */
} tarn_address_info;

/**
 * Describes what any number is as an address, without touching memory there. A live
 * region takes precedence over a released one at the same addresses.
 *
 * Must not be called from the visitor of tarn_pool_walk() for an address of the same pool.
 *
 * @param addr any number
 * @param info filled up to info->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT info is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_address_query(tarn_addr addr, tarn_address_info *info);

/**
 * Calls visit(info, arg) for every region of the device's platform in address order: reservations
 * (complete, as RESERVED), each followed by its mappings, plain and imported memory, pinned and
 * registered host memory. Stops when visit returns false.
 *
 * visit is called without any lock held and may call every function, also to free the region that
 * it visits. A region that exists from the beginning of the walk to its end is visited exactly
 * once. A region that appears or disappears meanwhile may be visited, and may be gone by then. The
 * fields about pools and blocks are 0.
 *
 * @param device a device of the platform
 * @param visit  the function
 * @param arg    passed to visit
 * @retval TARN_BAD_ARGUMENT device or visit is NULL
 */
TARN_API tarn_status tarn_address_walk(tarn_device *device,
                                       bool (*visit)(const tarn_address_info *info, void *arg),
                                       void *arg);

/**
 * Sets the user word of a region, or of a block of a pool that was
 * created to have user words. The library stores the word and never
 * interprets it. The word ends with the region or block.
 *
 * @param addr the start of a region whose owner is the application or a face, or of a live block
 * @param user the word
 * @retval TARN_BAD_ADDRESS addr is not the start of such a region or block
 * @retval TARN_UNSUPPORTED the block's pool has no words for blocks
 * @retval TARN_FORKED      the region belongs to the parent process
 */
TARN_API tarn_status tarn_address_set_user(tarn_addr addr, uint64_t user);

/**
 * Frees memory by its address alone, with the rules of the function in parentheses: a live block of
 * a pool that has a device (tarn_pool_free()), plain memory (tarn_memory_free()), pinned memory
 * (tarn_host_free()), or an import (tarn_memory_close()).
 *
 * @param addr  the start of the block or memory; 0 does nothing
 * @param flags 0, or TARN_NO_WAIT: memory is freed without a wait for streams. Blocks of pools are
 *              never waited for.
 * @retval TARN_BAD_ARGUMENT unknown flags
 * @retval TARN_BAD_ADDRESS  addr is not the start of a block or of such memory; reservations are
 *                           released by tarn_space_release() only
 * @retval TARN_BUSY         the call is made inside a host function of the platform and must wait
 * @retval TARN_FORKED       the memory belongs to the parent process
 */
TARN_API tarn_status tarn_free(tarn_addr addr, uint32_t flags);

#ifdef __cplusplus
}
#endif
#endif
