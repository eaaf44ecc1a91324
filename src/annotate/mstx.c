// SPDX-License-Identifier: Apache-2.0
// An MSTX tool as a subscriber. A tool that knows Tarn's own module (extension.h) receives every
// event complete. Any other tool receives what MSTX can express: heaps, regions, permissions and
// marks. Names and requested sizes are lost there, a resize is an end and a beginning, and regions
// are identified by their pointers.
//
// This client replaces the inline one of compat/mstx, because it offers an additional module and
// connects at the first event. The tool fills the slots during the handshake only.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>

#include "annotate/extension.h"
#include "annotate/subscriber.h"
#include "base/launcher.h"

// ---- the handshake

enum { CORE, DOMAIN, MEM, OWN, MODULES, MAX_SIZE = 8 };

static struct module {
    int number;
    unsigned size; // the largest id of a slot, plus 1
    mstxFuncPointer slots[MAX_SIZE];
    mstxFuncPointer *table[MAX_SIZE + 1]; // the addresses of the slots by id; NULL at both ends
} modules[MODULES] = {
    [CORE] = {.number = MSTX_API_MODULE_CORE, .size = MSTX_API_CORE_SIZE},
    [DOMAIN] = {.number = MSTX_API_MODULE_CORE_DOMAIN, .size = MSTX_API_CORE2_SIZE},
    [MEM] = {.number = MSTX_API_MODULE_CORE_MEM, .size = MSTX_API_CORE_MEM_SIZE},
    [OWN] = {.number = TN_EXTENSION_MODULE, .size = TN_EXTENSION_SIZE},
};
_Static_assert((int)MSTX_API_CORE_SIZE <= (int)MAX_SIZE &&
                   (int)MSTX_API_CORE2_SIZE <= (int)MAX_SIZE &&
                   (int)MSTX_API_CORE_MEM_SIZE <= (int)MAX_SIZE,
               "every slot has room");

static int get_table(mstxFuncModule number, mstxFuncTable *table, unsigned *size) {
    for (unsigned m = 0; m < MODULES && table != NULL && size != NULL; m++) {
        if (modules[m].number == (int)number) {
            *table = modules[m].table;
            *size = modules[m].size;
            return MSTX_SUCCESS;
        }
    }
    return MSTX_FAIL;
}

// Reports to the command that named the library, which would take the silence for success.
static void report_failure(const char *path) {
    char text[TN_LAUNCHER_MESSAGE];
    const char *reason = dlerror();
    (void)snprintf(text, sizeof text, "%s cannot be loaded: %s", path,
                   reason != NULL ? reason : "unknown reason");
    (void)tn_launcher_failed(secure_getenv(TN_LAUNCHER_VARIABLE), text);
}

// Returns the entry of the library that MSTX_INJECTION_PATH names, else of a library that the
// process has already loaded.
static mstxInitInjectionFunc find_tool(void) {
    const char *path = secure_getenv("MSTX_INJECTION_PATH");
    bool is_named = path != NULL && path[0] != '\0';
    void *library = is_named ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (is_named && library == NULL) report_failure(path);
    void *symbol = dlsym(library != NULL ? library : RTLD_DEFAULT, "InitInjectionMstx");
    mstxInitInjectionFunc init = NULL;
    memcpy(&init, &symbol, sizeof init);
    return init;
}

static mstxFuncPointer load_slot(unsigned module, unsigned id) {
    return __atomic_load_n(&modules[module].slots[id], __ATOMIC_ACQUIRE);
}

// ---- the tool's functions

static tn_extension_event take_event;
static mstxDomainCreateAFunc domain_create;
static mstxMemHeapRegisterFunc heap_register;
static mstxMemHeapUnregisterFunc heap_unregister;
static mstxMemRegionsRegisterFunc regions_register;
static mstxMemRegionsUnregisterFunc regions_unregister;
static mstxMemPermissionsAssignFunc permissions_assign;
static mstxMarkAFunc mark;

static mstxDomainHandle_t domain;
static struct tn_reported_heaps heaps = TN_REPORTED_HEAPS; // with the tool's handles

