// SPDX-License-Identifier: Apache-2.0
// The copy engine proper: memcpy, and for moves far larger than a cache a copy whose writes go past
// it. glibc's memcpy does that too, but only when one call moves some hundred MiB, and a move is
// cut into pieces.
#ifndef TARN_BACKEND_HOST_ENGINE_BULK_H
#define TARN_BACKEND_HOST_ENGINE_BULK_H

#include <stdint.h>

// A move of this many bytes in all is copied past the cache. Smaller ones would gain too, but who
// reads the copy next would lose.
#define TN_HOST_BULK_BYTES ((uint64_t)16 << 20)

// As memcpy. When it returns, other threads see the bytes by the usual means (locks, acquire).
void tn_host_bulk_copy(void *dst, const void *src, uint64_t bytes);

#endif
