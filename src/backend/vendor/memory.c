// SPDX-License-Identifier: Apache-2.0
// Plain device memory, pinned memory of the CPU, and peers.
#include <stdlib.h>
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

enum { PAGE = 4096 };

// More than any device has: sums with it would wrap.
static const uint64_t MOST = (uint64_t)1 << 60;

// ---- plain memory

static uint64_t charge_of(const struct tn_vendor *vendor, uint64_t size) {
    uint64_t unit = vendor->granularity;
    return unit == 0 || size > UINT64_MAX - unit ? size : (size + unit - 1) / unit * unit;
}

static tarn_status alloc_native(struct tn_vendor *vendor, int device, uint64_t size,
                                tarn_addr *addr) {
    struct tn_vendor_scope scope;
    if (size > MOST) {
        return tn_fail(TARN_NO_DEVICE_MEMORY, "0x%llx bytes are more than any device has",
                       (unsigned long long)size);
    }
    if (vendor->devices[device].pool != NULL) {
        return tn_vendor_ordered_alloc(vendor, device, size, addr);
    }
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->alloc(vendor->d, size, addr);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NO_DEVICE_MEMORY, TARN_NO_DEVICE_MEMORY,
                                  "0x%llx bytes on device %d", (unsigned long long)size, device);
}

static void free_native(struct tn_vendor *vendor, int device, tarn_addr addr) {
    struct tn_vendor_scope scope;
    if (vendor->devices[device].pool != NULL) {
        tn_vendor_ordered_free(vendor, device, addr);
    } else if (tn_vendor_enter(vendor, device, &scope) == TARN_OK) {
        (void)vendor->driver->free(vendor->d, addr);
        tn_vendor_leave(&scope);
    }
}

// Where the vendor's start is not aligned enough, more is taken, and the aligned part of it used.
static tarn_status alloc_aligned(struct tn_vendor *vendor, int device, uint64_t size,
                                 uint64_t alignment, tarn_addr *native) {
    tarn_status status = alloc_native(vendor, device, size, native);
    if (status != TARN_OK || *native % alignment == 0) {
        return status;
    }
    free_native(vendor, device, *native);
    return alloc_native(vendor, device, size + alignment, native);
}

static tarn_status alloc(struct tn_vendor *vendor, int device, const tarn_backend_memory *desc,
                         tarn_addr *addr) {
    tarn_addr native = 0;
    struct tn_vendor_range range = {
        .kind = TN_VENDOR_PLAIN, .device = device, .bytes = desc->bytes, .charged = desc->charged};
    tarn_status status = tn_vendor_charge(vendor, device, range.charged);
    if (status != TARN_OK) {
        return status;
    }
    status = alloc_aligned(vendor, device, desc->bytes, desc->alignment, &native);
    if (status != TARN_OK) {
        goto err_share;
    }
    range.native = native;
    tarn_addr got = (native + desc->alignment - 1) & ~(desc->alignment - 1);
    status = tn_vendor_range_insert(vendor, got, desc->bytes, &range);
    if (status != TARN_OK) {
        goto err_free;
    }
    *addr = got;
    return TARN_OK;

err_free:
    free_native(vendor, device, native);
err_share:
    tn_vendor_uncharge(vendor, device, range.charged);
    return status;
}

enum { LEAST_ALIGNMENT = 256 };

tarn_status tn_vendor_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr) {
    const tarn_backend_memory desc = {
        .bytes = size, .charged = charge_of(p, size), .alignment = LEAST_ALIGNMENT};
    return alloc(p, device, &desc, addr);
}

tarn_status tn_vendor_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                        tarn_addr *addr, tarn_page_class *page_class) {
    const struct tn_vendor *vendor = p;
    if (desc->page_class != TARN_PAGE_DEFAULT) {
        return tn_fail(TARN_UNSUPPORTED, "%s chooses the pages of plain memory itself",
                       vendor->driver->name);
    }
    tarn_status status = alloc(p, device, desc, addr);
    if (status == TARN_OK) {
        *page_class = TARN_PAGE_DEFAULT;
    }
    return status;
}

// Out of the books first: once the vendor has it back, another thread may get the same address.
void tn_vendor_memory_free(void *p, int device, tarn_addr addr) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_range range = tn_vendor_range_remove(vendor, addr);
    free_native(vendor, device, range.native);
    tn_vendor_uncharge(vendor, device, range.charged);
}

// ---- pinned memory

static tarn_status no_pinning(const struct tn_vendor *vendor) {
    return tn_fail(TARN_UNSUPPORTED, "%s has no pinned memory", vendor->driver->name);
}

