// SPDX-License-Identifier: Apache-2.0
// With --uninitialised=strict the copy inside the device is a read.
// OPTIONS: --uninitialised=strict
// EXPECT: ERROR uninitialised-read: 1000 of 1000 byte(s) at 0x... never written since registration
// of R1, read by hipMemcpy

#include "check/support/hip.h"

int main(void) {
    char *from = NULL, *to = NULL;
    must(hipMalloc((void **)&from, 1000));
    must(hipMalloc((void **)&to, 1000));
    must(hipMemcpy(to, from, 1000, hipMemcpyDeviceToDevice));
    must(hipDeviceSynchronize());
    must(hipFree(from));
    must(hipFree(to));
    return 0;
}
