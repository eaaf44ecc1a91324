// SPDX-License-Identifier: Apache-2.0
// What the process maps, as the kernel tells it. Slow: it reads a file.
#ifndef TARN_CHECK_MAPPED_H
#define TARN_CHECK_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

// Is all of [lo, hi) mapped? True when the kernel does not say.
bool tn_check_is_mapped(uint64_t lo, uint64_t hi);

#endif
