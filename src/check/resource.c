// SPDX-License-Identifier: Apache-2.0
// Resources that an owner must release: their beginnings and ends, refused frees, and leaks.
#include "check/resource.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tarn/array.h>
#include <tarn/base.h>

#include "base/lock.h"
#include "check/options.h"
#include "check/report/report.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_check_ledger ledger;
static struct tn_check_ledger objects; // streams, events and handles, which may end very often
static _Atomic bool missed;            // a resource began without an entry in the ledger
static uint64_t step;                  // of the program, counted from 0
static uint32_t generation;            // the number of forks that led to this process

#define END_OF_IMPORT "end of an import" // as faces refuse it

// The name of each kind in reports, also that of several, and the calls that end it.
static const struct {
    const char *name;
    const char *names;
    const char *ended_by[2];
} resource_kinds[] = {
    [TN_MEM_MEMORY] = {"block of device memory",
                       "blocks of device memory",
                       {"tarn_memory_free", END_OF_IMPORT}},
    [TN_MEM_PINNED] = {"block of pinned memory", "blocks of pinned memory", {"tarn_host_free"}},
    [TN_MEM_REGISTERED] = {"registration of host memory",
                           "registrations of host memory",
                           {"tarn_host_unregister"}},
    [TN_MEM_RESERVATION] = {"reservation", "reservations", {"tarn_space_release"}},
    [TN_MEM_PHYS] = {"handle of physical memory",
                     "handles of physical memory",
                     {"tarn_phys_release"}},
    [TN_MEM_MAPPING] = {"mapping", "mappings", {"tarn_unmap"}},
    [TN_MEM_EXPORT] = {"exported descriptor",
                       "exported descriptors",
                       {NULL}}, // closed by close(), which emits no event
    [TN_MEM_POOL] = {"pool", "pools", {"tarn_pool_destroy"}},
    [TN_MEM_STREAM] = {"stream or event", "streams or events", {NULL}},
    [TN_MEM_HANDLE] = {"object", "objects", {NULL}},
    [TN_MEM_ARRAY] = {"device array", "device arrays", {"tarn_array_destroy"}},
};
enum { KINDS = sizeof resource_kinds / sizeof resource_kinds[0], ANY_KIND = 0, NO_KIND = KINDS };

static struct tn_check_resource resource_of(const struct tn_mem_event *event) {
    return (struct tn_check_resource){
        .what = event->what,
        .owned = (event->flags & TN_MEM_OWNED) != 0,
        .imported = (event->flags & TN_MEM_IMPORTED) != 0,
        .device = event->device,
        .space = event->space,
        .image = event->image,
        .addr = event->addr,
        .bytes = event->bytes,
        .requested = event->bytes,
        .object = event->object,
    };
}

// ---- beginnings and ends

static struct tn_check_ledger *ledger_of(uint16_t what) {
    return what == TN_MEM_STREAM || what == TN_MEM_HANDLE ? &objects : &ledger;
}

// A range that is unmapped consists of complete mappings, one after another.
static void end_mappings(struct tn_check_resource *range) {
    uint64_t end = range->addr + range->bytes;
    const struct tn_check_resource *live =
        tn_check_ledger_find_live(&ledger, TN_MEM_MAPPING, range);
    while (live != NULL) {
        uint64_t next = live->addr + live->bytes;
        (void)tn_check_ledger_end(&ledger, range);
        range->addr = next;
        live = next < end ? tn_check_ledger_find_live(&ledger, TN_MEM_MAPPING, range) : NULL;
    }
}

// Returns 0 if the descriptor is not open.
static uint64_t inode_of(uint64_t descriptor) {
    struct stat stat;
    return fstat((int)descriptor, &stat) == 0 ? stat.st_ino : 0;
}

static void begin_resource(const struct tn_mem_event *event) {
    struct tn_check_resource resource = resource_of(event);
    resource.inode = event->what == TN_MEM_EXPORT ? inode_of(event->object) : 0;
    resource.began = tn_stack_capture();
    resource.began_thread = tn_stack_thread();
    TN_PTHREAD_LOCKED(&lock);
    resource.generation = generation;
    resource.step = step;
    tn_check_ledger_begin(ledger_of(event->what), &resource);
}

