// SPDX-License-Identifier: Apache-2.0
// Managed memory, and hints about its use. Hints are stored and returned by queries, and have no
// other effect. Any thread may call these functions. They fail with INVALID_VALUE if a range is not
// in one block of managed memory, or if a number is unknown.
#pragma once

#include "compat/runtime/device/device.h"

// To what managed memory is attached.
enum { TN_RT_ATTACH_GLOBAL = 1, TN_RT_ATTACH_HOST = 2, TN_RT_ATTACH_SINGLE = 4 };

tn_rt_error tn_rt_managed_alloc(void **ptr, size_t size, unsigned flags);

// Attaches managed memory: all of it if `length` is 0. Other memory of the program is ignored.
tn_rt_error tn_rt_attach(void *stream, const void *ptr, size_t length, unsigned flags);

enum {
    TN_RT_ADVISE_READ_MOSTLY = 1,
    TN_RT_UNADVISE_READ_MOSTLY,
    TN_RT_ADVISE_PREFERRED,
    TN_RT_UNADVISE_PREFERRED,
    TN_RT_ADVISE_ACCESSED_BY,
    TN_RT_UNADVISE_ACCESSED_BY,
    TN_RT_ADVISE_COARSE = 100,
    TN_RT_UNADVISE_COARSE
};

// Give advice, or hint that a device will use a range next. `device` is an ordinal or
// TN_RT_LOCATION_CPU. Both fail with INVALID_DEVICE if no device has the ordinal, and with
// NOT_SUPPORTED for pageable memory, unless it is for the CPU.
tn_rt_error tn_rt_advise(const void *ptr, size_t size, int advice, int device);
tn_rt_error tn_rt_prefetch(const void *ptr, size_t size, int device, void *stream);

// The same with a struct tn_rt_location. Every location of the host means the CPU.
tn_rt_error tn_rt_advise_location(const void *ptr, size_t size, int advice, const void *location);
tn_rt_error tn_rt_prefetch_location(const void *ptr, size_t size, const void *location,
                                    unsigned flags, void *stream);

// Discards or prefetches several ranges. The whole list is checked before the first range is used.
// Discarded ranges keep their bytes, which a program must not rely on. Location n, a struct
// tn_rt_location, is that of the ranges from first[n] on; see tn_rt_check_starts() in box.h.
tn_rt_error tn_rt_discard_list(void **ptrs, const size_t *sizes, size_t count,
                               unsigned long long flags, void *stream);
tn_rt_error tn_rt_prefetch_list(void **ptrs, const size_t *sizes, size_t count,
                                const void *locations, const size_t *first, size_t location_count,
                                unsigned long long flags, void *stream);

enum {
    TN_RT_RANGE_READ_MOSTLY = 1,
    TN_RT_RANGE_PREFERRED,
    TN_RT_RANGE_ACCESSED_BY,
    TN_RT_RANGE_PREFETCHED,
    TN_RT_RANGE_COHERENCY = 100
};

// Return attributes of a range: an int each, or for ACCESSED_BY as many as fit.
tn_rt_error tn_rt_range_attribute(void *data, size_t size, int attribute, const void *ptr,
                                  size_t bytes);
tn_rt_error tn_rt_range_attributes(void **data, const size_t *sizes, const void *attributes,
                                   size_t count, const void *ptr, size_t bytes);
