// SPDX-License-Identifier: Apache-2.0
// Judges frees. If no live region matches, the ended regions are searched.
#include "check/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/access.h"
#include "check/describe.h"

static const char *how_it_ended(const struct tn_check_region *region) {
    switch (region->end) {
    case TN_CHECK_END_HEAP: return " after it ended with its heap";
    case TN_CHECK_END_PARENT: return " after it ended with the region around its heap";
    case TN_CHECK_END_BACKING: return " after the memory beneath it was freed";
    default: return " again";
    }
}

static void report_double_free(struct tn_check_call *call, const struct tn_check_region *ended,
                               const char *what) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_DOUBLE_FREE,
        "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") %s%s; ended first by thread %u",
        ended->serial, ended->lo, ended->hi - ended->lo, what, how_it_ended(ended),
        ended->ended.thread);
    tn_check_describe_region(report, ended, ended->lo);
}

static void report_wrong_domain(struct tn_check_call *call, const struct tn_check_region *region,
                                const struct tn_check_domain *domain, const char *what) {
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_WRONG_DOMAIN,
                             "region R%" PRIu64 " of domain \"%s\" %s in domain \"%s\"",
                             region->serial, region->domain->name, what, domain->name);
    tn_check_describe_region(report, region, region->lo);
}

// Reports a change of a region that has ended. Uses `kind` if no newer region has the address;
// otherwise describes both regions.
static void report_stale(struct tn_check_call *call, enum tn_check_kind kind,
                         const struct tn_check_region *ended, const char *what) {
    const struct tn_check_region *newer = tn_check_region_by_start(ended->space, ended->lo, NULL);
    if (newer == NULL || newer->serial < ended->serial) {
        struct tn_check_report *report = tn_check_call_report(
            call, kind, "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") %s after its end",
            ended->serial, ended->lo, ended->hi - ended->lo, what);
        tn_check_describe_region(report, ended, ended->lo);
        return;
    }
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_USE_AFTER_REUSE,
        "region R%" PRIu64 " (generation %u) %s after its end; its address is now R%" PRIu64
        " (generation %u)",
        ended->serial, ended->generation, what, newer->serial, newer->generation);
    tn_check_describe_region(report, ended, ended->lo);
    tn_check_describe_second(report, newer, newer->lo);
}

static void report_ended(struct tn_check_call *call, const struct tn_check_region *ended,
                         const char *what, bool ends) {
    if (ends)
        report_double_free(call, ended, what);
    else
        report_stale(call, TN_CHECK_KIND_USE_AFTER_FREE, ended, what);
}

struct tn_check_region *tn_check_free_by_handle(struct tn_check_call *call,
                                                struct tn_check_domain *domain, uint64_t handle,
                                                const char *what, bool ends) {
    struct tn_check_region *region = tn_check_region_by_handle(handle);
    if (region != NULL) {
        if (region->domain != domain) report_wrong_domain(call, region, domain, what);
        return region;
    }
    const struct tn_check_region *ended = handle == 0 ? NULL : tn_check_ended_by_handle(handle);
    if (ended == NULL) {
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_HANDLE,
                                   "handle 0x%" PRIx64 " %s, but it names no region", handle, what);
    } else if (ends) {
        report_double_free(call, ended, what);
    } else {
        report_stale(call, TN_CHECK_KIND_BAD_HANDLE, ended, what);
    }
    return NULL;
}

static void report_invalid_free(struct tn_check_call *call, const struct tn_check_region *around,
                                uint32_t space, uint64_t address, const char *what) {
    struct tn_check_report *report = NULL;
    if (around != NULL && around->lo == address) {
        report = tn_check_call_report(call, TN_CHECK_KIND_WRONG_FAMILY_FREE,
                                      "0x%" PRIx64 " %s is region R%" PRIu64 " of a pool of Tarn",
                                      address, what, around->serial);
        tn_check_describe_region(report, around, address);
    } else if (around != NULL) {
        report = tn_check_call_report(call, TN_CHECK_KIND_INVALID_FREE,
                                      "0x%" PRIx64 " %s is %" PRIu64
                                      " byte(s) inside region R%" PRIu64 "; not a region start",
                                      address, what, address - around->lo, around->serial);
        tn_check_describe_region(report, around, address);
    } else {
        report = tn_check_call_report(call, TN_CHECK_KIND_INVALID_FREE,
                                      "0x%" PRIx64 " %s is in no region", address, what);
        const struct tn_check_region *ended = tn_check_ended_at(space, 0, address);
        if (ended != NULL) tn_check_describe_region(report, ended, address);
    }
    report->addr = address;
}

