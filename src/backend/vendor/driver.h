// SPDX-License-Identifier: Apache-2.0
// The table of native calls that an adapter (cuda, hip, ascend) fills. Everything else about a GPU
// or NPU is implemented once, above this table: records, rollback, failures, waits, host functions,
// boxes. The comment at struct tn_vendor_driver lists the rules for an adapter.
#pragma once

#include <tarn/backend.h>

#include "base/library.h"

// The result of a native call. `call` is its name, a static text.
struct tn_native {
    int64_t code; // 0: success
    const char *call;
};
#define TN_NATIVE_OK ((struct tn_native){0, ""})

static inline bool tn_native_ok(struct tn_native answer) { return answer.code == 0; }

// Returned by `copy` and `fill` if the vendor cannot queue the operation. A thread of the platform
// then runs it by copy_now or fill_now, in stream order. No vendor uses this number.
#define TN_NATIVE_DEFER INT64_MIN

// Returned by `copy_box` and `fill_box` if the vendor cannot queue such a box as one operation.
#define TN_NATIVE_ROWS (INT64_MIN + 1)

// The device or context that was current on a thread before `enter`.
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

// The rights of one location. The locations of one call are distinct.
struct tn_vendor_right {
    bool host;  // the host; otherwise `device`
    int device; // ordinal
    tarn_access access;
};

// Physical memory to create.
struct tn_vendor_phys_desc {
    uint64_t bytes;
    bool host;      // host memory: `device` is its NUMA node, or -1
    int device;     // ordinal
    bool shareable; // can be exported, in the one way that the vendor supports
};

struct tn_vendor_box {
    tarn_addr dst;
    tarn_addr src; // copies only
    uint64_t dst_pitch;
    uint64_t src_pitch;
    uint64_t width; // bytes
    uint64_t height;
};

// Rules for an adapter:
//  - A function makes one native call, or a few, and returns its code and its name. It returns no
//    status, writes no error text, and keeps no state besides the loaded function pointers. Code 0
//    means success for every vendor.
//  - A function may be called from any thread, with its device current on that thread (`enter`),
//    and never under a lock of this room.
//  - The outputs of memory_info, peer_can and event_elapsed are undefined after a failure; other
//    functions write theirs on success only.
//  - `d` is the table of native functions that `load` created. It lives as long as the process.
//  - A call that the vendor does not support is a NULL pointer, and its slots then return
//    UNSUPPORTED. load() decides which. The features that users see are found by trying them.
struct tn_vendor_driver {
    const char *name;             // "hip"
    const char *options_variable; // "TARN_HIP": options, as in a device name
    const char *library_variable; // "TARN_HIP_LIBRARY": a path
    const char *const *sonames;   // tried in this order; ends with NULL
    const char *symbol;           // a function that every version of the library has

    // Resolves the functions, starts the vendor's runtime and reads its version. Called once for
    // each library, under a lock. `driver` is a copy of the table for this library: load() sets
    // the properties below, and sets functions to NULL that this version does not support. It
    // records its own failure.
    tarn_status (*load)(const struct tn_library *library, struct tn_vendor_driver *driver,
                        void **d);

    // Releases the resources that `d` holds while platforms use it. Called when the last platform
    // closes; the next one to open acquires it again. NULL: nothing to release.
    void (*idle)(void *d);

    // Properties, set in the table or by load().
    uint32_t version;           // in the vendor's format; shown to users
    bool spans;                 // unmap and set_access accept ranges of many mappings
    bool verify_maps;           // `map` may report success without mapping: call `is_mapped` after
    bool whole_maps;            // an allocation can only be mapped completely
    bool imports_stay;          // imported memory cannot be exported
    bool one_owner;             // a reservation accepts own or imported memory of one device only
    bool grants_owner;          // a new mapping grants all rights to its owner
    bool full_rights_only;      // set_access grants all rights, revokes none, one mapping a call
    uint32_t shareable;         // the TARN_SHAREABLE_ bit of export and import, or 0
    uint32_t features_possible; // HOST_ACCESS and HOST_PHYS are only tried if set here

    // The status of a native code: never OK for a code other than 0. Its name is never NULL.
    tarn_status (*status_of)(int64_t code);
    const char *(*error_name)(void *d, int64_t code);

    struct tn_native (*device_count)(void *d, int *count);
    struct tn_native (*device_info)(void *d, int device, struct tn_vendor_device_info *info);
    struct tn_native (*memory_info)(void *d, uint64_t *free_bytes, uint64_t *total_bytes);

    // Makes a device current on this thread; `leave` restores the previous one.
    struct tn_native (*enter)(void *d, int device, struct tn_vendor_saved *saved);
    void (*leave)(void *d, const struct tn_vendor_saved *saved);

    // Virtual memory: all of these, or `reserve` is NULL.
    struct tn_native (*reserve)(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                tarn_addr *addr);
    struct tn_native (*unreserve)(void *d, tarn_addr addr, uint64_t size);
    struct tn_native (*create)(void *d, const struct tn_vendor_phys_desc *wish, uint64_t *handle);
    struct tn_native (*destroy)(void *d, uint64_t handle);
    struct tn_native (*map)(void *d, tarn_addr addr, uint64_t size, uint64_t handle);
    struct tn_native (*unmap)(void *d, tarn_addr addr, uint64_t size);
    // NULL: there are no rights besides those of `grants_owner`; then full_rights_only is set.
    struct tn_native (*set_access)(void *d, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_right *rights, size_t count);
    struct tn_native (*is_mapped)(void *d, tarn_addr addr); // fails if not; for verify_maps

