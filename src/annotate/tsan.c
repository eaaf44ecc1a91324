// SPDX-License-Identifier: Apache-2.0
// TSan as a subscriber: it forgets the accesses of bytes that get a new owner. A pool hands bytes out
// again once the work on them has passed, which TSan does not see, so it would report a race between
// two owners. The order of work is reported by the device that runs it.
#include "base/tsan.h"
#include "annotate/subscriber.h"

static bool tsan_detect(void) { return tn_tsan_watches(); }

// Memory that the program registers, or divides itself, has accesses and an order of its own.
static bool is_new(const struct tn_mem_event *event) {
    bool begins = event->kind == TN_MEM_REGION_BEGIN || event->what == TN_MEM_MEMORY ||
                  event->what == TN_MEM_PINNED || event->what == TN_MEM_MAPPING;
    return begins && event->bytes != 0 && (event->flags & TN_MEM_HOST_CAN) != 0 &&
           (event->flags & (TN_MEM_PROGRAM | TN_MEM_NUMBERS | TN_MEM_IMPORTED)) == 0;
}

static void forget(const struct tn_mem_event *event) {
    if (is_new(event)) tn_tsan_forget((uintptr_t)event->addr, event->bytes);
}

const struct tn_subscriber tn_subscriber_tsan = {
    .detect = tsan_detect,
    .handlers = {[TN_MEM_REGION_BEGIN] = forget, [TN_MEM_RESOURCE_BEGIN] = forget}};
