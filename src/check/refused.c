// SPDX-License-Identifier: Apache-2.0
// See refused.h. The model comes first, because it knows the blocks of pools. Then come the
// resources, then regions whose heap has ended.
#include "check/refused.h"

#include <inttypes.h>

#include "check/access.h"
#include "check/describe.h"
#include "check/mapped.h"
#include "check/order/order.h"

// An access that did not happen.
struct refusal {
    enum tn_mem_refusal why;
    uint32_t space;
    int32_t device; // that accesses the bytes; -1: the CPU
    uint64_t lo;
    uint64_t bytes;
    uint64_t bad;    // the first byte that may not be accessed
    uint64_t rights; // DENIED by Tarn: those to that byte
    const char *name;
    const char *text;  // describes it; NULL: made from the fields above
    tn_stack_id stack; // if it is not the stack of the calling thread
    bool write;
    bool argument;    // of work that may access the byte
    bool rights_only; // neither a read nor a write
    bool faulted;     // the CPU did it
};

static const char *verb_of(const struct refusal *refusal) {
    return refusal->argument      ? "use"
           : refusal->rights_only ? "change of rights"
           : refusal->write       ? "write"
                                  : "read";
}

// ---- the text

enum { TEXT = sizeof((struct tn_check_report *)0)->what };

static void describe_access(const struct refusal *refusal, struct tn_check_text *text) {
    if (refusal->text != NULL) {
        tn_check_text_add(text, "%s", refusal->text);
        return;
    }
    tn_check_text_add(text, "%s of %" PRIu64 " byte(s) at 0x%" PRIx64, verb_of(refusal),
                      refusal->bytes, refusal->lo);
    if (refusal->bad != refusal->lo)
        tn_check_text_add(text, ", wrong from 0x%" PRIx64 " on", refusal->bad);
    if (refusal->name != NULL) tn_check_text_add(text, " by %s", refusal->name);
}

// Two bits for each location: the host, then device 0 and so on.
static void describe_rights(uint64_t rights, struct tn_check_text *text) {
    static const char *const names[] = {"", "read", "write", "read and write"};
    const char *lead = "; allowed:";
    for (int location = -1; location < 31; location++, rights >>= 2) {
        if ((rights & 3) == 0) continue;
        if (location < 0)
            tn_check_text_add(text, "%s the CPU %s", lead, names[rights & 3]);
        else
            tn_check_text_add(text, "%s device %d %s", lead, location, names[rights & 3]);
        lead = ",";
    }
    if (*lead == ';') tn_check_text_add(text, "%s nothing", lead);
}

static void describe_denial(const struct refusal *refusal, struct tn_check_text *text) {
    if (refusal->faulted) {
        tn_check_text_add(text, " that the CPU may not %s", verb_of(refusal));
    } else {
        tn_check_text_add(text, " that device %d may not %s", refusal->device, verb_of(refusal));
        describe_rights(refusal->rights, text);
    }
}

// ---- in a pool

// The region is live, but has no memory, or the device has no right to it.
static void report_live(struct tn_check_call *call, const struct refusal *refusal,
                        const struct tn_check_region *region) {
    char what[TEXT] = "";
    struct tn_check_text text = TN_CHECK_TEXT(what);
    describe_access(refusal, &text);
    tn_check_text_add(&text, ", in a block");
    if (refusal->why == TN_MEM_REFUSAL_DENIED)
        describe_denial(refusal, &text);
    else
        tn_check_text_add(&text, " that has no memory now: it sleeps, or was unmapped");
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_PERMISSION_VIOLATION, "%s", what);
    report->access = verb_of(refusal);
    tn_check_report_set_range(report, refusal->bad, refusal->bytes);
    tn_check_describe_region(report, region, refusal->bad);
}

