// SPDX-License-Identifier: Apache-2.0
// Verdicts about accesses. A row is walked in runs of bytes of one state; nearly always the first
// look finds one region around all of it. The innermost heap decides about a byte, and where heaps
// cross any live region of theirs is enough.
#include "check/access.h"

#include <stdio.h>

#include "check/describe.h"
#include "check/heaps.h"
#include "check/options.h"
#include "check/seal.h"

enum { HEAPS_AT_MOST = 8, NEAR = 64 }; // heaps that cross in one byte; bytes beside a region

// A run of bytes of one state from `lo` on, up to `until`.
struct run {
    enum tn_check_byte_state state; // dead bytes count as TN_CHECK_BYTE_UNUSED
    uint64_t until;
    struct tn_check_heap *heap;
    struct tn_check_region
        *region; // TN_CHECK_BYTE_LIVE: of those that cover the first byte the one that goes on
                 // longest
};

struct row {
    const struct tn_check_access *access;
    struct tn_check_plane *plane;
    uint64_t lo;
    uint64_t hi;
};

static uint64_t min_address(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// ---- states

// Device numbers first as told, then those that match any, then all: addresses of a space mean one
// thing unless clients of other makers number the memory of each device alike.
static struct tn_check_plane *plane_of(uint32_t space, int32_t device, uint64_t lo, uint64_t hi) {
    struct tn_check_plane *best = NULL;
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (plane->space != space || tn_check_cover_touches(&plane->heaps, lo, hi) == NULL) {
            continue;
        }
        if (plane->device == device) {
            return plane;
        }
        if (best == NULL || plane->device == TN_CHECK_ANY_DEVICE) {
            best = plane;
        }
    }
    return best;
}

static struct tn_check_region *longest_at(const struct tn_check_cover *live, uint64_t address) {
    struct tn_check_span *best = NULL;
    for (struct tn_check_span *span = tn_check_cover_at(live, address); span != NULL;
         span = tn_check_cover_older(span, address)) {
        if (best == NULL || span->hi > best->hi) {
            best = span;
        }
    }
    return best == NULL ? NULL : tn_check_region_of_span(best);
}

static uint64_t next_heap(const struct tn_check_plane *plane, uint64_t address) {
    const struct tn_check_span *span = tn_check_cover_after(&plane->heaps, address);
    return span == NULL ? UINT64_MAX : span->lo;
}

static struct run free_run(const struct tn_check_plane *plane, struct tn_check_heap **heap,
                           unsigned count, uint64_t address) {
    struct run run = {TN_CHECK_BYTE_UNUSED, next_heap(plane, address), heap[0], NULL};
    for (unsigned i = 0; i < count; i++) {
        const struct tn_check_span *after = tn_check_cover_after(&heap[i]->live, address);
        run.until = min_address(run.until, after == NULL ? heap[i]->hi : after->lo);
        run.until = min_address(run.until, heap[i]->hi);
    }
    return run;
}

static struct run run_at(const struct tn_check_plane *plane, uint64_t address) {
    struct tn_check_heap *heap[HEAPS_AT_MOST];
    unsigned count = tn_check_heaps_at(plane, address, heap, HEAPS_AT_MOST);
    if (count == 0) {
        return (struct run){TN_CHECK_BYTE_OUTSIDE, next_heap(plane, address), NULL, NULL};
    }
    struct run run = {TN_CHECK_BYTE_LIVE, 0, NULL, NULL};
    for (unsigned i = 0; i < count; i++) {
        struct tn_check_region *region = longest_at(&heap[i]->live, address);
        if (region != NULL && (run.region == NULL || region->span.hi > run.region->span.hi)) {
            run.region = region;
            run.heap = heap[i];
            run.until = region->span.hi;
        }
    }
    if (run.region == NULL) {
        return free_run(plane, heap, count, address);
    }
    if (run.heap->inner != 0) { // one inside may decide about the bytes further on
        run.until = min_address(run.until, next_heap(plane, address));
    }
    return run;
}

