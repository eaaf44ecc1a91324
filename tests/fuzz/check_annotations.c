// SPDX-License-Identifier: Apache-2.0
// The checker's model beside a naive one, over MSTX's calls. Each byte of the input chooses a call,
// and the next ones its range. Everything happens in 128 bytes, so that heaps and regions touch,
// nest, overlap and repeat. After every call the state of every byte must be that of the naive
// model. A wrong call must have been reported, and a correct one not.
#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/access.h"
#include "check/inject.h"
#include "check/model.h"
#include "check/options.h"
#include "check/report/report.h"
#include "unit/check/reset.h"

// The subject looks at no more heaps than these that cross in one byte.
enum { BYTES = 128, HEAPS = 64, LIVE_HEAPS = 8, REGIONS = 256, NONE = -1 };

static const uint64_t base = UINT64_C(0x7f0000000000);

// ---- the subject

static const struct tn_check_options options = {
    .history = 4096, .max_reports = 1, .realloc_keep = true, .leaks = TN_CHECK_LEAKS_EXIT};
static unsigned findings;

const struct tn_check_options *tn_check_options(void) { return &options; }

static bool count_finding(void *context, const struct tn_check_report *report) {
    (void)context;
    (void)report;
    findings++;
    return true;
}

static mstxFuncPointer slot(unsigned id) {
    for (unsigned i = 0; i < TN_CHECK_MSTX_SLOTS; i++)
        if (tn_check_mstx_slots[i].module == MSTX_API_MODULE_CORE_MEM &&
            tn_check_mstx_slots[i].id == id)
            return tn_check_mstx_slots[i].function;
    abort();
}

static void *pointer_to(int offset) { return (void *)(uintptr_t)(base + (uint64_t)offset); }

// ---- the naive model

struct heap {
    int lo, hi;
    int outer;  // NONE: none
    int parent; // the region it is in
    int aliases;
    bool live;
    mstxMemHeapHandle_t handle;
};

struct region {
    int lo, hi;
    int heap; // NONE: in no heap
    bool live;
    mstxMemRegionHandle_t handle;
};

static struct heap heap[HEAPS];
static int heaps;
static struct region region[REGIONS];
static int regions;

static int live_heaps(void) {
    int count = 0;
    for (int i = 0; i < heaps; i++) count += heap[i].live;
    return count;
}

static bool is_in(int lo, int hi, int outer_lo, int outer_hi) {
    return outer_lo <= lo && hi <= outer_hi;
}

// The smallest live heap around the range; of equal ones the newest.
static int heap_around(int lo, int hi) {
    int best = NONE;
    for (int i = heaps - 1; i >= 0; i--)
        if (heap[i].live && heap[i].lo <= lo && lo < heap[i].hi && hi <= heap[i].hi &&
            (best == NONE || heap[i].hi - heap[i].lo < heap[best].hi - heap[best].lo))
            best = i;
    return best;
}

static int clipped_lo(const struct region *r) {
    return r->heap != NONE && r->lo < heap[r->heap].lo ? heap[r->heap].lo : r->lo;
}

static int clipped_hi(const struct region *r) {
    return r->heap != NONE && r->hi > heap[r->heap].hi ? heap[r->heap].hi : r->hi;
}

static int region_around(int in, int lo, int hi) {
    int best = NONE;
    for (int i = regions - 1; i >= 0; i--) {
        const struct region *r = &region[i];
        if (r->live && r->heap == in && is_in(lo, hi, clipped_lo(r), clipped_hi(r)) &&
            (best == NONE ||
             clipped_hi(r) - clipped_lo(r) < clipped_hi(&region[best]) - clipped_lo(&region[best])))
            best = i;
    }
    return best;
}

static void end_heap(int index);

static void end_region(int index) {
    for (int i = 0; i < heaps; i++)
        if (heap[i].live && heap[i].parent == index) end_heap(i);
    region[index].live = false;
}

static void end_heap(int index) {
    for (int i = 0; i < regions; i++)
        if (region[i].live && region[i].heap == index) end_region(i);
    for (int i = 0; i < heaps; i++)
        if (heap[i].live && heap[i].outer == index) heap[i].outer = heap[index].outer;
    heap[index].live = false;
}

static bool is_ancestor(int outer, int inner) {
    while (inner != NONE && inner != outer) inner = heap[inner].outer;
    return inner == outer;
}

static bool contains(int index, int byte) {
    return heap[index].live && heap[index].lo <= byte && byte < heap[index].hi;
}

static bool is_innermost(int index, int byte) {
    for (int i = 0; i < heaps; i++)
        if (i != index && contains(i, byte) && is_ancestor(index, i)) return false;
    return contains(index, byte);
}

