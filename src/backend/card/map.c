// SPDX-License-Identifier: Apache-2.0
// Mappings and their rights. Vendors do not promise that a call that fails has changed nothing, so
// what was is known here, and put back. The core makes calls about one reservation one at a time:
// the records of a range that a call is about do not change under it, only the table around them.
#include <stdlib.h>

#include "backend/card/card.h"
#include "base/error.h"

static struct tn_card_mapping *mapping_of(const struct tn_interval_entry *entry) {
    return (struct tn_card_mapping *)(uintptr_t)entry->value;
}

// The first mapping at or behind `at` that begins before `end`.
static bool next_mapping(struct tn_card *card, tarn_addr at, tarn_addr end,
                         struct tn_interval_entry *entry) {
    tn_mutex_lock(&card->lock);
    bool found = tn_interval_next(&card->maps, at, entry) && entry->start < end;
    tn_mutex_unlock(&card->lock);
    return found;
}

static struct tn_card_mapping *take_out(struct tn_card *card, tarn_addr addr) {
    struct tn_interval_entry entry = {0};
    tn_mutex_lock(&card->lock);
    (void)tn_interval_remove(&card->maps, addr, &entry);
    tn_mutex_unlock(&card->lock);
    return mapping_of(&entry);
}

// ---- map

// Of a vendor whose reservations take memory of one owner only. `tie` ties it, once all went well.
static bool belongs(struct tn_card *card, tarn_addr addr, const struct tn_card_phys *phys,
                    bool tie) {
    struct tn_interval_entry entry;
    const struct tn_card_owner owner = {true, phys->host, phys->imported, phys->device};
    bool good = true;
    tn_mutex_lock(&card->lock);
    if (tn_interval_find(&card->ranges, addr, &entry)) {
        struct tn_card_owner *tied = &((struct tn_card_range *)(uintptr_t)entry.value)->tied;
        good = !tied->known || (tied->host == owner.host && tied->imported == owner.imported &&
                                tied->device == owner.device);
        *tied = tie ? owner : *tied;
    }
    tn_mutex_unlock(&card->lock);
    return good;
}

static const struct tn_card_phys *phys_of(const tarn_backend_map_item *item) {
    return (const struct tn_card_phys *)(uintptr_t)item->phys;
}

static bool same_owner(const struct tn_card_phys *a, const struct tn_card_phys *b) {
    return a->host == b->host && a->imported == b->imported && a->device == b->device;
}

static tarn_status check_item(struct tn_card *card, tarn_addr addr,
                              const tarn_backend_map_item *item,
                              const tarn_backend_map_item *first) {
    const struct tn_card_phys *phys = phys_of(item);
    if (card->driver->whole_maps && item->size != phys->bytes) {
        return tn_fail(TARN_UNSUPPORTED, "%s maps memory whole only: 0x%llx of 0x%llx bytes",
                       card->driver->name, (unsigned long long)item->size,
                       (unsigned long long)phys->bytes);
    }
    if (card->driver->one_owner &&
        (!same_owner(phys, phys_of(first)) || !belongs(card, addr, phys, false))) {
        return tn_fail(
            TARN_UNSUPPORTED,
            "%s: the reservation at 0x%llx has had memory of another device, or imported "
            "memory beside own, and takes none of device %d",
            card->driver->name, (unsigned long long)addr, phys->device);
    }
    return TARN_OK;
}

static tarn_status record(struct tn_card *card, tarn_addr addr, uint64_t size,
                          struct tn_card_phys *phys) {
    struct tn_card_mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a mapping");
    }
    *mapping = (struct tn_card_mapping){.phys = phys};
    tn_mutex_lock(&card->lock);
    tarn_status status =
        tn_interval_insert(&card->maps, addr, addr + size, (uint64_t)(uintptr_t)mapping);
    tn_mutex_unlock(&card->lock);
    if (status != TARN_OK) {
        free(mapping);
        return tn_fail(status, "no memory for the record of a mapping");
    }
    return TARN_OK;
}

