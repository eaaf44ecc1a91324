// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, as a front of libcuda.so.1.
#include "compat/cuda/nvml_list.h"
#include "compat/face/front.h"

#define FRONT(name) TN_FRONT(name, tn_nvml_##name)
TN_NVML_LIST(FRONT)
