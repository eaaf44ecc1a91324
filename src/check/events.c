// SPDX-License-Identifier: Apache-2.0
// Applies memory events to the model. An end of a heap or region that the model does not know is
// ignored if a pool of Tarn emits it, because it may have begun while its thread was in the checker.
// The program's own annotations are judged.
#include "check/inject.h"

#include <inttypes.h>
#include <string.h>

#include "annotate/subscriber.h"
#include "check/alias.h"
#include "check/canary.h"
#include "check/carry.h"
#include "check/describe.h"
#include "check/failure.h"
#include "check/foreign.h"
#include "check/order/order.h"
#include "check/race.h"
#include "check/refused.h"
#include "check/seal.h"
#include "check/unwritten.h"

// Set when a region or heap of the program began while this thread was in the checker. Its end is
// then no mistake.
static _Atomic bool missed_begin;

// Returns true for an annotation of the program, by tarn/annotate.h.
static bool is_of_program(const struct tn_mem_event *event) {
    return (event->flags & TN_MEM_PROGRAM) != 0;
}

// Returns the space of an address. An event about numbers that belong to nothing live does not state
// theirs.
static uint32_t space_of(const struct tn_mem_event *event) {
    bool unstated = (event->flags & TN_MEM_NUMBERS) != 0 && event->space == 0;
    return unstated ? tn_check_resource_space(event->addr) : event->space;
}

static struct tn_check_heap_range range_of(const struct tn_mem_event *event) {
    return (struct tn_check_heap_range){event->space, event->device, event->addr,
                                        event->addr + event->bytes};
}

// ---- heaps

static void begin_heap(struct tn_check_call *call, const struct tn_mem_event *event) {
    struct tn_check_heap_range range = range_of(event);
    // A pool of Tarn uses its complete range, even if the memory is shorter.
    bool given = is_of_program(event) || (event->flags & TN_MEM_GIVEN) != 0;
    struct tn_check_heap_range backed = range;
    backed.space = space_of(event);
    struct tn_check_report *misplaced = given ? tn_check_backing_judge(call, &backed) : NULL;
    if (is_of_program(event)) {
        backed.space = range.space;
        range = backed;
    }
    struct tn_check_heap *heap = tn_check_heap_begin(call, call->domain, &range, event->object);
    if (misplaced != NULL) tn_check_describe_new_heap(misplaced, heap);
    heap->from_event = true;
    heap->given = given;
    heap->host_can = (event->flags & TN_MEM_HOST_CAN) != 0;
    heap->name = tn_check_intern(event->name);
}

static void judge_unknown_heap(struct tn_check_call *call, const struct tn_mem_event *event) {
    const struct tn_check_heap *ended = tn_check_ended_heap_at_start(event->space, event->addr);
    bool resets = event->kind == TN_MEM_HEAP_RESET;
    if (ended != NULL) {
        tn_check_free_heap_again(call, ended, resets ? "reset" : "ended");
    } else if (!tn_load_relaxed(&missed_begin)) {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_BAD_HEAP, "tarn_annotate_heap_%s: no heap starts at 0x%" PRIx64,
            resets ? "reset" : "end", event->addr);
        report->addr = event->addr;
    }
}

static void end_heap(struct tn_check_call *call, const struct tn_mem_event *event) {
    const struct tn_check_heap_range range = range_of(event);
    struct tn_check_heap *heap = tn_check_heap_at_start(&range, event->object);
    if (heap == NULL && is_of_program(event)) { // a misplaced heap may be empty, and is in no cover
        heap = tn_check_model.heaps;
        while (heap != NULL && (heap->lo != heap->hi || heap->lo != event->addr ||
                                heap->plane->space != event->space || !heap->from_event))
            heap = heap->older;
    }
    if (heap != NULL && (!is_of_program(event) || heap->object == 0))
        tn_check_heap_end(call, heap, TN_CHECK_END_CALL);
    else if (is_of_program(event))
        judge_unknown_heap(call, event);
}

static void reset_heap(struct tn_check_call *call, const struct tn_mem_event *event) {
    const struct tn_check_heap_range range = range_of(event);
    struct tn_check_heap *heap = tn_check_heap_at_start(&range, event->object);
    if (heap != NULL && heap->object == event->object)
        tn_check_heap_reset(call, heap);
    else
        judge_unknown_heap(call, event);
}

// If no heap of the program begins there, the rule is that of the memory, which the ledger keeps.
static void state_rule(struct tn_mem_event *event) {
    const struct tn_check_heap_range range = {event->space, event->device, event->addr,
                                              event->addr};
    struct tn_check_heap *heap = tn_check_heap_at_start(&range, 0);
    if (heap == NULL || heap->object != 0) return;
    const tarn_rule rule = tn_mem_event_rule(event);
    tn_check_backing_set_rule(heap, &rule);
    event->addr = 0;
}

