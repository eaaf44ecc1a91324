// SPDX-License-Identifier: Apache-2.0
// A platform of a vendor's cards, and the slots of its back-end, the same for every vendor. Whoever
// opened it owns it. An adapter's table is
//
//     static tarn_status platform_open(const char *options, void **p) {
//         return tn_vendor_open(&driver, options, p);
//     }
//     const tarn_backend tn_backend_hip = {TN_VENDOR_SLOTS, .name = "hip", .summary = "...",
//                                          .platform_open = platform_open};
//
// Books are kept beside the vendor's, because undoing needs them: what has an address (ranges) and
// what is mapped where with which rights (maps). Their lock is held for a look or a change, and
// never across a call of the vendor's library; so no lock of ours waits for one of theirs.
#ifndef TARN_BACKEND_VENDOR_CARD_H
#define TARN_BACKEND_VENDOR_CARD_H

#include "algo/interval.h"
#include "backend/vendor/driver.h"
#include "base/atomic.h"
#include "base/lock.h"
#include "base/options.h"

#define TN_VENDOR_DEVICES_MAX 31 // the core keeps the rights of a mapping in one word

struct tn_vendor_config {
    char library[TN_OPTION_PATH_TEXT];
    uint64_t memory;      // at most so much of each device; 0: all of it
    uint64_t granularity; // at least; 0: the vendor's
    bool ordered;         // plain memory from the vendor's stream-ordered pool
};

struct tn_vendor_device {
    struct tn_vendor_device_info about;
    uint64_t total; // bytes of memory that may be used
    uint32_t features;
    uint32_t shareable;    // TARN_SHAREABLE_
    void *pool;            // of the vendor's, for plain memory; NULL: there is none
    char vmm[96];          // "works", or why not
    _Atomic uint64_t used; // bytes that count against `memory`; relaxed, a sum
    _Atomic(struct tn_vendor_stream *) aside; // for work without a stream; made when first needed
};

enum tn_vendor_kind {
    TN_VENDOR_SPACE,  // a reservation
    TN_VENDOR_PLAIN,  // plain device memory
    TN_VENDOR_PINNED, // memory of the CPU, the vendor's or registered
};

struct tn_vendor_owner {
    bool known;
    bool host; // memory of the CPU
    bool imported;
    int device; // -1: none
};

// What has an address: the value of an entry of `ranges`.
struct tn_vendor_range {
    enum tn_vendor_kind kind;
    int device;                  // of plain memory
    struct tn_vendor_owner tied; // a reservation of a vendor with `one_owner`: to its first memory
    uint64_t native;             // the vendor's address, when ours lies inside of it
    uint64_t bytes;              // the vendor's size
    uint64_t charged;            // against `memory`
};

// A name of physical memory.
struct tn_vendor_phys {
    uint64_t handle;
    uint64_t bytes;
    uint64_t charged;
    bool host;
    bool imported;
    int device; // the owner; -1 in memory of the CPU

    // Under the platform's lock.
    uint64_t token;              // once exported by one
    unsigned names;              // this one, if it is alive, and those that are twins of it
    struct tn_vendor_phys *twin; // whose handle it is, of an import of our own token
    struct tn_vendor_phys *next; // of the platform's list of those with a token
};

// The value of an entry of `maps`. Rights: two bits for each location, the CPU first.
struct tn_vendor_mapping {
    struct tn_vendor_phys *phys;
    uint64_t rights;
};

// A host function on its way, from stream_call() until it ran or its stream goes.
struct tn_vendor_call;

struct tn_vendor_stream {
    struct tn_vendor *vendor;
    struct tn_vendor_stream *next, *prev; // of the platform's list
    unsigned refs;                        // under the platform's lock: its owner's, and who waits
    int device;
    void *native;
    bool borrowed;        // made by somebody else, who keeps it
    struct tn_mutex lock; // guards `calls`
    struct tn_vendor_call *calls;
    struct tn_mutex staging; // held while pieces of one copy are given; guards `stage`
    void *stage;             // pinned memory for them: see stage.c. NULL: none yet
    _Atomic bool faulted;    // release after the two below are written once, acquire before a look
    _Atomic bool faulting;
    int64_t code;
    const char *call;
};

