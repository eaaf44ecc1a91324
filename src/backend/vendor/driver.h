// SPDX-License-Identifier: Apache-2.0
// What a vendor's library is asked for, in one shape for all vendors. An adapter (cuda, hip,
// ascend) fills one table of thin functions; everything else about a card - books, undoing, faults,
// waits, host functions, boxes - is done once, in this room, above that table.
//
// Rules for an adapter:
//  - a function makes one native call, or few, and returns its code and its name: no status, no
//    text, no state of its own beside the pointers it has loaded. 0 is good for every vendor;
//  - it is called with the device it is about made current on the thread (`enter`), from any
//    thread, and never under a lock of this room;
//  - outputs are written on success only;
//  - `d` is what `load` gave: the table of native functions. It lives as long as the process;
//  - what the vendor does not have is a NULL pointer here, and its slots then say UNSUPPORTED.
//    load() decides which; the features told to users are found by trying, above this table.
#ifndef TARN_BACKEND_VENDOR_DRIVER_H
#define TARN_BACKEND_VENDOR_DRIVER_H

#include <tarn/backend.h>

#include "base/library.h"

// What a native call returned. `call` is its name, static text.
struct tn_native {
    int64_t code; // 0 is good
    const char *call;
};
#define TN_NATIVE_OK ((struct tn_native){0, ""})

// Of `copy` and `fill`: the vendor cannot queue this one. It is then done by copy_now or fill_now
// on a thread of ours, in the order of the stream. No vendor has this number.
#define TN_NATIVE_DEFER INT64_MIN

// What was current on a thread before `enter`.
struct tn_vendor_saved {
    int device;
    void *context;
    bool changed;
};

struct tn_vendor_device_info {
    char name[64];
    uint64_t granularity_minimum; // 0: no virtual memory management
    uint64_t granularity_recommended;
};

// Rights of a location, as the vendor is told. Locations of a call differ from each other.
struct tn_vendor_right {
    bool host;  // else `device`
    int device; // ordinal
    tarn_access access;
};

// Memory to be created.
struct tn_vendor_phys_desc {
    uint64_t bytes;
    bool host;      // in memory of the CPU: `device` is -1, or a node of it
    int device;     // ordinal
    bool shareable; // may leave the process, by the one way the vendor has
};

struct tn_vendor_box {
    tarn_addr dst;
    tarn_addr src; // of a copy
    uint64_t dst_pitch;
    uint64_t src_pitch;
    uint64_t width; // bytes
    uint64_t height;
};

struct tn_vendor_driver {
    const char *name;             // "hip"
    const char *options_variable; // "TARN_HIP": options, as in a device name
    const char *library_variable; // "TARN_HIP_LIBRARY": a path
    const char *const *sonames;   // to be tried in turn; ends with NULL
    const char *symbol;           // a function that every version of the library has

    // Resolves the functions, starts the vendor's runtime, and looks at its version. Called once
    // for each library, under a lock. *d lives for ever. May change `driver`, a copy that belongs
    // to the library: pointers to NULL for what this version lacks, and the facts below. Records
    // its own failure.
    tarn_status (*load)(const struct tn_library *library, struct tn_vendor_driver *driver,
                        void **d);

    // No platform uses `d` now: lets go of what it holds for them. Comes again to what it needs
    // when one is opened. NULL: holds nothing.
    void (*rest)(void *d);

    // Facts, set in the table or by load().
    uint32_t version;      // as the vendor counts; for people
    bool spans;            // unmap and set_access take runs of many mappings
    bool verify_maps;      // success of map proves nothing: ask `is_mapped` behind it
    bool whole_maps;       // memory can be mapped whole only
    bool one_owner;        // a reservation takes own or imported memory of one device, for good
    bool grants_owner;     // a mapping has all rights for its owner from the start
    bool full_rights_only; // set_access gives all rights, and takes none back; one mapping a call
    uint32_t shareable;    // TARN_SHAREABLE_ bit of export and import, or 0
    uint32_t features_possible; // HOST_ACCESS and HOST_PHYS are tried only if they are here

    // What a native code means; never OK for a code that is not 0. Names it, never NULL.
    tarn_status (*status_of)(int64_t code);
    const char *(*error_name)(void *d, int64_t code);

    struct tn_native (*device_count)(void *d, int *count);
    struct tn_native (*about)(void *d, int device, struct tn_vendor_device_info *about);
    struct tn_native (*memory_info)(void *d, uint64_t *free_bytes, uint64_t *total_bytes);

    // Makes a device current on this thread, and puts back what was.
    struct tn_native (*enter)(void *d, int device, struct tn_vendor_saved *saved);
    void (*leave)(void *d, const struct tn_vendor_saved *saved);