// ---- regions

// A call that holds one shard begins regions of heaps of that shard only.
static struct tn_check_heap *heap_for(struct tn_check_call *call,
                                      const struct tn_check_heap_range *range, uint64_t object) {
    struct tn_check_heap *heap =
        call->shard == NULL ? NULL : tn_check_heap_around(range, object, call->shard);
    if (heap == NULL || heap->shard != call->shard || heap->object != object) {
        tn_check_call_widen(call);
        heap = tn_check_heap_around(range, object, tn_check_shard_for(0));
    }
    return heap;
}

static void begin_region(struct tn_check_call *call, const struct tn_mem_event *event) {
    uint64_t taken = event->other > event->bytes ? event->other : event->bytes;
    tn_check_fault_renew();
    struct tn_check_heap_range range = range_of(event);
    range.hi = range.lo + taken;
    struct tn_check_heap *heap = heap_for(call, &range, event->object);
    if (heap == NULL && is_of_program(event)) { // the region may end behind a heap of the program
        range.hi = range.lo + 1;
        heap = heap_for(call, &range, 0);
        heap = heap != NULL && heap->object == 0 ? heap : NULL;
    }
    const struct tn_check_region_desc desc = {
        .domain = call->domain,
        .heap = heap,
        .space = event->space,
        .device = event->device,
        .lo = event->addr,
        .bytes = event->bytes,
        .taken = taken,
        .name = event->name,
        .from_event = true,
        .host_can = (event->flags & TN_MEM_HOST_CAN) != 0 || (heap != NULL && heap->host_can),
        .seen = (event->flags & TN_MEM_SEEN) != 0 || tn_check_model.options->told_only,
        .written = (event->flags & TN_MEM_ZEROED) != 0 ||
                   (tn_load_relaxed(&tn_check_order_has_names) &&
                    tn_check_order_keeps(range.space, range.lo, event->addr + event->bytes)),
        .ordered = event->stream != 0,
        .idle = call->idle,
        .own = is_of_program(event),
    };
    (void)tn_check_region_begin(call, &desc);
}

// Finds the region that the event names. A region of an inner pool may begin at the same address,
// so the emitting pool is preferred. The program names and permits blocks of Tarn's pools as well,
// but it ends and resizes only its own regions.
static struct tn_check_region *region_of(const struct tn_check_call *call,
                                         const struct tn_mem_event *event) {
    const struct tn_check_domain *domain = call->domain;
    struct tn_check_region *newest = tn_check_region_by_start(event->space, event->addr, domain);
    bool own = is_of_program(event) &&
               (event->kind == TN_MEM_REGION_END || event->kind == TN_MEM_REGION_RESIZE);
    for (struct tn_check_region *r = newest; r != NULL && (own || event->object != 0);
         r = r->same_start) {
        bool found = own ? r->own : !r->own && r->heap != NULL && r->heap->object == event->object;
        if (found && r->domain == domain) return r;
    }
    return own ? NULL : newest;
}

// Finds a region that a call with one shard may end. Where there is none, the call gets all shards
// and looks again.
static struct tn_check_region *region_for(struct tn_check_call *call,
                                          const struct tn_mem_event *event) {
    if (call->shard != NULL) {
        struct tn_check_region *region = tn_check_region_in_shard(
            call->shard, event->space, event->addr, call->domain, event->object);
        if (region != NULL && region->nested == 0) return region;
        tn_check_call_widen(call);
    }
    return region_of(call, event);
}

// ---- changes of a region that exists

// Called if the program ends or changes a region that the model does not know.
static void judge_unknown_region(struct tn_check_call *call, const struct tn_mem_event *event) {
    bool known = tn_check_ended_start(event->space, event->addr) != NULL;
    bool ends = event->kind == TN_MEM_REGION_END;
    const char *what = ends                                  ? "ended"
                       : event->kind == TN_MEM_REGION_RESIZE ? "resized"
                                                             : "given permissions";
    if (is_of_program(event) && (known || !tn_load_relaxed(&missed_begin)))
        tn_check_free_unknown(call, event->space, event->addr, what, ends);
}

static void set_name(const struct tn_check_call *call, const struct tn_mem_event *event) {
    const struct tn_check_heap_range range = range_of(event);
    struct tn_check_region *region = region_of(call, event);
    struct tn_check_heap *heap =
        region == NULL ? tn_check_heap_at_start(&range, event->object) : NULL;
    if (region != NULL)
        region->name = tn_check_intern(event->name);
    else if (heap != NULL)
        heap->name = tn_check_intern(event->name);
}