// One thread of ours for each host function that runs: see calls.c.
struct tn_vendor_calls {
    struct tn_mutex lock; // guards the rest
    struct tn_cond given; // to threads: there is a call, or an end
    struct tn_cond done;  // to the vendor's threads: a call is over
    struct tn_vendor_call *queue;
    unsigned idle;    // threads that wait for a call
    unsigned threads; // all of them
    bool ending;
};

struct tn_vendor {
    const struct tn_vendor_driver *driver; // constant, as all down to `devices`
    void *d;
    struct tn_vendor_loaded *loaded; // whose these are: see card.c
    const struct tn_library *library;
    struct tn_vendor_config config;
    struct tn_options options;
    char version[24];
    int count;
    uint64_t granularity; // of the platform: the largest
    struct tn_vendor_device devices[TN_VENDOR_DEVICES_MAX];

    struct tn_mutex lock; // guards the rest down to `streams`
    struct tn_interval ranges;
    struct tn_interval maps;
    struct tn_vendor_stream *streams;
    struct tn_vendor_phys *tokens; // memory that was exported by a token

    struct tn_vendor_calls calls;
};

// ---- card.c

// Opens the library and a platform of its devices. UNSUPPORTED: no library, or functions are
// missing. BAD_DEVICE: it has no devices. `driver` is constant.
tarn_status tn_vendor_open(const struct tn_vendor_driver *driver, const char *options, void **p);

// ---- failures and the current device (native.c)

// A device current on this thread, from begin to end. Calls of the driver go in between.
struct tn_vendor_scope {
    struct tn_vendor *vendor;
    struct tn_vendor_saved saved;
};
tarn_status tn_vendor_enter(struct tn_vendor *vendor, int device, struct tn_vendor_scope *scope);
void tn_vendor_leave(struct tn_vendor_scope *scope);

// Records a refusal. `wrong` is told where the vendor says that an argument was wrong, `scarce`
// where it is out of memory.
__attribute__((cold)) tarn_status tn_vendor_status(const struct tn_vendor *vendor,
                                                   struct tn_native answer, tarn_status wrong,
                                                   tarn_status scarce, const char *format, ...)
    TARN_PRINTF(5, 6);

static inline bool tn_native_ok(struct tn_native answer) {
    return answer.code == 0;
}

// ---- books (books.c)

static inline unsigned tn_vendor_shift(bool host, int device) {
    return host ? 0u : 2u * (unsigned)device + 2u;
}

// Takes bytes of a device's share. NO_DEVICE_MEMORY with a text.
tarn_status tn_vendor_charge(struct tn_vendor *vendor, int device, uint64_t bytes);
void tn_vendor_uncharge(struct tn_vendor *vendor, int device, uint64_t bytes);

// The entry that holds the address; copies it out. False: none does.
bool tn_vendor_range_find(struct tn_vendor *vendor, tarn_addr addr, struct tn_vendor_range *range,
                          tarn_addr *start);
// NO_HOST_MEMORY with a text.
tarn_status tn_vendor_range_insert(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_range *range);
// Takes the entry that begins there out. It is there.
struct tn_vendor_range tn_vendor_range_remove(struct tn_vendor *vendor, tarn_addr addr);
void tn_vendor_ranges_fini(struct tn_vendor *vendor);

// ---- probe.c

// What the device can do, by doing it. Fills about, total, features and vmm.
tarn_status tn_vendor_probe(struct tn_vendor *vendor, int device);

// ---- streams (stream.c), and host functions (calls.c)

tarn_status tn_vendor_stream_new(struct tn_vendor *vendor, int device,
                                 struct tn_vendor_stream **stream);
void tn_vendor_stream_release(struct tn_vendor_stream *stream); // the last one ends it
// Turns what a call about a stream gave into a status; remembers a fault for good. NOT_READY and
// TIMED_OUT are without a text.
tarn_status tn_vendor_stream_answer(struct tn_vendor_stream *stream, struct tn_native answer,
                                    const char *what);
// The same of a call that waits or asks: what the vendor cannot explain there is failed work.
tarn_status tn_vendor_stream_wait_answer(struct tn_vendor_stream *stream, struct tn_native answer);
// From now on the stream has failed, unless the answer is good. Work of ours ends like this.
void tn_vendor_stream_fault(struct tn_vendor_stream *stream, struct tn_native answer);
// DEVICE_FAULT with its text when the stream has failed before, else OK.
tarn_status tn_vendor_stream_check(struct tn_vendor_stream *stream);

