// SPDX-License-Identifier: Apache-2.0
// The checker's model of memory: domains, heaps, the regions in them, and a ring of ended regions,
// all by (space, device, address). A process has one model. It is built on first use and never torn
// down. Findings are collected under its locks and reported after their release, because a report
// may print, end the program or look up symbols.
//
// The model is divided into shards with a lock each. A heap belongs to one shard, and its regions
// with it. A call holds all locks, or that of one shard: then it changes only regions of that shard
// and reads heaps, domains and planes, which change under all locks. A shard begins with the pool
// that needs it, so a program with one pool has one lock.
//
// Every event is one call:
//
//     struct tn_check_call call;
//     if (tn_check_call_begin(&call, "freed", true)) {
//         ... change the model, tn_check_call_report(&call, ...) for each finding ...
//         tn_check_call_end(&call);
//     }
#pragma once

#include <tarn/rule.h>

#include "algo/slots.h"
#include "annotate/mem_event.h"
#include "base/pages.h"
#include "check/addresses.h"
#include "check/cover.h"
#include "check/report/report.h"
#include "check/written.h"

#define TN_CHECK_ANY_DEVICE (-1) // as the device of a heap or range: matches every device

enum tn_check_permission {
    TN_CHECK_MAY_READ = 1,
    TN_CHECK_MAY_WRITE = 2,
    TN_CHECK_MAY_SHARE = 4,
    TN_CHECK_MAY_ALL = 7
};

struct tn_check_domain {
    const char *name; // interned; never freed
    uint64_t handle;  // 0 for the global domain, or for a domain that only memory events name
    struct tn_check_domain *next;
    uint64_t heaps;                // live ones
    _Atomic uint64_t unnamed_ends; // of regions in a quirk domain, by handles that name none
    bool quirk;                    // its heaps are statistics, see the option quirk_domains
    bool rounds;                   // its regions have rounded sizes, see the option rounded_domains
    bool destroyed;
    bool destroyed_reported; // a use after the end is reported once
};

// The thread and the stack of a call.
struct tn_check_origin {
    uint32_t thread;
    tn_stack_id stack;
    uint64_t event; // the number of the call, or 0 if there was none
};

enum tn_check_end {
    TN_CHECK_END_NOT,    // it is live
    TN_CHECK_END_CALL,   // a call ended it
    TN_CHECK_END_HEAP,   // the heap around it ended
    TN_CHECK_END_PARENT, // the region around its heap ended
    TN_CHECK_END_BACKING // the memory beneath it was freed
};

struct tn_check_heap {
    struct tn_check_span span; // first member; in the cover of the plane, unless it is empty
    uint64_t serial;
    uint64_t handle; // 0 if it has none
    uint64_t lo;
    uint64_t hi;
    struct tn_check_plane *plane;
    struct tn_check_domain *domain;
    struct tn_check_shard *shard;
    struct tn_check_cover live;     // the live regions, clipped to this heap
    struct tn_check_region *parent; // the live region around it
    struct tn_check_heap *outer;    // the heap around it
    struct tn_check_heap *newer;    // in the list of live or of ended heaps
    struct tn_check_heap *older;
    const char *name;
    uint64_t object; // the pool, in the emitting image
    uint64_t live_bytes;
    uint64_t live_regions;
    uint32_t inner;   // live heaps whose `outer` is this one
    uint32_t aliases; // further registrations of the same range
    tarn_rule rule;   // how clients must place its regions; zeros: anywhere
    uint64_t room;    // where the padding of its last region must end
    int32_t device;
    bool aliased_domain; // another domain registered it as well
    bool crossed;        // overlaps a heap that is neither around it nor an inner one, or did once
    bool host_can;       // instructions of this process can access the backed bytes
    bool forwarded;      // reported to other subscribers, see forward.c
    bool mapped;         // if forwarded: this process maps its range
    bool from_event;     // of a memory event: requested sizes and accesses are known
    bool spaced;         // its regions need more bytes than they have: a rule or a client says so
    bool given;          // the program owns the memory beneath, not a pool of Tarn
    enum tn_check_end end;
    struct tn_check_origin begun;
    struct tn_check_origin ended;
};

