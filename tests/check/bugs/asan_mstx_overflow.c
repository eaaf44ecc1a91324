// SPDX-License-Identifier: Apache-2.0
// A plain store right behind a region, in a program that was compiled with ASan and knows MSTX
// alone: the checker tells ASan.
// EXPECT: ERROR: AddressSanitizer: use-after-poison
// EXPECT: WRITE of size 1

#include "check/support/mstx.h"

int main(void) {
    char *memory = malloc(RANGE); // of a variable ASan trusts what the compiler can see
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, memory + 512, 100);
    volatile char *bytes = memory + 512;

    bytes[99] = 1;
    bytes[104] = 1; // ASan sees in steps of 8 bytes
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    free(memory);
    return 0;
}
