/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/backend.h - the contract between the library and what drives a kind of device.
 *
 * A backend exports one ops table. It opens platforms; a platform is a set of devices that share
 * addresses.
 *
 * What the caller (the core) guarantees, so that no backend checks it again:
 *  - pointers are not NULL unless said; sizes are not 0 and sizes, addresses and offsets are
 * multiples of the minimum granularity where the call is about reservations, physical memory or
 * mappings; ordinals are in range;
 *  - map: the range lies in one live reservation of this platform and nothing is mapped in it;
 * items fit their memory;
 *  - unmap, set_access: the range is a gap-free run of whole mappings of one reservation. Without
 * TARN_CAP_SPANS it is exactly one mapping;
 *  - calls about one reservation are made one at a time, calls about different ones may be
 * concurrent;
 *  - a phys is destroyed when it is mapped nowhere and all references of tiles to it were given
 * back; a reservation is released when nothing is mapped in it;
 *  - streams and events are destroyed once, when no call uses them; copies and fills were checked
 * against rights and bounds when given, height and depth are at least 1, rows and slices follow
 * each other without overlap, source and destination do not overlap;
 *  - a platform is closed when nothing of it is alive.
 * What a backend guarantees:
 *  - all or nothing: a call that fails has changed nothing, map of many items included;
 *  - outputs are written on success only; the failure is recorded with tn_fail or tn_fail_native of
 * base/error.h (backends outside the library: tarn_backend_fail());
 *  - every slot may be called from any thread; no slot calls back into the library, but by the
 * functions it was given for that (stream_call, array_create);
 *  - unmap and set_access have taken effect when they return: no later access uses the old state;
 *  - with TARN_FEATURE_CHECKED: unmap and memory_free do not wait for streams; work that still uses
 * the range fails with a sticky error, never with a crash; rights are enforced when work runs,
 * whatever was checked when it was given. Without it they may wait, and are not called inside host
 * functions of the platform.
 *
 * Optional slots may be NULL: registration replaces them by stubs that return UNSUPPORTED, and
 * refuses a table that lacks a mandatory slot or has only part of a group. `size` leads, so that
 * tables of older backends stay good.
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

#define TARN_BACKEND_ABI 1u

/* Bits of tarn_backend_caps.caps: how the core should call, beside what users are told. */
enum {
    TARN_CAP_SPANS = 1u << 0 /* unmap and set_access take runs of many mappings in one call */
};

/* What a device of the platform is; filled by the `caps` slot, probed rather than trusted. */
typedef struct tarn_backend_caps {
    size_t struct_size;
    char name[64];
    uint64_t memory_bytes;
    uint64_t granularity_minimum;
    uint64_t granularity_recommended;
    uint32_t features;  /* TARN_FEATURE_ */
    uint32_t shareable; /* TARN_SHAREABLE_ */
    uint32_t caps;      /* TARN_CAP_ */
} tarn_backend_caps;

/* The backend's own name of physical memory; 0 is none. */
typedef uint64_t tarn_backend_phys;

/* What came out of an import, or how memory was really created. */
typedef struct tarn_backend_phys_info {
    uint64_t bytes;
    tarn_location location;
    uint32_t shareable;
    uint32_t usage;
    tarn_page_class page_class; /* beneath */
    uint64_t page_bytes;        /* import: of the class the creator asked for, 0 when it does not
                                   travel. create: unused */
    uint64_t user[2]; /* import: desc->user[0] and [1] of the creator, 0 where they do not travel.
                         create: unused */
} tarn_backend_phys_info;

/* Plain memory to be allocated with more than a size. */
typedef struct tarn_backend_memory {
    uint64_t bytes;     /* that may be used */
    uint64_t charged;   /* what to take of the capacity: `bytes` in whole pages and granules */
    uint64_t alignment; /* a power of two, 256 to 1 GiB */
    tarn_page_class page_class; /* GIANT: only with TARN_FEATURE_GIANT_PAGES */
} tarn_backend_memory;

typedef struct tarn_backend_map_item {
    tarn_backend_phys phys;
    uint64_t size;
} tarn_backend_map_item;

/* A copy of a box. The devices whose rights count: `device` executes, `peers` are named by the
 * caller, -1: none. */
