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
#include "annotate/told_heaps.h"

static struct tn_told_heaps heaps =
    TN_TOLD_HEAPS; // handle: an anchor, an address that names the pool
static struct tn_overlap overlap = TN_OVERLAP;

static bool find(void) {
    return RUNNING_ON_VALGRIND != 0;
}

static void *at(uint64_t addr) {
    return (void *)(uintptr_t)addr;
}

static bool concerns(const struct tn_mem_event *note) {
    return (note->flags & TN_MEM_HOST_CAN) != 0 && note->bytes != 0;
}

// The users' own heaps have no object.
static bool is_pool(const struct tn_mem_event *note) {
    return note->object != 0;
}

static void forbid(uint64_t addr, uint64_t bytes) {
    (void)VALGRIND_MAKE_MEM_NOACCESS(at(addr), bytes);
}

// ---- heaps

static void heap_begin(const struct tn_mem_event *note) {
    struct tn_told_heap heap = {note->addr, note->bytes, concerns(note) ? malloc(1) : NULL};
    if (heap.handle == NULL) {
        return;
    }
    if (!tn_told_heaps_add(&heaps, &heap)) {
        free(heap.handle);
        return;
    }
    if ((note->flags & TN_MEM_WHOLE) != 0) {
        forbid(note->addr, note->bytes);
    }
    VALGRIND_CREATE_MEMPOOL(heap.handle, 0, 0);
}

static void forget_heap(struct tn_told_heap *heap, bool open) {
    tn_overlap_forget(&overlap, heap->addr, heap->bytes);
    VALGRIND_DESTROY_MEMPOOL(heap->handle);
    if (open) {
        (void)VALGRIND_MAKE_MEM_DEFINED(at(heap->addr), heap->bytes);
    }
    free(heap->handle);
}

static void heap_end(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (tn_told_heaps_take(&heaps, note->addr, &heap)) {
        forget_heap(&heap, (note->flags & TN_MEM_WHOLE) != 0);
    }
}

// Pages that go are seen by Valgrind itself.
static void backed(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (concerns(note) && tn_told_heaps_find(&heaps, note->addr, &heap)) {
        forbid(note->addr, note->bytes);
    }
}

static void memory_end(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    while (tn_note_takes_bytes(note) &&
           tn_told_heaps_take_within(&heaps, note->addr, note->bytes, &heap)) {
        forget_heap(&heap, true);
    }
}

// ---- regions

static void region_begin(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (!concerns(note) || !tn_told_heaps_find(&heaps, note->addr, &heap)) {
        return;
    }
    if (is_pool(note)) {
        VALGRIND_MEMPOOL_ALLOC(heap.handle, at(note->addr), note->bytes);
    } else {
        (void)tn_overlap_add(&overlap, note->addr, note->bytes);
        (void)VALGRIND_MAKE_MEM_UNDEFINED(at(note->addr), note->bytes);
    }
    if ((note->flags & TN_MEM_ZEROED) != 0) {
        (void)VALGRIND_MAKE_MEM_DEFINED(at(note->addr), note->bytes);
    }
}

static void region_end(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (!tn_told_heaps_find(&heaps, note->addr, &heap)) {
        return;
    }
    const struct tn_told_piece within = {heap.addr, heap.bytes};
    if (is_pool(note)) {
        VALGRIND_MEMPOOL_FREE(heap.handle, at(note->addr));
    } else {
        (void)tn_overlap_remove(&overlap, note->addr, 1, &within, forbid);
    }
}

// What stays in place keeps its contents.
static void region_resize(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (!concerns(note) || !tn_told_heaps_find(&heaps, note->addr, &heap)) {
        return;
    }
    if (is_pool(note)) {
        VALGRIND_MEMPOOL_CHANGE(heap.handle, at(note->addr), at(note->addr), note->bytes);
    } else {
        region_end(note);
        region_begin(note);
        (void)VALGRIND_MAKE_MEM_DEFINED(at(note->addr), note->bytes);
    }
}

// ---- accesses

static void check_access(const struct tn_mem_event *note) {
    for (uint64_t z = 0; z < note->depth; z++) {
        for (uint64_t y = 0; y < note->height; y++) {
            uint64_t addr = note->addr + z * note->slice_pitch + y * note->pitch;
            (void)VALGRIND_CHECK_MEM_IS_ADDRESSABLE(at(addr), note->bytes);
        }
    }
}

static void tell(const struct tn_mem_event *note) {
    switch (note->kind) {
    case TN_MEM_HEAP_BEGIN:
        heap_begin(note);
        break;
    case TN_MEM_HEAP_END:
        heap_end(note);
        break;
    case TN_MEM_BACKED:
        backed(note);
        break;
    case TN_MEM_REGION_BEGIN:
        region_begin(note);
        break;
    case TN_MEM_REGION_END:
        region_end(note);
        break;
    case TN_MEM_REGION_RESIZE:
        region_resize(note);
        break;
    case TN_MEM_ACCESS:
        if (concerns(note)) {
            check_access(note);
        }
        break;
    case TN_MEM_INITIALISED:
        if (concerns(note)) {
            (void)VALGRIND_MAKE_MEM_DEFINED(at(note->addr), note->bytes);
        }
        break;
    case TN_MEM_RESOURCE_END:
        memory_end(note);
        break;
    default:
        break;
    }
}

static void fork_prepare(void) {
    tn_told_heaps_fork_prepare(&heaps);
    tn_overlap_fork_prepare(&overlap);
}

static void fork_done(void) {
    tn_overlap_fork_done(&overlap);
    tn_told_heaps_fork_done(&heaps);
}

const struct tn_subscriber tn_listener_valgrind = {find, tell, fork_prepare, fork_done};

#else

static bool find(void) {
    return false;
}

static void tell(const struct tn_mem_event *note) {
    (void)note;
}

const struct tn_subscriber tn_listener_valgrind = {find, tell, NULL, NULL};

#endif