enum tn_check_byte_state tn_check_byte_state(uint32_t space, int32_t device, uint64_t address) {
    const struct tn_check_plane *plane = plane_of(space, device, address, address + 1);
    if (plane == NULL) {
        return TN_CHECK_BYTE_OUTSIDE;
    }
    struct run run = run_at(plane, address);
    if (run.state == TN_CHECK_BYTE_UNUSED &&
        tn_check_ended_at(space, run.heap->serial, address) != NULL) {
        return TN_CHECK_BYTE_FREED;
    }
    return run.state;
}

// ---- findings

static const char *access_verb(const struct tn_check_access *access) {
    return access->write ? "write" : "read";
}

// `bad`: the first byte that is wrong, when that is not the first of the row.
static struct tn_check_report *report_access(struct tn_check_call *call, enum tn_check_kind kind,
                                             const struct row *row, uint64_t bad) {
    const struct tn_check_access *access = row->access;
    char from[48] = "";
    if (bad != row->lo) {
        (void)snprintf(from, sizeof from, ", wrong from 0x%llx on", (unsigned long long)bad);
    }
    struct tn_check_report *report = tn_check_call_report(
        call, kind, "%s of %llu byte(s) at 0x%llx%s%s%s", access_verb(access),
        (unsigned long long)(row->hi - row->lo), (unsigned long long)row->lo, from,
        access->name == NULL ? "" : " by ", access->name == NULL ? "" : access->name);
    report->access = access_verb(access);
    report->addr = row->lo;
    report->bytes = row->hi - row->lo;
    report->device = access->device;
    return report;
}

static void report_overflow(struct tn_check_call *call, const struct row *row,
                            const struct tn_check_region *region, uint64_t bad) {
    struct tn_check_report *report = report_access(call, TN_CHECK_KIND_HEAP_OVERFLOW, row, bad);
    tn_check_describe_region(report, region, bad);
    const struct tn_check_region *dead = tn_check_ended_at(region->space, region->heap_serial, bad);
    if (dead != NULL) {
        tn_check_describe_second(report, dead, bad);
    }
}

static void report_use_after_free(struct tn_check_call *call, const struct row *row,
                                  const struct tn_check_region *dead,
                                  const struct tn_check_span *beside, uint64_t bad) {
    struct tn_check_report *report = report_access(call, TN_CHECK_KIND_USE_AFTER_FREE, row, bad);
    tn_check_describe_region(report, dead, bad);
    if (beside != NULL) {
        tn_check_describe_second(report, (const struct tn_check_region *)(const void *)beside, bad);
    }
}

static void report_unallocated(struct tn_check_call *call, const struct row *row,
                               const struct tn_check_heap *heap, struct tn_check_span *before,
                               struct tn_check_span *after, uint64_t bad) {
    struct tn_check_report *report =
        report_access(call, TN_CHECK_KIND_UNALLOCATED_ACCESS, row, bad);
    tn_check_describe_heap(report, heap);
    struct tn_check_span *first = before != NULL ? before : after;
    const struct tn_check_region *nearest =
        first != NULL ? tn_check_region_of_span(first)
                      : tn_check_ended_near(heap->plane->space, heap->serial, bad);
    if (nearest != NULL) {
        tn_check_describe_region(report, nearest, bad);
    }
    if (before != NULL && after != NULL) {
        tn_check_describe_second(report, tn_check_region_of_span(after), bad);
    }
}

// The live region just before the byte, if the byte is in what that takes beyond its size.
static struct tn_check_region *in_slack(struct tn_check_span *before, uint64_t address) {
    struct tn_check_region *region = before == NULL ? NULL : tn_check_region_of_span(before);
    return region != NULL && address - region->lo < region->taken ? region : NULL;
}