// ---- accesses

// A copy inside devices is reported itself only in the strict form.
static bool is_carried(const struct tn_mem_event *event) {
    return (event->flags & TN_MEM_INSIDE) != 0 &&
           tn_check_model.options->uninitialised != TN_CHECK_UNINITIALISED_STRICT;
}

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
        .name = tn_mem_event_function(event),
        .stream = event->stream,
        .inside = is_carried(event),
    };
    if ((event->flags & TN_MEM_READ) != 0) tn_check_access_judge(call, &access);
    if ((event->flags & TN_MEM_WRITE) != 0) {
        access.write = true;
        tn_check_access_judge(call, &access);
    }
    if (access.inside && access.write) {
        struct tn_check_access source = access;
        source.lo = event->source;
        source.space = event->source_space;
        source.pitch = event->source_pitch;
        source.slice_pitch = event->source_slice_pitch;
        tn_check_carry(call, &access, &source);
    }
}

// ---- resources

static bool has_plain_bytes(const struct tn_mem_event *event) {
    return event->what == TN_MEM_MEMORY || event->what == TN_MEM_PINNED ||
           event->what == TN_MEM_ARRAY;
}

static void begin_resource(struct tn_check_call *call, const struct tn_mem_event *event) {
    if (tn_mem_event_ends_bytes(event)) {
        const uint32_t own = TN_MEM_OWNED | TN_MEM_HOST_CAN;
        tn_check_backing_begin(event->space, event->addr, event->addr + event->bytes,
                               (event->flags & own) == own);
    }
    if (has_plain_bytes(event) && (event->flags & TN_MEM_OWNED) == 0) {
        const struct tn_check_plain_desc desc = {
            .space = event->space,
            .device = event->device,
            .lo = event->addr,
            .bytes = event->bytes,
            .host_can = (event->flags & TN_MEM_HOST_CAN) != 0,
            .seen = (event->flags & TN_MEM_SEEN) != 0,
            .soft = (event->flags & TN_MEM_SOFT) != 0,
            .written = (event->flags & TN_MEM_ZEROED) != 0,
            .array = event->what == TN_MEM_ARRAY,
        };
        tn_check_plain_begin(call, &desc);
    }
}

static void end_resource(struct tn_check_call *call, const struct tn_mem_event *event) {
    if (tn_mem_event_ends_bytes(event) || event->what == TN_MEM_RESERVATION)
        tn_check_backing_end(call, event->space, event->addr, event->addr + event->bytes,
                             event->what == TN_MEM_MAPPING);
    if (has_plain_bytes(event)) tn_check_plain_end(call, event->space, event->addr);
}

void tn_check_event_memory_begin(uint64_t address, uint64_t bytes) {
    struct tn_check_call call;
    if (address + bytes > address && tn_check_call_begin(&call, "registered", false)) {
        tn_check_backing_begin(0, address, address + bytes, false);
        tn_check_call_end(&call);
    }
}

void tn_check_event_memory_end(uint64_t address) {
    struct tn_check_call call;
    struct tn_interval_entry entry;
    if (tn_check_call_begin(&call, "freed", true)) {
        if (tn_interval_find(&tn_check_model.backing, address, &entry) && entry.start == address)
            tn_check_backing_end(&call, 0, entry.start, entry.end, false);
        tn_check_call_end(&call);
    }
}

// ---- dispatch

// For each kind: the role of the caller's stack in findings, and whether the model keeps that stack.
static const struct {
    const char *role; // NULL if the kind does not concern the model
    bool stack;
} event_kinds[TN_MEM_KINDS] = {
    [TN_MEM_HEAP_BEGIN] = {"allocated", true}, [TN_MEM_HEAP_END] = {"freed", true},
    [TN_MEM_HEAP_RESET] = {"freed", true},     [TN_MEM_UNBACKED] = {"called", false},
    [TN_MEM_RIGHTS] = {"called", false},       [TN_MEM_REGION_BEGIN] = {"allocated", true},
    [TN_MEM_REGION_END] = {"freed", true},     [TN_MEM_REGION_RESIZE] = {"resized", true},
    [TN_MEM_PERMISSION] = {"called", true},    [TN_MEM_NAME] = {"called", false},
    [TN_MEM_USED_ON] = {"called", false},      [TN_MEM_ACCESS] = {"access", false},
    [TN_MEM_INITIALISED] = {"called", false},  [TN_MEM_RESOURCE_BEGIN] = {"allocated", true},
    [TN_MEM_RESOURCE_END] = {"called", false}, [TN_MEM_REFUSED] = {"freed", true},
    [TN_MEM_REQUESTED] = {"called", false},    [TN_MEM_MARK] = {"called", false},
    [TN_MEM_PLATFORM] = {"called", false},     [TN_MEM_RULE] = {"called", false},
    [TN_MEM_DISCARDED] = {"called", false},
};

