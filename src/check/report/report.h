// SPDX-License-Identifier: Apache-2.0
// Reports. A report describes one finding and is printed as text and, on request, as one JSON
// object on a line. Equal reports (same kind, same place, same place of the allocation) are printed
// once and counted. Suppressed reports are only counted. Any thread may call. tn_check_report_end()
// takes the locks of the reports and of the symbols, so its caller may hold no lock that a memory
// event needs.
#pragma once

#include "check/report/kinds.h"
#include "check/report/text.h"
#include "check/report/wire.h"
#include "stack/stack.h"

enum { TN_CHECK_REPORT_STACKS = 6 };

enum tn_check_side { TN_CHECK_SIDE_INSIDE, TN_CHECK_SIDE_BEFORE, TN_CHECK_SIDE_AFTER };

// The region that the finding is about. Serial 0 means none.
struct tn_check_report_region {
    uint64_t serial;
    uint64_t lo;
    uint64_t hi;        // the end of the bytes that may be accessed
    uint64_t requested; // 0 if unknown
    const char *name;   // or NULL
    uint64_t distance;  // bytes before it, after it or into it
    enum tn_check_side side;
    uint32_t generation; // of its address
    bool ended;
    uint64_t age; // number of calls since its end; some more if several pools are at work
};

struct tn_check_report_heap {
    uint64_t serial; // 0 means none
    uint64_t lo;
    uint64_t hi;
    const char *name;
    const char *domain;
    uint64_t live_bytes;
};

struct tn_check_report_stack {
    const char *role; // "access", "allocated", "freed", "registered", ...
    uint32_t thread;  // 0 if unknown
    tn_stack_id stack;
};

struct tn_check_report {
    enum tn_check_kind kind;
    int severity;       // enum tn_check_severity, or -1 for that of the kind
    char what[256];     // the text after the kind: "write of 8 byte(s) at 0x7f20001064"
    const char *access; // "read", "write", ... or NULL
    uint64_t addr;      // 0 if none
    uint64_t bytes;
    uint16_t resource; // enum tn_mem_resource of the resource that it is about, or 0
    int device;        // -1 if the host, or unknown
    uint32_t thread;   // the thread that made the call, or 0 at the end of the program
    struct tn_check_report_region region;
    struct tn_check_report_region second; // another region of the finding
    struct tn_check_report_heap heap;
    struct tn_check_report_stack stacks[TN_CHECK_REPORT_STACKS];
    unsigned stack_count;
};

// Begins a report of the kind with the text. Adds the calling thread and its stack in the given
// role. NULL means the role "access". With the role "" it adds neither.
void tn_check_report_begin(struct tn_check_report *report, enum tn_check_kind kind,
                           const char *role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline void tn_check_report_set_range(struct tn_check_report *report, uint64_t addr,
                                             uint64_t bytes) {
    report->addr = addr;
    report->bytes = bytes;
}

// Adds a stack. Drops a stack without frames, and one for which the report has no room.
void tn_check_report_add_stack(struct tn_check_report *report, const char *role, uint32_t thread,
                               tn_stack_id stack);

// Prints or counts the report. With halt_on_error an error ends the program. Drops a report that is
// made while this thread prints another one (through the program's malloc()).
void tn_check_report_end(struct tn_check_report *report);

// Adds leaked bytes and regions to the summary.
void tn_check_report_count_leak(uint64_t bytes, uint64_t regions);

// Adds leaked address space to the summary, which is not memory.
void tn_check_report_count_space(uint64_t bytes);

// Announces this process, before its first report.
void tn_check_report_start(void);

// Prints the counts of equal reports and the summary. Returns the exit code that the process must
// have, or 0 for its own; `forked` is true in a child of a checked process. Later reports are still
// printed.
int tn_check_report_summary(bool forked);

// ---- for tests

// Receives each report that is not suppressed, under the lock. The report is not printed if the
// hook returns true.
typedef bool (*tn_check_report_hook)(void *context, const struct tn_check_report *report);
void tn_check_report_set_hook(tn_check_report_hook hook, void *context);

struct tn_check_counts tn_check_report_counts(void);

// Forgets all reports.
void tn_check_report_reset(void);

// ---- causes

// Groups reports by their cause, as far as there is evidence. A report follows an earlier one of the
// same nature about the same block, resource or address, an overflow that damaged its block, or a heap
// that was damaged as a whole. One place of the program is no evidence. Part of check/report/report.c, which serialises every call.

// Adds a report that was printed as number `serial`. Notes, and reports beyond the first 512, are
// left out.
void tn_check_causes_add(const struct tn_check_report *report, uint64_t serial);

// Adds the groups to the text and the JSON of the summary, if there are several reports. Groups
// with an error come first, in the order of time.
void tn_check_causes_print(struct tn_check_text *text, struct tn_check_text *json);

// Forgets all reports.
void tn_check_causes_reset(void);

// ---- live bytes by step

// The live bytes at the end of each step of the program, for a picture in the summary. Any thread
// may call; a step that ends during the summary may be missing there.

// A step has ended.
void tn_check_growth_step(uint64_t live_bytes);

// Adds the picture to the text and the numbers to the JSON of the summary, after two steps or more.
void tn_check_growth_print(struct tn_check_text *text, struct tn_check_text *json);

// Forgets all steps.
void tn_check_growth_reset(void);

// ---- reads without a verdict, and work that was not looked at

// Counts reads of memory of which the checker does not know whether it was written. The summary
// states the number. Any thread may call.

void tn_check_unknown_add(uint64_t reads);

// Work whose accesses the checker did not look at. Unset, all of it was looked at.
struct tn_check_unlooked {
    uint64_t launches;  // of kernels that do not report their accesses
    uint64_t too_large; // launches with more accesses than are kept
    uint64_t processes; // waits for work of other processes
    bool host;          // beside `launches`: no load or store of the host was seen
};
void tn_check_unknown_set_work(const struct tn_check_unlooked *work);

// Adds both to the summary, unless they are 0.
void tn_check_unknown_print(struct tn_check_text *text, struct tn_check_text *json);

// Forgets all reads and all work.
void tn_check_unknown_reset(void);
