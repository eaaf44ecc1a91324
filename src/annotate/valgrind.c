// SPDX-License-Identifier: Apache-2.0
// Valgrind's Memcheck as a subscriber, by client requests. Each heap is a memory pool of Memcheck,
// and each block is a chunk in it with the stacks of its allocation and its free. Copies and fills
// are checked when they are submitted, because the engine's own accesses are not reported
// (base/bytes.h).
//
// Chunks of a memory pool must not overlap, but regions of the program's own heaps may. Those
// regions are described as plain memory, byte by byte where no other region lies. Built without
// Valgrind's header, this file contains a subscriber that is never detected.
#include <stdlib.h>

#include "annotate/subscriber.h"

#if __has_include(<valgrind/memcheck.h>)

#include <valgrind/memcheck.h>

// The handle of a heap is an address that identifies its memory pool to Memcheck.
static struct tn_reported_heaps heaps = TN_REPORTED_HEAPS;
static struct tn_overlap overlap = TN_OVERLAP;
static struct tn_ended_bytes ended = TN_ENDED_BYTES;

static bool valgrind_detect(void) { return RUNNING_ON_VALGRIND != 0; }

static void *pointer_to(uint64_t addr) { return (void *)(uintptr_t)addr; }

static bool is_host_memory(const struct tn_mem_event *event) {
    return (event->flags & TN_MEM_HOST_CAN) != 0 && event->bytes != 0;
}

// The program's own heaps have no object.
static bool is_pool(const struct tn_mem_event *event) { return event->object != 0; }

static void forbid_bytes(uint64_t addr, uint64_t bytes) {
    (void)VALGRIND_MAKE_MEM_NOACCESS(pointer_to(addr), bytes);
}

// ---- heaps

static void heap_begin(const struct tn_mem_event *event) {
    struct tn_annotate_range heap = {event->addr, event->bytes,
                                     is_host_memory(event) ? malloc(1) : NULL};
    if (heap.handle == NULL) return;
    if (!tn_reported_heaps_add(&heaps, &heap)) {
        free(heap.handle);
        return;
    }
    if ((event->flags & TN_MEM_WHOLE) != 0) forbid_bytes(event->addr, event->bytes);
    VALGRIND_CREATE_MEMPOOL(heap.handle, 0, 0);
}

static void forget_heap(struct tn_annotate_range *heap, bool open) {
    tn_overlap_forget(&overlap, heap->addr, heap->bytes);
    tn_ended_bytes_forget(&ended, heap->addr, heap->bytes, NULL);
    VALGRIND_DESTROY_MEMPOOL(heap->handle);
    if (open) (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(heap->addr), heap->bytes);
    free(heap->handle);
}

// Valgrind itself sees when pages are unmapped.
static void set_backed(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (!is_host_memory(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    tn_ended_bytes_forget(&ended, event->addr, event->bytes, NULL);
    forbid_bytes(event->addr, event->bytes);
}

static void memory_end(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    while (tn_mem_event_ends_bytes(event) &&
           tn_reported_heaps_remove_within(&heaps, event->addr, event->bytes, &heap))
        forget_heap(&heap, true);
}

// ---- regions

static void forget_contents(uint64_t addr, uint64_t bytes) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(pointer_to(addr), bytes);
}

// Calls that were submitted before the region begins may still write and read the bytes of a region
// that ended there. Memcheck's state of those bytes must not change under them, so it stays
// "defined". A chunk that begins with all its bytes would make them undefined.
static void region_begin(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (!is_host_memory(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    if (is_pool(event)) {
        VALGRIND_MEMPOOL_ALLOC(heap.handle, pointer_to(event->addr), 0);
        VALGRIND_MEMPOOL_CHANGE(heap.handle, pointer_to(event->addr), pointer_to(event->addr),
                                event->bytes);
    } else {
        (void)tn_overlap_add(&overlap, event->addr, event->bytes);
    }
    tn_ended_bytes_forget(&ended, event->addr, event->bytes, forget_contents);
    if ((event->flags & TN_MEM_ZEROED) != 0)
        (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(event->addr), event->bytes);
}

// A kernel compiled for the host will run with Valgrind's checks.
static void forbid_later(uint64_t addr, uint64_t bytes) {
    if (!tn_ended_bytes_add(&ended, addr, bytes)) forbid_bytes(addr, bytes);
}

static void region_end(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    bool ordered = event->stream != 0;
    if (!tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    if (!is_pool(event)) {
        (void)tn_overlap_remove(&overlap, event->addr, 1, &heap,
                                ordered ? forbid_later : forbid_bytes);
        return;
    }
    VALGRIND_MEMPOOL_FREE(heap.handle, pointer_to(event->addr));
    if (ordered) {
        (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(event->addr), event->bytes);
        forbid_later(event->addr, event->bytes);
    }
}

// A region that is resized in place keeps its contents.
static void region_resize(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (!is_host_memory(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
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

static void check_row(const struct tn_mem_event *event, uint64_t addr) {
    (void)VALGRIND_CHECK_MEM_IS_ADDRESSABLE(pointer_to(addr), event->bytes);
}

static void check_access(const struct tn_mem_event *event) {
    if (is_host_memory(event)) tn_mem_event_rows(event, check_row);
}

static void mark_initialised(const struct tn_mem_event *event) {
    if (is_host_memory(event))
        (void)VALGRIND_MAKE_MEM_DEFINED(pointer_to(event->addr), event->bytes);
}

static void mark_discarded(const struct tn_mem_event *event) {
    if (is_host_memory(event))
        (void)VALGRIND_MAKE_MEM_UNDEFINED(pointer_to(event->addr), event->bytes);
}

const struct tn_subscriber tn_subscriber_valgrind = {
    .detect = valgrind_detect,
    .handlers = {[TN_MEM_HEAP_BEGIN] = heap_begin,
                 [TN_MEM_BACKED] = set_backed,
                 [TN_MEM_REGION_BEGIN] = region_begin,
                 [TN_MEM_REGION_END] = region_end,
                 [TN_MEM_REGION_RESIZE] = region_resize,
                 [TN_MEM_ACCESS] = check_access,
                 [TN_MEM_INITIALISED] = mark_initialised,
                 [TN_MEM_DISCARDED] = mark_discarded,
                 [TN_MEM_RESOURCE_END] = memory_end},
    .forget = forget_heap,
    .forbid = forbid_bytes,
    .heaps = &heaps,
    .overlap = &overlap,
    .ended = &ended,
};

#else

static bool valgrind_detect(void) { return false; }

const struct tn_subscriber tn_subscriber_valgrind = {.detect = valgrind_detect};

#endif
