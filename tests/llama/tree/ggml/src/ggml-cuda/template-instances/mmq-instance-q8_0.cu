// SPDX-License-Identifier: Apache-2.0
#include "../mmq.cuh"

template bool multiply_blocks<TYPE_Q8_0>(const void *, const float *, float *, int, int, int);
