// SPDX-License-Identifier: Apache-2.0
// Detects the features of a device by trying each once with one granule, because attributes of
// vendors have reported features that failed. The trial is undone afterwards. A device whose
// virtual memory fails is used without it. Runs while the platform opens, on the opening thread.
#include <stdio.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/uncancelled.h"

// ---- virtual memory

// One granule in a reservation of two. end_trial() releases the parts that exist.
struct trial {
    struct tn_vendor *vendor;
    int device;
    uint64_t unit;
    tarn_addr addr; // 0: not reserved
    uint64_t handle;
    bool created;
    bool mapped[2];
};

static struct tn_native try_map(struct trial *trial, unsigned at) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    tarn_addr addr = trial->addr + at * trial->unit;
    struct tn_native answer = driver->map(trial->vendor->d, addr, trial->unit, trial->handle);
    trial->mapped[at] = tn_native_ok(answer);
    return trial->mapped[at] && driver->verify_maps ? driver->is_mapped(trial->vendor->d, addr)
                                                    : answer;
}

static struct tn_native try_right(struct trial *trial, bool host) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    const struct tn_vendor_right right = {host, host ? -1 : trial->device, TARN_ACCESS_READ_WRITE};
    return driver->set_access == NULL || (driver->grants_owner && !host)
               ? TN_NATIVE_OK
               : driver->set_access(trial->vendor->d, trial->addr, trial->unit, &right, 1);
}

static void try_unmap(struct trial *trial, unsigned at) {
    (void)trial->vendor->driver->unmap(trial->vendor->d, trial->addr + at * trial->unit,
                                       trial->unit);
    trial->mapped[at] = false;
}

static struct tn_native try_vmm(struct trial *trial) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    const struct tn_vendor_phys_desc desc = {.bytes = trial->unit, .device = trial->device};
    void *d = trial->vendor->d;
    struct tn_native answer = driver->reserve(d, 2 * trial->unit, trial->unit, 0, &trial->addr);
    if (tn_native_ok(answer)) {
        answer = driver->create(d, &desc, &trial->handle);
        trial->created = tn_native_ok(answer);
    }
    if (tn_native_ok(answer)) answer = try_map(trial, 0);
    return tn_native_ok(answer) ? try_right(trial, false) : answer;
}

static bool can_create_host(const struct trial *trial) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    const struct tn_vendor_phys_desc desc = {.bytes = trial->unit, .host = true, .device = -1};
    uint64_t handle = 0;
    if ((driver->features_possible & TARN_FEATURE_HOST_PHYS) == 0 ||
        !tn_native_ok(driver->create(trial->vendor->d, &desc, &handle)))
        return false;
    (void)driver->destroy(trial->vendor->d, handle);
    return true;
}

// The features of a device whose virtual memory works.
static uint32_t vmm_features(struct trial *trial) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    uint32_t features = TARN_FEATURE_VMM | (driver->whole_maps ? 0u : TARN_FEATURE_PARTIAL) |
                        (driver->one_owner ? 0u : TARN_FEATURE_MIXED) |
                        (driver->full_rights_only ? 0u : TARN_FEATURE_RIGHTS);
    if (tn_native_ok(try_map(trial, 1))) {
        features |= TARN_FEATURE_ALIAS;
        try_unmap(trial, 1);
    }
    if ((driver->features_possible & TARN_FEATURE_HOST_ACCESS) != 0 && driver->set_access != NULL &&
        tn_native_ok(try_right(trial, true)))
        features |= TARN_FEATURE_HOST_ACCESS;
    return features | (can_create_host(trial) ? TARN_FEATURE_HOST_PHYS : 0u);
}

static void end_trial(struct trial *trial) {
    const struct tn_vendor_driver *driver = trial->vendor->driver;
    for (unsigned at = 0; at < 2; at++)
        if (trial->mapped[at]) try_unmap(trial, at);
    if (trial->created) (void)driver->destroy(trial->vendor->d, trial->handle);
    if (trial->addr != 0) (void)driver->unreserve(trial->vendor->d, trial->addr, 2 * trial->unit);
}

