// SPDX-License-Identifier: Apache-2.0
// See race.h.
#include "check/race.h"

#include <inttypes.h>
#include <tarn/face.h>

#include "check/describe.h"
#include "check/options.h"

static void add_place(struct tn_check_report *report, const char *role,
                      const tarn_check_access *access) {
    tn_check_report_add_stack(report, role, 0, tn_stack_keep(access->frames, access->frame_count));
}

static void add_access(struct tn_check_report *report, const struct tn_mem_event *event,
                       const tarn_check_access *access) {
    report->access = access->action;
    report->device = event->device;
    tn_check_report_set_range(report, event->addr, event->bytes);
    add_place(report, "access", access);
}

void tn_check_race_event(const struct tn_mem_event *event) {
    const tarn_check_access *accesses = (const tarn_check_access *)(uintptr_t)event->object;
    struct tn_check_report report;
    if (accesses == NULL) {
        const uintptr_t frame = (uintptr_t)event->addr + 1;
        const tarn_check_access code = {.frames = &frame, .frame_count = 1};
        tn_check_report_begin(&report, TN_CHECK_KIND_KERNEL_UNWATCHED, "", "%s", event->name);
        add_place(&report, "kernel", &code);
        tn_check_report_end(&report);
        return;
    }
    const tarn_check_access *now = &accesses[0];
    const tarn_check_access *old = &accesses[1];
    tn_check_report_begin(
        &report, TN_CHECK_KIND_KERNEL_RACE, "",
        "%s of %" PRIu64 " byte(s) at 0x%" PRIx64 " by %s, in %s, is unordered with the %s by %s",
        now->action, event->bytes, event->addr, now->actor, event->name, old->action, old->actor);
    add_access(&report, event, now);
    add_place(&report, "earlier access", old);
    tn_check_describe_place(&report, event->space, event->addr);
    tn_check_report_end(&report);
}

void tn_check_misaligned_event(const struct tn_mem_event *event) {
    const tarn_check_access *access = (const tarn_check_access *)(uintptr_t)event->object;
    struct tn_check_report report;
    if (!tn_check_options()->misaligned) return;
    tn_check_report_begin(&report, TN_CHECK_KIND_MISALIGNED_ACCESS, "",
                          "%s of %" PRIu64 " byte(s) at 0x%" PRIx64 " (needs %" PRIu64
                          "-byte alignment) by %s, in %s",
                          access->action, event->bytes, event->addr, event->other, access->actor,
                          event->name);
    add_access(&report, event, access);
    tn_check_describe_place(&report, event->space, event->addr);
    tn_check_report_end(&report);
}
