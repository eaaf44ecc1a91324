// SPDX-License-Identifier: Apache-2.0
// From notes to the model. What was begun before the checker came is not known, and its end says
// nothing.
#include "check/events.h"

#include <string.h>

#include "check/access.h"
#include "check/canary.h"
#include "check/domains.h"
#include "check/frees.h"
#include "check/heaps.h"
#include "check/intern.h"
#include "check/leaks.h"
#include "check/model.h"
#include "check/options.h"
#include "check/order.h"
#include "check/regions.h"
#include "check/resource.h"

static struct tn_check_heap_range range_of(const struct tn_mem_event *event) {
    return (struct tn_check_heap_range){event->space, event->device, event->addr,
                                        event->addr + event->bytes};
}

// ---- heaps

static void begin_heap(struct tn_check_call *call, const struct tn_mem_event *event) {
    const struct tn_check_heap_range range = range_of(event);
    struct tn_check_heap *heap =
        tn_check_heap_begin(call, tn_check_domain_named(event->domain), &range, event->object);
    heap->told = true;
    heap->host_can = (event->flags & TN_MEM_HOST_CAN) != 0;
    heap->name = tn_check_intern(event->name);
}

static void end_heap(struct tn_check_call *call, const struct tn_mem_event *event) {
    const struct tn_check_heap_range range = range_of(event);
    struct tn_check_heap *heap = tn_check_heap_at_start(&range, event->object);
    if (heap != NULL) {
        tn_check_heap_end(call, heap, TN_CHECK_END_CALL);
    }
}

// ---- regions

static void begin_region(struct tn_check_call *call, const struct tn_mem_event *event) {
    uint64_t taken = event->other > event->bytes ? event->other : event->bytes;
    struct tn_check_heap_range range = range_of(event);
    range.hi = range.lo + taken;
    struct tn_check_heap *heap = tn_check_heap_around(&range, event->object);
    const struct tn_check_region_desc birth = {
        .domain = tn_check_domain_named(event->domain),
        .heap = heap,
        .space = event->space,
        .device = event->device,
        .lo = event->addr,
        .bytes = event->bytes,
        .taken = taken,
        .name = event->name,
        .told = true,
        .host_can = (event->flags & TN_MEM_HOST_CAN) != 0 || (heap != NULL && heap->host_can),
        .seen = (event->flags & TN_MEM_SEEN) != 0 || tn_check_options()->told_only,
        .written = (event->flags & TN_MEM_ZEROED) != 0,
        .ordered = event->stream != 0,
    };
    (void)tn_check_region_begin(call, &birth);
}

// A region of the pool that tells, where one of an inner pool begins at the same address.
static struct tn_check_region *region_of(const struct tn_mem_event *event) {
    const struct tn_check_domain *domain = tn_check_domain_named(event->domain);
    struct tn_check_region *newest = tn_check_region_by_start(event->space, event->addr, domain);
    for (struct tn_check_region *r = newest; r != NULL && event->object != 0; r = r->same_start) {
        if (r->domain == domain && r->heap != NULL && r->heap->object == event->object) {
            return r;
        }
    }
    return newest;
}

static void end_region(struct tn_check_call *call, const struct tn_mem_event *event) {
    struct tn_check_region *region = region_of(event);
    if (region != NULL) {
        region->ordered = region->ordered || event->stream != 0;
        tn_check_region_end(call, region, TN_CHECK_END_CALL);
    }
}

static void change_region(struct tn_check_call *call, const struct tn_mem_event *event) {
    struct tn_check_region *region = region_of(event);
    if (region == NULL) {
        return;
    }
    switch (event->kind) {
    case TN_MEM_REGION_RESIZE:
        tn_check_region_resize(call, region, event->bytes);
        break;
    case TN_MEM_PERMISSION:
        tn_check_region_permit(call, region, event->flags);
        break;
    default: // TN_MEM_USED_ON
        region->ordered = true;
        break;
    }
}

static void set_name(const struct tn_mem_event *event) {
    const struct tn_check_heap_range range = range_of(event);
    struct tn_check_region *region = region_of(event);
    struct tn_check_heap *heap =
        region == NULL ? tn_check_heap_at_start(&range, event->object) : NULL;
    if (region != NULL) {
        region->name = tn_check_intern(event->name);
    } else if (heap != NULL) {
        heap->name = tn_check_intern(event->name);
    }
}

// ---- accesses

static void judge_access(struct tn_check_call *call, const struct tn_mem_event *event) {
    struct tn_check_access access = {
        .space = event->space,
        .device = event->device,
        .lo = event->addr,
        .bytes = event->bytes,
        .height = event->height,
        .pitch = event->pitch,
        .depth = event->depth,
        .slice_pitch = event->slice_pitch,
        .name = tn_check_intern(event->name),
    };
    if ((event->flags & TN_MEM_READ) != 0) {
        tn_check_access_judge(call, &access);
    }
    if ((event->flags & TN_MEM_WRITE) != 0) {
        access.write = true;
        tn_check_access_judge(call, &access);
    }
}