    // Virtual memory: all of it or nothing.
    struct tn_native (*reserve)(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                tarn_addr *addr);
    struct tn_native (*unreserve)(void *d, tarn_addr addr, uint64_t size);
    struct tn_native (*create)(void *d, const struct tn_vendor_phys_desc *wish, uint64_t *handle);
    struct tn_native (*destroy)(void *d, uint64_t handle);
    struct tn_native (*map)(void *d, tarn_addr addr, uint64_t size, uint64_t handle);
    struct tn_native (*unmap)(void *d, tarn_addr addr, uint64_t size);
    // NULL: there are no rights beside those that `grants_owner` tells of; then full_rights_only.
    struct tn_native (*set_access)(void *d, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_right *rights, size_t count);
    struct tn_native (*is_mapped)(void *d, tarn_addr addr); // verify_maps: an error if not

    // Sharing: both or none. *fd or *token, by what `shareable` says. Import takes either.
    struct tn_native (*export)(void *d, uint64_t handle, tarn_shareable *out);
    struct tn_native (*import)(void *d, int device, const tarn_shareable *in, uint64_t *handle);
    struct tn_native (*allow)(void *d, uint64_t token, const int *pids, size_t count);
    // The device that imported memory lies on. NULL: the library does not tell.
    struct tn_native (*owner)(void *d, uint64_t handle, int *device);

    struct tn_native (*alloc)(void *d, uint64_t size, tarn_addr *addr); // on the current device
    struct tn_native (*free)(void *d, tarn_addr addr);

    // Memory in the order of streams: all or none. A pool keeps what is freed until it is trimmed.
    // `peer` may use all of it from then on. What is freed was allocated from some pool.
    struct tn_native (*pool_open)(void *d, int device, void **pool);
    struct tn_native (*pool_close)(void *d, void *pool);
    struct tn_native (*pool_peer)(void *d, void *pool, int peer);
    struct tn_native (*pool_alloc)(void *d, void *pool, void *stream, uint64_t size,
                                   tarn_addr *addr);
    struct tn_native (*pool_free)(void *d, void *stream, tarn_addr addr);
    struct tn_native (*pool_trim)(void *d, void *pool);

    // Pinned memory of the CPU: all four or none. Reached by every device at the same address.
    struct tn_native (*host_alloc)(void *d, uint64_t size, void **ptr);
    struct tn_native (*host_free)(void *d, void *ptr);
    struct tn_native (*host_register)(void *d, void *ptr, uint64_t size);
    struct tn_native (*host_unregister)(void *d, void *ptr);

    // Peers: both or none. The current device gets, or loses, its way to plain memory of `peer`.
    // That it is so already is no error.
    struct tn_native (*peer_can)(void *d, int device, int peer, bool *can);
    struct tn_native (*peer_set)(void *d, int peer, bool enabled);

    // Streams and events of the current device. A stream never waits for the default stream.
    // `query`: a code that means NOT_READY.
    struct tn_native (*stream_create)(void *d, void **stream);
    struct tn_native (*stream_destroy)(void *d, void *stream);
    struct tn_native (*stream_synchronize)(void *d, void *stream);
    struct tn_native (*stream_query)(void *d, void *stream);
    struct tn_native (*stream_wait)(void *d, void *stream, void *event);
    struct tn_native (*stream_call)(void *d, void *stream, void (*fn)(void *), void *arg);
    struct tn_native (*device_synchronize)(void *d);
    struct tn_native (*event_create)(void *d, void **event);
    struct tn_native (*event_destroy)(void *d, void *event);
    struct tn_native (*event_record)(void *d, void *event, void *stream);
    struct tn_native (*event_query)(void *d, void *event);
    struct tn_native (*event_synchronize)(void *d, void *event);
    struct tn_native (*event_elapsed)(void *d, void *start, void *end, int64_t *ns);

    // Waits that end after so many milliseconds with a code that means TIMED_OUT. NULL: the vendor
    // has none, and who waits until a deadline asks again and again, with pauses.
    struct tn_native (*stream_synchronize_for)(void *d, void *stream, int32_t ms);
    struct tn_native (*event_synchronize_for)(void *d, void *event, int32_t ms);

    // Moving. One row is height 1. fill: `value` in elements of 1, 2 or 4 bytes, width in bytes;
    // fill_box, for more rows than one, may be NULL, and then rows are filled one by one.
    struct tn_native (*copy)(void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes);
    struct tn_native (*copy_box)(void *d, void *stream, const struct tn_vendor_box *box);
    struct tn_native (*fill)(void *d, void *stream, tarn_addr dst, uint32_t value, unsigned element,
                             uint64_t bytes);
    struct tn_native (*fill_box)(void *d, void *stream, const struct tn_vendor_box *box,
                                 uint32_t value, unsigned element);
    // Whether copies hold the caller up until the stream comes to them because this is memory of
    // the CPU that nobody has pinned. Asked of places that this room does not know. NULL: never so.
    bool (*is_pageable)(void *d, tarn_addr addr);
    // Done when they return, and waiting for no stream. NULL: a stream of ours is used for it.
    struct tn_native (*copy_now)(void *d, tarn_addr dst, tarn_addr src, uint64_t bytes);
    struct tn_native (*fill_now)(void *d, tarn_addr dst, uint32_t value, unsigned element,
                                 uint64_t bytes);
};

#endif
