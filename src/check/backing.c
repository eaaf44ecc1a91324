// SPDX-License-Identifier: Apache-2.0
// Judges the memory beneath heaps. It ends in ends.c, with the heaps on it. The ledger of
// resources has a lock of its own, which is taken under that of the model.
#include "check/model.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/mapped.h"
#include "check/options.h"
#include "check/resource.h"

void tn_check_backing_begin(uint32_t space, uint64_t lo, uint64_t hi, bool own) {
    if (space == 0 && lo < hi) { // fails if the range is already known
        (void)tn_interval_insert(&tn_check_model.backing, lo, hi,
                                 own ? TN_CHECK_BACKING_OWN : TN_CHECK_BACKING_OTHER);
    }
}

void tn_check_backing_regrant(uint64_t lo, uint64_t hi) {
    tn_check_model.backing_changes++;
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&tn_check_model.backing, lo), hi)
        tn_interval_cursor_set(&at, TN_CHECK_BACKING_OTHER);
}

// ---- rules

static bool find_memory(uint32_t space, uint64_t addr, struct tn_check_resource *memory) {
    struct tn_check_resource ended;
    struct tn_interval_entry entry;
    if (space == 0)
        return tn_interval_find(&tn_check_model.backing, addr, &entry) &&
               tn_check_resource_block_at(entry.start, memory);
    tn_check_resource_find(space, addr, memory, &ended);
    return memory->what == TN_MEM_MEMORY || memory->what == TN_MEM_PINNED;
}

void tn_check_backing_set_rule(struct tn_check_heap *heap, const tarn_rule *rule) {
    const struct tn_check_region *parent = heap->parent;
    struct tn_check_resource memory;
    if (!tn_check_model.options->placement) return;
    bool known = find_memory(heap->plane->space, heap->lo, &memory);
    heap->rule = rule != NULL ? *rule : known ? memory.rule : (tarn_rule){0};
    heap->spaced = heap->spaced || heap->rule.start != 0;
    heap->room = heap->hi;
    if (parent != NULL && heap->hi >= parent->hi)
        heap->room = parent->lo + tn_check_region_needs(parent);
    else if (parent == NULL && known && heap->hi >= memory.addr + memory.requested)
        heap->room = memory.addr + memory.bytes;
}

// ---- judging

static void describe_memory(struct tn_check_report *report,
                            const struct tn_check_resource *memory) {
    tn_check_report_add_stack(report, "allocated", memory->began_thread, memory->began);
    tn_check_report_add_stack(report, "freed", memory->ended_thread, memory->ended);
}

// The next heap is the one that is judged.
static struct tn_check_report *begin_report(struct tn_check_call *call, enum tn_check_kind kind,
                                            const struct tn_check_heap_range *range,
                                            const char *what) {
    struct tn_check_report *report =
        tn_check_call_report(call, kind, "heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") %s",
                             tn_check_model.serial + 1, range->lo, range->hi, what);
    tn_check_report_set_range(report, range->lo, range->hi - range->lo);
    report->device = range->device;
    return report;
}

// Memory that the process has mapped at the same place since belongs to someone else. Tarn may keep the
// freed addresses reserved, without access.
static struct tn_check_report *judge_freed(struct tn_check_call *call,
                                           struct tn_check_heap_range *range) {
    struct tn_check_resource freed;
    struct tn_interval_entry entry;
    char what[128];
    if (tn_interval_find(&tn_check_model.backing, range->lo, &entry) ||
        !tn_check_resource_freed_at(range->lo, &freed) || tn_check_is_usable(range->lo))
        return NULL;
    (void)snprintf(what, sizeof what, "lies in a %s of %" PRIu64 " byte(s) that was freed",
                   tn_check_resource_name(&freed), freed.requested);
    struct tn_check_report *report =
        begin_report(call, TN_CHECK_KIND_HEAP_IN_FREE_MEMORY, range, what);
    describe_memory(report, &freed);
    range->hi = range->lo;
    return report;
}

// Plain memory ends where its block ends, even if other memory follows. Mappings side by side are one
// range.
static struct tn_check_report *judge_size(struct tn_check_call *call,
                                          struct tn_check_heap_range *range) {
    const struct tn_interval *backing = &tn_check_model.backing;
    struct tn_interval_entry entry;
    struct tn_check_resource block;
    char what[128];
    bool known = (tn_interval_find(backing, range->lo, &entry) ||
                  (tn_interval_next(backing, range->lo, &entry) && entry.start < range->hi)) &&
                 tn_check_resource_block_at(entry.start, &block);
    if (!known || (entry.start <= range->lo && range->hi <= entry.end)) return NULL;
    (void)snprintf(what, sizeof what, "exceeds the %s [0x%" PRIx64 ",0x%" PRIx64 ")",
                   tn_check_resource_name(&block), entry.start, entry.end);
    struct tn_check_report *report =
        begin_report(call, TN_CHECK_KIND_HEAP_EXCEEDS_MEMORY, range, what);
    describe_memory(report, &block);
    range->lo = range->lo < entry.start ? entry.start : range->lo;
    range->hi = range->hi > entry.end ? entry.end : range->hi;
    return report;
}

