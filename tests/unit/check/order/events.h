// SPDX-License-Identifier: Apache-2.0
// Events for the tests of the order of work, and the last report that they cause.
#pragma once

#include "check/order/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "annotate/annotate.h"
#include "check/report/report.h"

enum { EVENT = 44, BLOCK = 0x10000, BYTES = 256 };

static struct tn_check_report last;
static unsigned reports;

static inline bool keep(void *context, const struct tn_check_report *report) {
    (void)context;
    last = *report;
    reports++;
    return true;
}

static inline int set_up(void **state) {
    (void)state;
    tn_check_order_reset();
    reports = 0;
    tn_check_report_set_hook(keep, NULL);
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    tn_check_report_set_hook(NULL, NULL);
    tn_check_order_reset();
    return 0;
}

#define NOTE(...) tn_check_order_event(&(struct tn_mem_event)TN_MEM_INIT(__VA_ARGS__))

static inline void access_to(uint64_t stream, uint32_t flags, uint64_t addr, uint64_t bytes) {
    NOTE(.kind = TN_MEM_ACCESS, .flags = flags, .stream = stream, .addr = addr, .bytes = bytes,
         .name = "tarn_copy");
}
static inline void reads(uint64_t stream) { access_to(stream, TN_MEM_READ, BLOCK, BYTES); }
static inline void writes(uint64_t stream) { access_to(stream, TN_MEM_WRITE, BLOCK, BYTES); }
static inline void begins(uint64_t stream) {
    NOTE(.kind = TN_MEM_REGION_BEGIN, .stream = stream, .addr = BLOCK, .bytes = BYTES);
}
static inline void ends(uint64_t stream) {
    NOTE(.kind = TN_MEM_REGION_END, .stream = stream, .addr = BLOCK, .bytes = BYTES);
}
static inline void records(uint64_t stream) {
    NOTE(.kind = TN_MEM_EVENT_RECORD, .stream = stream, .object = EVENT);
}
static inline void waits(uint64_t stream) {
    NOTE(.kind = TN_MEM_STREAM_WAIT, .stream = stream, .object = EVENT);
}
static inline void synchronises(uint64_t stream) {
    NOTE(.kind = TN_MEM_STREAM_SYNC, .stream = stream);
}

static inline void submits_call(uint64_t stream, uint64_t number) {
    NOTE(.kind = TN_MEM_CALL_QUEUED, .stream = stream, .object = number);
}
static inline void call_begins(uint64_t number) {
    NOTE(.kind = TN_MEM_CALL_BEGIN, .object = number);
}
static inline void call_ends(void) { NOTE(.kind = TN_MEM_CALL_END); }

static inline void expect(enum tn_check_kind kind) {
    assert_int_equal(reports, 1);
    assert_int_equal(last.kind, kind);
    reports = 0;
}
