// SPDX-License-Identifier: Apache-2.0
// Queries by address, and the walk over all addresses of a platform. The walk collects a few
// entries at a time and visits them without any lock held, so that the visitor may call the
// library.
#include <tarn/face.h>

#include "base/error.h"
#include "base/struct.h"
#include "core/address/map.h"
#include "core/address/range.h"

static uint64_t locations_allowed(const struct tn_platform *platform, tn_rights rights,
                                  tarn_access need) {
    tarn_access host = tn_rights_get(rights, (tarn_location){TARN_LOCATION_HOST, 0});
    uint64_t allowed = (host & need) == (unsigned)need ? TARN_ADDRESS_BY_HOST : 0;
    for (int i = 0; i < platform->device_count; i++)
        allowed |= tn_rights_allow(rights, i, need) ? UINT64_C(1) << i : 0;
    return allowed;
}

// Also sets the fields that the region has set: a mapping lies in a reservation.
static void describe_mapping(struct tn_platform *platform, const struct tn_interval_entry *entry,
                             tarn_address_info *info) {
    const struct tn_mapping *mapping = tn_mapping_of(entry);
    const struct tn_phys *phys = mapping->phys;
    TARN_ASSERT(phys->platform == platform); // no mapping is of memory of another platform
    info->kind = TARN_ADDRESS_MAPPED;
    info->base = entry->start;
    info->bytes = entry->end - entry->start;
    info->location = phys->info.location;
    info->phys = phys->id;
    info->page_class = phys->info.page_class;
    info->page_bytes = phys->info.page_bytes;
    if (phys->info.location.type == TARN_LOCATION_DEVICE)
        info->device = &platform->devices[phys->info.location.id];
    info->readable = locations_allowed(platform, mapping->rights, TARN_ACCESS_READ);
    info->writable = locations_allowed(platform, mapping->rights, TARN_ACCESS_READ_WRITE);
}

static void describe_memory(const struct tn_region *region, tarn_address_info *info) {
    struct tn_platform *platform = region->platform;
    TARN_ASSERT(region->device >= 0 && region->device < platform->device_count);
    info->location = (tarn_location){TARN_LOCATION_DEVICE, region->device};
    info->page_class = region->page_class;
    info->page_bytes = region->page_bytes;
    info->charged_bytes = region->charged;
    info->device = &platform->devices[region->device];
    // The device itself, and those that it is enabled as a peer for.
    info->readable = UINT64_C(1) << region->device;
    for (int i = 0; i < platform->device_count; i++) {
        uint32_t peers = tn_load_relaxed(&platform->devices[i].peers);
        info->readable |= (uint64_t)(peers >> region->device & 1u) << i;
    }
    info->writable = info->readable;
}

static void describe_host(const struct tn_region *region, tarn_address_info *info) {
    struct tn_platform *platform = region->platform;
    info->location = (tarn_location){TARN_LOCATION_HOST, 0};
    info->pin_class = (tarn_pin_class)tn_load_relaxed(&region->pin_class);
    if (region->kind == TN_REGION_HOST) info->device = &platform->devices[region->device];
    info->readable = ((UINT64_C(1) << platform->device_count) - 1) | TARN_ADDRESS_BY_HOST;
    info->writable = info->readable;
}

static tarn_address_kind kind_of(const struct tn_region *region) {
    static const tarn_address_kind kinds[] = {
        [TN_REGION_SPACE] = TARN_ADDRESS_RESERVED,
        [TN_REGION_MEMORY] = TARN_ADDRESS_MEMORY,
        [TN_REGION_HOST] = TARN_ADDRESS_HOST,
        [TN_REGION_REGISTERED] = TARN_ADDRESS_REGISTERED,
        [TN_REGION_IMPORTED] = TARN_ADDRESS_IMPORTED,
    };
    return kinds[region->kind];
}

