// SPDX-License-Identifier: Apache-2.0
// AddressSanitizer as a subscriber. Bytes of a heap that lie in no live region are poisoned, so
// that a program compiled with ASan stops at the instruction that leaves its block. Copies and
// fills are checked when they are submitted, because ASan does not see the engine's own accesses
// (base/bytes.h). Weak references find ASan if the process contains it, however Tarn was compiled.
// Of memory that a software device allocates in pages, the bytes behind the requested ones are poisoned.
//
// Only backed memory that instructions of this process reach is poisoned, because the shadow takes
// an eighth of the poisoned range as real memory. For the same reason, heaps larger than MAX_WHOLE
// are not poisoned when they begin. Poison outlives a mapping, so it is removed with the memory.
#include <unistd.h>

#include "annotate/asan_report.h"
#include "annotate/subscriber.h"
#include "base/round.h"

#define WEAK __attribute__((weak))
extern void __asan_poison_memory_region(void const volatile *addr, size_t size) WEAK;
extern void __asan_unpoison_memory_region(void const volatile *addr, size_t size) WEAK;
extern void *__asan_region_is_poisoned(void *addr, size_t size) WEAK;
extern void __asan_get_shadow_mapping(size_t *scale, size_t *offset) WEAK;
extern void __asan_report_load_n(uintptr_t addr, uintptr_t size) WEAK;
extern void __asan_report_store_n(uintptr_t addr, uintptr_t size) WEAK;

enum { GRANULE = 8 };

#define MAX_WHOLE (UINT64_C(1) << 30)
#define MAX_ROOM  (UINT64_C(16) << 20) // of the bytes behind a block, those that are poisoned

static struct tn_reported_heaps heaps = TN_REPORTED_HEAPS;
static struct tn_overlap overlap = TN_OVERLAP;
static struct tn_ended_bytes ended = TN_ENDED_BYTES;
static struct tn_block_log blocks = TN_BLOCK_LOG;

// ASan has a shadow for the addresses below low_end and in [high_start, high_end].
static uint64_t low_end;
static uint64_t high_start;
static uint64_t high_end;

