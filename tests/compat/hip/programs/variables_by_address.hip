// SPDX-License-Identifier: Apache-2.0
// Variables of devices that the program names by their addresses, and never by themselves.
#include "check.h"

namespace tables {
__device__ int squares[4] = {0, 1, 4, 9};
}
static __constant__ double scale = 2.5;
int of_host = 7;

__global__ void look_up(int *out) { out[threadIdx.x] = int(tables::squares[threadIdx.x] * scale); }

int main() {
    const void *squares = tables::squares;
    const void *factor = &scale;
    void *address = nullptr;
    size_t bytes = 0;
    int values[4] = {};
    HIP_CHECK(hipGetSymbolSize(&bytes, squares));
    EXPECT(bytes == sizeof values);
    HIP_CHECK(hipMemcpyFromSymbol(values, squares, sizeof values));
    EXPECT(values[2] == 4 && values[3] == 9);
    HIP_CHECK(hipGetSymbolAddress(&address, squares));
    values[3] = 16;
    HIP_CHECK(hipMemcpy(address, values, sizeof values, hipMemcpyHostToDevice));
    const double twice = 2;
    HIP_CHECK(hipMemcpyToSymbol(factor, &twice, sizeof twice));
    device_array<int> out(4);
    look_up<<<1, 4>>>(out.get());
    EXPECT(out.download()[3] == 32);
    // Memory that is no variable of devices, or not its beginning, is refused.
    const void *const others[] = {&of_host, (const char *)squares + 4, &bytes};
    for (const void *other : others)
        EXPECT(hipGetSymbolSize(&bytes, other) == hipErrorInvalidSymbol);
    (void)hipGetLastError();
}
