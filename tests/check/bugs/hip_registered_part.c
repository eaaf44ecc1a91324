// SPDX-License-Identifier: Apache-2.0
// Only the first half of a buffer is registered, and an upload, which HIP refuses, takes all of it.
// EXPECT: ERROR heap-overflow: read of 65536 byte(s) at 0x..., wrong from 0x... on by hipMemcpy, past the end of a registration of host memory of 32768 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_registered_part.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_registered_part.c:15

#include "check/support/hip.h"

int main(void) {
    static _Alignas(4096) char buffer[65536];
    void *device = NULL;
    must(hipMalloc(&device, sizeof buffer));
    must(hipHostRegister(buffer, sizeof buffer / 2, 0));
    (void)hipMemcpy(device, buffer, sizeof buffer, hipMemcpyHostToDevice);
    must(hipHostUnregister(buffer));
    must(hipFree(device));
    return 0;
}
