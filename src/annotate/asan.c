// SPDX-License-Identifier: Apache-2.0
// Told by ASan's poison. What lies in a heap and in no live region is poisoned, so that a program
// compiled with ASan stops at the instruction that leaves its block; and a copy or a fill is looked
// at when it is given, as the engine's own moves are not seen (base/bytes.h). ASan is found by weak
// references: it is there when the process has it, however this library was compiled.
//
// Only memory that instructions of this process reach is poisoned, and only where ASan has a shadow
// for it. Nothing is poisoned that is not backed: shadow is real memory, an eighth of what it tells
// of; so heaps of more than MOST bytes at once are left alone. Poison outlives a mapping, so it is
// taken away whenever memory goes.
#include <stddef.h>

#include "annotate/overlap.h"
#include "annotate/subscriber.h"
#include "annotate/told_heaps.h"

#define WEAK __attribute__((weak))
extern void __asan_poison_memory_region(void const volatile *addr, size_t size) WEAK;
extern void __asan_unpoison_memory_region(void const volatile *addr, size_t size) WEAK;
extern void *__asan_region_is_poisoned(void *addr, size_t size) WEAK;
extern void __asan_get_shadow_mapping(size_t *scale, size_t *offset) WEAK;
extern void __asan_report_load_n(uintptr_t addr, uintptr_t size) WEAK;
extern void __asan_report_store_n(uintptr_t addr, uintptr_t size) WEAK;

enum { GRANULE = 8 };

#define MOST (UINT64_C(1) << 30)

static struct tn_told_heaps heaps = TN_TOLD_HEAPS;
static struct tn_overlap overlap = TN_OVERLAP;

// What ASan has a shadow for: below the shadow, and above it up to the end of user space.
static uint64_t low_end;
static uint64_t high_start;
static uint64_t high_end;

static bool find(void) {
    if (__asan_poison_memory_region == NULL || __asan_unpoison_memory_region == NULL ||
        __asan_region_is_poisoned == NULL || __asan_get_shadow_mapping == NULL) {
        return false;
    }
    size_t scale = 0;
    size_t offset = 0;
    __asan_get_shadow_mapping(&scale, &offset);
    // The stack lies at the end of user space.
    int leading = __builtin_clzll((uint64_t)(uintptr_t)__builtin_frame_address(0));
    high_end = UINT64_MAX >> leading;
    low_end = offset;
    high_start = (high_end >> scale) + offset + 1;
    return true;
}

static bool has_shadow(uint64_t addr, uint64_t bytes) {
    uint64_t last = addr + bytes - 1;
    return bytes != 0 && last >= addr &&
           (last < low_end || (addr >= high_start && last <= high_end));
}

static bool concerns(const struct tn_mem_event *note) {
    return (note->flags & TN_MEM_HOST_CAN) != 0 && has_shadow(note->addr, note->bytes);
}

static void poison(uint64_t addr, uint64_t bytes) {
    __asan_poison_memory_region((void *)(uintptr_t)addr, bytes);
}

static void unpoison(uint64_t addr, uint64_t bytes) {
    __asan_unpoison_memory_region((void *)(uintptr_t)addr, bytes);
}

// ---- heaps

static void heap_begin(const struct tn_mem_event *note) {
    bool whole = (note->flags & TN_MEM_WHOLE) != 0;
    const struct tn_told_heap heap = {note->addr, note->bytes, NULL};
    if (concerns(note) && (!whole || note->bytes <= MOST) && tn_told_heaps_add(&heaps, &heap) &&
        whole) {
        poison(note->addr, note->bytes);
    }
}

static void heap_end(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (!tn_told_heaps_take(&heaps, note->addr, &heap)) {
        return;
    }
    tn_overlap_forget(&overlap, heap.addr, heap.bytes);
    if ((note->flags & TN_MEM_WHOLE) != 0) {
        unpoison(heap.addr, heap.bytes);
    }
}

static void backed(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (concerns(note) && tn_told_heaps_find(&heaps, note->addr, &heap)) {
        (note->kind == TN_MEM_BACKED ? poison : unpoison)(note->addr, note->bytes);
    }
}

// Memory goes, perhaps with heaps of its owner still on it.
static void memory_end(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    while (tn_note_takes_bytes(note) &&
           tn_told_heaps_take_within(&heaps, note->addr, note->bytes, &heap)) {
        tn_overlap_forget(&overlap, heap.addr, heap.bytes);
        unpoison(heap.addr, heap.bytes);
    }
}

// ---- regions

static void region_begin(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (!concerns(note) || !tn_told_heaps_find(&heaps, note->addr, &heap) ||
        note->bytes > heap.addr + heap.bytes - note->addr) {
        return;
    }
    if (tn_overlap_wants(note)) {
        (void)tn_overlap_add(&overlap, note->addr, note->bytes);
    }
    unpoison(note->addr, note->bytes);
}

static void region_end(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    if (!tn_told_heaps_find(&heaps, note->addr, &heap)) {
        return;
    }
    const struct tn_told_piece within = {heap.addr, heap.bytes};
    uint64_t left = heap.addr + heap.bytes - note->addr;
    if (!tn_overlap_remove(&overlap, note->addr, GRANULE, &within, poison) &&
        !tn_overlap_wants(note)) {
        poison(note->addr, note->other < left ? note->other : left);
    }
}

static void region_resize(const struct tn_mem_event *note) {
    region_end(note);
    region_begin(note);
}

// Reading and writing cannot be told apart: without either the region is forbidden.
static void permission(const struct tn_mem_event *note) {
    struct tn_told_heap heap;
    bool any = (note->flags & (TN_MEM_READ | TN_MEM_WRITE)) != 0;
    if (concerns(note) && tn_told_heaps_find(&heaps, note->addr, &heap)) {
        (any ? unpoison : poison)(note->addr, note->bytes);
    }
}

// ---- accesses

static void check_row(const struct tn_mem_event *note, uint64_t addr) {
    void *bad = has_shadow(addr, note->bytes)
                    ? __asan_region_is_poisoned((void *)(uintptr_t)addr, note->bytes)
                    : NULL;
    if (bad == NULL) {
        return;
    }
    if ((note->flags & TN_MEM_WRITE) != 0 && __asan_report_store_n != NULL) {
        __asan_report_store_n((uintptr_t)bad, note->bytes);
    } else if (__asan_report_load_n != NULL) {
        __asan_report_load_n((uintptr_t)bad, note->bytes);
    }
}

static void check_access(const struct tn_mem_event *note) {
    for (uint64_t z = 0; z < note->depth; z++) {
        for (uint64_t y = 0; y < note->height; y++) {
            check_row(note, note->addr + z * note->slice_pitch + y * note->pitch);
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
    case TN_MEM_UNBACKED:
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
    case TN_MEM_PERMISSION:
        permission(note);
        break;
    case TN_MEM_ACCESS:
        if (concerns(note)) {
            check_access(note);
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

const struct tn_subscriber tn_listener_asan = {find, tell, fork_prepare, fork_done};
