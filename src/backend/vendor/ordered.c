// SPDX-License-Identifier: Apache-2.0
// Plain memory from the vendor's stream-ordered pool, where `ordered=yes` asks for it: one pool for
// each device, which keeps what is freed until it is trimmed. Memory comes and goes in the order of
// the platform's own stream, so giving it back waits for nobody. All peers may use it: those that
// were not let in are kept out by the core's books.
#include "backend/vendor/vendor.h"
#include "base/error.h"

static tarn_status let_peers_in(struct tn_vendor *vendor, int device, void *pool) {
    for (int peer = 0; peer < vendor->count; peer++) {
        if (!tn_vendor_peer_can(vendor, peer, device)) {
            continue;
        }
        struct tn_native answer = vendor->driver->pool_peer(vendor->d, pool, peer);
        if (!tn_native_ok(answer)) {
            return tn_vendor_status(vendor, answer, TARN_UNSUPPORTED, TARN_NO_DEVICE_MEMORY,
                                    "letting device %d use the pool of device %d", peer, device);
        }
    }
    return TARN_OK;
}

tarn_status tn_vendor_ordered_open(struct tn_vendor *vendor, int device) {
    void *pool = NULL;
    if (!vendor->config.ordered) {
        return TARN_OK;
    }
    if (vendor->driver->pool_open == NULL) {
        return tn_fail(TARN_UNSUPPORTED,
                       "%s: ordered=yes: the library has no stream-ordered memory",
                       vendor->driver->name);
    }
    struct tn_native answer = vendor->driver->pool_open(vendor->d, device, &pool);
    if (!tn_native_ok(answer)) {
        return tn_vendor_status(vendor, answer, TARN_UNSUPPORTED, TARN_NO_DEVICE_MEMORY,
                                "ordered=yes: a pool of device %d", device);
    }
    tarn_status status = let_peers_in(vendor, device, pool);
    if (status != TARN_OK) {
        (void)vendor->driver->pool_close(vendor->d, pool);
        return status;
    }
    vendor->devices[device].pool = pool;
    return TARN_OK;
}

void tn_vendor_ordered_close(struct tn_vendor *vendor, int device) {
    struct tn_vendor_scope scope;
    if (vendor->devices[device].pool != NULL &&
        tn_vendor_enter(vendor, device, &scope) == TARN_OK) {
        (void)vendor->driver->pool_close(vendor->d, vendor->devices[device].pool);
        tn_vendor_leave(&scope);
    }
}

// ---- memory

// Whoever uses it first may do so in any stream: it has to be there.
tarn_status tn_vendor_ordered_alloc(struct tn_vendor *vendor, int device, uint64_t size,
                                    tarn_addr *addr) {
    struct tn_vendor_stream *aside = NULL;
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_internal_stream(vendor, device, &aside);
    if (status == TARN_OK) {
        status = tn_vendor_enter(vendor, device, &scope);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->pool_alloc(vendor->d, vendor->devices[device].pool,
                                                         aside->native, size, addr);
    if (tn_native_ok(answer)) {
        answer = vendor->driver->stream_synchronize(vendor->d, aside->native);
    }
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NO_DEVICE_MEMORY, TARN_NO_DEVICE_MEMORY,
                                  "0x%llx bytes of the pool of device %d", (unsigned long long)size,
                                  device);
}

void tn_vendor_ordered_free(struct tn_vendor *vendor, int device, tarn_addr addr) {
    struct tn_vendor_stream *aside = NULL;
    struct tn_vendor_scope scope;
    struct tn_error_saved kept;
    tn_error_save(&kept);
    if (tn_vendor_internal_stream(vendor, device, &aside) == TARN_OK &&
        tn_vendor_enter(vendor, device, &scope) == TARN_OK) {
        (void)vendor->driver->pool_free(vendor->d, aside->native, addr);
        tn_vendor_leave(&scope);
    }
    tn_error_restore(&kept);
}

// ---- giving back what is kept

tarn_status tn_vendor_trim(void *p, int device) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_stream *aside = NULL;
    struct tn_vendor_scope scope;
    if (vendor->devices[device].pool == NULL) {
        return TARN_OK;
    }
    tarn_status status = tn_vendor_internal_stream(vendor, device, &aside);
    if (status == TARN_OK) {
        status = tn_vendor_enter(vendor, device, &scope);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->stream_synchronize(vendor->d, aside->native);
    if (tn_native_ok(answer)) {
        answer = vendor->driver->pool_trim(vendor->d, vendor->devices[device].pool);
    }
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "trimming the pool of device %d", device);
}
