// SPDX-License-Identifier: Apache-2.0
// The address of a variable is freed.
// EXPECT: ERROR invalid-free: tarn_free of 0x..., which is no block that can be freed
// EXPECT:   freed by thread
// EXPECT: tarn_free_stack.c:12

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    int variable = 0;
    (void)tarn_free((tarn_addr)(uintptr_t)&variable, 0);
    must(tarn_device_close(device));
    return 0;
}
