// SPDX-License-Identifier: Apache-2.0
// Judges accesses. One region nearly always contains the complete box, which is then judged at once.
// Otherwise each row is split into runs of bytes of one state. The innermost heap decides about a
// byte. Where heaps overlap in part, a live region of any of them allows the access.
#include "check/access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/describe.h"
#include "check/options.h"
#include "check/order/order.h"
#include "check/seal.h"
#include "check/unwritten.h"

enum {
    MAX_HEAPS = 8, // heaps considered for one byte
    NEAR = 64      // an access this close to a region counts as its overflow or underflow
};

// Bytes of one state, up to `until`.
struct run {
    enum tn_check_byte_state state; // freed bytes count as TN_CHECK_BYTE_UNUSED
    uint64_t until;
    struct tn_check_heap *heap;
    struct tn_check_region *region; // TN_CHECK_BYTE_LIVE: the longest one at the first byte
};

struct row {
    const struct tn_check_access *access;
    struct tn_check_plane *plane;
    uint64_t lo;
    uint64_t hi;
};

static uint64_t min_address(uint64_t a, uint64_t b) { return a < b ? a : b; }

// ---- states

// Chooses the plane of the device, else the plane of heaps without a device, else any plane of the
// space. An address of a space identifies one byte, unless a client numbers the memory of each
// device alike.
static struct tn_check_plane *plane_of(uint32_t space, int32_t device, uint64_t lo, uint64_t hi) {
    struct tn_check_plane *best = NULL;
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (plane->space != space || tn_check_cover_touches(&plane->heaps, lo, hi) == NULL)
            continue;
        if (plane->device == device) return plane;
        if (best == NULL || plane->device == TN_CHECK_ANY_DEVICE) best = plane;
    }
    return best;
}

static uint64_t next_heap(const struct tn_check_plane *plane, uint64_t address) {
    const struct tn_check_span *span = tn_check_cover_after(&plane->heaps, address);
    return span == NULL ? UINT64_MAX : span->lo;
}

static struct run run_at(const struct tn_check_plane *plane, uint64_t address) {
    struct tn_check_heap *heap[MAX_HEAPS];
    unsigned count = tn_check_heaps_at(plane, address, heap, MAX_HEAPS);
    if (count == 0)
        return (struct run){TN_CHECK_BYTE_OUTSIDE, next_heap(plane, address), NULL, NULL};
    struct run run = {TN_CHECK_BYTE_LIVE, UINT64_MAX, NULL, NULL};
    for (unsigned i = 0; i < count; i++) {
        struct tn_check_span *span = tn_check_cover_at(&heap[i]->live, address);
        for (; span != NULL; span = tn_check_cover_older(span, address)) {
            if (run.region == NULL || span->hi > run.region->span.hi) {
                run.region = tn_check_region_of_span(span);
                run.heap = heap[i];
                run.until = span->hi;
            }
        }
    }
    if (run.region == NULL || run.heap->inner != 0) // an inner heap decides about its bytes
        run.until = min_address(run.until, next_heap(plane, address));
    if (run.region != NULL) return run;
    run.state = TN_CHECK_BYTE_UNUSED;
    run.heap = heap[0];
    for (unsigned i = 0; i < count; i++) {
        const struct tn_check_span *after = tn_check_cover_after(&heap[i]->live, address);
        run.until = min_address(run.until, after == NULL ? heap[i]->hi : after->lo);
        run.until = min_address(run.until, heap[i]->hi);
    }
    return run;
}

enum tn_check_byte_state tn_check_byte_state(uint32_t space, int32_t device, uint64_t address) {
    const struct tn_check_plane *plane = plane_of(space, device, address, address + 1);
    if (plane == NULL) return TN_CHECK_BYTE_OUTSIDE;
    struct run run = run_at(plane, address);
    if (run.state == TN_CHECK_BYTE_UNUSED &&
        tn_check_ended_at(space, run.heap->serial, address) != NULL)
        return TN_CHECK_BYTE_FREED;
    return run.state;
}