void tn_check_free_unknown(struct tn_check_call *call, uint32_t space, uint64_t address,
                           const char *what, bool ends) {
    const struct tn_check_region *around = tn_check_region_containing(space, address);
    const struct tn_check_region *ended = tn_check_ended_start(space, address);
    // A region that began before the one around it was not a piece of that one.
    if (ended != NULL && around != NULL && ended->serial < around->serial) ended = NULL;
    if (ended != NULL)
        report_ended(call, ended, what, ends);
    else
        report_invalid_free(call, around, space, address, what);
}

struct tn_check_region *tn_check_free_by_start(struct tn_check_call *call,
                                               struct tn_check_domain *domain, uint32_t space,
                                               uint64_t address, const char *what, bool ends) {
    struct tn_check_region *region = tn_check_region_by_start(space, address, domain);
    if (region != NULL) return region;
    region = tn_check_region_by_start(space, address, NULL);
    const struct tn_check_region *ended = tn_check_ended_start(space, address);
    // The region that exists may be the one around the pool whose region has ended.
    if (region != NULL && ended != NULL && ended->domain == domain &&
        ended->serial > region->serial) {
        report_ended(call, ended, what, ends);
        return NULL;
    }
    if (region != NULL) {
        report_wrong_domain(call, region, domain, what);
        return region;
    }
    tn_check_free_unknown(call, space, address, what, ends);
    return NULL;
}

void tn_check_free_heap_again(struct tn_check_call *call, const struct tn_check_heap *ended,
                              const char *what) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER,
        "heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") %s again; it ended by thread %u%s",
        ended->serial, ended->lo, ended->hi, what, ended->ended.thread,
        ended->end == TN_CHECK_END_PARENT    ? ", with the region around it"
        : ended->end == TN_CHECK_END_BACKING ? ", with the memory beneath it"
                                             : "");
    tn_check_describe_origin(report, "freed", &ended->ended);
    tn_check_describe_heap(report, ended);
}

// ---- refused frees

static void report_mismatched_pool(struct tn_check_call *call, const struct tn_check_region *region,
                                   const char *name) {
    const struct tn_check_heap *heap = region->heap;
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_MISMATCHED_POOL_FREE,
        "region R%" PRIu64 " belongs to heap H%" PRIu64
        "%s%s%s, but was given to %s of another pool",
        region->serial, heap->serial, heap->name == NULL ? "" : " \"",
        heap->name == NULL ? "" : heap->name, heap->name == NULL ? "" : "\"", name);
    tn_check_describe_region(report, region, region->lo);
}

static void report_wrong_family(struct tn_check_call *call, const struct tn_check_region *region,
                                const char *name) {
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_WRONG_FAMILY_FREE,
                             "%s of 0x%" PRIx64 ", which is region R%" PRIu64 " of a pool", name,
                             region->lo, region->serial);
    tn_check_describe_region(report, region, region->lo);
}

// Parcels are regions of the pool of their arena. One that a peer holds is live.
static void report_not_held(struct tn_check_call *call, const struct tn_check_region *region,
                            const char *what) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_DOUBLE_FREE,
        "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64
        ") %s, but the process does not hold it any more: it was freed or sent before",
        region->serial, region->lo, region->hi - region->lo, what);
    tn_check_describe_region(report, region, region->lo);
}

// If the event has an object, a pool refused the free, and the region may belong to another pool.
// Otherwise a call that does not free regions refused it.
bool tn_check_free_refused(struct tn_check_call *call, const struct tn_mem_event *event) {
    char what[64];
    uint32_t space = event->space;
    uint64_t address = event->addr;
    uint64_t object = event->object;
    const char *name = event->name == NULL ? "free" : event->name;
    const char *function = event->caller != NULL ? event->caller : name;
    (void)snprintf(what, sizeof what, "given to %s", function);
    const struct tn_check_region *region = tn_check_region_by_start(space, address, NULL);
    if (region != NULL && object != 0 && region->heap != NULL && region->heap->object != object) {
        report_mismatched_pool(call, region, function);
        return true;
    }
    if (region != NULL && object == 0 && strcmp(name, "tarn_parcel_free") == 0) {
        report_not_held(call, region, what);
        return true;
    }
    if (region != NULL && object == 0 && region->heap != NULL && strstr(name, "free") != NULL) {
        report_wrong_family(call, region, function);
        return true;
    }
    if (region != NULL) return false;
    const struct tn_check_region *around = tn_check_region_containing(space, address);
    const struct tn_check_region *ended =
        around == NULL ? tn_check_ended_start(space, address) : NULL;
    if (ended != NULL)
        report_double_free(call, ended, what);
    else if (object != 0 || around != NULL || tn_check_ended_at(space, 0, address) != NULL ||
             tn_check_byte_state(space, TN_CHECK_ANY_DEVICE, address) != TN_CHECK_BYTE_OUTSIDE)
        report_invalid_free(call, around, space, address, what);
    else
        return false;
    return true;
}
