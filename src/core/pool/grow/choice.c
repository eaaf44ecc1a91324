// SPDX-License-Identifier: Apache-2.0
// The choice between pages and segments as a pool's source. A device that reports virtual memory
// management is tried once: one page is reserved, mapped, granted, unmapped and released, and the
// calls are timed if the backend has no cost model. The device keeps the result, unless the failure
// does not depend on the device's features, as when its memory is full. Any thread.
#include "core/pool/grow/source.h"

#include <stdio.h>
#include <string.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/error.h"
#include "core/platform/platform.h"

// ---- the trial

enum { ROUNDS = 3 };

// The size of a second handle, which shows the cost of bytes.
#define LONG_HANDLE (UINT64_C(64) << 20)

// Keeps the shortest time of a call since *start, and restarts the clock.
static void note_time(uint64_t *least, uint64_t *start) {
    uint64_t now = tn_now_ns();
    uint64_t spent = now - *start != 0 ? now - *start : 1;
    *least = *least == 0 || spent < *least ? spent : *least;
    *start = now;
}

static tarn_status map_page(tarn_device *device, tarn_addr addr, uint64_t bytes,
                            tarn_backend_costs *costs) {
    const tarn_grant own = {{TARN_LOCATION_DEVICE, device->ordinal}, TARN_ACCESS_READ_WRITE};
    tarn_phys phys;
    uint64_t start = tn_now_ns();
    TN_TRY(tarn_phys_create(device, bytes, NULL, &phys));
    note_time(&costs->create_ns, &start);
    tarn_status status = tarn_map(addr, bytes, phys);
    if (status == TARN_OK) {
        note_time(&costs->map_ns, &start);
        status = tarn_map_set_access(addr, bytes, &own, 1);
        note_time(&costs->access_ns, &start);
        tarn_status undone = tarn_unmap(addr, bytes, TARN_NO_WAIT);
        note_time(&costs->unmap_ns, &start);
        status = status == TARN_OK ? undone : status;
    }
    (void)tarn_phys_release(phys);
    note_time(&costs->destroy_ns, &start);
    return status;
}

// Measures what bytes add to the cost of a handle. It is not known where the device has no room.
static void time_bytes(tarn_device *device, tarn_backend_costs *costs) {
    tarn_phys phys;
    uint64_t spent = 0;
    uint64_t start = tn_now_ns();
    if (tarn_phys_create(device, LONG_HANDLE, NULL, &phys) == TARN_OK) {
        note_time(&spent, &start);
        (void)tarn_phys_release(phys);
        spent = spent > costs->create_ns ? spent - costs->create_ns : 0;
        costs->gib_ns = spent * ((UINT64_C(1) << 30) / LONG_HANDLE);
    }
}

// Maps a page. Where the backend does not know the costs of the calls, they are measured.
static tarn_status try_page(tarn_device *device, tarn_backend_costs *costs) {
    uint64_t bytes = device->caps.granularity_recommended;
    const tarn_backend_costs *known = &device->caps.costs;
    bool measures = known->create_ns + known->map_ns + known->access_ns + known->unmap_ns == 0;
    tarn_backend_costs measured = {0};
    tarn_addr addr;
    tarn_status status = tarn_space_reserve(device, bytes, 0, 0, &addr);
    if (status == TARN_OK) {
        for (int i = 0; i < (measures ? ROUNDS : 1) && status == TARN_OK; i++)
            status = map_page(device, addr, bytes, &measured);
        (void)tarn_space_release(addr);
    }
    if (measures && status == TARN_OK) time_bytes(device, &measured);
    *costs = measures ? measured : *known;
    return status;
}

// ---- the result

static tarn_status try_and_explain(tarn_device *device, char reason[TARN_POOL_REASON],
                                   tarn_backend_costs *costs) {
    tarn_error error;
    TN_ERROR_KEPT;
    tarn_status status = try_page(device, costs);
    (void)tarn_last_error(&error);
    (void)snprintf(reason, TARN_POOL_REASON, "%s cannot map a page: %s, %.120s", device->caps.name,
                   tarn_status_name(status), error.message);
    return status;
}

// Returns false, with the reason, if the device cannot map a page. Threads may try at the same
// time; they reach the same result.
static bool maps_pages(tarn_device *device, char reason[TARN_POOL_REASON]) {
    if ((device->caps.features & TARN_FEATURE_VMM) == 0) {
        (void)snprintf(reason, TARN_POOL_REASON, "%s has no virtual memory management",
                       device->caps.name);
        return false;
    }
    struct tn_device_pages *known = &device->pages;
    unsigned state = tn_load_acquire(&known->state);
    if (state == TN_PAGES_GOOD) return true;
    if (state == TN_PAGES_BAD) {
        memcpy(reason, known->why, TARN_POOL_REASON);
        return false;
    }
    tarn_backend_costs costs;
    tarn_status status = try_and_explain(device, reason, &costs);
    // Failures that do not depend on the features of the device.
    if (status == TARN_NO_DEVICE_MEMORY || status == TARN_NO_HOST_MEMORY ||
        status == TARN_NO_ADDRESS_SPACE || status == TARN_NO_HANDLES ||
        status == TARN_NO_MAPPINGS || status == TARN_BUSY || status == TARN_FORKED)
        return true;
    unsigned untried = TN_PAGES_UNTRIED; // the first result of a device is kept
    if (tn_cas_relaxed(&known->state, &untried, TN_PAGES_NOTING)) {
        memcpy(known->why, reason, TARN_POOL_REASON);
        known->costs = costs;
        tn_store_release(&known->state, status == TARN_OK ? TN_PAGES_GOOD : TN_PAGES_BAD);
    }
    return status == TARN_OK;
}

// ---- segments instead

// Returns true if the grants are those of plain memory: its device may read and write.
static bool grants_are_plain(const tarn_pool_desc *desc) {
    for (size_t i = 0; desc->grants != NULL && i < desc->grant_count; i++) {
        const tarn_grant *grant = &desc->grants[i];
        if (grant->location.type != TARN_LOCATION_DEVICE ||
            grant->location.id != desc->device->ordinal || grant->access != TARN_ACCESS_READ_WRITE)
            return false;
    }
    return desc->grants == NULL || desc->grant_count != 0;
}

tarn_status tn_pool_source_choose(tarn_pool_desc *desc, tn_pool_source **source,
                                  char reason[TARN_POOL_REASON]) {
    char why[TARN_POOL_REASON];
    reason[0] = '\0';
    tarn_status status = tn_device_usable(desc->device);
    if (status != TARN_OK) return status;
    if (desc->kind == TARN_POOL_SEGMENTS) {
        status = tn_pool_source_segments(desc, source);
    } else if (maps_pages(desc->device, why)) {
        status = tn_pool_source_pages(desc, source);
    } else if ((desc->flags & TARN_POOL_STRICT) != 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s", why);
    } else if (!grants_are_plain(desc)) {
        return tn_fail(TARN_UNSUPPORTED, "%s, and segments cannot have the grants asked for", why);
    } else {
        desc->kind = TARN_POOL_SEGMENTS;
        // A pool of pages never holds more than its reservation, so the segments do not either.
        if (desc->bytes != 0 && (desc->limit == 0 || desc->limit > desc->bytes))
            desc->limit = desc->bytes;
        memcpy(reason, why, sizeof why);
        status = tn_pool_source_segments(desc, source);
    }
    if (status == TARN_OK) {
        bool tried = tn_load_acquire(&desc->device->pages.state) == TN_PAGES_GOOD;
        (*source)->costs = tried ? desc->device->pages.costs : desc->device->caps.costs;
    }
    return status;
}
