// SPDX-License-Identifier: Apache-2.0
// One thread allocates and writes a frame, another one reads and frees it.

#include "check/support/hiai.h"

static void *consume(void *frame) {
    char last = ((char *)frame)[4999];
    must(HIAI_DFree(frame));
    return last == 0 ? frame : NULL;
}

int main(void) {
    begin();
    for (int i = 0; i < 3; i++) {
        char *frame = take(5000);
        memset(frame, i, 5000);
        run_thread(consume, frame);
    }
    return 0;
}