void tn_vendor_calls_init(struct tn_vendor_calls *calls);
void tn_vendor_calls_fini(struct tn_vendor_calls *calls);
// `fn` is a function of the caller's that may use the library; or, when `work` is given, work of
// ours whose failure is the stream's. `size` bytes of `data` are copied for it.
typedef struct tn_native tn_vendor_deferred(struct tn_vendor_stream *stream, const void *data);
tarn_status tn_vendor_defer(struct tn_vendor_stream *stream, tn_vendor_deferred *work,
                            const void *data, size_t size);
void tn_vendor_calls_drop(struct tn_vendor_stream *stream);

// A record for `times` calls of fn(its copy of `data`) in the stream, on the vendor's own threads:
// fn calls nobody and waits for nobody. NULL: no memory, recorded. Given one by one; dropped by
// whoever has given none.
struct tn_vendor_call *tn_vendor_direct_create(struct tn_vendor_stream *stream,
                                               void (*fn)(void *data), const void *data,
                                               size_t size, uint64_t times);
struct tn_native tn_vendor_direct_enqueue(struct tn_vendor_call *call);
void tn_vendor_direct_destroy(struct tn_vendor_call *call);

// ---- copies of memory that nobody has pinned (stage.c)

// Gives a copy in pieces, so that the caller need not wait: `out` says that the CPU's memory is the
// destination. The stream's device is current. OK, or the stream's failure.
tarn_status tn_vendor_copy_staged(struct tn_vendor_stream *stream, const struct tn_vendor_box *box,
                                  bool out);
void tn_vendor_stage_free(struct tn_vendor_stream *stream);
struct tn_native tn_vendor_queue_copy(struct tn_vendor_stream *stream,
                                      const struct tn_vendor_box *box);

// The platform's own stream on a device, for what has none.
tarn_status tn_vendor_internal_stream(struct tn_vendor *vendor, int device,
                                      struct tn_vendor_stream **stream);

// ---- plain memory of the vendor's pools (ordered.c); the device is current for the first

tarn_status tn_vendor_ordered_open(struct tn_vendor *vendor, int device);
void tn_vendor_ordered_close(struct tn_vendor *vendor, int device);
tarn_status tn_vendor_ordered_alloc(struct tn_vendor *vendor, int device, uint64_t size,
                                    tarn_addr *addr);
void tn_vendor_ordered_free(struct tn_vendor *vendor, int device, tarn_addr addr);

// ---- the slots

void tn_vendor_close(void *p);
int tn_vendor_device_count(void *p);
tarn_status tn_vendor_caps(void *p, int device, tarn_backend_caps *caps);
tarn_status tn_vendor_setting(void *p, unsigned index, tarn_setting *setting);
tarn_status tn_vendor_memory_info(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes);
tarn_status tn_vendor_check(void *p);
void tn_vendor_fork_prepare(void *p);
void tn_vendor_fork_done(void *p);

tarn_status tn_vendor_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                              tarn_addr *addr);
void tn_vendor_release(void *p, tarn_addr addr, uint64_t size);

tarn_status tn_vendor_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                  tarn_backend_phys *phys, tarn_backend_phys_info *info);
void tn_vendor_phys_destroy(void *p, tarn_backend_phys phys);
tarn_status tn_vendor_phys_export(void *p, tarn_backend_phys phys, uint32_t type,
                                  tarn_shareable *out);
tarn_status tn_vendor_phys_import(void *p, int device, const tarn_shareable *in,
                                  tarn_backend_phys *phys, tarn_backend_phys_info *info);
tarn_status tn_vendor_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                                 size_t count);

tarn_status tn_vendor_map(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                          size_t count);
tarn_status tn_vendor_unmap(void *p, tarn_addr addr, uint64_t size);
tarn_status tn_vendor_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                 size_t count);

tarn_status tn_vendor_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr);
tarn_status tn_vendor_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                        tarn_addr *addr, tarn_page_class *page_class);
void tn_vendor_memory_free(void *p, int device, tarn_addr addr);
tarn_status tn_vendor_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                                 tarn_pin_class *pin_class);
void tn_vendor_host_free(void *p, void *ptr, uint64_t size);
tarn_status tn_vendor_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                    tarn_pin_class *pin_class);
void tn_vendor_host_unregister(void *p, void *ptr, uint64_t size);
bool tn_vendor_peer_can(void *p, int device, int peer);
tarn_status tn_vendor_peer_set(void *p, int device, int peer, bool enabled);

