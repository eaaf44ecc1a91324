// SPDX-License-Identifier: Apache-2.0
// Each step keeps a block of device memory and one of pinned memory, outside of any pool.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: 1000 byte(s) in 1 block of device memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 4096 byte(s) in 1 block of pinned memory allocated in step 1 still live after step 2
// EXPECT: ERROR resource-leak: 5 blocks of device memory of 5000 byte(s) in all
// EXPECT: ERROR resource-leak: 5 blocks of pinned memory of 20480 byte(s) in all
// EXPECT: STEPS: 5 step(s) end with 5096 to 25480 live byte(s), +5096 byte(s) a step

#include "check/support/tarn.h"

#include <tarn/annotate.h>

int main(void) {
    tarn_device *device = open_device();
    for (int step = 0; step < 5; step++) {
        tarn_addr kept = 0, freed = 0;
        void *pinned = NULL;
        must(tarn_memory_alloc(device, 1000, &kept));
        must(tarn_memory_alloc(device, 3000, &freed));
        must(tarn_host_alloc(device, 4096, 0, &pinned));
        must(tarn_memory_free(freed, 0));
        tarn_annotate_step("step");
    }
    return 0;
}
