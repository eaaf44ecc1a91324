// SPDX-License-Identifier: Apache-2.0
// A loop that leaves on an error does not end the tensors of the round before.
// EXPECT: ERROR leak: 2000 byte(s) in 1 region(s)
// EXPECT:   allocated by thread
// EXPECT:     ... run_round .../mstx_leak_on_error_path.c:10

#include "check/support/mstx.h"

static int run_round(mstxMemHeapHandle_t pool, int round) {
    mstxMemRegionHandle_t input = region(globalDomain, pool, range + 8192 * round, 2000);
    if (round == 2) return -1;
    end_handle(globalDomain, input);
    return 0;
}

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    int round = 0;
    while (round < 4 && run_round(pool, round) == 0) round++;
    return round == 2 ? 0 : 2;
}
