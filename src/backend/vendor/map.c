// SPDX-License-Identifier: Apache-2.0
// Mappings and their rights. Vendors do not promise that a call that fails has changed nothing, so
// what was is known here, and put back. The core makes calls about one reservation one at a time:
// the records of a range that a call is about do not change under it, only the table around them.
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

static struct tn_vendor_mapping *mapping_of(const struct tn_interval_entry *entry) {
    return (struct tn_vendor_mapping *)(uintptr_t)entry->value;
}

// The first mapping at or behind `at` that begins before `end`.
static bool next_mapping(struct tn_vendor *vendor, tarn_addr at, tarn_addr end,
                         struct tn_interval_entry *entry) {
    tn_mutex_lock(&vendor->lock);
    bool found = tn_interval_next(&vendor->maps, at, entry) && entry->start < end;
    tn_mutex_unlock(&vendor->lock);
    return found;
}

static struct tn_vendor_mapping *take_out(struct tn_vendor *vendor, tarn_addr addr) {
    struct tn_interval_entry entry = {0};
    tn_mutex_lock(&vendor->lock);
    (void)tn_interval_remove(&vendor->maps, addr, &entry);
    tn_mutex_unlock(&vendor->lock);
    return mapping_of(&entry);
}

// ---- map

// Of a vendor whose reservations take memory of one owner only. `tie` ties it, once all went well.
static bool belongs(struct tn_vendor *vendor, tarn_addr addr, const struct tn_vendor_phys *phys,
                    bool tie) {
    struct tn_interval_entry entry;
    const struct tn_vendor_owner owner = {true, phys->host, phys->imported, phys->device};
    bool good = true;
    tn_mutex_lock(&vendor->lock);
    if (tn_interval_find(&vendor->ranges, addr, &entry)) {
        struct tn_vendor_owner *tied = &((struct tn_vendor_range *)(uintptr_t)entry.value)->tied;
        good = !tied->known || (tied->host == owner.host && tied->imported == owner.imported &&
                                tied->device == owner.device);
        *tied = tie ? owner : *tied;
    }
    tn_mutex_unlock(&vendor->lock);
    return good;
}

static const struct tn_vendor_phys *phys_of(const tarn_backend_map_item *item) {
    return (const struct tn_vendor_phys *)(uintptr_t)item->phys;
}

static bool same_owner(const struct tn_vendor_phys *a, const struct tn_vendor_phys *b) {
    return a->host == b->host && a->imported == b->imported && a->device == b->device;
}

static tarn_status check_item(struct tn_vendor *vendor, tarn_addr addr,
                              const tarn_backend_map_item *item,
                              const tarn_backend_map_item *first) {
    const struct tn_vendor_phys *phys = phys_of(item);
    if (vendor->driver->whole_maps && item->size != phys->bytes) {
        return tn_fail(TARN_UNSUPPORTED, "%s maps memory whole only: 0x%llx of 0x%llx bytes",
                       vendor->driver->name, (unsigned long long)item->size,
                       (unsigned long long)phys->bytes);
    }
    if (vendor->driver->one_owner &&
        (!same_owner(phys, phys_of(first)) || !belongs(vendor, addr, phys, false))) {
        return tn_fail(
            TARN_UNSUPPORTED,
            "%s: the reservation at 0x%llx has had memory of another device, or imported "
            "memory beside own, and takes none of device %d",
            vendor->driver->name, (unsigned long long)addr, phys->device);
    }
    return TARN_OK;
}

static tarn_status record(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                          struct tn_vendor_phys *phys) {
    struct tn_vendor_mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a mapping");
    }
    *mapping = (struct tn_vendor_mapping){.phys = phys};
    tn_mutex_lock(&vendor->lock);
    tarn_status status =
        tn_interval_insert(&vendor->maps, addr, addr + size, (uint64_t)(uintptr_t)mapping);
    tn_mutex_unlock(&vendor->lock);
    if (status != TARN_OK) {
        free(mapping);
        return tn_fail(status, "no memory for the record of a mapping");
    }
    return TARN_OK;
}

