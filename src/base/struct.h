// SPDX-License-Identifier: Apache-2.0
// Structs that begin with their size: reads one from a caller and writes one back, for every
// version of the header that the caller was built with.
#pragma once

#include <string.h>

#include <tarn/base.h>

// Copies the caller's struct to `own`, and zeroes the rest. BAD_STRUCT: the size is not set, or
// bytes that this library does not know are not zero. The first function is for other versions of the
// struct than that of this library.
tarn_status tn_struct_read_other(void *own, size_t own_size, const void *given, const char *name);
static inline tarn_status tn_struct_read(void *own, size_t own_size, const void *given,
                                         const char *name) {
    size_t size;
    memcpy(&size, given, sizeof size);
    if (__builtin_expect(size != own_size, 0))
        return tn_struct_read_other(own, own_size, given, name);
    memcpy(own, given, own_size);
    return TARN_OK;
}

// Copies `own` to the caller's struct, up to its size. Does not change its size field.
// BAD_ARGUMENT: NULL. BAD_STRUCT: the size is not set.
tarn_status tn_struct_write(void *given, const void *own, size_t own_size, const char *name);
