// SPDX-License-Identifier: Apache-2.0
// See failure.h.
#include "check/failure.h"

#include "check/describe.h"

void tn_check_failure_event(const struct tn_mem_event *event) {
    struct tn_check_report report;
    const uintptr_t frame = (uintptr_t)event->other;
    tn_check_report_begin(&report, TN_CHECK_KIND_KERNEL_FAILURE, "", "%s", event->name);
    report.device = event->device;
    if (frame != 0) tn_check_report_add_stack(&report, "failure", 0, tn_stack_keep(&frame, 1));
    if (event->addr != 0) {
        tn_check_report_set_range(&report, event->addr, 1);
        tn_check_describe_place(&report, event->space, event->addr);
    }
    tn_check_report_end(&report);
}
