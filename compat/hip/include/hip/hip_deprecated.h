/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_deprecated.h - the properties as HIP 5 had them, and the functions that use them. Those are
 * declared in hip/detail/device.h.
 */
#ifndef HIP_HIP_DEPRECATED_H
#define HIP_HIP_DEPRECATED_H

#include <hip/hip_runtime_api.h>

#endif
