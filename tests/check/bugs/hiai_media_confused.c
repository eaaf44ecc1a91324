// SPDX-License-Identifier: Apache-2.0
// A block of media units is freed by the plain call, and a plain one by that of media units.
// EXPECT: ERROR wrong-family-free: HIAI_DFree of 0x..., which is region R2 of a pool
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_media_confused.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_media_confused.c:20
// EXPECT: ERROR wrong-family-free: HIAI_DVPP_DFree of 0x..., which is region R1 of a pool
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_media_confused.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_media_confused.c:19

#include "check/support/hiai.h"

int main(void) {
    (void)setenv("TARN_HIAI_MODE", "RC", 1);
    begin();
    void *plain = take(4096);
    void *media = HIAI_DVPP_DMalloc(4096);
    (void)HIAI_DFree(media);
    (void)HIAI_DVPP_DFree(plain);
    must(HIAI_DVPP_DFree(media));
    must(HIAI_DFree(plain));
    return 0;
}