// Returns true if the model explains the refusal.
static bool judge_in_model(const struct refusal *refusal) {
    struct tn_check_call call;
    const struct tn_check_access access = {.space = refusal->space,
                                           .device = refusal->device,
                                           .lo = refusal->lo,
                                           .bytes = refusal->bytes,
                                           .height = 1,
                                           .depth = 1,
                                           .name = refusal->name,
                                           .write = refusal->write,
                                           .refused = true};
    if (!tn_check_call_begin(&call, "access", false)) return true;
    bool has_owner =
        refusal->why == TN_MEM_REFUSAL_UNMAPPED || refusal->why == TN_MEM_REFUSAL_DENIED;
    const struct tn_check_region *region =
        has_owner ? tn_check_region_containing(refusal->space, refusal->bad) : NULL;
    if (region != NULL)
        report_live(&call, refusal, region);
    else
        tn_check_access_judge(&call, &access);
    bool found = call.first != NULL;
    tn_check_call_end(&call);
    return found;
}

// ---- in a region whose heap has ended

static void judge_past_region(const struct refusal *refusal) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "access", false)) return;
    const struct tn_check_region *ended = tn_check_ended_at(refusal->space, 0, refusal->bad);
    if (ended != NULL) {
        char what[TEXT] = "";
        struct tn_check_text text = TN_CHECK_TEXT(what);
        describe_access(refusal, &text);
        struct tn_check_report *report =
            tn_check_call_report(&call, TN_CHECK_KIND_USE_AFTER_FREE, "%s", what);
        report->access = verb_of(refusal);
        tn_check_report_set_range(report, refusal->bad, refusal->bytes);
        tn_check_describe_region(report, ended, refusal->bad);
        if (refusal->stack != 0) call.by.stack = refusal->stack;
    }
    tn_check_call_end(&call);
}

// ---- in a resource

// Reports the access unless the resource permits it. The memory may have more bytes than the program
// requested.
static void judge_resource(const struct refusal *refusal, const struct tn_check_resource *about,
                           bool ended) {
    char what[TEXT] = "";
    struct tn_check_text text = TN_CHECK_TEXT(what);
    struct tn_check_report report;
    struct refusal shown = *refusal;
    enum tn_check_kind kind = TN_CHECK_KIND_USE_AFTER_FREE;
    bool past_end = !ended && refusal->why == TN_MEM_REFUSAL_PAST_END;
    uint64_t end = about->addr + about->requested;
    if (past_end) shown.bad = end > shown.lo ? end : shown.lo;
    describe_access(&shown, &text);
    tn_check_describe_resource(&text, past_end ? "past the end of" : "in", about);
    if (ended) {
        tn_check_text_add(&text, " that was %s",
                          about->what == TN_MEM_MAPPING ? "unmapped" : "freed");
    } else if (past_end) {
        kind = TN_CHECK_KIND_HEAP_OVERFLOW;
    } else if (about->what == TN_MEM_RESERVATION) {
        tn_check_text_add(&text, ", where nothing is mapped");
        kind = TN_CHECK_KIND_UNALLOCATED_ACCESS;
    } else if (refusal->why == TN_MEM_REFUSAL_DENIED || refusal->faulted) {
        describe_denial(refusal, &text);
        kind = TN_CHECK_KIND_PERMISSION_VIOLATION;
    } else {
        return;
    }
    tn_check_report_begin(&report, kind, refusal->stack == 0 ? "access" : "", "%s", what);
    if (refusal->stack != 0) {
        report.thread = tn_stack_thread();
        tn_check_report_add_stack(&report, "access", report.thread, refusal->stack);
    }
    report.access = verb_of(refusal);
    tn_check_report_set_range(&report, shown.bad, refusal->bytes);
    report.device = refusal->device;
    tn_check_report_add_stack(&report, "allocated", about->began_thread, about->began);
    tn_check_report_add_stack(&report, "freed", about->ended_thread, about->ended);
    tn_check_report_end(&report);
}

