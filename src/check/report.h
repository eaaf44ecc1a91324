// SPDX-License-Identifier: Apache-2.0
// Reports: one finding each, printed as text and, on request, as one JSON object a line. Equal ones
// (same kind, same place, same region's birthplace) are counted, not repeated; those that a
// suppression covers are counted too. Any thread; a report takes its own lock and no other.
#ifndef TARN_CHECK_REPORT_H
#define TARN_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "check/kinds.h"
#include "check/stack.h"

enum { TN_REPORT_STACKS = 6 };

enum tn_side { TN_SIDE_INSIDE, TN_SIDE_BEFORE, TN_SIDE_AFTER };

// The region that the finding is about. Serial 0: none.
struct tn_report_region {
    uint64_t serial;
    uint64_t lo;
    uint64_t hi;        // of what may be touched
    uint64_t requested; // 0: not told
    const char *name;   // NULL: none
    uint64_t distance;  // bytes from it, or into it
    enum tn_side side;
    uint32_t generation; // of its address
    bool dead;
    uint64_t age; // events since it died
};

struct tn_report_heap {
    uint64_t serial; // 0: none
    uint64_t lo;
    uint64_t hi;
    const char *name;
    const char *domain;
    uint64_t live_bytes;
};

struct tn_report_stack {
    const char *role; // "access", "allocated", "freed", "registered", ...
    uint32_t thread;  // 0: not known
    tn_stack_id stack;
};

struct tn_report {
    enum tn_kind kind;
    int severity;       // enum tn_severity; -1: that of the kind
    char what[256];     // the head after the kind: "write of 8 byte(s) at 0x7f20001064"
    const char *access; // "read", "write", ... or NULL
    uint64_t addr;      // 0: none
    uint64_t bytes;
    int device; // -1: the host or not known
    struct tn_report_region region;
    struct tn_report_region second; // another one that takes part
    struct tn_report_heap heap;
    struct tn_report_stack stacks[TN_REPORT_STACKS];
    unsigned stack_count;
};

// Starts one: the kind, the calling thread's stack in the role "access" (or `role`), the text.
void tn_report_begin(struct tn_report *report, enum tn_kind kind, const char *role,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

// Adds a stack; more than there is room for are dropped.
void tn_report_add_stack(struct tn_report *report, const char *role, uint32_t thread,
                         tn_stack_id stack);

// Prints or counts it. With halt_on_error and an error, does not return.
void tn_report_end(struct tn_report *report);

// Leaked bytes and regions for the summary.
void tn_report_count_leak(uint64_t bytes, uint64_t regions);

// The last line; then, when errors were found, what the exit code must be (0: leave it).
int tn_report_summary(void);

#endif
