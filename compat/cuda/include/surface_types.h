/* SPDX-License-Identifier: Apache-2.0 */
/*
 * surface_types.h - see cuda/detail/texture.h.
 */
#ifndef SURFACE_TYPES_H
#define SURFACE_TYPES_H

#include <cuda/detail/texture.h>

#endif