// ---- resources

// Memory of its own: pinned memory of the caller is there before and after.
static bool is_memory(const struct tn_mem_event *event) {
    return event->what == TN_MEM_MEMORY || event->what == TN_MEM_PINNED ||
           event->what == TN_MEM_MAPPING;
}

void tn_check_event_memory_begin(uint64_t address, uint64_t bytes) {
    struct tn_check_call call;
    if (address + bytes > address && tn_check_call_begin(&call, "registered", false)) {
        tn_check_backing_begin(&call, 0, address, address + bytes);
        tn_check_call_end(&call);
    }
}

void tn_check_event_memory_end(uint64_t address) {
    struct tn_check_call call;
    struct tn_interval_entry entry;
    if (tn_check_call_begin(&call, "freed", true)) {
        if (tn_interval_find(&tn_check_model.backing, address, &entry) && entry.start == address) {
            tn_check_backing_end(&call, 0, entry.start, entry.end);
        }
        tn_check_call_end(&call);
    }
}

// ---- all of them

static void change_model(struct tn_check_call *call, const struct tn_mem_event *event) {
    switch (event->kind) {
    case TN_MEM_HEAP_BEGIN:
        begin_heap(call, event);
        break;
    case TN_MEM_HEAP_END:
        end_heap(call, event);
        break;
    case TN_MEM_UNBACKED:
        tn_check_canary_forget(call, event->space, event->addr, event->addr + event->bytes);
        break;
    case TN_MEM_REGION_BEGIN:
        begin_region(call, event);
        break;
    case TN_MEM_REGION_END:
        end_region(call, event);
        break;
    case TN_MEM_REGION_RESIZE:
    case TN_MEM_PERMISSION:
    case TN_MEM_USED_ON:
        change_region(call, event);
        break;
    case TN_MEM_NAME:
        set_name(event);
        break;
    case TN_MEM_ACCESS:
        judge_access(call, event);
        break;
    case TN_MEM_INITIALISED:
        tn_check_access_initialised(event->space, event->device, event->addr, event->bytes);
        break;
    case TN_MEM_RESOURCE_BEGIN:
        if (is_memory(event)) {
            tn_check_backing_begin(call, event->space, event->addr, event->addr + event->bytes);
        }
        break;
    case TN_MEM_RESOURCE_END:
        if (is_memory(event)) {
            tn_check_backing_end(call, event->space, event->addr, event->addr + event->bytes);
        }
        break;
    case TN_MEM_MARK:
        tn_check_leaks_step(call);
        break;
    default:
        break;
    }
}

struct manner {
    const char *role; // of the stack in findings; NULL: not for the model
    bool stack;       // the model keeps it
};

static struct manner manner_of(uint16_t kind) {
    switch (kind) {
    case TN_MEM_HEAP_BEGIN:
    case TN_MEM_REGION_BEGIN:
        return (struct manner){"allocated", true};
    case TN_MEM_HEAP_END:
    case TN_MEM_REGION_END:
    case TN_MEM_REGION_RESIZE:
    case TN_MEM_REFUSED:
        return (struct manner){"freed", true};
    case TN_MEM_PERMISSION:
        return (struct manner){"called", true};
    case TN_MEM_ACCESS:
        return (struct manner){"access", false};
    case TN_MEM_UNBACKED:
    case TN_MEM_USED_ON:
    case TN_MEM_NAME:
    case TN_MEM_INITIALISED:
    case TN_MEM_RESOURCE_BEGIN:
    case TN_MEM_RESOURCE_END:
    case TN_MEM_MARK:
        return (struct manner){"called", false};
    default:
        return (struct manner){NULL, false};
    }
}

// Who refused asks the model first; what that does not know may be a resource. True: it was told.
static bool apply_to_model(const struct tn_mem_event *event) {
    struct manner manner = manner_of(event->kind);
    struct tn_check_call call;
    bool told = false;
    if (manner.role == NULL || !tn_check_call_begin(&call, manner.role, manner.stack)) {
        return false;
    }
    if (event->kind == TN_MEM_REFUSED) {
        told = tn_check_free_refused(&call, event->space, event->addr, event->object,
                                     event->name == NULL ? "free" : event->name);
    } else {
        change_model(&call, event);
    }
    tn_check_call_end(&call);
    return told;
}

static void dispatch_event(const struct tn_mem_event *event) {
    const struct tn_check_options *options = tn_check_options();
    bool told = apply_to_model(event);
    if (options->order) {
        tn_check_order_event(event);
    }
    if (options->resources && !told) {
        (void)tn_check_resource_event(event);
    }
}

void tn_check_event_receive(const struct tn_mem_event *event) {
    static __thread bool busy; // a program's own malloc() may tell while the books use it
    struct tn_mem_event whole = {.height = 1, .depth = 1};
    if (busy) {
        return;
    }
    busy = true;
    memcpy(&whole, event, event->size < sizeof whole ? event->size : sizeof whole);
    tn_check_model_forget_parent();
    dispatch_event(&whole);
    busy = false;
}
