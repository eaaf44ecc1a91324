// SPDX-License-Identifier: Apache-2.0
// A pool in memory of aclrtMalloc() places segments by the documented rule, up to the last byte of the
// memory, in the padding of which the last one has its own.
#include "check/support/acl_mstx.h"

enum { COUNT = 5, POOL = 1376 };

static void divide(char *memory, uint64_t bytes) {
    static const uint64_t starts[COUNT] = {0, 64, 128, 192, 320};
    static const uint64_t lengths[COUNT] = {1, 31, 32, 33, 1000};
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, bytes);
    mstxMemRegionHandle_t segments[COUNT];
    for (int i = COUNT - 1; i >= 0; i--)
        segments[i] = region(globalDomain, pool, memory + starts[i], lengths[i]);
    for (int i = 0; i < COUNT; i++)
        must(aclrtMemset(memory + starts[i], lengths[i], i, lengths[i]));
    for (int i = 0; i < COUNT; i++) end_handle(globalDomain, segments[i]);
    mstxMemRegionHandle_t all = region(globalDomain, pool, memory, bytes);
    end_handle(globalDomain, all);
    mstxMemHeapUnregister(globalDomain, pool);
}

int main(void) {
    char *memory = begin_acl(POOL);
    divide(memory, POOL);
    must(aclrtFree(memory));
    char *tight = take(POOL - 32); /* the padding of the memory is that of the last segment */
    divide(tight, POOL - 32);
    end_acl(tight);
    return 0;
}
