// SPDX-License-Identifier: Apache-2.0
// A range of addresses that grows, sleeps and wakes: physical memory is mapped at its end, given back with
// the addresses kept, and mapped there again.
#include <string.h>

#include "support/sample.h"

#define CHUNKS 4

struct range {
    char *base;
    size_t granule;
    aclrtPhysicalMemProp prop;
    aclrtDrvMemHandle handle[CHUNKS];
};

static size_t free_bytes(void) {
    size_t free_now = 0, total = 0;
    must(aclrtGetMemInfo(ACL_HBM_MEM, &free_now, &total));
    return free_now;
}

static void open_range(struct range *r) {
    void *base = NULL;
    memset(r, 0, sizeof *r);
    r->prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    r->prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    r->prop.memAttr = ACL_HBM_MEM_HUGE;
    r->prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    r->prop.location.id = 0;
    must(aclrtMemGetAllocationGranularity(&r->prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
                                          &r->granule));
    must(aclrtReserveMemAddress(&base, CHUNKS * r->granule, 0, NULL, 0));
    r->base = (char *)base;
}

static void map_chunk(struct range *r, int i) {
    must(aclrtMallocPhysical(&r->handle[i], r->granule, &r->prop, 0));
    must(aclrtMapMem(r->base + (size_t)i * r->granule, r->granule, 0, r->handle[i], 0));
}

static void unmap_chunk(struct range *r, int i) {
    must(aclrtUnmapMem(r->base + (size_t)i * r->granule));
    must(aclrtFreePhysical(r->handle[i]));
}

// Each chunk holds its number, from its first to its last byte.
static void expect_chunks(const struct range *r) {
    for (int i = 0; i < CHUNKS; i++) {
        unsigned char ends[2] = {0xFF, 0xFF};
        char *start = r->base + (size_t)i * r->granule;
        must(aclrtMemcpy(&ends[0], 1, start, 1, ACL_MEMCPY_DEVICE_TO_HOST));
        must(aclrtMemcpy(&ends[1], 1, start + r->granule - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
        expect(ends[0] == i && ends[1] == i);
    }
}

int main(void) {
    struct range r;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    size_t before = free_bytes();
    open_range(&r);
    expect(free_bytes() == before); // addresses cost no memory
    for (int i = 0; i < CHUNKS; i++) {
        map_chunk(&r, i);
        must(aclrtMemset(r.base + (size_t)i * r.granule, r.granule, i, r.granule));
    }
    expect(free_bytes() == before - CHUNKS * r.granule);
    expect_chunks(&r);

    size_t all = CHUNKS * r.granule;
    void *kept = malloc(all);
    expect(kept != NULL);
    must(aclrtMemcpy(kept, all, r.base, all, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < CHUNKS; i++) unmap_chunk(&r, i);
    expect(free_bytes() == before); // asleep
    for (int i = 0; i < CHUNKS; i++) map_chunk(&r, i);
    must(aclrtMemcpy(r.base, all, kept, all, ACL_MEMCPY_HOST_TO_DEVICE));
    free(kept);
    expect_chunks(&r);

    for (int i = 0; i < CHUNKS; i++) unmap_chunk(&r, i);
    must(aclrtReleaseMemAddress(r.base));
    expect(free_bytes() == before);
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("%zu bytes slept and woke at %p\n", all, (void *)r.base);
    return 0;
}
