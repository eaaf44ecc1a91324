// SPDX-License-Identifier: Apache-2.0
// A frame is written after it was freed.
// OPTIONS: --fill --host-ranges=auto
// EXPECT: ERROR write-after-free: 1 byte(s) at 0x... changed while free (expected dd, found ...), region R1
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_store_after_free.c:14
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_store_after_free.c:15

#include "check/support/hiai.h"

int main(void) {
    begin();
    char *frame = take(8192), *other = take(8192);
    must(HIAI_DFree(frame));
    frame[100] = 1;
    must(HIAI_DFree(other));
    return 0;
}