typedef struct tarn_backend_copy {
    tarn_addr dst;
    tarn_addr src;
    uint64_t width; /* bytes */
    uint64_t height;
    uint64_t dst_pitch;
    uint64_t src_pitch;
    int device;
    int peers[2];
    uint64_t depth;
    uint64_t dst_slice_pitch;
    uint64_t src_slice_pitch;
} tarn_backend_copy;

/* A fill of a box, rows of `width` bytes, with a pattern of element_bytes (1, 2 or 4). */
typedef struct tarn_backend_fill {
    tarn_addr dst;
    uint64_t width; /* bytes */
    uint64_t height;
    uint64_t pitch;
    uint32_t value;
    unsigned element_bytes;
    int device;
    uint64_t depth;
    uint64_t slice_pitch;
} tarn_backend_fill;

/* What a backend counts about itself. */
typedef struct tarn_backend_counters {
    uint64_t kernel_mappings; /* held now */
    uint64_t virtual_ns;      /* of the cost model */
} tarn_backend_counters;

/* What an array that was created is like. Zeros where it does not apply. */
typedef struct tarn_backend_array_info {
    uint64_t memory_bytes; /* deferred: as in tarn_array_info */
    uint64_t memory_alignment;
    uint64_t tile_bytes; /* sparse: as in tarn_array_sparse_info */
    uint32_t tile[3];    /* elements in x, y, z */
    uint32_t sparse_levels;
    uint64_t tail_bytes;
    bool single_tail;
} tarn_backend_array_info;

/* What to map or unmap: whole tiles of a level, pages of a tail, or all of a deferred array. */
typedef struct tarn_backend_array_item {
    void *array;
    tarn_backend_phys phys; /* 0: unmap */
    uint64_t phys_offset;
    void *owner; /* of the references to phys, for let_go; the same for the same phys */
    tarn_array_part part;
    uint32_t layer;
    uint32_t level;
    uint64_t offset[3]; /* elements */
    uint64_t extent[3]; /* elements, at least 1 */
    uint64_t tail_offset;
    uint64_t tail_bytes;
} tarn_backend_array_item;

/* One side of a copy. */
typedef struct tarn_backend_array_side {
    void *array; /* NULL: linear memory */
    uint32_t level;
    uint64_t at[3]; /* elements; the third is a slice or a layer */
    tarn_addr addr; /* linear */
    uint64_t pitch;
    uint64_t slice_pitch;
} tarn_backend_array_side;

/* A copy of a box; at least one side is an array. */
typedef struct tarn_backend_array_copy {
    tarn_backend_array_side dst;
    tarn_backend_array_side src;
    uint64_t extent[3]; /* elements, at least 1 */
    uint32_t element_bytes;
    int device; /* and peers: as in tarn_backend_copy */
    int peers[2];
} tarn_backend_array_copy;

/* `p` is the platform, `device` an ordinal on it. M: mandatory, O: optional, G(x): all or none of
 * group x. */
