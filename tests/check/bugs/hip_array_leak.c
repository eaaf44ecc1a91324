// SPDX-License-Identifier: Apache-2.0
// Two arrays of a loop are never freed; a report names their place once.
// EXPECT: ERROR resource-leak: 2 device arrays of 32768 byte(s) in all
// EXPECT:     #0 0x... hipMallocArray
// EXPECT:     ... main .../hip_array_leak.c:13

#include "check/support/hip.h"

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    for (int i = 0; i < 2; i++) {
        hipArray_t array = NULL;
        must(hipMallocArray(&array, &format, 64, 64, 0));
    }
    return 0;
}
