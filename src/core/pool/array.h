// SPDX-License-Identifier: Apache-2.0
// Arrays of book-keeping whose host memory the kernel commits when it is touched. Private anonymous
// mappings, zeroed; the owner serialises map and unmap of one array.
#ifndef TARN_CORE_POOL_ARRAY_H
#define TARN_CORE_POOL_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include <tarn/base.h>

// Maps room for `count` elements, or for fewer, down to `least`, where the system is strict about
// what it promises. Writes how many there are. TARN_NO_HOST_MEMORY.
tarn_status tn_pool_array_map(size_t element, uint64_t count, uint64_t least, void **array,
                              uint64_t *room);
void tn_pool_array_unmap(void *array, size_t element, uint64_t room);

#endif