static void host_free_native(struct tn_vendor *vendor, void *ptr) {
    struct tn_vendor_scope scope;
    if (tn_vendor_enter(vendor, 0, &scope) == TARN_OK) {
        (void)vendor->driver->host_free(vendor->d, ptr);
        tn_vendor_leave(&scope);
    }
}

static tarn_status host_alloc_native(struct tn_vendor *vendor, uint64_t size, void **ptr) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, 0, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->host_alloc(vendor->d, size, ptr);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NO_HOST_MEMORY, TARN_NO_HOST_MEMORY,
                                  "0x%llx bytes of pinned memory", (unsigned long long)size);
}

tarn_status tn_vendor_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                                 tarn_pin_class *pin_class) {
    struct tn_vendor *vendor = p;
    void *native = NULL;
    (void)flags; // it is locked, whether it must be or not
    if (vendor->driver->host_alloc == NULL) {
        return no_pinning(vendor);
    }
    if (size > UINT64_MAX - PAGE) {
        return tn_fail(TARN_NO_HOST_MEMORY, "0x%llx bytes", (unsigned long long)size);
    }
    tarn_status status = host_alloc_native(vendor, size, &native);
    if (status == TARN_OK && (uintptr_t)native % PAGE != 0) { // not the vendor's habit: take more
        host_free_native(vendor, native);
        status = host_alloc_native(vendor, size + PAGE, &native);
    }
    if (status != TARN_OK) {
        return status;
    }
    uint64_t addr = ((uint64_t)(uintptr_t)native + PAGE - 1) / PAGE * PAGE;
    const struct tn_vendor_range range = {
        .kind = TN_VENDOR_PINNED, .native = (uint64_t)(uintptr_t)native, .bytes = size};
    status = tn_vendor_range_insert(vendor, addr, size, &range);
    if (status != TARN_OK) {
        host_free_native(vendor, native);
        return status;
    }
    *ptr = (void *)(uintptr_t)addr;
    memset(*ptr, 0, size);
    *pin_class = TARN_PIN_LOCKED;
    return TARN_OK;
}

void tn_vendor_host_free(void *p, void *ptr, uint64_t size) {
    struct tn_vendor *vendor = p;
    (void)size;
    struct tn_vendor_range range = tn_vendor_range_remove(vendor, (tarn_addr)(uintptr_t)ptr);
    host_free_native(vendor, (void *)(uintptr_t)range.native);
}

static tarn_status register_native(struct tn_vendor *vendor, void *ptr, uint64_t size) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, 0, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->host_register(vendor->d, ptr, size);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_BAD_ADDRESS, TARN_NO_HOST_MEMORY,
                                  "registering [%p, +0x%llx)", ptr, (unsigned long long)size);
}

tarn_status tn_vendor_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                    tarn_pin_class *pin_class) {
    struct tn_vendor *vendor = p;
    (void)flags;
    if (vendor->driver->host_register == NULL) {
        return no_pinning(vendor);
    }
    const struct tn_vendor_range range = {
        .kind = TN_VENDOR_PINNED, .native = (uint64_t)(uintptr_t)ptr, .bytes = size};
    tarn_status status = tn_vendor_range_insert(vendor, (tarn_addr)(uintptr_t)ptr, size, &range);
    if (status != TARN_OK) {
        return status;
    }
    status = register_native(vendor, ptr, size);
    if (status != TARN_OK) {
        (void)tn_vendor_range_remove(vendor, (tarn_addr)(uintptr_t)ptr);
        return status;
    }
    *pin_class = TARN_PIN_LOCKED;
    return TARN_OK;
}

void tn_vendor_host_unregister(void *p, void *ptr, uint64_t size) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_scope scope;
    (void)size;
    (void)tn_vendor_range_remove(vendor, (tarn_addr)(uintptr_t)ptr);
    if (tn_vendor_enter(vendor, 0, &scope) == TARN_OK) {
        (void)vendor->driver->host_unregister(vendor->d, ptr);
        tn_vendor_leave(&scope);
    }
}

// ---- peers

bool tn_vendor_peer_can(void *p, int device, int peer) {
    struct tn_vendor *vendor = p;
    bool can = false;
    return device != peer && vendor->driver->peer_can != NULL &&
           tn_native_ok(vendor->driver->peer_can(vendor->d, device, peer, &can)) && can;
}

tarn_status tn_vendor_peer_set(void *p, int device, int peer, bool enabled) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_scope scope;
    if (vendor->driver->peer_set == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "%s has no peers", vendor->driver->name);
    }
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->peer_set(vendor->d, peer, enabled);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_UNSUPPORTED, TARN_NO_HOST_MEMORY,
                                  "%s the way from device %d to %d",
                                  enabled ? "opening" : "closing", device, peer);
}
