// SPDX-License-Identifier: Apache-2.0
// The last thread of a block writes one byte too many, which is the first byte of the next block.
// OPTIONS: --kernel-races
// RUN: races
// EXPECT: ERROR kernel-race: write of 1 byte(s) at 0x[0-9a-f]* by thread (0, 0, 0) of block (1, 0, 0), in kernel mark, is unordered with the write by thread (7, 0, 0) of block (0, 0, 0), in a block of device memory of 64 byte(s)
// EXPECT: #0 0x[0-9a-f]* mark(unsigned char\*) .*race_blocks.hip:17
// EXPECT: #0 0x[0-9a-f]* mark(unsigned char\*) .*race_blocks.hip:18
// EXPECT: main .*race_blocks.hip:23
// EXPECT: SUMMARY: 1 error(s), 0 warning(s)
#include "../../compat/hip/programs/check.h"

enum { THREADS = 8, BLOCKS = 2 };

__global__ void mark(unsigned char *bytes) {
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < THREADS * BLOCKS) {
        bytes[index] = 1;
        if (threadIdx.x == THREADS - 1 && index + 1 < THREADS * BLOCKS) bytes[index + 1] = 2;
    }
}

int main() {
    device_array<unsigned char> bytes(64);
    bytes.clear();
    mark<<<BLOCKS, THREADS>>>(bytes.get());
    HIP_CHECK(hipDeviceSynchronize());
}
