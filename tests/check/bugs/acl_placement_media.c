// SPDX-License-Identifier: Apache-2.0
// Media memory is divided by the rule of ordinary device memory, for both generations of media functions.
// EXPECT: ERROR placement-start: R... [0x...,+64) begins 64 byte(s) behind a multiple of 128, which its heap requires
// EXPECT:     ... divide .../acl_placement_media.c:15
// EXPECT: ERROR placement-start: R... [0x...,+64) begins 64 byte(s) behind a multiple of 128, which its heap requires
// EXPECT:     ... main .../acl_placement_media.c:26
#include <acl/dvpp/hi_dvpp.h>
#include <acl/ops/acl_dvpp.h>

#include "check/support/acl_mstx.h"

static void divide(char *memory) {
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t frames[2];
    for (int i = 0; i < 2; i++) frames[i] = region(globalDomain, pool, memory + 192 * i, 64);
    for (int i = 0; i < 2; i++) end_handle(globalDomain, frames[i]);
    mstxMemHeapUnregister(globalDomain, pool);
}

int main(void) {
    void *first = NULL, *second = NULL;
    open_device();
    must(acldvppMalloc(&first, 4096));
    must(hi_mpi_dvpp_malloc(0, &second, 4096));
    divide(first);
    divide(second);
    must(acldvppFree(first));
    must(hi_mpi_dvpp_free(second));
    close_device();
    return 0;
}
