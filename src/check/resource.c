// SPDX-License-Identifier: Apache-2.0
#include "check/resource.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/ledger.h"
#include "check/order.h"
#include "check/report.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_check_ledger books;
static struct tn_check_handle_map
    mapped; // how often a handle is mapped, from the second time on worth a look

// What each kind is called, and the calls that end it.
static const struct {
    const char *name;
    const char *ends[3];
} kinds[] = {
    [TN_MEM_MEMORY] = {"block of device memory",
                       {"tarn_memory_free", "tarn_memory_free", "tarn_memory_close"}},
    [TN_MEM_PINNED] = {"block of pinned memory", {"tarn_host_free"}},
    [TN_MEM_REGISTERED] = {"registration of host memory", {"tarn_host_unregister"}},
    [TN_MEM_RESERVATION] = {"reservation", {"tarn_space_release"}},
    [TN_MEM_PHYS] = {"handle of physical memory", {"tarn_phys_release"}},
    [TN_MEM_MAPPING] = {"mapping", {"tarn_unmap"}},
    [TN_MEM_EXPORT] = {"exported descriptor", {"tarn_shareable_close"}},
    [TN_MEM_POOL] = {"pool", {"tarn_pool_destroy"}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct tn_check_resource resource_of(const struct tn_mem_event *event) {
    return (struct tn_check_resource){
        .what = event->what,
        .owned = (event->flags & TN_MEM_OWNED) != 0,
        .device = event->device,
        .space = event->space,
        .image = event->image,
        .addr = event->addr,
        .bytes = event->bytes,
        .object = event->object,
    };
}

// ---- beginnings and ends

// Counts a mapping of a handle, or one less.
static void count_mapping(const struct tn_check_resource *mapping, bool more) {
    uint32_t count = 0;
    (void)tn_check_handle_map_find(&mapped, mapping->image, mapping->object, &count);
    count = more ? count + 1 : count - 1;
    if (count == 0) {
        (void)tn_check_handle_map_remove(&mapped, mapping->image, mapping->object, NULL);
    } else {
        (void)tn_check_handle_map_set(&mapped, mapping->image, mapping->object, count);
    }
}

// A range that is unmapped is a run of whole mappings.
static void end_mappings(struct tn_check_resource *range) {
    uint64_t end = range->addr + range->bytes;
    const struct tn_check_resource *live = tn_check_ledger_find_live(&books, TN_MEM_MAPPING, range);
    while (live != NULL) {
        uint64_t next = live->addr + live->bytes;
        count_mapping(live, false);
        (void)tn_check_ledger_end(&books, range);
        range->addr = next;
        live = next < end ? tn_check_ledger_find_live(&books, TN_MEM_MAPPING, range) : NULL;
    }
}

// 0: nothing is open under that number.
static uint64_t inode_of(uint64_t descriptor) {
    struct stat stat;
    return fstat((int)descriptor, &stat) == 0 ? stat.st_ino : 0;
}

static void begin_resource(const struct tn_mem_event *event) {
    struct tn_check_resource resource = resource_of(event);
    resource.inode = event->what == TN_MEM_EXPORT ? inode_of(event->object) : 0;
    resource.began = tn_check_stack_capture();
    resource.began_thread = tn_check_stack_thread();
    (void)pthread_mutex_lock(&lock);
    tn_check_ledger_begin(&books, &resource);
    if (event->what == TN_MEM_MAPPING) {
        count_mapping(&resource, true);
    }
    (void)pthread_mutex_unlock(&lock);
}

static void end_resource(const struct tn_mem_event *event) {
    struct tn_check_resource resource = resource_of(event);
    resource.ended = tn_check_stack_capture();
    resource.ended_thread = tn_check_stack_thread();
    (void)pthread_mutex_lock(&lock);
    if (event->what == TN_MEM_MAPPING) {
        end_mappings(&resource);
    } else {
        (void)tn_check_ledger_end(&books, &resource);
    }
    (void)pthread_mutex_unlock(&lock);
}

// Another mapping of the handle that the note maps. False: there is none.
static bool find_other_mapping(const struct tn_mem_event *event, struct tn_check_resource *found) {
    bool any = false;
    uint32_t count = 0;
    (void)pthread_mutex_lock(&lock);
    (void)tn_check_handle_map_find(&mapped, event->image, event->object, &count);
    for (uint32_t i = 0; count > 1 && i < books.count && !any; i++) {
        const struct tn_check_resource *at = &books.live[i];
        any = at->what == TN_MEM_MAPPING && at->object == event->object &&
              at->image == event->image && at->addr != event->addr;
        *found = *at;
    }
    (void)pthread_mutex_unlock(&lock);
    return any;
}

// Memory gets a second address while queued work uses it through the first: no checker, and no
// reader, can tell any more who touches what.
static void check_second_mapping(const struct tn_mem_event *event) {
    struct tn_check_resource other;
    struct tn_check_touch touch;
    if (!find_other_mapping(event, &other) ||
        !tn_check_order_in_flight(other.space, other.addr, other.addr + other.bytes, &touch)) {
        return;
    }
    struct tn_check_report report;
    tn_check_report_begin(
        &report, TN_CHECK_KIND_MAP_WHILE_IN_USE, "mapped",
        "%llu byte(s) at 0x%llx, mapped at 0x%llx as well, where %s on stream 0x%llx "
        "may still run",
        (unsigned long long)event->bytes, (unsigned long long)event->addr,
        (unsigned long long)other.addr, touch.name != NULL ? touch.name : "work",
        (unsigned long long)touch.stream);
    report.addr = event->addr;
    report.bytes = event->bytes;
    report.device = event->device;
    tn_check_report_add_stack(&report, "access", touch.thread, touch.stack);
    tn_check_report_end(&report);
}

// ---- refusals

static bool call_ends(uint16_t what, const char *call) {
    for (unsigned i = 0; i < 3 && kinds[what].ends[i] != NULL; i++) {
        if (strcmp(kinds[what].ends[i], call) == 0) {
            return true;
        }
    }
    return false;
}

// The kind that a call ends; 0: it ends nothing.
static uint16_t kind_ended_by(const char *call) {
    uint16_t what = 1;
    while (what < KINDS && !call_ends(what, call)) {
        what++;
    }
    return what < KINDS ? what : 0;
}

// The live resource of another kind that begins there.
static bool find_other(const struct tn_check_resource *like, uint16_t meant,
                       struct tn_check_resource *found) {
    for (uint16_t what = 1; what < KINDS; what++) {
        const struct tn_check_resource *live =
            what == meant || what == TN_MEM_EXPORT || what == TN_MEM_POOL
                ? NULL
                : tn_check_ledger_find_live(&books, what, like);
        // A mapping begins where its reservation does; the reservation is what was meant.
        if (live != NULL && what != TN_MEM_PHYS) {
            *found = *live;
            return true;
        }
    }
    return false;
}

static void report_wrong_family(const struct tn_mem_event *event,
                                const struct tn_check_resource *is) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_WRONG_FAMILY_FREE, "freed",
                          "%s of 0x%llx, which is a %s of %llu byte(s)", event->name,
                          (unsigned long long)event->addr, kinds[is->what].name,
                          (unsigned long long)is->bytes);
    report.addr = event->addr;
    report.bytes = is->bytes;
    report.device = is->device;
    tn_check_report_add_stack(&report, "allocated", is->began_thread, is->began);
    tn_check_report_end(&report);
}

