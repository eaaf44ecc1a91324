// SPDX-License-Identifier: Apache-2.0
// Each step keeps memory of every kind, in a pool and outside.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: 5000 byte(s) in 1 region(s) allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 1000 byte(s) in 1 block of device memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 4096 byte(s) in 1 block of pinned memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 6000 byte(s) in 1 block of pinned memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 2097152 byte(s) in 1 handle of physical memory allocated in step 1 still live after step 2
// EXPECT: ERROR leak: 20000 byte(s) in 4 region(s)
// EXPECT: ERROR resource-leak: 4 blocks of device memory of 4000 byte(s) in all
// EXPECT: ERROR resource-leak: 4 blocks of pinned memory of 16384 byte(s) in all
// EXPECT: ERROR resource-leak: 4 blocks of pinned memory of 24000 byte(s) in all
// EXPECT: ERROR resource-leak: 4 handles of physical memory of 8388608 byte(s) in all
// EXPECT: STEPS: 4 step(s) end with 2113248 to 8452992 live byte(s), +2113248 byte(s) a step

#include "check/support/cuda.h"

#include <mstx/ms_tools_ext.h>

int main(void) {
    cudaStream_t stream = make_stream();
    for (int step = 0; step < 4; step++) {
        void *plain = NULL, *pinned = NULL, *managed = NULL;
        CUmemGenericAllocationHandle handle = 0;
        CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED};
        prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        must(cudaMalloc(&plain, 1000));
        must(cudaMallocHost(&pinned, 4096));
        must(cudaMallocManaged(&managed, 6000, cudaMemAttachGlobal));
        (void)alloc_on(stream, 5000);
        must_drive(cuMemCreate(&handle, PAGE, &prop, 0));
        must(cudaStreamSynchronize(stream));
        mstxMarkA("step", NULL);
    }
    return 0;
}