static void end_resource(const struct tn_mem_event *event) {
    struct tn_check_resource resource = resource_of(event);
    resource.ended = tn_stack_capture();
    resource.ended_thread = tn_stack_thread();
    TN_PTHREAD_LOCKED(&lock);
    if (event->what == TN_MEM_MAPPING)
        end_mappings(&resource);
    else
        (void)tn_check_ledger_end(ledger_of(event->what), &resource);
}

static struct tn_check_resource *live_at(uint32_t place) {
    return (struct tn_check_resource *)ledger.live.records + place;
}

// ---- look-up by address

static void copy_resource(struct tn_check_resource *to, const struct tn_check_resource *from) {
    if (from != NULL) *to = *from;
}

void tn_check_resource_find(uint32_t space, uint64_t addr, struct tn_check_resource *live,
                            struct tn_check_resource *ended) {
    static const uint16_t order[] = {TN_MEM_MAPPING,    TN_MEM_MEMORY,      TN_MEM_PINNED,
                                     TN_MEM_REGISTERED, TN_MEM_RESERVATION, TN_MEM_ARRAY};
    const struct tn_check_resource like = {.space = space, .addr = addr};
    *live = *ended = (struct tn_check_resource){0};
    TN_PTHREAD_LOCKED(&lock);
    for (unsigned i = 0; i < sizeof order / sizeof *order && live->what == 0; i++)
        copy_resource(live, tn_check_ledger_find_around(&ledger, order[i], &like));
    copy_resource(ended, tn_check_ledger_find_past(&ledger, &like));
    if (ended->serial < live->serial) *ended = (struct tn_check_resource){0};
}

uint32_t tn_check_resource_space(uint64_t addr) {
    TN_PTHREAD_LOCKED(&lock);
    return tn_check_ledger_space(&ledger, addr);
}

const char *tn_check_resource_name(const struct tn_check_resource *resource) {
    return resource_kinds[resource->what].name;
}

// ---- refused frees

// Returns the kind that the refused call would have ended.
static uint16_t kind_meant(const struct tn_mem_event *event) {
    bool ends_several =
        event->what == TN_MEM_ANYTHING || (event->name && strcmp(event->name, "tarn_free") == 0);
    for (uint16_t what = 1; what < KINDS && event->name != NULL; what++) {
        for (unsigned i = 0; i < 2 && resource_kinds[what].ended_by[i] != NULL; i++)
            if (strcmp(resource_kinds[what].ended_by[i], event->name) == 0) return what;
    }
    return ends_several ? ANY_KIND : NO_KIND;
}

// Returns true if the call makes memory available to other processes.
static bool is_export(const struct tn_mem_event *event) {
    return event->name != NULL && strcmp(event->name, "tarn_memory_export") == 0;
}

bool tn_check_resource_decides(const struct tn_mem_event *event) {
    uint16_t meant = kind_meant(event);
    return event->addr == 0 || is_export(event) ||
           (meant != ANY_KIND && meant != NO_KIND && meant != TN_MEM_MEMORY &&
            meant != TN_MEM_PINNED);
}

// The resources that a refused call may be about; `what` is 0 for none.
struct suspects {
    struct tn_check_resource live;  // of the kind that the call ends, with its address or handle
    bool complete;                  // the size that the call named is that of complete resources
    struct tn_check_resource other; // of another kind, live
    struct tn_check_resource ended;
    struct tn_check_resource around; // contains the address
};

// Returns true if the range consists of complete resources, one after another. Only mappings end
// several at once.
static bool is_complete(uint16_t what, struct tn_check_resource range) {
    uint64_t end = range.addr + range.bytes;
    const struct tn_check_resource *live = NULL;
    while (range.addr < end && (live = tn_check_ledger_find_live(&ledger, what, &range)) != NULL)
        range.addr += live->bytes;
    return range.bytes != 0 && range.addr == end;
}

// Returns true if resources of both kinds may begin at one address.
static bool may_coincide(uint16_t what, uint16_t meant) {
    return (what == TN_MEM_RESERVATION && meant == TN_MEM_MAPPING) ||
           (what == TN_MEM_MAPPING && meant == TN_MEM_RESERVATION);
}

