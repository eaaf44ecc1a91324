// SPDX-License-Identifier: Apache-2.0
// Each step keeps memory of every kind, in a pool and outside. Physical memory counts once, also by its mapping.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: 5000 byte(s) in 1 region(s) allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 1000 byte(s) in 1 block of device memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 4096 byte(s) in 1 block of pinned memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 6000 byte(s) in 1 block of pinned memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 2097152 byte(s) in 1 reservation allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 2097152 byte(s) in 1 handle of physical memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 2097152 byte(s) in 1 mapping allocated in step 1 still live after step 2
// EXPECT: ERROR leak: 20000 byte(s) in 4 region(s)
// EXPECT: ERROR resource-leak: 4 blocks of device memory of 4000 byte(s) in all
// EXPECT: ERROR resource-leak: 4 blocks of pinned memory of 16384 byte(s) in all
// EXPECT: ERROR resource-leak: 4 blocks of pinned memory of 24000 byte(s) in all
// EXPECT: ERROR resource-leak: 4 reservations of 8388608 byte(s) in all
// EXPECT: ERROR resource-leak: 4 handles of physical memory of 8388608 byte(s) in all
// EXPECT: ERROR resource-leak: 4 mappings of 8388608 byte(s) in all
// EXPECT: STEPS: 4 step(s) end with 4210400 to 16841600 live byte(s), +4210400 byte(s) a step

#include "check/support/hip.h"

#include <mstx/ms_tools_ext.h>

int main(void) {
    hipStream_t stream = make_stream();
    for (int step = 0; step < 4; step++) {
        void *plain = NULL, *freed = NULL, *pinned = NULL, *managed = NULL, *block = NULL;
        must(hipMalloc(&plain, 1000));
        must(hipMalloc(&freed, 3000));
        must(hipHostMalloc(&pinned, 4096, 0));
        must(hipMallocManaged(&managed, 6000, hipMemAttachGlobal));
        must(hipMallocAsync(&block, 5000, stream));
        (void)make_handle(PAGE);
        hipMemGenericAllocationHandle_t mapped = make_handle(PAGE);
        (void)map_name(mapped, PAGE);
        must(hipMemRelease(mapped));
        must(hipFree(freed));
        must(hipStreamSynchronize(stream));
        mstxMarkA("step", NULL);
    }
    return 0;
}
