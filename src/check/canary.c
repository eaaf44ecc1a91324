// SPDX-License-Identifier: Apache-2.0
// Canaries and fill. A mark is a range of bytes that were given a known value. Canaries lie beside
// a live region, in its slack or in a gap that is known to be free. Fill lies in an ended region. A
// region that was freed in order of a stream is not filled, because earlier work may still use it.
#include "check/canary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check/describe.h"

enum { CANARY_BYTE = 0xfb, FILL_BYTE = 0xdd, CHUNK = 4096, SHOWN = 16 };

// Bytes of one region that are filled. Filling must not cost more than using the region.
#define MAX_FILL (UINT64_C(1) << 20)

struct mark {
    const struct tn_check_region *region; // of a canary; fill is in a region that has ended
    uint64_t serial;                      // of the region
    bool fill;
};

static struct tn_interval marks; // the value is a struct mark *; zeroed is empty

// ---- bytes; false if they cannot be reached

static bool transfer_bytes(uint64_t address, void *bytes, size_t count, bool write) {
    struct iovec here = {bytes, count};
    struct iovec there = {(void *)(uintptr_t)address, count};
    ssize_t moved = write ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
                          : process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return moved == (ssize_t)count;
}

struct damage {
    uint64_t first;
    uint64_t count;
    unsigned char found[SHOWN]; // the first changed bytes
    unsigned shown;
};

static void compare_bytes(struct damage *damage, uint64_t at, const unsigned char *bytes,
                          size_t count, unsigned char expected) {
    for (size_t i = 0; i < count; i++) {
        bool wrong = bytes[i] != expected;
        if (wrong && damage->count == 0) damage->first = at + i;
        damage->count += wrong;
        if (damage->count != 0 && damage->shown < SHOWN && at + i == damage->first + damage->shown)
            damage->found[damage->shown++] = bytes[i];
    }
}

static struct damage read_damage(uint64_t lo, uint64_t hi, unsigned char expected) {
    struct damage damage = {0};
    unsigned char chunk[CHUNK];
    for (uint64_t at = lo; at < hi; at += CHUNK) {
        size_t count = hi - at < CHUNK ? hi - at : CHUNK;
        if (!transfer_bytes(at, chunk, count, false)) break; // the memory is gone
        compare_bytes(&damage, at, chunk, count, expected);
    }
    return damage;
}

// ---- findings

// Formats the changed bytes as "41 42 43", as many in a row as fit.
static void format_damage(char text[SHOWN * 3 + 1], const struct damage *damage,
                          unsigned char expected) {
    unsigned last = damage->shown;
    while (last > 0 && damage->found[last - 1] == expected) last--;
    for (unsigned i = 0; i < last; i++)
        (void)snprintf(text + (size_t)i * 3, 4, "%02x ", damage->found[i]);
    text[last == 0 ? 0 : last * 3 - 1] = '\0';
}

static void report_damage(struct tn_check_call *call, const struct mark *mark,
                          const struct damage *damage) {
    char found[SHOWN * 3 + 1] = "";
    unsigned char expected = mark->fill ? FILL_BYTE : CANARY_BYTE;
    const struct tn_check_region *region =
        mark->fill ? tn_check_ended_by_serial(mark->serial) : mark->region;
    format_damage(found, damage, expected);
    struct tn_check_report *report = NULL;
    if (mark->fill) {
        report = tn_check_call_report(call, TN_CHECK_KIND_WRITE_AFTER_FREE,
                                      "%" PRIu64 " byte(s) at 0x%" PRIx64
                                      " changed while free (expected %02x, found %s), "
                                      "region R%" PRIu64,
                                      damage->count, damage->first, expected, found, mark->serial);
    } else {
        bool after = damage->first >= region->hi;
        uint64_t offset = after ? damage->first - region->hi : region->lo - damage->first;
        report = tn_check_call_report(call, TN_CHECK_KIND_REDZONE_DAMAGE,
                                      "%" PRIu64 " byte(s) %s region R%" PRIu64
                                      " changed before unregister: %c%" PRIu64 ": %s "
                                      "(expected %02x)",
                                      damage->count, after ? "after" : "before", mark->serial,
                                      after ? '+' : '-', offset, found, expected);
    }
    tn_check_report_set_range(report, damage->first, damage->count);
    if (region != NULL) tn_check_describe_region(report, region, damage->first);
}

// ---- marks

static void add_mark(const struct mark *like, uint64_t lo, uint64_t hi) {
    struct mark *mark = tn_check_allocate(sizeof *mark);
    *mark = *like;
    if (tn_interval_insert(&marks, lo, hi, tn_slots_from_pointer(mark)) != TARN_OK) free(mark);
}

static void fill_and_mark(const struct tn_check_region *region, uint64_t lo, uint64_t hi,
                          bool fill) {
    const struct mark mark = {region, region->serial, fill};
    unsigned char chunk[CHUNK];
    memset(chunk, fill ? FILL_BYTE : CANARY_BYTE, sizeof chunk);
    for (uint64_t at = lo; at < hi; at += CHUNK)
        if (!transfer_bytes(at, chunk, hi - at < CHUNK ? hi - at : CHUNK, true)) return;
    if (lo < hi) add_mark(&mark, lo, hi);
}

