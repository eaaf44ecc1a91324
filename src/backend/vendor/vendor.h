// SPDX-License-Identifier: Apache-2.0
// A platform: the devices of one vendor's library, and the back-end slots that all vendors share.
// The caller of tn_vendor_open() owns it. An adapter defines its back-end as
//
//     TN_VENDOR_BACKEND(hip, "AMD GPUs, through libamdhip64")
//
// The platform records address ranges and mappings, because a rollback needs them. Its lock covers
// a look-up or a change of these records and is never held across a native call. README.md lists
// the files.
#pragma once

#include "algo/interval.h"
#include "backend/contract/slots.h"
#include "backend/vendor/driver.h"
#include "base/lock.h"
#include "base/options.h"

#define TN_VENDOR_DEVICES_MAX 31 // the core keeps the rights of a mapping in one word

struct tn_vendor_config {
    char library[TN_OPTION_PATH_TEXT];
    uint64_t memory;      // limit of each device in bytes; 0: no limit
    uint64_t granularity; // minimum; 0: the vendor's
    bool ordered;         // allocate plain memory from the vendor's stream-ordered pool
};

struct tn_vendor_device {
    struct tn_vendor_device_info info;
    uint64_t total; // bytes of memory that may be used
    uint32_t features;
    uint32_t shareable;    // TARN_SHAREABLE_
    void *pool;            // the vendor's pool for plain memory, or NULL
    char vmm[96];          // "works", or the reason why virtual memory management fails
    _Atomic uint64_t used; // bytes charged against `memory`; relaxed, a sum
    _Atomic(struct tn_vendor_stream *) internal; // for work without a stream; NULL until needed
};

struct tn_vendor_owner {
    bool known;
    bool host; // host memory
    bool imported;
    int device; // -1: none
};

// An entry of `ranges`.
struct tn_vendor_range {
    struct tn_vendor_owner tied; // of a reservation with `one_owner`: the owner of its first memory
    uint64_t native;             // start of the vendor's range, which contains ours
    uint64_t bytes;              // size of the vendor's range
    uint64_t charged;            // bytes charged against `memory`
};

// A handle to physical memory.
struct tn_vendor_phys {
    uint64_t handle;
    uint64_t bytes;
    uint64_t charged;
    bool host;
    bool imported;
    int device; // the owner; -1 for host memory

    // Under the platform's lock.
    uint64_t token;              // 0 until exported as a token
    unsigned refs;               // this handle while it is alive, and its twins
    struct tn_vendor_phys *twin; // of an import of the platform's own token: the exported handle
    struct tn_vendor_phys *next; // in the platform's list of handles with a token
};

// An entry of `maps`. `rights` has two bits for each location, the host first.
struct tn_vendor_mapping {
    struct tn_vendor_phys *phys;
    uint64_t rights;
};

// A host function, from stream_call() until it has run or its stream is destroyed.
struct tn_vendor_call;

struct tn_vendor_stream {
    struct tn_vendor *vendor;
    struct tn_vendor_stream *next, *prev; // in the platform's list
    unsigned refs;                        // under the platform's lock: the owner and waiters
    int device;
    void *native;
    bool borrowed;        // wrapped: the native stream belongs to the application
    struct tn_mutex lock; // guards `calls`
    struct tn_vendor_call *calls;
    struct tn_mutex staging; // held while the pieces of one copy are enqueued; guards `stage`
    void *stage;             // pinned memory for them, see stage.c; NULL until needed
    _Atomic bool failed;     // released after the two below are written once; acquire to read them
    _Atomic bool failing;
    int64_t code;
    const char *call;
};

// The threads that run host functions, one call at a time each: see calls.c.
struct tn_vendor_calls {
    struct tn_mutex lock;    // guards the rest
    struct tn_cond enqueued; // to the threads: there is a call, or they must end
    struct tn_cond done;     // to the vendor's threads: a call has finished
    struct tn_vendor_call *queue;
    unsigned idle;    // threads that wait for a call
    unsigned threads; // all of them
    bool ending;
};

