// SPDX-License-Identifier: Apache-2.0
// Each frame of a stream keeps a block with its result.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: ... byte(s) in 1 region(s) allocated in step 1 still live after step 2
// EXPECT:   called by thread
// EXPECT:     ... main .../hiai_step_growth.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_step_growth.c:20

#include "check/support/hiai.h"
#include "check/support/mstx.h"

enum { FRAMES = 4 };

int main(void) {
    void *results[FRAMES];
    begin();
    for (int i = 0; i < FRAMES; i++) {
        mstxRangeId frame = mstxRangeStartA("step start", NULL);
        results[i] = take(4096);
        mstxRangeEnd(frame);
    }
    for (int i = 0; i < FRAMES; i++) must(HIAI_DFree(results[i]));
    return 0;
}
