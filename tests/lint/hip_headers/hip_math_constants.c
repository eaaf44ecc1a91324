// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_math_constants.h>

int main(void) { return (int)(HIP_PI + (double)HIP_SQRT_TWO_F); }
