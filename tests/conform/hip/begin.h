// SPDX-License-Identifier: Apache-2.0
// The names of the questions about HIP.
#pragma once

#include <hip/hip_runtime_api.h>

#include "tests/conform/hip/names.h"

#define TN_API "hip"

// In a question of both APIs: one of two texts, or one that only CUDA or only HIP has.
#define IS_HIP            1
#define EITHER(cuda, hip) hip
#define IN_CUDA(...)
#define IN_HIP(...) __VA_ARGS__

// Functions are stated by the names that names.h maps theirs to.
#define ASK(function, ...)  TN_ASK(function, __VA_ARGS__)
#define ASK0(function)      TN_ASK0(function)
#define MUST(function, ...) TN_MUST(function, __VA_ARGS__)
#define MUST0(function)     TN_MUST0(function)
#define CALL(function, ...) TN_CALL(function, __VA_ARGS__)
#define CALL0(function)     TN_CALL0(function)

#include "tests/conform/both/make.h"
