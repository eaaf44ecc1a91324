// SPDX-License-Identifier: Apache-2.0
// Arrays that the kernel commits when they are touched. See array.h.
#include "core/pool/array.h"

#include <errno.h>

#include "base/error.h"
#include "base/pages.h"

tarn_status tn_pool_array_map(size_t element, uint64_t count, uint64_t min, bool huge, void **array,
                              uint64_t *room) {
    void *start = tn_pages_map(count * element, huge);
    while (start == NULL && count > min) {
        count = count / 2 > min ? count / 2 : min;
        start = tn_pages_map(count * element, huge);
    }
    if (start == NULL) {
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno,
                              "out of host memory for %llu records of %zu bytes",
                              (unsigned long long)count, element);
    }
    *array = start;
    *room = count;
    return TARN_OK;
}

void tn_pool_array_unmap(void *array, size_t element, uint64_t room) {
    if (array != NULL) tn_pages_unmap(array, room * element);
}
