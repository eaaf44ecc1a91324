// SPDX-License-Identifier: Apache-2.0
// Turns the annotations of MSTX programs into memory events; see mstx.h. The handle of a heap or a
// region is its address. The first domains of torch_npu and MindSpore register sums as heaps, which
// are left out; their regions are blocks like all others.
#include "record/mstx.h"

#define MSTX_NO_IMPL
#include <string.h>

#include "record/events.h"
#include "record/texts.h"

enum { TOOL_ID = 0x4D50, DOMAIN_ORDINARY = 1, DOMAIN_OF_SUMS = 2 };

static struct tn_mem_event event_of(uint16_t kind, const mstxMemVirtualRangeDesc_t *range) {
    // Clients pass 0xFFFFFFFF if they do not know the device.
    int32_t device = range->deviceId == UINT32_MAX ? 0 : (int32_t)range->deviceId;
    return (struct tn_mem_event){.kind = kind,
                                 .flags = TN_MEM_WHOLE,
                                 .device = device,
                                 .addr = (uint64_t)(uintptr_t)range->ptr,
                                 .bytes = range->size,
                                 .other = range->size};
}

// ---- marks and ranges

static void mark_a(const char *message, aclrtStream stream) {
    (void)stream;
    tn_record_phase_begin(tn_record_text(message));
}

static mstxRangeId range_start_a(const char *message, aclrtStream stream) {
    (void)stream;
    return tn_record_range_begin(tn_record_text(message));
}

static void range_end(mstxRangeId id) { tn_record_range_end(id); }

static void get_tool_id(uint64_t *id) {
    if (id != NULL) *id = TOOL_ID;
}

// ---- domains

static mstxDomainHandle_t domain_create_a(const char *name) {
    static const char *const of_sums[] = {"ptaCaching", "msleaks", "ptaWorkspace",
                                          "mindsporeMemPool"};
    uintptr_t domain = DOMAIN_ORDINARY;
    for (size_t i = 0; name != NULL && i < sizeof of_sums / sizeof *of_sums; i++)
        domain = strcmp(name, of_sums[i]) == 0 ? DOMAIN_OF_SUMS : domain;
    return (mstxDomainHandle_t)domain;
}

static void domain_destroy(mstxDomainHandle_t domain) { (void)domain; }

TN_MSTX_IGNORE_DOMAINS

// ---- heaps and regions

static bool is_of_sums(mstxDomainHandle_t domain) { return (uintptr_t)domain == DOMAIN_OF_SUMS; }

static mstxMemHeapHandle_t heap_register(mstxDomainHandle_t domain, mstxMemHeapDesc_t const *desc) {
    const mstxMemVirtualRangeDesc_t *range =
        desc == NULL ? NULL : (const mstxMemVirtualRangeDesc_t *)desc->typeSpecificDesc;
    if (range == NULL || is_of_sums(domain)) return NULL;
    const struct tn_mem_event event = event_of(TN_MEM_HEAP_BEGIN, range);
    tn_record_receive(&event);
    return (mstxMemHeapHandle_t)(uintptr_t)event.addr;
}

static void end_address(uint16_t kind, const void *address) {
    const struct tn_mem_event event = {.kind = kind, .addr = (uint64_t)(uintptr_t)address};
    tn_record_receive(&event);
}

static void heap_unregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
    if (heap != NULL && !is_of_sums(domain)) end_address(TN_MEM_HEAP_END, heap);
}

static void regions_register(mstxDomainHandle_t domain, mstxMemRegionsRegisterBatch_t const *desc) {
    if (desc == NULL || desc->regionDescArray == NULL) return;
    const mstxMemVirtualRangeDesc_t *ranges = desc->regionDescArray;
    mstxMemRegionHandle_t *handles = is_of_sums(domain) ? NULL : desc->regionHandleArrayOut;
    for (size_t i = 0; i < desc->regionCount; i++) {
        const struct tn_mem_event event = event_of(TN_MEM_REGION_BEGIN, &ranges[i]);
        tn_record_receive(&event);
        if (handles != NULL) handles[i] = (mstxMemRegionHandle_t)(uintptr_t)event.addr;
    }
}

static void regions_unregister(mstxDomainHandle_t domain,
                               mstxMemRegionsUnregisterBatch_t const *desc) {
    for (size_t i = 0; desc != NULL && desc->refArray != NULL && i < desc->refCount; i++) {
        const mstxMemRegionRef_t *ref = &desc->refArray[i];
        if (ref->refType == MSTX_MEM_REGION_REF_TYPE_POINTER)
            end_address(TN_MEM_REGION_END, ref->pointer);
        else if (!is_of_sums(domain))
            end_address(TN_MEM_REGION_END, ref->handle);
    }
}

// ---- the table

const struct tn_mstx_slot tn_record_mstx_slots[TN_RECORD_MSTX_SLOTS] = {TN_MSTX_SLOTS};
