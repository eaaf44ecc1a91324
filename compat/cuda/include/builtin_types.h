/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builtin_types.h - the types of the runtime API.
 */
#ifndef BUILTIN_TYPES_H
#define BUILTIN_TYPES_H

#include <driver_types.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_types.h>

#endif
