// SPDX-License-Identifier: Apache-2.0
// NULL is freed, and blocks are requested that HIAI refuses.

#include "check/support/hiai.h"

int main(void) {
    begin();
    (void)HIAI_DFree(NULL);
    if (HIAI_DMalloc(0, 0, MEMORY_ATTR_MANUAL_FREE) != NULL ||
        HIAI_DMalloc(UINT32_MAX, 0, MEMORY_ATTR_MANUAL_FREE) != NULL ||
        HIAI_DMalloc(4096, 0, 0x100) != NULL)
        return 1;
    char *block = take(1);
    block[0] = 1;
    must(HIAI_DFree(block));
    return 0;
}
