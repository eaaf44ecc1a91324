// SPDX-License-Identifier: Apache-2.0
// Memory is freed by the functions for arrays.
// EXPECT: ERROR wrong-family-free: hipFreeArray of 0x..., which is a block of device memory of 4096 byte(s)
// EXPECT:     ... main .../hip_memory_as_array.c:
// EXPECT: ERROR wrong-family-free: hipFreeMipmappedArray of 0x..., which is a block of device memory of 4096 byte(s)

#include "check/support/hip.h"

int main(void) {
    void *memory = NULL;
    must(hipMalloc(&memory, 4096));
    (void)hipFreeArray((hipArray_t)memory);
    (void)hipFreeMipmappedArray((hipMipmappedArray_t)memory);
    must(hipFree(memory));
    return 0;
}
