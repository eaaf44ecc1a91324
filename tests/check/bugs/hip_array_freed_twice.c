// SPDX-License-Identifier: Apache-2.0
// A cache of textures frees an array that its owner has freed.
// EXPECT: ERROR bad-handle: hipFreeArray with 0x..., which was destroyed
// EXPECT:     ... main .../hip_array_freed_twice.c:16
// EXPECT:   allocated by thread
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_array_freed_twice.c:15

#include "check/support/hip.h"

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipArray_t array = NULL;
    must(hipMallocArray(&array, &format, 64, 64, 0));
    must(hipFreeArray(array));
    (void)hipFreeArray(array);
    return 0;
}
