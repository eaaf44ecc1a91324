// SPDX-License-Identifier: Apache-2.0
// Blocks are written completely, freed and allocated again beside canaries and fill.
// OPTIONS: --canary=16 --fill --host-ranges=auto

#include "check/support/hiai.h"

int main(void) {
    begin();
    for (int round = 0; round < 4; round++) {
        char *one = take(1000), *other = take(8192);
        memset(one, round, 1000);
        memset(other, round, 8192);
        must(HIAI_DFree(one));
        memset(other, round, 8192);
        must(HIAI_DFree(other));
    }
    return 0;
}
