// SPDX-License-Identifier: Apache-2.0
// Each step frees its blocks, or those of the step before.
// OPTIONS: --leaks=step

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    void *last = NULL;
    for (int i = 0; i < 4; i++) {
        mstxRangeId step = mstxRangeStartA("step start", NULL);
        void *scratch = take(4096), *result = take(4096);
        if (last != NULL) must(HIAI_DFree(last));
        last = result;
        must(HIAI_DFree(scratch));
        mstxRangeEnd(step);
    }
    must(HIAI_DFree(last));
    return 0;
}
