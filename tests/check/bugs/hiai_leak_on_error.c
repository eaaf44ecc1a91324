// SPDX-License-Identifier: Apache-2.0
// A decoder that returns early after a failed allocation forgets the frame that it had.
// EXPECT: ERROR leak: ... byte(s) in 1 region(s)
// EXPECT:   allocated by thread
// EXPECT:     ... decode .../hiai_leak_on_error.c:10

#include "check/support/hiai.h"

static int decode(void) {
    void *frame = take(8192);
    void *scratch = HIAI_DMalloc(UINT32_MAX, 0, MEMORY_ATTR_MANUAL_FREE);
    if (scratch == NULL) return 1;
    return HIAI_DFree(scratch) != HIAI_OK || HIAI_DFree(frame) != HIAI_OK;
}

int main(void) {
    begin();
    return decode() == 1 ? 0 : 2;
}
