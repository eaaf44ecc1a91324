// SPDX-License-Identifier: Apache-2.0
// Each step keeps one more block, which the summary draws.
// OPTIONS: --leaks=step --max-reports=1
// EXPECT: WARN step-growth: 1000 byte(s) in 1 region(s) allocated in step 1 still live after step 2
// EXPECT: [#1] step-growth: 5 more of the same
// EXPECT: STEPS: 8 step(s) end with 1000 to 8000 live byte(s), +1000 byte(s) a step: ▁▂▃▄▅▆▇█

#include "check/support/tarn.h"

enum { STEPS = 8 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr kept[STEPS];

    for (int i = 0; i < STEPS; i++) {
        kept[i] = take(pool, 1000);
        tarn_annotate_step("train");
    }
    for (int i = 0; i < STEPS; i++) must(tarn_pool_free(pool, kept[i]));
    end_pool(device, pool);
    return 0;
}
