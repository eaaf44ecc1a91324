// SPDX-License-Identifier: Apache-2.0
// The back-end for NVIDIA GPUs. See README.md.
#pragma once

#include <tarn/backend.h>

extern const tarn_backend tn_backend_cuda;
