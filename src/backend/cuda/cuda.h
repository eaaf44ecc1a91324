// SPDX-License-Identifier: Apache-2.0
// The back-end for NVIDIA GPUs. See README.md.
#ifndef TARN_BACKEND_CUDA_CUDA_H
#define TARN_BACKEND_CUDA_CUDA_H

#include <tarn/backend.h>

extern const tarn_backend tn_backend_cuda;

#endif
