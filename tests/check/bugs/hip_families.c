// SPDX-License-Identifier: Apache-2.0
// AMD's runtime accepts these frees, and its documentation forbids them; CUDA refuses them.
// EXPECT: ERROR wrong-family-free: hipFree of 0x..., which is a block of pinned memory of 4096 byte(s)
// EXPECT:     ... main .../hip_families.c:
// EXPECT: ERROR wrong-family-free: hipHostFree of 0x..., which is a block of device memory of 4096 byte(s)
// EXPECT: ERROR wrong-family-free: hipHostFree of 0x..., which is region R3 of a pool

#include "check/support/hip.h"

int main(void) {
    void *pinned = NULL, *memory = NULL, *block = NULL;
    must(hipHostMalloc(&pinned, 4096, 0));
    must(hipFree(pinned));
    must(hipMalloc(&memory, 4096));
    must(hipHostFree(memory));
    must(hipMallocAsync(&block, 4096, NULL));
    must(hipHostFree(block));
    return 0;
}