struct tn_check_region *tn_check_region_around(uint32_t space, int32_t device, uint64_t address) {
    const struct tn_check_plane *plane = plane_of(space, device, address, address + 1);
    struct tn_check_region *region = plane != NULL ? run_at(plane, address).region : NULL;
    return region != NULL ? region : tn_check_plain_at(space, address);
}

// ---- findings

static const char *access_verb(const struct tn_check_access *access) {
    return access->write ? "write" : "read";
}

static void set_row(struct tn_check_report *report, const struct row *row) {
    report->access = access_verb(row->access);
    tn_check_report_set_range(report, row->lo, row->hi - row->lo);
}

// `bad` is the first byte that may not be accessed.
static struct tn_check_report *report_access(struct tn_check_call *call, enum tn_check_kind kind,
                                             const struct row *row, uint64_t bad) {
    const struct tn_check_access *access = row->access;
    char from[48] = "";
    if (bad != row->lo) (void)snprintf(from, sizeof from, ", wrong from 0x%" PRIx64 " on", bad);
    struct tn_check_report *report = tn_check_call_report(
        call, kind, "%s of %" PRIu64 " byte(s) at 0x%" PRIx64 "%s%s%s", access_verb(access),
        row->hi - row->lo, row->lo, from, access->name == NULL ? "" : " by ",
        access->name == NULL ? "" : access->name);
    set_row(report, row);
    report->device = access->device;
    return report;
}

// Reports an access beside or into `region`. `second` is another region nearby, or NULL.
static void report_near(struct tn_check_call *call, enum tn_check_kind kind, const struct row *row,
                        uint64_t bad, const struct tn_check_region *region,
                        const struct tn_check_region *second) {
    struct tn_check_report *report = report_access(call, kind, row, bad);
    tn_check_describe_region(report, region, bad);
    if (second != NULL) tn_check_describe_second(report, second, bad);
}

static void report_overflow(struct tn_check_call *call, const struct row *row,
                            const struct tn_check_region *region, uint64_t bad) {
    report_near(call, TN_CHECK_KIND_HEAP_OVERFLOW, row, bad, region,
                tn_check_ended_at(region->space, region->heap_serial, bad));
}

static void report_unallocated(struct tn_check_call *call, const struct row *row,
                               const struct tn_check_heap *heap, const struct tn_check_region *left,
                               const struct tn_check_region *right, uint64_t bad) {
    struct tn_check_report *report =
        report_access(call, TN_CHECK_KIND_UNALLOCATED_ACCESS, row, bad);
    tn_check_describe_heap(report, heap);
    const struct tn_check_region *nearest = left != NULL ? left : right;
    if (nearest == NULL) nearest = tn_check_ended_near(heap->plane->space, heap->serial, bad);
    if (nearest != NULL) tn_check_describe_region(report, nearest, bad);
    if (left != NULL && right != NULL) tn_check_describe_second(report, right, bad);
}

// Judges a row that does not come from a live region. `bad` is its first free byte in a heap. The
// slack of a region, which is the bytes that it occupies beyond its requested size, counts as its
// end.
static void judge_free(struct tn_check_call *call, const struct row *row,
                       const struct tn_check_heap *heap, uint64_t bad) {
    struct tn_check_span *before = tn_check_cover_before(&heap->live, bad);
    struct tn_check_span *after = tn_check_cover_after(&heap->live, bad);
    uint64_t behind = before == NULL ? UINT64_MAX : bad - before->hi;
    bool into = after != NULL && after->lo < row->hi;
    uint64_t ahead = after == NULL ? UINT64_MAX : into ? 0 : after->lo - row->hi;
    const struct tn_check_region *left = before == NULL ? NULL : tn_check_region_of_span(before);
    const struct tn_check_region *right = after == NULL ? NULL : tn_check_region_of_span(after);
    const struct tn_check_region *ended = NULL;
    if (left != NULL && bad - left->lo < left->taken)
        report_overflow(call, row, left, bad);
    else if (tn_check_order_frees_later(heap->plane->space, bad, bad + 1))
        return;
    else if ((ended = tn_check_ended_at(heap->plane->space, heap->serial, bad)) != NULL)
        report_near(call, TN_CHECK_KIND_USE_AFTER_FREE, row, bad, ended,
                    behind <= ahead ? left : right);
    else if (into || (ahead < NEAR && ahead < behind))
        report_near(call, TN_CHECK_KIND_HEAP_UNDERFLOW, row, bad, right,
                    left != NULL && bad - left->lo < tn_check_region_needs(left) ? left : NULL);
    else if (behind < NEAR)
        report_overflow(call, row, left, bad);
    else
        report_unallocated(call, row, heap, left, right, bad);
}

