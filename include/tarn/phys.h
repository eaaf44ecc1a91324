/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/phys.h - physical memory: handles to it, their life, and sharing between processes.
 *
 * A handle names memory that has no address until it is mapped (tarn/map.h). It carries user
 * references (create, import, retain: +1; release: -1) and one reference per mapping, also per tile
 * of an array that is mapped to it (tarn/array.h). The memory goes when both counts are zero here
 * and no other process holds it. With user references at zero but still mapped, the handle stays
 * good for map, query and export, and a further release is BAD_HANDLE. A handle's number is never
 * used again, so a stale one is an error. Contents are undefined when created (the `host` backend
 * gives zeros, or the pattern of its `poison` option).
 */
#ifndef TARN_PHYS_H
#define TARN_PHYS_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle to physical memory: slot and generation. 0 is never valid. */
typedef uint64_t tarn_phys;

/* Where memory is, or who accesses it. */
typedef enum tarn_location_type {
    TARN_LOCATION_DEVICE = 1,           /* id: ordinal on the platform */
    TARN_LOCATION_HOST = 2,             /* id: ignored */
    TARN_LOCATION_HOST_NUMA = 3,        /* id: node */
    TARN_LOCATION_HOST_NUMA_CURRENT = 4 /* id: ignored; the node of the calling thread */
} tarn_location_type;

typedef struct tarn_location {
    tarn_location_type type;
    int id;
} tarn_location;

/*
 * The pages that memory is made of: those of the device, in which its capacity is counted, and, as
 * far as the system gives them, those beneath. tarn_phys_info and tarn_address_info tell both:
 * page_bytes is the page of the device that was asked for, page_class what was got beneath.
 */
typedef enum tarn_page_class {
    TARN_PAGE_DEFAULT = 0, /* the platform's choice */
    TARN_PAGE_BASE = 1,    /* 4 KiB, the system's base pages */
    TARN_PAGE_HUGE = 2,    /* 2 MiB pages where the system gives them */
    TARN_PAGE_GIANT = 3    /* 1 GiB pages, where TARN_FEATURE_GIANT_PAGES says so. `host` and `sim`
                              count in them; beneath, `host` has what HUGE gives */
} tarn_page_class;

/* Bytes of a page of a class; 0 for DEFAULT. */
#define TARN_PAGE_BYTES(page_class)                                                                \
    ((page_class) == TARN_PAGE_GIANT  ? (uint64_t)1 << 30                                          \
     : (page_class) == TARN_PAGE_HUGE ? (uint64_t)2 << 20                                          \
     : (page_class) == TARN_PAGE_BASE ? (uint64_t)4 << 10                                          \
                                      : 0)

/* Bits of tarn_phys_desc.usage. */
enum {
    TARN_USAGE_TILE_POOL = 1u << 0 /* may back arrays (tarn/array.h); beside that it is as any */
};

/* What to create. Zeros: memory of the device itself, default pages, not shareable. */
typedef struct tarn_phys_desc {
    size_t struct_size;
    tarn_location location; /* type 0: the device given to the call */
    uint32_t shareable;     /* TARN_SHAREABLE_ bits: how it may be exported later */
    uint32_t usage;         /* TARN_USAGE_ bits */
    tarn_page_class page_class;
    uint64_t user[4]; /* words of the caller's, carried and not interpreted. The first two travel
                         with exported memory where the backend can (`host`, `sim`) */
} tarn_phys_desc;

typedef struct tarn_phys_info {
    size_t struct_size;
    uint64_t bytes;         /* size of the memory */
    tarn_location location; /* where it is; for imported memory the exporter's, when known */
    uint32_t shareable;
    uint32_t usage;
    tarn_page_class page_class; /* obtained beneath */
    uint32_t user_refs;
    uint32_t map_refs; /* of mappings and of tiles */
    bool imported;
    uint64_t user[4]; /* as created; of imported memory the exporter's first two, unchecked, or 0 */
    uint64_t page_bytes; /* of the class asked for, DEFAULT: the minimum granularity; of imported
                            memory the exporter's, or 0 */
} tarn_phys_info;

