/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texture_types.h - see cuda/detail/texture.h.
 */
#ifndef TEXTURE_TYPES_H
#define TEXTURE_TYPES_H

#include <cuda/detail/texture.h>

#endif