static void report_double_free(const struct tn_mem_event *event,
                               const struct tn_check_resource *was) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_DOUBLE_FREE, "freed",
                          "%s of 0x%llx again, a %s of %llu byte(s)", event->name,
                          (unsigned long long)(event->addr != 0 ? event->addr : event->object),
                          kinds[was->what].name, (unsigned long long)was->bytes);
    report.addr = event->addr;
    report.bytes = was->bytes;
    report.device = was->device;
    tn_check_report_add_stack(&report, "allocated", was->began_thread, was->began);
    tn_check_report_add_stack(&report, "first freed", was->ended_thread, was->ended);
    tn_check_report_end(&report);
}

static bool report_refused(const struct tn_mem_event *event) {
    uint16_t meant = event->name != NULL ? kind_ended_by(event->name) : 0; // 0: any
    struct tn_check_resource found;
    const struct tn_check_resource like = resource_of(event);
    if (meant == 0 && event->what != TN_MEM_ANYTHING) {
        return false;
    }
    (void)pthread_mutex_lock(&lock);
    bool other = find_other(&like, meant, &found);
    const struct tn_check_resource *ended =
        other ? NULL : tn_check_ledger_find_ended(&books, meant, &like);
    if (ended != NULL) {
        found = *ended;
    }
    (void)pthread_mutex_unlock(&lock);
    if (other) {
        report_wrong_family(event, &found);
    } else if (ended != NULL) {
        report_double_free(event, &found);
    }
    return other || ended != NULL;
}