static struct tn_native map_native(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                                   uint64_t handle) {
    const struct tn_vendor_driver *driver = vendor->driver;
    struct tn_native answer = driver->map(vendor->d, addr, size, handle);
    if (tn_native_ok(answer) && driver->verify_maps) {
        answer = driver->is_mapped(vendor->d, addr);
    }
    return answer;
}

static tarn_status map_one(struct tn_vendor *vendor, tarn_addr addr,
                           const tarn_backend_map_item *item) {
    struct tn_vendor_phys *phys = (struct tn_vendor_phys *)(uintptr_t)item->phys;
    struct tn_vendor_scope scope;
    tarn_status status = record(vendor, addr, item->size, phys);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_vendor_enter(vendor, phys->device >= 0 ? phys->device : 0, &scope);
    if (status == TARN_OK) {
        struct tn_native answer = map_native(vendor, addr, item->size, phys->handle);
        tn_vendor_leave(&scope);
        if (!tn_native_ok(answer)) {
            status = tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                      "mapping [0x%llx, +0x%llx)", (unsigned long long)addr,
                                      (unsigned long long)item->size);
        }
    }
    if (status != TARN_OK) {
        free(take_out(vendor, addr));
    }
    return status;
}

// The mappings of [addr, end), one by one, in the vendor's books and ours. OK, or the first
// refusal.
static tarn_status unmap_each(struct tn_vendor *vendor, tarn_addr addr, tarn_addr end) {
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; next_mapping(vendor, at, end, &entry); at = entry.end) {
        struct tn_native answer =
            vendor->driver->unmap(vendor->d, entry.start, entry.end - entry.start);
        if (!tn_native_ok(answer)) {
            return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                    "unmapping [0x%llx, +0x%llx)", (unsigned long long)entry.start,
                                    (unsigned long long)(entry.end - entry.start));
        }
        free(take_out(vendor, entry.start));
    }
    return TARN_OK;
}

static void undo(struct tn_vendor *vendor, tarn_addr addr, tarn_addr end) {
    struct tn_error_saved kept;
    struct tn_vendor_scope scope;
    tn_error_save(&kept);
    if (addr < end && tn_vendor_enter(vendor, 0, &scope) == TARN_OK) {
        (void)unmap_each(vendor, addr, end);
        tn_vendor_leave(&scope);
    }
    tn_error_restore(&kept);
}

tarn_status tn_vendor_map(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                          size_t count) {
    struct tn_vendor *vendor = p;
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        status = check_item(vendor, addr, &items[i], &items[0]);
    }
    tarn_addr at = addr;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        status = map_one(vendor, at, &items[i]);
        at += status == TARN_OK ? items[i].size : 0;
    }
    if (status != TARN_OK) {
        undo(vendor, addr, at);
    } else if (vendor->driver->one_owner) {
        (void)belongs(vendor, addr, phys_of(&items[0]), true);
    }
    return status;
}

// ---- unmap

static void forget(struct tn_vendor *vendor, tarn_addr addr, tarn_addr end) {
    struct tn_interval_entry entry;
    while (next_mapping(vendor, addr, end, &entry)) {
        free(take_out(vendor, entry.start));
    }
}

tarn_status tn_vendor_unmap(void *p, tarn_addr addr, uint64_t size) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, 0, &scope);
    if (status != TARN_OK) {
        return status;
    }
    if (!vendor->driver->spans) {
        status = unmap_each(vendor, addr, addr + size);
    } else {
        struct tn_native answer = vendor->driver->unmap(vendor->d, addr, size);
        if (tn_native_ok(answer)) {
            forget(vendor, addr, addr + size);
        } else {
            status = tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                      "unmapping [0x%llx, +0x%llx)", (unsigned long long)addr,
                                      (unsigned long long)size);
        }
    }
    tn_vendor_leave(&scope);
    return status;
}

// ---- rights

struct rights {
    size_t count;
    struct tn_vendor_right at[TN_VENDOR_DEVICES_MAX + 1];
};

// Each location once, with what it is given last.
static struct rights gather(const tarn_grant *grants, size_t count) {
    struct rights rights = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        bool host = grants[i].location.type != TARN_LOCATION_DEVICE;
        int device = host ? -1 : grants[i].location.id;
        size_t k = 0;
        while (k < rights.count && rights.at[k].device != device) {
            k++;
        }
        rights.at[k] = (struct tn_vendor_right){host, device, grants[i].access};
        rights.count += k == rights.count ? 1 : 0;
    }
    return rights;
}

