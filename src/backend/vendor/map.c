// SPDX-License-Identifier: Apache-2.0
// Mappings and their rights. A vendor's call that fails may have changed something, so the records
// here keep the previous state and a failure restores it. The core serialises calls about one
// reservation, so the records of its range do not change during a call. Only the table around them
// can change; the platform's lock guards it.
#include <inttypes.h>
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

static struct tn_vendor_mapping *mapping_of(const struct tn_interval_entry *entry) {
    return (struct tn_vendor_mapping *)(uintptr_t)entry->value;
}

static struct tn_vendor_phys *item_phys(const tarn_backend_map_item *item) {
    return (struct tn_vendor_phys *)(uintptr_t)item->phys;
}

// Finds the first mapping at or above `at` that begins below `end`.
static bool next_mapping(struct tn_vendor *vendor, tarn_addr at, tarn_addr end,
                         struct tn_interval_entry *entry) {
    TN_LOCKED(&vendor->lock);
    return tn_interval_next(&vendor->maps, at, entry) && entry->start < end;
}

static void remove_record(struct tn_vendor *vendor, tarn_addr addr) {
    struct tn_interval_entry entry = {0};
    tn_mutex_lock(&vendor->lock);
    (void)tn_interval_remove(&vendor->maps, addr, &entry);
    tn_mutex_unlock(&vendor->lock);
    free(mapping_of(&entry));
}

// ---- map

static struct tn_vendor_owner owner_of(const struct tn_vendor_phys *phys) {
    return (struct tn_vendor_owner){true, phys->host, phys->imported, phys->device};
}

static bool is_same_owner(struct tn_vendor_owner a, struct tn_vendor_owner b) {
    return a.host == b.host && a.imported == b.imported && a.device == b.device;
}

// Returns the owner that a reservation is tied to. If `tie` is not NULL, ties the reservation to
// that owner afterwards.
static struct tn_vendor_owner tied_owner(struct tn_vendor *vendor, tarn_addr addr,
                                         const struct tn_vendor_owner *tie) {
    struct tn_interval_entry entry;
    struct tn_vendor_owner owner = {.known = false};
    TN_LOCKED(&vendor->lock);
    if (tn_interval_find(&vendor->ranges, addr, &entry)) {
        struct tn_vendor_owner *tied = &((struct tn_vendor_range *)(uintptr_t)entry.value)->tied;
        owner = *tied;
        *tied = tie != NULL ? *tie : owner;
    }
    return owner;
}

static tarn_status check_items(struct tn_vendor *vendor, tarn_addr addr,
                               const tarn_backend_map_item *items, size_t count) {
    struct tn_vendor_owner tied = {.known = false};
    if (vendor->driver->one_owner) tied = tied_owner(vendor, addr, NULL);
    if (!tied.known) tied = owner_of(item_phys(&items[0]));
    for (size_t i = 0; i < count; i++) {
        const struct tn_vendor_phys *phys = item_phys(&items[i]);
        TN_REFUSE(vendor->driver->whole_maps && items[i].size != phys->bytes, TARN_UNSUPPORTED,
                  "%s maps an allocation only completely: 0x%" PRIx64 " of 0x%" PRIx64 " bytes",
                  vendor->driver->name, items[i].size, phys->bytes);
        TN_REFUSE(vendor->driver->one_owner && !is_same_owner(owner_of(phys), tied),
                  TARN_UNSUPPORTED,
                  "%s: the reservation at 0x%llx is tied to memory of another device, or "
                  "to imported or own memory, and cannot map memory of device %d",
                  vendor->driver->name, (unsigned long long)addr, phys->device);
    }
    return TARN_OK;
}

