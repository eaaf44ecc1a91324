// SPDX-License-Identifier: Apache-2.0
// A copy that bypasses the cache, for moves far larger than the cache. glibc's memcpy does so only
// when a single call copies some hundred MiB, and the engine cuts moves into smaller pieces.
#pragma once

#include <stdint.h>

// Moves of at least this size bypass the cache. Smaller ones would be faster too, but the thread
// that reads the copy next would be slower.
#define TN_HOST_BULK_BYTES ((uint64_t)16 << 20)

// Like memcpy. The bytes are ordered before a later unlock or release by this thread.
void tn_host_bulk_copy(void *dst, const void *src, uint64_t bytes);