// What a mapping gives the same locations now.
static struct rights rights_now(const struct tn_vendor_mapping *mapping,
                                const struct rights *wanted) {
    struct rights now = *wanted;
    for (size_t i = 0; i < now.count; i++) {
        unsigned shift = tn_vendor_shift(now.at[i].host, now.at[i].device);
        now.at[i].access = (tarn_access)(mapping->rights >> shift & 3u);
    }
    return now;
}

static void remember(struct tn_vendor_mapping *mapping, const struct rights *rights) {
    for (size_t i = 0; i < rights->count; i++) {
        unsigned shift = tn_vendor_shift(rights->at[i].host, rights->at[i].device);
        mapping->rights &= ~((uint64_t)3 << shift);
        mapping->rights |= (uint64_t)rights->at[i].access << shift;
    }
}

// Of a vendor that gives all rights or none, and takes none back: what is left to be given. What
// the owner has from the start is not asked for. `entry` is the one mapping that the call is about.
static tarn_status keep_new(struct tn_vendor *vendor, const struct tn_interval_entry *entry,
                            struct rights *rights) {
    const struct tn_vendor_mapping *mapping = mapping_of(entry);
    size_t kept = 0;
    for (size_t i = 0; i < rights->count; i++) {
        const struct tn_vendor_right right = rights->at[i];
        unsigned now = mapping->rights >> tn_vendor_shift(right.host, right.device) & 3u;
        bool owner = vendor->driver->grants_owner && right.host == mapping->phys->host &&
                     (right.host || right.device == mapping->phys->device);
        if ((unsigned)right.access == now || (owner && right.access == TARN_ACCESS_READ_WRITE)) {
            continue;
        }
        if (right.access != TARN_ACCESS_READ_WRITE || vendor->driver->set_access == NULL) {
            return tn_fail(TARN_UNSUPPORTED,
                           "%s gives all rights to a mapping or none, and takes none back; the "
                           "owner has them%s",
                           vendor->driver->name,
                           vendor->driver->set_access == NULL ? ", and nobody else" : "");
        }
        rights->at[kept++] = right;
    }
    rights->count = kept;
    return TARN_OK;
}

// Puts back what the mappings gave before. It was good once; failure means a lost device.
static void restore(struct tn_vendor *vendor, tarn_addr addr, tarn_addr end,
                    const struct rights *wanted) {
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; next_mapping(vendor, at, end, &entry); at = entry.end) {
        struct rights old = rights_now(mapping_of(&entry), wanted);
        for (size_t i = 0; i < old.count; i++) {
            (void)vendor->driver->set_access(vendor->d, entry.start, entry.end - entry.start,
                                             &old.at[i], 1);
        }
    }
}

static tarn_status set_native(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                              const struct rights *rights) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, 0, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer =
        vendor->driver->set_access(vendor->d, addr, size, rights->at, rights->count);
    if (!tn_native_ok(answer)) {
        status = tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "rights of [0x%llx, +0x%llx)", (unsigned long long)addr,
                                  (unsigned long long)size);
        restore(vendor, addr, addr + size, rights);
    }
    tn_vendor_leave(&scope);
    return status;
}

static tarn_status give_new(struct tn_vendor *vendor, tarn_addr addr, uint64_t size,
                            const struct rights *rights) {
    struct tn_interval_entry entry;
    struct rights new = *rights;
    tarn_status status =
        next_mapping(vendor, addr, addr + size, &entry) ? keep_new(vendor, &entry, &new) : TARN_OK;
    return status != TARN_OK || new.count == 0 ? status : set_native(vendor, addr, size, &new);
}

tarn_status tn_vendor_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                 size_t count) {
    struct tn_vendor *vendor = p;
    struct rights rights = gather(grants, count);
    tarn_status status = vendor->driver->full_rights_only ? give_new(vendor, addr, size, &rights)
                                                          : set_native(vendor, addr, size, &rights);
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; status == TARN_OK && next_mapping(vendor, at, addr + size, &entry);
         at = entry.end) {
        remember(mapping_of(&entry), &rights);
    }
    return status;
}