    // Sharing: both or none. Which field of `out` is set depends on `shareable`.
    struct tn_native (*export)(void *d, uint64_t handle, tarn_shareable *out);
    struct tn_native (*import)(void *d, int device, const tarn_shareable *in, uint64_t *handle);
    struct tn_native (*allow)(void *d, uint64_t token, const int *pids, size_t count);
    // The device that holds imported memory. NULL: the library has no such query.
    struct tn_native (*owner)(void *d, uint64_t handle, int *device);

    struct tn_native (*alloc)(void *d, uint64_t size, tarn_addr *addr); // on the current device
    struct tn_native (*free)(void *d, tarn_addr addr);

    // Stream-ordered memory: all of these, or pool_open is NULL. A pool keeps freed memory until
    // pool_trim. pool_peer lets `peer` use all memory of the pool. pool_free takes memory of any
    // pool.
    struct tn_native (*pool_open)(void *d, int device, void **pool);
    struct tn_native (*pool_close)(void *d, void *pool);
    struct tn_native (*pool_peer)(void *d, void *pool, int peer);
    struct tn_native (*pool_alloc)(void *d, void *pool, void *stream, uint64_t size,
                                   tarn_addr *addr);
    struct tn_native (*pool_free)(void *d, void *stream, tarn_addr addr);
    struct tn_native (*pool_trim)(void *d, void *pool);

    // Pinned host memory: all four or none. Every device reaches it at the same address.
    struct tn_native (*host_alloc)(void *d, uint64_t size, void **ptr);
    struct tn_native (*host_free)(void *d, void *ptr);
    struct tn_native (*host_register)(void *d, void *ptr, uint64_t size);
    struct tn_native (*host_unregister)(void *d, void *ptr);

    // Peers: both or none. Gives the current device access to plain memory of `peer`, or revokes
    // it. Succeeds if nothing has to change.
    struct tn_native (*peer_can)(void *d, int device, int peer, int *can); // 0: no
    struct tn_native (*peer_set)(void *d, int peer, bool enabled);

    // Streams and events of the current device. A stream never waits for the default stream. The
    // queries return a code that means NOT_READY while work is pending.
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
    struct tn_native (*event_elapsed)(void *d, void *start, void *end, float *ms);

    // Waits that end after `ms` milliseconds with a code that means TIMED_OUT. NULL: the vendor
    // has no such waits, so waits with a deadline poll with pauses.
    struct tn_native (*stream_synchronize_for)(void *d, void *stream, int32_t ms);
    struct tn_native (*event_synchronize_for)(void *d, void *event, int32_t ms);

    // Copies and fills. A fill repeats `value` in elements of 1, 2 or 4 bytes; widths are in bytes.
    // copy_box and fill_box are for several rows. If one is NULL or returns TN_NATIVE_ROWS, each row is
    // a call of its own.
    struct tn_native (*copy)(void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes);
    struct tn_native (*copy_box)(void *d, void *stream, const struct tn_vendor_box *box);
    struct tn_native (*fill)(void *d, void *stream, tarn_addr dst, uint32_t value, unsigned element,
                             uint64_t bytes);
    struct tn_native (*fill_box)(void *d, void *stream, const struct tn_vendor_box *box,
                                 uint32_t value, unsigned element);
    // Returns true if `addr` is host memory that is not pinned, so that a copy would block its
    // caller until the stream reaches it. Called for unknown addresses only. NULL: never.
    bool (*is_pageable)(void *d, tarn_addr addr);
    // Complete when they return, and wait for no stream. NULL: the platform's internal stream is
    // used instead.
    struct tn_native (*copy_now)(void *d, tarn_addr dst, tarn_addr src, uint64_t bytes);
    struct tn_native (*fill_now)(void *d, tarn_addr dst, uint32_t value, unsigned element,
                                 uint64_t bytes);
};

// Stores *got as a number, for vendors whose addresses and handles are pointers.
static inline struct tn_native tn_vendor_pointer(struct tn_native answer, void *const *got,
                                                 uint64_t *out) {
    if (tn_native_ok(answer)) *out = (uint64_t)(uintptr_t)*got;
    return answer;
}

// The functions that every adapter defines, as PREFIX_NAME.
#define TN_VENDOR_COMMON_FUNCTIONS(prefix)                                                         \
    .device_count = prefix##_device_count, .device_info = prefix##_device_info,                    \
    .memory_info = prefix##_memory_info, .enter = prefix##_enter, .leave = prefix##_leave,         \
    .reserve = prefix##_reserve, .unreserve = prefix##_unreserve, .create = prefix##_create,       \
    .destroy = prefix##_destroy, .map = prefix##_map, .unmap = prefix##_unmap,                     \
    .set_access = prefix##_set_access, .export = prefix##_export, .import = prefix##_import,       \
    .alloc = prefix##_alloc, .free = prefix##_free, .host_alloc = prefix##_host_alloc,             \
    .host_free = prefix##_host_free, .host_register = prefix##_host_register,                      \
    .host_unregister = prefix##_host_unregister, .peer_can = prefix##_peer_can,                    \
    .peer_set = prefix##_peer_set, .stream_create = prefix##_stream_create,                        \
    .stream_destroy = prefix##_stream_destroy, .stream_synchronize = prefix##_stream_synchronize,  \
    .stream_query = prefix##_stream_query, .stream_wait = prefix##_stream_wait,                    \
    .stream_call = prefix##_stream_call, .device_synchronize = prefix##_device_synchronize,        \
    .event_create = prefix##_event_create, .event_destroy = prefix##_event_destroy,                \
    .event_record = prefix##_event_record, .event_query = prefix##_event_query,                    \
    .event_synchronize = prefix##_event_synchronize, .event_elapsed = prefix##_event_elapsed,      \
    .copy = prefix##_copy, .copy_box = prefix##_copy_box, .fill = prefix##_fill
