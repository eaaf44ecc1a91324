// SPDX-License-Identifier: Apache-2.0
// Arrays of records, zeroed, whose host memory the kernel commits when it is touched: private
// anonymous mappings. The caller serialises map and unmap of one array.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tarn/base.h>

// Maps `count` elements, or fewer, down to `min`, where the system limits committed memory. Writes
// their number. With `huge` the kernel may commit huge pages. NO_HOST_MEMORY.
tarn_status tn_pool_array_map(size_t element, uint64_t count, uint64_t min, bool huge, void **array,
                              uint64_t *room);
void tn_pool_array_unmap(void *array, size_t element, uint64_t room);
