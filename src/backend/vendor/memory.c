// SPDX-License-Identifier: Apache-2.0
// Plain device memory, pinned host memory, and peers. With `ordered=yes`, plain memory comes from
// one of the vendor's stream-ordered pools for each device. It is allocated and freed in the order
// of the platform's internal stream, so a free does not wait. Any thread may call these functions.
#include <stdlib.h>
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/round.h"

enum { PAGE = 4096, PLAIN_ALIGNMENT = 256 };

// More than any device has. It keeps sums with a size from wrapping.
static const uint64_t BYTES_MAX = (uint64_t)1 << 60;

// ---- the vendor's pools

// All peers may use the pool: the core refuses accesses of those that were not enabled.
static tarn_status enable_pool_peers(struct tn_vendor *vendor, int device, void *pool) {
    tarn_status status = TARN_OK;
    for (int peer = 0; peer < vendor->count && status == TARN_OK; peer++) {
        if (tn_vendor_peer_can(vendor, peer, device))
            status = tn_vendor_status(vendor, vendor->driver->pool_peer(vendor->d, pool, peer),
                                      TARN_UNSUPPORTED, TARN_NO_DEVICE_MEMORY,
                                      "access of device %d to the pool of device %d", peer, device);
    }
    return status;
}

tarn_status tn_vendor_pool_open(struct tn_vendor *vendor, int device) {
    void *pool = NULL;
    if (!vendor->config.ordered) return TARN_OK;
    TN_REFUSE(vendor->driver->pool_open == NULL, TARN_UNSUPPORTED,
              "%s: ordered=yes: the library has no stream-ordered memory", vendor->driver->name);
    TN_TRY(tn_vendor_status(vendor, vendor->driver->pool_open(vendor->d, device, &pool),
                            TARN_UNSUPPORTED, TARN_NO_DEVICE_MEMORY,
                            "ordered=yes: a pool of device %d", device));
    tarn_status status = enable_pool_peers(vendor, device, pool);
    if (status == TARN_OK)
        vendor->devices[device].pool = pool;
    else
        (void)vendor->driver->pool_close(vendor->d, pool);
    return status;
}

void tn_vendor_pool_close(struct tn_vendor *vendor, int device) {
    void *pool = vendor->devices[device].pool;
    if (pool != NULL) (void)TN_VENDOR_CALL(vendor, device, pool_close, pool);
}

// Waits for the allocation, because any stream may use the memory first.
static struct tn_native pool_alloc(struct tn_vendor *vendor, void *pool,
                                   const struct tn_vendor_stream *stream, uint64_t size,
                                   tarn_addr *addr) {
    struct tn_native answer =
        vendor->driver->pool_alloc(vendor->d, pool, stream->native, size, addr);
    return tn_native_ok(answer) ? vendor->driver->stream_synchronize(vendor->d, stream->native)
                                : answer;
}

static struct tn_native pool_trim(struct tn_vendor *vendor, void *pool,
                                  const struct tn_vendor_stream *stream) {
    struct tn_native answer = vendor->driver->stream_synchronize(vendor->d, stream->native);
    return tn_native_ok(answer) ? vendor->driver->pool_trim(vendor->d, pool) : answer;
}

tarn_status tn_vendor_trim(void *p, int device) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_stream *stream = NULL;
    void *pool = vendor->devices[device].pool;
    if (pool == NULL) return TARN_OK;
    TN_TRY(tn_vendor_internal_stream(vendor, device, &stream));
    struct tn_native answer = TN_VENDOR_ON(vendor, device, pool_trim(vendor, pool, stream));
    return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                            "trimming the pool of device %d", device);
}

// ---- plain memory

