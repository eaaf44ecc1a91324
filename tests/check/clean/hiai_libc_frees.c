// SPDX-License-Identifier: Apache-2.0
// Blocks of HIAI and of malloc() in turns, each freed by its own function.

#include "check/support/hiai.h"

int main(void) {
    begin();
    for (int i = 0; i < 8; i++) {
        char *block = take(4096), *own = malloc(4096);
        if (own == NULL) return 2;
        memset(own, i, 4096);
        memcpy(block, own, 4096);
        own = realloc(own, 1 << 20);
        must(HIAI_DFree(block));
        free(own);
    }
    return 0;
}
