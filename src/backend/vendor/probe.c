// SPDX-License-Identifier: Apache-2.0
// What a device can do, found by doing it once with a granule: attributes have promised too much
// before. What was made is taken back; a device whose virtual memory fails is used without it.
#include <stdio.h>
#include <unistd.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

// One granule on its way: what exists of it is undone at the end.
struct trial {
    struct tn_vendor *vendor;
    int device;
    uint64_t unit;
    tarn_addr addr;  // two granules; 0: none
    uint64_t handle; // if `created`
    bool created;
    bool mapped[2];
};

static struct tn_native try_reserve(struct trial *trial) {
    return trial->vendor->driver->reserve(trial->vendor->d, 2 * trial->unit, trial->unit, 0,
                                          &trial->addr);
}

static struct tn_native try_create(struct trial *trial) {
    const struct tn_vendor_phys_desc wish = {.bytes = trial->unit, .device = trial->device};
    struct tn_native answer =
        trial->vendor->driver->create(trial->vendor->d, &wish, &trial->handle);
    trial->created = tn_native_ok(answer);
    return answer;
}

static struct tn_native try_map(struct trial *trial, unsigned at) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    tarn_addr addr = trial->addr + at * trial->unit;
    struct tn_native answer = driver->map(trial->vendor->d, addr, trial->unit, trial->handle);
    trial->mapped[at] = tn_native_ok(answer);
    if (trial->mapped[at] && driver->verify_maps) {
        answer = driver->is_mapped(trial->vendor->d, addr);
    }
    return answer;
}

static struct tn_native try_right(struct trial *trial, bool host) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    const struct tn_vendor_right right = {host, host ? -1 : trial->device, TARN_ACCESS_READ_WRITE};
    return driver->set_access == NULL || (driver->grants_owner && !host)
               ? TN_NATIVE_OK
               : driver->set_access(trial->vendor->d, trial->addr, trial->unit, &right, 1);
}

static struct tn_native try_unmap(struct trial *trial, unsigned at) {
    struct tn_native answer =
        trial->vendor->driver->unmap(trial->vendor->d, trial->addr + at * trial->unit, trial->unit);
    trial->mapped[at] = false;
    return answer;
}

static void end(struct trial *trial) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    for (unsigned at = 0; at < 2; at++) {
        if (trial->mapped[at]) {
            (void)try_unmap(trial, at);
        }
    }
    if (trial->created) {
        (void)driver->destroy(trial->vendor->d, trial->handle);
    }
    if (trial->addr != 0) {
        (void)driver->unreserve(trial->vendor->d, trial->addr, 2 * trial->unit);
    }
}

// ---- the parts

static struct tn_native try_vmm(struct trial *trial) {
    struct tn_native answer = try_reserve(trial);
    if (tn_native_ok(answer)) {
        answer = try_create(trial);
    }
    if (tn_native_ok(answer)) {
        answer = try_map(trial, 0);
    }
    if (tn_native_ok(answer)) {
        answer = try_right(trial, false);
    }
    return answer;
}

static uint32_t habits(const struct tn_vendor_driver *driver) {
    return (driver->whole_maps ? 0u : TARN_FEATURE_PARTIAL) |
           (driver->one_owner ? 0u : TARN_FEATURE_MIXED) |
           (driver->full_rights_only ? 0u : TARN_FEATURE_RIGHTS);
}

static uint32_t try_extras(struct trial *trial) {
    uint32_t possible = trial->vendor->driver->features_possible;
    uint32_t features = 0;
    if (tn_native_ok(try_map(trial, 1))) {
        features |= TARN_FEATURE_ALIAS;
        (void)try_unmap(trial, 1);
    }
    if ((possible & TARN_FEATURE_HOST_ACCESS) != 0 && trial->vendor->driver->set_access != NULL &&
        tn_native_ok(try_right(trial, true))) {
        features |= TARN_FEATURE_HOST_ACCESS;
    }
    return features | habits(trial->vendor->driver);
}

static bool can_host_phys(struct tn_vendor *vendor, uint64_t unit) {
    const struct tn_vendor_phys_desc wish = {.bytes = unit, .host = true, .device = -1};
    uint64_t handle = 0;
    if ((vendor->driver->features_possible & TARN_FEATURE_HOST_PHYS) == 0 ||
        !tn_native_ok(vendor->driver->create(vendor->d, &wish, &handle))) {
        return false;
    }
    (void)vendor->driver->destroy(vendor->d, handle);
    return true;
}

