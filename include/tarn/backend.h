/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/backend.h
 * The contract between the library and a backend, which drives one kind of device.
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 *
 * A backend exports one table of functions (slots). It opens platforms; a platform is a set of
 * devices that share addresses. The core of the library is the only caller of slots.
 *
 * The core guarantees the following, so a backend does not check it again:
 *  - Pointers are not NULL unless the slot says so. Sizes are not 0. For reservations, physical
 *    memory and mappings, sizes, addresses and offsets are multiples of the minimum granularity.
 *    Ordinals are in range.
 *  - map: the range lies in one live reservation of this platform, and nothing is mapped in it.
 *    Each item fits its memory.
 *  - unmap, set_access: the range is a sequence of complete mappings of one reservation, without
 *    gaps. Without TARN_CAP_SPANS it is exactly one mapping.
 *  - Calls about one reservation are serialised. Calls about different reservations may be
 *    concurrent.
 *  - phys_destroy: the memory is mapped nowhere, and all references of tiles to it were released.
 *    release: nothing is mapped in the reservation.
 *  - Streams and events are destroyed once, when no call uses them.
 *  - copy, fill: rights and bounds were checked at submission. Height and depth are at least 1.
 *    Rows and slices do not overlap, nor do source and destination.
 *  - platform_close: no object of the platform is alive.
 *
 * A backend guarantees the following:
 *  - A call that fails changes nothing. This includes a map of many items.
 *  - Outputs are written on success only. A failure is recorded with tarn_backend_fail();
 *    backends inside the library use tn_fail() and tn_fail_native() of base/error.h.
 *  - Every slot may be called from any thread. No slot calls the library, except through
 *    functions that it was given for that purpose (stream_call, array_create).
 *  - unmap and set_access have taken effect when they return: no later access uses the old state.
 *  - With TARN_FEATURE_CHECKED, unmap and memory_free do not wait for streams. Work that still
 *    uses the range fails with a sticky error and never crashes. Rights are enforced when work
 *    runs, in addition to the check at submission. Without this feature, unmap and memory_free
 *    may wait; the core does not call them inside host functions of the platform.
 *
 * Optional slots may be NULL. Registration replaces them by stubs that return UNSUPPORTED. It
 * refuses a table that lacks a mandatory slot or has only part of a group.
 */
#ifndef TARN_BACKEND_H
#define TARN_BACKEND_H

#include <tarn/array.h>
#include <tarn/copy.h>
#include <tarn/device.h>
#include <tarn/host.h>
#include <tarn/map.h>
#include <tarn/memory.h>
#include <tarn/phys.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this contract, for tarn_backend.abi. */
#define TARN_BACKEND_ABI 2u

/** Bits of tarn_backend_caps.caps. They determine how the core calls the backend. */
enum {
    TARN_CAP_SPANS = 1u << 0,       /**< unmap and set_access accept many mappings in one call */
    TARN_CAP_LATE_RECORDS = 1u << 1 /**< a record passes some time after its call, even in an idle
                                         stream, so pools query the stream first */
};

/** Times of calls of a device, in nanoseconds. The caller of the slot uses them to choose between
 * calls. */
typedef struct tarn_backend_costs {
    uint64_t create_ns;   /**< phys_create */
    uint64_t destroy_ns;  /**< phys_destroy */
    uint64_t map_ns;      /**< map, for each mapping */
    uint64_t access_ns;   /**< set_access, for each mapping */
    uint64_t unmap_ns;    /**< unmap, for each mapping */
    uint64_t allocate_ns; /**< memory_alloc */
    uint64_t free_ns;     /**< memory_free */
    uint64_t gib_ns;      /**< phys_create and memory_alloc, more for each GiB */
} tarn_backend_costs;

/** The properties of a device. The `caps` slot fills it with probed values. */
typedef struct tarn_backend_caps {
    size_t struct_size;               /**< sizeof(tarn_backend_caps) */
    char name[64];                    /**< shown to users */
    uint64_t memory_bytes;            /**< capacity */
    uint64_t granularity_minimum;     /**< of reserve, create and map; a power of two */
    uint64_t granularity_recommended; /**< a multiple of the minimum */
    uint32_t features;                /**< TARN_FEATURE_ bits */
    uint32_t shareable;               /**< TARN_SHAREABLE_ bits */
    uint32_t caps;                    /**< TARN_CAP_ bits */
    /** Of a device with a cost model. All zero: the core measures the calls when it needs them. */
    tarn_backend_costs costs;
} tarn_backend_caps;

