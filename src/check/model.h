// SPDX-License-Identifier: Apache-2.0
// The picture of memory that the checker keeps: domains, heaps, the regions in them, dead ones in a
// history ring, all by (space, device, address). There is one model in a process. It is built on
// first use, never torn down, and guarded by one lock that is held for some tens of nanoseconds.
// Findings are collected under the lock and told after it, so that a report may print, exit the
// program or look up symbols without holding anybody up.
//
// Every event is one call:
//
//     struct tn_check_call call;
//     if (tn_check_call_begin(&call, "freed", true)) {
//         ... change the model, tn_check_call_report(&call, ...) what is wrong ...
//         tn_check_call_end(&call);
//     }
#ifndef TARN_CHECK_MODEL_H
#define TARN_CHECK_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/slots.h"
#include "base/lock.h"
#include "check/addresses.h"
#include "check/cover.h"
#include "check/report.h"
#include "check/stack.h"
#include "check/written.h"

#define TN_CHECK_ANY_DEVICE (-1) // of a heap or range: matches every device

enum tn_check_permission {
    TN_CHECK_MAY_READ = 1,
    TN_CHECK_MAY_WRITE = 2,
    TN_CHECK_MAY_SHARE = 4,
    TN_CHECK_MAY_ALL = 7
};

struct tn_check_domain {
    const char *name; // interned; never freed
    uint64_t handle;  // 0: the global domain, or one that only notes know
    struct tn_check_domain *next;
    uint64_t heaps; // live ones
    uint64_t regions;
    bool quirk; // its heaps are messages, see 5.5 of the specification
    bool destroyed;
    bool destroyed_reported; // use after destroy is told once
    uint64_t *reserved;      // quirk: bytes that the client said it has, by device
    uint32_t reserved_count;
};

// Who did something, and where.
struct tn_check_origin {
    uint32_t thread;
    tn_check_stack_id stack;
    uint64_t event; // counts the calls; 0: has not happened
};

enum tn_check_end {
    TN_CHECK_END_NOT,    // it lives
    TN_CHECK_END_CALL,   // by a call that names it
    TN_CHECK_END_HEAP,   // with the heap that it was in
    TN_CHECK_END_PARENT, // with the region that its heap was in
    TN_CHECK_END_BACKING // with the memory beneath it
};

struct tn_check_heap {
    struct tn_check_span
        span; // in the plane's cover, unless it is empty. First, see tn_check_heap_of_span()
    uint64_t serial;
    uint64_t handle; // 0: of a note
    uint64_t lo;
    uint64_t hi;
    struct tn_check_plane *plane;
    struct tn_check_domain *domain;
    struct tn_check_cover live;     // regions, by the bytes inside this heap
    struct tn_check_region *parent; // the live region around it
    struct tn_check_heap *outer;    // the heap around it
    struct tn_check_heap *newer;    // the list of live heaps; of dead ones
    struct tn_check_heap *older;
    const char *name;
    uint64_t object; // the teller's pool
    uint64_t live_bytes;
    uint64_t live_regions;
    uint32_t inner;   // live heaps whose outer this is
    uint32_t aliases; // times that the same range was registered beside the first
    int32_t device;
    bool aliased_domain; // by another domain
    bool crossed;        // overlaps a part of another heap, or did
    bool host_can;       // this process may read and write its bytes where they have memory
    bool forwarded;      // other listeners were told of it, see forward.c
    bool mapped;         // then: as memory of this process
    bool told;           // by notes, so that allocation sizes and accesses are known
    enum tn_check_end end;
    struct tn_check_origin begun;
    struct tn_check_origin ended;
};

struct tn_check_region {
    struct tn_check_span span; // what is inside the heap; in its cover unless empty. First
    uint64_t lo;               // as registered
    uint64_t hi;
    struct tn_check_heap *heap; // NULL: heap-less, or dead
    struct tn_check_plane *plane;
    struct tn_check_domain *domain;
    struct tn_check_address *start;
    struct tn_check_region *same_start; // the next older live one at this address
    uint64_t serial;
    uint64_t handle; // 0: none was asked for
    uint64_t taken;  // bytes of the heap that it takes, at least hi - lo
    struct tn_check_region *newer;
    struct tn_check_region *older;
    struct tn_check_origin begun;
    struct tn_check_origin ended;
    const char *name;
    uint64_t heap_serial; // also when it is dead; 0: heap-less
    uint64_t step;        // of the program, when it began
    uint32_t generation;  // of its address
    uint32_t space;
    int32_t device;
    uint32_t nested; // live heaps inside it
    uint8_t permission;
    uint8_t end;        // enum tn_check_end
    bool host_can;      // this process may read and write its bytes
    bool seen;          // every access to it is told: nothing writes it unseen
    bool sealed;        // see seal.h
    bool told;          // by a note
    bool ordered;       // work on streams may use its bytes before it begins or after it ends
    bool canary;        // bytes beside it are filled
    bool step_reported; // as growth
    struct tn_check_written written;
    struct tn_check_origin permitted; // who assigned the permission
};

// All heaps of one device in one space.
struct tn_check_plane {
    uint32_t space;
    int32_t device;
    struct tn_check_cover heaps;
    struct tn_check_cover loose; // regions in no heap
    struct tn_check_heap *last;  // found last; NULL: none
    struct tn_check_plane *next;
};

