// SPDX-License-Identifier: Apache-2.0
// Structs that begin with their size. Pure functions.
#include "base/struct.h"

#include "base/error.h"

static size_t leading_size(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static tarn_status no_size(const char *name, size_t size) {
    return tn_fail(TARN_BAD_STRUCT, "%s.struct_size is %zu: initialise the struct with TARN_INIT()",
                   name, size);
}

tarn_status tn_struct_read_other(void *own, size_t own_size, const void *given, const char *name) {
    size_t size = leading_size(given);
    if (size <= sizeof size) return no_size(name, size);
    const unsigned char *bytes = given;
    for (size_t i = own_size; i < size; i++)
        TN_REFUSE(bytes[i] != 0, TARN_BAD_STRUCT,
                  "%s has a field at byte %zu that this library does not know", name, i);
    memset(own, 0, own_size);
    memcpy(own, given, size < own_size ? size : own_size);
    return TARN_OK;
}

tarn_status tn_struct_write(void *given, const void *own, size_t own_size, const char *name) {
    TN_REFUSE(given == NULL, TARN_BAD_ARGUMENT, "%s is NULL", name);
    size_t size = leading_size(given);
    if (size <= sizeof size) return no_size(name, size);
    size_t reach = size < own_size ? size : own_size;
    memcpy((unsigned char *)given + sizeof size, (const unsigned char *)own + sizeof size,
           reach - sizeof size);
    return TARN_OK;
}