static struct tn_native map_native(struct tn_card *card, tarn_addr addr, uint64_t size,
                                   uint64_t handle) {
    const struct tn_card_driver *driver = card->driver;
    struct tn_native answer = driver->map(card->d, addr, size, handle);
    if (tn_card_good(answer) && driver->verify_maps) {
        answer = driver->is_mapped(card->d, addr);
    }
    return answer;
}

static tarn_status map_one(struct tn_card *card, tarn_addr addr,
                           const tarn_backend_map_item *item) {
    struct tn_card_phys *phys = (struct tn_card_phys *)(uintptr_t)item->phys;
    struct tn_card_turn turn;
    tarn_status status = record(card, addr, item->size, phys);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_card_begin(card, phys->device >= 0 ? phys->device : 0, &turn);
    if (status == TARN_OK) {
        struct tn_native answer = map_native(card, addr, item->size, phys->handle);
        tn_card_end(&turn);
        if (!tn_card_good(answer)) {
            status = tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "mapping [0x%llx, +0x%llx)", (unsigned long long)addr,
                                  (unsigned long long)item->size);
        }
    }
    if (status != TARN_OK) {
        free(take_out(card, addr));
    }
    return status;
}

// The mappings of [addr, end), one by one, in the vendor's books and ours. OK, or the first
// refusal.
static tarn_status unmap_each(struct tn_card *card, tarn_addr addr, tarn_addr end) {
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; next_mapping(card, at, end, &entry); at = entry.end) {
        struct tn_native answer =
            card->driver->unmap(card->d, entry.start, entry.end - entry.start);
        if (!tn_card_good(answer)) {
            return tn_card_fail(card, answer, TARN_NATIVE, TARN_NATIVE,
                                "unmapping [0x%llx, +0x%llx)", (unsigned long long)entry.start,
                                (unsigned long long)(entry.end - entry.start));
        }
        free(take_out(card, entry.start));
    }
    return TARN_OK;
}

static void undo(struct tn_card *card, tarn_addr addr, tarn_addr end) {
    struct tn_error_saved kept;
    struct tn_card_turn turn;
    tn_error_save(&kept);
    if (addr < end && tn_card_begin(card, 0, &turn) == TARN_OK) {
        (void)unmap_each(card, addr, end);
        tn_card_end(&turn);
    }
    tn_error_restore(&kept);
}

tarn_status tn_card_map(void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count) {
    struct tn_card *card = p;
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        status = check_item(card, addr, &items[i], &items[0]);
    }
    tarn_addr at = addr;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        status = map_one(card, at, &items[i]);
        at += status == TARN_OK ? items[i].size : 0;
    }
    if (status != TARN_OK) {
        undo(card, addr, at);
    } else if (card->driver->one_owner) {
        (void)belongs(card, addr, phys_of(&items[0]), true);
    }
    return status;
}

// ---- unmap

static void forget(struct tn_card *card, tarn_addr addr, tarn_addr end) {
    struct tn_interval_entry entry;
    while (next_mapping(card, addr, end, &entry)) {
        free(take_out(card, entry.start));
    }
}

tarn_status tn_card_unmap(void *p, tarn_addr addr, uint64_t size) {
    struct tn_card *card = p;
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, 0, &turn);
    if (status != TARN_OK) {
        return status;
    }
    if (!card->driver->spans) {
        status = unmap_each(card, addr, addr + size);
    } else {
        struct tn_native answer = card->driver->unmap(card->d, addr, size);
        if (tn_card_good(answer)) {
            forget(card, addr, addr + size);
        } else {
            status =
                tn_card_fail(card, answer, TARN_NATIVE, TARN_NATIVE, "unmapping [0x%llx, +0x%llx)",
                             (unsigned long long)addr, (unsigned long long)size);
        }
    }
    tn_card_end(&turn);
    return status;
}

// ---- rights

struct rights {
    size_t count;
    struct tn_card_right at[TN_CARD_DEVICES_MAX + 1];
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
        rights.at[k] = (struct tn_card_right){host, device, grants[i].access};
        rights.count += k == rights.count ? 1 : 0;
    }
    return rights;
}