/*
 * Creates `bytes` of physical memory, a multiple of the minimum granularity, and of 1 GiB if giant
 * pages are asked for, with one user reference. `desc` may be NULL. Capacity is taken now; pages
 * may be committed at first touch. BAD_ARGUMENT: device or phys NULL, bytes 0, unknown location
 * type, page class or usage; BAD_STRUCT; BAD_DEVICE: a device location out of range, or a node that
 * the machine does not have; MISALIGNED; UNSUPPORTED: a location, a shareable bit, or giant pages,
 * that the platform does not provide; NO_DEVICE_MEMORY: exact and recoverable; NO_HOST_MEMORY;
 * NO_HANDLES: descriptors.
 */
TARN_API tarn_status tarn_phys_create(tarn_device *device, uint64_t bytes,
                                      const tarn_phys_desc *desc, tarn_phys *phys);

/* Adds one user reference. BAD_HANDLE: not a live handle. */
TARN_API tarn_status tarn_phys_retain(tarn_phys phys);

/* Drops one user reference; legal while mapped. BAD_HANDLE: not a live handle, or no user reference
 * is left. */
TARN_API tarn_status tarn_phys_release(tarn_phys phys);

/* Fills `info` up to info->struct_size. BAD_HANDLE, BAD_ARGUMENT, BAD_STRUCT. */
TARN_API tarn_status tarn_phys_query(tarn_phys phys, tarn_phys_info *info);

/* Physical memory on its way between processes. Which member counts is said by the type. */
typedef struct tarn_shareable {
    uint32_t type;  /* exactly one TARN_SHAREABLE_ bit */
    int fd;         /* TARN_SHAREABLE_FD */
    uint64_t token; /* TARN_SHAREABLE_TOKEN */
} tarn_shareable;

/*
 * Makes the memory importable elsewhere. `type` is one bit of those the memory was created for.
 *
 * A token is the same number at each export, good until the memory is gone from the process that
 * exported it, and of no use to another process before tarn_phys_allow() has named that. On `host`
 * it names this process and a descriptor of it, and 22 bits are left that cannot be guessed: who
 * may not import is kept out by that list.
 *
 * A descriptor is new at each call, close-on-exec, never 0, 1 or 2, and owned by the caller; it
 * keeps the memory alive by itself. On `host` the file is sealed against shrinking and growing; a
 * process that holds it can still punch holes in it. BAD_HANDLE; BAD_ARGUMENT: out NULL, type not
 * exactly one bit or not asked for at creation; NO_HANDLES: descriptors, or for a token one that is
 * too large a number to fit.
 */
TARN_API tarn_status tarn_phys_export(tarn_phys phys, uint32_t type, tarn_shareable *out);

/*
 * Lets processes import a token that this process exported: `count` of them by their numbers, in
 * addition to those already allowed, or TARN_PROCESS_ANY for all, for good. The list goes with the
 * memory, and whoever has imported it keeps it. The process that exports needs no leave. What
 * processes of the same user do without this library no list can prevent. On `sim`, whose tokens
 * leave no process, it changes nothing. BAD_ARGUMENT: device or exported NULL, pids NULL with a
 * count, a pid below 0, type not TOKEN; BAD_HANDLE: not such a token, or not any more; NO_ACCESS:
 * of another process; NO_HANDLES: `host` has room for 512 processes; UNSUPPORTED: no tokens here.
 */
TARN_API tarn_status tarn_phys_allow(tarn_device *device, const tarn_shareable *exported,
                                     const int *pids, size_t count);

/*
 * A handle, with one user reference, to memory exported by this or another process. A descriptor is
 * neither closed nor kept; its size need not be known. Every import must be released once. Several
 * handles may name the same bytes. BAD_ARGUMENT: NULL, type not one bit; BAD_HANDLE: the descriptor
 * is closed, or is not a whole and sealed export of this kind of platform; UNSUPPORTED: type;
 * NO_ACCESS: the token's list does not name this process; NO_HANDLES; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_phys_import(tarn_device *device, const tarn_shareable *in,
                                      tarn_phys *phys);

#ifdef __cplusplus
}
#endif
#endif
