// SPDX-License-Identifier: Apache-2.0
// See retire.h.
#include "core/address/retire.h"

#include "base/error.h"
#include "core/address/notify.h"

// The backend has freed the region, which has left the index.
static void finish_region(struct tn_region *region) {
    struct tn_platform *platform = region->platform;
    tn_region_free(region);
    uint64_t before = tn_sub_acq_rel(&platform->in_backend, 1);
    TARN_ASSERT(before != 0);
    (void)before;
}

static void free_in_backend(const struct tn_region *region) {
    struct tn_platform *platform = region->platform;
    void *ptr = (void *)(uintptr_t)region->base;
    TARN_ASSERT(tn_interval_count(&region->mappings) == 0);
    switch (region->kind) {
    case TN_REGION_SPACE: platform->ops->release(platform->p, region->base, region->bytes); break;
    case TN_REGION_MEMORY:
        platform->ops->memory_free(platform->p, region->device, region->base);
        break;
    case TN_REGION_IMPORTED:
        platform->ops->memory_close(platform->p, region->device, region->base);
        break;
    case TN_REGION_HOST: platform->ops->host_free(platform->p, ptr, region->bytes); break;
    case TN_REGION_REGISTERED:
        platform->ops->host_unregister(platform->p, ptr, region->bytes);
        break;
    }
}

tarn_status tn_region_publish(struct tn_region *region, uint32_t flags, const char *call) {
    tarn_status status = tn_index_insert(region);
    if (status != TARN_OK) {
        free_in_backend(region);
        tn_region_free(region);
    } else if (tn_subscribed()) {
        tn_emit_region(TN_MEM_RESOURCE_BEGIN, region, flags, call);
    }
    return status;
}

void tn_region_abandon(enum tn_region_kind kind, tarn_addr addr) {
    struct tn_region *region = NULL;
    if (tn_index_remove(kind, NULL, addr, 0, &region) == TARN_OK) finish_region(region);
}

// Waits for the work that may use the region, without any lock held. All devices of the platform
// may have been given access. With `no_wait`, checks only that the backend need not wait.
static tarn_status wait_for_work(enum tn_region_kind kind, const struct tn_owner *owner,
                                 tarn_addr addr, bool no_wait) {
    tn_index_read();
    const struct tn_region *region = tn_index_find(addr);
    tarn_status status = tn_region_check(region, kind, owner, addr);
    struct tn_platform *platform = status == TARN_OK ? region->platform : NULL;
    tn_index_read_done();
    if (status != TARN_OK) return status;
    if (no_wait) return tn_platform_may_take_away(platform);
    status = tn_platform_may_wait(platform);
    if (status == TARN_OK) tn_platform_synchronize(platform, UINT32_MAX, true);
    return status;
}

tarn_status tn_retire(enum tn_region_kind kind, const struct tn_owner *owner, tarn_addr addr,
                      uint64_t bytes, uint32_t flags, const char *call) {
    struct tn_region *region = NULL;
    bool no_wait = (flags & TARN_NO_WAIT) != 0;
    tarn_status status =
        kind == TN_REGION_SPACE ? TARN_OK : wait_for_work(kind, owner, addr, no_wait);
    if (status == TARN_OK) status = tn_index_remove(kind, owner, addr, bytes, &region);
    if (status != TARN_OK) return tn_refused(status, call, addr, bytes, 0);
    if (tn_subscribed())
        tn_emit_region(TN_MEM_RESOURCE_END, region, no_wait ? TN_MEM_UNWAITED : 0, call);
    free_in_backend(region);
    finish_region(region);
    return TARN_OK;
}

// ---- by address alone

// The facts about the region or owner at an address that tarn_free() needs.
struct place {
    enum tn_region_kind kind;
    struct tn_owner *owner; // held, or NULL
};

static tarn_status find_place(tarn_addr addr, struct place *place) {
    tn_index_read();
    const struct tn_region *region = tn_index_find(addr);
    bool found =
        region != NULL && region->kind != TN_REGION_SPACE && region->kind != TN_REGION_REGISTERED;
    bool owned = region != NULL && region->owner != NULL;
    if (found || owned) *place = (struct place){region->kind, region->owner};
    if (owned) tn_owner_hold(region->owner);
    tn_index_read_done();
    return found || owned ? TARN_OK
                          : tn_fail(TARN_BAD_ADDRESS, "0x%llx is in no memory that can be freed",
                                    (unsigned long long)addr);
}

tarn_status tarn_free(tarn_addr addr, uint32_t flags) {
    TN_REFUSE((flags & ~TARN_NO_WAIT) != 0, TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    if (addr == 0) return TARN_OK;
    struct place place = {TN_REGION_SPACE, NULL};
    tarn_status status = find_place(addr, &place);
    if (status != TARN_OK) return TN_DONE(tn_refused(status, "tarn_free", addr, 0, 0));
    if (place.owner == NULL)
        return TN_DONE(tn_retire(place.kind, NULL, addr, 0, flags, "tarn_free"));
    status = place.owner->ops->free_block != NULL ? place.owner->ops->free_block(place.owner, addr)
                                                  : tn_region_refuse(addr);
    tn_owner_put(place.owner);
    return TN_DONE(status);
}