// ---- the end of the program

struct group {
    uint16_t what;
    tn_check_stack_id began;
    int32_t device;
    uint32_t thread;
    uint64_t count;
    uint64_t bytes;
    uint64_t addr;
};

static int by_place(const void *a, const void *b) {
    const struct group *one = (const struct group *)a;
    const struct group *other = (const struct group *)b;
    if (one->what != other->what) {
        return one->what < other->what ? -1 : 1;
    }
    return one->began < other->began ? -1 : one->began > other->began;
}

// A pool may live as long as the process: what it leaks is its regions. A descriptor is closed by
// the system's call, which nobody tells; its number may be somebody else's by now.
static bool is_leaked(const struct tn_check_resource *at) {
    switch (at->what) {
    case 0:
    case TN_MEM_POOL:
        return false;
    case TN_MEM_EXPORT:
        return at->inode != 0 && inode_of(at->object) == at->inode;
    default:
        return !at->owned;
    }
}

// The live ones as groups of one, sorted, then joined. Returns how many groups.
static uint32_t gather_leaks(struct group *groups) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < books.count; i++) {
        const struct tn_check_resource *at = &books.live[i];
        if (is_leaked(at)) {
            groups[count++] = (struct group){at->what, at->began, at->device, at->began_thread,
                                             1,        at->bytes, at->addr};
        }
    }
    qsort(groups, count, sizeof *groups, by_place);
    uint32_t last = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (by_place(&groups[last], &groups[i]) == 0) {
            groups[last].count++;
            groups[last].bytes += groups[i].bytes;
        } else {
            groups[++last] = groups[i];
        }
    }
    return count == 0 ? 0 : last + 1;
}

static void report_leak(const struct group *group) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_RESOURCE_LEAK, "",
                          "%llu %s%s of %llu byte(s) in all", (unsigned long long)group->count,
                          kinds[group->what].name, group->count == 1 ? "" : "s",
                          (unsigned long long)group->bytes);
    report.addr = group->addr;
    report.bytes = group->bytes;
    report.device = group->device;
    tn_check_report_add_stack(&report, "allocated", group->thread, group->began);
    tn_check_report_end(&report);
}

uint64_t tn_check_resource_leaks(void) {
    (void)pthread_mutex_lock(&lock);
    struct group *groups =
        books.count != 0 ? (struct group *)calloc(books.count, sizeof *groups) : NULL;
    uint32_t count = groups != NULL ? gather_leaks(groups) : 0;
    (void)pthread_mutex_unlock(&lock);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        report_leak(&groups[i]);
        tn_check_report_count_leak(groups[i].bytes, groups[i].count);
        bytes += groups[i].bytes;
    }
    free(groups);
    return bytes;
}

// ---- notes

bool tn_check_resource_event(const struct tn_mem_event *event) {
    bool known = event->what != 0 && event->what < KINDS;
    switch (event->kind) {
    case TN_MEM_RESOURCE_BEGIN:
        if (known) {
            begin_resource(event);
        }
        if (event->what == TN_MEM_MAPPING) {
            check_second_mapping(event);
        }
        return false;
    case TN_MEM_RESOURCE_END:
        if (known) {
            end_resource(event);
        }
        return false;
    case TN_MEM_REFUSED:
        return report_refused(event);
    default:
        return false;
    }
}

void tn_check_resource_fork_prepare(void) {
    (void)pthread_mutex_lock(&lock);
}

void tn_check_resource_fork_done(void) {
    (void)pthread_mutex_unlock(&lock);
}

void tn_check_resource_reset(void) {
    (void)pthread_mutex_lock(&lock);
    tn_check_ledger_fini(&books);
    tn_check_handle_map_fini(&mapped);
    (void)pthread_mutex_unlock(&lock);
}