struct tn_check_region {
    uint64_t lo; // as registered
    uint64_t hi;
    uint64_t serial;
    uint64_t handle; // 0 if it has none
    struct tn_check_domain *domain;
    const char *name;
    struct tn_check_origin begun;
    struct tn_check_origin ended;
    uint64_t heap_serial; // 0 if in no heap
    uint32_t generation;  // the number of regions at this address so far
    uint32_t space;
    int32_t device;
    uint8_t end;     // enum tn_check_end
    bool from_event; // of a memory event
    // The record of an ended region stops here: it has none of the members below.
    struct tn_check_span span;  // clipped to the heap and in its cover, unless empty
    struct tn_check_heap *heap; // NULL if in no heap
    struct tn_check_plane *plane;
    struct tn_check_shard *shard;
    struct tn_check_address *history;   // of the address `lo`
    struct tn_check_region *same_start; // the next older live region at this address
    uint64_t taken; // bytes of the heap or plain memory that it occupies, at least hi - lo
    struct tn_check_region *newer;
    struct tn_check_region *older;
    uint64_t step;   // the step of the program in which it began
    uint32_t nested; // live heaps inside it
    uint8_t permission;
    bool host_can; // instructions of this process can access its bytes
    bool seen;     // every access to it is an event
    bool sealed;   // see seal.h
    bool ordered;  // work on streams may use its bytes before it begins or after it ends
    bool canary;   // the bytes beside it are filled
    bool own;      // a client divides memory by it; false for blocks of a pool of Tarn
    bool array;    // its addresses are numbers of elements
    bool lost;     // its contents, or a part of them, were discarded
    struct tn_check_run seals; // the seals are at the ends of these bytes
    struct tn_check_written written;
    struct tn_check_origin permitted; // the call that assigned the permission
};

// Bytes of a region that a copy inside devices overwrote with unwritten ones; see carry.h.
struct tn_check_carried_bytes {
    uint64_t lo;
    uint64_t hi;
    struct tn_check_run seal;         // a seal that came with them, or a part of one; empty: none
    uint8_t seal_from;                // the first byte of the pattern that it has
    uint64_t serial;                  // of the region in which nothing wrote the bytes
    struct tn_check_origin allocated; // that region
    struct tn_check_origin copied;
};

enum { TN_CHECK_CARRIED = 6 }; // of one region; the oldest is forgotten

struct tn_check_carried {
    struct tn_check_carried_bytes bytes[TN_CHECK_CARRIED];
    unsigned count; // the newest is last
};

// Records of live regions, which are never freed. A slab is one huge page, so that records which have
// left the processor's caches do not cost a look-up in the page tables as well.
struct tn_check_slab {
    struct tn_check_slab *next;
    uint64_t used;
    struct tn_check_region record[];
};

enum {
    TN_CHECK_SLAB_RECORDS =
        (TN_HUGE_PAGE - sizeof(struct tn_check_slab)) / sizeof(struct tn_check_region),
    TN_CHECK_ENDED_BYTES =
        offsetof(struct tn_check_region, span) // of the record of an ended region
};

// All heaps of one device in one space.
struct tn_check_plane {
    uint32_t space;
    int32_t device;
    struct tn_check_cover heaps;
    struct tn_check_cover loose; // regions in no heap
    struct tn_check_plane *next;
};

// Values of the map of memory beneath heaps. Tarn alone changes the memory of its pools, and emits
// an event before it does, so the checker may write there with instructions.
enum tn_check_backing {
    TN_CHECK_BACKING_OTHER,  // the program may change it without an event
    TN_CHECK_BACKING_OWN,    // of a pool, but no write was tried yet
    TN_CHECK_BACKING_REACHED // of a pool, and instructions of this process can write it
};

struct tn_check_region_counts {
    uint64_t live;
    uint64_t total;
    uint64_t live_bytes;
};

enum { TN_CHECK_SHARDS = 8 };

// The regions of some heaps, and the ended ones. Regions in no heap belong to the first shard.
struct tn_check_shard {
    struct tn_spin lock;
    struct tn_check_region *regions; // the live ones, newest first
    // Records of ended ones; number ring_count % ring_size is overwritten next. NULL until the first.
    char *ring;
    uint64_t ring_count;           // regions that have ended so far
    struct tn_check_region *spare; // unused records of live ones, chained by `older`
    struct tn_check_slab *slabs;   // the memory of these records, newest first
    struct tn_check_heap *last;    // the heap that the last look-up found, or NULL
    struct tn_check_region_counts counts;
    uint64_t number;  // of the last call that held this shard alone
    uint64_t numbers; // left for such calls
} __attribute__((aligned(128)));

struct tn_check_model_stats {
    uint64_t heaps_live;
    uint64_t heaps_total;
    uint64_t accesses;
    uint64_t steps;
};