static tarn_status alloc_native(struct tn_vendor *vendor, int device, uint64_t size,
                                tarn_addr *addr) {
    struct tn_vendor_stream *stream = NULL;
    struct tn_native answer;
    void *pool = vendor->devices[device].pool;
    TN_REFUSE(size > BYTES_MAX, TARN_NO_DEVICE_MEMORY, "0x%llx bytes are more than any device has",
              (unsigned long long)size);
    if (pool != NULL) {
        TN_TRY(tn_vendor_internal_stream(vendor, device, &stream));
        answer = TN_VENDOR_ON(vendor, device, pool_alloc(vendor, pool, stream, size, addr));
    } else {
        answer = TN_VENDOR_CALL(vendor, device, alloc, size, addr);
    }
    return tn_vendor_status(vendor, answer, TARN_NO_DEVICE_MEMORY, TARN_NO_DEVICE_MEMORY,
                            "0x%llx bytes on device %d", (unsigned long long)size, device);
}

static void free_native(struct tn_vendor *vendor, int device, tarn_addr addr) {
    struct tn_vendor_stream *stream = NULL;
    if (vendor->devices[device].pool == NULL) {
        (void)TN_VENDOR_CALL(vendor, device, free, addr);
        return;
    }
    TN_ERROR_KEPT;
    if (tn_vendor_internal_stream(vendor, device, &stream) == TARN_OK)
        (void)TN_VENDOR_CALL(vendor, device, pool_free, stream->native, addr);
}

// If the vendor's start is not aligned enough, a larger block replaces the first one, and the
// aligned part of it is used.
static tarn_status alloc_aligned(struct tn_vendor *vendor, int device, uint64_t size,
                                 uint64_t alignment, tarn_addr *native) {
    tarn_status status = alloc_native(vendor, device, size, native);
    if (status != TARN_OK || *native % alignment == 0) return status;
    free_native(vendor, device, *native);
    return alloc_native(vendor, device, size + alignment, native);
}

static tarn_status alloc_recorded(struct tn_vendor *vendor, int device,
                                  const tarn_backend_memory *desc, tarn_addr *addr) {
    struct tn_vendor_range range = {.bytes = desc->bytes, .charged = desc->charged};
    TN_TRY(tn_vendor_charge(vendor, device, range.charged));
    tarn_status status = alloc_aligned(vendor, device, desc->bytes, desc->alignment, &range.native);
    if (status != TARN_OK) goto err_charge;
    tarn_addr start = tn_round_up(range.native, desc->alignment);
    status = tn_vendor_range_insert(vendor, start, desc->bytes, &range);
    if (status != TARN_OK) goto err_free;
    *addr = start;
    return TARN_OK;

err_free:
    free_native(vendor, device, range.native);
err_charge:
    tn_vendor_uncharge(vendor, device, range.charged);
    return status;
}

tarn_status tn_vendor_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr) {
    uint64_t unit = ((const struct tn_vendor *)p)->granularity;
    bool rounds = unit != 0 && size <= UINT64_MAX - unit;
    const tarn_backend_memory desc = {.bytes = size,
                                      .charged = rounds ? (size + unit - 1) / unit * unit : size,
                                      .alignment = PLAIN_ALIGNMENT};
    return alloc_recorded(p, device, &desc, addr);
}

tarn_status tn_vendor_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                        tarn_addr *addr, tarn_page_class *page_class) {
    const struct tn_vendor *vendor = p;
    TN_REFUSE(desc->page_class != TARN_PAGE_DEFAULT, TARN_UNSUPPORTED,
              "%s chooses the pages of plain memory itself", vendor->driver->name);
    tarn_status status = alloc_recorded(p, device, desc, addr);
    if (status == TARN_OK) *page_class = TARN_PAGE_DEFAULT;
    return status;
}

// Removes the record first: once the vendor has freed the address, another thread may get it.
void tn_vendor_memory_free(void *p, int device, tarn_addr addr) {
    struct tn_vendor_range range = tn_vendor_range_remove(p, addr);
    free_native(p, device, range.native);
    tn_vendor_uncharge(p, device, range.charged);
}

// ---- pinned memory

static tarn_status fail_no_pinning(const struct tn_vendor *vendor) {
    return tn_fail(TARN_UNSUPPORTED, "%s has no pinned memory", vendor->driver->name);
}