// The row touches free bytes of a heap first at `bad`, and came from no live region.
static void judge_free(struct tn_check_call *call, const struct row *row,
                       const struct tn_check_heap *heap, uint64_t bad) {
    struct tn_check_span *before = tn_check_cover_before(&heap->live, bad);
    struct tn_check_span *after = tn_check_cover_after(&heap->live, bad);
    uint64_t behind = before == NULL ? UINT64_MAX : bad - before->hi;
    bool into = after != NULL && after->lo < row->hi;
    uint64_t ahead = after == NULL ? UINT64_MAX : into ? 0 : after->lo - row->hi;
    const struct tn_check_region *dead = NULL;
    if (in_slack(before, bad) != NULL) {
        report_overflow(call, row, tn_check_region_of_span(before), bad);
    } else if ((dead = tn_check_ended_at(heap->plane->space, heap->serial, bad)) != NULL) {
        report_use_after_free(call, row, dead, behind <= ahead ? before : after, bad);
    } else if (into || (ahead < NEAR && ahead < behind)) {
        struct tn_check_report *report =
            report_access(call, TN_CHECK_KIND_HEAP_UNDERFLOW, row, bad);
        tn_check_describe_region(report, tn_check_region_of_span(after), bad);
    } else if (behind < NEAR) {
        report_overflow(call, row, tn_check_region_of_span(before), bad);
    } else {
        report_unallocated(call, row, heap, before, after, bad);
    }
}

static void report_crossing(struct tn_check_call *call, const struct row *row,
                            const struct tn_check_region *from,
                            const struct tn_check_region *into) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_CROSS_REGION_COPY,
        "%s of %llu byte(s) at 0x%llx runs from R%llu (size %llu) into R%llu (size %llu)",
        row->access->name != NULL ? row->access->name : access_verb(row->access),
        (unsigned long long)(row->hi - row->lo), (unsigned long long)row->lo,
        (unsigned long long)from->serial, (unsigned long long)(from->hi - from->lo),
        (unsigned long long)into->serial, (unsigned long long)(into->hi - into->lo));
    report->access = access_verb(row->access);
    report->addr = row->lo;
    report->bytes = row->hi - row->lo;
    tn_check_describe_region(report, from, row->lo);
    tn_check_describe_second(report, into, into->lo);
}

static void report_forbidden(struct tn_check_call *call, const struct row *row,
                             const struct tn_check_region *region) {
    static const char *const rights[] = {"neither readable nor writable", "READ only",
                                         "WRITE only"};
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_PERMISSION_VIOLATION,
                             "%s of %llu byte(s) at 0x%llx to R%llu which is %s",
                             access_verb(row->access), (unsigned long long)(row->hi - row->lo),
                             (unsigned long long)row->lo, (unsigned long long)region->serial,
                             rights[region->permission & (TN_CHECK_MAY_READ | TN_CHECK_MAY_WRITE)]);
    report->access = access_verb(row->access);
    report->addr = row->lo;
    report->bytes = row->hi - row->lo;
    tn_check_describe_origin(report, "permission assigned", &region->permitted);
    tn_check_describe_region(report, region, row->lo);
}

static void report_uninitialised(struct tn_check_call *call, const struct row *row,
                                 const struct tn_check_region *region, uint64_t first,
                                 uint64_t count) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_UNINITIALISED_READ,
        "%llu of %llu byte(s) at 0x%llx never written since registration of R%llu",
        (unsigned long long)count, (unsigned long long)(row->hi - row->lo),
        (unsigned long long)row->lo, (unsigned long long)region->serial);
    report->access = "read";
    report->addr = first;
    report->bytes = count;
    tn_check_describe_region(report, region, first);
}

// ---- rules for live bytes. False: there was a finding

// Where regions overlap, the rights of any of them are enough.
static bool any_region_permits(const struct tn_check_heap *heap, uint64_t address, uint8_t right) {
    for (struct tn_check_span *span = tn_check_cover_at(&heap->live, address); span != NULL;
         span = tn_check_cover_older(span, address)) {
        if ((tn_check_region_of_span(span)->permission & right) != 0) {
            return true;
        }
    }
    return false;
}

