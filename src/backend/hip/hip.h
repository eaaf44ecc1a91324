// SPDX-License-Identifier: Apache-2.0
// The back-end for AMD GPUs, through libamdhip64. Other rooms include only this header.
#pragma once

#include <tarn/backend.h>

extern const tarn_backend tn_backend_hip;

// The status of an error of HIP. For tests.
tarn_status tn_hip_status_of(int64_t code);
