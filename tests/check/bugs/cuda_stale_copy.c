// SPDX-License-Identifier: Apache-2.0
// Freed memory is read by two copies whose names state the side of the device, and is the place of a
// value that a stream writes. The face refuses each call before it reaches Tarn.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by cuMemcpyDtoH_v2
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by cuMemcpyDtoD_v2
// EXPECT: ERROR use-after-free: write of 4 byte(s) at 0x... by cuStreamWriteValue32

#include "check/support/cuda.h"

int main(void) {
    CUdeviceptr old = 0;
    CUdeviceptr other = 0;
    char bytes[64];
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuMemAlloc(&old, 4096));
    must_drive(cuMemAlloc(&other, 4096));
    must_drive(cuMemsetD8(old, 1, 4096));
    must_drive(cuMemFree(old));
    (void)cuMemcpyDtoH(bytes, old, sizeof bytes);
    (void)cuMemcpyDtoD(other, old, sizeof bytes);
    (void)cuStreamWriteValue32(NULL, old, 1, 0);
    must_drive(cuMemFree(other));
    return 0;
}