// Finds a live resource of another kind that begins at the address. Kinds are searched in the order
// of the table, so that a reservation is found before a mapping that begins at the same address.
static const struct tn_check_resource *find_other_kind(const struct tn_check_resource *like,
                                                       uint16_t meant) {
    const struct tn_check_resource *live = NULL;
    for (uint16_t what = 1; what < TN_MEM_EXPORT && live == NULL && like->addr != 0; what++)
        if (what != meant && what != TN_MEM_PHYS && !may_coincide(what, meant))
            live = tn_check_ledger_find_live(&ledger, what, like);
    return live;
}

// Finds a resource that contains the address: of the kind that the call ends, or for an address
// where nothing is mapped the reservation.
static const struct tn_check_resource *find_around(const struct tn_check_resource *like,
                                                   uint16_t meant) {
    static const uint16_t blocks[] = {TN_MEM_MEMORY, TN_MEM_PINNED, TN_MEM_REGISTERED};
    const uint16_t one[] = {meant, meant == TN_MEM_MAPPING ? TN_MEM_RESERVATION : meant};
    const uint16_t *what = meant == ANY_KIND ? blocks : one;
    const unsigned count = meant == ANY_KIND ? 3 : 2;
    const struct tn_check_resource *around = NULL;
    for (unsigned i = 0; i < count && around == NULL && like->addr != 0; i++)
        around = tn_check_ledger_find_around(&ledger, what[i], like);
    return around;
}

static struct suspects find_suspects(const struct tn_mem_event *event, uint16_t meant) {
    const struct tn_check_resource like = resource_of(event);
    struct suspects found = {0};
    TN_PTHREAD_LOCKED(&lock);
    if (meant != ANY_KIND) {
        copy_resource(&found.live, tn_check_ledger_find_live(&ledger, meant, &like));
        bool has_size = meant == TN_MEM_MAPPING || meant == TN_MEM_RESERVATION;
        found.complete = !has_size || event->what == TN_MEM_ANYTHING || is_complete(meant, like);
    }
    copy_resource(&found.other, find_other_kind(&like, meant));
    copy_resource(&found.ended, tn_check_ledger_find_ended(&ledger, meant, &like));
    copy_resource(&found.around, find_around(&like, meant));
    return found;
}

// Reports a refused call, with the text behind its name and its value, and a resource: where it
// began, and where it ended unless it is live.
static void __attribute__((format(printf, 4, 5)))
report_refusal(enum tn_check_kind kind, const struct tn_mem_event *event,
               const struct tn_check_resource *about, const char *format, ...) {
    uint64_t value = event->addr != 0 ? event->addr : event->object;
    struct tn_check_report report;
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tn_check_report_begin(&report, kind, "freed", "%s of 0x%" PRIx64 "%s",
                          tn_mem_event_function(event), value, text);
    report.addr = value;
    report.resource = about->what;
    report.bytes = about->bytes;
    report.device = about->device;
    tn_check_report_add_stack(&report, "allocated", about->began_thread, about->began);
    tn_check_report_add_stack(&report, "first freed", about->ended_thread, about->ended);
    tn_check_report_end(&report);
}

// Faces have a function of their own that ends memory of another process.
static bool ends_other_memory(const struct tn_mem_event *event,
                              const struct tn_check_resource *live) {
    bool closes = strcmp(event->name, resource_kinds[TN_MEM_MEMORY].ended_by[1]) == 0;
    return live->what == TN_MEM_MEMORY && closes != live->imported &&
           (int64_t)event->other == TARN_BAD_ADDRESS;
}

// The call names a live resource of its kind. Returns false if the call is correct: the device may
// be busy, or lost.
static bool judge_live(const struct tn_mem_event *event, const struct suspects *found) {
    const struct tn_check_resource *live = &found->live;
    const char *name = resource_kinds[live->what].name;
    bool other_memory = ends_other_memory(event, live);
    if (live->owned)
        report_refusal(TN_CHECK_KIND_WRONG_FAMILY_FREE, event, live,
                       ", which is a %s of %" PRIu64 " byte(s) that a pool owns", name,
                       live->requested);
    else if (other_memory)
        report_refusal(TN_CHECK_KIND_WRONG_FAMILY_FREE, event, live,
                       ", which is a %s of %" PRIu64 " byte(s) that %s", name, live->requested,
                       live->imported ? "was imported" : "this process allocated");
    else if (!found->complete)
        report_refusal(TN_CHECK_KIND_INVALID_FREE, event, live,
                       " with %" PRIu64 " byte(s), where a %s of %" PRIu64 " byte(s) begins",
                       event->bytes, name, live->requested);
    return live->owned || other_memory || !found->complete;
}

