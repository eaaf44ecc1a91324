// SPDX-License-Identifier: Apache-2.0
// Two blocks add to one sum without an atomic.
// OPTIONS: -fsanitize=thread
// EXPECT: WARNING: ThreadSanitizer: data race
// EXPECT: sum_all(int const\*, int\*) .*block_race.hip:10
#include "../../compat/hip/programs/check.h"

__global__ void sum_all(const int *in, int *sum) {
    int own = in[blockIdx.x * blockDim.x + threadIdx.x];
    *sum += own;
}

int main() {
    device_array<int> in(std::vector<int>(64 * 64, 1)), sum(1);
    sum.clear();
    // On a busy machine one thread may run all blocks of a launch; the first race ends the program.
    for (int i = 0; i < 2000; i++) sum_all<<<64, 64>>>(in.get(), sum.get());
    (void)sum.download();
}