tarn_status tn_vendor_stream_create(void *p, int device, void **stream);
tarn_status tn_vendor_stream_wrap(void *p, int device, void *native, void **stream);
void tn_vendor_stream_destroy(void *p, void *stream);
tarn_status tn_vendor_stream_synchronize(void *p, void *stream);
tarn_status tn_vendor_stream_synchronize_until(void *p, void *stream, uint64_t deadline_ns);
tarn_status tn_vendor_stream_query(void *p, void *stream);
tarn_status tn_vendor_stream_wait(void *p, void *stream, void *event);
tarn_status tn_vendor_stream_call(void *p, void *stream, void (*fn)(void *), void *arg);
tarn_status tn_vendor_device_synchronize(void *p, int device);
tarn_status tn_vendor_device_synchronize_until(void *p, int device, uint64_t deadline_ns);
tarn_status tn_vendor_event_create(void *p, void **event);
void tn_vendor_event_destroy(void *p, void *event);
tarn_status tn_vendor_event_record(void *p, void *event, void *stream);
tarn_status tn_vendor_event_query(void *p, void *event);
tarn_status tn_vendor_event_synchronize(void *p, void *event);
tarn_status tn_vendor_event_synchronize_until(void *p, void *event, uint64_t deadline_ns);
tarn_status tn_vendor_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns);

tarn_status tn_vendor_copy(void *p, void *stream, const tarn_backend_copy *desc);
tarn_status tn_vendor_trim(void *p, int device);

tarn_status tn_vendor_fill(void *p, void *stream, const tarn_backend_fill *desc);

// Everything but name, summary and platform_open.
#define TN_VENDOR_SLOTS                                                                            \
    .struct_size = sizeof(tarn_backend), .abi = TARN_BACKEND_ABI,                                  \
    .platform_close = tn_vendor_close, .device_count = tn_vendor_device_count,                     \
    .caps = tn_vendor_caps, .setting = tn_vendor_setting, .memory_info = tn_vendor_memory_info,    \
    .reserve = tn_vendor_reserve, .release = tn_vendor_release,                                    \
    .phys_create = tn_vendor_phys_create, .phys_destroy = tn_vendor_phys_destroy,                  \
    .map = tn_vendor_map, .unmap = tn_vendor_unmap, .set_access = tn_vendor_set_access,            \
    .phys_export = tn_vendor_phys_export, .phys_import = tn_vendor_phys_import,                    \
    .phys_allow = tn_vendor_phys_allow, .memory_alloc = tn_vendor_memory_alloc,                    \
    .memory_free = tn_vendor_memory_free, .memory_alloc_with = tn_vendor_memory_alloc_with,        \
    .host_alloc = tn_vendor_host_alloc, .host_free = tn_vendor_host_free,                          \
    .host_register = tn_vendor_host_register, .host_unregister = tn_vendor_host_unregister,        \
    .peer_can = tn_vendor_peer_can, .peer_set = tn_vendor_peer_set,                                \
    .stream_create = tn_vendor_stream_create, .stream_wrap = tn_vendor_stream_wrap,                \
    .stream_destroy = tn_vendor_stream_destroy,                                                    \
    .stream_synchronize = tn_vendor_stream_synchronize,                                            \
    .stream_synchronize_until = tn_vendor_stream_synchronize_until,                                \
    .stream_query = tn_vendor_stream_query, .stream_wait = tn_vendor_stream_wait,                  \
    .stream_call = tn_vendor_stream_call, .device_synchronize = tn_vendor_device_synchronize,      \
    .device_synchronize_until = tn_vendor_device_synchronize_until,                                \
    .event_create = tn_vendor_event_create, .event_destroy = tn_vendor_event_destroy,              \
    .event_record = tn_vendor_event_record, .event_query = tn_vendor_event_query,                  \
    .event_synchronize = tn_vendor_event_synchronize,                                              \
    .event_synchronize_until = tn_vendor_event_synchronize_until,                                  \
    .event_elapsed = tn_vendor_event_elapsed, .copy = tn_vendor_copy, .fill = tn_vendor_fill,      \
    .check = tn_vendor_check, .trim = tn_vendor_trim, .fork_prepare = tn_vendor_fork_prepare,      \
    .fork_parent = tn_vendor_fork_done, .fork_child = tn_vendor_fork_done

#endif