static void report_crossing(struct tn_check_call *call, const struct row *row,
                            const struct tn_check_region *from,
                            const struct tn_check_region *into) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_CROSS_REGION_COPY,
        "%s of %" PRIu64 " byte(s) at 0x%" PRIx64 " runs from R%" PRIu64 " (size %" PRIu64
        ") into R%" PRIu64 " (size %" PRIu64 ")",
        row->access->name != NULL ? row->access->name : access_verb(row->access), row->hi - row->lo,
        row->lo, from->serial, from->hi - from->lo, into->serial, into->hi - into->lo);
    set_row(report, row);
    tn_check_describe_region(report, from, row->lo);
    tn_check_describe_second(report, into, into->lo);
}

// ---- rules for live bytes; each returns false after a finding

// Where regions overlap, the permission of any of them suffices.
static bool any_region_permits(const struct tn_check_heap *heap, uint64_t address, uint8_t right) {
    for (struct tn_check_span *span = tn_check_cover_at(&heap->live, address); span != NULL;
         span = tn_check_cover_older(span, address))
        if ((tn_check_region_of_span(span)->permission & right) != 0) return true;
    return false;
}

static bool judge_rights(struct tn_check_call *call, const struct row *row, const struct run *run,
                         uint64_t at) {
    static const char *const rights[] = {"neither readable nor writable", "READ only",
                                         "WRITE only"};
    uint8_t right = row->access->write ? TN_CHECK_MAY_WRITE : TN_CHECK_MAY_READ;
    const struct tn_check_region *region = run->region;
    if ((region->permission & right) != 0 || any_region_permits(run->heap, at, right)) return true;
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_PERMISSION_VIOLATION,
        "%s of %" PRIu64 " byte(s) at 0x%" PRIx64 " to R%" PRIu64 " which is %s",
        access_verb(row->access), row->hi - row->lo, row->lo, region->serial,
        rights[region->permission & (TN_CHECK_MAY_READ | TN_CHECK_MAY_WRITE)]);
    set_row(report, row);
    tn_check_describe_origin(report, "permission assigned", &region->permitted);
    tn_check_describe_region(report, region, row->lo);
    return false;
}

static bool judge_alignment(struct tn_check_call *call, const struct row *row,
                            const struct tn_check_region *region) {
    unsigned alignment = tn_check_model.options->alignment;
    if (alignment < 2 || row->lo % alignment == 0) return true;
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_MISALIGNED_ACCESS,
                             "%s of %" PRIu64 " byte(s) at 0x%" PRIx64
                             " (needs %u-byte alignment) in R%" PRIu64 "+0x%" PRIx64,
                             access_verb(row->access), row->hi - row->lo, row->lo, alignment,
                             region->serial, row->lo - region->lo);
    set_row(report, row);
    tn_check_describe_region(report, region, row->lo);
    return false;
}

static bool judge_live(struct tn_check_call *call, const struct row *row, const struct run *run,
                       uint64_t at, uint64_t until) {
    const struct tn_check_part part = {run->region, row->lo, row->hi, at, until};
    return judge_rights(call, row, run, at) && tn_check_unwritten_judge(call, row->access, &part) &&
           (at != row->lo || judge_alignment(call, row, run->region));
}

// ---- rows

