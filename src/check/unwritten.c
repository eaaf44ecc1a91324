// SPDX-License-Identifier: Apache-2.0
// Reads of unwritten bytes, and those of work on streams that await their verdict. All locks of the
// model guard the waiting reads. order.c is asked with these locks held; it never takes them.
#include "check/unwritten.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/describe.h"
#include "check/options.h"
#include "check/order/order.h"
#include "check/seal.h"

enum { WAITING_MAX = 64 };

// A read by work on a stream. The record of its region may serve another region by now, which has
// another serial.
struct waiting {
    struct tn_check_part part;
    uint64_t serial;
    struct tn_check_moment moment; // time 0: order.c has not seen the event yet
    const char *name;
    tn_stack_id stack;
    uint32_t thread;
};

static struct waiting waiting[WAITING_MAX];
_Atomic uint32_t tn_check_waiting_reads;
static uint64_t counted; // the number of the last call whose read was counted as not known

enum tn_check_evidence tn_check_unwritten_find(const struct tn_check_part *part,
                                               struct tn_check_unwritten *found) {
    struct tn_check_region *region = part->region;
    *found = (struct tn_check_unwritten){0};
    if (tn_check_written_covers(&region->written, part->lo, part->hi, &found->first, &found->count))
        return TN_CHECK_WRITTEN;
    if (region->seen) return TN_CHECK_UNWRITTEN;
    if (!region->sealed && region->written.carried == NULL) return TN_CHECK_NOT_KNOWN;
    const struct tn_check_seals seals = tn_check_seals_in(region, part->lo, part->hi);
    if (!tn_check_seal_is_intact(&seals))
        return seals.changed ? TN_CHECK_WRITTEN : TN_CHECK_NOT_KNOWN;
    if (seals.changed) // so the other bytes are not known
        *found =
            (struct tn_check_unwritten){seals.intact.lo, seals.intact.hi - seals.intact.lo, true};
    return TN_CHECK_UNWRITTEN;
}

// Describes the time since which nothing has written the bytes.
static void describe_beginning(char *text, size_t room, const struct tn_check_region *region,
                               uint64_t first) {
    const struct tn_check_carried_bytes *carried = tn_check_carried_at(region, first);
    if (carried != NULL)
        (void)snprintf(text, room, "registration of R%" PRIu64 ", copied to R%" PRIu64 " unwritten",
                       carried->serial, region->serial);
    else if (region->lost)
        (void)snprintf(text, room, "the contents of R%" PRIu64 " were discarded", region->serial);
    else
        (void)snprintf(text, room, "%s of R%" PRIu64, region->array ? "creation" : "registration",
                       region->serial);
}

static struct tn_check_report *report_read(struct tn_check_call *call,
                                           const struct tn_check_part *part, const char *name,
                                           const struct tn_check_unwritten *found) {
    const struct tn_check_region *region = part->region;
    char place[48];
    char since[96];
    if (region->array)
        (void)snprintf(place, sizeof place, "byte %" PRIu64 " of a device array",
                       part->row_lo - region->lo);
    else
        (void)snprintf(place, sizeof place, "0x%" PRIx64, part->row_lo);
    describe_beginning(since, sizeof since, region, found->first);
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_UNINITIALISED_READ,
        "%s%" PRIu64 " of %" PRIu64 " byte(s) at %s never written since %s%s%s",
        found->or_more ? "at least " : "", found->count, part->row_hi - part->row_lo, place, since,
        name == NULL ? "" : ", read by ", name == NULL ? "" : name);
    report->access = "read";
    tn_check_report_set_range(report, found->first, found->count);
    return report;
}

// Describes the region that was read, behind the stack of the read, and the memory from which copies
// brought the bytes.
static void describe_bytes(struct tn_check_report *report, const struct tn_check_region *region,
                           uint64_t first) {
    const struct tn_check_carried_bytes *carried = tn_check_carried_at(region, first);
    if (carried != NULL) {
        tn_check_describe_origin(report, "unwritten memory allocated", &carried->allocated);
        tn_check_describe_origin(report, "unwritten memory copied", &carried->copied);
    }
    tn_check_describe_region(report, region, first);
}

static bool wait_for_run(const struct tn_check_call *call, const struct tn_check_access *access,
                         const struct tn_check_part *part) {
    uint32_t count = tn_load_relaxed(&tn_check_waiting_reads);
    if (count == WAITING_MAX) return false;
    waiting[count] = (struct waiting){
        .part = *part,
        .serial = part->region->serial,
        .name = access->name,
        .thread = call->by.thread,
    };
    tn_store_relaxed(&tn_check_waiting_reads, count + 1);
    return true;
}

