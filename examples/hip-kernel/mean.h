// SPDX-License-Identifier: Apache-2.0
// The mean of numbers in device memory.
#pragma once

#include <hip/hip_runtime.h>

// Adds the sums of blocks to *sum, which lies in device memory.
template <int Threads> __global__ void add_up(const float *numbers, float *sum, int count);

// Returns the mean, or NAN if a call of HIP fails.
float mean(const float *numbers, int count, hipStream_t stream);
