/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_common.h - the platform. `tarn hipcc` defines __HIPCC__ and __HIP_PLATFORM_AMD__ itself.
 */
#ifndef HIP_HIP_COMMON_H
#define HIP_HIP_COMMON_H

#include <hip/hip_version.h>

#endif
