// SPDX-License-Identifier: Apache-2.0
// The causes in the summary: which reports follow from which; see report.h.
#include "check/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { RECORDS = 512, GROUPS_SHOWN = 20, FOLLOWERS_SHOWN = 8 };

static struct record {
    uint64_t serial; // of the printed report
    uint64_t region;
    uint64_t second;
    uint64_t heap;
    uint64_t addr;
    enum tn_check_kind kind;
    uint16_t resource;
    bool error;
    uint32_t first; // the index of the first report of its group
    char what[sizeof((struct tn_check_report *)NULL)->what];
} records[RECORDS];
static uint32_t count;

// Returns true if the report is about the complete heap, and so about all its regions.
static bool is_about_heap(enum tn_check_kind kind) {
    return kind == TN_CHECK_KIND_LEAK_IN_HEAP || kind == TN_CHECK_KIND_NESTED_HEAP_ORPHANED ||
           kind == TN_CHECK_KIND_HEAP_STALE || kind == TN_CHECK_KIND_HEAP_OVERLAP ||
           kind == TN_CHECK_KIND_HEAP_IN_FREE_MEMORY ||
           kind == TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER;
}

// The property of a block that a report is about: its lifetime, its bounds, its contents, the order of
// work on it, or its rights. Only a report of the same nature may follow from an earlier one.
enum nature { LIFE, BOUNDS, CONTENTS, ORDER, RIGHTS };

static enum nature nature_of(enum tn_check_kind kind) {
    switch (kind) {
    case TN_CHECK_KIND_HEAP_OVERFLOW:
    case TN_CHECK_KIND_HEAP_UNDERFLOW:
    case TN_CHECK_KIND_CROSS_REGION_COPY:
    case TN_CHECK_KIND_REDZONE_DAMAGE:
    case TN_CHECK_KIND_API_SIZE_SLACK:
    case TN_CHECK_KIND_REGION_OUT_OF_HEAP: return BOUNDS;
    case TN_CHECK_KIND_UNINITIALISED_READ:
    case TN_CHECK_KIND_UNUSED_MEMORY: return CONTENTS;
    case TN_CHECK_KIND_USE_BEFORE_EVENT:
    case TN_CHECK_KIND_STREAM_USE_AFTER_FREE:
    case TN_CHECK_KIND_REUSE_BEFORE_EVENT:
    case TN_CHECK_KIND_COPY_RACE:
    case TN_CHECK_KIND_OVERLAPPING_WRITERS:
    case TN_CHECK_KIND_KERNEL_RACE:
    case TN_CHECK_KIND_HOST_RACE:
    case TN_CHECK_KIND_MAP_WHILE_IN_USE:
    case TN_CHECK_KIND_UNMAP_IN_FLIGHT:
    case TN_CHECK_KIND_FREE_IN_FLIGHT: return ORDER;
    case TN_CHECK_KIND_PERMISSION_VIOLATION:
    case TN_CHECK_KIND_MISALIGNED_ACCESS: return RIGHTS;
    default: return LIFE;
    }
}

// A write over the end of a block damages its neighbour, which is the earlier report's second region.
static bool is_damage(const struct record *later, const struct record *earlier) {
    return nature_of(earlier->kind) == BOUNDS && later->kind == TN_CHECK_KIND_WRITE_AFTER_FREE &&
           later->region != 0 && later->region == earlier->second;
}

static bool follows(const struct record *later, const struct record *earlier) {
    const struct record *a = later, *b = earlier;
    bool same_block = (a->region != 0 && (a->region == b->region || a->region == b->second)) ||
                      (a->second != 0 && (a->second == b->region || a->second == b->second));
    // A reservation, a mapping in it and a handle may have one number, and are freed apart.
    bool same_kind = a->resource == 0 || b->resource == 0 || a->resource == b->resource;
    bool no_regions = a->region == 0 && b->region == 0;
    bool same_address = no_regions && same_kind && a->addr != 0 && a->addr == b->addr;
    bool same_nature = nature_of(a->kind) == nature_of(b->kind);
    return (same_nature && (same_block || same_address)) || is_damage(a, b) ||
           (a->heap != 0 && a->heap == b->heap && is_about_heap(b->kind));
}

void tn_check_causes_add(const struct tn_check_report *report, uint64_t serial) {
    if (count == RECORDS || report->severity == TN_CHECK_SEVERITY_NOTE) return;
    struct record *record = &records[count];
    *record = (struct record){
        .serial = serial,
        .region = report->region.serial,
        .second = report->second.serial,
        .heap = report->heap.serial,
        .addr = report->addr,
        .kind = report->kind,
        .resource = report->resource,
        .error = report->severity == TN_CHECK_SEVERITY_ERROR,
        .first = count,
    };
    (void)snprintf(record->what, sizeof record->what, "%s", report->what);
    for (uint32_t i = 0; i < count; i++) {
        if (follows(record, &records[i])) {
            record->first = records[i].first;
            break;
        }
    }
    count++;
}

// ---- the summary

static bool has_error(uint32_t first) {
    bool error = false;
    for (uint32_t i = first; i < count && !error; i++)
        error = records[i].first == first && records[i].error;
    return error;
}

static void print_line(struct tn_check_text *text, const char *lead, const struct record *record) {
    tn_check_text_add(text, "==%d==   %s [#%" PRIu64 "] %s: %s\n", (int)getpid(), lead,
                      record->serial, tn_check_kind_texts[record->kind].name, record->what);
}

// `number` counts the groups from 1.
static void print_group(struct tn_check_text *text, struct tn_check_text *json, uint32_t first,
                        unsigned number) {
    char lead[16];
    unsigned followers = 0;
    (void)snprintf(lead, sizeof lead, "%2u.", number);
    print_line(text, lead, &records[first]);
    tn_check_text_add(json, "%s[%" PRIu64, number == 1 ? "" : ", ", records[first].serial);
    for (uint32_t i = first + 1; i < count; i++) {
        if (records[i].first == first) {
            tn_check_text_add(json, ", %" PRIu64, records[i].serial);
            followers++;
            if (followers <= FOLLOWERS_SHOWN) print_line(text, "     then", &records[i]);
        }
    }
    if (followers > FOLLOWERS_SHOWN)
        tn_check_text_add(text, "==%d==        and %u more\n", (int)getpid(),
                          followers - FOLLOWERS_SHOWN);
    tn_check_text_add(json, "]");
}

void tn_check_causes_print(struct tn_check_text *text, struct tn_check_text *json) {
    unsigned number = 0;
    unsigned hidden = 0;
    if (count < 2) return;
    tn_check_text_add(text, "==%d== CAUSES, the first error on top:\n", (int)getpid());
    tn_check_text_add(json, TN_CHECK_JSON_HEAD ", \"causes\": [", (int)getpid());
    for (int errors = 1; errors >= 0; errors--) {
        for (uint32_t i = 0; i < count; i++) {
            if (records[i].first != i || has_error(i) != (errors == 1)) continue;
            if (number < GROUPS_SHOWN)
                print_group(text, json, i, ++number);
            else
                hidden++;
        }
    }
    if (hidden != 0) tn_check_text_add(text, "==%d==   and %u more\n", (int)getpid(), hidden);
    tn_check_text_add(json, "]}\n");
}

void tn_check_causes_reset(void) { count = 0; }
