// SPDX-License-Identifier: Apache-2.0
// Copies records of the model into reports. A report refers only to objects that are never freed:
// interned names, and stacks in the depot.
#include "check/describe.h"

#include <inttypes.h>
#include <string.h>

void tn_check_describe_origin(struct tn_check_report *report, const char *role,
                              const struct tn_check_origin *who) {
    if (who->event != 0) {
        bool again = report->stack_count != 0 && strcmp(role, "freed") == 0 &&
                     strcmp(report->stacks[0].role, role) == 0;
        tn_check_report_add_stack(report, again ? "first freed" : role, who->thread, who->stack);
    }
}

static void fill_region(struct tn_check_report_region *out, const struct tn_check_region *region,
                        uint64_t address) {
    out->serial = region->serial;
    out->lo = region->lo;
    out->hi = region->hi;
    out->requested = region->from_event ? region->hi - region->lo : 0;
    out->name = region->name;
    out->generation = region->generation;
    out->ended = region->end != TN_CHECK_END_NOT;
    out->age = out->ended ? tn_load_relaxed(&tn_check_model.events) - region->ended.event : 0;
    bool before = address < region->lo;
    bool after = address >= region->hi && address != region->lo;
    out->side = before ? TN_CHECK_SIDE_BEFORE : after ? TN_CHECK_SIDE_AFTER : TN_CHECK_SIDE_INSIDE;
    out->distance = before  ? region->lo - address
                    : after ? address - region->hi
                            : address - region->lo;
}

void tn_check_describe_new_heap(struct tn_check_report *report, const struct tn_check_heap *heap) {
    struct tn_check_report_heap *out = &report->heap;
    out->serial = heap->serial;
    out->lo = heap->lo;
    out->hi = heap->hi;
    out->name = heap->name;
    out->domain = heap->domain->name;
    out->live_bytes = heap->live_bytes;
}

static void describe_at(struct tn_check_report *report, const struct tn_check_region *region,
                        uint64_t address) {
    report->addr = report->addr == 0 ? address : report->addr;
    fill_region(&report->region, region, address);
    report->device = region->device;
    const struct tn_check_heap *heap = tn_check_heap_by_serial(region->heap_serial);
    if (heap != NULL && report->heap.serial == 0) tn_check_describe_new_heap(report, heap);
}

void tn_check_describe_new_region(struct tn_check_report *report,
                                  const struct tn_check_region *region) {
    describe_at(report, region, region->lo);
}

void tn_check_describe_region(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address) {
    describe_at(report, region, address);
    tn_check_describe_origin(report, "allocated", &region->begun);
    tn_check_describe_origin(report, "freed", &region->ended);
}

void tn_check_describe_second(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address) {
    fill_region(&report->second, region, address);
    if (region->end != TN_CHECK_END_NOT)
        tn_check_describe_origin(report, "freed", &region->ended);
    else
        tn_check_describe_origin(report, "allocated", &region->begun);
}

void tn_check_describe_heap(struct tn_check_report *report, const struct tn_check_heap *heap) {
    tn_check_describe_new_heap(report, heap);
    report->device = heap->device;
    tn_check_describe_origin(report, "registered", &heap->begun);
}

void tn_check_describe_resource(struct tn_check_text *text, const char *lead,
                                const struct tn_check_resource *resource) {
    tn_check_text_add(text, ", %s a %s of %" PRIu64 " byte(s) at 0x%" PRIx64, lead,
                      tn_check_resource_name(resource), resource->requested, resource->addr);
}

// Drops stacks from `before` on if the report already has a stack in that role. For rules outside the
// model the free that the report is about is the first one.
static void drop_repeated_roles(struct tn_check_report *report, unsigned before) {
    unsigned kept = before;
    for (unsigned i = before; i < report->stack_count; i++) {
        const char *role = report->stacks[i].role;
        bool repeated = false;
        for (unsigned j = 0; j < kept; j++)
            repeated =
                repeated || strcmp(report->stacks[j].role, role) == 0 ||
                (strcmp(report->stacks[j].role, "freed") == 0 && strcmp(role, "first freed") == 0);
        if (!repeated) report->stacks[kept++] = report->stacks[i];
    }
    report->stack_count = kept;
}

// Returns false if the address is in no live resource.
static bool describe_place_in_resource(struct tn_check_report *report, uint32_t space,
                                       uint64_t address) {
    struct tn_check_resource live;
    struct tn_check_resource ended;
    struct tn_check_text text = {report->what, strlen(report->what), sizeof report->what};
    tn_check_resource_find(space, address, &live, &ended);
    if (live.what != 0) {
        tn_check_describe_resource(&text, "in", &live);
        tn_check_report_add_stack(report, "allocated", live.began_thread, live.began);
    }
    return live.what != 0;
}

static bool has_live_heap(const struct tn_check_region *region) {
    const struct tn_check_heap *heap =
        region != NULL ? tn_check_heap_by_serial(region->heap_serial) : NULL;
    return heap != NULL && heap->end == TN_CHECK_END_NOT;
}

// An ended region of a live heap says more than the resource that the heap lies in.
void tn_check_describe_place(struct tn_check_report *report, uint32_t space, uint64_t address) {
    struct tn_check_call call;
    unsigned before = report->stack_count;
    tn_check_model_ready();
    if (!tn_check_call_begin(&call, "", false)) return;
    const struct tn_check_region *region = tn_check_region_containing(space, address);
    const struct tn_check_region *past = tn_check_ended_at(space, 0, address);
    if (region == NULL &&
        (has_live_heap(past) || !describe_place_in_resource(report, space, address)))
        region = past;
    if (region != NULL) tn_check_describe_region(report, region, address);
    tn_check_call_end(&call);
    drop_repeated_roles(report, before);
}
