// SPDX-License-Identifier: Apache-2.0
// The checker's implementation of MSTX's functions. Clients in quirk domains leave fields unset and
// encode statistics as heap registrations; only those statistics are used.
#include "check/inject.h"

#define MSTX_NO_IMPL
#include <inttypes.h>
#include <strings.h>

#include "check/describe.h"
#include "check/forward.h"
#include "check/options.h"
#include "check/resource.h"

enum { OWN_ID = 0x4D50, MSSANITIZER_ID = 0x1002, PERMISSION_BITS = 7 };

static uint64_t number_of(const void *handle) { return (uint64_t)(uintptr_t)handle; }

static struct tn_check_domain *domain_of(struct tn_check_call *call, mstxDomainHandle_t domain) {
    return domain == NULL ? &tn_check_model.global
                          : tn_check_domain_resolve(call, number_of(domain));
}

// Returns true if a descriptor and its array are not NULL. Otherwise reports that.
static bool check_pointers(struct tn_check_call *call, const char *function, const void *desc,
                           bool has_array, const char *array) {
    if (desc == NULL || !has_array)
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_ARGUMENT, "%s: %s is NULL", function,
                                   desc == NULL ? "desc" : array);
    return desc != NULL && has_array;
}

// The same for a descriptor with an array of `count` elements, two of its members.
#define CHECK_ARRAY(call, function, desc, count, array)                                            \
    check_pointers(call, function, desc,                                                           \
                   (desc) != NULL && ((desc)->count == 0 || (desc)->array != NULL), #array)

// Clients pass 0xFFFFFFFF if they do not know the device.
static int32_t device_of(const mstxMemVirtualRangeDesc_t *range) {
    return (int32_t)range->deviceId;
}

static bool is_range(const mstxMemVirtualRangeDesc_t *range) {
    uint64_t lo = number_of(range->ptr);
    return lo != 0 && range->size < UINT64_C(1) << 63 && lo + range->size >= lo;
}

// 0 is the only value that MSTX defines.
static void judge_type(struct tn_check_call *call, const char *function, const char *field,
                       unsigned value) {
    if (value != 0)
        (void)tn_check_call_report(call, TN_CHECK_KIND_UNKNOWN_TYPE, "%s: %s %u is treated as 0",
                                   function, field, value);
}

// ---- marks and ranges

// A range or a mark begins a step if its message begins with "step".
static void mark_a(const char *message, aclrtStream stream) {
    struct tn_check_call call;
    (void)stream;
    if (message != NULL && strncasecmp(message, "step", 4) == 0 &&
        tn_check_call_begin(&call, "called", false)) {
        tn_check_leaks_step(&call);
        tn_check_call_end(&call);
        tn_check_resource_step();
    }
}

static mstxRangeId range_start_a(const char *message, aclrtStream stream) {
    static _Atomic uint64_t last;
    mark_a(message, stream);
    return tn_add_relaxed(&last, 1) + 1;
}

static void range_end(mstxRangeId id) { (void)id; }

TN_MSTX_IGNORE_DOMAINS

static void get_tool_id(uint64_t *id) {
    if (id != NULL) *id = tn_check_options()->compat_id ? MSSANITIZER_ID : OWN_ID;
}

// ---- domains

static mstxDomainHandle_t domain_create_a(const char *name) {
    struct tn_check_call call;
    uint64_t handle = 0;
    if (tn_check_call_begin(&call, "called", false)) {
        handle = tn_check_domain_create(&call, name);
        tn_check_call_end(&call);
    }
    return (mstxDomainHandle_t)(uintptr_t)handle;
}

static void domain_destroy(mstxDomainHandle_t domain) {
    struct tn_check_call call;
    if (tn_check_call_begin(&call, "called", false)) {
        tn_check_domain_destroy(&call, number_of(domain));
        tn_check_call_end(&call);
    }
}

// ---- heaps

static struct tn_check_heap *begin_heap(struct tn_check_call *call, struct tn_check_domain *domain,
                                        const mstxMemHeapDesc_t *desc) {
    const mstxMemVirtualRangeDesc_t *range =
        (const mstxMemVirtualRangeDesc_t *)desc->typeSpecificDesc;
    judge_type(call, "mstxMemHeapRegister", "usage", (unsigned)desc->usage);
    judge_type(call, "mstxMemHeapRegister", "type", (unsigned)desc->type);
    uint64_t lo = number_of(range->ptr);
    struct tn_check_heap_range whole = {0, device_of(range), lo, lo + range->size};
    if (!is_range(range) || range->size == 0) {
        whole.hi = whole.lo;
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_BAD_ARGUMENT,
            "mstxMemHeapRegister: 0x%" PRIx64 " and %" PRIu64 " byte(s) are not a range", lo,
            range->size);
        report->severity = TN_CHECK_SEVERITY_WARN;
    }
    struct tn_check_report *misplaced = tn_check_backing_judge(call, &whole);
    struct tn_check_heap *heap = tn_check_heap_begin(call, domain, &whole, 0);
    if (misplaced != NULL) tn_check_describe_new_heap(misplaced, heap);
    if (!heap->forwarded && !heap->from_event) tn_check_forward_heap_begin(heap);
    return heap;
}

