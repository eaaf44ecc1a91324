// SPDX-License-Identifier: Apache-2.0
// A tool for MSTX that counts. The environment sets how it behaves during its initialisation.
#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/tool.h"

#define EXPORTED __attribute__((visibility("default")))

static struct tool_log tool;

EXPORTED struct tool_log *tool_told(void) { return &tool; }

// ---- what is called

static void bump(int *counter) { (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

static void mark(const char *message, aclrtStream stream) {
    (void)message, (void)stream;
    bump(&tool.marks);
}

static mstxRangeId range_start(const char *message, aclrtStream stream) {
    (void)message, (void)stream;
    bump(&tool.starts);
    return 41;
}

static void range_end(mstxRangeId id) { tool.ends += id == 41; }

static void get_tool_id(uint64_t *id) { *id = TOOL_ID; }

static mstxDomainHandle_t domain_create(const char *name) {
    (void)name;
    bump(&tool.domains);
    return (mstxDomainHandle_t)&tool.domains;
}

static void domain_destroy(mstxDomainHandle_t domain) {
    tool.destroyed += domain == (mstxDomainHandle_t)&tool.domains;
}

static void domain_mark(mstxDomainHandle_t domain, const char *message, aclrtStream stream) {
    (void)domain, (void)message, (void)stream;
    bump(&tool.domain_marks);
}

static mstxRangeId domain_range_start(mstxDomainHandle_t domain, const char *message,
                                      aclrtStream stream) {
    (void)domain, (void)message, (void)stream;
    bump(&tool.domain_starts);
    return 43;
}

static void domain_range_end(mstxDomainHandle_t domain, mstxRangeId id) {
    (void)domain;
    tool.domain_ends += id == 43;
}

static mstxMemHeapHandle_t heap_register(mstxDomainHandle_t domain, mstxMemHeapDesc_t const *desc) {
    const mstxMemVirtualRangeDesc_t *range = desc->typeSpecificDesc;
    (void)domain;
    bump(&tool.heaps);
    tool.heap_bytes = range->size;
    return (mstxMemHeapHandle_t)&tool.heaps;
}

static void heap_unregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
    (void)domain;
    tool.heaps_ended += heap == (mstxMemHeapHandle_t)&tool.heaps;
}

static void regions_register(mstxDomainHandle_t domain, mstxMemRegionsRegisterBatch_t const *desc) {
    const mstxMemVirtualRangeDesc_t *range = desc->regionDescArray;
    (void)domain;
    for (size_t i = 0; i < desc->regionCount; i++) {
        bump(&tool.regions);
        tool.region_bytes += range[i].size;
        tool.region = range[i].ptr;
        desc->regionHandleArrayOut[i] = (mstxMemRegionHandle_t)&tool.regions;
    }
}

static void regions_unregister(mstxDomainHandle_t domain,
                               mstxMemRegionsUnregisterBatch_t const *desc) {
    (void)domain;
    for (size_t i = 0; i < desc->refCount; i++) {
        tool.regions_ended += desc->refArray[i].refType == MSTX_MEM_REGION_REF_TYPE_HANDLE
                                  ? desc->refArray[i].handle == (mstxMemRegionHandle_t)&tool.regions
                                  : desc->refArray[i].pointer == tool.region;
    }
}

static void permissions_assign(mstxDomainHandle_t domain,
                               mstxMemPermissionsAssignBatch_t const *desc) {
    (void)domain;
    tool.permissions += (int)desc->regionCount;
}

// ---- how it gets there

static const mstxFuncPointer functions[4][6] = {
    [MSTX_API_MODULE_CORE] = {NULL, (mstxFuncPointer)mark, (mstxFuncPointer)range_start,
                              (mstxFuncPointer)range_end, (mstxFuncPointer)get_tool_id},
    [MSTX_API_MODULE_CORE_DOMAIN] = {NULL, (mstxFuncPointer)domain_create,
                                     (mstxFuncPointer)domain_destroy, (mstxFuncPointer)domain_mark,
                                     (mstxFuncPointer)domain_range_start,
                                     (mstxFuncPointer)domain_range_end},
    [MSTX_API_MODULE_CORE_MEM] = {NULL, (mstxFuncPointer)heap_register,
                                  (mstxFuncPointer)heap_unregister,
                                  (mstxFuncPointer)regions_register,
                                  (mstxFuncPointer)regions_unregister,
                                  (mstxFuncPointer)permissions_assign},
};

static void fill(mstxGetModuleFuncTableFunc get_table, mstxFuncModule module) {
    mstxFuncTable table = NULL;
    unsigned size = 0;
    tool.sizes[module] = 0;
    if (get_table(module, &table, &size) != MSTX_SUCCESS) return;
    tool.sizes[module] = size;
    for (unsigned id = 1; id < size && id < 6; id++)
        if (functions[module][id] != NULL) *table[id] = functions[module][id];
}

static void fill_one(mstxGetModuleFuncTableFunc get_table, mstxFuncModule module, unsigned id) {
    mstxFuncTable table = NULL;
    unsigned size = 0;
    if (get_table(module, &table, &size) == MSTX_SUCCESS && id < size)
        *table[id] = functions[module][id];
}

static void fill_all(mstxGetModuleFuncTableFunc get_table) {
    fill(get_table, MSTX_API_MODULE_CORE);
    fill(get_table, MSTX_API_MODULE_CORE_DOMAIN);
    fill(get_table, MSTX_API_MODULE_CORE_MEM);
}

static void call_hook(void) {
    const char *number = getenv(TOOL_HOOK);
    void (*hook)(void) = number != NULL ? (void (*)(void))strtoull(number, NULL, 10) : NULL;
    if (hook != NULL) hook();
}

static void call_hook_in_a_child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        call_hook();
        _exit(0);
    }
    (void)waitpid(pid, &tool.child_status, 0);
}

EXPORTED int InitInjectionMstx(mstxGetModuleFuncTableFunc get_table) {
    const char *mode = getenv(TOOL_MODE);
    bump(&tool.inits);
    switch (mode != NULL ? atoi(mode) : TOOL_WILLING) {
    case TOOL_FAILS: return 7;
    case TOOL_PARTIAL:
        fill(get_table, MSTX_API_MODULE_CORE_MEM);
        fill_one(get_table, MSTX_API_MODULE_CORE, MSTX_API_CORE_GET_TOOL_ID);
        return MSTX_FAIL;
    case TOOL_FEW:
        fill_one(get_table, MSTX_API_MODULE_CORE, MSTX_API_CORE_GET_TOOL_ID);
        fill_one(get_table, MSTX_API_MODULE_CORE_DOMAIN, MSTX_API_CORE2_DOMAIN_CREATE_A);
        return MSTX_SUCCESS;
    case TOOL_NESTED: call_hook(); break;
    case TOOL_SLOW: usleep(50000); break;
    case TOOL_FORKS: call_hook_in_a_child(); break;
    case TOOL_EXITS: exit(9);
    default: break;
    }
    fill_all(get_table);
    return MSTX_SUCCESS;
}
