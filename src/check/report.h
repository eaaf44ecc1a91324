// SPDX-License-Identifier: Apache-2.0
// Reports. A report describes one finding and is printed as text and, on request, as one JSON
// object on a line. Equal reports (same kind, same place, same place of the allocation) are printed
// once and counted; suppressed ones are counted. Any thread may call. Ending a report takes the
// lock of the reports and that of the symbols, so no lock may be held that a memory event could
// need.
#ifndef TARN_CHECK_REPORT_H
#define TARN_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "check/kinds.h"
#include "check/stack.h"

enum { TN_CHECK_REPORT_STACKS = 6 };

enum tn_check_side { TN_CHECK_SIDE_INSIDE, TN_CHECK_SIDE_BEFORE, TN_CHECK_SIDE_AFTER };

// The region that the finding is about. Serial 0: none.
struct tn_check_report_region {
    uint64_t serial;
    uint64_t lo;
    uint64_t hi;        // of what may be touched
    uint64_t requested; // 0: not told
    const char *name;   // NULL: none
    uint64_t distance;  // bytes from it, or into it
    enum tn_check_side side;
    uint32_t generation; // of its address
    bool ended;
    uint64_t age; // events since it died
};

struct tn_check_report_heap {
    uint64_t serial; // 0: none
    uint64_t lo;
    uint64_t hi;
    const char *name;
    const char *domain;
    uint64_t live_bytes;
};

struct tn_check_report_stack {
    const char *role; // "access", "allocated", "freed", "registered", ...
    uint32_t thread;  // 0: not known
    tn_check_stack_id stack;
};

struct tn_check_report {
    enum tn_check_kind kind;
    int severity;       // enum tn_check_severity; -1: that of the kind
    char what[256];     // the head after the kind: "write of 8 byte(s) at 0x7f20001064"
    const char *access; // "read", "write", ... or NULL
    uint64_t addr;      // 0: none
    uint64_t bytes;
    int device;      // -1: the host or not known
    uint32_t thread; // that found it; 0: not one of the program, as at the end
    struct tn_check_report_region region;
    struct tn_check_report_region second; // another one that takes part
    struct tn_check_report_heap heap;
    struct tn_check_report_stack stacks[TN_CHECK_REPORT_STACKS];
    unsigned stack_count;
};

// Starts one: the kind, the calling thread with its stack in the role "access" (or `role`), the
// text. With the role "" neither thread nor stack: for what is found at the end.
void tn_check_report_begin(struct tn_check_report *report, enum tn_check_kind kind,
                           const char *role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline void tn_check_report_set_range(struct tn_check_report *report, uint64_t addr,
                                             uint64_t bytes) {
    report->addr = addr;
    report->bytes = bytes;
}

// Adds a stack. A stack without frames is dropped, and so is one that finds no room.
void tn_check_report_add_stack(struct tn_check_report *report, const char *role, uint32_t thread,
                               tn_check_stack_id stack);

// Prints or counts it. With halt_on_error and an error, does not return. A report that is made
// while this thread prints another (by the program's own malloc) is dropped.
void tn_check_report_end(struct tn_check_report *report);

// Leaked bytes and regions for the summary.
void tn_check_report_count_leak(uint64_t bytes, uint64_t regions);

// How often the equal ones were met, then the last line; then, when errors were found, what the
// exit code must be (0: leave it). Later reports are still printed.
int tn_check_report_summary(void);

// ---- for tests

// Gets each report that is not suppressed, under the lock; with `true` it is not printed.
typedef bool (*tn_check_report_hook)(void *context, const struct tn_check_report *report);
void tn_check_report_set_hook(tn_check_report_hook hook, void *context);

struct tn_check_report_counts {
    uint64_t errors;
    uint64_t warnings;
    uint64_t notes;
    uint64_t suppressed;
    uint64_t leaked_bytes;
    uint64_t leaked_regions;
};
struct tn_check_report_counts tn_check_report_counts(void);

// As if nothing had been reported.
void tn_check_report_reset(void);

#endif