static tarn_status insert_record(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                                 struct tn_vendor_phys *phys) {
    struct tn_vendor_mapping *mapping = malloc(sizeof *mapping);
    tarn_status status = TARN_NO_HOST_MEMORY;
    if (mapping != NULL) {
        *mapping = (struct tn_vendor_mapping){.phys = phys};
        tn_mutex_lock(&vendor->lock);
        status = tn_interval_insert(&vendor->maps, addr, addr + size, (uint64_t)(uintptr_t)mapping);
        tn_mutex_unlock(&vendor->lock);
    }
    if (status != TARN_OK) {
        free(mapping);
        return tn_fail(status, "out of host memory for the record of a mapping");
    }
    return TARN_OK;
}

static struct tn_native map_native(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                                   uint64_t handle) {
    const struct tn_vendor_driver *driver = vendor->driver;
    struct tn_native answer = driver->map(vendor->d, addr, size, handle);
    if (tn_native_ok(answer) && driver->verify_maps) answer = driver->is_mapped(vendor->d, addr);
    return answer;
}

static tarn_status map_one(struct tn_vendor *vendor, tarn_addr addr,
                           const tarn_backend_map_item *item) {
    struct tn_vendor_phys *phys = item_phys(item);
    TN_TRY(insert_record(vendor, addr, item->size, phys));
    struct tn_native answer = TN_VENDOR_ON(vendor, phys->device >= 0 ? phys->device : 0,
                                           map_native(vendor, addr, item->size, phys->handle));
    tarn_status status = tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                          "mapping [0x%llx, +0x%llx)", (unsigned long long)addr,
                                          (unsigned long long)item->size);
    if (status != TARN_OK) remove_record(vendor, addr);
    return status;
}

// Unmaps the mappings in [addr, end) one by one, until one fails: then the device is lost.
static void undo_maps(struct tn_vendor *vendor, tarn_addr addr, tarn_addr end) {
    struct tn_interval_entry entry;
    struct tn_vendor_scope scope;
    if (addr < end && tn_vendor_try_enter(vendor, 0, &scope)) {
        while (next_mapping(vendor, addr, end, &entry) &&
               tn_native_ok(vendor->driver->unmap(vendor->d, entry.start, entry.end - entry.start)))
            remove_record(vendor, entry.start);
        (void)tn_vendor_leave(&scope, TN_NATIVE_OK);
    }
}

tarn_status tn_vendor_map(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                          size_t count) {
    struct tn_vendor *vendor = p;
    tarn_addr at = addr;
    tarn_status status = check_items(vendor, addr, items, count);
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        status = map_one(vendor, at, &items[i]);
        at += status == TARN_OK ? items[i].size : 0;
    }
    if (status != TARN_OK) {
        undo_maps(vendor, addr, at);
    } else if (vendor->driver->one_owner) {
        const struct tn_vendor_owner owner = owner_of(item_phys(&items[0]));
        (void)tied_owner(vendor, addr, &owner);
    }
    return status;
}

// ---- unmap

// Without `spans`, the core calls this for one mapping at a time.
tarn_status tn_vendor_unmap(void *p, tarn_addr addr, uint64_t size) {
    struct tn_vendor *vendor = p;
    struct tn_interval_entry entry;
    struct tn_native answer = TN_VENDOR_CALL(vendor, 0, unmap, addr, size);
    tarn_status status = tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                          "unmapping [0x%" PRIx64 ", +0x%" PRIx64 ")", addr, size);
    while (status == TARN_OK && next_mapping(vendor, addr, addr + size, &entry))
        remove_record(vendor, entry.start);
    return status;
}

// ---- rights

struct rights {
    size_t count;
    struct tn_vendor_right at[TN_VENDOR_DEVICES_MAX + 1];
};

// Lists each location once, with its last grant.
static struct rights rights_of_grants(const tarn_grant *grants, size_t count) {
    struct rights rights = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        bool host = grants[i].location.type != TARN_LOCATION_DEVICE;
        int device = host ? -1 : grants[i].location.id;
        size_t k = 0;
        while (k < rights.count && rights.at[k].device != device) k++;
        rights.at[k] = (struct tn_vendor_right){host, device, grants[i].access};
        rights.count += k == rights.count ? 1 : 0;
    }
    return rights;
}