// What a mapping gives the same locations now.
static struct rights rights_now(const struct tn_card_mapping *mapping,
                                const struct rights *wanted) {
    struct rights now = *wanted;
    for (size_t i = 0; i < now.count; i++) {
        unsigned shift = tn_card_shift(now.at[i].host, now.at[i].device);
        now.at[i].access = (tarn_access)(mapping->rights >> shift & 3u);
    }
    return now;
}

static void remember(struct tn_card_mapping *mapping, const struct rights *rights) {
    for (size_t i = 0; i < rights->count; i++) {
        unsigned shift = tn_card_shift(rights->at[i].host, rights->at[i].device);
        mapping->rights &= ~((uint64_t)3 << shift);
        mapping->rights |= (uint64_t)rights->at[i].access << shift;
    }
}

// Of a vendor that gives all rights or none, and takes none back: what is left to be given. What
// the owner has from the start is not asked for. `entry` is the one mapping that the call is about.
static tarn_status keep_new(struct tn_card *card, const struct tn_interval_entry *entry,
                            struct rights *rights) {
    const struct tn_card_mapping *mapping = mapping_of(entry);
    size_t kept = 0;
    for (size_t i = 0; i < rights->count; i++) {
        const struct tn_card_right right = rights->at[i];
        unsigned now = mapping->rights >> tn_card_shift(right.host, right.device) & 3u;
        bool owner = card->driver->grants_owner && right.host == mapping->phys->host &&
                     (right.host || right.device == mapping->phys->device);
        if ((unsigned)right.access == now || (owner && right.access == TARN_ACCESS_READ_WRITE)) {
            continue;
        }
        if (right.access != TARN_ACCESS_READ_WRITE || card->driver->set_access == NULL) {
            return tn_fail(TARN_UNSUPPORTED,
                           "%s gives all rights to a mapping or none, and takes none back; the "
                           "owner has them%s",
                           card->driver->name,
                           card->driver->set_access == NULL ? ", and nobody else" : "");
        }
        rights->at[kept++] = right;
    }
    rights->count = kept;
    return TARN_OK;
}

// Puts back what the mappings gave before. It was good once; failure means a lost device.
static void restore(struct tn_card *card, tarn_addr addr, tarn_addr end,
                    const struct rights *wanted) {
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; next_mapping(card, at, end, &entry); at = entry.end) {
        struct rights old = rights_now(mapping_of(&entry), wanted);
        for (size_t i = 0; i < old.count; i++) {
            (void)card->driver->set_access(card->d, entry.start, entry.end - entry.start,
                                           &old.at[i], 1);
        }
    }
}

static tarn_status set_native(struct tn_card *card, tarn_addr addr, uint64_t size,
                              const struct rights *rights) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, 0, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer =
        card->driver->set_access(card->d, addr, size, rights->at, rights->count);
    if (!tn_card_good(answer)) {
        status = tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                              "rights of [0x%llx, +0x%llx)", (unsigned long long)addr,
                              (unsigned long long)size);
        restore(card, addr, addr + size, rights);
    }
    tn_card_end(&turn);
    return status;
}

static tarn_status give_new(struct tn_card *card, tarn_addr addr, uint64_t size,
                            const struct rights *rights) {
    struct tn_interval_entry entry;
    struct rights new = *rights;
    tarn_status status =
        next_mapping(card, addr, addr + size, &entry) ? keep_new(card, &entry, &new) : TARN_OK;
    return status != TARN_OK || new.count == 0 ? status : set_native(card, addr, size, &new);
}

tarn_status tn_card_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                               size_t count) {
    struct tn_card *card = p;
    struct rights rights = gather(grants, count);
    tarn_status status = card->driver->full_rights_only ? give_new(card, addr, size, &rights)
                                                        : set_native(card, addr, size, &rights);
    struct tn_interval_entry entry;
    for (tarn_addr at = addr; status == TARN_OK && next_mapping(card, at, addr + size, &entry);
         at = entry.end) {
        remember(mapping_of(&entry), &rights);
    }
    return status;
}
