// SPDX-License-Identifier: Apache-2.0
// Arrays that the kernel commits when they are touched. See array.h.
#include "core/pool/array.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/error.h"

static void *map_zeroed(uint64_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
}

tarn_status tn_pool_array_map(size_t element, uint64_t count, uint64_t min, void **array,
                              uint64_t *room) {
    void *start = map_zeroed(count * element);
    while (start == MAP_FAILED && count > min) {
        count = count / 2 > min ? count / 2 : min;
        start = map_zeroed(count * element);
    }
    if (start == MAP_FAILED) {
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno,
                              "out of host memory for %llu records of %zu bytes",
                              (unsigned long long)count, element);
    }
    *array = start;
    *room = count;
    return TARN_OK;
}

void tn_pool_array_unmap(void *array, size_t element, uint64_t room) {
    if (array != NULL) {
        (void)munmap(array, room * element);
    }
}