// Applies the event to the region that it names. Then writes what tn_check_order_event() needs of
// the region into the event.
static void change_region(struct tn_check_call *call, struct tn_mem_event *event) {
    struct tn_check_region *region = region_for(call, event);
    uint64_t bytes = region != NULL ? tn_check_region_bytes(region) : 0;
    if (region == NULL) {
        judge_unknown_region(call, event);
    } else if (event->kind == TN_MEM_PERMISSION) {
        tn_check_region_permit(call, region, event->flags);
    } else if (event->kind == TN_MEM_REGION_RESIZE) {
        tn_check_region_resize(call, region, event->bytes);
    } else if (event->kind == TN_MEM_REGION_END) {
        region->ordered = region->ordered || event->stream != 0;
        tn_check_region_end(call, region, TN_CHECK_END_CALL);
    } else { // work on a stream uses it
        region->ordered = true;
    }
    if (event->kind == TN_MEM_REGION_END)
        event->bytes = bytes;
    else if (event->kind == TN_MEM_REGION_RESIZE)
        event->other = region != NULL ? bytes : event->bytes;
}

static void apply_to_kind(struct tn_check_call *call, struct tn_mem_event *event) {
    uint64_t end = event->addr + event->bytes;
    switch (event->kind) {
    case TN_MEM_HEAP_BEGIN: begin_heap(call, event); break;
    case TN_MEM_HEAP_END: end_heap(call, event); break;
    case TN_MEM_HEAP_RESET: reset_heap(call, event); break;
    case TN_MEM_UNBACKED:
        tn_check_canary_forget(call, event->space, event->addr, end);
        // Another thread may report a block in these pages later, which a reset has freed.
        if (event->space == 0) tn_check_backing_regrant(event->addr, end);
        break;
    case TN_MEM_RIGHTS: tn_check_backing_regrant(event->addr, end); break;
    case TN_MEM_REGION_BEGIN: begin_region(call, event); break;
    case TN_MEM_NAME: set_name(call, event); break;
    case TN_MEM_ACCESS: judge_access(call, event); break;
    case TN_MEM_INITIALISED:
        tn_check_access_initialised(event->space, event->device, event->addr, event->bytes);
        break;
    case TN_MEM_DISCARDED:
        tn_check_access_discarded(call, event->space, event->addr, event->bytes);
        break;
    case TN_MEM_RESOURCE_BEGIN: begin_resource(call, event); break;
    case TN_MEM_RESOURCE_END: end_resource(call, event); break;
    case TN_MEM_REQUESTED:
        tn_check_plain_request(call, event->space, event->addr, event->bytes);
        break;
    case TN_MEM_RULE: state_rule(event); break;
    case TN_MEM_MARK: tn_check_leaks_step(call); break;
    case TN_MEM_PLATFORM:
        if (event->other > tn_check_model.devices) tn_check_model.devices = event->other;
        break;
    default: change_region(call, event); break;
    }
}

// Begins a call. It holds one shard if the event can only change regions of one pool.
static bool begin_call(struct tn_check_call *call, const struct tn_mem_event *event) {
    const char *role = event_kinds[event->kind].role;
    bool carries = event->kind == TN_MEM_ACCESS && event->source != 0; // its place may be reported
    bool stack = event_kinds[event->kind].stack || carries;
    bool of_pool = event->kind == TN_MEM_REGION_BEGIN || event->kind == TN_MEM_REGION_END;
    bool all = !of_pool || event->object == 0 || event->name != NULL || tn_check_canary_enabled();
    if (all ? !tn_check_call_begin(call, role, stack)
            : !tn_check_call_begin_in_pool(call, role, stack, event->object))
        return false;
    call->domain = tn_check_domain_find(event->domain);
    if (call->domain == NULL) {
        tn_check_call_widen(call);
        call->domain = tn_check_domain_named(event->domain);
    }
    return true;
}