static bool has_region(int in, int byte, bool live) {
    for (int i = 0; i < regions; i++) {
        const struct region *r = &region[i];
        int lo = live ? clipped_lo(r) : r->lo;
        int hi = live ? clipped_hi(r) : r->hi;
        if (r->heap == in && r->live == live && lo <= byte && byte < hi) return true;
    }
    return false;
}

// The newest of the innermost heaps, or NONE; *live: any of them has a live region there.
static int heap_of(int byte, bool *live) {
    int newest = NONE;
    *live = false;
    for (int i = 0; i < heaps; i++) {
        if (is_innermost(i, byte)) {
            newest = i;
            *live = *live || has_region(i, byte, true);
        }
    }
    return newest;
}

static enum tn_check_byte_state state_of(int byte) {
    bool live = false;
    int in = heap_of(byte, &live);
    if (in == NONE) return TN_CHECK_BYTE_OUTSIDE;
    return live                          ? TN_CHECK_BYTE_LIVE
           : has_region(in, byte, false) ? TN_CHECK_BYTE_FREED
                                         : TN_CHECK_BYTE_UNUSED;
}

// ---- both

static void require(bool claim, const char *text) {
    if (!claim) {
        (void)fprintf(stderr, "fuzz check_annotations: broken claim: %s\n", text);
        abort();
    }
}

static void compare_bytes(int lo, int hi) {
    for (int byte = lo; byte < hi; byte++) {
        enum tn_check_byte_state theirs = tn_check_byte_state(0, 0, base + (uint64_t)byte);
        if (theirs != state_of(byte)) {
            (void)fprintf(stderr, "byte %d: %d, expected %d\n", byte, (int)theirs,
                          (int)state_of(byte));
            abort();
        }
    }
}

// The bytes whose state the last call may have changed.
static int changed_lo, changed_hi;

struct input {
    const uint8_t *data;
    size_t left;
};

static int next(struct input *in) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->data++;
}

// Never more than the end of what is compared.
static mstxMemVirtualRangeDesc_t next_range(struct input *in, int *lo, int *hi) {
    *lo = next(in) % BYTES;
    int bytes = next(in) % 65;
    *hi = *lo + bytes > BYTES ? BYTES : *lo + bytes;
    changed_lo = *lo;
    changed_hi = *hi;
    return (mstxMemVirtualRangeDesc_t){0, pointer_to(*lo), (uint64_t)(*hi - *lo)};
}

// What the naive model does with a heap that is new; the regions around the others stay.
static void add_heap(int lo, int hi, mstxMemHeapHandle_t handle) {
    int outer = heap_around(lo, hi);
    int parent = outer == NONE ? NONE : region_around(outer, lo, hi);
    for (int i = 0; i < heaps; i++)
        if (heap[i].live && is_in(heap[i].lo, heap[i].hi, lo, hi) &&
            heap[i].hi - heap[i].lo < hi - lo && heap[i].lo < heap[i].hi && heap[i].outer == outer)
            heap[i].outer = heaps;
    heap[heaps++] = (struct heap){lo, hi, outer, parent, 0, true, handle};
}

static void register_heap(struct input *in) {
    int lo = 0;
    int hi = 0;
    mstxMemVirtualRangeDesc_t range = next_range(in, &lo, &hi);
    mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, MSTX_MEM_TYPE_VIRTUAL_ADDRESS,
                              &range};
    if (heaps == HEAPS || lo == hi || live_heaps() == LIVE_HEAPS) return;
    int same = heap_around(lo, hi);
    mstxMemHeapHandle_t handle =
        ((mstxMemHeapRegisterFunc)slot(MSTX_API_CORE_MEMHEAP_REGISTER))(NULL, &desc);
    if (same != NONE && heap[same].lo == lo && heap[same].hi == hi &&
        region_around(same, lo, hi) == NONE) {
        require(handle == heap[same].handle, "a heap registered again is the same heap");
        require(findings > 0, "a heap registered again is reported");
        heap[same].aliases++;
        return;
    }
    add_heap(lo, hi, handle);
}

static void unregister_heap(struct input *in) {
    int index = heaps == 0 ? NONE : next(in) % heaps;
    if (index == NONE) return;
    bool live = heap[index].live;
    changed_lo = heap[index].lo;
    changed_hi = heap[index].hi;
    ((mstxMemHeapUnregisterFunc)slot(MSTX_API_CORE_MEMHEAP_UNREGISTER))(NULL, heap[index].handle);
    require(live || findings > 0, "a dead heap cannot end in silence");
    if (live && heap[index].aliases > 0)
        heap[index].aliases--;
    else if (live)
        end_heap(index);
}

