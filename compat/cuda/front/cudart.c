// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime, as a front of libcuda.so.1. The build compiles it for each release.
#include "compat/cuda/cudart.h"
#include "compat/face/front.h"

#define FRONT(name)        TN_FRONT(name, tn_cudart_##name)
#define FRONT_Z(name)      FRONT(name) FRONT(name##_ptsz)
#define FRONT_TO(name, to) TN_FRONT(name, tn_cudart_##to)
#define FRONT_12(name)     FRONT_TO(name, name##_v12)
#define FRONT_12_Z(name)   FRONT_12(name) FRONT_TO(name##_ptsz, name##_v12_ptsz)

TN_CUDART_LIST(FRONT)
#if TN_FACE_SOVERSION == 12
TN_CUDART_CHANGED_LIST(FRONT_12, FRONT_12_Z)
TN_CUDART_12_LIST(FRONT)
TN_CUDART_RENAMED_LIST(FRONT_TO)
#else
TN_CUDART_CHANGED_LIST(FRONT, FRONT_Z)
#endif