struct tn_vendor {
    const struct tn_vendor_driver *driver; // constant, as all down to `devices`
    void *d;
    struct tn_vendor_loaded *loaded; // owner of `driver` and `d`: see platform.c
    const struct tn_library *library;
    struct tn_vendor_config config;
    struct tn_options options;
    char version[24];
    int count;
    uint64_t granularity; // of the platform: the largest of its devices
    struct tn_vendor_device devices[TN_VENDOR_DEVICES_MAX];

    struct tn_mutex lock; // guards the rest down to `tokens`
    struct tn_interval ranges;
    struct tn_interval maps;
    struct tn_vendor_stream *streams;
    struct tn_vendor_phys *tokens; // memory exported as a token

    struct tn_vendor_calls calls;
};

// ---- opening (platform.c)

// For load(): allocates a table of functions of `bytes` bytes and resolves the symbols into it.
// `noun` names the library in an error text. If a symbol has TN_VENDOR_FOR(slot) for `optional` and
// is missing, the slot of the driver becomes NULL. A driver shares memory only if it has both slots.
#define TN_VENDOR_FOR(slot) offsetof(struct tn_vendor_driver, slot)
tarn_status tn_vendor_resolve(struct tn_vendor_driver *driver, const struct tn_library *library,
                              const char *noun, const struct tn_symbol *symbols, size_t count,
                              size_t bytes, void **d);

// Opens the library and a platform of its devices. `driver` is constant. UNSUPPORTED: the library
// or some of its functions are missing. BAD_DEVICE: it has no devices.
tarn_status tn_vendor_open(const struct tn_vendor_driver *driver, const char *options, void **p);

// ---- the current device, and native results (native.c)

// The time during which a device is current on this thread. Native calls are made during that time
// only, and the thread cannot be cancelled then, because drivers open files and wait.
struct tn_vendor_scope {
    struct tn_vendor *vendor;
    int cancel_state; // before
    struct tn_vendor_saved saved;
    struct tn_native answer; // of entering
};

// Makes the device current until tn_vendor_leave(). `enter` records a failure, `try_enter` leaves
// the native result in the scope. `leave` returns `answer`.
tarn_status tn_vendor_enter(struct tn_vendor *vendor, int device, struct tn_vendor_scope *scope);
bool tn_vendor_try_enter(struct tn_vendor *vendor, int device, struct tn_vendor_scope *scope);
struct tn_native tn_vendor_leave(struct tn_vendor_scope *scope, struct tn_native answer);

// The result of one native call with the device current, or of the failure to make it current.
#define TN_VENDOR_ON(vendor, device, call)                                                         \
    __extension__({                                                                                \
        struct tn_vendor_scope call_scope;                                                         \
        tn_vendor_try_enter(vendor, device, &call_scope) ? tn_vendor_leave(&call_scope, call)      \
                                                         : call_scope.answer;                      \
    })

// The same for a call of the driver's table: its name, and the arguments behind `d`.
#define TN_VENDOR_CALL(vendor, device, name, ...)                                                  \
    TN_VENDOR_ON(vendor, device, (vendor)->driver->name((vendor)->d, __VA_ARGS__))

// A declaration: makes the device current until the end of the block. Returns from the enclosing
// function with the status of a failure. One in a block.
#define TN_VENDOR_CURRENT(platform, device)                                                        \
    __attribute__((cleanup(tn_vendor_scope_end))) struct tn_vendor_scope scope = {.vendor = NULL}; \
    TN_TRY(tn_vendor_enter(platform, device, &scope))

static inline void tn_vendor_scope_end(struct tn_vendor_scope *scope) {
    if (scope->vendor != NULL && tn_native_ok(scope->answer))
        (void)tn_vendor_leave(scope, TN_NATIVE_OK);
}

