// SPDX-License-Identifier: Apache-2.0
// The model: its construction, the lock around each call, findings, planes and records. heaps.c,
// regions.c, lookup.c and ends.c implement heaps and regions.
#include "check/model.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/options.h"

enum { KIND_HEAP = 1, KIND_REGION = 2, KIND_DOMAIN = 3 };

struct tn_check_model tn_check_model = {.lock = TN_SPIN(CHECK_MODEL, "model of the checker")};

static pthread_once_t made = PTHREAD_ONCE_INIT;

void tn_check_out_of_memory(void) {
    static const char text[] = "tarn-check: out of memory for the checker's own tables\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}

void *tn_check_allocate(uint64_t bytes) {
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        tn_check_out_of_memory();
    }
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
    m->ring = tn_check_allocate(m->ring_size * sizeof(struct tn_check_region *));
}

void tn_check_model_ready(void) {
    (void)pthread_once(&made, tn_check_model_make);
}

// ---- threads

// Small, so that static thread storage has room for them in a library that is loaded late.
static __thread bool inside;
static __thread uint64_t calls;

static _Atomic bool parents_reports; // the reports so far are those of the parent process

void tn_check_model_before_fork(void) {
    tn_spin_lock_for_fork(&tn_check_model.lock);
}

void tn_check_model_after_fork(bool child) {
    if (child) {
        tn_check_model.inherited = tn_check_model.region_serial;
        tn_store_relaxed(&parents_reports, true);
    }
    tn_spin_unlock_after_fork(&tn_check_model.lock);
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

bool tn_check_call_begin(struct tn_check_call *call, const char *role, bool stack) {
    if (inside) {
        return false;
    }
    inside = true;
    call->first = NULL;
    call->last = &call->first;
    call->role = role;
    call->call_number = ++calls;
    call->by.thread = tn_check_stack_thread();
    call->by.stack = stack ? tn_check_stack_capture() : 0;
    tn_check_model_forget_parent();
    tn_spin_lock(&tn_check_model.lock);
    call->by.event = ++tn_check_model.stats.events;
    return true;
}

// Called without the lock: unwinding may wait for the loader's lock, and the thread that holds it
// may wait for the model in a constructor.
static void report_findings(struct tn_check_call *call) {
    if (call->by.stack == 0 && call->role[0] != '\0') {
        call->by.stack = tn_check_stack_capture();
    }
    while (call->first != NULL) {
        struct tn_check_finding *finding = call->first;
        call->first = finding->next;
        if (call->role[0] != '\0') {
            finding->report.stacks[0].stack = call->by.stack;
        }
        tn_check_report_end(&finding->report);
        if (finding->leaked_regions != 0) {
            tn_check_report_count_leak(finding->leaked_bytes, finding->leaked_regions);
        }
        free(finding);
    }
}

void tn_check_call_end(struct tn_check_call *call) {
    tn_spin_unlock(&tn_check_model.lock);
    if (__builtin_expect(call->first != NULL, 0)) {
        report_findings(call);
    }
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
    struct tn_check_finding *finding =
        (struct tn_check_finding *)(void *)report; // the report is its first member
    finding->leaked_bytes = bytes;
    finding->leaked_regions = regions;
}

// ---- planes

struct tn_check_plane *tn_check_plane_make(uint32_t space, int32_t device) {
    struct tn_check_plane *plane = tn_check_model.planes;
    while (plane != NULL && (plane->space != space || plane->device != device)) {
        plane = plane->next;
    }
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

struct tn_check_region *tn_check_region_record(void) {
    struct tn_check_model *m = &tn_check_model;
    if (m->spare_regions == NULL) {
        struct tn_check_slab *slab = tn_check_allocate(sizeof *slab);
        slab->next = m->slabs;
        m->slabs = slab;
        for (unsigned i = 0; i < TN_CHECK_SLAB_RECORDS; i++) {
            slab->record[i].older = m->spare_regions;
            m->spare_regions = &slab->record[i];
        }
    }
    struct tn_check_region *region = m->spare_regions;
    m->spare_regions = region->older;
    memset(region, 0, sizeof *region);
    return region;
}

void tn_check_region_retire(struct tn_check_region *region) {
    struct tn_check_model *m = &tn_check_model;
    struct tn_check_region **oldest = &m->ring[m->ring_count % m->ring_size];
    m->ring_count++;
    if (*oldest != NULL) {
        tn_check_written_fini(&(*oldest)->written);
        (*oldest)->older = m->spare_regions;
        m->spare_regions = *oldest;
    }
    *oldest = region;
    // The next record to be reused has left the processor's caches by now.
    const char *next = (const char *)m->ring[m->ring_count % m->ring_size];
    for (size_t at = 0; next != NULL && at < sizeof *region; at += 64) {
        __builtin_prefetch(next + at, 1);
    }
}

// Returns the n-th newest ended region, counted from 0, or NULL.
static struct tn_check_region *ended_region(uint64_t n) {
    const struct tn_check_model *m = &tn_check_model;
    if (n >= m->ring_size || n >= m->ring_count) {
        return NULL;
    }
    return m->ring[(m->ring_count - 1 - n) % m->ring_size];
}

struct tn_check_region *tn_check_ended_by_handle(uint64_t handle) {
    struct tn_check_region *region = NULL;
    for (uint64_t n = 0; (region = ended_region(n)) != NULL; n++) {
        if (region->handle == handle) {
            return region;
        }
    }
    return NULL;
}

struct tn_check_region *tn_check_ended_at(uint32_t space, uint64_t heap_serial, uint64_t address) {
    struct tn_check_region *region = NULL;
    for (uint64_t n = 0; (region = ended_region(n)) != NULL; n++) {
        if (region->lo <= address && address < region->hi && region->space == space &&
            (heap_serial == 0 || region->heap_serial == heap_serial)) {
            return region;
        }
    }
    return NULL;
}

struct tn_check_region *tn_check_ended_start(uint32_t space, uint64_t address) {
    struct tn_check_region *region = NULL;
    for (uint64_t n = 0; (region = ended_region(n)) != NULL; n++) {
        if (region->lo == address && region->space == space) {
            return region;
        }
    }
    return NULL;
}

static uint64_t distance_to(const struct tn_check_region *region, uint64_t address) {
    if (address < region->lo) {
        return region->lo - address;
    }
    return address < region->hi ? 0 : address - region->hi;
}

struct tn_check_region *tn_check_ended_near(uint32_t space, uint64_t heap_serial,
                                            uint64_t address) {
    struct tn_check_region *best = NULL;
    struct tn_check_region *region = NULL;
    for (uint64_t n = 0; (region = ended_region(n)) != NULL; n++) {
        if (region->space == space && region->heap_serial == heap_serial &&
            (best == NULL || distance_to(region, address) < distance_to(best, address))) {
            best = region;
        }
    }
    return best;
}

struct tn_check_heap *tn_check_heap_by_serial(uint64_t serial) {
    for (struct tn_check_heap *heap = tn_check_model.heaps; heap != NULL; heap = heap->older) {
        if (heap->serial == serial) {
            return heap;
        }
    }
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    while (heap != NULL && heap->serial != serial) {
        heap = heap->older;
    }
    return heap;
}

struct tn_check_heap *tn_check_ended_heap_by_handle(uint64_t handle) {
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    while (heap != NULL && heap->handle != handle) {
        heap = heap->older;
    }
    return heap;
}

struct tn_check_heap *tn_check_ended_heap_at_start(uint32_t space, uint64_t address) {
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    while (heap != NULL &&
           (heap->lo != address || heap->plane->space != space || heap->object != 0)) {
        heap = heap->older;
    }
    return heap;
}