static uint32_t probe_vmm(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    struct trial trial = {.vendor = vendor, .device = device};
    trial.unit = it->about.granularity_minimum;
    if (vendor->driver->reserve == NULL || trial.unit == 0) {
        (void)snprintf(it->vmm, sizeof it->vmm, "not in this version");
        return 0;
    }
    uint32_t features = 0;
    struct tn_native answer = try_vmm(&trial);
    if (tn_native_ok(answer)) {
        (void)snprintf(it->vmm, sizeof it->vmm, "works");
        features = TARN_FEATURE_VMM | try_extras(&trial);
        features |= can_host_phys(vendor, trial.unit) ? TARN_FEATURE_HOST_PHYS : 0u;
    } else {
        (void)snprintf(it->vmm, sizeof it->vmm, "%s: %s (%lld)", answer.call,
                       vendor->driver->error_name(vendor->d, answer.code), (long long)answer.code);
    }
    end(&trial);
    return features;
}

// A granule on its way out and back in. A token is believed: its import may be another process's.
static uint32_t probe_sharing(struct tn_vendor *vendor, int device) {
    const struct tn_vendor_driver *driver = vendor->driver;
    const struct tn_vendor_phys_desc wish = {.bytes =
                                                 vendor->devices[device].about.granularity_minimum,
                                             .device = device,
                                             .shareable = true};
    tarn_shareable out = {TARN_SHAREABLE_FD, -1, 0};
    uint64_t handle = 0;
    uint64_t twin = 0;
    if (driver->import == NULL || driver->shareable != TARN_SHAREABLE_FD) {
        return driver->import != NULL ? driver->shareable : 0;
    }
    if (!tn_native_ok(driver->create(vendor->d, &wish, &handle))) {
        return 0;
    }
    bool good = tn_native_ok(driver->export(vendor->d, handle, &out));
    if (good) {
        good = tn_native_ok(driver->import(vendor->d, device, &out, &twin));
        (void)close(out.fd);
    }
    if (good) {
        (void)driver->destroy(vendor->d, twin);
    }
    (void)driver->destroy(vendor->d, handle);
    return good ? driver->shareable : 0;
}

static uint32_t probe_peers(struct tn_vendor *vendor, int device) {
    for (int i = 0; i < vendor->count; i++) {
        if (tn_vendor_peer_can(vendor, device, i)) {
            return TARN_FEATURE_PEER;
        }
    }
    return 0;
}

// ---- all of it, with the device current

static tarn_status ask(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t left = 0;
    struct tn_native answer = vendor->driver->about(vendor->d, device, &it->about);
    if (tn_native_ok(answer)) {
        answer = vendor->driver->memory_info(vendor->d, &left, &it->total);
    }
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "asking what device %d is", device);
}

static tarn_status apply_config(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t wish = vendor->config.granularity;
    if (vendor->config.memory != 0 && vendor->config.memory < it->total) {
        it->total = vendor->config.memory;
    }
    if (wish != 0 && wish < it->about.granularity_minimum) {
        return tn_fail(TARN_UNSUPPORTED,
                       "%s:%d: granularity=0x%llx is below the device's own, 0x%llx",
                       vendor->driver->name, device, (unsigned long long)wish,
                       (unsigned long long)it->about.granularity_minimum);
    }
    if (wish != 0) {
        it->about.granularity_minimum = wish;
    }
    if (it->about.granularity_recommended < it->about.granularity_minimum) {
        it->about.granularity_recommended = it->about.granularity_minimum;
    }
    return TARN_OK;
}

tarn_status tn_vendor_probe(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    status = ask(vendor, device);
    if (status == TARN_OK) {
        status = apply_config(vendor, device);
    }
    if (status == TARN_OK) {
        it->features = TARN_FEATURE_BYTES | TARN_FEATURE_ASYNC | probe_vmm(vendor, device) |
                       probe_peers(vendor, device);
        it->shareable = (it->features & TARN_FEATURE_VMM) != 0 ? probe_sharing(vendor, device) : 0u;
        it->features |= vendor->driver->host_alloc != NULL ? TARN_FEATURE_PINNED : 0u;
    }
    if (status == TARN_OK) {
        status = tn_vendor_ordered_open(vendor, device);
    }
    tn_vendor_leave(&scope);
    return status;
}
