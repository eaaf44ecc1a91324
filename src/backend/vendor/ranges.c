// SPDX-License-Identifier: Apache-2.0
// The address ranges of a platform, and how many bytes of each device are charged against the
// `memory` option. These functions take the platform's lock.
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

tarn_status tn_vendor_charge(struct tn_vendor *vendor, int device, uint64_t bytes) {
    struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t used = tn_load_relaxed(&it->used);
    do {
        TN_REFUSE(vendor->config.memory != 0 && (used > it->total || bytes > it->total - used),
                  TARN_NO_DEVICE_MEMORY,
                  "%s:%d: 0x%llx bytes requested, 0x%llx of memory=0x%llx in use",
                  vendor->driver->name, device, (unsigned long long)bytes, (unsigned long long)used,
                  (unsigned long long)it->total);
    } while (!tn_cas_weak_relaxed(&it->used, &used, used + bytes));
    return TARN_OK;
}

void tn_vendor_uncharge(struct tn_vendor *vendor, int device, uint64_t bytes) {
    (void)tn_sub_relaxed(&vendor->devices[device].used, bytes);
}

static struct tn_vendor_range *range_of(const struct tn_interval_entry *entry) {
    return (struct tn_vendor_range *)(uintptr_t)entry->value;
}

bool tn_vendor_range_contains(struct tn_vendor *vendor, tarn_addr addr) {
    struct tn_interval_entry entry;
    TN_LOCKED(&vendor->lock);
    return tn_interval_find(&vendor->ranges, addr, &entry);
}

tarn_status tn_vendor_range_insert(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_range *range) {
    struct tn_vendor_range *own = malloc(sizeof *own);
    TN_REFUSE(own == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of a range");
    *own = *range;
    tn_mutex_lock(&vendor->lock);
    tarn_status status =
        tn_interval_insert(&vendor->ranges, addr, addr + size, (uint64_t)(uintptr_t)own);
    tn_mutex_unlock(&vendor->lock);
    if (status != TARN_OK) {
        free(own);
        return tn_fail(status == TARN_NO_HOST_MEMORY ? status : TARN_CORRUPT,
                       "%s: the library returned [0x%llx, +0x%llx), which cannot be recorded",
                       vendor->driver->name, (unsigned long long)addr, (unsigned long long)size);
    }
    return TARN_OK;
}

struct tn_vendor_range tn_vendor_range_remove(struct tn_vendor *vendor, tarn_addr addr) {
    struct tn_interval_entry entry = {0};
    tn_mutex_lock(&vendor->lock);
    bool found = tn_interval_remove(&vendor->ranges, addr, &entry);
    tn_mutex_unlock(&vendor->lock);
    TARN_ASSERT(found);
    struct tn_vendor_range range = {.native = 0};
    if (found) {
        range = *range_of(&entry);
        free(range_of(&entry));
    }
    return range;
}

void tn_vendor_ranges_fini(struct tn_vendor *vendor) {
    struct tn_interval_entry entry;
    while (tn_interval_next(&vendor->ranges, 0, &entry)) {
        (void)tn_interval_remove(&vendor->ranges, entry.start, &entry);
        free(range_of(&entry));
    }
    tn_interval_fini(&vendor->ranges);
    tn_interval_fini(&vendor->maps);
}
