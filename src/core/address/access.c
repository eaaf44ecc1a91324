// SPDX-License-Identifier: Apache-2.0
// Rights to mapped memory. A call validates all grants, changes the backend, and then the records.
// If the backend fails after some changes, they are undone.
#include "core/address/map.h"
#include "core/platform/notify.h"
#include "fail/point.h"

// Checks the path to every device that owns memory of the range.
static tarn_status check_paths(const struct tn_region *region, const struct tn_run *run,
                               const tarn_grant *grant) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = run->first;
    tarn_location known = {0};
    while (tn_run_step(run, &at, &entry)) {
        tarn_location owner = tn_mapping_of(&entry)->phys->info.location;
        if (owner.type == known.type && owner.id == known.id) continue;
        TN_TRY(tn_access_check_path(region->platform, owner, grant));
        known = owner;
    }
    return TARN_OK;
}

static tarn_status check_grants(const struct tn_region *region, const struct tn_run *run,
                                const tarn_grant *grants, size_t count) {
    for (size_t i = 0; i < count; i++) {
        TN_TRY(tn_access_check_grant(region->platform, &grants[i]));
        TN_TRY(check_paths(region, run, &grants[i]));
    }
    return TARN_OK;
}

// ---- change

static tarn_status change_rights(struct tn_region *region, tarn_addr addr, uint64_t bytes,
                                 const tarn_grant *grants, size_t count) {
    struct tn_platform *platform = region->platform;
    TN_TRY(platform->ops->set_access(platform->p, addr, bytes, grants, count));
    TN_COUNT(platform, access_calls, 1);
    return TARN_OK;
}

// Makes one call for each mapping. If one fails, the mappings before it get their recorded rights
// back. The backend accepted them before, so another failure means that the device is lost.
static tarn_status change_each(struct tn_region *region, const struct tn_run *run,
                               const tarn_grant *grants, size_t count) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = run->first;
    tarn_status status = TARN_OK;
    tarn_addr failed = 0;
    while (status == TARN_OK && tn_run_step(run, &at, &entry)) {
        status = change_rights(region, entry.start, entry.end - entry.start, grants, count);
        failed = entry.start;
    }
    if (status != TARN_OK) {
        at = run->first;
        while (tn_interval_step(&at, &entry) && entry.start < failed) {
            for (size_t i = 0; i < count; i++) {
                tarn_grant old = grants[i];
                old.access = tn_rights_get(tn_mapping_of(&entry)->rights, old.location);
                (void)change_rights(region, entry.start, entry.end - entry.start, &old, 1);
            }
        }
    }
    return status;
}

static void record_rights(const struct tn_run *run, const tarn_grant *grants, size_t count) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = run->first;
    while (tn_run_step(run, &at, &entry)) {
        struct tn_mapping *mapping = tn_mapping_of(&entry);
        for (size_t i = 0; i < count; i++)
            mapping->rights = tn_rights_set(mapping->rights, grants[i].location, grants[i].access);
        TARN_ASSERT(tn_rights_get(mapping->rights, grants[count - 1].location) ==
                    grants[count - 1].access); // of two grants to a location the later one counts
    }
}

static tarn_status set_entered(struct tn_region *region, tarn_addr addr, uint64_t bytes,
                               const tarn_grant *grants, size_t count) {
    struct tn_run run;
    TARN_ASSERT(tn_mutex_is_held(&region->lock) && count != 0);
    tarn_status status = tn_map_find_run(region, addr, bytes, &run);
    if (status == TARN_OK) status = check_grants(region, &run, grants, count);
    if (status == TARN_OK) {
        bool at_once = run.count == 1 || tn_map_spans(region);
        status = at_once ? change_rights(region, addr, bytes, grants, count)
                         : change_each(region, &run, grants, count);
    }
    if (status == TARN_OK) record_rights(&run, grants, count);
    return status;
}

// ---- refusals

// The call names memory that is not mapped. `region` is the reservation around it, or NULL.
static void emit_refusal(const struct tn_region *region, tarn_addr addr, uint64_t bytes) {
    unsigned why = region != NULL ? TN_MEM_REFUSAL_UNMAPPED : TN_MEM_REFUSAL_RELEASED;
    struct tn_interval_entry entry;
    tarn_addr hole = addr;
    while (region != NULL && tn_interval_find(&region->mappings, hole, &entry)) hole = entry.end;
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS_REFUSED, .what = (uint16_t)why, .device = -1,
                    .addr = addr, .bytes = bytes, .other = hole, .name = "tarn_map_set_access");
    tn_emit_place(region != NULL ? region->platform : NULL, &event);
    tn_emit(&event);
}

// Other memory that is alive, such as a pool's, is an ordinary error.
static void emit_unknown(tarn_addr addr, uint64_t bytes) {
    tn_index_read();
    bool live = tn_index_find(addr) != NULL;
    tn_index_read_done();
    if (!live && addr != 0 && bytes != 0) emit_refusal(NULL, addr, bytes);
}

// ---- entries

tarn_status tn_owner_set_access(struct tn_owner *owner, tarn_addr addr, uint64_t bytes,
                                const tarn_grant *grants, size_t count) {
    TN_REFUSE(grants == NULL || count == 0, TARN_BAD_ARGUMENT, "%s",
              grants == NULL ? "grants is NULL" : "count is 0");
    struct tn_region *region = NULL;
    tarn_status status = tn_map_enter(owner, addr, bytes, &region);
    if (status != TARN_OK) {
        if (status == TARN_BAD_ADDRESS && owner == NULL && tn_subscribed())
            emit_unknown(addr, bytes);
        return status;
    }
    status = set_entered(region, addr, bytes, grants, count);
    if (status == TARN_NOT_MAPPED && owner == NULL && tn_subscribed())
        emit_refusal(region, addr, bytes);
    tn_map_leave(region);
    return status;
}

tarn_status tarn_map_set_access(tarn_addr addr, uint64_t bytes, const tarn_grant *grants,
                                size_t count) {
    TN_FAIL_POINT(addr, bytes);
    return TN_DONE(tn_owner_set_access(NULL, addr, bytes, grants, count));
}
