// SPDX-License-Identifier: Apache-2.0
// The choice between pages and segments as a pool's source. A device that reports virtual memory
// management is tried once: one page is reserved, mapped, granted, unmapped and released. The
// device keeps the result, unless the failure does not depend on the device's features, as when its
// memory is full. Any thread.
#include "core/pool/choice.h"

#include <stdio.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"
#include "core/platform/platform.h"

// ---- the trial

static tarn_status map_page(tarn_device *device, tarn_addr addr, uint64_t bytes) {
    const tarn_grant own = {{TARN_LOCATION_DEVICE, device->ordinal}, TARN_ACCESS_READ_WRITE};
    tarn_phys phys;
    tarn_status status = tarn_phys_create(device, bytes, NULL, &phys);
    if (status != TARN_OK) {
        return status;
    }
    status = tarn_map(addr, bytes, phys);
    if (status == TARN_OK) {
        status = tarn_map_set_access(addr, bytes, &own, 1);
        tarn_status undone = tarn_unmap(addr, bytes, TARN_NO_WAIT);
        status = status == TARN_OK ? undone : status;
    }
    (void)tarn_phys_release(phys);
    return status;
}

static tarn_status try_page(tarn_device *device) {
    uint64_t bytes = device->caps.granularity_recommended;
    tarn_addr addr;
    tarn_status status = tarn_space_reserve(device, bytes, 0, 0, &addr);
    if (status == TARN_OK) {
        status = map_page(device, addr, bytes);
        (void)tarn_space_release(addr, bytes);
    }
    return status;
}

// Returns true for failures that do not depend on the features of the device.
static bool is_inconclusive(tarn_status status) {
    return status == TARN_NO_DEVICE_MEMORY || status == TARN_NO_HOST_MEMORY ||
           status == TARN_NO_HANDLES || status == TARN_NO_MAPPINGS || status == TARN_BUSY ||
           status == TARN_FORKED;
}

// ---- the result

static tarn_status try_and_explain(tarn_device *device, char reason[TARN_POOL_REASON]) {
    struct tn_error_saved kept;
    tarn_error error;
    tn_error_save(&kept);
    tarn_status status = try_page(device);
    (void)tarn_last_error(&error);
    (void)snprintf(reason, TARN_POOL_REASON, "%s cannot map a page: %s, %.120s", device->caps.name,
                   tarn_status_name(status), error.message);
    tn_error_restore(&kept);
    return status;
}

// Keeps the first failure of a device.
static void keep_failure(struct tn_device_pages *known, const char reason[TARN_POOL_REASON]) {
    unsigned untried = TN_PAGES_UNTRIED;
    if (tn_cas_relaxed(&known->state, &untried, TN_PAGES_NOTING)) {
        memcpy(known->why, reason, TARN_POOL_REASON);
        tn_store_release(&known->state, TN_PAGES_BAD);
    }
}

// Returns false, with the reason, if the device cannot map a page. Threads may try at the same
// time; they reach the same result.
static bool maps_pages(tarn_device *device, char reason[TARN_POOL_REASON]) {
    struct tn_device_pages *known = &device->pages;
    unsigned state = tn_load_acquire(&known->state);
    if (state == TN_PAGES_GOOD) {
        return true;
    }
    if (state == TN_PAGES_BAD) {
        memcpy(reason, known->why, TARN_POOL_REASON);
        return false;
    }
    tarn_status status = try_and_explain(device, reason);
    if (status == TARN_OK) {
        tn_store_release(&known->state, TN_PAGES_GOOD);
    }
    if (status == TARN_OK || is_inconclusive(status)) {
        return true;
    }
    keep_failure(known, reason);
    return false;
}

static bool supports_pages(tarn_device *device, char reason[TARN_POOL_REASON]) {
    if ((device->caps.features & TARN_FEATURE_VMM) == 0) {
        (void)snprintf(reason, TARN_POOL_REASON, "%s has no virtual memory management",
                       device->caps.name);
        return false;
    }
    return maps_pages(device, reason);
}

// ---- segments instead

// Returns true if the grants are those of plain memory: its device may read and write.
static bool grants_are_plain(const tarn_pool_desc *desc) {
    for (size_t i = 0; desc->grants != NULL && i < desc->grant_count; i++) {
        const tarn_grant *grant = &desc->grants[i];
        if (grant->location.type != TARN_LOCATION_DEVICE ||
            grant->location.id != desc->device->ordinal ||
            grant->access != TARN_ACCESS_READ_WRITE) {
            return false;
        }
    }
    return desc->grants == NULL || desc->grant_count != 0;
}

static tarn_status check_fallback(const tarn_pool_desc *desc, const char *reason) {
    if ((desc->flags & TARN_POOL_STRICT) != 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s", reason);
    }
    if (!grants_are_plain(desc)) {
        return tn_fail(TARN_UNSUPPORTED, "%s, and segments cannot have the grants asked for",
                       reason);
    }
    return TARN_OK;
}

// A pool of pages never holds more than its reservation, so the segments do not either.
static void become_segments(tarn_pool_desc *desc) {
    desc->kind = TARN_POOL_SEGMENTS;
    if (desc->bytes != 0 && (desc->limit == 0 || desc->limit > desc->bytes)) {
        desc->limit = desc->bytes;
    }
}

tarn_status tn_pool_source_choose(tarn_pool_desc *desc, tn_pool_source **source,
                                  char reason[TARN_POOL_REASON]) {
    char why[TARN_POOL_REASON];
    reason[0] = '\0';
    tarn_status status = tn_device_usable(desc->device);
    if (status != TARN_OK) {
        return status;
    }
    if (desc->kind == TARN_POOL_SEGMENTS) {
        return tn_pool_source_segments(desc, source);
    }
    if (supports_pages(desc->device, why)) {
        return tn_pool_source_pages(desc, source);
    }
    status = check_fallback(desc, why);
    if (status == TARN_OK) {
        become_segments(desc);
        memcpy(reason, why, sizeof why);
        status = tn_pool_source_segments(desc, source);
    }
    return status;
}
