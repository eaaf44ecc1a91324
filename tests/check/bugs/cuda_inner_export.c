// SPDX-License-Identifier: Apache-2.0
// The second half of a block is exported by the driver's function.
// EXPECT: WARN inner-export: cuIpcGetMemHandle of 0x..., which is 4096 byte(s) inside a block of device memory of 8192 byte(s)
#include "check/support/cuda.h"

int main(void) {
    CUipcMemHandle handle;
    CUdeviceptr block = 0;
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuMemAlloc(&block, 8192));
    must_drive(cuIpcGetMemHandle(&handle, block + 4096));
    must_drive(cuMemFree(block));
    (void)cudaDeviceReset();
    return 0;
}
