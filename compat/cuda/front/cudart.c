// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime, as a front of libcuda.so.1. The build compiles it for each release.
#include "compat/cuda/cudart.h"
#include "compat/face/front.h"

#define FRONT(name)         TN_FRONT(name, tn_cudart_##name)
#define FRONT_TO(name, to)  TN_FRONT(name, tn_cudart_##to)
#define FRONT_CHANGED(name) TN_FRONT(name, tn_cudart_##name##_v12)

TN_CUDART_LIST(FRONT)
#if TN_FACE_SOVERSION == 12
TN_CUDART_CHANGED_LIST(FRONT_CHANGED)
TN_CUDART_12_LIST(FRONT)
TN_CUDART_RENAMED_LIST(FRONT_TO)
#else
TN_CUDART_CHANGED_LIST(FRONT)
#endif