static tarn_owner owner_of(const struct tn_region *region) {
    return region->owner != NULL               ? region->owner->kind
           : tn_load_relaxed(&region->of_face) ? TARN_OWNER_FACE
                                               : TARN_OWNER_APPLICATION;
}

// Fills all fields except those about the mappings of a reservation and the blocks of a pool.
static void describe_region(const struct tn_region *region, tarn_address_info *info) {
    info->base = region->base;
    info->bytes = region->bytes;
    info->region_base = region->base;
    info->region_bytes = region->bytes;
    info->user = tn_load_relaxed(&region->user);
    info->owner = owner_of(region);
    info->kind = kind_of(region);
    if (tn_region_is_host(region))
        describe_host(region, info);
    else if (region->kind != TN_REGION_SPACE)
        describe_memory(region, info);
}

// Returns the owner that knows more about addr, held, or NULL.
static struct tn_owner *describe_live(struct tn_region *region, tarn_addr addr,
                                      tarn_address_info *info) {
    struct tn_interval_entry entry;
    describe_region(region, info);
    if (region->kind == TN_REGION_SPACE) {
        TN_LOCKED(&region->lock);
        if (tn_interval_find(&region->mappings, addr, &entry))
            describe_mapping(region->platform, &entry, info);
    }
    if (region->owner != NULL) tn_owner_hold(region->owner);
    return region->owner;
}

// The same for an address in no live region. Writes whether the library must drop the history of a
// region that was there.
static struct tn_owner *describe_other(tarn_addr addr, tarn_address_info *info, bool *reused) {
    struct tn_interval_entry range;
    struct tn_owner *owner = tn_index_find_range(addr, &range);
    if (owner == NULL) {
        enum tn_range_history history =
            addr != UINT64_MAX ? tn_range_classify(addr, addr + 1) : TN_RANGE_NEVER;
        *reused = history == TN_RANGE_REUSED;
        if (history == TN_RANGE_RETIRED) {
            bool host = tn_index_was_host(addr);
            info->kind = TARN_ADDRESS_RETIRED;
            info->location.type = host ? TARN_LOCATION_HOST : TARN_LOCATION_DEVICE;
        }
        return NULL;
    }
    info->kind = TARN_ADDRESS_ARENA;
    info->base = info->region_base = range.start;
    info->bytes = info->region_bytes = range.end - range.start;
    info->location = (tarn_location){TARN_LOCATION_HOST, 0};
    info->owner = owner->kind;
    info->readable = info->writable = TARN_ADDRESS_BY_HOST;
    tn_owner_hold(owner);
    return owner;
}

tarn_status tarn_address_query(tarn_addr addr, tarn_address_info *info) {
    tarn_address_info own = {0};
    bool reused = false;
    struct tn_reader *reader = tn_index_peek();
    struct tn_region *region = tn_index_peek_find(reader, addr);
    struct tn_owner *owner =
        region != NULL ? describe_live(region, addr, &own) : describe_other(addr, &own, &reused);
    tn_index_peek_done(reader);
    if (reused) tn_index_forget(addr, addr + 1);
    if (owner != NULL) {
        if (owner->ops->describe != NULL) owner->ops->describe(owner, addr, &own);
        tn_owner_put(owner);
    }
    return TN_DONE(tn_struct_write(info, &own, sizeof own, "tarn_address_info"));
}

// ---- the smallest piece

static void find_mapping(struct tn_region *space, tarn_addr addr, tarn_address_block *block) {
    struct tn_interval_entry entry;
    TN_LOCKED(&space->lock);
    if (tn_interval_find(&space->mappings, addr, &entry)) {
        const struct tn_phys *phys = tn_mapping_of(&entry)->phys;
        block->kind = TARN_ADDRESS_MAPPED;
        block->start = entry.start;
        block->bytes = entry.end - entry.start;
        block->location = phys->info.location;
        block->phys = phys->id;
    }
}

