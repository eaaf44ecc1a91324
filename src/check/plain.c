// SPDX-License-Identifier: Apache-2.0
// Plain memory. Its records are those of regions, but no list or cover contains them.
#include "check/options.h"
#include "check/seal.h"

static struct tn_check_plain *space_of(uint32_t space) {
    struct tn_check_plain *plain = tn_check_model.plain;
    while (plain != NULL && plain->space != space) plain = plain->next;
    return plain;
}

static struct tn_check_plain *make_space(uint32_t space) {
    struct tn_check_plain *plain = space_of(space);
    if (plain == NULL) {
        plain = tn_check_allocate(sizeof *plain);
        plain->space = space;
        tn_interval_init(&plain->map);
        plain->next = tn_check_model.plain;
        tn_check_model.plain = plain;
    }
    return plain;
}

static void free_record(struct tn_check_region *region) {
    tn_check_written_fini(&region->written);
    region->end = TN_CHECK_END_CALL;
    tn_check_region_discard(region);
}

void tn_check_plain_begin(struct tn_check_call *call, const struct tn_check_plain_desc *desc) {
    uint64_t hi = desc->lo + desc->bytes;
    if (desc->lo >= hi) return;
    struct tn_check_region *region = tn_check_region_record(tn_check_shard_for(0));
    region->lo = desc->lo;
    region->hi = hi;
    region->taken = desc->bytes;
    region->serial = tn_check_call_count(call, &tn_check_model.region_serial);
    region->space = desc->space;
    region->device = desc->device;
    region->array = desc->array;
    region->name = desc->array ? "device array" : NULL;
    region->begun = call->by;
    region->from_event = true;
    region->host_can = desc->host_can;
    region->seen = desc->seen || tn_check_model.options->told_only;
    tn_check_plain_end(call, desc->space, desc->lo); // its end may have had no event
    if (tn_interval_insert(&make_space(desc->space)->map, desc->lo, hi,
                           tn_slots_from_pointer(region)) != TARN_OK) {
        free_record(region);
        return;
    }
    if (desc->written) {
        tn_check_written_add(&region->written, region->lo, region->hi);
    } else if (!region->seen && region->host_can && region->space == 0 &&
               tn_check_model.options->uninitialised) {
        // Memory that CPUs cannot access, and kernels neither, is written by emitted work alone.
        region->sealed = tn_check_seal_write(call, region, region->lo, region->hi);
        region->seen = !region->sealed && desc->soft && tn_check_seal_is_hidden(region);
    }
}

void tn_check_plain_end(struct tn_check_call *call, uint32_t space, uint64_t lo) {
    struct tn_check_plain *plain = space_of(space);
    struct tn_interval_entry entry;
    (void)call;
    if (plain != NULL && tn_interval_remove(&plain->map, lo, &entry))
        free_record(tn_slots_to_pointer(entry.value));
}

void tn_check_plain_request(struct tn_check_call *call, uint32_t space, uint64_t lo,
                            uint64_t bytes) {
    struct tn_check_region *region = tn_check_plain_at(space, lo);
    if (region == NULL || region->lo != lo || bytes >= region->hi - lo) return;
    region->hi = lo + bytes;
    if (region->sealed && !tn_check_written_touches(&region->written, lo, lo + region->taken))
        region->sealed = tn_check_seal_write(call, region, lo, region->hi); // the last seal moves
}

struct tn_check_region *tn_check_plain_at(uint32_t space, uint64_t address) {
    struct tn_check_plain *plain = space_of(space);
    struct tn_interval_entry entry;
    return plain != NULL && tn_interval_find(&plain->map, address, &entry)
               ? tn_slots_to_pointer(entry.value)
               : NULL;
}

void tn_check_plain_mark(uint32_t space, uint64_t lo, uint64_t hi) {
    struct tn_check_plain *plain = space_of(space);
    struct tn_interval_entry entry;
    for (uint64_t at = lo;
         plain != NULL && at < hi && tn_interval_next(&plain->map, at, &entry) && entry.start < hi;
         at = entry.end) {
        struct tn_check_region *region = tn_slots_to_pointer(entry.value);
        tn_check_written_add(&region->written, lo > entry.start ? lo : entry.start,
                             hi < entry.end ? hi : entry.end);
    }
}