static mstxMemHeapHandle_t heap_register(mstxDomainHandle_t domain, mstxMemHeapDesc_t const *desc) {
    struct tn_check_call call;
    uint64_t handle = 0;
    if (!tn_check_call_begin(&call, "registered", true)) return NULL;
    struct tn_check_domain *in = domain_of(&call, domain);
    bool valid = check_pointers(&call, "mstxMemHeapRegister", desc,
                                desc != NULL && desc->typeSpecificDesc != NULL, "typeSpecificDesc");
    if (valid && !in->quirk) handle = tn_check_heap_handle(begin_heap(&call, in, desc));
    tn_check_call_end(&call);
    return (mstxMemHeapHandle_t)(uintptr_t)handle;
}

static void report_no_heap(struct tn_check_call *call, uint64_t handle) {
    const struct tn_check_heap *ended = handle == 0 ? NULL : tn_check_ended_heap_by_handle(handle);
    if (handle == 0) {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_BAD_HANDLE, "mstxMemHeapUnregister: heap is NULL");
        report->severity = TN_CHECK_SEVERITY_NOTE;
    } else if (ended == NULL) {
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_HANDLE,
                                   "mstxMemHeapUnregister: 0x%" PRIx64 " is not a heap", handle);
    } else {
        tn_check_free_heap_again(call, ended, "unregistered");
    }
}

static void judge_heap_domain(struct tn_check_call *call, const struct tn_check_heap *heap,
                              const struct tn_check_domain *domain, const char *what) {
    if (heap->domain != domain && !heap->aliased_domain) {
        struct tn_check_report *report =
            tn_check_call_report(call, TN_CHECK_KIND_WRONG_DOMAIN,
                                 "heap H%" PRIu64 " of domain \"%s\" %s in domain \"%s\"",
                                 heap->serial, heap->domain->name, what, domain->name);
        tn_check_describe_heap(report, heap);
    }
}

static void heap_unregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "freed", true)) return;
    struct tn_check_domain *in = domain_of(&call, domain);
    struct tn_check_heap *live = tn_check_heap_by_handle(number_of(heap));
    if (live != NULL) {
        judge_heap_domain(&call, live, in, "unregistered");
        tn_check_heap_end(&call, live, TN_CHECK_END_CALL);
    } else if (!in->quirk) {
        report_no_heap(&call, number_of(heap));
    }
    tn_check_call_end(&call);
}

// ---- regions

static void judge_device(struct tn_check_call *call, const struct tn_check_heap *heap,
                         const mstxMemVirtualRangeDesc_t *range) {
    if (!tn_check_device_matches(heap->device, device_of(range))) {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_DEVICE_MISMATCH,
            "region of device %d in heap H%" PRIu64 " of device %d; that of the heap is used",
            device_of(range), heap->serial, heap->device);
        report->addr = number_of(range->ptr);
        tn_check_describe_heap(report, heap);
    }
}

// Returns NULL for an invalid range.
static struct tn_check_region *begin_region(struct tn_check_call *call,
                                            struct tn_check_domain *domain,
                                            struct tn_check_heap *heap,
                                            const mstxMemVirtualRangeDesc_t *range) {
    uint64_t lo = number_of(range->ptr);
    if (!is_range(range)) {
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_ARGUMENT,
                                   "mstxMemRegionsRegister: 0x%" PRIx64 " and %" PRIu64
                                   " byte(s) are not a range",
                                   lo, range->size);
        return NULL;
    }
    if (heap != NULL) {
        judge_device(call, heap, range);
    } else if (!domain->quirk) {
        const struct tn_check_heap_range whole = {0, device_of(range), lo, lo + range->size};
        heap = tn_check_heap_around(&whole, 0, tn_check_shard_for(0));
    }
    const struct tn_check_region_desc new_region = {
        .domain = domain,
        .heap = heap,
        .device = heap == NULL ? device_of(range) : heap->device,
        .lo = lo,
        .bytes = range->size,
        .host_can = heap != NULL && heap->host_can,
        .own = true,
    };
    struct tn_check_region *region = tn_check_region_begin(call, &new_region);
    tn_check_forward_region(TN_MEM_REGION_BEGIN, region, 0);
    return region;
}

static void report_bad_heap(struct tn_check_call *call, uint64_t handle) {
    const struct tn_check_heap *ended = tn_check_ended_heap_by_handle(handle);
    if (ended == NULL) {
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_HEAP,
                                   "mstxMemRegionsRegister: 0x%" PRIx64 " is not a heap", handle);
        return;
    }
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_BAD_HEAP, "mstxMemRegionsRegister: heap H%" PRIu64 " was unregistered",
        ended->serial);
    tn_check_describe_heap(report, ended);
    tn_check_describe_origin(report, "freed", &ended->ended);
}

