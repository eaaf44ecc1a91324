/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/phys.h
 * Physical memory: handles, their references, and sharing between processes.
 *
 * A handle names memory that has no address until it is mapped (tarn/map.h). It counts user
 * references (create, import and retain add one, release drops one) and mapping references, one for
 * each mapping and each tile of an array (tarn/array.h). The memory is freed when both counts are
 * zero and no other process holds it. A handle that is mapped but has no user reference left stays
 * valid for map, query and export. A handle's number is never used again. Contents are undefined
 * when created: on `host` they are zeros, or the pattern of its `poison` option.
 */
#ifndef TARN_PHYS_H
#define TARN_PHYS_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A handle to physical memory. 0 is never valid. */
typedef uint64_t tarn_phys;

/** Kinds of places that hold memory or access it. */
typedef enum tarn_location_type {
    TARN_LOCATION_DEVICE = 1,           /**< id: ordinal on the platform */
    TARN_LOCATION_HOST = 2,             /**< id: ignored */
    TARN_LOCATION_HOST_NUMA = 3,        /**< id: node */
    TARN_LOCATION_HOST_NUMA_CURRENT = 4 /**< the calling thread's node; id: ignored */
} tarn_location_type;

/** A place that holds memory or accesses it. */
typedef struct tarn_location {
    uint32_t type; /**< a tarn_location_type: kind */
    int id;        /**< number, if the kind has one */
} tarn_location;

/**
 * Classes of pages. Capacity is counted in pages of the class requested; the pages obtained from
 * the system may be smaller. tarn_phys_info and tarn_address_info describe both: page_bytes is the
 * page requested, page_class the class obtained.
 */
typedef enum tarn_page_class {
    TARN_PAGE_DEFAULT = 0, /**< the platform's choice */
    TARN_PAGE_BASE = 1,    /**< 4 KiB, the system's base pages */
    TARN_PAGE_HUGE = 2,    /**< 2 MiB, if the system provides them */
    /** 1 GiB, with TARN_FEATURE_GIANT_PAGES. `host` and `sim` count capacity in them; `host`
     * obtains pages as for HUGE. */
    TARN_PAGE_GIANT = 3
} tarn_page_class;

/** Bytes of a page of a class; 0 for DEFAULT. */
#define TARN_PAGE_BYTES(page_class)                                                                \
    ((page_class) == TARN_PAGE_GIANT  ? (uint64_t)1 << 30                                          \
     : (page_class) == TARN_PAGE_HUGE ? (uint64_t)2 << 20                                          \
     : (page_class) == TARN_PAGE_BASE ? (uint64_t)4 << 10                                          \
                                      : 0)

/** Bits of tarn_phys_desc.usage. */
enum {
    TARN_USAGE_TILE_POOL = 1u << 0 /**< the memory may also back arrays (tarn/array.h) */
};

/** Memory to create. Zeros select memory of the device itself, default pages, not shareable. */
typedef struct tarn_phys_desc {
    size_t struct_size;     /**< set by TARN_INIT(tarn_phys_desc) */
    tarn_location location; /**< where; type 0 selects the device given to the call */
    uint32_t shareable;     /**< TARN_SHAREABLE_ bits: how it may be exported later */
    uint32_t usage;         /**< TARN_USAGE_ bits */
    uint32_t page_class;    /**< a tarn_page_class: pages requested */
    /** Words of the caller. The library stores them and does not interpret them. The first two
     * travel with exported memory if the backend supports that (`host`, `sim`). */
    uint64_t user[4];
} tarn_phys_desc;

/** The answer of tarn_phys_query(). */
typedef struct tarn_phys_info {
    size_t struct_size;     /**< set by TARN_INIT(tarn_phys_info) */
    uint64_t bytes;         /**< length */
    tarn_location location; /**< where it is; of imported memory the exporter's, if known */
    uint32_t shareable;     /**< TARN_SHAREABLE_ bits */
    uint32_t usage;         /**< TARN_USAGE_ bits */
    uint32_t page_class;    /**< a tarn_page_class: pages obtained */
    uint32_t user_refs;     /**< user references */
    uint32_t map_refs;      /**< references of mappings and tiles */
    bool imported;          /**< true if tarn_phys_import() made the handle */
    uint64_t
        user[4]; /**< as created; of imported memory the exporter's first two, unchecked, or 0 */
    uint64_t page_bytes; /**< page of the class requested, the minimum granularity for DEFAULT; of
                              imported memory the exporter's, or 0 */
} tarn_phys_info;

