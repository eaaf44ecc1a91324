// SPDX-License-Identifier: Apache-2.0
// Reservations. The vendor's alignment is believed only when seen: what is not aligned as asked is
// given back, and a larger range taken, of which ours is the aligned part.
#include "backend/vendor/vendor.h"
#include "base/error.h"

// No card has more address bits; a larger wish would only make the sums below wrap.
static const uint64_t MOST = (uint64_t)1 << 52;

static tarn_status no_vmm(const struct tn_vendor *vendor) {
    return tn_fail(TARN_UNSUPPORTED, "%s: no virtual memory management: %s", vendor->driver->name,
                   vendor->devices[0].vmm);
}

static tarn_status reserve_native(struct tn_vendor *vendor, uint64_t size, uint64_t alignment,
                                  tarn_addr hint, tarn_addr *addr) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, 0, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->reserve(vendor->d, size, alignment, hint, addr);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NO_ADDRESS_SPACE, TARN_NO_ADDRESS_SPACE,
                                  "0x%llx bytes of addresses", (unsigned long long)size);
}

static void unreserve_native(struct tn_vendor *vendor, tarn_addr addr, uint64_t size) {
    struct tn_vendor_scope scope;
    if (tn_vendor_enter(vendor, 0, &scope) == TARN_OK) {
        (void)vendor->driver->unreserve(vendor->d, addr, size);
        tn_vendor_leave(&scope);
    }
}

// *native: the vendor's range, in which ours begins at *addr.
static tarn_status reserve_aligned(struct tn_vendor *vendor, uint64_t size, uint64_t alignment,
                                   tarn_addr hint, tarn_addr *addr, struct tn_vendor_range *range) {
    tarn_addr got = 0;
    uint64_t bytes = size;
    tarn_status status = reserve_native(vendor, size, alignment, hint, &got);
    if (status == TARN_OK && got % alignment != 0) {
        unreserve_native(vendor, got, size);
        bytes = size + alignment;
        status = reserve_native(vendor, bytes, alignment, 0, &got);
    }
    if (status == TARN_OK) {
        *addr = (got + alignment - 1) & ~(alignment - 1);
        *range = (struct tn_vendor_range){.kind = TN_VENDOR_SPACE, .native = got, .bytes = bytes};
    }
    return status;
}

tarn_status tn_vendor_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                              tarn_addr *addr) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_range range;
    tarn_addr got = 0;
    if ((vendor->devices[0].features & TARN_FEATURE_VMM) == 0) {
        return no_vmm(vendor);
    }
    uint64_t least = alignment > vendor->granularity ? alignment : vendor->granularity;
    if (least > MOST || size > MOST) {
        return tn_fail(TARN_NO_ADDRESS_SPACE, "0x%llx bytes at a multiple of 0x%llx",
                       (unsigned long long)size, (unsigned long long)least);
    }
    tarn_status status = reserve_aligned(vendor, size, least, hint, &got, &range);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_vendor_range_insert(vendor, got, size, &range);
    if (status != TARN_OK) {
        unreserve_native(vendor, range.native, range.bytes);
        return status;
    }
    *addr = got;
    return TARN_OK;
}

void tn_vendor_release(void *p, tarn_addr addr, uint64_t size) {
    struct tn_vendor *vendor = p;
    (void)size;
    struct tn_vendor_range range = tn_vendor_range_remove(vendor, addr);
    unreserve_native(vendor, range.native, range.bytes);
}
