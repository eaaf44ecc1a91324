// SPDX-License-Identifier: Apache-2.0
// Judges frees. If no live region matches, the ended regions are searched.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/access.h"
#include "check/describe.h"

#define REPORT(call, kind, region, address, ...)                                                   \
    tn_check_describe_region(tn_check_call_report(call, kind, __VA_ARGS__), region, address)

static const char *const how_it_ended[] = {
    [TN_CHECK_END_CALL] = " again",
    [TN_CHECK_END_HEAP] = " after it ended with its heap",
    [TN_CHECK_END_PARENT] = " after it ended with the region around its heap",
    [TN_CHECK_END_BACKING] = " after the memory beneath it was freed",
};

static void report_double_free(struct tn_check_call *call, const struct tn_check_region *ended,
                               const char *what) {
    REPORT(call, TN_CHECK_KIND_DOUBLE_FREE, ended, ended->lo,
           "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") %s%s; ended first by thread %u",
           ended->serial, ended->lo, ended->hi - ended->lo, what, how_it_ended[ended->end],
           ended->ended.thread);
}

static void report_wrong_domain(struct tn_check_call *call, const struct tn_check_region *region,
                                const struct tn_check_domain *domain, const char *what) {
    REPORT(call, TN_CHECK_KIND_WRONG_DOMAIN, region, region->lo,
           "region R%" PRIu64 " of domain \"%s\" %s in domain \"%s\"", region->serial,
           region->domain->name, what, domain->name);
}

// Reports a change of a region that has ended. Uses `kind` if no newer region has the address;
// otherwise describes both regions.
static void report_stale(struct tn_check_call *call, enum tn_check_kind kind,
                         const struct tn_check_region *ended, const char *what) {
    const struct tn_check_region *newer = tn_check_region_by_start(ended->space, ended->lo, NULL);
    if (newer == NULL || newer->serial < ended->serial) {
        REPORT(call, kind, ended, ended->lo,
               "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") %s after its end", ended->serial,
               ended->lo, ended->hi - ended->lo, what);
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
    if (ended == NULL)
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_HANDLE,
                                   "handle 0x%" PRIx64 " %s, but it names no region", handle, what);
    else if (ends)
        report_double_free(call, ended, what);
    else
        report_stale(call, TN_CHECK_KIND_BAD_HANDLE, ended, what);
    return NULL;
}

static void report_invalid_free(struct tn_check_call *call, const struct tn_check_region *around,
                                uint32_t space, uint64_t address, const char *what) {
    if (around != NULL && around->lo == address) {
        REPORT(call, TN_CHECK_KIND_WRONG_FAMILY_FREE, around, address,
               "0x%" PRIx64 " %s is region R%" PRIu64 " of a pool of Tarn", address, what,
               around->serial);
    } else if (around != NULL) {
        REPORT(call, TN_CHECK_KIND_INVALID_FREE, around, address,
               "0x%" PRIx64 " %s is %" PRIu64 " byte(s) inside region R%" PRIu64
               "; not a region start",
               address, what, address - around->lo, around->serial);
    } else {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_INVALID_FREE, "0x%" PRIx64 " %s is in no region", address, what);
        const struct tn_check_region *ended = tn_check_ended_at(space, 0, address);
        report->addr = address;
        if (ended != NULL) tn_check_describe_region(report, ended, address);
    }
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

// If the event has an object, a pool refused the free, and the region may belong to another pool.
// Otherwise a call that does not free regions refused it.
bool tn_check_free_refused(struct tn_check_call *call, const struct tn_mem_event *event) {
    char what[64];
    uint32_t space = event->space;
    uint64_t address = event->addr;
    uint64_t object = event->object;
    const char *name = event->name == NULL ? "free" : event->name;
    bool after_send = object == 0 && strcmp(name, "tarn_parcel_free after a send") == 0;
    if (after_send) name = "tarn_parcel_free";
    const char *function = event->caller != NULL ? event->caller : name;
    (void)snprintf(what, sizeof what, "given to %s", function);
    const struct tn_check_region *region = tn_check_region_by_start(space, address, NULL);
    const struct tn_check_heap *heap = region == NULL ? NULL : region->heap;
    if (heap != NULL && object != 0 && heap->object != object) {
        REPORT(call, TN_CHECK_KIND_MISMATCHED_POOL_FREE, region, address,
               "region R%" PRIu64 " belongs to heap H%" PRIu64
               "%s%s%s, but was given to %s of another pool",
               region->serial, heap->serial, heap->name == NULL ? "" : " \"",
               heap->name == NULL ? "" : heap->name, heap->name == NULL ? "" : "\"", function);
        return true;
    }
    // The region of a sent parcel is live until the peer has freed it.
    if (after_send) {
        const struct tn_check_region *sent =
            region != NULL ? region : tn_check_ended_start(space, address);
        if (sent == NULL) return false;
        REPORT(call, TN_CHECK_KIND_FREE_AFTER_SEND, sent, address,
               "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64
               ") given to %s after it was sent: the receiver owns it",
               sent->serial, sent->lo, sent->hi - sent->lo, function);
        return true;
    }
    // Parcels are regions of the pool of their arena. One that a peer holds is live.
    if (region != NULL && object == 0 && strcmp(name, "tarn_parcel_free") == 0) {
        REPORT(call, TN_CHECK_KIND_DOUBLE_FREE, region, address,
               "region R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64
               ") %s, but the process does not hold it any more: it was freed before",
               region->serial, region->lo, region->hi - region->lo, what);
        return true;
    }
    bool ends = strstr(name, "free") != NULL || strcmp(name, "end of an import") == 0 ||
                strncmp(name, "realloc", 7) == 0;
    if (heap != NULL && object == 0 && ends) {
        REPORT(call, TN_CHECK_KIND_WRONG_FAMILY_FREE, region, address,
               "%s of 0x%" PRIx64 ", which is region R%" PRIu64 " of a pool", function, region->lo,
               region->serial);
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