static void host_free_native(struct tn_vendor *vendor, void *ptr) {
    (void)TN_VENDOR_CALL(vendor, 0, host_free, ptr);
}

static tarn_status host_alloc_native(struct tn_vendor *vendor, uint64_t size, void **ptr) {
    struct tn_native answer = TN_VENDOR_CALL(vendor, 0, host_alloc, size, ptr);
    return tn_vendor_status(vendor, answer, TARN_NO_HOST_MEMORY, TARN_NO_HOST_MEMORY,
                            "0x%llx bytes of pinned memory", (unsigned long long)size);
}

tarn_status tn_vendor_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                                 tarn_pin_class *pin_class) {
    struct tn_vendor *vendor = p;
    void *native = NULL;
    (void)flags; // the memory is always locked
    if (vendor->driver->host_alloc == NULL) return fail_no_pinning(vendor);
    TN_REFUSE(size > UINT64_MAX - PAGE, TARN_NO_HOST_MEMORY, "0x%llx bytes of pinned memory",
              (unsigned long long)size);
    tarn_status status = host_alloc_native(vendor, size, &native);
    if (status == TARN_OK &&
        (uintptr_t)native % PAGE != 0) { // use the aligned part of a larger one
        host_free_native(vendor, native);
        status = host_alloc_native(vendor, size + PAGE, &native);
    }
    if (status != TARN_OK) return status;
    uint64_t addr = ((uint64_t)(uintptr_t)native + PAGE - 1) / PAGE * PAGE;
    const struct tn_vendor_range range = {.native = (uint64_t)(uintptr_t)native, .bytes = size};
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
    (void)size;
    struct tn_vendor_range range = tn_vendor_range_remove(p, (tarn_addr)(uintptr_t)ptr);
    host_free_native(p, (void *)(uintptr_t)range.native);
}

tarn_status tn_vendor_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                    tarn_pin_class *pin_class) {
    struct tn_vendor *vendor = p;
    const tarn_addr addr = (tarn_addr)(uintptr_t)ptr;
    const struct tn_vendor_range range = {.native = addr, .bytes = size};
    (void)flags;
    if (vendor->driver->host_register == NULL) return fail_no_pinning(vendor);
    TN_TRY(tn_vendor_range_insert(vendor, addr, size, &range));
    struct tn_native answer = TN_VENDOR_CALL(vendor, 0, host_register, ptr, size);
    tarn_status status =
        tn_vendor_status(vendor, answer, TARN_BAD_ADDRESS, TARN_NO_HOST_MEMORY,
                         "registering [%p, +0x%llx)", ptr, (unsigned long long)size);
    if (status == TARN_OK)
        *pin_class = TARN_PIN_LOCKED;
    else
        (void)tn_vendor_range_remove(vendor, addr);
    return status;
}

void tn_vendor_host_unregister(void *p, void *ptr, uint64_t size) {
    struct tn_vendor *vendor = p;
    (void)size;
    (void)tn_vendor_range_remove(vendor, (tarn_addr)(uintptr_t)ptr);
    (void)TN_VENDOR_CALL(vendor, 0, host_unregister, ptr);
}

// ---- peers

bool tn_vendor_peer_can(void *p, int device, int peer) {
    struct tn_vendor *vendor = p;
    int can = 0;
    return device != peer && vendor->driver->peer_can != NULL &&
           tn_native_ok(vendor->driver->peer_can(vendor->d, device, peer, &can)) && can != 0;
}

tarn_status tn_vendor_peer_set(void *p, int device, int peer, bool enabled) {
    struct tn_vendor *vendor = p;
    TN_REFUSE(vendor->driver->peer_can == NULL, TARN_UNSUPPORTED, "%s has no peer access",
              vendor->driver->name);
    struct tn_native answer = TN_VENDOR_CALL(vendor, device, peer_set, peer, enabled);
    return tn_vendor_status(vendor, answer, TARN_UNSUPPORTED, TARN_NO_HOST_MEMORY,
                            "%s access of device %d to device %d",
                            enabled ? "enabling" : "disabling", device, peer);
}