// Converts a result into a status and records a failure with the text. `wrong` replaces
// BAD_ARGUMENT, `scarce` replaces NO_DEVICE_MEMORY.
tarn_status tn_vendor_status(const struct tn_vendor *vendor, struct tn_native answer,
                             tarn_status wrong, tarn_status scarce, const char *format, ...)
    TARN_PRINTF(5, 6);

// ---- address ranges, and the limit of a device (ranges.c); these take the platform's lock

static inline unsigned tn_vendor_shift(bool host, int device) {
    return host ? 0u : 2u * (unsigned)device + 2u;
}

// Charges bytes against the `memory` option. NO_DEVICE_MEMORY, recorded: the limit is reached.
tarn_status tn_vendor_charge(struct tn_vendor *vendor, int device, uint64_t bytes);
void tn_vendor_uncharge(struct tn_vendor *vendor, int device, uint64_t bytes);

// Returns true if the address lies in a range of the platform.
bool tn_vendor_range_contains(struct tn_vendor *vendor, tarn_addr addr);
// NO_HOST_MEMORY, recorded.
tarn_status tn_vendor_range_insert(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_range *range);
// Removes the entry that begins at the address; there must be one.
struct tn_vendor_range tn_vendor_range_remove(struct tn_vendor *vendor, tarn_addr addr);
void tn_vendor_ranges_fini(struct tn_vendor *vendor);

// ---- probing (probe.c)

// Tries which features the device supports. Fills info, total, features and vmm.
tarn_status tn_vendor_probe(struct tn_vendor *vendor, int device);

// ---- streams (stream.c)

tarn_status tn_vendor_stream_new(struct tn_vendor *vendor, int device,
                                 struct tn_vendor_stream **stream);
void tn_vendor_stream_release(struct tn_vendor_stream *stream); // the last reference destroys it
// Finds or creates the platform's own stream of a device, for work without a stream.
tarn_status tn_vendor_internal_stream(struct tn_vendor *vendor, int device,
                                      struct tn_vendor_stream **stream);
// Wait without a limit, by the vendor's call. Statuses of the slots; see wait.c for the slots.
tarn_status tn_vendor_stream_await(void *p, void *stream);
tarn_status tn_vendor_device_await(void *p, int device);
// Converts the result of a call about a stream into a status; stores a failure permanently. Records
// no text for NOT_READY and TIMED_OUT.
tarn_status tn_vendor_stream_answer(struct tn_vendor_stream *stream, struct tn_native answer,
                                    const char *what);
// The same for a wait or a query, where an unknown code means failed work.
tarn_status tn_vendor_stream_wait_answer(struct tn_vendor_stream *stream, struct tn_native answer);
// Marks the stream as failed unless the answer is a success. Deferred work uses this.
void tn_vendor_stream_fail(struct tn_vendor_stream *stream, struct tn_native answer);
// Returns DEVICE_FAILED with its text if the stream has failed before, else OK.
tarn_status tn_vendor_stream_check(struct tn_vendor_stream *stream);

// ---- host functions and deferred work (calls.c)

void tn_vendor_calls_init(struct tn_vendor_calls *calls);
void tn_vendor_calls_fini(struct tn_vendor_calls *calls);
void tn_vendor_calls_drop(struct tn_vendor_stream *stream);
// Runs work(stream, its copy of `data`) on a thread of the platform, in the order of the stream.
// The stream fails if the work does.
typedef struct tn_native tn_vendor_deferred(struct tn_vendor_stream *stream, const void *data);
tarn_status tn_vendor_defer(struct tn_vendor_stream *stream, tn_vendor_deferred *work,
                            const void *data, size_t size);

// Creates a record for `times` calls of fn(its copy of `data`) in the stream, on the vendor's own
// threads: fn must not call the library and must not wait. Returns NULL, recorded, if there is no
// memory. Each enqueue is one call. A record that was never enqueued is dropped by its creator.
struct tn_vendor_call *tn_vendor_direct_create(struct tn_vendor_stream *stream,
                                               void (*fn)(void *data), const void *data,
                                               size_t size, uint64_t times);