static void judge_in_resources(const struct refusal *refusal) {
    struct tn_check_resource live;
    struct tn_check_resource ended;
    uint64_t at = refusal->why == TN_MEM_REFUSAL_PAST_END ? refusal->lo : refusal->bad;
    tn_check_resource_find(refusal->space, at, &live, &ended);
    if (ended.what != 0 && !ended.owned)
        judge_resource(refusal, &ended, true);
    else if (live.what != 0 && !live.owned)
        judge_resource(refusal, &live, false);
    else
        judge_past_region(refusal);
}

// ---- entries

void tn_check_refused_event(const struct tn_mem_event *event) {
    const struct refusal refusal = {
        .why = (enum tn_mem_refusal)event->what,
        .space = event->space,
        .device = event->device,
        .lo = event->addr,
        .bytes = event->bytes,
        .bad = event->other,
        .rights = event->object,
        .name = tn_mem_event_function(event),
        .write = (event->flags & TN_MEM_WRITE) != 0,
        .rights_only = (event->flags & (TN_MEM_READ | TN_MEM_WRITE)) == 0,
    };
    if (refusal.rights_only || !judge_in_model(&refusal)) judge_in_resources(&refusal);
}

// Names the work for reports: "kernel scale (hipLaunchKernel)". Returns the state of the byte in heaps,
// and whether a region contained it that has ended.
static enum tn_check_byte_state look_at_argument(struct tn_mem_event *event, bool *past) {
    struct tn_check_call call;
    enum tn_check_byte_state state = TN_CHECK_BYTE_LIVE;
    char work[256] = "";
    struct tn_check_text text = TN_CHECK_TEXT(work);
    if (!tn_check_call_begin(&call, "access", false)) return state;
    tn_check_text_add(&text, "%s", event->name != NULL ? event->name : event->caller);
    if (event->name != NULL && event->caller != NULL)
        tn_check_text_add(&text, " (%s)", event->caller);
    event->name = tn_check_intern(work);
    event->caller = NULL;
    state = tn_check_byte_state(event->space, event->device, event->other);
    *past = tn_check_ended_at(event->space, 0, event->other) != NULL;
    tn_check_call_end(&call);
    return state;
}

// Bytes outside of heaps may belong to the program again, which the checker does not see. A kernel may
// use the start of a reservation as a base, also where nothing is mapped any more.
void tn_check_refused_argument(struct tn_mem_event *event) {
    bool past = false;
    enum tn_check_byte_state state = look_at_argument(event, &past);
    struct tn_check_resource live;
    struct tn_check_resource ended;
    struct tn_check_title title;
    char what[TEXT] = "";
    struct tn_check_text text = TN_CHECK_TEXT(what);
    const struct refusal refusal = {.why = TN_MEM_REFUSAL_RELEASED,
                                    .space = event->space,
                                    .device = event->device,
                                    .lo = event->other,
                                    .bad = event->other,
                                    .text = what,
                                    .argument = true};
    tn_check_text_add(&text, "argument 0x%" PRIx64 " of %s", event->other, event->name);
    tn_check_order_title(event->image, event->stream, &title);
    tn_check_text_add(&text, " on %s points into freed memory", title.text);
    if (state == TN_CHECK_BYTE_FREED) judge_past_region(&refusal);
    if (state != TN_CHECK_BYTE_OUTSIDE || event->bytes > 0) return;
    tn_check_resource_find(event->space, event->other, &live, &ended);
    bool released = ended.what != 0 && !ended.owned;
    if (live.what != 0 || (!released && !past) ||
        (event->space == 0 && tn_check_is_usable(event->other)))
        return;
    if (released)
        judge_resource(&refusal, &ended, true);
    else
        judge_past_region(&refusal);
}

void tn_check_refused_fault(uint64_t address, bool write, const char *text, tn_stack_id stack) {
    const struct refusal refusal = {
        .device = -1,
        .lo = address,
        .bytes = 1,
        .bad = address,
        .text = text,
        .stack = stack,
        .write = write,
        .faulted = true,
    };
    judge_in_resources(&refusal);
}