bool tn_check_unwritten_judge(struct tn_check_call *call, const struct tn_check_access *access,
                              const struct tn_check_part *part) {
    struct tn_check_unwritten found;
    if (access->write || access->refused || access->inside ||
        !tn_check_model.options->uninitialised)
        return true;
    enum tn_check_evidence evidence = tn_check_unwritten_find(part, &found);
    if (evidence == TN_CHECK_UNWRITTEN && access->stream != 0) {
        if (wait_for_run(call, access, part)) return false;
        evidence = TN_CHECK_NOT_KNOWN;
    }
    // Each call counts once, however many rows it reads.
    if (evidence == TN_CHECK_NOT_KNOWN && part->region->from_event && counted != call->by.event) {
        counted = call->by.event;
        tn_check_unknown_add(1);
    }
    if (evidence != TN_CHECK_UNWRITTEN) return true;
    struct tn_check_report *report = report_read(call, part, access->name, &found);
    describe_bytes(report, part->region, found.first);
    return false;
}

// ---- reads of work on streams

// Judges a read that has run.
static void judge_run(struct tn_check_call *call, const struct waiting *read) {
    const struct tn_check_region *region = read->part.region;
    struct tn_check_unwritten found;
    if (region->serial != read->serial || region->end != TN_CHECK_END_NOT) {
        tn_check_unknown_add(1);
        return;
    }
    enum tn_check_evidence evidence = tn_check_unwritten_find(&read->part, &found);
    if (evidence == TN_CHECK_NOT_KNOWN) { // a later event wrote over the seal
        tn_check_unknown_add(1);
    } else if (evidence == TN_CHECK_UNWRITTEN) {
        struct tn_check_report *report = report_read(call, &read->part, read->name, &found);
        report->thread = read->thread;
        tn_check_report_add_stack(report, "access", read->thread, read->stack);
        describe_bytes(report, region, found.first);
    }
}

static void judge_all_run(struct tn_check_call *call) {
    uint32_t kept = 0;
    uint32_t count = tn_load_relaxed(&tn_check_waiting_reads);
    for (uint32_t i = 0; i < count; i++)
        if (waiting[i].moment.time != 0 && tn_check_order_has_passed(waiting[i].moment))
            judge_run(call, &waiting[i]);
        else
            waiting[kept++] = waiting[i];
    tn_store_relaxed(&tn_check_waiting_reads, kept);
}

// Stores when the reads of this event's call run, and where the call was made.
static void place_reads(const struct tn_check_call *call, const struct tn_mem_event *event,
                        tn_stack_id stack) {
    struct tn_check_moment moment = tn_check_order_moment(event);
    for (uint32_t i = 0; i < tn_load_relaxed(&tn_check_waiting_reads); i++) {
        if (waiting[i].moment.time == 0 && waiting[i].thread == call->by.thread) {
            waiting[i].moment = moment;
            waiting[i].stack = stack;
        }
    }
}

void tn_check_unwritten_event(const struct tn_mem_event *event) {
    struct tn_check_call call;
    bool reads = event->kind == TN_MEM_ACCESS && event->stream != 0;
    bool waits = event->kind == TN_MEM_STREAM_SYNC || event->kind == TN_MEM_EVENT_SYNC ||
                 event->kind == TN_MEM_DEVICE_SYNC;
    if (!reads && !waits) return;
    tn_stack_id stack = reads ? tn_stack_capture() : 0;
    if (!tn_check_call_begin(&call, "", false)) return;
    if (reads)
        place_reads(&call, event, stack);
    else
        judge_all_run(&call);
    tn_check_call_end(&call);
}

void tn_check_unwritten_finish(void) {
    struct tn_check_call call;
    if (tn_load_relaxed(&tn_check_waiting_reads) != 0 && tn_check_call_begin(&call, "", false)) {
        tn_check_unknown_add(tn_load_relaxed(&tn_check_waiting_reads));
        tn_store_relaxed(&tn_check_waiting_reads, 0);
        tn_check_call_end(&call);
    }
}

void tn_check_unwritten_reset(void) {
    tn_store_relaxed(&tn_check_waiting_reads, 0);
    counted = 0;
}