static bool asan_detect(void) {
    if (__asan_poison_memory_region == NULL || __asan_unpoison_memory_region == NULL ||
        __asan_region_is_poisoned == NULL || __asan_get_shadow_mapping == NULL)
        return false;
    size_t scale = 0;
    size_t offset = 0;
    __asan_get_shadow_mapping(&scale, &offset);
    // The stack lies near the end of user space.
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

static bool can_poison(const struct tn_mem_event *event) {
    return (event->flags & TN_MEM_HOST_CAN) != 0 && has_shadow(event->addr, event->bytes);
}

static void poison_bytes(uint64_t addr, uint64_t bytes) {
    __asan_poison_memory_region((void *)(uintptr_t)addr, bytes);
}

static void unpoison_bytes(uint64_t addr, uint64_t bytes) {
    __asan_unpoison_memory_region((void *)(uintptr_t)addr, bytes);
}

// ---- heaps

static void heap_begin(const struct tn_mem_event *event) {
    bool whole = (event->flags & TN_MEM_WHOLE) != 0;
    const struct tn_annotate_range heap = {event->addr, event->bytes, NULL};
    if (can_poison(event) && (!whole || event->bytes <= MAX_WHOLE) &&
        tn_reported_heaps_add(&heaps, &heap) && whole)
        poison_bytes(event->addr, event->bytes);
}

static void forget_heap(struct tn_annotate_range *heap, bool open) {
    tn_overlap_forget(&overlap, heap->addr, heap->bytes);
    tn_ended_bytes_forget(&ended, heap->addr, heap->bytes, NULL);
    tn_block_log_forget(&blocks, heap->addr, heap->bytes);
    if (open) unpoison_bytes(heap->addr, heap->bytes);
}

static void set_backed(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (!can_poison(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    tn_ended_bytes_forget(&ended, event->addr, event->bytes, NULL);
    (event->kind == TN_MEM_BACKED ? poison_bytes : unpoison_bytes)(event->addr, event->bytes);
}

// ---- memory

// Returns the number of bytes behind the requested ones that belong to the memory.
static uint64_t room_behind(const struct tn_mem_event *event) {
    if ((event->flags & TN_MEM_SOFT) == 0) return 0;
    uint64_t all = event->what == TN_MEM_PINNED
                       ? tn_round_up(event->bytes, (uint64_t)sysconf(_SC_PAGESIZE))
                       : event->other;
    uint64_t room = all > event->bytes ? all - event->bytes : 0;
    return room < MAX_ROOM ? room : MAX_ROOM;
}

// Of a pool's own memory, its heap knows what is accessible.
static void memory_begin(const struct tn_mem_event *event) {
    static const char *const kinds[] = {[TN_MEM_MEMORY] = "device memory",
                                        [TN_MEM_PINNED] = "pinned memory",
                                        [TN_MEM_MAPPING] = "a mapping"};
    uint64_t room = room_behind(event);
    if (!tn_mem_event_ends_bytes(event) || (event->flags & TN_MEM_OWNED) != 0 || !can_poison(event))
        return;
    if (tn_block_log_begin(&blocks, event, kinds[event->what], room))
        poison_bytes(event->addr + event->bytes, room);
    tn_asan_report_install(&blocks);
}

// The owner may free the memory while reported heaps still lie on it.
static void memory_end(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    struct tn_logged_block block;
    if (tn_mem_event_ends_bytes(event) && tn_block_log_end(&blocks, event, &block))
        unpoison_bytes(block.addr + block.bytes, block.room);
    while (tn_mem_event_ends_bytes(event) &&
           tn_reported_heaps_remove_within(&heaps, event->addr, event->bytes, &heap))
        forget_heap(&heap, true);
}

// ---- regions

static void allow_region(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    if (!can_poison(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap) ||
        event->bytes > heap.addr + heap.bytes - event->addr)
        return;
    if (tn_overlap_wants(event)) (void)tn_overlap_add(&overlap, event->addr, event->bytes);
    tn_ended_bytes_forget(&ended, event->addr, event->bytes, NULL);
    unpoison_bytes(event->addr, event->bytes);
}

// A kernel compiled for the host will run with ASan's checks.
static void poison_later(uint64_t addr, uint64_t bytes) {
    if (!tn_ended_bytes_add(&ended, addr, bytes)) poison_bytes(addr, bytes);
}

static void forbid_region(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    void (*forbid)(uint64_t, uint64_t) = event->stream != 0 ? poison_later : poison_bytes;
    if (!tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    uint64_t left = heap.addr + heap.bytes - event->addr;
    if (!tn_overlap_remove(&overlap, event->addr, GRANULE, &heap, forbid) &&
        !tn_overlap_wants(event))
        forbid(event->addr, event->other < left ? event->other : left);
}

// Returns the bytes behind the requested ones that the region occupies.
static uint64_t tail_of(const struct tn_mem_event *event) {
    return event->other > event->bytes ? event->other - event->bytes : 0;
}

static void region_begin(const struct tn_mem_event *event) {
    const char *kind = event->name != NULL  ? event->name
                       : event->object != 0 ? "a block of a pool"
                                            : "a region";
    if (!can_poison(event)) return;
    (void)tn_block_log_begin(&blocks, event, kind, tail_of(event));
    tn_asan_report_install(&blocks);
    allow_region(event);
}

static void region_end(const struct tn_mem_event *event) {
    struct tn_logged_block block;
    (void)tn_block_log_end(&blocks, event, &block);
    forbid_region(event);
}

// Bytes that the region keeps are accessible all the time.
static void region_resize(const struct tn_mem_event *event) {
    struct tn_logged_block block;
    struct tn_annotate_range heap;
    struct tn_mem_event now = *event;
    now.stream = 0;
    (void)tn_block_log_resize(&blocks, event, &block);
    if (!can_poison(event) || !tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    if (tn_overlap_wants(event)) forbid_region(&now);
    allow_region(&now);
    if (!tn_overlap_wants(event)) poison_bytes(event->addr + event->bytes, tail_of(event));
}

// ASan does not distinguish reads from writes. A region with neither permission is poisoned.
static void set_permission(const struct tn_mem_event *event) {
    struct tn_annotate_range heap;
    bool any = (event->flags & (TN_MEM_READ | TN_MEM_WRITE)) != 0;
    if (can_poison(event) && tn_reported_heaps_find(&heaps, event->addr, &heap))
        (any ? unpoison_bytes : poison_bytes)(event->addr, event->bytes);
}

// ---- accesses

static void check_row(const struct tn_mem_event *event, uint64_t addr) {
    void *bad = has_shadow(addr, event->bytes)
                    ? __asan_region_is_poisoned((void *)(uintptr_t)addr, event->bytes)
                    : NULL;
    if (bad == NULL) return;
    if ((event->flags & TN_MEM_WRITE) != 0 && __asan_report_store_n != NULL)
        __asan_report_store_n((uintptr_t)bad, event->bytes);
    else if (__asan_report_load_n != NULL)
        __asan_report_load_n((uintptr_t)bad, event->bytes);
}

static void check_access(const struct tn_mem_event *event) {
    if (can_poison(event)) tn_mem_event_rows(event, check_row);
}

const struct tn_subscriber tn_subscriber_asan = {
    .detect = asan_detect,
    .handlers = {[TN_MEM_HEAP_BEGIN] = heap_begin,
                 [TN_MEM_BACKED] = set_backed,
                 [TN_MEM_UNBACKED] = set_backed,
                 [TN_MEM_REGION_BEGIN] = region_begin,
                 [TN_MEM_REGION_END] = region_end,
                 [TN_MEM_REGION_RESIZE] = region_resize,
                 [TN_MEM_PERMISSION] = set_permission,
                 [TN_MEM_ACCESS] = check_access,
                 [TN_MEM_RESOURCE_BEGIN] = memory_begin,
                 [TN_MEM_RESOURCE_END] = memory_end},
    .forget = forget_heap,
    .forbid = poison_bytes,
    .heaps = &heaps,
    .overlap = &overlap,
    .blocks = &blocks,
    .ended = &ended,
};
