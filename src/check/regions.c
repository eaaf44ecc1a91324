// SPDX-License-Identifier: Apache-2.0
// Regions begin and change here. They end in ends.c. This is the checker's hot path.
#include "check/canary.h"
#include "check/forward.h"
#include "check/seal.h"

// Inserts the region, clipped to its heap, into the heap's cover. A region without a heap goes into
// the cover of the plane.
static void place_region(struct tn_check_call *call, struct tn_check_region *region) {
    struct tn_check_heap *heap = region->heap;
    struct tn_check_span *span = &region->span;
    span->lo = heap != NULL && region->lo < heap->lo ? heap->lo : region->lo;
    span->hi = heap != NULL && region->hi > heap->hi ? heap->hi : region->hi;
    bool has_bytes = span->lo < span->hi;
    bool judged = heap != NULL && (heap->spaced || region->lo < heap->lo || region->hi > heap->hi);
    if (heap != NULL) {
        heap->live_regions++;
        heap->live_bytes += has_bytes ? span->hi - span->lo : 0;
    }
    if (has_bytes && !tn_check_cover_add(heap != NULL ? &heap->live : &region->plane->loose, span))
        tn_check_out_of_memory();
    if (__builtin_expect(judged || span->next != NULL, 0)) tn_check_placement_judge(call, region);
}

void tn_check_region_leave(struct tn_check_region *region) {
    struct tn_check_heap *heap = region->heap;
    bool has_bytes = region->span.lo < region->span.hi;
    if (heap != NULL) {
        heap->live_regions--;
        heap->live_bytes -= has_bytes ? region->span.hi - region->span.lo : 0;
    }
    if (has_bytes)
        tn_check_cover_remove(heap != NULL ? &heap->live : &region->plane->loose, &region->span);
}

static void link_region(struct tn_check_region *region) {
    bool shared = tn_check_shards_shared();
    struct tn_check_addresses_part *part =
        tn_check_addresses_take(&tn_check_model.addresses, region->space, region->lo, shared);
    struct tn_check_address *start = tn_check_addresses_make(part, region->space, region->lo);
    if (start == NULL) tn_check_out_of_memory();
    region->history = start;
    region->generation = ++start->generation;
    region->same_start = start->live;
    start->live = region;
    tn_check_addresses_give(part, shared);
    region->older = region->shard->regions;
    if (region->older != NULL) region->older->newer = region;
    region->shard->regions = region;
}

static bool may_seal(const struct tn_check_region *region,
                     const struct tn_check_region_desc *desc) {
    const struct tn_check_options *options = tn_check_model.options;
    return (options->uninitialised || options->unused) && region->from_event && region->host_can &&
           !region->seen && !desc->written && (!region->ordered || desc->idle) &&
           region->space == 0 && region->lo < region->hi;
}

struct tn_check_region *tn_check_region_begin(struct tn_check_call *call,
                                              const struct tn_check_region_desc *desc) {
    struct tn_check_region *region =
        tn_check_region_record(desc->heap == NULL ? tn_check_shard_for(0) : desc->heap->shard);
    region->lo = desc->lo;
    region->hi = desc->lo + desc->bytes;
    region->taken = desc->taken > desc->bytes ? desc->taken : desc->bytes;
    region->serial = tn_check_call_count(call, &tn_check_model.region_serial);
    region->heap = desc->heap;
    region->heap_serial = desc->heap == NULL ? 0 : desc->heap->serial;
    region->domain = desc->domain;
    region->space = desc->space;
    region->device = desc->device;
    region->begun = call->by;
    region->step = tn_check_model.step;
    region->permission = TN_CHECK_MAY_ALL;
    region->from_event = desc->from_event;
    region->host_can = desc->host_can;
    region->seen = desc->seen;
    region->ordered = desc->ordered;
    region->own = desc->own;
    region->name = desc->name == NULL ? NULL : tn_check_intern(desc->name);
    region->plane =
        desc->heap == NULL ? tn_check_plane_make(desc->space, desc->device) : desc->heap->plane;
    if (desc->own && desc->heap != NULL && region->taken > desc->bytes) desc->heap->spaced = true;
    link_region(region);
    place_region(call, region);
    region->shard->counts.live++;
    region->shard->counts.total++;
    region->shard->counts.live_bytes += desc->bytes;
    struct tn_check_model *m = &tn_check_model;
    if (desc->written) {
        tn_check_written_add(&region->written, region->lo, region->hi);
    } else if (!desc->from_event && m->last_written.call_number != 0 &&
               m->last_written.call_number + 1 == call->call_number &&
               m->last_written.thread == call->by.thread && m->last_written.lo == region->lo &&
               m->last_written.space == region->space) {
        // A client may resize a region without a call for it: it ends the region, and its next call
        // begins another at the same address. The written bytes are kept for that case.
        region->written = m->last_written.written;
        m->last_written.written = (struct tn_check_written){0};
        m->last_written.call_number = 0;
    }
    if (tn_check_canary_enabled()) tn_check_canary_region_begin(call, region);
    region->sealed =
        may_seal(region, desc) && tn_check_seal_write(call, region, region->lo, region->hi);
    return region;
}

uint64_t tn_check_region_handle(struct tn_check_region *region) {
    if (region->handle == 0 &&
        tn_slots_insert(&tn_check_model.region_handles, tn_slots_from_pointer(region),
                        &region->handle) != TARN_OK)
        tn_check_out_of_memory();
    return region->handle;
}

void tn_check_region_resize(struct tn_check_call *call, struct tn_check_region *region,
                            uint64_t bytes) {
    tn_check_canary_remove(call, region);
    tn_check_region_leave(region);
    region->shard->counts.live_bytes += bytes - tn_check_region_bytes(region);
    region->hi = region->lo + bytes;
    region->taken = region->taken > bytes ? region->taken : bytes;
    place_region(call, region);
}

void tn_check_region_permit(struct tn_check_call *call, struct tn_check_region *region,
                            uint32_t flags) {
    region->permission = (uint8_t)(flags & TN_CHECK_MAY_ALL);
    region->permitted = call->by;
    tn_check_forward_region(TN_MEM_PERMISSION, region, region->permission);
}
