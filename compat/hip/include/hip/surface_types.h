/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/surface_types.h - see hip/texture_types.h.
 */
#ifndef HIP_SURFACE_TYPES_H
#define HIP_SURFACE_TYPES_H

#include <hip/texture_types.h>

#endif
