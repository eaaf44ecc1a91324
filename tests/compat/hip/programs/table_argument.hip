// SPDX-License-Identifier: Apache-2.0
// A kernel with a table of 16 KiB as an argument, and one with many arguments.
#include "check.h"

struct table {
    int squares[4000];
};

__global__ void look_up(table t, const int *keys, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = t.squares[keys[i]];
}

__global__ void add_many(int *out, char a, short b, int c, long long d, float e, double f, int2 g,
                         char h, double2 i, unsigned char j) {
    *out = static_cast<int>(a + b + c + d + e + f + g.x + g.y + h + i.x + i.y + j);
}

int main() {
    const int n = 300;
    table t;
    std::vector<int> keys(n);
    for (int i = 0; i < 4000; i++) t.squares[i] = i * i;
    for (int i = 0; i < n; i++) keys[i] = i * 13 % 4000;
    device_array<int> device_keys(keys), out(n);
    look_up<<<3, 128>>>(t, device_keys.get(), out.get(), n);
    t.squares[13] = 0; // the kernel has a copy
    const std::vector<int> got = out.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == keys[i] * keys[i]);
    add_many<<<1, 1>>>(out.get(), 1, 2, 3, 4, 5, 6, make_int2(7, 8), 9, make_double2(10, 11), 12);
    EXPECT(out.download()[0] == 78);
}