/**
 * Creates physical memory with one user reference. Capacity is taken now; pages may be committed at
 * their first access.
 *
 * @param device the device
 * @param bytes  length: a multiple of the minimum granularity, and of 1 GiB for giant pages
 * @param desc   the memory; NULL selects all defaults
 * @param phys   receives the handle
 * @retval TARN_BAD_ARGUMENT     device or phys is NULL, bytes is 0, or an unknown location type,
 *                               page class or usage
 * @retval TARN_BAD_STRUCT       desc has fields that the library does not know
 * @retval TARN_BAD_DEVICE       the location is a device or node that does not exist
 * @retval TARN_MISALIGNED       bytes is not such a multiple
 * @retval TARN_UNSUPPORTED      the platform does not provide the location, a shareable bit, or
 *                               giant pages
 * @retval TARN_NO_DEVICE_MEMORY the device does not have enough capacity left; the call may be
 *                               repeated when memory has been freed
 * @retval TARN_NO_HOST_MEMORY   no memory for the record
 * @retval TARN_NO_HANDLES       no descriptors are left
 */
TARN_API tarn_status tarn_phys_create(tarn_device *device, uint64_t bytes,
                                      const tarn_phys_desc *desc, tarn_phys *phys);

/**
 * Adds one user reference.
 *
 * @param phys the handle
 * @retval TARN_BAD_HANDLE not a live handle
 */
TARN_API tarn_status tarn_phys_retain(tarn_phys phys);

/**
 * Drops one user reference, also while the memory is mapped.
 *
 * @param phys the handle
 * @retval TARN_BAD_HANDLE not a live handle, or it has no user reference left
 */
TARN_API tarn_status tarn_phys_release(tarn_phys phys);

/**
 * Queries a handle.
 *
 * @param phys the handle
 * @param info filled up to info->struct_size, which the caller sets
 * @retval TARN_BAD_HANDLE   not a live handle
 * @retval TARN_BAD_ARGUMENT info is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_phys_query(tarn_phys phys, tarn_phys_info *info);

/** Physical memory in a form that other processes can import. */
typedef struct tarn_shareable {
    uint32_t type;  /**< exactly one TARN_SHAREABLE_ bit; selects the field below */
    int fd;         /**< TARN_SHAREABLE_FD */
    uint64_t token; /**< TARN_SHAREABLE_TOKEN */
} tarn_shareable;

/**
 * Makes memory importable by other processes.
 *
 * A token is the same number at each export and is valid until the exporting process has freed the
 * memory. Another process can use it only after tarn_phys_allow() has named that process. On `host`
 * a token contains this process's id, a descriptor, and 22 bits that cannot be guessed; the list of
 * tarn_phys_allow() protects the memory.
 *
 * A descriptor is new at each call, close-on-exec, never 0, 1 or 2, and owned by the caller. It
 * keeps the memory alive by itself. On `host` the file is sealed against shrinking and growing; a
 * process that holds it can still punch holes in it.
 *
 * @param phys the handle
 * @param type one bit of those that the memory was created for
 * @param out  receives the descriptor or token
 * @retval TARN_BAD_HANDLE   not a live handle
 * @retval TARN_BAD_ARGUMENT out is NULL, or type is not exactly one bit or was not requested at
 *                           creation, or the driver exports no imported memory (NVIDIA's)
 * @retval TARN_NO_HANDLES   no descriptors are left; for a token, the descriptor's number is too
 *                           large for it
 */
TARN_API tarn_status tarn_phys_export(tarn_phys phys, uint32_t type, tarn_shareable *out);

/**
 * Lets processes import a token that this process exported, in addition to those already allowed.
 *
 * The list lives as long as the memory. A process that has imported the memory keeps it. The
 * exporting process needs no permission. The list does not stop a process of the same user that
 * bypasses the library. On `sim`, whose tokens are valid in one process only, it has no effect.
 *
 * @param device   a device of the platform
 * @param exported the token
 * @param pids     process ids, or TARN_PROCESS_ANY, which allows all processes for good
 * @param count    their number
 * @retval TARN_BAD_ARGUMENT device or exported is NULL, pids is NULL with a count, a pid is
 *                           negative, or the type is not TOKEN
 * @retval TARN_BAD_HANDLE   not a token of live memory
 * @retval TARN_NO_ACCESS    a token of another process
 * @retval TARN_NO_HANDLES   the list is full; `host` has room for 512 processes
 * @retval TARN_UNSUPPORTED  the platform has no tokens
 */
TARN_API tarn_status tarn_phys_allow(tarn_device *device, const tarn_shareable *exported,
                                     const int *pids, size_t count);

/**
 * Makes a handle, with one user reference, to memory that this or another process exported. A
 * descriptor is neither closed nor kept. Several handles may name the same bytes.
 *
 * @param device a device of the platform
 * @param in     the descriptor or token
 * @param phys   receives the handle; each import is released once
 * @retval TARN_BAD_ARGUMENT   device, in or phys is NULL, or type is not one bit
 * @retval TARN_BAD_HANDLE     the descriptor is closed, or is not a complete and sealed export of
 *                             this kind of platform
 * @retval TARN_UNSUPPORTED    the platform does not provide the type
 * @retval TARN_NO_ACCESS      the token's list does not name this process
 * @retval TARN_NO_HANDLES     no descriptors are left
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 */
TARN_API tarn_status tarn_phys_import(tarn_device *device, const tarn_shareable *in,
                                      tarn_phys *phys);

#ifdef __cplusplus
}
#endif
#endif
