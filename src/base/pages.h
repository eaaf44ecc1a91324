// SPDX-License-Identifier: Apache-2.0
// Zeroed host memory that the kernel commits when it is touched: private anonymous mappings. Any
// thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A huge page, and the smallest mapping for which one page of it more or less does not count.
#define TN_HUGE_PAGE UINT64_C(2097152)
#define TN_HUGE_MIN  (16 * TN_HUGE_PAGE)

// Maps `bytes`. With `huge` the memory starts at a multiple of TN_HUGE_PAGE, and the kernel may
// commit so much of it at a time, which spares page faults and address translations. Returns NULL
// with errno if there is no memory.
void *tn_pages_map(uint64_t bytes, bool huge);
void tn_pages_unmap(void *start, uint64_t bytes);
