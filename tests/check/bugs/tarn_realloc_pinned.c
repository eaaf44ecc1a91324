// SPDX-License-Identifier: Apache-2.0
// Pinned memory is grown by realloc().
// EXPECT: ERROR wrong-family-free: realloc of 0x..., which is a block of pinned memory of 4096 byte(s)
// EXPECT:     ... main .../tarn_realloc_pinned.c:

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    void *pinned = NULL;
    must(tarn_host_alloc(device, 4096, 0, &pinned));
    pinned = realloc(pinned, 8192);
    return pinned == NULL;
}
