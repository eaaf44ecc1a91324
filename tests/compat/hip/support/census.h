// SPDX-License-Identifier: Apache-2.0
// What this process holds of the machine, counted: so that a test can say that nothing was left
// behind.
#pragma once

#include <stddef.h>

struct census {
    size_t fds;
    size_t vmas;       // mappings of the kernel
    size_t rss;        // resident bytes
    size_t free_bytes; // of the current device
};

struct census census_take(void);

// Nothing more is held than before: no descriptor, no capacity of the device, at most `vmas`
// mappings of the kernel and `bytes` of memory, which malloc() may have taken (not
// counted under a sanitizer).
void census_no_growth(const struct census *before, size_t vmas, size_t bytes);
