// SPDX-License-Identifier: Apache-2.0
// Told by Valgrind's client requests, when the process runs under Memcheck: each heap is one of its
// memory pools, each block a chunk in it with the stacks of its allocation and its free. Copies and
// fills are looked at when they are given, as the engine's own moves are not reported
// (base/bytes.h). Without Valgrind's header at build time there is nothing here.
//
// Chunks of a pool must not overlap. Regions of the users' own heaps may, so these are told as
// plain memory, byte by byte where no other region is.
#include <stddef.h>
#include <stdlib.h>

#include "annotate/subscriber.h"

#if __has_include(<valgrind/memcheck.h>)

#include <valgrind/memcheck.h>

#include "annotate/overlap.h"
#include "annotate/reported_heaps.h"

static struct tn_reported_heaps heaps =
    TN_REPORTED_HEAPS; // handle: an anchor, an address that names the pool
static struct tn_overlap overlap = TN_OVERLAP;

static bool valgrind_detect(void) {
    return RUNNING_ON_VALGRIND != 0;
}

static void *pointer_to(uint64_t addr) {
    return (void *)(uintptr_t)addr;
}

static bool is_host_memory(const struct tn_mem_event *event) {
    return (event->flags & TN_MEM_HOST_CAN) != 0 && event->bytes != 0;
}

// The users' own heaps have no object.
static bool is_pool(const struct tn_mem_event *event) {
    return event->object != 0;
}

static void forbid_bytes(uint64_t addr, uint64_t bytes) {
    (void)VALGRIND_MAKE_MEM_NOACCESS(pointer_to(addr), bytes);
}

// ---- heaps

static void heap_begin(const struct tn_mem_event *event) {
    struct tn_reported_heap heap = {event->addr, event->bytes,
                                    is_host_memory(event) ? malloc(1) : NULL};
    if (heap.handle == NULL) {
        return;
    }
    if (!tn_reported_heaps_add(&heaps, &heap)) {
        free(heap.handle);
        return;
    }
    if ((event->flags & TN_MEM_WHOLE) != 0) {
        forbid_bytes(event->addr, event->bytes);
    }
    VALGRIND_CREATE_MEMPOOL(heap.handle, 0, 0);
}

static void forget_heap(struct tn_reported_heap *heap, bool open) {
    tn_overlap_forget(&overlap, heap->addr, heap->bytes);
    VALGRIND_DESTROY_MEMPOOL(heap->handle);
    if (open) {
        (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(heap->addr), heap->bytes);
    }
    free(heap->handle);
}

static void heap_end(const struct tn_mem_event *event) {
    struct tn_reported_heap heap;
    if (tn_reported_heaps_remove(&heaps, event->addr, &heap)) {
        forget_heap(&heap, (event->flags & TN_MEM_WHOLE) != 0);
    }
}

// Pages that go are seen by Valgrind itself.
static void set_backed(const struct tn_mem_event *event) {
    struct tn_reported_heap heap;
    if (is_host_memory(event) && tn_reported_heaps_find(&heaps, event->addr, &heap)) {
        forbid_bytes(event->addr, event->bytes);
    }
}

static void memory_end(const struct tn_mem_event *event) {
    struct tn_reported_heap heap;
    while (tn_mem_event_ends_bytes(event) &&
           tn_reported_heaps_remove_within(&heaps, event->addr, event->bytes, &heap)) {
        forget_heap(&heap, true);
    }
}

// ---- regions

static void region_begin(const struct tn_mem_event *event) {
    struct tn_reported_heap heap;
    if (!is_host_memory(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) {
        return;
    }
    if (is_pool(event)) {
        VALGRIND_MEMPOOL_ALLOC(heap.handle, pointer_to(event->addr), event->bytes);
    } else {
        (void)tn_overlap_add(&overlap, event->addr, event->bytes);
        (void)VALGRIND_MAKE_MEM_UNDEFINED(pointer_to(event->addr), event->bytes);
    }
    if ((event->flags & TN_MEM_ZEROED) != 0) {
        (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(event->addr), event->bytes);
    }
}

static void region_end(const struct tn_mem_event *event) {
    struct tn_reported_heap heap;
    if (!tn_reported_heaps_find(&heaps, event->addr, &heap)) {
        return;
    }
    const struct tn_annotate_range within = {heap.addr, heap.bytes};
    if (is_pool(event)) {
        VALGRIND_MEMPOOL_FREE(heap.handle, pointer_to(event->addr));
    } else {
        (void)tn_overlap_remove(&overlap, event->addr, 1, &within, forbid_bytes);
    }
}

// What stays in place keeps its contents.
static void region_resize(const struct tn_mem_event *event) {
    struct tn_reported_heap heap;
    if (!is_host_memory(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) {
        return;
    }
    if (is_pool(event)) {
        VALGRIND_MEMPOOL_CHANGE(heap.handle, pointer_to(event->addr), pointer_to(event->addr),
                                event->bytes);
    } else {
        region_end(event);
        region_begin(event);
        (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(event->addr), event->bytes);
    }
}

// ---- accesses

static void check_access(const struct tn_mem_event *event) {
    for (uint64_t z = 0; z < event->depth; z++) {
        for (uint64_t y = 0; y < event->height; y++) {
            uint64_t addr = event->addr + z * event->slice_pitch + y * event->pitch;
            (void)VALGRIND_CHECK_MEM_IS_ADDRESSABLE(pointer_to(addr), event->bytes);
        }
    }
}

static void valgrind_notify(const struct tn_mem_event *event) {
    switch (event->kind) {
    case TN_MEM_HEAP_BEGIN:
        heap_begin(event);
        break;
    case TN_MEM_HEAP_END:
        heap_end(event);
        break;
    case TN_MEM_BACKED:
        set_backed(event);
        break;
    case TN_MEM_REGION_BEGIN:
        region_begin(event);
        break;
    case TN_MEM_REGION_END:
        region_end(event);
        break;
    case TN_MEM_REGION_RESIZE:
        region_resize(event);
        break;
    case TN_MEM_ACCESS:
        if (is_host_memory(event)) {
            check_access(event);
        }
        break;
    case TN_MEM_INITIALISED:
        if (is_host_memory(event)) {
            (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(event->addr), event->bytes);
        }
        break;
    case TN_MEM_RESOURCE_END:
        memory_end(event);
        break;
    default:
        break;
    }
}

static void fork_prepare(void) {
    tn_reported_heaps_fork_prepare(&heaps);
    tn_overlap_fork_prepare(&overlap);
}

static void fork_done(void) {
    tn_overlap_fork_done(&overlap);
    tn_reported_heaps_fork_done(&heaps);
}

const struct tn_subscriber tn_subscriber_valgrind = {valgrind_detect, valgrind_notify, fork_prepare,
                                                     fork_done};

#else

static bool valgrind_detect(void) {
    return false;
}

static void valgrind_notify(const struct tn_mem_event *event) {
    (void)event;
}

const struct tn_subscriber tn_subscriber_valgrind = {valgrind_detect, valgrind_notify, NULL, NULL};

#endif