// Registers the regions of a batch. Clients in quirk domains set only the array.
static void register_batch(struct tn_check_call *call, struct tn_check_domain *domain,
                           const mstxMemRegionsRegisterBatch_t *batch) {
    const mstxMemVirtualRangeDesc_t *range = batch->regionDescArray;
    mstxMemRegionHandle_t *handles = domain->quirk ? NULL : batch->regionHandleArrayOut;
    bool in_heap = !domain->quirk && batch->heap != NULL;
    struct tn_check_heap *heap = in_heap ? tn_check_heap_by_handle(number_of(batch->heap)) : NULL;
    if (!domain->quirk)
        judge_type(call, "mstxMemRegionsRegister", "regionType", (unsigned)batch->regionType);
    if (heap != NULL)
        judge_heap_domain(call, heap, domain, "used");
    else if (in_heap)
        report_bad_heap(call, number_of(batch->heap));
    for (size_t i = 0; i < batch->regionCount; i++) {
        struct tn_check_region *region =
            heap != NULL || !in_heap ? begin_region(call, domain, heap, &range[i]) : NULL;
        if (handles != NULL) {
            uint64_t handle = region == NULL ? 0 : tn_check_region_handle(region);
            handles[i] = (mstxMemRegionHandle_t)(uintptr_t)handle;
        }
    }
}

static void regions_register(mstxDomainHandle_t domain, mstxMemRegionsRegisterBatch_t const *desc) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "registered", true)) return;
    struct tn_check_domain *in = domain_of(&call, domain);
    bool valid = CHECK_ARRAY(&call, "mstxMemRegionsRegister", desc, regionCount, regionDescArray);
    if (valid && desc->regionCount != 0) register_batch(&call, in, desc);
    tn_check_call_end(&call);
}

// Finds the region that a reference names. If there is none, reports that and returns NULL.
static struct tn_check_region *region_of(struct tn_check_call *call, struct tn_check_domain *domain,
                                         const mstxMemRegionRef_t *ref, const char *what,
                                         bool ends) {
    switch ((int)ref->refType) {
    case MSTX_MEM_REGION_REF_TYPE_POINTER:
        return tn_check_free_by_start(call, domain, 0, number_of(ref->pointer), what, ends);
    case MSTX_MEM_REGION_REF_TYPE_HANDLE:
        if (domain->quirk) { // has received no handles, so any region may be meant
            (void)tn_add_relaxed(&domain->unnamed_ends, (uint64_t)ends);
            return NULL;
        }
        return tn_check_free_by_handle(call, domain, number_of(ref->handle), what, ends);
    default:
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_ARGUMENT,
                                   "refType %d of a region is unknown", (int)ref->refType);
        return NULL;
    }
}

static void regions_unregister(mstxDomainHandle_t domain,
                               mstxMemRegionsUnregisterBatch_t const *desc) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "freed", true)) return;
    struct tn_check_domain *in = domain_of(&call, domain);
    bool valid = CHECK_ARRAY(&call, "mstxMemRegionsUnregister", desc, refCount, refArray);
    // Handles first, as msSanitizer does: a pointer then means the newest of the other regions.
    for (int pointers = 0; valid && pointers <= 1; pointers++) {
        for (size_t i = 0; i < desc->refCount; i++) {
            const mstxMemRegionRef_t *ref = &desc->refArray[i];
            if ((ref->refType != MSTX_MEM_REGION_REF_TYPE_HANDLE) != (pointers != 0)) continue;
            struct tn_check_region *region = region_of(&call, in, ref, "unregistered", true);
            if (region != NULL) tn_check_region_end(&call, region, TN_CHECK_END_CALL);
        }
    }
    tn_check_call_end(&call);
}

// ---- permissions

static void assign_permission(struct tn_check_call *call, struct tn_check_domain *domain,
                              const mstxMemPermissionsAssignRegionsDesc_t *desc) {
    struct tn_check_region *region =
        region_of(call, domain, &desc->region, "given permissions", false);
    if (region == NULL) return;
    if ((desc->flags & ~(unsigned)PERMISSION_BITS) != 0) {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_UNKNOWN_PERMISSION,
            "flags 0x%x for R%" PRIu64 " has unknown bits; 0x%x is used", desc->flags,
            region->serial, desc->flags & (unsigned)PERMISSION_BITS);
        tn_check_describe_region(report, region, region->lo);
    }
    tn_check_region_permit(call, region, desc->flags);
}

static void permissions_assign(mstxDomainHandle_t domain,
                               mstxMemPermissionsAssignBatch_t const *desc) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "called", true)) return;
    struct tn_check_domain *in = domain_of(&call, domain);
    bool valid = CHECK_ARRAY(&call, "mstxMemPermissionsAssign", desc, regionCount, regionDescArray);
    for (size_t i = 0; valid && i < desc->regionCount; i++)
        assign_permission(&call, in, &desc->regionDescArray[i]);
    tn_check_call_end(&call);
}

// ---- the table

const struct tn_mstx_slot tn_check_mstx_slots[TN_CHECK_MSTX_SLOTS] = {
    TN_MSTX_SLOTS,
    TN_MSTX_SLOT(CORE_MEM, CORE_MEM_PERMISSIONS_ASSIGN, permissions_assign),
};