typedef struct tarn_backend {
    size_t struct_size;
    uint32_t abi;        /* TARN_BACKEND_ABI */
    const char *name;    /* "host": what device names begin with */
    const char *summary; /* one line */

    /* M. Opens a platform from the option text of the name ("" when none). The environment is read
     * by the backend. */
    tarn_status (*platform_open)(const char *options, void **p);
    /* M. Closes it. Nothing of it is alive. */
    void (*platform_close)(void *p);
    /* M. How many devices; at least 1. */
    int (*device_count)(void *p);
    /* M. */
    tarn_status (*caps)(void *p, int device, tarn_backend_caps *caps);
    /* M. BAD_ARGUMENT when there are no more; no error text then. */
    tarn_status (*setting)(void *p, unsigned index, tarn_setting *setting);
    /* M. */
    tarn_status (*memory_info)(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes);

    /* G(vmm). `hint` 0 or where to, exactly, when free there; else anywhere. */
    tarn_status (*reserve)(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                           tarn_addr *addr);
    /* G(vmm). Whole reservations only, nothing mapped. Cannot fail. */
    void (*release)(void *p, tarn_addr addr, uint64_t size);
    /* G(vmm). desc->location is filled in; GIANT only with its feature and in whole pages.
     * `info` tells what was got. */
    tarn_status (*phys_create)(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info);
    /* G(vmm). Mapped nowhere, and in no array. Cannot fail. */
    void (*phys_destroy)(void *p, tarn_backend_phys phys);
    /* G(vmm). Items one behind the other from addr; each becomes a mapping without rights. All or
     * nothing. */
    tarn_status (*map)(void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count);
    /* G(vmm). Fails only when the device itself is lost. */
    tarn_status (*unmap)(void *p, tarn_addr addr, uint64_t size);
    /* G(vmm). Grants in order, the last for a location wins; locations not named keep theirs. All
     * or nothing. */
    tarn_status (*set_access)(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                              size_t count);

    /* G(share). */
    tarn_status (*phys_export)(void *p, tarn_backend_phys phys, uint32_t type, tarn_shareable *out);
    /* G(share). Neither closes nor keeps what is in `in`. A new name even for the same bytes. */
    tarn_status (*phys_import)(void *p, int device, const tarn_shareable *in,
                               tarn_backend_phys *phys, tarn_backend_phys_info *info);

    /* M. Plain device memory; size in bytes, any. Readable and writable by device and enabled
     * peers. */
    tarn_status (*memory_alloc)(void *p, int device, uint64_t size, tarn_addr *addr);
    /* M. Cannot fail. */
    void (*memory_free)(void *p, int device, tarn_addr addr);

    /* G(pin). Pinned host memory, page aligned. */
    tarn_status (*host_alloc)(void *p, uint64_t size, uint32_t flags, void **ptr,
                              tarn_pin_class *pin_class);
    /* G(pin). */
    void (*host_free)(void *p, void *ptr, uint64_t size);
    /* G(pin). */
    tarn_status (*host_register)(void *p, void *ptr, uint64_t size, uint32_t flags,
                                 tarn_pin_class *pin_class);
    /* G(pin). */
    void (*host_unregister)(void *p, void *ptr, uint64_t size);

    /* G(peer). */
    bool (*peer_can)(void *p, int device, int peer);
    /* G(peer). Plain memory of `peer`, existing and future, becomes (in)accessible to `device`. It
     * is not so already. */
    tarn_status (*peer_set)(void *p, int device, int peer, bool enabled);

    /* M. */
    tarn_status (*stream_create)(void *p, int device, void **stream);
    /* M. All its work is done. */
    void (*stream_destroy)(void *p, void *stream);
    /* M. DEVICE_FAULT is sticky; its text is recorded at each call that reports it. */
    tarn_status (*stream_synchronize)(void *p, void *stream);
    /* M. NOT_READY without an error text. */
    tarn_status (*stream_query)(void *p, void *stream);
    /* M. */
    tarn_status (*stream_wait)(void *p, void *stream, void *event);
    /* M. fn(arg) runs on a thread of the backend or of the caller. */
    tarn_status (*stream_call)(void *p, void *stream, void (*fn)(void *), void *arg);
    /* M. Waits for all streams of the device; OK even if some carry a sticky error. */
    tarn_status (*device_synchronize)(void *p, int device);

    /* M. */
    tarn_status (*event_create)(void *p, void **event);
    /* M. Legal while a record of it is pending. */
    void (*event_destroy)(void *p, void *event);
    /* M. */
    tarn_status (*event_record)(void *p, void *event, void *stream);
    /* M. OK when never recorded; NOT_READY without an error text. */
    tarn_status (*event_query)(void *p, void *event);
    /* M. */
    tarn_status (*event_synchronize)(void *p, void *event);
    /* M. BAD_ARGUMENT: never recorded; NOT_READY. */
    tarn_status (*event_elapsed)(void *p, void *start, void *end, int64_t *elapsed_ns);

    /* M. `stream` NULL: done when it returns, on desc->device, not waiting for streams. */
    tarn_status (*copy)(void *p, void *stream, const tarn_backend_copy *desc);
    /* M. The same. */
    tarn_status (*fill)(void *p, void *stream, const tarn_backend_fill *desc);

    /* O. Returns cached memory to the system. */
    tarn_status (*trim)(void *p, int device);
    /* O. Zeros when absent. */
    void (*counters)(void *p, tarn_backend_counters *counters);
    /* O. Walks its own books; CORRUPT with a text. OK when absent. */
    tarn_status (*check)(void *p);
    /* O. Around fork(): before it (take every lock), and after it in parent and child (locks,
     * threads). */
    void (*fork_prepare)(void *p);
    void (*fork_parent)(void *p);
    void (*fork_child)(void *p);

    /* G(memory_share). Of the block of plain memory at addr, for which `size` bytes were asked; no
     * work of the platform runs. The same key each time. May move the bytes, not the address. */
    tarn_status (*memory_export)(void *p, int device, tarn_addr addr, uint64_t size,
                                 tarn_memory_key *key);
    /* G(memory_share). `key` is whatever the caller was handed. A new address each time, readable
     * and writable by device and enabled peers; not counted as capacity. `size` as the exporter
     * asked for it. */
    tarn_status (*memory_import)(void *p, int device, const tarn_memory_key *key, tarn_addr *addr,
                                 uint64_t *size);
    /* G(memory_share). Cannot fail. */
    void (*memory_close)(void *p, int device, tarn_addr addr);

    /*
     * G(array). The description is good, its `layers` at least 1. Each tile, page of a tail or
     * deferred array that array_map is to map carries one reference to its phys, which the backend
     * has from the call on if that succeeds. It gives references back by let_go(owner, count), once
     * no work can use that memory through the tile any more; at once if the memory stays good for
     * its work by other means. let_go is called with no lock held, on any thread, also from within
     * slots of this group and those that wait.
     */
    tarn_status (*array_create)(void *p, int device, const tarn_array_desc *desc,
                                void (*let_go)(void *owner, uint64_t count), void **array,
                                tarn_backend_array_info *info);
    /* G(array). No work uses it. Gives back what is left. Cannot fail. */
    void (*array_destroy)(void *p, void *array);
    /* G(array). Checked against the arrays and the sizes of the memory; `stream` is of the device
     * of all arrays. NULL: done when it returns. The list is copied. All or nothing. */
    tarn_status (*array_map)(void *p, void *stream, const tarn_backend_array_item *items,
                             size_t count);
    /* G(array). Bounds and rights were checked; whether a deferred array is mapped is checked when
     * it runs. `stream` as in copy. */
    tarn_status (*array_copy)(void *p, void *stream, const tarn_backend_array_copy *desc);

    /* O. As memory_alloc; memory_free ends it. Tells the class obtained. UNSUPPORTED when absent.
     */
    tarn_status (*memory_alloc_with)(void *p, int device, const tarn_backend_memory *desc,
                                     tarn_addr *addr, tarn_page_class *page_class);

    /* G(wait_until). As the waits without a deadline, which is in nanoseconds of the monotonic
     * clock; UINT64_MAX never comes, 0 has passed. TIMED_OUT, without an error text: not done by
     * then, and nothing worse to tell. */
    tarn_status (*stream_synchronize_until)(void *p, void *stream, uint64_t deadline_ns);
    /* G(wait_until). */
    tarn_status (*event_synchronize_until)(void *p, void *event, uint64_t deadline_ns);
    /* G(wait_until). */
    tarn_status (*device_synchronize_until)(void *p, int device, uint64_t deadline_ns);

    /* O. exported->type is TOKEN, the pids are 0 (all) and up. UNSUPPORTED when absent, and below.
     */
    tarn_status (*phys_allow)(void *p, const tarn_shareable *exported, const int *pids,
                              size_t count);
    /* O. `key` is whatever the caller was handed. */
    tarn_status (*memory_allow)(void *p, const tarn_memory_key *key, const int *pids, size_t count);

    /* O. A stream of ours over `native`, one of the vendor's that somebody else made and keeps;
     * NULL is the vendor's default stream. For the other slots it is a stream like any other, but
     * that stream_destroy forgets it and leaves the vendor's alone. A software device, where nobody
     * else makes streams, creates one of its own. UNSUPPORTED when absent. */
    tarn_status (*stream_wrap)(void *p, int device, void *native, void **stream);
} tarn_backend;

/*
 * Adds a backend to those that device names can begin with; `backend` must stay valid for ever. The
 * library's own are there already. BAD_ARGUMENT: NULL, no or a taken name, wrong abi, a mandatory
 * slot missing, part of a group; the text names the slot. NO_HANDLES: too many backends.
 */
TARN_API tarn_status tarn_backend_register(const tarn_backend *backend);

/* For backends outside the library: records the calling thread's failure (see tarn_last_error) and
 * returns status. */
TARN_API tarn_status tarn_backend_fail(tarn_status status, const char *call, int64_t native_code,
                                       const char *format, ...) TARN_PRINTF(4, 5);

#ifdef __cplusplus
}
#endif
#endif
