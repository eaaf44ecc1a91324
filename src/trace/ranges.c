// SPDX-License-Identifier: Apache-2.0
// Adds and removes address ranges; see ranges.h.
#include "trace/ranges.h"

#include "base/error.h"

tarn_status tn_ranges_add(struct tn_interval *ranges, uint64_t address, uint64_t bytes,
                          uint64_t value) {
    uint64_t end;
    if (__builtin_add_overflow(address, bytes, &end)) return TARN_BUSY;
    return bytes == 0 ? TARN_OK : tn_interval_insert(ranges, address, end, value);
}

tarn_status tn_ranges_join(struct tn_interval *ranges, uint64_t start, uint64_t end,
                           uint64_t value) {
    struct tn_interval_entry entry;
    while (tn_interval_next(ranges, start > 0 ? start - 1 : 0, &entry) && entry.start <= end) {
        (void)tn_interval_remove(ranges, entry.start, NULL);
        start = entry.start < start ? entry.start : start;
        end = entry.end > end ? entry.end : end;
    }
    return tn_interval_insert(ranges, start, end, value);
}

tarn_status tn_ranges_remove(struct tn_interval *ranges, uint64_t address, uint64_t bytes) {
    struct tn_interval_entry entry;
    uint64_t end;
    if (__builtin_add_overflow(address, bytes, &end) || !tn_interval_covers(ranges, address, end))
        return bytes == 0 ? TARN_OK : TARN_BUSY;
    while (tn_interval_next(ranges, address, &entry) && entry.start < end) {
        (void)tn_interval_remove(ranges, entry.start, NULL);
        if (entry.start < address)
            TN_TRY(tn_interval_insert(ranges, entry.start, address, entry.value));
        if (entry.end > end) TN_TRY(tn_interval_insert(ranges, end, entry.end, entry.value));
    }
    return TARN_OK;
}
