// SPDX-License-Identifier: Apache-2.0
// MSTX from both clients: the inline one, and Tarn's own, which reports annotations and pools. The
// tool is that of tests/compat/mstx. A tool that cannot be loaded is as good as none, so a client's
// calls succeed or return NULL. The inline client calls nothing that can fail but dlopen().
#include <mstx/ms_tools_ext.h>

#include "starve/support/tarn.h"

enum { HEAPS = 40, REGIONS = 64, REGION = 64, PART = 48, HEAP = REGIONS * REGION };

static char memory[HEAPS][HEAP];

void starve_provoke(void) { (void)tarn_annotate_heap_begin(0, 0, NULL); }

// ---- the inline client

static void register_parts(mstxDomainHandle_t domain, mstxMemHeapHandle_t pool, char *heap) {
    mstxMemVirtualRangeDesc_t parts[REGIONS];
    mstxMemRegionHandle_t handles[REGIONS];
    mstxMemRegionRef_t refs[REGIONS];
    for (int i = 0; i < REGIONS; i++) {
        parts[i] = (mstxMemVirtualRangeDesc_t){0, heap + (ptrdiff_t)i * REGION, PART};
        handles[i] = NULL;
    }
    const mstxMemRegionsRegisterBatch_t begun = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, REGIONS,
                                                 parts, handles};
    mstxMemRegionsRegister(domain, &begun);
    for (int i = 0; i < REGIONS; i++) {
        refs[i] =
            (mstxMemRegionRef_t){.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE, .handle = handles[i]};
    }
    const mstxMemRegionsUnregisterBatch_t ended = {REGIONS, refs};
    mstxMemRegionsUnregister(domain, &ended);
}

static enum starve_kind use_client(void) {
    uint64_t id = MSTX_TOOL_INVALID_ID;
    mstxDomainHandle_t domain = mstxDomainCreateA("starve");
    mstxGetToolId(&id);
    for (int i = 0; i < HEAPS; i++) {
        const mstxMemVirtualRangeDesc_t range = {0, memory[i], HEAP};
        const mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                        MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range};
        mstxMemHeapHandle_t pool = mstxMemHeapRegister(domain, &desc);
        if ((pool != NULL) != (id != MSTX_TOOL_INVALID_ID))
            return starve_classify(false, "mstxMemHeapRegister()", "some calls reach a tool");
        register_parts(domain, pool, memory[i]);
        mstxMemHeapUnregister(domain, pool);
    }
    mstxRangeEnd(mstxRangeStartA("step", NULL));
    mstxDomainDestroy(domain);
    return STARVE_DONE;
}

// ---- Tarn's client

static tarn_addr region_of(int heap, int region) {
    return TARN_ADDR(memory[heap] + (ptrdiff_t)region * REGION);
}

static enum starve_kind annotate_heap(int heap) {
    char name[32];
    (void)snprintf(name, sizeof name, "heap %d", heap);
    TRY(tarn_annotate_heap_begin(TARN_ADDR(memory[heap]), HEAP, name));
    for (int i = 0; i < REGIONS; i++)
        TRY(tarn_annotate_region_begin_with(
            REGION_OF(region_of(heap, i), PART, REGION, TARN_STREAM_NONE, name)));
    TRY(tarn_annotate_name(region_of(heap, 0), "first"));
    TRY(tarn_annotate_region_resize(region_of(heap, 0), REGION));
    TRY(tarn_annotate_permission(region_of(heap, 1), PART, TARN_ANNOTATE_READ));
    TRY(tarn_annotate_heap_reset(TARN_ADDR(memory[heap])));
    return STARVE_DONE;
}

static enum starve_kind use_annotations(void) {
    enum starve_kind kind = STARVE_DONE;
    int begun = 0;
    for (; begun < HEAPS && kind == STARVE_DONE; begun++) kind = annotate_heap(begun);
    for (int i = 0; i < begun; i++) MUST(&kind, tarn_annotate_heap_end(TARN_ADDR(memory[i])));
    tarn_annotate_step("step");
    return kind;
}

static enum starve_kind use_blocks(tarn_device *device, tarn_pool **pool) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_addr blocks[REGIONS] = {0};
    enum starve_kind kind = STARVE_DONE;
    desc.kind = TARN_POOL_SEGMENTS;
    desc.device = device;
    TRY(tarn_pool_create(&desc, pool));
    for (int i = 0; i < REGIONS && kind == STARVE_DONE; i++)
        kind = starve_status(tarn_pool_alloc(*pool, PART, 0, &blocks[i]), "tarn_pool_alloc()");
    for (int i = 0; i < REGIONS; i++) MUST(&kind, tarn_pool_free(*pool, blocks[i]));
    return kind;
}

static enum starve_kind use_pool(void) {
    tarn_device *device = NULL;
    tarn_pool *pool = NULL;
    TRY(tarn_device_open("host:0,memory=64M,workers=1", &device));
    enum starve_kind kind = use_blocks(device, &pool);
    MUST(&kind, tarn_pool_destroy(pool));
    if (starve_device_is_empty(device) != STARVE_DONE) kind = STARVE_WRONG;
    MUST(&kind, tarn_device_close(device));
    return kind;
}

enum starve_kind starve_round(void) {
    enum starve_kind (*const parts[])(void) = {use_client, use_annotations, use_pool};
    enum starve_kind kind = STARVE_DONE;
    for (size_t i = 0; i < 3 && kind == STARVE_DONE; i++) kind = parts[i]();
    return kind;
}
