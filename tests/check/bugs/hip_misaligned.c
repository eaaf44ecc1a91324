// SPDX-License-Identifier: Apache-2.0
// Copies go to addresses that are no multiple of what was asked for, in memory of hipMalloc. The second
// one begins at a multiple, and its next row does not.
// OPTIONS: --alignment=32
// EXPECT: ERROR misaligned-access: write of 32 byte(s) at 0x... (needs 32-byte alignment), which is 0x6 inside a block of device memory of 256 byte(s)
// EXPECT:     ... hipMalloc ...
// EXPECT: ERROR misaligned-access: write of 32 byte(s) at 0x... (needs 32-byte alignment), which is 0x30 inside a block of device memory of 256 byte(s)
#include <hip/hip_runtime_api.h>

int main(void) {
    static const char from[64];
    char *block = NULL;
    return hipMalloc((void **)&block, 256) != hipSuccess ||
           hipMemcpy(block + 64, from, 32, hipMemcpyHostToDevice) != hipSuccess ||
           hipMemcpy(block + 6, from, 32, hipMemcpyHostToDevice) != hipSuccess ||
           hipMemcpy2D(block, 48, from, 32, 32, 2, hipMemcpyHostToDevice) != hipSuccess ||
           hipFree(block) != hipSuccess;
}