static bool mstx_detect(void) {
    mstxInitInjectionFunc init = find_tool();
    for (unsigned m = 0; m < MODULES; m++)
        for (unsigned id = 1; id < modules[m].size; id++)
            modules[m].table[id] = &modules[m].slots[id];
    bool good = init != NULL && init(get_table) == MSTX_SUCCESS;
    take_event = good ? (tn_extension_event)load_slot(OWN, TN_EXTENSION_EVENT) : NULL;
    if (take_event != NULL) return true;
    tn_launcher_report(secure_getenv(TN_LAUNCHER_VARIABLE), TN_LAUNCHER_ALONE);
    if (!good) return false;
    domain_create = (mstxDomainCreateAFunc)load_slot(DOMAIN, MSTX_API_CORE2_DOMAIN_CREATE_A);
    heap_register = (mstxMemHeapRegisterFunc)load_slot(MEM, MSTX_API_CORE_MEMHEAP_REGISTER);
    heap_unregister = (mstxMemHeapUnregisterFunc)load_slot(MEM, MSTX_API_CORE_MEMHEAP_UNREGISTER);
    regions_register =
        (mstxMemRegionsRegisterFunc)load_slot(MEM, MSTX_API_CORE_MEM_REGIONS_REGISTER);
    regions_unregister =
        (mstxMemRegionsUnregisterFunc)load_slot(MEM, MSTX_API_CORE_MEM_REGIONS_UNREGISTER);
    permissions_assign =
        (mstxMemPermissionsAssignFunc)load_slot(MEM, MSTX_API_CORE_MEM_PERMISSIONS_ASSIGN);
    mark = (mstxMarkAFunc)load_slot(CORE, MSTX_API_CORE_MARK_A);
    domain = domain_create != NULL ? domain_create("tarn") : NULL;
    return (heap_register != NULL && regions_register != NULL && regions_unregister != NULL) ||
           mark != NULL;
}

// ---- MSTX's public functions

static mstxMemVirtualRangeDesc_t range_of(const struct tn_mem_event *event) {
    return (mstxMemVirtualRangeDesc_t){(uint32_t)event->device,
                                       (const void *)(uintptr_t)event->addr, event->bytes};
}

static void heap_begin(const struct tn_mem_event *event) {
    const mstxMemVirtualRangeDesc_t range = range_of(event);
    const mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                    MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range};
    mstxMemHeapHandle_t handle = heap_register != NULL ? heap_register(domain, &desc) : NULL;
    const struct tn_annotate_range heap = {event->addr, event->bytes, handle};
    if (handle != NULL && !tn_reported_heaps_add(&heaps, &heap) && heap_unregister != NULL)
        heap_unregister(domain, handle);
}

static void forget_heap(struct tn_annotate_range *heap, bool open) {
    (void)open;
    if (heap_unregister != NULL) heap_unregister(domain, (mstxMemHeapHandle_t)heap->handle);
}

static void region_begin(const struct tn_mem_event *event) {
    const mstxMemVirtualRangeDesc_t range = range_of(event);
    mstxMemRegionHandle_t handle = NULL;
    struct tn_annotate_range heap;
    if (regions_register == NULL || !tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    const mstxMemRegionsRegisterBatch_t batch = {
        .heap = (mstxMemHeapHandle_t)heap.handle,
        .regionType = MSTX_MEM_TYPE_VIRTUAL_ADDRESS,
        .regionCount = 1,
        .regionDescArray = &range,
        .regionHandleArrayOut = &handle,
    };
    regions_register(domain, &batch);
}

static mstxMemRegionRef_t ref_of(const struct tn_mem_event *event) {
    return (mstxMemRegionRef_t){.refType = MSTX_MEM_REGION_REF_TYPE_POINTER,
                                .pointer = (const void *)(uintptr_t)event->addr};
}

static void region_end(const struct tn_mem_event *event) {
    const mstxMemRegionRef_t ref = ref_of(event);
    const mstxMemRegionsUnregisterBatch_t batch = {1, &ref};
    struct tn_annotate_range heap;
    if (regions_unregister != NULL && tn_reported_heaps_find(&heaps, event->addr, &heap))
        regions_unregister(domain, &batch);
}

static void set_permission(const struct tn_mem_event *event) {
    const mstxMemPermissionsAssignRegionsDesc_t desc = {
        event->flags & (TN_MEM_READ | TN_MEM_WRITE | TN_MEM_SHARED), ref_of(event)};
    const mstxMemPermissionsAssignBatch_t batch = {1, &desc};
    if (permissions_assign != NULL) permissions_assign(domain, &batch);
}

_Static_assert(TN_MEM_READ == MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ &&
                   TN_MEM_WRITE == MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE &&
                   TN_MEM_SHARED == MSTX_MEM_PERMISSIONS_REGION_FLAGS_SHARED,
               "permissions are passed unchanged");

static void mark_step(const struct tn_mem_event *event) {
    if (mark != NULL && event->name != NULL) mark(event->name, NULL);
}

// The public functions get no event whose addresses are numbers without memory. Every event for a tool
// of ours passes here, so that stacks of a program that contains Tarn begin with the prefix tn_, by
// which stack/stack.c knows them.
static bool tn_mstx_filter(const struct tn_mem_event *event) {
    if (take_event != NULL) {
        take_event(event);
        return false;
    }
    return (event->flags & TN_MEM_NUMBERS) == 0;
}

const struct tn_subscriber tn_subscriber_mstx = {
    .detect = mstx_detect,
    .filter = tn_mstx_filter,
    .handlers = {[TN_MEM_HEAP_BEGIN] = heap_begin,
                 [TN_MEM_REGION_BEGIN] = region_begin,
                 [TN_MEM_REGION_END] = region_end,
                 [TN_MEM_PERMISSION] = set_permission,
                 [TN_MEM_MARK] = mark_step},
    .forget = forget_heap,
    .heaps = &heaps,
};