// Finds the object that had the handle, and returns true if it has ended.
static bool find_ended_object(const struct tn_mem_event *event, struct tn_check_resource *ended) {
    static const uint16_t kinds[] = {TN_MEM_STREAM, TN_MEM_HANDLE, TN_MEM_ARRAY, TN_MEM_PHYS};
    const struct tn_check_resource like = resource_of(event);
    bool live = false;
    *ended = (struct tn_check_resource){.device = -1};
    TN_PTHREAD_LOCKED(&lock);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds && ended->what == 0; i++) {
        if (event->what == kinds[i] || (event->what == 0 && kinds[i] != TN_MEM_PHYS)) {
            const struct tn_check_ledger *of = ledger_of(kinds[i]);
            live = live || tn_check_ledger_find_live(of, kinds[i], &like) != NULL;
            copy_resource(ended, tn_check_ledger_find_ended(of, kinds[i], &like));
        }
    }
    return ended->what != 0 && !live;
}

// The call uses an object that does not exist. It is reported if the object has ended: any other
// number is an ordinary error.
static bool judge_use(const struct tn_mem_event *event) {
    struct tn_check_resource ended;
    struct tn_check_report report;
    if (!find_ended_object(event, &ended)) return false;
    tn_check_report_begin(&report, TN_CHECK_KIND_BAD_HANDLE, "access",
                          "%s with 0x%" PRIx64 ", which was %s", tn_mem_event_function(event),
                          event->object, ended.what == TN_MEM_PHYS ? "released" : "destroyed");
    report.addr = event->object;
    report.device = ended.device;
    tn_check_report_add_stack(&report, "allocated", ended.began_thread, ended.began);
    tn_check_report_add_stack(&report, "freed", ended.ended_thread, ended.ended);
    tn_check_report_end(&report);
    return true;
}

// The call names nothing that the ledger knows. Returns false if it may be correct.
static bool judge_unknown(const struct tn_mem_event *event, uint16_t meant) {
    const struct tn_check_resource none = {.what = meant == NO_KIND ? 0 : meant, .device = -1};
    bool handle = event->addr == 0;
    if (meant == NO_KIND) { // a stream, an event or another object that does not exist
        struct tn_check_resource ended;
        bool bad = handle && (int64_t)event->other == TARN_BAD_HANDLE;
        if (bad) {
            bool once = find_ended_object(event, &ended);
            report_refusal(TN_CHECK_KIND_BAD_HANDLE, event, &ended, ", which names nothing%s",
                           once ? " any more" : "");
        }
        return bad;
    }
    if (!tn_check_resource_decides(event)) {
        bool unknown = (int64_t)event->other == TARN_BAD_ADDRESS && !tn_load_relaxed(&missed);
        if (unknown)
            report_refusal(TN_CHECK_KIND_INVALID_FREE, event, &none,
                           ", which is no block that can be freed");
        return unknown;
    }
    if (handle && event->object == 0) return false;
    report_refusal(handle ? TN_CHECK_KIND_BAD_HANDLE : TN_CHECK_KIND_INVALID_FREE, event, &none,
                   ", which is no %s", resource_kinds[meant].name);
    return true;
}

// The call exports memory by an address that is not its start. Importers get the start, so the address
// has to be passed on in another way.
static bool judge_export(const struct tn_mem_event *event) {
    struct tn_check_resource live;
    struct tn_check_resource ended;
    struct tn_check_report report;
    tn_check_resource_find(event->space, event->addr, &live, &ended);
    const struct tn_check_resource *about = ended.what != 0 ? &ended : &live;
    uint64_t inside = event->addr - about->addr;
    bool freed = about == &ended;
    if (about->what != TN_MEM_MEMORY || about->owned || (inside == 0 && !freed)) return false;
    if (freed)
        tn_check_report_begin(&report, TN_CHECK_KIND_USE_AFTER_FREE, "access",
                              "%s of 0x%" PRIx64 ", in a %s of %" PRIu64 " byte(s) that was freed",
                              tn_mem_event_function(event), event->addr,
                              resource_kinds[about->what].name, about->requested);
    else
        tn_check_report_begin(&report, TN_CHECK_KIND_INNER_EXPORT, "access",
                              "%s of 0x%" PRIx64 ", which is %" PRIu64
                              " byte(s) inside a %s of %" PRIu64
                              " byte(s); importers get its start",
                              tn_mem_event_function(event), event->addr, inside,
                              resource_kinds[about->what].name, about->requested);
    report.addr = event->addr;
    report.resource = about->what;
    report.device = about->device;
    tn_check_report_add_stack(&report, "allocated", about->began_thread, about->began);
    tn_check_report_add_stack(&report, "freed", about->ended_thread, about->ended);
    tn_check_report_end(&report);
    return true;
}

