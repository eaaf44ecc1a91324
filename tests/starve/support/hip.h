// SPDX-License-Identifier: Apache-2.0
// Steps of a round that call HIP, as tarn.h has them for Tarn.
#pragma once

#include <hip/hip_runtime_api.h>

#include "starve/support/round.h"

#define TRY(step)                                                                                  \
    do {                                                                                           \
        hipError_t error_of_step = (step);                                                         \
        if (error_of_step != hipSuccess) {                                                         \
            return starve_classify(error_of_step == hipErrorOutOfMemory, #step,                    \
                                   hipGetErrorName(error_of_step));                                \
        }                                                                                          \
    } while (0)

#define MUST(worst, step)                                                                          \
    do {                                                                                           \
        hipError_t error_of_step = (step);                                                         \
        error_of_step = error_of_step == hipErrorOutOfMemory ? (step) : error_of_step;             \
        if (error_of_step != hipSuccess) {                                                         \
            *(worst) = starve_classify(false, #step, hipGetErrorName(error_of_step));              \
        }                                                                                          \
    } while (0)
