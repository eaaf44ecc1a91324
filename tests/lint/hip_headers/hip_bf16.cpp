// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_bf16.h>

int main() {
    const __hip_bfloat162 pair = __floats2bfloat162_rn(1, 2);
    __hip_bfloat16 sum = __hadd(pair.x, pair.y);
    sum *= __double2bfloat16(0.5);
    return static_cast<int>(__bfloat162float(sum));
}