struct tn_native tn_vendor_direct_enqueue(struct tn_vendor_call *call);
void tn_vendor_call_drop(struct tn_vendor_call *call);

// ---- copies of memory that is not pinned (stage.c)

// Enqueues a copy in pieces, so that the caller need not wait. `out`: the host memory is the
// destination. `enqueue` enqueues one native copy of pinned memory. The stream's device is current.
// Returns OK, or the stream's failure.
typedef struct tn_native tn_vendor_enqueue_copy(struct tn_vendor_stream *stream,
                                                const struct tn_vendor_box *box);
tarn_status tn_vendor_copy_staged(struct tn_vendor_stream *stream, const struct tn_vendor_box *box,
                                  bool out, tn_vendor_enqueue_copy *enqueue);
void tn_vendor_stage_free(struct tn_vendor_stream *stream);

// ---- the vendor's pools (memory.c)

// Creates the pool of a device if the option `ordered` is set. The device is current.
tarn_status tn_vendor_pool_open(struct tn_vendor *vendor, int device);
void tn_vendor_pool_close(struct tn_vendor *vendor, int device);

// ---- the slots, with the signatures of <tarn/backend.h>

// The groups that adapters have, and those of which they have single slots or none.
#define TN_VENDOR_HAS_M(...)     __VA_ARGS__
#define TN_VENDOR_HAS_VMM(...)   __VA_ARGS__
#define TN_VENDOR_HAS_SHARE(...) __VA_ARGS__
#define TN_VENDOR_HAS_PIN(...)   __VA_ARGS__
#define TN_VENDOR_HAS_PEER(...)  __VA_ARGS__
#define TN_VENDOR_HAS_O(...)
#define TN_VENDOR_HAS_FORK(...)
#define TN_VENDOR_HAS_MEMORY_SHARE(...)
#define TN_VENDOR_HAS_ARRAY(...)

// All slots but platform_open and two about fork: X(slot, group, ...).
#define TN_VENDOR_SLOT_LIST(X)                                                                     \
    TN_BACKEND_STATUS_SLOTS(X)                                                                     \
    TN_BACKEND_VOID_SLOTS(X)                                                                       \
    X(platform_close, M, )                                                                         \
    X(device_count, M, )                                                                           \
    X(setting, M, )                                                                                \
    X(peer_can, M, )                                                                               \
    X(trim, M, )                                                                                   \
    X(check, M, )                                                                                  \
    X(fork_prepare, M, )                                                                           \
    X(memory_alloc_with, M, )                                                                      \
    X(phys_allow, M, )                                                                             \
    X(stream_wrap, M, )

#define TN_VENDOR_DECLARE(slot, group, ...)                                                        \
    TN_VENDOR_HAS_##group(TN_BACKEND_SLOT_TYPE(slot) tn_vendor_##slot;)
TN_VENDOR_SLOT_LIST(TN_VENDOR_DECLARE)
#undef TN_VENDOR_DECLARE
void tn_vendor_fork_done(void *p); // in the parent and in the child

// All members of a tarn_backend except name, summary and platform_open.
#define TN_VENDOR_FILL(slot, group, ...) TN_VENDOR_HAS_##group(.slot = tn_vendor_##slot, )
#define TN_VENDOR_SLOTS                                                                            \
    TN_VENDOR_SLOT_LIST(TN_VENDOR_FILL).struct_size = sizeof(tarn_backend),                        \
    .abi = TARN_BACKEND_ABI, .fork_parent = tn_vendor_fork_done, .fork_child = tn_vendor_fork_done

// Defines the back-end tn_backend_NAME of an adapter, whose table is `driver`.
#define TN_VENDOR_BACKEND(vendor, text)                                                            \
    static tarn_status platform_open(const char *options, void **p) {                              \
        return tn_vendor_open(&driver, options, p);                                                \
    }                                                                                              \
    const tarn_backend tn_backend_##vendor = {TN_VENDOR_SLOTS, .name = #vendor, .summary = (text), \
                                              .platform_open = platform_open};