enum { TN_CHECK_POOL_HASH = 64 };

struct tn_check_model {
    struct tn_check_shard shard[TN_CHECK_SHARDS];
    _Atomic unsigned shards;                      // that are in use; changes under all their locks
    _Atomic uint8_t shard_of[TN_CHECK_POOL_HASH]; // by hash of the pool; counted from 1, 0: none
    const struct tn_check_options *options;
    struct tn_slots heap_handles;
    struct tn_slots region_handles;
    struct tn_slots domain_handles;
    struct tn_check_domain global;
    struct tn_check_domain *domains;
    struct tn_check_plane *planes;
    struct tn_check_addresses addresses;
    struct tn_check_heap *heaps;       // the live ones, newest first
    struct tn_check_heap *ended_heaps; // newest first
    uint64_t ended_heap_count;
    uint64_t ring_size;
    struct tn_check_plain *plain; // plain memory by space, see below
    struct tn_interval backing;   // memory that was allocated to an owner, and what it is
    uint64_t backing_changes;     // ends and changes of rights
    struct tn_check_model_stats stats;
    uint64_t serial; // of the last heap
    uint64_t pools;  // that have got a shard so far
    uint64_t step;
    uint64_t devices;   // of the platform of Tarn that has most, or 0 if none has opened
    uint64_t inherited; // the serial of the last region that the parent process registered
    struct {            // the written bytes of the region that ended last
        struct tn_check_written written;
        uint64_t lo;
        uint32_t space;
        uint32_t thread;
        uint64_t call_number; // of that thread, or 0 if no bytes are kept
    } last_written;
    // Written by every call, see tn_check_call_count().
    _Atomic uint64_t events __attribute__((aligned(128)));
    _Atomic uint64_t region_serial;
};

extern struct tn_check_model tn_check_model;

// Makes the model on the first call. Any thread may call.
void tn_check_model_ready(void);

// Returns true if another call may hold the lock of another shard.
static inline bool tn_check_shards_shared(void) {
    return tn_load_relaxed(&tn_check_model.shards) > 1;
}

// Adds up the counts of all shards. The call holds all locks, or no other thread is active.
struct tn_check_region_counts tn_check_region_counts(void);

// Fills in an empty model, with the options of this process. Called by tn_check_model_ready(), and
// by tests that start over.
void tn_check_model_make(void);

// ---- calls

struct tn_check_finding {
    struct tn_check_report report;
    uint64_t leaked_bytes; // for the summary
    uint64_t leaked_regions;
    struct tn_check_finding *next;
};

struct tn_check_call {
    struct tn_check_origin by;
    uint64_t call_number; // counts the calls of this thread
    uint64_t probed;      // see tn_check_seal_write()
    uint64_t probed_when; // tn_check_model.backing_changes at that time
    bool idle;            // REGION_BEGIN in order of a stream: see tn_check_order_is_idle()
    struct tn_check_domain *domain; // of the memory event, if it is about a heap or region
    struct tn_check_shard *shard;   // the call holds its lock alone; NULL: it holds all locks
    const char *role; // role of the caller's stack in findings: "access", "registered", "freed"
    struct tn_check_finding *first;
    struct tn_check_finding **last;
};

// Captures the stack if the model keeps it (`stack`), then takes all locks. `role` is the role of
// the caller's stack in findings, or "" if no caller is to blame. Returns false, without a lock, if
// this thread is in a call already, because the program's malloc() may emit events.
bool tn_check_call_begin(struct tn_check_call *call, const char *role, bool stack);

// The same for a call about one pool of Tarn. It may hold the lock of one shard only.
bool tn_check_call_begin_in_pool(struct tn_check_call *call, const char *role, bool stack,
                                 uint64_t pool);

// Adds 1 to a counter that changes in calls alone, and returns the sum. No other call is active while
// one holds all locks, which then spares the locked instruction.
static inline uint64_t tn_check_call_count(const struct tn_check_call *call,
                                           _Atomic uint64_t *counter) {
    if (call->shard != NULL) return tn_add_relaxed(counter, 1) + 1;
    uint64_t count = tn_load_relaxed(counter) + 1;
    tn_store_relaxed(counter, count);
    return count;
}

// Takes all locks instead of one. Other calls may change the model in between.
void tn_check_call_widen(struct tn_check_call *call);

// Returns the shard for the heaps of a pool, or of a client if `pool` is 0. The call holds all locks.
struct tn_check_shard *tn_check_shard_for(uint64_t pool);