// Returns true if the refusal was reported. An address may have been used several times; the use
// that began last is meant.
static bool judge_refused(const struct tn_mem_event *event) {
    uint16_t meant = kind_meant(event);
    if (is_export(event)) return judge_export(event);
    if (event->what == TN_MEM_STREAM || event->what == TN_MEM_HANDLE ||
        event->what == TN_MEM_ARRAY || event->what == TN_MEM_PHYS)
        return judge_use(event);
    if (meant == NO_KIND) return judge_unknown(event, meant);
    const struct suspects found = find_suspects(event, meant);
    const struct tn_check_resource *other = &found.other;
    const struct tn_check_resource *ended = &found.ended;
    const struct tn_check_resource *around = &found.around;
    if (found.live.what != 0) return judge_live(event, &found);
    if (ended->what != 0 && ended->serial > other->serial)
        report_refusal(TN_CHECK_KIND_DOUBLE_FREE, event, ended,
                       " again, a %s of %" PRIu64 " byte(s)", resource_kinds[ended->what].name,
                       ended->requested);
    else if (other->what != 0)
        report_refusal(TN_CHECK_KIND_WRONG_FAMILY_FREE, event, other,
                       ", which is a %s of %" PRIu64 " byte(s)%s", resource_kinds[other->what].name,
                       other->requested, other->imported ? " that was imported" : "");
    else if (around->what != 0)
        report_refusal(TN_CHECK_KIND_INVALID_FREE, event, around,
                       ", which is %" PRIu64 " byte(s) inside a %s of %" PRIu64 " byte(s)%s",
                       event->addr - around->addr, resource_kinds[around->what].name,
                       around->requested,
                       around->what == TN_MEM_RESERVATION && meant != TN_MEM_RESERVATION
                           ? ", where nothing is mapped"
                           : "");
    else
        return judge_unknown(event, meant);
    return true;
}

// ---- memory beneath heaps

bool tn_check_resource_block_at(uint64_t addr, struct tn_check_resource *found) {
    const struct tn_check_resource like = {.addr = addr};
    TN_PTHREAD_LOCKED(&lock);
    const struct tn_check_resource *block =
        tn_check_ledger_find_live(&ledger, TN_MEM_MEMORY, &like);
    block = block != NULL ? block : tn_check_ledger_find_live(&ledger, TN_MEM_PINNED, &like);
    copy_resource(found, block);
    return block != NULL;
}

bool tn_check_resource_registered(uint64_t lo, uint64_t hi, struct tn_check_resource *found) {
    TN_PTHREAD_LOCKED(&lock);
    for (uint32_t i = 0; i < ledger.live.count; i++) {
        const struct tn_check_resource *live = live_at(i);
        if (live->what == TN_MEM_REGISTERED && live->space == 0 && live->addr < hi &&
            live->addr + live->bytes > lo) {
            *found = *live;
            return true;
        }
    }
    return false;
}

bool tn_check_resource_freed_at(uint64_t addr, struct tn_check_resource *found) {
    TN_PTHREAD_LOCKED(&lock);
    const struct tn_check_resource *freed = tn_check_ledger_find_ended_around(&ledger, addr);
    copy_resource(found, freed);
    return freed != NULL;
}

// ---- leaks

struct group {
    struct tn_check_resource first;
    uint64_t count;
    uint64_t bytes;
    uint64_t memories; // that no other leaked resource counts, and their bytes
    uint64_t memory;
};

static int compare_groups(const void *a, const void *b) {
    const struct tn_check_resource *one = &((const struct group *)a)->first;
    const struct tn_check_resource *other = &((const struct group *)b)->first;
    if (one->what != other->what) return one->what < other->what ? -1 : 1;
    return one->began < other->began ? -1 : one->began > other->began;
}

