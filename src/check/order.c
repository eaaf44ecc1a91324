// SPDX-License-Identifier: Apache-2.0
// Each note is taken in under the lock, and leaves at most one finding, which is told afterwards.
#include "check/order.h"

#include <pthread.h>
#include <stdlib.h>

#include "check/actors.h"
#include "check/describe.h"
#include "check/handle_map.h"
#include "check/report.h"

// A block that is live.
struct block {
    uint64_t bytes;
    uint32_t *also; // the actors of TN_MEM_USED_ON, whom its end waits for
    uint32_t also_count;
    uint32_t next; // of the free ones
};

// What is to be told: the new access, and the old one that it has no order with.
struct finding {
    bool any;
    enum tn_check_kind kind;
    uint64_t lo;
    uint64_t hi;
    struct tn_check_touch old;
    struct tn_check_touch now;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;
static struct tn_check_actors actors;
static struct tn_check_shadow shadow; // accesses since the block began
static struct tn_check_shadow
    deaths; // of blocks freed in order of a stream, until the bytes live again
static struct tn_check_handle_map block_names; // by space and address
static struct block *blocks;
static uint32_t block_count;
static uint32_t block_capacity;
static uint32_t block_free = UINT32_MAX;

// What the host does is never looked back at: work that is given later comes after it, and work in
// flight is looked for when the host acts. So that needs no stack, and no place in the shadow.
static bool is_host(const struct tn_check_touch *touch) {
    return touch->moment.actor == TN_CHECK_ACTOR_HOST;
}

static struct tn_check_touch touch_of(const struct tn_mem_event *event, uint32_t actor,
                                      enum tn_check_touch_kind kind) {
    return (struct tn_check_touch){
        .moment = tn_check_clocks_tick(&actors.clocks, actor),
        .stream = event->stream,
        .name = event->name,
        .stack = actor == TN_CHECK_ACTOR_HOST ? 0 : tn_check_stack_capture(),
        .thread = tn_check_stack_thread(),
        .kind = kind,
    };
}

// ---- accesses

// What to look for among the touches of a range.
struct search {
    struct finding *finding;
    const struct tn_check_touch *now;
    const struct tn_check_point *also; // knowledge beside that of the actor; NULL: none
};

static bool is_ordered(const struct search *search, const struct tn_check_touch *old) {
    return tn_check_clocks_knows(&actors.clocks, search->now->moment.actor, old->moment) ||
           (search->also != NULL && tn_check_point_knows(search->also, old->moment));
}

static enum tn_check_kind kind_of(const struct tn_check_touch *old,
                                  const struct tn_check_touch *now) {
    if (old->kind == TN_CHECK_TOUCH_ALLOCATE) {
        return TN_CHECK_KIND_USE_BEFORE_EVENT;
    }
    return old->stream == 0 || now->stream == 0 ? TN_CHECK_KIND_HOST_RACE : TN_CHECK_KIND_COPY_RACE;
}

static bool record_finding(const struct search *search, enum tn_check_kind kind,
                           const struct tn_check_touch *old, uint64_t lo, uint64_t hi) {
    *search->finding = (struct finding){
        .any = true, .kind = kind, .lo = lo, .hi = hi, .old = *old, .now = *search->now};
    return false; // one is enough
}

static bool judge_access(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi) {
    const struct search *search = (const struct search *)arg;
    bool both_read = old->kind == TN_CHECK_TOUCH_READ && search->now->kind == TN_CHECK_TOUCH_READ;
    return both_read || is_ordered(search, old) ||
           record_finding(search, kind_of(old, search->now), old, lo, hi);
}

static void access_row(const struct tn_mem_event *event, const struct tn_check_touch *now,
                       uint64_t lo, struct finding *finding) {
    struct search search = {finding, now, NULL};
    uint64_t hi = lo + event->bytes;
    if (!finding->any) {
        tn_check_shadow_visit(&shadow, event->space, lo, hi, judge_access, &search);
    }
    if (is_host(now)) {
        return;
    }
    if (now->kind == TN_CHECK_TOUCH_WRITE) {
        tn_check_shadow_write(&shadow, event->space, lo, hi, now);
    } else {
        tn_check_shadow_read(&shadow, &actors.clocks, event->space, lo, hi, now);
    }
}

// Of a box with many rows so many stand for all, the first and the last among them: as everywhere
// here a race may be missed by that, and none is invented.
enum { ROWS = 256 };

// The i-th of `looks` rows out of so many.
static uint64_t nth_sampled_row(uint64_t i, uint64_t looks, uint64_t rows) {
    uint64_t gaps = looks - 1, last = rows - 1;
    return gaps == 0 ? 0 : i * (last / gaps) + i * (last % gaps) / gaps;
}

static void access_box(const struct tn_mem_event *event, struct finding *finding) {
    if (actors.stream_count == 0 && event->stream == 0) {
        return; // nobody but the host has done anything yet
    }
    const struct tn_check_touch now =
        touch_of(event, tn_check_actors_of(&actors, event),
                 (event->flags & TN_MEM_WRITE) != 0 ? TN_CHECK_TOUCH_WRITE : TN_CHECK_TOUCH_READ);
    uint64_t rows = event->height * event->depth;
    uint64_t looks = rows < ROWS ? rows : ROWS;
    for (uint64_t i = 0; i < looks; i++) {
        uint64_t row = nth_sampled_row(i, looks, rows);
        access_row(event, &now,
                   event->addr + row / event->height * event->slice_pitch +
                       row % event->height * event->pitch,
                   finding);
    }
}

// ---- blocks

static struct block *new_block(void) {
    uint32_t place = block_free;
    if (place != UINT32_MAX) {
        block_free = blocks[place].next;
    } else {
        if (block_count == block_capacity) {
            uint32_t more = block_capacity != 0 ? 2 * block_capacity : 256;
            struct block *grown = (struct block *)realloc(blocks, more * sizeof *grown);
            if (grown == NULL) {
                return NULL;
            }
            blocks = grown;
            block_capacity = more;
        }
        place = block_count++;
    }
    blocks[place] = (struct block){0};
    return &blocks[place];
}

static void drop_block(struct block *block) {
    free(block->also);
    block->also = NULL;
    block->next = block_free;
    block_free = (uint32_t)(block - blocks);
}

static struct block *find_block(const struct tn_mem_event *event) {
    uint32_t place;
    return tn_check_handle_map_find(&block_names, event->space, event->addr, &place)
               ? &blocks[place]
               : NULL;
}

static void remember_block(const struct tn_mem_event *event) {
    struct block *old = find_block(event);
    struct block *block = old != NULL ? old : new_block();
    if (block == NULL ||
        (old == NULL && !tn_check_handle_map_set(&block_names, event->space, event->addr,
                                                 (uint32_t)(block - blocks)))) {
        actors.clocks.failed = true;
        return;
    }
    block->bytes = event->bytes;
}

// The bytes are told to live again: whose free do they come from?
static bool judge_reuse(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi) {
    const struct search *search = (const struct search *)arg;
    return is_ordered(search, old) ||
           record_finding(search, TN_CHECK_KIND_REUSE_BEFORE_EVENT, old, lo, hi);
}

static void begin_block(const struct tn_mem_event *event, struct finding *finding) {
    uint64_t hi = event->addr + event->bytes;
    const struct tn_check_touch now =
        touch_of(event, tn_check_actors_of(&actors, event), TN_CHECK_TOUCH_ALLOCATE);
    struct search search = {finding, &now, NULL};
    tn_check_shadow_visit(&deaths, event->space, event->addr, hi, judge_reuse, &search);
    tn_check_shadow_forget(&deaths, event->space, event->addr, hi);
    if (event->stream != 0) {
        tn_check_shadow_write(&shadow, event->space, event->addr, hi, &now);
    } else {
        tn_check_shadow_forget(&shadow, event->space, event->addr, hi);
    }
    remember_block(event);
}

static void use_on(const struct tn_mem_event *event) {
    struct block *block = find_block(event);
    uint32_t *also = block == NULL
                         ? NULL
                         : (uint32_t *)realloc(block->also, (block->also_count + 1) * sizeof *also);
    if (also != NULL) {
        block->also = also;
        block->also[block->also_count++] = tn_check_actors_of(&actors, event);
    }
}

static bool judge_free(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi) {
    const struct search *search = (const struct search *)arg;
    return old->kind == TN_CHECK_TOUCH_ALLOCATE || is_ordered(search, old) ||
           record_finding(search, TN_CHECK_KIND_STREAM_USE_AFTER_FREE, old, lo, hi);
}

static void end_block(const struct tn_mem_event *event, struct finding *finding) {
    struct block *block = find_block(event);
    if (block == NULL) {
        return;
    }
    const struct tn_check_touch now =
        touch_of(event, tn_check_actors_of(&actors, event), TN_CHECK_TOUCH_WRITE);
    struct tn_check_point users = {0};
    for (uint32_t i = 0; i < block->also_count; i++) {
        tn_check_point_add(&actors.clocks, &users, block->also[i]);
    }
    struct search search = {finding, &now, &users};
    uint64_t hi = event->addr + block->bytes;
    tn_check_shadow_visit(&shadow, event->space, event->addr, hi, judge_free, &search);
    tn_check_shadow_forget(&shadow, event->space, event->addr, hi);
    if (event->stream != 0) {
        tn_check_shadow_write(&deaths, event->space, event->addr, hi, &now);
    }
    tn_check_point_fini(&users);
    (void)tn_check_handle_map_remove(&block_names, event->space, event->addr, NULL);
    drop_block(block);
}

// ---- heaps, mappings and plain memory

// Whose frees and accesses these were has no meaning for who gets the range next.
static void forget_range(const struct tn_mem_event *event) {
    uint64_t hi = event->addr + event->bytes;
    tn_check_shadow_forget(&shadow, event->space, event->addr, hi);
    tn_check_shadow_forget(&deaths, event->space, event->addr, hi);
}

static bool judge_in_flight(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi) {
    const struct search *search = (const struct search *)arg;
    return is_ordered(search, old) || record_finding(search, search->finding->kind, old, lo, hi);
}

static void end_resource(const struct tn_mem_event *event, struct finding *finding) {
    if (event->what != TN_MEM_MAPPING && event->what != TN_MEM_MEMORY) {
        return;
    }
    uint64_t hi = event->addr + event->bytes;
    if ((event->flags & TN_MEM_UNWAITED) != 0) {
        const struct tn_check_touch now =
            touch_of(event, TN_CHECK_ACTOR_HOST, TN_CHECK_TOUCH_WRITE);
        struct search search = {finding, &now, NULL};
        finding->kind = event->what == TN_MEM_MAPPING ? TN_CHECK_KIND_UNMAP_IN_FLIGHT
                                                      : TN_CHECK_KIND_FREE_IN_FLIGHT;
        tn_check_shadow_visit(&shadow, event->space, event->addr, hi, judge_in_flight, &search);
    }
    forget_range(event);
}

bool tn_check_order_in_flight(uint32_t space, uint64_t lo, uint64_t hi,
                              struct tn_check_touch *touch) {
    struct finding finding = {0};
    const struct tn_check_touch now = {.moment = {0, TN_CHECK_ACTOR_HOST}};
    struct search search = {&finding, &now, NULL};
    (void)pthread_mutex_lock(&lock);
    if (started && !actors.clocks.failed) {
        tn_check_shadow_visit(&shadow, space, lo, hi, judge_in_flight, &search);
    }
    (void)pthread_mutex_unlock(&lock);
    *touch = finding.old;
    return finding.any;
}

// ---- findings

static const char *verb_of(const struct tn_check_touch *touch) {
    return touch->kind == TN_CHECK_TOUCH_READ    ? "read"
           : touch->kind == TN_CHECK_TOUCH_WRITE ? "write"
                                                 : "use";
}

static const char *name_of(const struct tn_check_touch *touch, const char *otherwise) {
    return touch->name != NULL ? touch->name : otherwise;
}

static void begin_report(const struct finding *finding, struct tn_check_report *report) {
    unsigned long long bytes = finding->hi - finding->lo;
    unsigned long long addr = finding->lo;
    const struct tn_check_touch *old = &finding->old;
    const struct tn_check_touch *now = &finding->now;
    unsigned long long there = old->stream;
    unsigned long long here = now->stream;
    switch (finding->kind) {
    case TN_CHECK_KIND_USE_BEFORE_EVENT:
        tn_check_report_begin(
            report, finding->kind, "access",
            "%s of %llu byte(s) at 0x%llx by %s on stream 0x%llx, allocated in order "
            "of stream 0x%llx",
            verb_of(now), bytes, addr, name_of(now, "the program"), here, there);
        break;
    case TN_CHECK_KIND_STREAM_USE_AFTER_FREE:
        tn_check_report_begin(report, finding->kind, "freed",
                              "free in order of stream 0x%llx of %llu byte(s) at 0x%llx that %s on "
                              "stream 0x%llx may still %s",
                              here, bytes, addr, name_of(old, "work"), there, verb_of(old));
        break;
    case TN_CHECK_KIND_REUSE_BEFORE_EVENT:
        tn_check_report_begin(
            report, finding->kind, "allocated",
            "%llu byte(s) at 0x%llx given to stream 0x%llx, freed in order of stream "
            "0x%llx",
            bytes, addr, here, there);
        break;
    case TN_CHECK_KIND_UNMAP_IN_FLIGHT:
    case TN_CHECK_KIND_FREE_IN_FLIGHT:
        tn_check_report_begin(report, finding->kind,
                              finding->kind == TN_CHECK_KIND_UNMAP_IN_FLIGHT ? "unmapped" : "freed",
                              "%llu byte(s) at 0x%llx that %s on stream 0x%llx may still %s", bytes,
                              addr, name_of(old, "work"), there, verb_of(old));
        break;
    default:
        tn_check_report_begin(
            report, finding->kind, "access",
            "%s of %llu byte(s) at 0x%llx by %s on stream 0x%llx is unordered with the "
            "%s by %s on stream 0x%llx",
            verb_of(now), bytes, addr, name_of(now, "the program"), here, verb_of(old),
            name_of(old, "the program"), there);
        break;
    }
}

static void report_race(const struct finding *finding, const struct tn_mem_event *event) {
    struct tn_check_report report;
    begin_report(finding, &report);
    report.access = verb_of(&finding->now);
    report.addr = finding->lo;
    report.bytes = finding->hi - finding->lo;
    report.device = event->device;
    bool death = finding->kind == TN_CHECK_KIND_REUSE_BEFORE_EVENT;
    bool birth = finding->kind == TN_CHECK_KIND_USE_BEFORE_EVENT;
    tn_check_report_add_stack(&report,
                              death   ? "freed"
                              : birth ? "allocated"
                                      : "earlier access",
                              finding->old.thread, finding->old.stack);
    tn_check_describe_place(&report, event->space, finding->lo);
    tn_check_report_end(&report);
}

static void report_empty_wait(const struct tn_mem_event *event) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_WAIT_WITHOUT_RECORD, "wait",
                          "stream 0x%llx waits for event 0x%llx, which was never recorded",
                          (unsigned long long)event->stream, (unsigned long long)event->object);
    tn_check_report_end(&report);
}