// Releases the locks, then reports the findings.
void tn_check_call_end(struct tn_check_call *call);

// Called before and after fork(). The model is complete in the child.
void tn_check_model_before_fork(void);
void tn_check_model_after_fork(bool child);

// Forgets, in a forked child, the parent's reports. Called before the child's first event.
void tn_check_model_forget_parent(void);

// Adds a finding to the call. The caller fills in the report.
struct tn_check_report *tn_check_call_report(struct tn_check_call *call, enum tn_check_kind kind,
                                             const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull));

// Marks bytes and regions of a report of tn_check_call_report() as leaked.
void tn_check_report_set_leak(struct tn_check_report *report, uint64_t bytes, uint64_t regions);

// ---- records

static inline struct tn_check_heap *tn_check_heap_of_span(struct tn_check_span *span) {
    return (struct tn_check_heap *)(void *)span;
}

static inline struct tn_check_region *tn_check_region_of_span(struct tn_check_span *span) {
    return (struct tn_check_region *)(void *)((char *)span -
                                              offsetof(struct tn_check_region, span));
}

static inline uint64_t tn_check_heap_bytes(const struct tn_check_heap *heap) {
    return heap->hi - heap->lo;
}

static inline uint64_t tn_check_region_bytes(const struct tn_check_region *region) {
    return region->hi - region->lo;
}

// Finds or makes the plane.
struct tn_check_plane *tn_check_plane_make(uint32_t space, int32_t device);

// Returns a zeroed record of the shard.
struct tn_check_region *tn_check_region_record(struct tn_check_shard *shard);

// Makes the record of a live region free for another one.
void tn_check_region_discard(struct tn_check_region *region);

// Discards a region that has ended, and keeps its record in the ring. The oldest one there is forgotten.
void tn_check_region_retire(struct tn_check_region *region);

// Find an ended region by its handle or serial, or the newest one that contained the byte
// (heap_serial 0: of any heap), or that began there. Return NULL if the ring contains none.
const struct tn_check_region *tn_check_ended_by_handle(uint64_t handle);
const struct tn_check_region *tn_check_ended_by_serial(uint64_t serial);
const struct tn_check_region *tn_check_ended_at(uint32_t space, uint64_t heap_serial,
                                                uint64_t address);
const struct tn_check_region *tn_check_ended_start(uint32_t space, uint64_t address);

// Finds the ended region of that heap that is nearest to the byte; if several are, the newest one.
const struct tn_check_region *tn_check_ended_near(uint32_t space, uint64_t heap_serial,
                                                  uint64_t address);

// Find a live or ended heap by its serial, or an ended one by its handle, or return NULL.
struct tn_check_heap *tn_check_heap_by_serial(uint64_t serial);
struct tn_check_heap *tn_check_ended_heap_by_handle(uint64_t handle);

// Finds the heap without a pool that ended last of those that began there, or returns NULL.
struct tn_check_heap *tn_check_ended_heap_at_start(uint32_t space, uint64_t address);

// Ends the process, because the checker cannot continue without memory.
__attribute__((cold, noreturn)) void tn_check_out_of_memory(void);

// Returns zeroed memory. Ends the process if out of memory.
__attribute__((malloc, returns_nonnull)) void *tn_check_allocate(uint64_t bytes);

// ---- heaps

// A heap may lie in a region of another heap; heaps that overlap in part are an error of the program.
// These functions and all below are called with the model's lock held.

struct tn_check_heap_range {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t hi; // equal to lo for an empty heap, which has a handle but no bytes
};

// Begins a heap. A client that does not name a pool (`object` 0) may register a range twice. The
// second call then returns the live heap of that range.
struct tn_check_heap *tn_check_heap_begin(struct tn_check_call *call,
                                          struct tn_check_domain *domain,
                                          const struct tn_check_heap_range *range, uint64_t object);

// Returns the heap's handle, which the first call makes.
uint64_t tn_check_heap_handle(struct tn_check_heap *heap);

// Ends the heap, its regions and the heaps inside them. TN_CHECK_END_CALL ends one registration of
// a heap that was registered several times.
void tn_check_heap_end(struct tn_check_call *call, struct tn_check_heap *heap,
                       enum tn_check_end why);

// Ends the regions of the heap, and the heaps inside them. They are not leaks.
void tn_check_heap_reset(struct tn_check_call *call, struct tn_check_heap *heap);

static inline bool tn_check_device_matches(int32_t a, int32_t b) {
    return a == b || a == TN_CHECK_ANY_DEVICE || b == TN_CHECK_ANY_DEVICE;
}