// Walks the row. Returns false after the first finding.
//
// A row that begins in a region must stay in it, or in one that overlaps it and ends later. Leaving
// it is an overflow, or a crossing if the row enters the next region. A row that begins outside all
// heaps (`began_outside`) belongs to memory that the checker does not know, so leaving a region is
// not reported then.
static bool judge_row(struct tn_check_call *call, const struct row *row) {
    const struct tn_check_region *from = NULL; // the region that the row must not leave
    bool began_outside = false;
    struct run run;
    for (uint64_t at = row->lo; at < row->hi; at = run.until) {
        run = run_at(row->plane, at);
        bool has_left = from != NULL && at >= from->span.hi;
        switch (run.state) {
        case TN_CHECK_BYTE_LIVE:
            if (from != NULL && run.region->span.lo >= from->span.hi) {
                report_crossing(call, row, from, run.region);
                return false;
            }
            if (!judge_live(call, row, &run, at, min_address(run.until, row->hi))) return false;
            if (!began_outside && (from == NULL || run.region->span.hi > from->span.hi))
                from = run.region;
            break;
        case TN_CHECK_BYTE_OUTSIDE:
            began_outside = began_outside || at == row->lo;
            if (from != NULL) {
                report_overflow(call, row, from, at);
                return false;
            }
            break;
        default: // free bytes of a heap
            if (has_left)
                report_overflow(call, row, from, at);
            else
                judge_free(call, row, run.heap, at);
            return false;
        }
    }
    return true;
}

// With --after-heap=poison the range of a heap stays forbidden after the heap ends.
static bool judge_after_heap(struct tn_check_call *call, const struct row *row) {
    const struct tn_check_heap *heap = tn_check_model.ended_heaps;
    if (!tn_check_model.options->after_heap_poison) return true;
    while (heap != NULL &&
           (heap->plane->space != row->access->space || heap->lo >= row->hi ||
            heap->hi <= row->lo || !tn_check_device_matches(heap->device, row->access->device)))
        heap = heap->older;
    if (heap == NULL) return true;
    struct tn_check_report *report =
        report_access(call, TN_CHECK_KIND_USE_AFTER_FREE, row, row->lo);
    tn_check_describe_heap(report, heap);
    tn_check_describe_origin(report, "freed", &heap->ended);
    return false;
}

// ---- written bytes

// Marks the bytes in every region that contains them, and in the regions around their heaps.
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

// Marks the bytes as known by one of their addresses.
static void mark_name(void *arg, uint32_t space, uint64_t lo, uint64_t hi) {
    const struct tn_check_plane *plane = plane_of(space, *(const int32_t *)arg, lo, hi);
    if (plane != NULL) mark_written(plane, lo, hi);
    tn_check_plain_mark(space, lo, hi);
}

void tn_check_access_initialised(uint32_t space, int32_t device, uint64_t lo, uint64_t bytes) {
    if (bytes == 0) return;
    if (tn_load_relaxed(&tn_check_order_has_names))
        tn_check_order_names(space, lo, lo + bytes, mark_name, &device);
    else
        mark_name(&device, space, lo, lo + bytes);
}

// The contents of a part of a block were lost. The new memory beneath it is sealed, as that of a new
// block is.
void tn_check_access_discarded(struct tn_check_call *call, uint32_t space, uint64_t lo,
                               uint64_t bytes) {
    struct tn_check_region *region = tn_check_region_containing(space, lo);
    uint64_t hi = lo + bytes;
    if (region == NULL) return;
    hi = hi < region->hi ? hi : region->hi;
    tn_check_written_remove(&region->written, lo, hi);
    region->lost = true;
    if (space == 0 && region->host_can && !region->seen && tn_check_model.options->uninitialised)
        region->sealed = tn_check_seal_write(call, region, lo, hi);
}

// ---- boxes

static bool do_row(struct tn_check_call *call, const struct tn_check_access *access, uint64_t lo) {
    struct row row = {access, NULL, lo, lo + access->bytes};
    if (row.hi < row.lo) return true; // the range wraps, and the library has refused the call
    row.plane = plane_of(access->space, access->device, row.lo, row.hi);
    if (row.plane == NULL) return judge_after_heap(call, &row);
    bool allowed = judge_row(call, &row);
    if (access->write && !access->refused) mark_written(row.plane, row.lo, row.hi);
    return allowed;
}

