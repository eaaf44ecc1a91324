// SPDX-License-Identifier: Apache-2.0
// The only file that differs between the two libraries of the face: the build compiles it for each,
// and defines the number. Constant.
#include "compat/hip/soname.h"

const int tn_hip_soname = TN_FACE_SOVERSION;
