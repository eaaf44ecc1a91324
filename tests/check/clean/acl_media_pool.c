// SPDX-License-Identifier: Apache-2.0
// One pool for media memory of both generations starts its blocks at multiples of 128.
#include <acl/dvpp/hi_dvpp.h>
#include <acl/ops/acl_dvpp.h>

#include "check/support/acl_mstx.h"

static void divide(char *memory) {
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 1568);
    static const uint64_t starts[] = {0, 128, 256, 384, 512};
    static const uint64_t lengths[] = {1, 31, 32, 33, 1000};
    mstxMemRegionHandle_t frames[5];
    for (int i = 0; i < 5; i++)
        frames[i] = region(globalDomain, pool, memory + starts[i], lengths[i]);
    for (int i = 0; i < 5; i++) end_handle(globalDomain, frames[i]);
    mstxMemHeapUnregister(globalDomain, pool);
}

int main(void) {
    void *first = NULL, *second = NULL;
    open_device();
    must(acldvppMalloc(&first, 1568));
    must(hi_mpi_dvpp_malloc(0, &second, 4096));
    divide(first);
    divide(second);
    must(acldvppFree(first));
    must(hi_mpi_dvpp_free(second));
    close_device();
    return 0;
}