// Finds the end of the box. Returns false if it wraps.
static bool find_end(const struct tn_check_access *access, uint64_t *end) {
    uint64_t slices = 0;
    uint64_t rows = 0;
    return !__builtin_mul_overflow(access->depth - 1, access->slice_pitch, &slices) &&
           !__builtin_mul_overflow(access->height - 1, access->pitch, &rows) &&
           !__builtin_add_overflow(access->lo, slices, end) &&
           !__builtin_add_overflow(*end, rows, end) &&
           !__builtin_add_overflow(*end, access->bytes, end);
}

static struct tn_check_rows rows_of(const struct tn_check_access *access, uint64_t slice) {
    return (struct tn_check_rows){
        .lo = access->lo + slice * access->slice_pitch,
        .bytes = access->bytes,
        .pitch = access->height == 1 ? access->bytes : access->pitch,
        .count = access->height,
    };
}

// Judges the box at once if one region contains all of it and no other region or heap concerns its
// bytes. Returns false, without a change, if the rows must be judged one by one.
static bool judge_at_once(const struct tn_check_plane *plane, const struct tn_check_access *access,
                          uint64_t end) {
    const struct tn_check_options *options = tn_check_model.options;
    struct tn_check_span *heap = tn_check_cover_alone(&plane->heaps, access->lo, end);
    struct tn_check_span *span =
        heap == NULL ? NULL
                     : tn_check_cover_alone(&tn_check_heap_of_span(heap)->live, access->lo, end);
    if (span == NULL || options->alignment >= 2 || access->refused ||
        (access->height > 1 && access->pitch < access->bytes))
        return false;
    struct tn_check_region *region = tn_check_region_of_span(span);
    bool may = (region->permission & (access->write ? TN_CHECK_MAY_WRITE : TN_CHECK_MAY_READ)) != 0;
    bool judged = options->uninitialised && !access->write && !access->inside &&
                  (region->from_event || region->seen || region->sealed);
    for (uint64_t z = 0; may && judged && z < access->depth; z++) {
        const struct tn_check_rows rows = rows_of(access, z);
        may = tn_check_written_covers_rows(&region->written, &rows);
    }
    for (uint64_t z = 0; may && access->write && z < access->depth; z++) {
        const struct tn_check_rows rows = rows_of(access, z);
        tn_check_written_add_rows(&region->written, &rows);
    }
    return may;
}

// Judges a box that may leave the requested bytes of plain memory, without leaving the memory. The
// library refuses any other. Returns false after a finding.
static bool judge_padding(struct tn_check_call *call, const struct tn_check_access *access,
                          const struct tn_check_region *plain) {
    for (uint64_t z = 0; z < access->depth && !access->refused; z++) {
        for (uint64_t y = 0; y < access->height; y++) {
            uint64_t lo = access->lo + z * access->slice_pitch + y * access->pitch;
            const struct row row = {access, NULL, lo, lo + access->bytes};
            uint64_t bad = lo > plain->hi ? lo : plain->hi;
            if (row.hi > plain->hi &&
                tn_check_byte_state(access->space, access->device, bad) == TN_CHECK_BYTE_OUTSIDE) {
                report_near(call, TN_CHECK_KIND_HEAP_OVERFLOW, &row, bad, plain, NULL);
                return false;
            }
        }
    }
    return true;
}

// Judges the bytes of plain memory in the box. Returns false after a finding. Bytes of heaps in plain
// memory count as written there, and none of them is padding.
static bool judge_plain(struct tn_check_call *call, const struct tn_check_access *access,
                        uint64_t end) {
    struct tn_check_region *plain = tn_check_plain_at(access->space, access->lo);
    if (plain == NULL || end - plain->lo > plain->taken ||
        (access->height > 1 && access->pitch < access->bytes))
        return true;
    bool allowed = end <= plain->hi || judge_padding(call, access, plain);
    for (uint64_t z = 0; z < access->depth; z++) {
        const struct tn_check_rows rows = rows_of(access, z);
        if (access->write) {
            tn_check_written_add_rows(&plain->written, &rows);
        } else if (allowed && !access->inside &&
                   !tn_check_written_covers_rows(&plain->written, &rows)) {
            for (uint64_t y = 0; allowed && y < rows.count; y++) {
                uint64_t lo = rows.lo + y * rows.pitch;
                const struct tn_check_part part = {plain, lo, lo + rows.bytes, lo, lo + rows.bytes};
                allowed = tn_check_unwritten_judge(call, access, &part);
            }
        }
    }
    return allowed;
}

