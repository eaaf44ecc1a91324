// SPDX-License-Identifier: Apache-2.0
// Finds live heaps and regions by handle, by start and by a byte. All functions are called with the
// model's lock held.
#ifndef TARN_CHECK_LOOKUP_H
#define TARN_CHECK_LOOKUP_H

#include "check/heaps.h"

// Find a live heap, or NULL. `object` 0 matches any pool.
struct tn_check_heap *tn_check_heap_by_handle(uint64_t handle);
struct tn_check_heap *tn_check_heap_at_start(const struct tn_check_heap_range *range,
                                             uint64_t object);

// Finds the innermost heap that contains the complete range, on a matching device. If `object` is
// not 0, a heap of that pool is preferred. The call holds the lock of the shard, which remembers the
// heap.
struct tn_check_heap *tn_check_heap_around(const struct tn_check_heap_range *range, uint64_t object,
                                           struct tn_check_shard *shard);

// Finds the innermost heaps that contain the byte. Stores at most `max` and returns their number.
unsigned tn_check_heaps_at(const struct tn_check_plane *plane, uint64_t address,
                           struct tn_check_heap **found, unsigned max);

// Find a live region, or NULL. By start: the newest one of the domain, or of any if that is NULL.
struct tn_check_region *tn_check_region_by_handle(uint64_t handle);
struct tn_check_region *tn_check_region_by_start(uint32_t space, uint64_t address,
                                                 const struct tn_check_domain *domain);

// Finds the newest one of a pool in the shard. The call need not hold another shard's lock.
struct tn_check_region *tn_check_region_in_shard(const struct tn_check_shard *shard, uint32_t space,
                                                 uint64_t address,
                                                 const struct tn_check_domain *domain,
                                                 uint64_t object);

// Finds a live region that contains the byte, on any device: the newest one of the innermost heap.
struct tn_check_region *tn_check_region_containing(uint32_t space, uint64_t address);

#endif