// A child process need not release what its parent began. A pool may live as long as the process;
// only its regions can leak. close() ends a descriptor without an event, and its number may have
// been reused, so the inode is compared.
static bool is_leaked(const struct tn_check_resource *live) {
    if (live->generation != generation) return false;
    switch (live->what) {
    case 0: // an unused place
    case TN_MEM_POOL: return false;
    case TN_MEM_EXPORT: return live->inode != 0 && inode_of(live->object) == live->inode;
    default: return !live->owned;
    }
}

// Returns true if the mapping alone keeps its memory: its handle was released, and of several mappings
// it is the first.
static bool keeps_memory(const struct tn_check_resource *mapping) {
    bool keeps = tn_check_ledger_find_live(&ledger, TN_MEM_PHYS, mapping) == NULL;
    for (uint32_t i = 0; keeps && live_at(i) != mapping; i++)
        keeps = live_at(i)->what != TN_MEM_MAPPING || live_at(i)->object != mapping->object ||
                live_at(i)->image != mapping->image;
    return keeps;
}

// Returns true if the resource is memory. A reservation is addresses; an export, an import or a
// registration is a name of memory that exists without it.
static bool is_memory(const struct tn_check_resource *live) {
    switch (live->what) {
    case TN_MEM_MEMORY: return !live->imported;
    case TN_MEM_PINNED:
    case TN_MEM_ARRAY:
    case TN_MEM_PHYS: return true;
    case TN_MEM_MAPPING: return keeps_memory(live);
    default: return false;
    }
}

#define ANY_STEP UINT64_MAX

// Groups the leaked resources that began in a step by kind and place. Returns the number of groups.
static uint32_t gather_leaks(struct group *groups, uint64_t began) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ledger.live.count; i++) {
        const struct tn_check_resource *live = live_at(i);
        if (!is_leaked(live) || (began != ANY_STEP && live->step != began)) continue;
        bool memory = is_memory(live);
        groups[count++] = (struct group){*live, 1, live->bytes, memory, memory ? live->bytes : 0};
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    uint32_t last = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (compare_groups(&groups[last], &groups[i]) == 0) {
            groups[last].count++;
            groups[last].bytes += groups[i].bytes;
            groups[last].memories += groups[i].memories;
            groups[last].memory += groups[i].memory;
        } else {
            groups[++last] = groups[i];
        }
    }
    return count == 0 ? 0 : last + 1;
}

static void report_leak(const struct group *group) {
    const struct tn_check_resource *first = &group->first;
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_RESOURCE_LEAK, "",
                          "%" PRIu64 " %s of %" PRIu64 " byte(s) in all", group->count,
                          group->count == 1 ? resource_kinds[first->what].name
                                            : resource_kinds[first->what].names,
                          group->bytes);
    report.resource = first->what;
    tn_check_report_set_range(&report, first->addr, group->bytes);
    report.device = first->device;
    tn_check_report_add_stack(&report, "allocated", first->began_thread, first->began);
    tn_check_report_end(&report);
    tn_check_report_count_leak(group->memory, group->memories);
    if (first->what == TN_MEM_RESERVATION) tn_check_report_count_space(group->bytes);
}

uint64_t tn_check_resource_leaks(void) {
    (void)pthread_mutex_lock(&lock);
    struct group *groups = calloc(ledger.live.count + 1, sizeof *groups);
    uint32_t count = groups != NULL ? gather_leaks(groups, ANY_STEP) : 0;
    (void)pthread_mutex_unlock(&lock);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        report_leak(&groups[i]);
        bytes += groups[i].bytes;
    }
    free(groups);
    return bytes;
}

// ---- steps

static void report_growth(const struct group *group, uint64_t ended) {
    const struct tn_check_resource *first = &group->first;
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_STEP_GROWTH, "",
                          "%" PRIu64 " byte(s) in %" PRIu64 " %s allocated in step %" PRIu64
                          " still live after step %" PRIu64,
                          group->bytes, group->count,
                          group->count == 1 ? resource_kinds[first->what].name
                                            : resource_kinds[first->what].names,
                          first->step, ended);
    report.resource = first->what;
    tn_check_report_set_range(&report, first->addr, group->bytes);
    report.device = first->device;
    tn_check_report_add_stack(&report, "allocated", first->began_thread, first->began);
    tn_check_report_end(&report);
}