// Returns true if the box is judged. The plane of the access's own device comes first, so that
// plane_of() is seldom needed.
static bool judge_box(struct tn_check_call *call, const struct tn_check_access *access,
                      uint64_t end) {
    const struct tn_check_plane *own = tn_check_model.planes;
    while (own != NULL && (own->space != access->space || own->device != access->device))
        own = own->next;
    if (own != NULL && judge_at_once(own, access, end)) return true;
    const struct tn_check_plane *plane = plane_of(access->space, access->device, access->lo, end);
    return (plane != NULL && plane != own && judge_at_once(plane, access, end)) ||
           !judge_plain(call, access, end) ||
           (plane == NULL && !tn_check_model.options->after_heap_poison);
}

// ---- other addresses of the bytes

// A row that lies in a freed region by another address.
struct stale {
    const struct row *row;
    const struct tn_check_region *region; // NULL: there is none
    uint64_t lo;                          // the other address
};

static void find_stale(void *arg, uint32_t space, uint64_t lo, uint64_t hi) {
    struct stale *stale = arg;
    const struct tn_check_access *access = stale->row->access;
    const struct tn_check_plane *plane = plane_of(space, access->device, lo, hi);
    bool own = space == access->space && lo >= stale->row->lo && lo < stale->row->hi;
    if (plane == NULL || own || stale->region != NULL) return;
    const struct run run = run_at(plane, lo);
    if (run.state != TN_CHECK_BYTE_UNUSED || run.until < hi) return;
    const struct tn_check_region *ended = tn_check_ended_at(space, run.heap->serial, lo);
    if (ended == NULL || ended->hi < hi) return;
    stale->region = ended;
    stale->lo = lo;
}

// An access is judged by its own address. By another one it may still use a freed region: only if the
// region contains all of it, because the other address may be there to see a heap as a whole.
static bool judge_other_names(struct tn_check_call *call, const struct tn_check_access *access,
                              uint64_t lo) {
    const struct row row = {access, NULL, lo, lo + access->bytes};
    struct stale stale = {.row = &row};
    tn_check_order_names(access->space, row.lo, row.hi, find_stale, &stale);
    if (stale.region == NULL) return true;
    struct tn_check_report *report =
        report_access(call, TN_CHECK_KIND_USE_AFTER_FREE, &row, row.lo);
    struct tn_check_text text = {report->what, strlen(report->what), sizeof report->what};
    tn_check_text_add(&text, ", the same memory as at 0x%" PRIx64, stale.lo);
    tn_check_describe_region(report, stale.region, stale.lo);
    return false;
}

// Judges a box of bytes that may have several addresses, and marks what it writes by all of them.
static void judge_names(struct tn_check_call *call, const struct tn_check_access *access,
                        uint64_t end) {
    bool allowed = true;
    if (!tn_check_order_keeps(access->space, access->lo, end)) return;
    for (uint64_t i = 0; i < access->height * access->depth; i++) {
        uint64_t lo = access->lo + i / access->height * access->slice_pitch +
                      i % access->height * access->pitch;
        allowed = allowed && judge_other_names(call, access, lo);
        if (access->write)
            tn_check_access_initialised(access->space, access->device, lo, access->bytes);
    }
}

void tn_check_access_judge(struct tn_check_call *call, const struct tn_check_access *access) {
    uint64_t end = 0;
    tn_check_model.stats.accesses++;
    if (access->bytes == 0 || access->height == 0 || access->depth == 0) return;
    bool ends = find_end(access, &end);
    if (ends && !access->refused && tn_load_relaxed(&tn_check_order_has_names))
        judge_names(call, access, end);
    if (ends && judge_box(call, access, end)) return;
    for (uint64_t z = 0; z < access->depth; z++) {
        for (uint64_t y = 0; y < access->height; y++)
            if (!do_row(call, access, access->lo + z * access->slice_pitch + y * access->pitch))
                return;
    }
}
