// SPDX-License-Identifier: Apache-2.0
// The model: its construction, the lock around each call, findings, planes and records. heaps.c,
// regions.c, lookup.c and ends.c implement heaps and regions.
#include "check/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "check/options.h"

enum { NUMBERS_AT_ONCE = 16 };

enum { KIND_HEAP = 1, KIND_REGION = 2, KIND_DOMAIN = 3 };

struct tn_check_model tn_check_model;

static pthread_once_t made = PTHREAD_ONCE_INIT;

void tn_check_out_of_memory(void) {
    static const char text[] = "tarn-check: out of memory for the checker's own tables\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}

void *tn_check_allocate(uint64_t bytes) {
    void *memory = calloc(1, bytes);
    if (memory == NULL) tn_check_out_of_memory();
    return memory;
}

void tn_check_model_make(void) {
    struct tn_check_model *m = &tn_check_model;
    tn_slots_init(&m->heap_handles, KIND_HEAP, 0);
    tn_slots_init(&m->region_handles, KIND_REGION, 0);
    tn_slots_init(&m->domain_handles, KIND_DOMAIN, 0);
    tn_interval_init(&m->backing);
    m->global.name = "default";
    m->options = tn_check_options();
    m->ring_size = m->options->history;
    m->ring_size = m->ring_size == 0 ? 1 : m->ring_size;
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++)
        tn_spin_init(&m->shard[i].lock, TN_RANK_CHECK_MODEL, "shard of the checker's model");
    tn_check_addresses_init(&m->addresses);
    tn_store_relaxed(&m->shards, 1);
}

void tn_check_model_ready(void) { (void)pthread_once(&made, tn_check_model_make); }

// ---- threads

// Small, because libraries that are opened late share a few bytes of the static thread storage. Any
// other model costs a call for each access.
#define STATIC_STORAGE __attribute__((tls_model("initial-exec")))
static __thread bool inside STATIC_STORAGE;
static __thread uint64_t calls STATIC_STORAGE;

static _Atomic bool parents_reports; // the reports so far are those of the parent process

void tn_check_model_before_fork(void) {
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++)
        tn_spin_lock_for_fork(&tn_check_model.shard[i].lock);
}

void tn_check_model_after_fork(bool child) {
    if (child) {
        tn_check_model.inherited = tn_load_relaxed(&tn_check_model.region_serial);
        tn_store_relaxed(&parents_reports, true);
    }
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++)
        tn_spin_unlock_after_fork(&tn_check_model.shard[i].lock);
}

// Not done by the fork handler, because the lock of the reports is held there.
void tn_check_model_forget_parent(void) {
    if (__builtin_expect(tn_load_relaxed(&parents_reports), 0) &&
        tn_exchange_relaxed(&parents_reports, false)) {
        tn_check_report_reset();
        tn_check_report_start();
    }
}

// ---- calls

// Ranks are checked for the first lock. A call takes the others in the order of their numbers, and
// one that holds a single shard takes no other.
static void lock_all(void) {
    tn_spin_lock(&tn_check_model.shard[0].lock);
    for (unsigned i = 1; i < tn_load_relaxed(&tn_check_model.shards); i++)
        tn_spin_lock_for_fork(&tn_check_model.shard[i].lock);
}

