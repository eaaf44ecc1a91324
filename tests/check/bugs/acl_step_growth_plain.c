// SPDX-License-Identifier: Apache-2.0
// Each step keeps device memory, pinned memory and a handle of physical memory, outside of any pool.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: 1056 byte(s) in 1 block of device memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 4096 byte(s) in 1 block of pinned memory allocated in step 1 still live after step 2
// EXPECT: WARN step-growth: 2097152 byte(s) in 1 handle of physical memory allocated in step 1 still live after step 2
// EXPECT: ERROR resource-leak: 4 blocks of device memory of 4224 byte(s) in all
// EXPECT: ERROR resource-leak: 4 blocks of pinned memory of 16384 byte(s) in all
// EXPECT: ERROR resource-leak: 4 handles of physical memory of 8388608 byte(s) in all
// EXPECT: STEPS: 4 step(s) end with 2167872 to 8474784 live byte(s), +2102304 byte(s) a step

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    for (int step = 0; step < 4; step++) {
        void *plain = NULL, *pinned = NULL;
        aclrtDrvMemHandle handle = NULL;
        aclrtPhysicalMemProp prop = {.memAttr = ACL_HBM_MEM_HUGE};
        prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
        must(aclrtMalloc(&plain, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
        must(aclrtMallocHost(&pinned, 4096));
        must(aclrtMallocPhysical(&handle, 2 << 20, &prop, 0));
        mstxMarkA("step", NULL);
    }
    end_acl(memory);
    return 0;
}