static uint32_t probe_vmm(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    struct trial trial = {.vendor = vendor, .device = device, .unit = it->info.granularity_minimum};
    uint32_t features = 0;
    if (vendor->driver->reserve == NULL || trial.unit == 0) {
        (void)snprintf(it->vmm, sizeof it->vmm, "not in this version");
        return 0;
    }
    struct tn_native answer = try_vmm(&trial);
    if (tn_native_ok(answer)) {
        (void)snprintf(it->vmm, sizeof it->vmm, "works");
        features = vmm_features(&trial);
    } else {
        (void)snprintf(it->vmm, sizeof it->vmm, "%s: %s (%lld)", answer.call,
                       vendor->driver->error_name(vendor->d, answer.code), (long long)answer.code);
    }
    end_trial(&trial);
    return features;
}

// ---- sharing and peers

// Exports a granule and imports it again. Tokens are not tried, because some vendors refuse to
// import one in the process that exported it.
static uint32_t probe_sharing(struct tn_vendor *vendor, int device) {
    const struct tn_vendor_driver *driver = vendor->driver;
    const struct tn_vendor_phys_desc desc = {.bytes =
                                                 vendor->devices[device].info.granularity_minimum,
                                             .device = device,
                                             .shareable = true};
    tarn_shareable out = {TARN_SHAREABLE_FD, -1, 0};
    uint64_t handle = 0;
    uint64_t twin = 0;
    bool imported = false;
    if (driver->import == NULL) return 0;
    if (driver->shareable != TARN_SHAREABLE_FD) return driver->shareable;
    if (!tn_native_ok(driver->create(vendor->d, &desc, &handle))) return 0;
    if (tn_native_ok(driver->export(vendor->d, handle, &out))) {
        imported = tn_native_ok(driver->import(vendor->d, device, &out, &twin));
        tn_close(out.fd);
    }
    if (imported) (void)driver->destroy(vendor->d, twin);
    (void)driver->destroy(vendor->d, handle);
    return imported ? driver->shareable : 0;
}

// ---- one device, while it is current

static tarn_status read_info(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t left = 0;
    struct tn_native answer = vendor->driver->device_info(vendor->d, device, &it->info);
    if (tn_native_ok(answer)) answer = vendor->driver->memory_info(vendor->d, &left, &it->total);
    return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                            "reading the properties of device %d", device);
}

static tarn_status apply_config(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t wanted = vendor->config.granularity;
    if (vendor->config.memory != 0 && vendor->config.memory < it->total)
        it->total = vendor->config.memory;
    TN_REFUSE(wanted != 0 && wanted < it->info.granularity_minimum, TARN_UNSUPPORTED,
              "%s:%d: granularity=0x%llx is below the device's own, 0x%llx", vendor->driver->name,
              device, (unsigned long long)wanted, (unsigned long long)it->info.granularity_minimum);
    if (wanted != 0) it->info.granularity_minimum = wanted;
    if (it->info.granularity_recommended < it->info.granularity_minimum)
        it->info.granularity_recommended = it->info.granularity_minimum;
    return TARN_OK;
}

tarn_status tn_vendor_probe(struct tn_vendor *vendor, int device) {
    struct tn_vendor_device *it = &vendor->devices[device];
    TN_VENDOR_CURRENT(vendor, device);
    TN_TRY(read_info(vendor, device));
    TN_TRY(apply_config(vendor, device));
    it->features = TARN_FEATURE_BYTES | TARN_FEATURE_ASYNC | probe_vmm(vendor, device) |
                   (vendor->driver->host_alloc != NULL ? TARN_FEATURE_PINNED : 0u);
    for (int i = 0; i < vendor->count; i++)
        it->features |= tn_vendor_peer_can(vendor, device, i) ? TARN_FEATURE_PEER : 0u;
    it->shareable = (it->features & TARN_FEATURE_VMM) != 0 ? probe_sharing(vendor, device) : 0u;
    return tn_vendor_pool_open(vendor, device);
}
