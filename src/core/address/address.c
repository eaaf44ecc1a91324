// SPDX-License-Identifier: Apache-2.0
// What addresses are: of one, and of all that a platform has. The walk looks at a few at a time and
// tells them with no lock held, so that who is told may call the library.
#include <tarn/memory.h>

#include "base/error.h"
#include "base/struct.h"
#include "core/address/map.h"

static void describe_mapping(const struct tn_interval_entry *entry, tarn_address_info *info) {
    const struct tn_phys *phys = tn_mapping_of(entry)->phys;
    info->kind = TARN_ADDRESS_MAPPED;
    info->base = entry->start;
    info->bytes = entry->end - entry->start;
    info->location = phys->info.location;
    info->phys = phys->id;
    info->page_class = phys->info.page_class;
    info->page_bytes = phys->info.page_bytes;
}

// All but what is mapped in a reservation.
static void describe_region(const struct tn_region *region, tarn_address_info *info) {
    info->base = region->base;
    info->bytes = region->size;
    switch (region->kind) {
    case TN_REGION_SPACE:
        info->kind = TARN_ADDRESS_RESERVED;
        break;
    case TN_REGION_MEMORY:
    case TN_REGION_IMPORTED:
        info->kind = region->kind == TN_REGION_MEMORY ? TARN_ADDRESS_MEMORY : TARN_ADDRESS_IMPORTED;
        info->location = (tarn_location){TARN_LOCATION_DEVICE, region->device};
        info->page_class = region->page_class;
        info->page_bytes = region->page_bytes;
        info->charged_bytes = region->charged;
        break;
    case TN_REGION_HOST:
    case TN_REGION_REGISTERED:
        info->kind = region->kind == TN_REGION_HOST ? TARN_ADDRESS_HOST : TARN_ADDRESS_REGISTERED;
        info->location = (tarn_location){TARN_LOCATION_HOST, 0};
        break;
    }
}

static void describe(struct tn_region *region, tarn_addr addr, tarn_address_info *info) {
    struct tn_interval_entry entry;
    describe_region(region, info);
    if (region->kind == TN_REGION_SPACE) {
        tn_mutex_lock(&region->lock);
        if (tn_interval_find(&region->mappings, addr, &entry)) {
            describe_mapping(&entry, info);
        }
        tn_mutex_unlock(&region->lock);
    }
}

tarn_status tarn_address_query(tarn_addr addr, tarn_address_info *info) {
    tarn_address_info own = {0};
    tn_index_read();
    struct tn_region *region = tn_index_find(addr);
    if (region != NULL) {
        describe(region, addr, &own);
    }
    tn_index_read_done();
    return tn_struct_write(info, &own, sizeof own, "tarn_address_info");
}

// ---- the walk

enum { BATCH = 32 };

// How far a walk has come, and what it has seen and not told yet.
struct walk {
    const struct tn_platform *platform;
    tarn_addr from;   // what begins below has been told, or came too late
    tarn_addr inside; // the reservation told last, 0: none
    size_t count;
    tarn_address_info batch[BATCH];
};

static tarn_address_info *next_info(struct walk *walk) {
    tarn_address_info *info = &walk->batch[walk->count++];
    *info = (tarn_address_info){.struct_size = sizeof *info};
    return info;
}

// The reservation, and those of its mappings that begin at or above `from`, as far as there is
// room. True: that was all of it.
static bool look_into(struct tn_region *region, struct walk *walk) {
    struct tn_interval_entry entry;
    bool more = true;
    if (walk->inside != region->base) {
        describe_region(region, next_info(walk));
        walk->inside = region->base;
    }
    tn_mutex_lock(&region->lock);
    struct tn_interval_cursor at = tn_interval_seek(&region->mappings, walk->from);
    while (walk->count < BATCH && (more = tn_interval_step(&at, &entry))) {
        if (entry.start >= walk->from) {
            describe_mapping(&entry, next_info(walk));
            walk->from = entry.end;
        }
    }
    tn_mutex_unlock(&region->lock);
    return !more;
}

// True: the walk goes on behind the region.
static bool look_at(struct tn_region *region, struct walk *walk) {
    bool known = region->base < walk->from && region->base != walk->inside;
    if (region->platform != walk->platform || known) {
        return true;
    }
    if (region->kind == TN_REGION_SPACE) {
        return look_into(region, walk);
    }
    describe_region(region, next_info(walk));
    return true;
}

static void look(struct walk *walk) {
    struct tn_region *region;
    walk->count = 0;
    tn_index_read();
    while (walk->count < BATCH && (region = tn_index_next(walk->from)) != NULL) {
        if (look_at(region, walk)) {
            walk->from = region->base + region->size;
        }
    }
    tn_index_read_done();
}

tarn_status tarn_address_walk(tarn_device *device, bool (*visit)(const tarn_address_info *, void *),
                              void *arg) {
    tarn_status status = tn_device_usable(device);
    if (status != TARN_OK) {
        return status;
    }
    if (visit == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "visit is NULL");
    }
    struct walk walk = {.platform = device->platform};
    do {
        look(&walk);
        for (size_t i = 0; i < walk.count; i++) {
            if (!visit(&walk.batch[i], arg)) {
                return TARN_OK;
            }
        }
    } while (walk.count != 0);
    return TARN_OK;
}
