// SPDX-License-Identifier: Apache-2.0
// What MSTX's clients register, as notes for the listeners that Tarn itself tells. Only memory that
// this process maps is told as its own: device memory may have the same numbers as nothing at all.
#include "check/forward.h"

#include <stddef.h>

#include "annotate/subscriber.h"
#include "check/mapped.h"
#include "check/options.h"

enum { LISTENERS = 3 };

static const struct tn_subscriber *const listeners[LISTENERS] = {
    &tn_listener_asan, &tn_listener_valgrind, &tn_listener_nvtx};

static bool listens[LISTENERS];
static bool looked; // for them, at the first heap

static bool somebody_listens(void) {
    if (!looked) {
        const struct tn_check_options *options = tn_check_model.options;
        const int wanted[LISTENERS] = {options->asan, options->valgrind, options->nvtx};
        for (unsigned i = 0; i < LISTENERS; i++) {
            listens[i] = wanted[i] != 0 && listeners[i]->find();
        }
        looked = true;
    }
    return listens[0] || listens[1] || listens[2];
}

static void tell(struct tn_mem_event *note) {
    note->size = sizeof *note;
    note->height = note->depth = 1;
    for (unsigned i = 0; i < LISTENERS; i++) {
        if (listens[i]) {
            listeners[i]->tell(note);
        }
    }
}

// ---- heaps

static void tell_heap(uint16_t kind, const struct tn_check_heap *heap) {
    struct tn_mem_event note = {.kind = kind,
                                .flags = TN_MEM_WHOLE | (heap->mapped ? TN_MEM_HOST_CAN : 0),
                                .device = heap->device,
                                .addr = heap->lo,
                                .bytes = heap->hi - heap->lo,
                                .name = heap->name,
                                .domain = heap->domain->name};
    tell(&note);
}

void tn_check_forward_heap_begin(struct tn_check_heap *heap) {
    if (heap->lo < heap->hi && somebody_listens()) {
        heap->forwarded = true;
        heap->mapped = tn_check_is_mapped(heap->lo, heap->hi);
        tell_heap(TN_MEM_HEAP_BEGIN, heap);
    }
}

void tn_check_forward_heap_end(const struct tn_check_heap *heap) {
    if (heap->forwarded) {
        tell_heap(TN_MEM_HEAP_END, heap);
    }
}

// ---- regions

// What lies in the heap.
static void tell_region(uint16_t kind, const struct tn_check_region *region, uint32_t flags) {
    const struct tn_check_heap *heap = region->heap;
    uint64_t lo = region->span.lo;
    uint64_t bytes = region->span.hi - lo;
    if (heap == NULL || !heap->forwarded || region->told || lo >= region->span.hi) {
        return;
    }
    struct tn_mem_event note = {.kind = kind,
                                .flags = flags | (heap->mapped ? TN_MEM_HOST_CAN : 0),
                                .device = heap->device,
                                .addr = lo,
                                .bytes = bytes,
                                .other = bytes,
                                .name = region->name,
                                .domain = region->domain->name};
    tell(&note);
}

void tn_check_forward_region_begin(const struct tn_check_region *region) {
    tell_region(TN_MEM_REGION_BEGIN, region, 0);
}

void tn_check_forward_region_end(const struct tn_check_region *region) {
    tell_region(TN_MEM_REGION_END, region, 0);
}

void tn_check_forward_permission(const struct tn_check_region *region) {
    tell_region(TN_MEM_PERMISSION, region, region->permission);
}

// ---- fork

void tn_check_forward_fork_prepare(void) {
    for (unsigned i = 0; i < LISTENERS; i++) {
        if (listeners[i]->fork_prepare != NULL) {
            listeners[i]->fork_prepare();
        }
    }
}

void tn_check_forward_fork_done(void) {
    for (unsigned i = LISTENERS; i-- > 0;) {
        if (listeners[i]->fork_done != NULL) {
            listeners[i]->fork_done();
        }
    }
}