// Fills the fields that the index itself knows. Returns the owner that knows its block, held, or
// NULL. *all is false if only tarn_address_query() can answer.
static struct tn_owner *find_piece(struct tn_reader *reader, tarn_addr addr,
                                   tarn_address_block *block, bool *all) {
    bool nothing = tn_index_peek_nothing(reader, addr, addr + 1);
    struct tn_region *region = nothing ? NULL : tn_index_peek_find(reader, addr);
    struct tn_interval_entry range;
    if (region == NULL) {
        *all = nothing || (tn_index_find_range(addr, &range) == NULL && addr != UINT64_MAX &&
                           !tn_index_was_region(addr, addr + 1));
        if (*all && !nothing) tn_index_keep_nothing(reader, addr);
        return NULL;
    }
    struct tn_owner *owner = region->owner;
    *all = owner == NULL || owner->ops->find != NULL;
    if (!*all) return NULL;
    block->kind = kind_of(region);
    block->owner = owner_of(region);
    if (tn_region_is_host(region))
        block->location.type = TARN_LOCATION_HOST;
    else if (region->kind != TN_REGION_SPACE)
        block->location = (tarn_location){TARN_LOCATION_DEVICE, region->device};
    if (owner != NULL) {
        tn_index_hold(reader, owner);
        return owner;
    }
    block->start = region->base;
    block->bytes = region->bytes;
    block->user = tn_load_relaxed(&region->user);
    if (region->kind == TN_REGION_SPACE) find_mapping(region, addr, block);
    return NULL;
}

static void find_by_query(tarn_addr addr, tarn_address_block *block) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(addr, &info);
    bool in_block = info.block != 0 || info.owner == TARN_OWNER_POOL;
    block->kind = info.kind;
    block->owner = info.owner;
    block->start = in_block ? info.block : info.base;
    block->bytes = in_block ? info.block_bytes : info.bytes;
    block->user = in_block ? info.block_user : info.user;
    block->location = info.location;
    block->phys = info.phys;
    block->pool_user = info.pool_user;
    block->stream = info.block_stream;
}

// Fills the caller's struct in place if it has all fields: copying it would take as long as the
// look-up.
tarn_status tarn_address_find(tarn_addr addr, tarn_address_block *block) {
    tarn_address_block own;
    bool in_place = block != NULL && block->struct_size >= sizeof own;
    tarn_address_block *out = in_place ? block : &own;
    bool all;
    *out = (tarn_address_block){.struct_size = in_place ? block->struct_size : sizeof own};
    struct tn_reader *reader = tn_index_peek();
    struct tn_owner *owner = find_piece(reader, addr, out, &all);
    tn_index_peek_done(reader);
    if (owner != NULL) {
        owner->ops->find(owner, addr, out);
        tn_index_put(reader, owner);
    }
    if (!all) find_by_query(addr, out);
    return TN_DONE(in_place ? TARN_OK
                            : tn_struct_write(block, &own, sizeof own, "tarn_address_block"));
}

// ---- the owner's word

// Sets the word of the region that starts at addr, and with `mark` whether it belongs to a face. If
// addr is in a region of an owner with blocks, *owner is that owner, held, and nothing is set.
static tarn_status set_region_word(tarn_addr addr, uint64_t user, const bool *mark,
                                   struct tn_owner **owner) {
    tarn_status status = TARN_OK;
    struct tn_reader *reader = tn_index_peek();
    struct tn_region *region = tn_index_find(addr);
    if (region != NULL && region->owner != NULL && region->owner->ops->set_user != NULL) {
        *owner = region->owner;
        tn_owner_hold(*owner);
    } else if (region == NULL || region->owner != NULL || region->base != addr) {
        status = tn_fail(TARN_BAD_ADDRESS, "0x%llx is not the start of a region",
                         (unsigned long long)addr);
    } else {
        status = tn_platform_usable(region->platform);
        if (status == TARN_OK) tn_store_relaxed(&region->user, user);
        if (status == TARN_OK && mark != NULL) tn_store_relaxed(&region->of_face, *mark);
    }
    tn_index_peek_done(reader);
    return status;
}

