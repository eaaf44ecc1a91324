// SPDX-License-Identifier: Apache-2.0
// Reservations of addresses. A vendor may ignore the alignment. If its range is not aligned as
// requested, a larger one replaces it, and the aligned part of that is used.
#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/round.h"

// No device has more address bits. It keeps the sums below from wrapping.
static const uint64_t BYTES_MAX = (uint64_t)1 << 52;

static tarn_status reserve_native(struct tn_vendor *vendor, uint64_t size, uint64_t alignment,
                                  tarn_addr hint, tarn_addr *addr) {
    struct tn_native answer = TN_VENDOR_CALL(vendor, 0, reserve, size, alignment, hint, addr);
    return tn_vendor_status(vendor, answer, TARN_NO_ADDRESS_SPACE, TARN_NO_ADDRESS_SPACE,
                            "0x%llx bytes of addresses", (unsigned long long)size);
}

static void unreserve_native(struct tn_vendor *vendor, tarn_addr addr, uint64_t size) {
    (void)TN_VENDOR_CALL(vendor, 0, unreserve, addr, size);
}

tarn_status tn_vendor_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                              tarn_addr *addr) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_range range = {.bytes = size};
    TN_REFUSE((vendor->devices[0].features & TARN_FEATURE_VMM) == 0, TARN_UNSUPPORTED,
              "%s: no virtual memory management: %s", vendor->driver->name, vendor->devices[0].vmm);
    uint64_t unit = alignment > vendor->granularity ? alignment : vendor->granularity;
    TN_REFUSE(unit > BYTES_MAX || size > BYTES_MAX, TARN_NO_ADDRESS_SPACE,
              "0x%llx bytes at a multiple of 0x%llx", (unsigned long long)size,
              (unsigned long long)unit);
    tarn_status status = reserve_native(vendor, size, unit, hint, &range.native);
    if (status == TARN_OK && range.native % unit != 0) {
        unreserve_native(vendor, range.native, size);
        range.bytes = size + unit;
        status = reserve_native(vendor, range.bytes, unit, 0, &range.native);
    }
    if (status != TARN_OK) return status;
    tarn_addr start = tn_round_up(range.native, unit);
    status = tn_vendor_range_insert(vendor, start, size, &range);
    if (status == TARN_OK)
        *addr = start;
    else
        unreserve_native(vendor, range.native, range.bytes);
    return status;
}

void tn_vendor_release(void *p, tarn_addr addr, uint64_t size) {
    (void)size;
    struct tn_vendor_range range = tn_vendor_range_remove(p, addr);
    unreserve_native(p, range.native, range.bytes);
}
