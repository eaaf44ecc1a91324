// SPDX-License-Identifier: Apache-2.0
// Each training step keeps the tensor of its loss.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: 4 byte(s) in 1 region(s) allocated in step 1 still live after step 2
// EXPECT:   called by thread
// EXPECT:     ... main .../acl_step_growth.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_step_growth.c:20

#include "check/support/acl_mstx.h"

enum { STEPS = 4 };

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemRegionHandle_t losses[STEPS];
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    for (int i = 0; i < STEPS; i++) {
        mstxRangeId step = mstxRangeStartA("step start", NULL);
        losses[i] = region(globalDomain, pool, memory + (ptrdiff_t)i * 512, 4);
        must(aclrtMemset(memory + (ptrdiff_t)i * 512, 4, i, 4));
        mstxRangeEnd(step);
    }
    for (int i = 0; i < STEPS; i++) end_handle(globalDomain, losses[i]);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