/** The backend's handle of physical memory. 0 is never a handle. */
typedef uint64_t tarn_backend_phys;

/** The properties of physical memory, as created or imported. */
typedef struct tarn_backend_phys_info {
    uint64_t bytes;         /**< size */
    tarn_location location; /**< where the memory is */
    uint32_t shareable;     /**< TARN_SHAREABLE_ bits */
    uint32_t usage;         /**< tarn_phys_desc.usage */
    uint32_t page_class;    /**< a tarn_page_class: of the pages beneath */
    /** Import: page size of the class that the creator requested, 0 if it is not transferred.
     * Create: unused. */
    uint64_t page_bytes;
    /** Import: tarn_phys_desc.user of the creator, 0 if it is not transferred. Create: unused. */
    uint64_t user[2];
} tarn_backend_phys_info;

/** Plain device memory to allocate, for memory_alloc_with. */
typedef struct tarn_backend_memory {
    uint64_t bytes;      /**< usable size */
    uint64_t charged;    /**< capacity to take: `bytes` in complete pages and granules */
    uint64_t alignment;  /**< a power of two, 256 to 1 GiB */
    uint32_t page_class; /**< a tarn_page_class: GIANT only with TARN_FEATURE_GIANT_PAGES */
} tarn_backend_memory;

/** One mapping to make: the first `size` bytes of a handle. */
typedef struct tarn_backend_map_item {
    tarn_backend_phys phys; /**< the handle */
    uint64_t size;          /**< bytes */
} tarn_backend_map_item;

/** A copy of a box: `depth` slices of `height` rows of `width` bytes. */
typedef struct tarn_backend_copy {
    tarn_addr dst;            /**< first byte */
    tarn_addr src;            /**< first byte */
    uint64_t width;           /**< bytes */
    uint64_t height;          /**< rows */
    uint64_t dst_pitch;       /**< bytes from row to row */
    uint64_t src_pitch;       /**< bytes from row to row */
    int device;               /**< the executing device; its rights count */
    int peers[2];             /**< further devices whose rights count, or -1 */
    uint64_t depth;           /**< slices */
    uint64_t dst_slice_pitch; /**< bytes from slice to slice */
    uint64_t src_slice_pitch; /**< bytes from slice to slice */
    bool dst_is_own; /**< dst was in a reservation or device memory of the platform when the
                                   call was checked; if it no longer is, the work fails */
    bool src_is_own; /**< the same for src */
} tarn_backend_copy;

/** A fill of a box with a repeated pattern. */
typedef struct tarn_backend_fill {
    tarn_addr dst;          /**< first byte */
    uint64_t width;         /**< bytes, a multiple of element_bytes */
    uint64_t height;        /**< rows */
    uint64_t pitch;         /**< bytes from row to row */
    uint32_t value;         /**< the pattern, in its low bytes */
    unsigned element_bytes; /**< bytes of the pattern: 1, 2 or 4 */
    int device;             /**< the executing device */
    uint64_t depth;         /**< slices */
    uint64_t slice_pitch;   /**< bytes from slice to slice */
    bool dst_is_own;        /**< as in tarn_backend_copy */
} tarn_backend_fill;

/** Counters of a platform. */
typedef struct tarn_backend_counters {
    uint64_t kernel_mappings; /**< in use now */
    uint64_t virtual_ns;      /**< clock of the cost model */
} tarn_backend_counters;

/** The properties of an array. Fields that do not apply are 0. */
typedef struct tarn_backend_array_info {
    uint64_t memory_bytes;     /**< deferred: see tarn_array_info */
    uint64_t memory_alignment; /**< deferred: see tarn_array_info */
    uint64_t tile_bytes;       /**< sparse: see tarn_array_sparse_info */
    uint32_t tile[3];          /**< sparse: elements in x, y, z */
    uint32_t sparse_levels;    /**< sparse: number of levels that consist of tiles */
    uint64_t tail_bytes;       /**< sparse: bytes of one tail */
    bool single_tail;          /**< sparse: all layers share one tail */
} tarn_backend_array_info;

