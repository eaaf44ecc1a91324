// SPDX-License-Identifier: Apache-2.0
// A fill continues past the end of a block of a pool of the program, and a copy races with it.
// EXPECT: ERROR heap-overflow: write of 4096 byte(s) at 0x..., wrong from 0x... on by hipMemset dev 0
// EXPECT:     ... hipMemset ...

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

int main(void) {
    hipMemPoolProps props = {0};
    hipMemPool_t pool = NULL;
    void *block = NULL;
    void *other = NULL;
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    must(hipMemPoolCreate(&pool, &props));
    must(hipMallocFromPoolAsync(&block, 4000, pool, NULL));
    must(hipMallocFromPoolAsync(&other, 4000, pool, NULL));
    (void)hipMemset(block < other ? block : other, 0, 4096);
    must(hipFreeAsync(block, NULL));
    must(hipFreeAsync(other, NULL));
    must(hipStreamSynchronize(NULL));
    must(hipMemPoolDestroy(pool));
    return 0;
}
