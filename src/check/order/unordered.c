// SPDX-License-Identifier: Apache-2.0
// The texts of races. See unordered.h.
#include "check/order/unordered.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/describe.h"

static const char *verb_of(const struct tn_check_touch *touch) {
    switch (touch->kind) {
    case TN_CHECK_TOUCH_READ: return "read";
    case TN_CHECK_TOUCH_WRITE: return "write";
    case TN_CHECK_TOUCH_FREE_SHARED: return "free";
    default: return "use";
    }
}

static const char *how_of(const struct tn_check_touch *touch) {
    return touch->kind == TN_CHECK_TOUCH_WRITE ? "written" : "used as an argument";
}

static const char *name_of(const struct tn_check_touch *touch, const char *otherwise) {
    return touch->name != NULL ? touch->name : otherwise;
}

// The titles of the streams of both accesses.
struct streams {
    struct tn_check_title here;
    struct tn_check_title there;
};

static void begin_report(const struct tn_check_unordered *finding, const struct streams *streams,
                         bool captures, struct tn_check_report *report) {
    uint64_t bytes = finding->hi - finding->lo;
    uint64_t addr = finding->lo;
    const struct tn_check_touch *old = &finding->old;
    const struct tn_check_touch *now = &finding->now;
    const char *there = streams->there.text;
    const char *here = streams->here.text;
    char other[64] = "";
    if (finding->was != addr)
        (void)snprintf(other, sizeof other, " of the same memory at 0x%" PRIx64, finding->was);
#define BEGIN(role, ...)                                                                           \
    tn_check_report_begin(report, finding->kind, captures ? role : "", __VA_ARGS__)
    bool after_free = finding->kind == TN_CHECK_KIND_STREAM_USE_AFTER_FREE &&
                      old->kind == TN_CHECK_TOUCH_FREE_SHARED;
    switch (after_free ? TN_CHECK_KIND_HOST_RACE : finding->kind) {
    case TN_CHECK_KIND_USE_BEFORE_EVENT:
        BEGIN("access",
              "%s of %" PRIu64 " byte(s) at 0x%" PRIx64 " by %s on %s, allocated in order of %s",
              verb_of(now), bytes, addr, name_of(now, "the program"), here, there);
        break;
    case TN_CHECK_KIND_STREAM_USE_AFTER_FREE:
        BEGIN("freed",
              "free in order of %s of %" PRIu64 " byte(s) at 0x%" PRIx64
              " that %s on %s may still %s",
              here, bytes, addr, name_of(old, "work"), there, verb_of(old));
        break;
    case TN_CHECK_KIND_REUSE_BEFORE_EVENT:
        BEGIN("allocated", "%" PRIu64 " byte(s) at 0x%" PRIx64 " given to %s, freed in order of %s",
              bytes, addr, here, there);
        break;
    case TN_CHECK_KIND_UNMAP_IN_FLIGHT:
    case TN_CHECK_KIND_FREE_IN_FLIGHT:
        BEGIN(finding->kind == TN_CHECK_KIND_UNMAP_IN_FLIGHT ? "unmapped" : "freed",
              "%" PRIu64 " byte(s) at 0x%" PRIx64 " that %s on %s may still %s", bytes, addr,
              name_of(old, "work"), there, verb_of(old));
        break;
    case TN_CHECK_KIND_OVERLAPPING_WRITERS:
        BEGIN("access",
              "complete block of %" PRIu64 " byte(s) at 0x%" PRIx64
              " %s by %s on %s, %s by %s on %s without order",
              bytes, addr, how_of(now), name_of(now, "the program"), here, how_of(old),
              name_of(old, "the program"), there);
        break;
    default:
        BEGIN("access",
              "%s of %" PRIu64 " byte(s) at 0x%" PRIx64
              " by %s on %s is unordered with the %s by %s on %s%s",
              verb_of(now), bytes, addr, name_of(now, "the program"), here, verb_of(old),
              name_of(old, "the program"), there, other);
        break;
    }
}

bool tn_check_unordered_repeats(struct tn_check_repeats *repeats, uint64_t instruction,
                                const struct tn_check_unordered *finding) {
    const struct tn_check_moment *now = &finding->old.moment;
    size_t places = sizeof repeats->last / sizeof *repeats->last;
    size_t place = (size_t)(instruction ^ now->time) % places;
    const struct tn_check_moment *of = &repeats->last[place].of;
    bool was = repeats->last[place].instruction == instruction && of->time == now->time &&
               of->actor == now->actor;
    repeats->last[place].instruction = instruction;
    repeats->last[place].of = *now;
    return was;
}

// Adds where the program made the streams, at the end.
static void add_streams(const struct streams *streams, struct tn_check_report *report) {
    bool same = streams->here.stack == streams->there.stack;
    tn_check_report_add_stack(report, same ? "streams made" : "stream made", streams->here.thread,
                              streams->here.stack);
    if (!same)
        tn_check_report_add_stack(report, "other stream made", streams->there.thread,
                                  streams->there.stack);
}

// Returns the stack of the calling thread from a return address on.
static tn_stack_id capture_from(uint64_t address) {
    size_t count = 0;
    tn_stack_id stack = tn_stack_capture();
    const uintptr_t *frames = tn_stack_frames(stack, &count);
    for (size_t i = 0; i < count; i++)
        if (frames[i] == address) return tn_stack_keep(frames + i, count - i);
    return stack;
}

void tn_check_unordered_report(const struct tn_check_unordered *finding,
                               const struct tn_mem_event *event, const struct tn_check_title *here,
                               const struct tn_check_title *there) {
    struct tn_check_report report;
    bool by_instruction = event->kind == TN_MEM_FOOTPRINT || event->kind == TN_MEM_HOST_ACCESS;
    const struct streams streams = {*here, *there};
    begin_report(finding, &streams, !by_instruction, &report);
    if (by_instruction)
        tn_check_report_add_stack(&report, "access", finding->now.thread,
                                  event->kind == TN_MEM_FOOTPRINT ? finding->now.stack
                                                                  : capture_from(event->object));
    report.access = verb_of(&finding->now);
    tn_check_report_set_range(&report, finding->lo, finding->hi - finding->lo);
    report.device = event->device;
    report.resource = event->kind == TN_MEM_RESOURCE_END ? event->what : 0;
    bool is_freed = finding->kind == TN_CHECK_KIND_REUSE_BEFORE_EVENT ||
                    finding->old.kind == TN_CHECK_TOUCH_FREE_SHARED;
    const char *role = is_freed                                          ? "freed"
                       : finding->kind == TN_CHECK_KIND_USE_BEFORE_EVENT ? "allocated"
                                                                         : "earlier access";
    tn_check_report_add_stack(&report, role, finding->old.thread, finding->old.stack);
    tn_check_describe_place(&report, event->space, finding->lo);
    add_streams(&streams, &report);
    tn_check_report_end(&report);
}
