// SPDX-License-Identifier: Apache-2.0
// A plain read of a region that has ended, in a program that was compiled with ASan and knows MSTX
// alone: the checker tells ASan.
// EXPECT: ERROR: AddressSanitizer: use-after-poison
// EXPECT: READ of size 1

#include "check/support/mstx.h"

int main(void) {
    char *memory = malloc(RANGE); // of a variable ASan trusts what the compiler can see
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, memory + 512, 128);
    volatile char *bytes = memory + 512;

    bytes[0] = 1;
    end_handle(globalDomain, block);
    char stale = bytes[0];
    mstxMemHeapUnregister(globalDomain, pool);
    free(memory);
    return stale == 2;
}
