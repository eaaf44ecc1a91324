// SPDX-License-Identifier: Apache-2.0
// Turns the annotations of MSTX clients into memory events for the other subscribers. Memory counts
// as accessible to instructions only if this process maps it, because a device address may be an
// address that the process has not mapped.
#include "check/forward.h"

#include "annotate/subscriber.h"
#include "check/mapped.h"
#include "check/options.h"

enum { SUBSCRIBERS = 3 };

static const struct tn_subscriber *const subscribers[SUBSCRIBERS] = {
    &tn_subscriber_asan, &tn_subscriber_valgrind, &tn_subscriber_nvtx};

static bool present[SUBSCRIBERS];
static bool detected; // set at the first heap

static void notify_all(struct tn_mem_event *event) {
    event->size = sizeof *event;
    event->height = event->depth = 1;
    for (unsigned i = 0; i < SUBSCRIBERS; i++)
        if (present[i]) tn_subscriber_notify(subscribers[i], event);
}

// ---- heaps

static void forward_heap(uint16_t kind, const struct tn_check_heap *heap) {
    struct tn_mem_event event = {.kind = kind,
                                 .flags = TN_MEM_WHOLE | (heap->mapped ? TN_MEM_HOST_CAN : 0),
                                 .device = heap->device,
                                 .addr = heap->lo,
                                 .bytes = heap->hi - heap->lo,
                                 .name = heap->name,
                                 .domain = heap->domain->name};
    notify_all(&event);
}

void tn_check_forward_heap_begin(struct tn_check_heap *heap) {
    if (heap->lo >= heap->hi) return;
    if (!detected) {
        const struct tn_check_options *options = tn_check_model.options;
        const int wanted[SUBSCRIBERS] = {options->asan, options->valgrind, options->nvtx};
        for (unsigned i = 0; i < SUBSCRIBERS; i++)
            present[i] = wanted[i] != 0 && subscribers[i]->detect();
        detected = true;
    }
    if (present[0] || present[1] || present[2]) {
        heap->forwarded = true;
        heap->mapped = tn_check_is_mapped(heap->lo, heap->hi);
        forward_heap(TN_MEM_HEAP_BEGIN, heap);
    }
}

void tn_check_forward_heap_end(const struct tn_check_heap *heap) {
    if (heap->forwarded) forward_heap(TN_MEM_HEAP_END, heap);
}

// ---- regions

// Forwards the part of the region that lies in its heap.
void tn_check_forward_region(uint16_t kind, const struct tn_check_region *region, uint32_t flags) {
    const struct tn_check_heap *heap = region->heap;
    uint64_t lo = region->span.lo;
    uint64_t bytes = region->span.hi - lo;
    if (heap == NULL || !heap->forwarded || region->from_event || lo >= region->span.hi) return;
    struct tn_mem_event event = {.kind = kind,
                                 .flags = flags | (heap->mapped ? TN_MEM_HOST_CAN : 0),
                                 .device = heap->device,
                                 .addr = lo,
                                 .bytes = bytes,
                                 .other = bytes,
                                 .name = region->name,
                                 .domain = region->domain->name};
    notify_all(&event);
}

// ---- fork

void tn_check_forward_fork_prepare(void) {
    for (unsigned i = 0; i < SUBSCRIBERS; i++) tn_subscriber_fork_prepare(subscribers[i]);
}

void tn_check_forward_fork_done(void) {
    for (unsigned i = SUBSCRIBERS; i-- > 0;) tn_subscriber_fork_done(subscribers[i]);
}
