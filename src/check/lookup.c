// SPDX-License-Identifier: Apache-2.0
// Finds live heaps and regions by handle, by start and by a byte.
#include "check/model.h"

enum { MAX_HEAPS_AT = 16 }; // heaps around one byte that are considered

// ---- heaps

// Most calls name the heap of the previous one.
struct tn_check_heap *tn_check_heap_by_handle(uint64_t handle) {
    struct tn_check_shard *shard = &tn_check_model.shard[0];
    uint64_t payload = 0;
    if (shard->last == NULL || shard->last->handle != handle || handle == 0) {
        if (!tn_slots_get(&tn_check_model.heap_handles, handle, &payload)) return NULL;
        shard->last = tn_slots_to_pointer(payload);
    }
    return shard->last;
}

// If two ranges are equal, the newer one is the inner one. The spans of a byte come newest first.
static struct tn_check_heap *around_in(struct tn_check_plane *plane,
                                       const struct tn_check_heap_range *range, uint64_t object) {
    struct tn_check_heap *best = NULL;
    struct tn_check_span *span = tn_check_cover_at(&plane->heaps, range->lo);
    for (; span != NULL; span = tn_check_cover_older(span, range->lo)) {
        struct tn_check_heap *heap = tn_check_heap_of_span(span);
        if (heap->hi < range->hi) continue;
        if (object != 0 && heap->object == object) return heap;
        if (best == NULL || tn_check_heap_bytes(heap) < tn_check_heap_bytes(best)) best = heap;
    }
    return best;
}

// Most regions begin in the heap of the previous one.
static bool is_last(const struct tn_check_heap *last, const struct tn_check_heap_range *range,
                    uint64_t object) {
    return last != NULL && last->lo <= range->lo && range->lo < last->hi && range->hi <= last->hi &&
           last->inner == 0 && !last->crossed && (object == 0 || last->object == object) &&
           last->plane->space == range->space && last->plane->device == range->device;
}

struct tn_check_heap *tn_check_heap_around(const struct tn_check_heap_range *range, uint64_t object,
                                           struct tn_check_shard *shard) {
    struct tn_check_heap *best = NULL;
    if (is_last(shard->last, range, object)) return shard->last;
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        struct tn_check_heap *heap =
            tn_check_plane_matches(plane, range) ? around_in(plane, range, object) : NULL;
        if (heap != NULL && (best == NULL || tn_check_heap_bytes(heap) < tn_check_heap_bytes(best)))
            best = heap;
    }
    shard->last = best != NULL ? best : shard->last;
    return best;
}

struct tn_check_heap *tn_check_heap_at_start(const struct tn_check_heap_range *range,
                                             uint64_t object) {
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        struct tn_check_span *span = tn_check_plane_matches(plane, range)
                                         ? tn_check_cover_at(&plane->heaps, range->lo)
                                         : NULL;
        for (; span != NULL; span = tn_check_cover_older(span, range->lo)) {
            struct tn_check_heap *heap = tn_check_heap_of_span(span);
            if (heap->lo == range->lo && (object == 0 || heap->object == object)) return heap;
        }
    }
    return NULL;
}

unsigned tn_check_heaps_at(const struct tn_check_plane *plane, uint64_t address,
                           struct tn_check_heap **found, unsigned max) {
    struct tn_check_heap *all[MAX_HEAPS_AT];
    unsigned count = 0;
    struct tn_check_span *span = tn_check_cover_at(&plane->heaps, address);
    for (; span != NULL && count < MAX_HEAPS_AT; span = tn_check_cover_older(span, address))
        all[count++] = tn_check_heap_of_span(span);
    unsigned kept = 0;
    for (unsigned i = 0; i < count && kept < max; i++) {
        bool innermost = true;
        for (unsigned j = 0; j < count; j++)
            for (const struct tn_check_heap *h = all[j]->outer; h != NULL && innermost;
                 h = h->outer)
                innermost = h != all[i];
        if (innermost) found[kept++] = all[i];
    }
    return kept;
}

// ---- regions

struct tn_check_region *tn_check_region_by_handle(uint64_t handle) {
    uint64_t payload = 0;
    return tn_slots_get(&tn_check_model.region_handles, handle, &payload)
               ? (struct tn_check_region *)tn_slots_to_pointer(payload)
               : NULL;
}

struct tn_check_region *tn_check_region_by_start(uint32_t space, uint64_t address,
                                                 const struct tn_check_domain *domain) {
    const struct tn_check_addresses_part *part =
        tn_check_addresses_take(&tn_check_model.addresses, space, address, false);
    const struct tn_check_address *start = tn_check_addresses_find(part, space, address);
    struct tn_check_region *region = start == NULL ? NULL : start->live;
    while (region != NULL && domain != NULL && region->domain != domain)
        region = region->same_start;
    return region;
}

struct tn_check_region *tn_check_region_in_shard(const struct tn_check_shard *shard, uint32_t space,
                                                 uint64_t address,
                                                 const struct tn_check_domain *domain,
                                                 uint64_t object) {
    bool shared = tn_check_shards_shared();
    struct tn_check_addresses_part *part =
        tn_check_addresses_take(&tn_check_model.addresses, space, address, shared);
    const struct tn_check_address *start = tn_check_addresses_find(part, space, address);
    struct tn_check_region *region = start == NULL ? NULL : start->live;
    while (region != NULL && (region->own || region->domain != domain || region->shard != shard ||
                              region->heap == NULL || region->heap->object != object))
        region = region->same_start;
    tn_check_addresses_give(part, shared);
    return region;
}

static struct tn_check_region *containing_in(const struct tn_check_cover *cover, uint64_t address) {
    struct tn_check_span *span = tn_check_cover_at(cover, address);
    return span == NULL ? NULL : tn_check_region_of_span(span);
}

struct tn_check_region *tn_check_region_containing(uint32_t space, uint64_t address) {
    struct tn_check_heap *heap[8];
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (plane->space != space) continue;
        unsigned count = tn_check_heaps_at(plane, address, heap, 8);
        struct tn_check_region *region = NULL;
        for (unsigned i = 0; i < count && region == NULL; i++)
            region = containing_in(&heap[i]->live, address);
        region = region == NULL ? containing_in(&plane->loose, address) : region;
        if (region != NULL) return region;
    }
    return NULL;
}