static inline bool tn_check_plane_matches(const struct tn_check_plane *plane,
                                          const struct tn_check_heap_range *range) {
    return plane->space == range->space && tn_check_device_matches(plane->device, range->device);
}

// Records that memory was freed. Heaps on it are stale. `reserved` states that the addresses remain
// reserved: heaps without regions wait for other memory then.
void tn_check_backing_end(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi,
                          bool reserved);

// ---- regions

struct tn_check_region_desc {
    struct tn_check_domain *domain;
    struct tn_check_heap *heap; // NULL if in no heap
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;   // 0 for an empty region
    uint64_t taken;   // bytes of the heap that it occupies; a value below `bytes` means `bytes`
    const char *name; // or NULL
    bool from_event;  // of a memory event
    bool host_can;    // instructions of this process can access its bytes
    bool seen;        // every access to it is an event
    bool written;     // its bytes count as written
    bool ordered;     // work that was submitted earlier to a stream may still use its bytes
    bool idle;        // if ordered: it is known that no such work does
    bool own;         // of a client, not of a pool of Tarn
};

struct tn_check_region *tn_check_region_begin(struct tn_check_call *call,
                                              const struct tn_check_region_desc *desc);

// Returns the region's handle, which the first call makes.
uint64_t tn_check_region_handle(struct tn_check_region *region);

void tn_check_region_end(struct tn_check_call *call, struct tn_check_region *region,
                         enum tn_check_end why);

void tn_check_region_resize(struct tn_check_call *call, struct tn_check_region *region,
                            uint64_t bytes);

void tn_check_region_permit(struct tn_check_call *call, struct tn_check_region *region,
                            uint32_t flags);

// Removes the region from the cover of its heap or plane. Used by the end and by a resize.
void tn_check_region_leave(struct tn_check_region *region);

// Returns the number of bytes from the start of the region that no other region may have: those that
// it occupies, or that the rule of its heap reserves.
uint64_t tn_check_region_needs(const struct tn_check_region *region);

// Judges where a region lies that has just entered the cover.
void tn_check_placement_judge(struct tn_check_call *call, const struct tn_check_region *region);

// ---- look-up

// Find a live heap, or NULL. `object` 0 matches any pool.
struct tn_check_heap *tn_check_heap_by_handle(uint64_t handle);
struct tn_check_heap *tn_check_heap_at_start(const struct tn_check_heap_range *range,
                                             uint64_t object);

// Finds the innermost heap that contains the complete range, on a matching device. If `object` is
// not 0, a heap of that pool is preferred. The call holds the lock of the shard, which remembers the
// heap.
struct tn_check_heap *tn_check_heap_around(const struct tn_check_heap_range *range, uint64_t object,
                                           struct tn_check_shard *shard);

// Finds the innermost heaps that contain the byte. Stores at most `max` and returns their number.
unsigned tn_check_heaps_at(const struct tn_check_plane *plane, uint64_t address,
                           struct tn_check_heap **found, unsigned max);

// Find a live region, or NULL. By start: the newest one of the domain, or of any if that is NULL.
struct tn_check_region *tn_check_region_by_handle(uint64_t handle);
struct tn_check_region *tn_check_region_by_start(uint32_t space, uint64_t address,
                                                 const struct tn_check_domain *domain);

// Finds the newest block of a pool in the shard. The call need not hold another shard's lock.
struct tn_check_region *tn_check_region_in_shard(const struct tn_check_shard *shard, uint32_t space,
                                                 uint64_t address,
                                                 const struct tn_check_domain *domain,
                                                 uint64_t object);

// Finds a live region that contains the byte, on any device: the newest one of the innermost heap.
struct tn_check_region *tn_check_region_containing(uint32_t space, uint64_t address);

// ---- domains

// A domain is a name under which clients register heaps. This finds or makes the domain of that
// name. NULL means the global domain.
struct tn_check_domain *tn_check_domain_named(const char *name);

// Returns NULL instead of making the domain.
struct tn_check_domain *tn_check_domain_find(const char *name);

// Like tn_check_domain_named(), but returns the domain's handle. Reports an invalid name and
// returns 0.
uint64_t tn_check_domain_create(struct tn_check_call *call, const char *name);

void tn_check_domain_destroy(struct tn_check_call *call, uint64_t handle);

// Returns the domain of a handle. Reports an unknown handle and returns the global domain.
struct tn_check_domain *tn_check_domain_resolve(struct tn_check_call *call, uint64_t handle);

