// SPDX-License-Identifier: Apache-2.0
// See alias.h.
#include "check/alias.h"

#include <inttypes.h>

#include "check/order/order.h"
#include "check/report/report.h"

void tn_check_alias_event(const struct tn_mem_event *event) {
    struct tn_check_touch touch;
    uint64_t other = 0;
    if (event->kind != TN_MEM_RESOURCE_BEGIN || event->what != TN_MEM_MAPPING ||
        !tn_check_order_in_flight(event->space, event->addr, event->addr + event->bytes, &touch,
                                  &other) ||
        other == event->addr)
        return;
    struct tn_check_report report;
    struct tn_check_title title;
    tn_check_order_title(event->image, touch.stream, &title);
    tn_check_report_begin(&report, TN_CHECK_KIND_MAP_WHILE_IN_USE, "mapped",
                          "%" PRIu64 " byte(s) at 0x%" PRIx64 ", mapped at 0x%" PRIx64
                          " as well, where %s on %s may still run",
                          event->bytes, event->addr, other,
                          touch.name != NULL ? touch.name : "work", title.text);
    tn_check_report_set_range(&report, event->addr, event->bytes);
    report.device = event->device;
    tn_check_report_add_stack(&report, "access", touch.thread, touch.stack);
    tn_check_report_end(&report);
}