/** Memory to map or unmap in an array: tiles of a level, pages of a tail, or a deferred array. */
typedef struct tarn_backend_array_item {
    void *array;            /**< from array_create */
    tarn_backend_phys phys; /**< 0: unmap */
    uint64_t phys_offset;   /**< first byte of the handle */
    void *owner;            /**< for `unref`; the same for the same `phys` */
    uint32_t part;          /**< a tarn_array_part: tiles or tail */
    uint32_t layer;         /**< layer */
    uint32_t level;         /**< tiles: level */
    uint64_t offset[3];     /**< tiles: first element */
    uint64_t extent[3];     /**< tiles: elements, at least 1 */
    uint64_t tail_offset;   /**< tail: first byte */
    uint64_t tail_bytes;    /**< tail: bytes */
} tarn_backend_array_item;

/** One side of a copy that involves an array. */
typedef struct tarn_backend_array_side {
    void *array;          /**< NULL: linear memory */
    uint32_t level;       /**< of an array */
    uint64_t at[3];       /**< of an array: first element; at[2] is a slice or a layer */
    tarn_addr addr;       /**< linear memory: first byte */
    uint64_t pitch;       /**< linear memory: bytes from row to row */
    uint64_t slice_pitch; /**< linear memory: bytes from slice to slice */
    bool is_own;          /**< linear memory: as in tarn_backend_copy */
} tarn_backend_array_side;

/** A copy of a box. At least one side is an array. */
typedef struct tarn_backend_array_copy {
    tarn_backend_array_side dst; /**< destination */
    tarn_backend_array_side src; /**< source */
    uint64_t extent[3];          /**< elements, at least 1 */
    uint32_t element_bytes;      /**< bytes of an element */
    int device;                  /**< as in tarn_backend_copy */
    int peers[2];                /**< as in tarn_backend_copy */
} tarn_backend_array_copy;

/**
 * The table of a backend. In all slots `p` is the platform and `device` an ordinal on it.
 *
 * Each slot begins with its kind: "Mandatory", "Optional", or "Group x": a table has all slots of a
 * group or none.
 */