static _Atomic uint8_t *shard_of(uint64_t pool) {
    return &tn_check_model.shard_of[pool * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

struct tn_check_shard *tn_check_shard_for(uint64_t pool) {
    static const uint8_t first = 1;
    uint8_t number = pool == 0 ? first : tn_load_relaxed(shard_of(pool));
    if (number == 0) {
        struct tn_check_model *m = &tn_check_model;
        unsigned used = tn_load_relaxed(&m->shards);
        number = (uint8_t)(m->pools++ % TN_CHECK_SHARDS + 1);
        if (number > used) { // no other thread takes its lock before the number is published
            tn_spin_lock_for_fork(&m->shard[number - 1].lock);
            tn_store_relaxed(&m->shards, number);
        }
        tn_store_relaxed(shard_of(pool), number);
    }
    return &tn_check_model.shard[number - 1];
}

// Fills in the call, without a lock. Returns false if this thread is in a call already.
static bool enter_call(struct tn_check_call *call, const char *role, bool stack) {
    if (inside) return false;
    inside = true;
    call->first = NULL;
    call->last = &call->first;
    call->role = role;
    call->shard = NULL;
    call->probed = 0;
    call->call_number = ++calls;
    call->by.thread = tn_stack_thread();
    bool captured = stack && tn_check_model.options->stack_depth != 0;
    call->by.stack = captured ? tn_stack_capture() : 0;
    tn_check_model_forget_parent();
    return true;
}

// A call that holds one shard takes a number of its shard's, so that threads with a pool each do not
// pass one counter to and fro. Such numbers are up to NUMBERS_AT_ONCE older than their call.
static void number_call(struct tn_check_call *call) {
    struct tn_check_shard *shard = call->shard;
    if (shard == NULL) {
        call->by.event = tn_check_call_count(call, &tn_check_model.events);
        return;
    }
    if (shard->numbers == 0) {
        shard->number = tn_add_relaxed(&tn_check_model.events, NUMBERS_AT_ONCE);
        shard->numbers = NUMBERS_AT_ONCE;
    }
    shard->numbers--;
    call->by.event = ++shard->number;
}

bool tn_check_call_begin(struct tn_check_call *call, const char *role, bool stack) {
    if (!enter_call(call, role, stack)) return false;
    lock_all();
    number_call(call);
    return true;
}

bool tn_check_call_begin_in_pool(struct tn_check_call *call, const char *role, bool stack,
                                 uint64_t pool) {
    if (!enter_call(call, role, stack)) return false;
    uint8_t number = pool == 0 ? 0 : tn_load_relaxed(shard_of(pool));
    if (number == 0) {
        lock_all();
    } else {
        struct tn_check_shard *shard = &tn_check_model.shard[number - 1];
        tn_spin_lock(&shard->lock);
        call->shard = tn_check_shards_shared() ? shard : NULL; // the only lock is all locks
    }
    number_call(call);
    return true;
}

void tn_check_call_widen(struct tn_check_call *call) {
    if (call->shard != NULL) {
        tn_spin_unlock(&call->shard->lock);
        call->shard = NULL;
        lock_all();
    }
}

// Called without the lock: unwinding may wait for the loader's lock, and the thread that holds it
// may wait for the model in a constructor.
static void report_findings(struct tn_check_call *call) {
    if (call->by.stack == 0 && call->role[0] != '\0') call->by.stack = tn_stack_capture();
    TN_CHAIN_DRAIN(struct tn_check_finding, finding, call->first, next) {
        if (call->role[0] != '\0') finding->report.stacks[0].stack = call->by.stack;
        tn_check_report_end(&finding->report);
        if (finding->leaked_regions != 0)
            tn_check_report_count_leak(finding->leaked_bytes, finding->leaked_regions);
        free(finding);
    }
}

void tn_check_call_end(struct tn_check_call *call) {
    if (call->shard != NULL) {
        tn_spin_unlock(&call->shard->lock);
    } else {
        for (unsigned i = tn_load_relaxed(&tn_check_model.shards); i-- > 1;)
            tn_spin_unlock_after_fork(&tn_check_model.shard[i].lock);
        tn_spin_unlock(&tn_check_model.shard[0].lock);
    }
    if (__builtin_expect(call->first != NULL, 0)) report_findings(call);
    inside = false;
}

struct tn_check_report *tn_check_call_report(struct tn_check_call *call, enum tn_check_kind kind,
                                             const char *format, ...) {
    struct tn_check_finding *finding = tn_check_allocate(sizeof *finding);
    char text[sizeof finding->report.what];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tn_check_report_begin(&finding->report, kind, "", "%s", text);
    if (call->role[0] != '\0') {
        finding->report.thread = call->by.thread;
        finding->report.stacks[0] = (struct tn_check_report_stack){call->role, call->by.thread, 0};
        finding->report.stack_count = 1;
    }
    *call->last = finding;
    call->last = &finding->next;
    return &finding->report;
}

void tn_check_report_set_leak(struct tn_check_report *report, uint64_t bytes, uint64_t regions) {
    struct tn_check_finding *finding = (void *)report; // the report is its first member
    finding->leaked_bytes = bytes;
    finding->leaked_regions = regions;
}

// ---- planes

struct tn_check_plane *tn_check_plane_make(uint32_t space, int32_t device) {
    struct tn_check_plane *plane = tn_check_model.planes;
    while (plane != NULL && (plane->space != space || plane->device != device)) plane = plane->next;
    if (plane == NULL) {
        plane = tn_check_allocate(sizeof *plane);
        plane->space = space;
        plane->device = device;
        tn_check_cover_init(&plane->heaps);
        tn_check_cover_init(&plane->loose);
        plane->next = tn_check_model.planes;
        tn_check_model.planes = plane;
    }
    return plane;
}

// ---- records of regions

// Part of a program that contains AddressSanitizer or LeakSanitizer.
extern void __lsan_register_root_region(const void *start, size_t bytes) __attribute__((weak));

struct tn_check_region *tn_check_region_record(struct tn_check_shard *shard) {
    struct tn_check_region *region = shard->spare;
    if (region != NULL) {
        shard->spare = region->older;
        memset(region, 0, sizeof *region);
    } else {
        if (shard->slabs == NULL || shard->slabs->used == TN_CHECK_SLAB_RECORDS) {
            struct tn_check_slab *slab = tn_pages_map(TN_HUGE_PAGE, true);
            if (slab == NULL) tn_check_out_of_memory();
            // LeakSanitizer finds pointers in a mapping only if the mapping is registered. Without
            // this, it reports the sets of written bytes of the regions that are live at exit.
            if (__lsan_register_root_region != NULL)
                __lsan_register_root_region(slab, TN_HUGE_PAGE);
            slab->next = shard->slabs;
            shard->slabs = slab;
        }
        region = &shard->slabs->record[shard->slabs->used++];
    }
    region->shard = shard;
    return region;
}

struct tn_check_region_counts tn_check_region_counts(void) {
    struct tn_check_region_counts sum = {0};
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++) {
        const struct tn_check_region_counts *counts = &tn_check_model.shard[i].counts;
        sum.live += counts->live;
        sum.total += counts->total;
        sum.live_bytes += counts->live_bytes;
    }
    return sum;
}

void tn_check_region_discard(struct tn_check_region *region) {
    region->older = region->shard->spare;
    region->shard->spare = region;
}

void tn_check_region_retire(struct tn_check_region *region) {
    struct tn_check_shard *shard = region->shard;
    uint64_t size = tn_check_model.ring_size;
    if (shard->ring == NULL) shard->ring = tn_check_allocate(size * TN_CHECK_ENDED_BYTES);
    memcpy(shard->ring + shard->ring_count++ % size * TN_CHECK_ENDED_BYTES, region,
           TN_CHECK_ENDED_BYTES);
    tn_check_region_discard(region);
}

// Returns the n-th newest ended region of the shard, counted from 0, or NULL.
static const struct tn_check_region *ended_region(const struct tn_check_shard *shard, uint64_t n) {
    uint64_t size = tn_check_model.ring_size;
    if (n >= size || n >= shard->ring_count) return NULL;
    return (const void *)(shard->ring + (shard->ring_count - 1 - n) % size * TN_CHECK_ENDED_BYTES);
}

// A search among the ended regions.
struct wanted {
    uint32_t space;
    uint64_t heap_serial; // 0: any
    uint64_t number;      // an address or a handle
};

// Returns the newest ended region that matches.
static const struct tn_check_region *
find_ended(bool (*matches)(const struct tn_check_region *region, const struct wanted *wanted),
           const struct wanted *wanted) {
    const struct tn_check_region *newest = NULL;
    for (unsigned i = 0; i < tn_load_relaxed(&tn_check_model.shards); i++) {
        const struct tn_check_region *region = NULL;
        uint64_t n = 0;
        do {
            region = ended_region(&tn_check_model.shard[i], n++);
        } while (region != NULL && !matches(region, wanted));
        if (region != NULL && (newest == NULL || region->ended.event > newest->ended.event))
            newest = region;
    }
    return newest;
}

static bool has_handle(const struct tn_check_region *region, const struct wanted *wanted) {
    return region->handle == wanted->number;
}

static bool has_serial(const struct tn_check_region *region, const struct wanted *wanted) {
    return region->serial == wanted->number;
}

static bool contains_byte(const struct tn_check_region *region, const struct wanted *wanted) {
    return region->lo <= wanted->number && wanted->number < region->hi &&
           region->space == wanted->space &&
           (wanted->heap_serial == 0 || region->heap_serial == wanted->heap_serial);
}

static bool begins_at(const struct tn_check_region *region, const struct wanted *wanted) {
    return region->lo == wanted->number && region->space == wanted->space;
}

const struct tn_check_region *tn_check_ended_by_handle(uint64_t handle) {
    return find_ended(has_handle, &(struct wanted){.number = handle});
}

const struct tn_check_region *tn_check_ended_by_serial(uint64_t serial) {
    return find_ended(has_serial, &(struct wanted){.number = serial});
}

const struct tn_check_region *tn_check_ended_at(uint32_t space, uint64_t heap_serial,
                                                uint64_t address) {
    return find_ended(contains_byte, &(struct wanted){space, heap_serial, address});
}

const struct tn_check_region *tn_check_ended_start(uint32_t space, uint64_t address) {
    return find_ended(begins_at, &(struct wanted){space, 0, address});
}

static uint64_t distance_to(const struct tn_check_region *region, uint64_t address) {
    if (address < region->lo) return region->lo - address;
    return address < region->hi ? 0 : address - region->hi;
}

// All regions of a heap are in one shard.
const struct tn_check_region *tn_check_ended_near(uint32_t space, uint64_t heap_serial,
                                                  uint64_t address) {
    const struct tn_check_region *best = NULL;
    for (unsigned i = 0; i < tn_load_relaxed(&tn_check_model.shards); i++) {
        const struct tn_check_region *region = NULL;
        for (uint64_t n = 0; (region = ended_region(&tn_check_model.shard[i], n)) != NULL; n++)
            if (region->space == space && region->heap_serial == heap_serial &&
                (best == NULL || distance_to(region, address) < distance_to(best, address)))
                best = region;
    }
    return best;
}

struct tn_check_heap *tn_check_heap_by_serial(uint64_t serial) {
    for (struct tn_check_heap *heap = tn_check_model.heaps; heap != NULL; heap = heap->older)
        if (heap->serial == serial) return heap;
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    while (heap != NULL && heap->serial != serial) heap = heap->older;
    return heap;
}

struct tn_check_heap *tn_check_ended_heap_by_handle(uint64_t handle) {
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    while (heap != NULL && heap->handle != handle) heap = heap->older;
    return heap;
}

struct tn_check_heap *tn_check_ended_heap_at_start(uint32_t space, uint64_t address) {
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    while (heap != NULL &&
           (heap->lo != address || heap->plane->space != space || heap->object != 0))
        heap = heap->older;
    return heap;
}