// ---- notes

static void apply_event(const struct tn_mem_event *event, struct finding *finding) {
    switch (event->kind) {
    case TN_MEM_ACCESS:
        access_box(event, finding);
        break;
    case TN_MEM_HEAP_BEGIN:
    case TN_MEM_HEAP_END:
        forget_range(event);
        break;
    case TN_MEM_REGION_BEGIN:
        begin_block(event, finding);
        break;
    case TN_MEM_REGION_END:
        end_block(event, finding);
        break;
    case TN_MEM_USED_ON:
        use_on(event);
        break;
    case TN_MEM_RESOURCE_END:
        end_resource(event, finding);
        break;
    default:
        break;
    }
}

static bool is_of_interest(const struct tn_mem_event *event) {
    switch (event->kind) {
    case TN_MEM_HEAP_BEGIN:
    case TN_MEM_HEAP_END:
    case TN_MEM_REGION_BEGIN:
    case TN_MEM_REGION_END:
    case TN_MEM_USED_ON:
    case TN_MEM_ACCESS:
    case TN_MEM_RESOURCE_END:
        return true;
    default:
        return event->kind >= TN_MEM_STREAM_BEGIN && event->kind <= TN_MEM_CALL_END;
    }
}

void tn_check_order_event(const struct tn_mem_event *event) {
    if (!is_of_interest(event)) {
        return;
    }
    struct finding finding = {0};
    bool good = true;
    (void)pthread_mutex_lock(&lock);
    if (!started) {
        started = true;
        (void)tn_check_actors_init(&actors);
    }
    if (!actors.clocks.failed) {
        good = tn_check_actors_event(&actors, event);
        apply_event(event, &finding);
    }
    // With knowledge missing, what looks unordered may not be.
    finding.any = finding.any && !actors.clocks.failed;
    (void)pthread_mutex_unlock(&lock);
    if (finding.any) {
        report_race(&finding, event);
    }
    if (!good) {
        report_empty_wait(event);
    }
}

void tn_check_order_fork_prepare(void) {
    (void)pthread_mutex_lock(&lock);
}

void tn_check_order_fork_done(void) {
    (void)pthread_mutex_unlock(&lock);
}

void tn_check_order_reset(void) {
    (void)pthread_mutex_lock(&lock);
    if (started) {
        tn_check_actors_fini(&actors);
    }
    started = false;
    tn_check_shadow_fini(&shadow);
    tn_check_shadow_fini(&deaths);
    for (uint32_t i = 0; i < block_count; i++) {
        free(blocks[i].also);
    }
    free(blocks);
    blocks = NULL;
    block_count = block_capacity = 0;
    block_free = UINT32_MAX;
    tn_check_handle_map_fini(&block_names);
    (void)pthread_mutex_unlock(&lock);
}