// Returns true if the event is a refused free that the model could explain.
static bool apply_to_model(struct tn_mem_event *event) {
    struct tn_check_call call;
    bool explained = false;
    // A pool may give a stream bytes that its earlier work still uses. Judged without a lock.
    bool idle = event->kind == TN_MEM_REGION_BEGIN && event->stream != 0 &&
                tn_check_options()->order &&
                tn_check_options()->uninitialised != TN_CHECK_UNINITIALISED_OFF &&
                tn_check_order_is_idle(event->space, event->addr, event->addr + event->bytes);
    if (event->kind >= TN_MEM_KINDS || event_kinds[event->kind].role == NULL ||
        !begin_call(&call, event))
        return false;
    call.idle = idle;
    if (event->kind == TN_MEM_REFUSED)
        explained = !tn_check_resource_decides(event) && tn_check_free_refused(&call, event);
    else
        apply_to_kind(&call, event);
    if (__builtin_expect(call.probed != 0, 0)) {
        tn_check_call_widen(&call);
        tn_check_seal_reached(&call);
    }
    tn_check_call_end(&call);
    return explained;
}

// The model judges accesses to regions.
static bool is_in_no_region(const struct tn_mem_event *access) {
    struct tn_check_call call;
    bool outside = false;
    if (tn_check_call_begin(&call, "access", false)) {
        outside = tn_check_byte_state(access->space, access->device, access->addr) ==
                  TN_CHECK_BYTE_OUTSIDE;
        tn_check_call_end(&call);
    }
    return outside;
}

// Most events are of other kinds, because they are about blocks.
static void apply_to_resources(const struct tn_mem_event *event, bool explained) {
    unsigned alignment = tn_check_model.options->alignment;
    switch (event->kind) {
    case TN_MEM_ACCESS:
        if (alignment >= 2 && is_in_no_region(event)) tn_check_resource_align(event, alignment);
        break;
    case TN_MEM_HEAP_BEGIN: tn_check_foreign_begin(event); break;
    case TN_MEM_MARK: tn_check_resource_step(); break;
    case TN_MEM_RESOURCE_BEGIN: tn_check_foreign_begin(event); __attribute__((fallthrough));
    case TN_MEM_RESOURCE_END:
    case TN_MEM_REQUESTED:
    case TN_MEM_RULE:
    case TN_MEM_REFUSED:
        if (!explained) {
            (void)tn_check_resource_event(event);
            tn_check_alias_event(event);
        }
        break;
    default: break;
    }
}

// The emitter's text ends with the event.
static void name_work(struct tn_mem_event *event) {
    struct tn_check_call call;
    if (!tn_check_call_begin(&call, "access", false)) return;
    event->name = tn_check_intern(event->name);
    tn_check_call_end(&call);
}

void tn_check_event_receive(const struct tn_mem_event *event) {
    // The checker's malloc() may be the program's malloc(), which may emit events. Static storage,
    // because the first access to any other would call malloc().
    static __thread bool busy __attribute__((tls_model("initial-exec")));
    struct tn_mem_event complete;
    if (busy) {
        if (event->kind == TN_MEM_REGION_BEGIN || event->kind == TN_MEM_HEAP_BEGIN)
            tn_store_relaxed(&missed_begin, true);
        else if (event->kind == TN_MEM_RESOURCE_BEGIN)
            tn_check_resource_miss();
        return;
    }
    busy = true;
    // The emitting image may know a smaller struct.
    if (event->size >= sizeof complete) {
        complete = *event;
    } else {
        complete = (struct tn_mem_event){.height = 1, .depth = 1};
        memcpy(&complete, event, event->size);
    }
    tn_check_model_forget_parent();
    if (complete.kind == TN_MEM_REFUSED || complete.kind == TN_MEM_ACCESS_REFUSED)
        complete.space = space_of(&complete);
    if (complete.kind == TN_MEM_ACCESS_REFUSED) tn_check_refused_event(&complete);
    if (complete.kind == TN_MEM_RACE) tn_check_race_event(&complete);
    if (complete.kind == TN_MEM_MISALIGNED) tn_check_misaligned_event(&complete);
    if (complete.kind == TN_MEM_FAILURE) tn_check_failure_event(&complete);
    if (complete.kind == TN_MEM_ARGUMENT) tn_check_refused_argument(&complete);
    if (complete.kind == TN_MEM_FOOTPRINT && complete.object != 0) name_work(&complete);
    if (complete.kind == TN_MEM_WATCH && tn_check_model.options->order)
        tn_check_order_watch(&complete);
    bool explained = apply_to_model(&complete);
    if (tn_check_model.options->order)
        tn_check_order_event(&complete);
    else
        tn_check_order_name(&complete);
    if (__builtin_expect(tn_load_relaxed(&tn_check_waiting_reads) != 0, 0))
        tn_check_unwritten_event(&complete);
    if (tn_check_model.options->resources) apply_to_resources(&complete, explained);
    busy = false;
}
