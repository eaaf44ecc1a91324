// SPDX-License-Identifier: Apache-2.0
// Device memory is given to free().
// EXPECT: ERROR wrong-family-free: free of 0x..., which is a block of device memory of 4096 byte(s)
// EXPECT:     ... main .../cuda_free_by_libc.c:
#include "check/support/cuda.h"

int main(void) {
    void *memory = NULL;
    must(cudaMalloc(&memory, 4096));
    free(memory);
    return 0;
}
