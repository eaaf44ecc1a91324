// SPDX-License-Identifier: Apache-2.0
// A thread stores and adds to integers, and loads vectors of floats, at addresses that are no multiples of their
// size. A structure without alignment is legal, and so is a copy of two numbers as one access of 16 bytes.
// OPTIONS: --kernel-races
// RUN: misaligned
// EXPECT: ERROR misaligned-access: write of 4 byte(s) at 0x[0-9a-f]*1 (needs 4-byte alignment) by thread (0, 0, 0) of block (0, 0, 0), in kernel store, in a block of device memory of 256 byte(s)
// EXPECT: #0 0x[0-9a-f]* store(unsigned char\*) .*misaligned_store.hip:26
// EXPECT: main .*misaligned_store.hip:39
// EXPECT: ERROR misaligned-access: atomic write of 4 byte(s) at 0x[0-9a-f]*2 (needs 4-byte alignment) by thread (0, 0, 0) of block (0, 0, 0), in kernel store
// EXPECT: ERROR misaligned-access: read of 16 byte(s) at 0x[0-9a-f]*4 (needs 8-byte alignment) by thread (0, 0, 0) of block (0, 0, 0), in kernel load
// EXPECT: #0 0x[0-9a-f]* load(float const\*, float\*) .*misaligned_store.hip:33
// EXPECT: ERROR misaligned-access: access of 16 byte(s) at 0x[0-9a-f]*8 (needs 16-byte alignment) by thread (0, 0, 0) of block (0, 0, 0), in kernel load
// EXPECT: #0 0x[0-9a-f]* load(float const\*, float\*) .*misaligned_store.hip:34
// EXPECT: SUMMARY: 4 error(s), 0 warning(s)
#include "../../compat/hip/programs/check.h"

struct __attribute__((packed)) record {
    char tag;
    int value;
};
struct pair {
    double first, second;
};

__global__ void store(unsigned char *bytes) {
    *reinterpret_cast<int *>(bytes + 1) = 1;
    atomicAdd(reinterpret_cast<int *>(bytes + 18), 3);
    reinterpret_cast<record *>(bytes + 32)->value = 2;
    *reinterpret_cast<pair *>(bytes + 72) = *reinterpret_cast<const pair *>(bytes + 104);
}

__global__ void load(const float *in, float *out) {
    const float4 four = *reinterpret_cast<const float4 *>(in + 1);
    const float4 at_8 = *reinterpret_cast<const float4 *>(in + 6);
    *out = four.x + four.y + four.z + four.w + at_8.x;
}

int main() {
    device_array<unsigned char> bytes(256);
    device_array<float> in(64), out(8);
    bytes.clear();
    in.clear();
    store<<<1, 1>>>(bytes.get());
    load<<<1, 1>>>(in.get(), out.get());
    HIP_CHECK(hipDeviceSynchronize());
}
