/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_ext.h - launches with events, which hip/hip_runtime.h declares.
 */
#ifndef HIP_HIP_EXT_H
#define HIP_HIP_EXT_H

#include <hip/hip_runtime.h>

#endif