void tn_check_resource_step(void) {
    (void)pthread_mutex_lock(&lock);
    uint64_t ended = step++;
    struct group *groups = ended >= 2 && tn_check_options()->leaks == TN_CHECK_LEAKS_STEP
                               ? calloc(ledger.live.count + 1, sizeof *groups)
                               : NULL;
    uint32_t count = groups != NULL ? gather_leaks(groups, ended - 1) : 0;
    (void)pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; i < count; i++) report_growth(&groups[i], ended);
    free(groups);
}

uint64_t tn_check_resource_live_bytes(void) {
    uint64_t bytes = 0;
    TN_PTHREAD_LOCKED(&lock);
    for (uint32_t i = 0; i < ledger.live.count; i++)
        if (is_leaked(live_at(i)) && is_memory(live_at(i))) bytes += live_at(i)->bytes;
    return bytes;
}

// ---- alignment

// Returns the first row of the access that is misaligned, or 0.
static uint64_t misaligned_row(const struct tn_mem_event *access, unsigned alignment) {
    uint64_t row = access->height > 1 ? access->pitch : 0;
    uint64_t slice = access->depth > 1 ? access->slice_pitch : 0;
    uint64_t first = access->addr;
    return first % alignment != 0             ? first
           : (first + row) % alignment != 0   ? first + row
           : (first + slice) % alignment != 0 ? first + slice
                                              : 0;
}

void tn_check_resource_align(const struct tn_mem_event *access, unsigned alignment) {
    const uint64_t row = misaligned_row(access, alignment);
    const char *verb = (access->flags & TN_MEM_WRITE) != 0 ? "write" : "read";
    struct tn_check_resource found = {0};
    struct tn_check_resource ended;
    struct tn_check_report report;
    if (row != 0 && access->bytes != 0) tn_check_resource_find(access->space, row, &found, &ended);
    if (found.what == 0 || found.what == TN_MEM_RESERVATION || found.owned) return;
    tn_check_report_begin(&report, TN_CHECK_KIND_MISALIGNED_ACCESS, "access",
                          "%s of %" PRIu64 " byte(s) at 0x%" PRIx64
                          " (needs %u-byte alignment), which is 0x%" PRIx64
                          " inside a %s of %" PRIu64 " byte(s)",
                          verb, access->bytes, row, alignment, row - found.addr,
                          resource_kinds[found.what].name, found.requested);
    report.access = verb;
    tn_check_report_set_range(&report, row, access->bytes);
    report.device = access->device;
    tn_check_report_add_stack(&report, "allocated", found.began_thread, found.began);
    tn_check_report_end(&report);
}

// ---- events

void tn_check_resource_miss(void) { tn_store_relaxed(&missed, true); }

bool tn_check_resource_event(const struct tn_mem_event *event) {
    bool known = event->what != 0 && event->what < KINDS;
    if (event->kind == TN_MEM_RESOURCE_BEGIN && known) {
        begin_resource(event);
    } else if (event->kind == TN_MEM_RESOURCE_END && known) {
        end_resource(event);
    } else if (event->kind == TN_MEM_REQUESTED) { // the event does not state the kind of its block
        const struct tn_check_resource like = resource_of(event);
        TN_PTHREAD_LOCKED(&lock);
        tn_check_ledger_request(&ledger, TN_MEM_MEMORY, &like, event->bytes);
        tn_check_ledger_request(&ledger, TN_MEM_PINNED, &like, event->bytes);
    } else if (event->kind == TN_MEM_RULE) {
        const struct tn_check_resource like = resource_of(event);
        const tarn_rule rule = tn_mem_event_rule(event);
        TN_PTHREAD_LOCKED(&lock);
        tn_check_ledger_rule(&ledger, TN_MEM_MEMORY, &like, &rule);
        tn_check_ledger_rule(&ledger, TN_MEM_PINNED, &like, &rule);
    }
    return event->kind == TN_MEM_REFUSED && judge_refused(event);
}

void tn_check_resource_fork_prepare(void) { (void)pthread_mutex_lock(&lock); }

void tn_check_resource_fork_done(bool child) {
    generation += child;
    (void)pthread_mutex_unlock(&lock);
}

void tn_check_resource_reset(void) {
    TN_PTHREAD_LOCKED(&lock);
    tn_store_relaxed(&missed, false);
    step = 0;
    tn_check_ledger_fini(&ledger);
    tn_check_ledger_fini(&objects);
}
