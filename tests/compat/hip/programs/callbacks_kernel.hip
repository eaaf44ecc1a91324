// SPDX-License-Identifier: Apache-2.0
// Functions of the host between kernels, in the order of the stream.
#include "check.h"

__global__ void step(int *value) { *value = *value * 2 + 1; }

struct record {
    const int *value;
    std::vector<int> seen;
};

void look(void *data) {
    record *r = static_cast<record *>(data);
    r->seen.push_back(*r->value);
}

void look_again(hipStream_t, hipError_t status, void *data) {
    if (status == hipSuccess) look(data);
}

int main() {
    int *value;
    hipStream_t stream;
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipHostMalloc(&value, sizeof *value));
    *value = 0;
    record r{value, {}};
    for (int i = 0; i < 3; i++) {
        step<<<1, 1, 0, stream>>>(value);
        HIP_CHECK(hipLaunchHostFunc(stream, look, &r));
        step<<<1, 1, 0, stream>>>(value);
        HIP_CHECK(hipStreamAddCallback(stream, look_again, &r, 0));
    }
    HIP_CHECK(hipStreamSynchronize(stream));
    EXPECT((r.seen == std::vector<int>{1, 3, 7, 15, 31, 63}));
    HIP_CHECK(hipHostFree(value));
    HIP_CHECK(hipStreamDestroy(stream));
}