static void register_region(struct input *in) {
    int lo = 0;
    int hi = 0;
    int chosen = next(in);
    mstxMemVirtualRangeDesc_t range = next_range(in, &lo, &hi);
    if (regions == REGIONS) return;
    int index = heaps == 0 || chosen % 4 == 0 ? NONE : chosen % heaps;
    mstxMemRegionHandle_t handle = (mstxMemRegionHandle_t)pointer_to(1);
    mstxMemRegionsRegisterBatch_t batch = {index == NONE ? NULL : heap[index].handle,
                                           MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &range, &handle};
    ((mstxMemRegionsRegisterFunc)slot(MSTX_API_CORE_MEM_REGIONS_REGISTER))(NULL, &batch);
    if (index != NONE && !heap[index].live) {
        require(handle == NULL && findings > 0, "a dead heap gets no regions");
        return;
    }
    bool fits = index == NONE || is_in(lo, hi, heap[index].lo, heap[index].hi);
    require(fits == (findings == 0), "a region that exceeds its heap is reported, others are not");
    index = index == NONE ? heap_around(lo, hi) : index;
    region[regions++] = (struct region){lo, hi, index, true, handle};
}

// The newest live one that begins there.
static int region_at(int lo) {
    for (int i = regions - 1; i >= 0; i--)
        if (region[i].live && region[i].lo == lo) return i;
    return NONE;
}

static void unregister_region(struct input *in, bool by_pointer) {
    mstxMemRegionRef_t ref = {.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE};
    mstxMemRegionsUnregisterBatch_t batch = {1, &ref};
    int index = NONE;
    if (by_pointer) {
        int lo = next(in) % BYTES;
        index = region_at(lo);
        ref.refType = MSTX_MEM_REGION_REF_TYPE_POINTER;
        ref.pointer = pointer_to(lo);
    } else if (regions > 0) {
        index = next(in) % regions;
        ref.handle = region[index].handle;
        index = region[index].live ? index : NONE;
    } else {
        return;
    }
    bool nested = false;
    if (index != NONE) {
        changed_lo = region[index].lo;
        changed_hi = region[index].hi;
    }
    for (int i = 0; i < heaps; i++)
        nested = nested || (index != NONE && heap[i].live && heap[i].parent == index);
    ((mstxMemRegionsUnregisterFunc)slot(MSTX_API_CORE_MEM_REGIONS_UNREGISTER))(NULL, &batch);
    require((findings > 0) == (index == NONE || nested), "only wrong ends are reported");
    if (index != NONE) end_region(index);
}

// Surely right: every byte live and one region around all. Surely wrong: a byte of a heap is free.
static void touch(struct input *in) {
    int lo = 0;
    int hi = 0;
    (void)next_range(in, &lo, &hi);
    bool wrong = false;
    bool right = lo < hi;
    for (int byte = lo; byte < hi; byte++) {
        enum tn_check_byte_state state = state_of(byte);
        wrong = wrong || state == TN_CHECK_BYTE_UNUSED || state == TN_CHECK_BYTE_FREED;
        right = right && state == TN_CHECK_BYTE_LIVE;
    }
    bool live = false;
    int in_heap = right ? heap_of(lo, &live) : NONE;
    right = right && region_around(in_heap, lo, hi) != NONE && heap_of(hi - 1, &live) == in_heap;
    struct tn_mem_event event = {.size = sizeof event,
                                 .kind = TN_MEM_ACCESS,
                                 .flags = TN_MEM_WRITE,
                                 .addr = base + (uint64_t)lo,
                                 .bytes = (uint64_t)(hi - lo),
                                 .height = 1,
                                 .depth = 1};
    tn_check_event_receive(&event);
    require(!wrong || findings > 0, "an access to free bytes is reported");
    require(!right || findings == 0, "an access inside one region is not reported");
}

static void step(struct input *in) {
    int call = next(in) % 16;
    findings = 0;
    changed_lo = changed_hi = 0;
    if (call < 3)
        register_heap(in);
    else if (call < 5)
        unregister_heap(in);
    else if (call < 9)
        register_region(in);
    else if (call < 11)
        unregister_region(in, false);
    else if (call < 13)
        unregister_region(in, true);
    else
        touch(in);
    // The bytes that the call must not have changed are compared every few calls.
    if (in->left % 32 == 0)
        compare_bytes(0, BYTES);
    else
        compare_bytes(changed_lo, changed_hi);
}

static void compare_counts(void) {
    struct tn_check_model_stats stats = tn_check_model.stats;
    uint64_t live_regions = 0;
    for (int i = 0; i < regions; i++) live_regions += region[i].live;
    require(stats.heaps_live == (uint64_t)live_heaps(), "as many heaps live");
    require(tn_check_region_counts().live == live_regions, "as many regions live");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size < 512 ? size : 512};
    heaps = regions = 0;
    reset_model();
    tn_check_report_reset();
    tn_check_report_set_hook(count_finding, NULL);
    while (in.left > 0) step(&in);
    compare_bytes(0, BYTES);
    compare_counts();
    return 0;
}