static bool judge_rights(struct tn_check_call *call, const struct row *row, const struct run *run,
                         uint64_t at) {
    uint8_t right = row->access->write ? TN_CHECK_MAY_WRITE : TN_CHECK_MAY_READ;
    if ((run->region->permission & right) != 0 || any_region_permits(run->heap, at, right)) {
        return true;
    }
    report_forbidden(call, row, run->region);
    return false;
}

static bool judge_written(struct tn_check_call *call, const struct row *row,
                          const struct tn_check_region *region, uint64_t lo, uint64_t hi) {
    uint64_t first = 0;
    uint64_t count = 0;
    bool known = region->seen || region->sealed;
    if (row->access->write || !known || !tn_check_model.options->uninitialised ||
        tn_check_written_covers(&region->written, lo, hi, &first, &count) ||
        (!region->seen && !tn_check_seal_intact(region, lo, hi))) {
        return true;
    }
    report_uninitialised(call, row, region, first, count);
    return false;
}

static bool judge_alignment(struct tn_check_call *call, const struct row *row,
                            const struct tn_check_region *region) {
    unsigned alignment = tn_check_model.options->alignment;
    if (alignment < 2 || row->lo % alignment == 0) {
        return true;
    }
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_MISALIGNED_ACCESS,
        "%s of %llu byte(s) at 0x%llx (needs %u-byte alignment) in R%llu+0x%llx",
        access_verb(row->access), (unsigned long long)(row->hi - row->lo),
        (unsigned long long)row->lo, alignment, (unsigned long long)region->serial,
        (unsigned long long)(row->lo - region->lo));
    report->access = access_verb(row->access);
    report->addr = row->lo;
    report->bytes = row->hi - row->lo;
    tn_check_describe_region(report, region, row->lo);
    return false;
}

static bool judge_live(struct tn_check_call *call, const struct row *row, const struct run *run,
                       uint64_t at, uint64_t until) {
    return judge_rights(call, row, run, at) && judge_written(call, row, run->region, at, until) &&
           (at != row->lo || judge_alignment(call, row, run->region));
}

// ---- rows

static bool judge_outside(struct tn_check_call *call, const struct row *row,
                          const struct tn_check_region *from, uint64_t at) {
    if (from != NULL) {
        report_overflow(call, row, from, at);
        return false;
    }
    return true;
}

// True: nothing is wrong with the row.
static bool judge_row(struct tn_check_call *call, const struct row *row) {
    const struct tn_check_region *from = NULL; // the live region that the row came through last
    bool entered = false;                      // from outside: then nothing is said about leaving
    struct run run;
    for (uint64_t at = row->lo; at < row->hi; at = run.until) {
        run = run_at(row->plane, at);
        if (run.state == TN_CHECK_BYTE_OUTSIDE) {
            entered = entered || at == row->lo;
            if (!judge_outside(call, row, from, at)) {
                return false;
            }
            continue;
        }
        if (run.state == TN_CHECK_BYTE_UNUSED) {
            if (from != NULL && at >= from->span.hi) {
                report_overflow(call, row, from, at);
            } else {
                judge_free(call, row, run.heap, at);
            }
            return false;
        }
        if (from != NULL && run.region->span.lo >= from->span.hi) {
            report_crossing(call, row, from, run.region);
            return false;
        }
        if (!judge_live(call, row, &run, at, min_address(run.until, row->hi))) {
            return false;
        }
        from = entered ? NULL : run.region;
    }
    return true;
}

static const struct tn_check_heap *ended_heap_at(uint32_t space, int32_t device, uint64_t lo,
                                                 uint64_t hi) {
    const struct tn_check_heap *heap = tn_check_model.dead_heaps;
    while (heap != NULL && (heap->plane->space != space || heap->lo >= hi || heap->hi <= lo ||
                            !tn_check_device_matches(heap->device, device))) {
        heap = heap->older;
    }
    return heap;
}