static tarn_access recorded_access(const struct tn_vendor_mapping *mapping,
                                   const struct tn_vendor_right *right) {
    return (tarn_access)(mapping->rights >> tn_vendor_shift(right->host, right->device) & 3u);
}

// For `full_rights_only`: keeps the rights for which the vendor must be called. `entry` is the one
// mapping that the call is about.
static tarn_status keep_new_rights(struct tn_vendor *vendor, const struct tn_interval_entry *entry,
                                   struct rights *rights) {
    const struct tn_vendor_driver *driver = vendor->driver;
    const struct tn_vendor_mapping *mapping = mapping_of(entry);
    size_t kept = 0;
    for (size_t i = 0; i < rights->count; i++) {
        const struct tn_vendor_right right = rights->at[i];
        bool owner = driver->grants_owner && right.host == mapping->phys->host &&
                     (right.host || right.device == mapping->phys->device);
        if (right.access == recorded_access(mapping, &right) ||
            (owner && right.access == TARN_ACCESS_READ_WRITE))
            continue;
        TN_REFUSE(
            right.access != TARN_ACCESS_READ_WRITE || driver->set_access == NULL, TARN_UNSUPPORTED,
            "%s grants all rights to a mapping or none, and revokes none; the owner has them%s",
            driver->name, driver->set_access == NULL ? ", and no other location can" : "");
        rights->at[kept++] = right;
    }
    rights->count = kept;
    return TARN_OK;
}

// Gives the locations in `changed` their recorded rights again. The vendor has accepted these
// rights once, so a failure means that the device is lost.
static void restore_rights(struct tn_vendor *vendor, tarn_addr addr, tarn_addr end,
                           const struct rights *changed) {
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; next_mapping(vendor, at, end, &entry); at = entry.end) {
        for (size_t i = 0; i < changed->count; i++) {
            struct tn_vendor_right old = changed->at[i];
            old.access = recorded_access(mapping_of(&entry), &old);
            (void)vendor->driver->set_access(vendor->d, entry.start, entry.end - entry.start, &old,
                                             1);
        }
    }
}

static tarn_status set_native(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                              const struct rights *rights) {
    TN_VENDOR_CURRENT(vendor, 0);
    tarn_status status = tn_vendor_status(
        vendor, vendor->driver->set_access(vendor->d, addr, size, rights->at, rights->count),
        TARN_NATIVE, TARN_NO_DEVICE_MEMORY, "rights of [0x%llx, +0x%llx)", (unsigned long long)addr,
        (unsigned long long)size);
    if (status != TARN_OK) restore_rights(vendor, addr, addr + size, rights);
    return status;
}

tarn_status tn_vendor_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                 size_t count) {
    struct tn_vendor *vendor = p;
    struct tn_interval_entry entry;
    const struct rights all = rights_of_grants(grants, count);
    struct rights wanted = all;
    tarn_status status = TARN_OK;
    if (vendor->driver->full_rights_only && next_mapping(vendor, addr, addr + size, &entry))
        status = keep_new_rights(vendor, &entry, &wanted);
    if (status == TARN_OK && wanted.count > 0) status = set_native(vendor, addr, size, &wanted);
    for (tarn_addr at = addr; status == TARN_OK && next_mapping(vendor, at, addr + size, &entry);
         at = entry.end) {
        struct tn_vendor_mapping *mapping = mapping_of(&entry);
        for (size_t i = 0; i < all.count; i++) {
            unsigned shift = tn_vendor_shift(all.at[i].host, all.at[i].device);
            mapping->rights &= ~((uint64_t)3 << shift);
            mapping->rights |= (uint64_t)all.at[i].access << shift;
        }
    }
    return status;
}