// ---- interned strings

// Returns the one copy of the string, or NULL for NULL. Copies are never freed, so that a report can
// name heaps and regions that have ended.
const char *tn_check_intern(const char *name);

// ---- frees

// Judges frees. Finds the region that a free names, and reports a free that names none. Called with
// the model's lock held.

// Finds the region that a client names by handle or by start, to end it (`ends`) or to change it.
// `what` is the verb for the report, such as "unregistered". If there is no such region, reports
// that and returns NULL.
struct tn_check_region *tn_check_free_by_handle(struct tn_check_call *call,
                                                struct tn_check_domain *domain, uint64_t handle,
                                                const char *what, bool ends);
struct tn_check_region *tn_check_free_by_start(struct tn_check_call *call,
                                               struct tn_check_domain *domain, uint32_t space,
                                               uint64_t address, const char *what, bool ends);

// Reports that no region which the caller may end or change starts at the address.
void tn_check_free_unknown(struct tn_check_call *call, uint32_t space, uint64_t address,
                           const char *what, bool ends);

// Reports a second end of a heap. `what` is the verb, such as "unregistered".
void tn_check_free_heap_again(struct tn_check_call *call, const struct tn_check_heap *ended,
                              const char *what);

// Explains why a call refused to free an address. Returns false if the model knows nothing about the
// address.
bool tn_check_free_refused(struct tn_check_call *call, const struct tn_mem_event *event);

// ---- leaks

// Leaks: regions that are live when the program or their heap ends, or that outlive the step after
// the one in which they began. Called with the model's lock held.

// A step of the program ends and the next one begins.
void tn_check_leaks_step(struct tn_check_call *call);

// A call ends a heap that has live regions.
void tn_check_leaks_heap(struct tn_check_call *call, const struct tn_check_heap *heap);

// The program ends.
void tn_check_leaks_end(struct tn_check_call *call);

// ---- the memory beneath heaps

// The memory beneath heaps: what the process allocated from Tarn or announced, and whether a
// client's heap may lie there. All functions are called with the model's lock held.

// Records that memory was allocated to an owner. `own` means that a pool of this process owns it
// and instructions reach it.
void tn_check_backing_begin(uint32_t space, uint64_t lo, uint64_t hi, bool own);

// Instructions may no longer reach the memory.
void tn_check_backing_regrant(uint64_t lo, uint64_t hi);

// Sets the rule and the room of a client's heap. NULL means the rule of the memory beneath it.
void tn_check_backing_set_rule(struct tn_check_heap *heap, const tarn_rule *rule);

// Judges the place of a client's heap that begins: in memory that was freed, larger than its
// memory, on a device that does not exist, or, on request, where no memory is known. Changes the
// range to what is legal of it, so that later findings do not blame the neighbours: no bytes in
// freed memory, the bytes of the block, any device. Returns the report, to which the caller adds
// the heap, or NULL.
struct tn_check_report *tn_check_backing_judge(struct tn_check_call *call,
                                               struct tn_check_heap_range *range);

// ---- memory outside of heaps

// Plain memory: device memory with an address and pinned host memory, as the system or a vendor's
// call hands it out. The checker knows which of its bytes were written. A heap inside plain memory
// decides about its own bytes. Called with all locks of the model held.

// The memory of one address space.
struct tn_check_plain {
    struct tn_check_plain *next;
    uint32_t space;
    struct tn_interval map; // to records of regions without a heap
};

struct tn_check_plain_desc {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;
    bool host_can; // see struct tn_check_region_desc
    bool seen;
    bool soft; // no kernel accesses it: only emitted work and instructions of CPUs
    bool written;
    bool array; // its addresses are numbers of elements
};

void tn_check_plain_begin(struct tn_check_call *call, const struct tn_check_plain_desc *desc);

// The program requested only `bytes` of the memory that begins at `lo`. The rest becomes padding.
void tn_check_plain_request(struct tn_check_call *call, uint32_t space, uint64_t lo,
                            uint64_t bytes);

// Ends the memory that begins at the address, if there is any.
void tn_check_plain_end(struct tn_check_call *call, uint32_t space, uint64_t lo);

// Returns the memory that contains the byte, or NULL. The byte may be in its padding.
struct tn_check_region *tn_check_plain_at(uint32_t space, uint64_t address);

// Counts the bytes as written, in whichever memory they lie.
void tn_check_plain_mark(uint32_t space, uint64_t lo, uint64_t hi);