tarn_status tarn_address_set_user(tarn_addr addr, uint64_t user) {
    struct tn_owner *owner = NULL;
    tarn_status status = set_region_word(addr, user, NULL, &owner);
    if (owner != NULL) {
        status = owner->ops->set_user(owner, addr, user);
        tn_owner_put(owner);
    }
    return TN_DONE(status);
}

tarn_status tarn_address_set_owner(tarn_addr addr, tarn_owner owner, uint64_t user) {
    struct tn_owner *pool = NULL;
    bool of_face = owner == TARN_OWNER_FACE;
    TN_REFUSE(!of_face && owner != TARN_OWNER_APPLICATION, TARN_BAD_ARGUMENT,
              "owner %d is not APPLICATION or FACE", (int)owner);
    tarn_status status = set_region_word(addr, user, &of_face, &pool);
    if (pool != NULL) {
        tn_owner_put(pool);
        return TN_DONE(
            tn_fail(TARN_BAD_ADDRESS, "0x%llx belongs to a pool", (unsigned long long)addr));
    }
    return TN_DONE(status);
}

// ---- the walk

enum { BATCH = 32 };

// The progress of a walk, and the entries that it has collected and not visited yet.
struct walk {
    const struct tn_platform *platform;
    tarn_addr from;   // entries that begin below are visited, or appeared too late
    tarn_addr inside; // the reservation collected last, or 0
    size_t count;
    tarn_address_info batch[BATCH];
};

static tarn_address_info *next_info(struct walk *walk) {
    TARN_ASSERT(walk->count < BATCH);
    tarn_address_info *info = &walk->batch[walk->count++];
    *info = (tarn_address_info){.struct_size = sizeof *info};
    return info;
}

// Collects a reservation and its mappings that begin at or above `from`, until the room is used up.
// Returns true if it has collected all of them.
static bool collect_space(struct tn_region *region, struct walk *walk) {
    struct tn_interval_entry entry;
    bool more = true;
    if (walk->inside != region->base) {
        describe_region(region, next_info(walk));
        walk->inside = region->base;
    }
    TN_LOCKED(&region->lock);
    struct tn_interval_cursor at = tn_interval_seek(&region->mappings, walk->from);
    while (walk->count < BATCH && (more = tn_interval_step(&at, &entry))) {
        TARN_ASSERT(entry.end - region->base <= region->bytes);
        if (entry.start >= walk->from) {
            tarn_address_info *entry_info = next_info(walk);
            describe_region(region, entry_info);
            describe_mapping(region->platform, &entry, entry_info);
            walk->from = entry.end;
        }
    }
    return !more;
}

// Returns true if the walk continues after the region.
static bool collect_region(struct tn_region *region, struct walk *walk) {
    bool known = region->base < walk->from && region->base != walk->inside;
    if (region->platform != walk->platform || known) return true;
    if (region->kind == TN_REGION_SPACE) return collect_space(region, walk);
    describe_region(region, next_info(walk));
    return true;
}

static void collect_batch(struct walk *walk) {
    struct tn_region *region;
    walk->count = 0;
    tn_index_read();
    while (walk->count < BATCH && (region = tn_index_next(walk->from)) != NULL)
        if (collect_region(region, walk)) walk->from = region->base + region->bytes;
    tn_index_read_done();
}

tarn_status tarn_address_walk(tarn_device *device, bool (*visit)(const tarn_address_info *, void *),
                              void *arg) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(visit == NULL, TARN_BAD_ARGUMENT, "visit is NULL");
    struct walk walk = {.platform = device->platform};
    do {
        collect_batch(&walk);
        for (size_t i = 0; i < walk.count; i++)
            if (!visit(&walk.batch[i], arg)) return TARN_OK;
    } while (walk.count != 0);
    return TARN_OK;
}