struct tn_check_model_stats {
    uint64_t events;
    uint64_t heaps_live;
    uint64_t heaps_total;
    uint64_t regions_live;
    uint64_t regions_total;
    uint64_t bytes_live;
    uint64_t bytes_peak;
    uint64_t accesses;
    uint64_t steps;
};

struct tn_check_model {
    struct tn_spin lock;
    const struct tn_check_options *options;
    struct tn_slots heap_handles;
    struct tn_slots region_handles;
    struct tn_slots domain_handles;
    struct tn_check_domain global;
    struct tn_check_domain *domains;
    struct tn_check_plane *planes;
    struct tn_check_addresses starts;
    struct tn_check_heap *heaps;      // live, newest first
    struct tn_check_heap *dead_heaps; // newest first
    uint64_t dead_heap_count;
    struct tn_check_region *regions; // live, newest first
    struct tn_check_region **ring;   // dead, ring[buried % history] is the next to be reused
    uint64_t history;
    uint64_t buried;
    struct tn_check_region *spare; // records, by `older`
    struct tn_check_slab *slabs;   // all records
    struct tn_interval backing;    // memory that somebody was given; value: unused
    struct tn_check_model_stats stats;
    uint64_t serial; // of heaps; regions count apart
    uint64_t region_serial;
    uint64_t step;
    uint64_t inherited; // regions up to this serial belong to the process that forked this one
    struct { // what a region that just ended had written, for one that begins there at once
        struct tn_check_written written;
        uint64_t lo;
        uint32_t space;
        uint32_t thread;
        uint64_t own; // which call of that thread; 0: nothing is kept
    } kept;
};

extern struct tn_check_model tn_check_model;

// Makes the model, once. Any thread, any time.
void tn_check_model_ready(void);

// For tests: forgets everything, and reads the options again. Nobody else may use it meanwhile.
void tn_check_model_reset(void);

struct tn_check_model_stats tn_check_model_stats(void);

// ---- calls

struct tn_check_finding {
    struct tn_check_report report;
    uint64_t leaked_bytes; // for the sums
    uint64_t leaked_regions;
    struct tn_check_finding *next;
};

struct tn_check_call {
    struct tn_check_origin by;
    uint64_t own;     // counts the calls of this thread
    const char *role; // of its stack in findings: "access", "registered", "freed"
    struct tn_check_finding *first;
    struct tn_check_finding **last;
};

// Takes the stack when the model is to keep it, then the lock. False, and nothing taken: this
// thread is inside a call already, because the checker's malloc() is the program's and that tells
// as well. `role`: of the caller's stack in findings; "": they are nobody's doing.
bool tn_check_call_begin(struct tn_check_call *call, const char *role, bool stack);

// Gives the lock back, then tells the findings.
void tn_check_call_end(struct tn_check_call *call);

// Around fork(): the model is whole in the child.
void tn_check_model_before_fork(void);
void tn_check_model_after_fork(bool child);

// The first thing that a forked child does: what its parent reported is not counted again.
void tn_check_model_forget_parent(void);

// A new finding of this call, to be filled in; never NULL.
struct tn_check_report *tn_check_call_report(struct tn_check_call *call, enum tn_check_kind kind,
                                             const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull));

// Counts the finding's bytes and regions as leaked.
void tn_check_report_set_leak(struct tn_check_report *report, uint64_t bytes, uint64_t regions);

// ---- records

static inline struct tn_check_heap *tn_check_heap_of_span(struct tn_check_span *span) {
    return (struct tn_check_heap *)(void *)span;
}

static inline struct tn_check_region *tn_check_region_of_span(struct tn_check_span *span) {
    return (struct tn_check_region *)(void *)span;
}

struct tn_check_plane *tn_check_plane_find(uint32_t space, int32_t device); // NULL: none
struct tn_check_plane *tn_check_plane_make(uint32_t space, int32_t device);

// A region's record, zeroed; and its way into the history, from which the oldest goes.
struct tn_check_region *tn_check_region_record(void);
void tn_check_region_retire(struct tn_check_region *region);

// A dead region by handle, or the newest that contained the byte (any heap: serial 0) or began
// there. NULL: none that is remembered.
struct tn_check_region *tn_check_ended_by_handle(uint64_t handle);
struct tn_check_region *tn_check_ended_at(uint32_t space, uint64_t heap_serial, uint64_t address);
struct tn_check_region *tn_check_ended_start(uint32_t space, uint64_t address);

// The dead region of that heap that is nearest to the byte, the newest of equal ones.
struct tn_check_region *tn_check_ended_near(uint32_t space, uint64_t heap_serial, uint64_t address);

// A live or dead heap by serial, or a dead one by handle.
struct tn_check_heap *tn_check_heap_by_serial(uint64_t serial);
struct tn_check_heap *tn_check_ended_heap_by_handle(uint64_t handle);

// Ends the process: a checker without memory cannot go on.
__attribute__((cold, noreturn)) void tn_check_out_of_memory(void);
__attribute__((malloc, returns_nonnull)) void *tn_check_allocate(uint64_t bytes); // zeroed

#endif