// Only with the option that says so: a heap that ended stays forbidden.
static bool judge_after_heap(struct tn_check_call *call, const struct row *row) {
    if (!tn_check_model.options->after_heap_poison) {
        return true;
    }
    const struct tn_check_heap *heap =
        ended_heap_at(row->access->space, row->access->device, row->lo, row->hi);
    if (heap == NULL) {
        return true;
    }
    struct tn_check_report *report =
        report_access(call, TN_CHECK_KIND_USE_AFTER_FREE, row, row->lo);
    tn_check_describe_heap(report, heap);
    tn_check_describe_origin(report, "freed", &heap->ended);
    return false;
}

// ---- what was written

// In every region that covers it, and in those around their heaps.
static bool mark_region_written(struct tn_check_span *span, void *context) {
    const uint64_t *range = (const uint64_t *)context;
    struct tn_check_region *region = tn_check_region_of_span(span);
    uint64_t lo = range[0] > span->lo ? range[0] : span->lo;
    tn_check_written_add(&region->written, lo, min_address(range[1], span->hi));
    return true;
}

static bool mark_in_heap(struct tn_check_span *span, void *context) {
    tn_check_cover_walk(&tn_check_heap_of_span(span)->live, ((uint64_t *)context)[0],
                        ((uint64_t *)context)[1], mark_region_written, context);
    return true;
}

static void mark_written(const struct tn_check_plane *plane, uint64_t lo, uint64_t hi) {
    uint64_t range[2] = {lo, hi};
    tn_check_cover_walk(&plane->heaps, lo, hi, mark_in_heap, range);
}

void tn_check_access_initialised(uint32_t space, int32_t device, uint64_t lo, uint64_t bytes) {
    const struct tn_check_plane *plane = plane_of(space, device, lo, lo + bytes);
    if (plane != NULL && bytes != 0) {
        mark_written(plane, lo, lo + bytes);
    }
}

// ---- boxes

static bool is_plain(const struct tn_check_access *access) {
    return access->height <= 1 && access->depth <= 1;
}

static uint64_t end_of(const struct tn_check_access *access) {
    return access->lo + (access->depth - 1) * access->slice_pitch +
           (access->height - 1) * access->pitch + access->bytes;
}

static bool do_row(struct tn_check_call *call, const struct tn_check_access *access, uint64_t lo) {
    struct row row = {access, NULL, lo, lo + access->bytes};
    if (row.hi < row.lo) {
        return true; // no addresses at all: refused by whoever was asked
    }
    row.plane = plane_of(access->space, access->device, row.lo, row.hi);
    if (row.plane == NULL) {
        return judge_after_heap(call, &row);
    }
    bool good = judge_row(call, &row);
    if (access->write) {
        mark_written(row.plane, row.lo, row.hi);
    }
    return good;
}

// A box that lies in memory nobody told of, or a write of one into one region, needs no rows.
static bool is_of_no_heap(const struct tn_check_access *access) {
    uint64_t end = end_of(access);
    return end > access->lo && !tn_check_model.options->after_heap_poison &&
           plane_of(access->space, access->device, access->lo, end) == NULL;
}

void tn_check_access_judge(struct tn_check_call *call, const struct tn_check_access *access) {
    tn_check_model.stats.accesses++;
    if (access->bytes == 0 || access->height == 0 || access->depth == 0) {
        return;
    }
    if (is_plain(access)) {
        (void)do_row(call, access, access->lo);
        return;
    }
    if (is_of_no_heap(access)) {
        return;
    }
    for (uint64_t z = 0; z < access->depth; z++) {
        for (uint64_t y = 0; y < access->height; y++) {
            if (!do_row(call, access, access->lo + z * access->slice_pitch + y * access->pitch)) {
                return;
            }
        }
    }
}
