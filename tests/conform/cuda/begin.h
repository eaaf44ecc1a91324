// SPDX-License-Identifier: Apache-2.0
// The names of the questions about CUDA.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#define TN_API "cuda"

// In a question of both APIs: one of two texts, or one that only CUDA or only HIP has.
#define IS_HIP            0
#define EITHER(cuda, hip) cuda
#define IN_CUDA(...)      __VA_ARGS__
#define IN_HIP(...)

#include "tests/conform/both/make.h"