typedef struct tarn_backend {
    size_t struct_size;  /**< sizeof(tarn_backend) of the header that the backend was built with */
    uint32_t abi;        /**< TARN_BACKEND_ABI */
    const char *name;    /**< the beginning of device names, "host"; without ':', ',' and '=' */
    const char *summary; /**< one line */

    /** Mandatory. Opens a platform. `options` is the option text of the device name, or "". The
     * backend reads its environment variables itself.
     * @retval TARN_BAD_CONFIG an option is unknown or its value is invalid
     * @retval TARN_UNSUPPORTED a library of the vendor is missing */
    tarn_status (*platform_open)(const char *options, void **p);
    /** Mandatory. Closes a platform. */
    void (*platform_close)(void *p);
    /** Mandatory. Returns the number of devices, at least 1. */
    int (*device_count)(void *p);
    /** Mandatory. Describes a device. */
    tarn_status (*caps)(void *p, int device, tarn_backend_caps *caps);
    /** Mandatory. Describes the index-th setting. The strings live as long as the platform.
     * @retval TARN_BAD_ARGUMENT there are fewer settings; no error text is recorded */
    tarn_status (*setting)(void *p, unsigned index, tarn_setting *setting);
    /** Mandatory. Returns the free and the total capacity. */
    tarn_status (*memory_info)(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes);

    /** Group vmm. Reserves addresses: at `hint` if that is not 0 and the range is free, else
     * anywhere.
     * @retval TARN_NO_ADDRESS_SPACE no such range is free */
    tarn_status (*reserve)(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                           tarn_addr *addr);
    /** Group vmm. Releases a complete reservation. */
    void (*release)(void *p, tarn_addr addr, uint64_t size);
    /** Group vmm. Creates physical memory. desc->location is set. The page class is GIANT only with
     * TARN_FEATURE_GIANT_PAGES and in complete pages. `info` returns the properties obtained.
     * @retval TARN_NO_DEVICE_MEMORY the capacity is exhausted */
    tarn_status (*phys_create)(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info);
    /** Group vmm. Frees physical memory, which is mapped nowhere and in no array. */
    void (*phys_destroy)(void *p, tarn_backend_phys phys);
    /** Group vmm. Maps the items one after another from `addr`. Each becomes a mapping without
     * rights. */
    tarn_status (*map)(void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count);
    /** Group vmm. Unmaps complete mappings. Fails only if the device is lost. */
    tarn_status (*unmap)(void *p, tarn_addr addr, uint64_t size);
    /** Group vmm. Applies the grants in order, so the last one for a location counts. Other
     * locations keep their rights. */
    tarn_status (*set_access)(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                              size_t count);

    /** Group share. Exports physical memory as a TARN_SHAREABLE_ type. */
    tarn_status (*phys_export)(void *p, tarn_backend_phys phys, uint32_t type, tarn_shareable *out);
    /** Group share. Imports physical memory. The descriptor or token in `in` stays with the caller.
     * Each import returns a new handle, even for the same memory.
     * @retval TARN_BAD_HANDLE `in` does not name exported memory
     * @retval TARN_NO_ACCESS the exporter excludes this process */
    tarn_status (*phys_import)(void *p, int device, const tarn_shareable *in,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info);

    /** Mandatory. Allocates plain device memory of any size, which the device and its enabled peers
     * may read and write. */
    tarn_status (*memory_alloc)(void *p, int device, uint64_t size, tarn_addr *addr);
    /** Mandatory. Frees plain device memory. */
    void (*memory_free)(void *p, int device, tarn_addr addr);

    /** Group pin. Allocates page-aligned pinned host memory. `pin_class` returns the class
     * obtained. */
    tarn_status (*host_alloc)(void *p, uint64_t size, uint32_t flags, void **ptr,
                              tarn_pin_class *pin_class);
    /** Group pin. Frees pinned host memory. */
    void (*host_free)(void *p, void *ptr, uint64_t size);
    /** Group pin. Pins memory of the caller.
     * @retval TARN_BAD_ADDRESS the range is not completely mapped */
    tarn_status (*host_register)(void *p, void *ptr, uint64_t size, uint32_t flags,
                                 tarn_pin_class *pin_class);
    /** Group pin. Ends a registration. */
    void (*host_unregister)(void *p, void *ptr, uint64_t size);

    /** Group peer. Returns true if `device` can reach plain memory of `peer`. */
    bool (*peer_can)(void *p, int device, int peer);
    /** Group peer. Makes plain memory of `peer`, existing and future, accessible or inaccessible to
     * `device`. The call always changes the state. */
    tarn_status (*peer_set)(void *p, int device, int peer, bool enabled);

    /** Mandatory. Creates a stream. */
    tarn_status (*stream_create)(void *p, int device, void **stream);
    /** Mandatory. Destroys a stream whose work is complete. */
    void (*stream_destroy)(void *p, void *stream);
    /** Mandatory. Waits for all work of the stream until a deadline, in nanoseconds of the monotonic
     * clock. UINT64_MAX never passes; 0 has passed.
     * @retval TARN_TIMED_OUT     the work is not complete by then, and there is no other error; no
     *                            error text is recorded
     * @retval TARN_DEVICE_FAILED work failed. The error is sticky; each call records its text.
     * @retval TARN_UNSUPPORTED   the device cannot wait with a deadline; never for UINT64_MAX */
    tarn_status (*stream_synchronize)(void *p, void *stream, uint64_t deadline_ns);
    /** Mandatory. Queries the stream.
     * @retval TARN_NOT_READY     work is pending; no error text is recorded
     * @retval TARN_DEVICE_FAILED work failed */
    tarn_status (*stream_query)(void *p, void *stream);
    /** Mandatory. Makes later work of the stream wait for the last record of the event. */
    tarn_status (*stream_wait)(void *p, void *stream, void *event);
    /** Mandatory. Calls fn(arg) in stream order, on a thread of the backend or of the caller. */
    tarn_status (*stream_call)(void *p, void *stream, void (*fn)(void *), void *arg);
    /** Mandatory. Waits for all streams of the device, as stream_synchronize. Returns OK even if some
     * have a sticky error. */
    tarn_status (*device_synchronize)(void *p, int device, uint64_t deadline_ns);

    /** Mandatory. Creates an event. */
    tarn_status (*event_create)(void *p, void **event);
    /** Mandatory. Destroys an event, also while a record of it is pending. */
    void (*event_destroy)(void *p, void *event);
    /** Mandatory. Records the event in the stream. */
    tarn_status (*event_record)(void *p, void *event, void *stream);
    /** Mandatory. Queries the last record. Returns OK if there is none.
     * @retval TARN_NOT_READY the record is pending; no error text is recorded */
    tarn_status (*event_query)(void *p, void *event);
    /** Mandatory. Waits for the last record, as stream_synchronize. */
    tarn_status (*event_synchronize)(void *p, void *event, uint64_t deadline_ns);
    /** Mandatory. Returns the time between two records.
     * @retval TARN_BAD_ARGUMENT an event was never recorded
     * @retval TARN_NOT_READY a record is pending */
    tarn_status (*event_elapsed)(void *p, void *start, void *end, int64_t *elapsed_ns);

    /** Mandatory. Submits a copy. If `stream` is NULL, the copy runs on desc->device, does not wait
     * for streams, and is complete when the call returns. */
    tarn_status (*copy)(void *p, void *stream, const tarn_backend_copy *desc);
    /** Mandatory. Submits a fill. `stream` is as in copy. */
    tarn_status (*fill)(void *p, void *stream, const tarn_backend_fill *desc);

    /** Optional. Returns cached memory to the system. */
    tarn_status (*trim)(void *p, int device);
    /** Optional. Reads the counters. They are 0 without this slot. */
    void (*counters)(void *p, tarn_backend_counters *counters);
    /** Optional. Checks the records of the platform.
     * @retval TARN_CORRUPT they contradict each other, as the text describes */
    tarn_status (*check)(void *p);
    /** Group fork. Called before fork(): acquires all locks. */
    void (*fork_prepare)(void *p);
    /** Group fork. Called after fork() in the parent: releases all locks. */
    void (*fork_parent)(void *p);
    /** Group fork. Called after fork() in the child, where the threads of the backend do not
     * exist. */
    void (*fork_child)(void *p);

    /** Group memory_share. Exports the block of plain memory at `addr`, for which `size` bytes were
     * requested. No work of the platform runs meanwhile. Each export of a block returns the same
     * key. The bytes may move in memory; the address does not change. */
    tarn_status (*memory_export)(void *p, int device, tarn_addr addr, uint64_t size, tarn_key *key);
    /** Group memory_share. Imports a block. `key` comes from the application and may be invalid.
     * Each import has a new address, which the device and its enabled peers may read and write. It
     * takes no capacity. `size` returns the size that the exporter requested.
     * @retval TARN_BAD_HANDLE `key` does not name exported memory
     * @retval TARN_NO_ACCESS the exporter excludes this process */
    tarn_status (*memory_import)(void *p, int device, const tarn_key *key, tarn_addr *addr,
                                 uint64_t *size);
    /** Group memory_share. Ends an import. */
    void (*memory_close)(void *p, int device, tarn_addr addr);

    /** Group array. Creates an array. The description is valid and `layers` is at least 1.
     *
     * Each tile, page of a tail or deferred array that array_map maps holds one reference to its
     * physical memory. The backend owns these references once array_map has succeeded. It releases
     * them by unref(owner, count) when no work can use the memory through the tile any more, or
     * earlier if the memory remains usable by other means. `unref` may be called on any thread and
     * within the slots of this group and waiting slots, but with no lock held. */
    tarn_status (*array_create)(void *p, int device, const tarn_array_desc *desc,
                                void (*unref)(void *owner, uint64_t count), void **array,
                                tarn_backend_array_info *info);
    /** Group array. Destroys an array that no work uses, and releases its references. */
    void (*array_destroy)(void *p, void *array);
    /** Group array. Maps and unmaps memory in arrays. The items were checked against the arrays and
     * the sizes of the memory. `stream` is of the device of all arrays; if it is NULL, the call
     * returns when the change has taken effect. The list is copied. */
    tarn_status (*array_map)(void *p, void *stream, const tarn_backend_array_item *items,
                             size_t count);
    /** Group array. Submits a copy that involves arrays. Bounds and rights were checked. A deferred
     * array that is not mapped when the copy runs is an error of the stream. `stream` is as in
     * copy. */
    tarn_status (*array_copy)(void *p, void *stream, const tarn_backend_array_copy *desc);

    /** Optional. Allocates plain device memory with a page class and an alignment. memory_free
     * frees it. `page_class` returns the class obtained. */
    tarn_status (*memory_alloc_with)(void *p, int device, const tarn_backend_memory *desc,
                                     tarn_addr *addr, tarn_page_class *page_class);

    /** Optional. Permits processes to import exported memory. exported->type is
     * TARN_SHAREABLE_TOKEN. Each pid is TARN_PROCESS_ANY (0), which permits all processes, or
     * positive. */
    tarn_status (*phys_allow)(void *p, const tarn_shareable *exported, const int *pids,
                              size_t count);
    /** Optional. Permits processes to import a block. `key` comes from the application and may be
     * invalid. The pids are as in phys_allow. */
    tarn_status (*memory_allow)(void *p, const tarn_key *key, const int *pids, size_t count);

    /** Optional. Makes a stream over `native`, a stream of the vendor that the application owns.
     * NULL is the vendor's default stream. Other slots treat it as any stream, except that
     * stream_destroy leaves the vendor's stream alive. A software device, which has no vendor's
     * streams, creates a stream. */
    tarn_status (*stream_wrap)(void *p, int device, void *native, void **stream);

    /** Optional. Enqueues a condition: work behind it begins once `passed` has returned OK. `passed`
     * is called in stream order, again while it returns NOT_READY, on a thread of the backend that
     * other streams may need meanwhile. Any other status is a sticky error of the stream, with the
     * text that the call recorded. If the stream fails before, the one call has `dropped` set, and
     * its status is ignored. */
    tarn_status (*stream_wait_until)(void *p, void *stream,
                                     tarn_status (*passed)(void *arg, bool dropped), void *arg);

    /** Optional. Drops the work of the stream that has not begun, with the host functions and
     * conditions in it; a condition is called with `dropped` set. Records that are dropped count as
     * passed. Does not wait. */
    tarn_status (*stream_abort)(void *p, void *stream);
    /** Optional. With `resilient`, a failure while work runs is not sticky: work behind it runs, and
     * the next stream_synchronize or stream_query returns DEVICE_FAILED once. */
    tarn_status (*stream_set_resilient)(void *p, void *stream, bool resilient);

    /** Optional. Calls fn(arg, part) once for each part below `parts`, at least 1, in stream order
     * and on any number of threads of the backend at the same time. Work behind it begins when all
     * calls have returned. */
    tarn_status (*stream_run)(void *p, void *stream, void (*fn)(void *arg, uint64_t part),
                              void *arg, uint64_t parts);

    /** Optional. stream_wait for an event of this platform, which passes a failure on: if the record
     * was dropped behind a failure, the waiting stream fails in its turn. NULL selects
     * stream_wait. */
    tarn_status (*stream_follow)(void *p, void *stream, void *event);
    /** Optional. Drops the work of a stream that has not begun, and leaves the stream failed, with a
     * text that is not NULL. Does not wait. */
    tarn_status (*stream_fail)(void *p, void *stream, const char *text);

    /** Optional. stream_query for the library itself: it releases no work that the device holds
     * back, and leaves a failure that is reported once. NULL selects stream_query. */
    tarn_status (*stream_peek)(void *p, void *stream);
    /** Optional. event_query for the library itself, as stream_peek. NULL selects event_query. */
    tarn_status (*event_peek)(void *p, void *event);

    /** Optional. Makes a descriptor of the memory at `addr`, the start of a block of `size` requested
     * bytes or of a mapping of `size` bytes. Other processes can map the descriptor, and nothing
     * else is in it. The memory lives until the descriptor is closed. The core excludes work of the
     * platform, because the bytes may have to move; their addresses stay. */
    tarn_status (*memory_export_fd)(void *p, tarn_addr addr, uint64_t size, int *fd);
} tarn_backend;

/**
 * Registers a backend, so that device names can begin with its name. The library registers its
 * own backends itself.
 *
 * @param backend the table; `name` and `summary` must stay valid until the process ends
 * @retval TARN_BAD_ARGUMENT backend is NULL, the name is missing, invalid or taken, the abi
 *         differs, a mandatory slot is missing, or a group is incomplete; the text names the slot
 * @retval TARN_NO_HANDLES too many backends are registered
 */
TARN_API tarn_status tarn_backend_register(const tarn_backend *backend);

/**
 * Records a failure of the calling thread, see tarn_last_error(). For backends outside the library.
 *
 * @param status      the status to record
 * @param call        the native call that failed, or ""; must stay valid until the process ends
 * @param native_code its error code
 * @param format      the text, with the offending values, as for printf
 * @return `status`
 */
TARN_API tarn_status tarn_backend_fail(tarn_status status, const char *call, int64_t native_code,
                                       const char *format, ...) TARN_PRINTF(4, 5);

#ifdef __cplusplus
}
#endif
#endif
