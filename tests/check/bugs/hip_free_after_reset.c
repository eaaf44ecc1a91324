// SPDX-License-Identifier: Apache-2.0
// hipDeviceReset() frees blocks of the device and of its pools, and the program frees them again.
// EXPECT: ERROR double-free: hipFree of 0x... again, a block of device memory of 1000 byte(s)
// EXPECT: ERROR double-free: region R... [0x...,+2000)

#include "check/support/hip.h"

int main(void) {
    void *block = NULL, *pooled = NULL;
    must(hipMalloc(&block, 1000));
    must(hipMallocAsync(&pooled, 2000, NULL));
    must(hipDeviceReset());
    (void)hipFree(block);
    (void)hipFreeAsync(pooled, NULL);
    return 0;
}
