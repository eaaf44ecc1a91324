// SPDX-License-Identifier: Apache-2.0
// Blocks of media units and plain ones are each freed by their own call.

#include "check/support/hiai.h"

int main(void) {
    (void)setenv("TARN_HIAI_MODE", "RC", 1);
    begin();
    for (int round = 0; round < 3; round++) {
        void *plain = take(4096), *media = HIAI_DVPP_DMalloc(4096);
        memset(plain, 1, 4096);
        memset(media, 1, 4096);
        must(HIAI_DVPP_DFree(media));
        must(HIAI_DFree(plain));
    }
    return 0;
}