// Removes the marks in [lo, hi). Checks them first unless `call` is NULL. Parts of marks outside
// the range remain.
static void remove_marks(struct tn_check_call *call, uint64_t lo, uint64_t hi) {
    struct tn_interval_entry entry;
    while (tn_interval_next(&marks, lo, &entry) && entry.start < hi) {
        struct mark *mark = (struct mark *)tn_slots_to_pointer(entry.value);
        uint64_t from = entry.start > lo ? entry.start : lo;
        uint64_t to = entry.end < hi ? entry.end : hi;
        if (call != NULL) {
            struct damage damage = read_damage(from, to, mark->fill ? FILL_BYTE : CANARY_BYTE);
            if (damage.count != 0) report_damage(call, mark, &damage);
        }
        (void)tn_interval_remove(&marks, entry.start, NULL);
        if (entry.start < from) add_mark(mark, entry.start, from);
        if (to < entry.end) add_mark(mark, to, entry.end);
        free(mark);
    }
}

static bool may_write(const struct tn_check_region *region) {
    if (region->space != 0 || region->heap == NULL || region->ordered) return false;
    return region->from_event ? region->host_can : tn_check_model.options->host_ranges;
}

// ---- beside a region

// For a region of a memory event, marks its slack. For any other region, marks the gap up to its
// neighbour.
static void mark_after(struct tn_check_region *region) {
    uint64_t lo = region->hi;
    uint64_t hi = lo + tn_check_model.options->canary;
    uint64_t limit = region->lo + region->taken;
    struct tn_interval_entry next;
    if (!region->from_event) {
        const struct tn_check_span *after = tn_check_cover_after(&region->heap->live, lo - 1);
        limit = after == NULL ? region->heap->hi : after->lo;
        limit = tn_check_cover_at(&region->heap->live, lo) != NULL ? lo : limit;
    }
    hi = hi < limit ? hi : limit;
    if (tn_interval_next(&marks, lo, &next) && next.start < hi) hi = next.start;
    fill_and_mark(region, lo, hi, false);
}

static void mark_before(struct tn_check_region *region) {
    const struct tn_check_cover *live = &region->heap->live;
    uint64_t hi = region->lo;
    uint64_t canary = tn_check_model.options->canary;
    uint64_t lo = hi - region->heap->lo < canary ? region->heap->lo : hi - canary;
    struct tn_interval_entry last;
    const struct tn_check_span *before = tn_check_cover_before(live, hi);
    if (region->from_event || hi <= region->heap->lo || tn_check_cover_at(live, hi - 1) != NULL)
        return;
    lo = before != NULL && before->hi > lo ? before->hi : lo;
    if (tn_interval_prev(&marks, hi, &last) && last.end > lo) lo = last.end;
    fill_and_mark(region, lo, hi, false);
}

void tn_check_canary_region_begin(struct tn_check_call *call, struct tn_check_region *region) {
    if (region->space != 0) return;
    // An allocator that zeroed the bytes has written over the marks.
    bool zeroed = tn_check_written_any(&region->written);
    remove_marks(zeroed ? NULL : call, region->lo, region->lo + region->taken);
    if (tn_check_model.options->canary != 0 && may_write(region) && region->lo < region->hi &&
        region->lo >= region->heap->lo && region->hi <= region->heap->hi) {
        region->canary = true;
        mark_after(region);
        mark_before(region);
    }
}

void tn_check_canary_remove(struct tn_check_call *call, struct tn_check_region *region) {
    if (!region->canary) return;
    uint64_t canary = tn_check_model.options->canary;
    uint64_t lo = region->lo > canary ? region->lo - canary : 0;
    uint64_t hi = region->hi + canary;
    struct tn_interval_entry entry;
    for (uint64_t at = lo; tn_interval_next(&marks, at, &entry) && entry.start < hi;
         at = entry.end) {
        const struct mark *mark = tn_slots_to_pointer(entry.value);
        if (mark->serial == region->serial && !mark->fill)
            remove_marks(call, entry.start, entry.end);
    }
    region->canary = false;
}

static bool count_span(struct tn_check_span *span, void *context) {
    (void)span;
    unsigned *count = (unsigned *)context;
    return ++*count < 2;
}

void tn_check_canary_region_end(struct tn_check_call *call, struct tn_check_region *region,
                                enum tn_check_end why) {
    tn_check_canary_remove(call, region);
    uint64_t lo = region->span.lo;
    uint64_t hi = region->span.hi;
    if (tn_check_model.options->fill && why == TN_CHECK_END_CALL && lo < hi && may_write(region)) {
        unsigned count = 0;
        tn_check_cover_walk(&region->heap->live, lo, hi, count_span, &count);
        if (count > 1) return; // another region has some of its bytes
        remove_marks(NULL, lo, hi);
        fill_and_mark(region, lo, hi - lo > MAX_FILL ? lo + MAX_FILL : hi, true);
    }
}

void tn_check_canary_forget(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi) {
    if (space == 0) remove_marks(call, lo, hi);
}

void tn_check_canary_end(struct tn_check_call *call) { remove_marks(call, 0, UINT64_MAX); }

void tn_check_canary_reset(void) {
    remove_marks(NULL, 0, UINT64_MAX);
    tn_interval_fini(&marks);
}
