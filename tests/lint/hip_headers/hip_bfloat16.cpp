// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_bfloat16.h>

int main() {
    hip_bfloat16 sum(1.5f);
    sum += hip_bfloat16(2.5f) * hip_bfloat16::round_to_bfloat16(2);
    return sum.data + static_cast<int>(sum);
}
