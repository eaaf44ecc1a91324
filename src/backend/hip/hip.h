// SPDX-License-Identifier: Apache-2.0
// Cards by AMD, driven through libamdhip64. This is all that is seen of it from outside its room.
#ifndef TARN_BACKEND_HIP_HIP_H
#define TARN_BACKEND_HIP_HIP_H

#include <tarn/backend.h>

extern const tarn_backend tn_backend_hip;

// What an error of HIP means. For tests.
tarn_status tn_hip_status_of(int64_t code);

#endif