// The numbers of a simulated platform are no addresses, so only the ledger knows them.
static struct tn_check_report *judge_numbers(struct tn_check_call *call,
                                             struct tn_check_heap_range *range) {
    struct tn_check_resource live;
    struct tn_check_resource ended;
    char what[128];
    tn_check_resource_find(range->space, range->lo, &live, &ended);
    const struct tn_check_resource *memory = live.what != 0 ? &live : &ended;
    bool plain = memory->what == TN_MEM_MEMORY && !memory->owned;
    uint64_t end = memory->addr + memory->bytes;
    bool freed = live.what == 0;
    if (!plain || (!freed && range->hi <= end)) return NULL;
    (void)snprintf(what, sizeof what,
                   freed ? "lies in a %s of %" PRIu64 " byte(s) that was freed"
                         : "exceeds the %s of %" PRIu64 " byte(s) beneath it",
                   tn_check_resource_name(memory), memory->requested);
    struct tn_check_report *report = begin_report(
        call, freed ? TN_CHECK_KIND_HEAP_IN_FREE_MEMORY : TN_CHECK_KIND_HEAP_EXCEEDS_MEMORY, range,
        what);
    describe_memory(report, memory);
    range->hi = freed ? range->lo : end;
    return report;
}

// Memory that Tarn does not know may be of a device that Tarn does not know.
static struct tn_check_report *judge_device(struct tn_check_call *call,
                                            struct tn_check_heap_range *range) {
    struct tn_interval_entry entry;
    uint64_t devices = tn_check_model.devices;
    char what[128];
    if (devices == 0 || (range->device >= 0 && (uint64_t)range->device < devices) ||
        range->device == TN_CHECK_ANY_DEVICE ||
        !tn_interval_find(&tn_check_model.backing, range->lo, &entry))
        return NULL;
    (void)snprintf(what, sizeof what, "is of device %u, which does not exist; there are %" PRIu64,
                   (unsigned)range->device, devices);
    struct tn_check_report *report = begin_report(call, TN_CHECK_KIND_DEVICE_MISMATCH, range, what);
    report->severity = TN_CHECK_SEVERITY_ERROR;
    range->device = TN_CHECK_ANY_DEVICE;
    return report;
}

// msSanitizer takes a heap only inside one block of device memory, and each mapping is a block of
// its own.
static struct tn_check_report *judge_parts(struct tn_check_call *call,
                                           const struct tn_check_heap_range *range) {
    struct tn_check_resource live;
    struct tn_check_resource ended;
    char what[128];
    tn_check_resource_find(range->space, range->lo, &live, &ended);
    uint64_t end = live.addr + live.bytes;
    if (live.what == TN_MEM_MAPPING && range->hi > end)
        (void)snprintf(
            what, sizeof what,
            "exceeds its first mapping, which ends at 0x%" PRIx64 "; msSanitizer refuses it", end);
    else if (live.what == TN_MEM_PINNED || live.what == TN_MEM_REGISTERED ||
             live.what == TN_MEM_RESERVATION)
        (void)snprintf(what, sizeof what, "lies in a %s; msSanitizer refuses it",
                       tn_check_resource_name(&live));
    else
        return NULL;
    struct tn_check_report *report =
        begin_report(call, TN_CHECK_KIND_HEAP_WITHOUT_BACKING, range, what);
    describe_memory(report, &live);
    return report;
}

// On request, because memory of a device need not be mapped.
static struct tn_check_report *judge_unknown(struct tn_check_call *call,
                                             const struct tn_check_heap_range *range) {
    const struct tn_interval *backing = &tn_check_model.backing;
    if (!tn_check_model.options->backing) return NULL;
    struct tn_check_report *report = judge_parts(call, range);
    if (report != NULL || tn_interval_covers(backing, range->lo, range->hi) ||
        tn_check_is_mapped(range->lo, range->hi))
        return report;
    return begin_report(call, TN_CHECK_KIND_HEAP_WITHOUT_BACKING, range,
                        "lies outside all known memory");
}

struct tn_check_report *tn_check_backing_judge(struct tn_check_call *call,
                                               struct tn_check_heap_range *range) {
    if (range->lo >= range->hi) return NULL;
    struct tn_check_report *report = range->space == 0 ? judge_device(call, range) : NULL;
    if (tn_check_heap_around(range, 0, tn_check_shard_for(0)) != NULL)
        return report; // the heap around it was judged
    if (range->space != 0) return judge_numbers(call, range);
    report = report != NULL ? report : judge_size(call, range);
    report = report != NULL ? report : judge_freed(call, range);
    return report != NULL ? report : judge_unknown(call, range);
}
