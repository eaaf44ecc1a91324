// SPDX-License-Identifier: Apache-2.0
// Structs that lead with their size: reading one from a caller, and writing one back, whatever
// header he was built with.
#ifndef TARN_BASE_STRUCT_H
#define TARN_BASE_STRUCT_H

#include <tarn/base.h>

// Copies what the caller's struct has into `own` (zeroed for the rest). BAD_STRUCT: size not set,
// or bytes that this library does not know are not zero.
tarn_status tn_struct_read(void *own, size_t own_size, const void *given, const char *name);

// Copies `own` out as far as the caller's struct reaches, and leaves its size field alone.
// BAD_ARGUMENT: NULL; BAD_STRUCT: size not set.
tarn_status tn_struct_write(void *given, const void *own, size_t own_size, const char *name);

#endif
