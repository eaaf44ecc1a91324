// SPDX-License-Identifier: Apache-2.0
// The order of work. Each event is applied under the lock and leaves at most one finding, which is
// reported after the lock is released. See order.h.
#include "check/order/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/face.h>

#include "annotate/watch.h"
#include "check/describe.h"
#include "check/order/actors.h"
#include "check/order/arguments.h"
#include "check/order/titles.h"
#include "check/order/unordered.h"

// The streams of tarn_pool_used_on(); the end of the block waits for them.
struct users {
    uint32_t *actors;
    uint32_t count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;
static _Atomic bool any_work; // a stream was seen; before that the host alone acts, in order
static struct tn_check_actors actors;
static struct tn_check_names names;
_Atomic bool tn_check_order_has_names;
static struct tn_check_shadow shadow = {.names = &names}; // accesses since their block began
static struct tn_check_shadow frees = {.names = &names};  // frees in order of a stream, until reuse
// Blocks that the program freed on other streams than their own, while functions were submitted.
static struct tn_check_shadow frees_on = {.names = &names};
static struct tn_check_arguments arguments;
static struct tn_check_titles titles;
static struct tn_check_seen seen;

static struct tn_check_repeats repeats;
static struct tn_check_handle_map user_index; // from space and address to indexes in `users`
static struct tn_check_table users;           // of struct users, of live blocks

// An access by the host is judged and not recorded. Later work comes after it, and work in flight is
// found when the host acts. So it needs no stack and no cell. A function that has been submitted may
// access the same bytes later, and then it needs both.
static bool is_recorded(const struct tn_check_act *act) {
    return act->moment.actor != TN_CHECK_ACTOR_HOST || tn_check_functions_pend(&actors.functions);
}

static struct tn_check_touch touch_of(const struct tn_mem_event *event,
                                      enum tn_check_touch_kind kind, struct tn_check_act *act) {
    *act = tn_check_actors_act(&actors, event);
    return (struct tn_check_touch){
        .moment = act->moment,
        .stream = event->stream,
        .name = tn_mem_event_function(event),
        .stack = is_recorded(act) ? tn_stack_capture() : 0,
        .thread = tn_stack_thread(),
        .kind = kind,
    };
}

// ---- accesses

// A search for an old access that is not ordered before a new one.
struct search {
    struct tn_check_unordered *finding;
    const struct tn_check_touch *now;
    struct tn_check_act act;
    enum tn_check_kind kind; // judge_order(): of the finding
    bool hidden;             // judge_access(): by a write that comes behind the new access
};

static struct search make_search(struct tn_check_unordered *finding,
                                 const struct tn_check_touch *now, const struct tn_check_act *act,
                                 enum tn_check_kind kind) {
    return (struct search){finding, now, *act, kind, false};
}

// Returns true if the old access belongs to work that was submitted behind the function in which
// the new one happens.
static bool comes_behind(const struct search *search, const struct tn_check_touch *old) {
    return search->act.function != NULL &&
           tn_check_function_precedes(search->act.function, &actors.clocks, old->moment);
}

// Returns true if the old access may be ordered before the new one, or comes behind it.
static bool may_precede(const struct search *search, const struct tn_check_touch *old) {
    return tn_check_point_knows(search->act.before, old->moment) || comes_behind(search, old) ||
           tn_check_clocks_may_precede(&actors.clocks, old->moment, search->act.before);
}

// Returns true if one of them may be ordered before the other.
static bool may_be_ordered(const struct search *search, const struct tn_check_touch *old) {
    return tn_check_point_knows(search->act.before, old->moment) || comes_behind(search, old) ||
           tn_check_clocks_may_order(old->moment, search->act.before);
}

static bool record_finding(const struct search *search, enum tn_check_kind kind,
                           const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                           uint64_t was) {
    *search->finding = (struct tn_check_unordered){.any = true,
                                                   .kind = kind,
                                                   .lo = lo,
                                                   .hi = hi,
                                                   .was = was,
                                                   .old = *old,
                                                   .now = *search->now};
    return false; // one race is enough
}

// The rule for accesses, frees and ends of resources that must come after the old access.
static bool judge_order(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                        uint64_t was) {
    const struct search *search = arg;
    return may_precede(search, old) || record_finding(search, search->kind, old, lo, hi, was);
}

// The rule for the end of a name. Other names do not end, and are not given away.
static bool judge_name(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                       uint64_t was) {
    return lo != was || judge_order(arg, old, lo, hi, was);
}

// The rule for a new block, which must come after the work before the free of its bytes. The free is no
// work: it follows that work at once. Without any work before it, there may be some that no event shows.
static bool judge_reuse(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                        uint64_t was) {
    const struct search *search = arg;
    struct tn_check_touch work = *old;
    work.moment.time -= old->kind != TN_CHECK_TOUCH_FREE_SHARED && work.moment.time > 1;
    return may_precede(search, &work) || judge_name(arg, old, lo, hi, was);
}

// The rule for uses and frees in order of a stream, which must come after the allocation, too.
static bool judge_use(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                      uint64_t was) {
    const struct search *search = arg;
    enum tn_check_kind kind =
        old->kind == TN_CHECK_TOUCH_ALLOCATE ? TN_CHECK_KIND_USE_BEFORE_EVENT : search->kind;
    return may_precede(search, old) || record_finding(search, kind, old, lo, hi, was);
}

// The bytes, or some of them, are in no block.
static bool judge_ended(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                        uint64_t was) {
    bool *live = arg;
    (void)old, (void)lo, (void)hi, (void)was;
    return *live = false;
}

static bool judge_access(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                         uint64_t was) {
    struct search *search = arg;
    bool both_read = old->kind == TN_CHECK_TOUCH_READ && search->now->kind == TN_CHECK_TOUCH_READ;
    bool both_atomic = old->atomic && search->now->atomic;
    bool allocates = old->kind == TN_CHECK_TOUCH_ALLOCATE;
    enum tn_check_kind kind = allocates ? TN_CHECK_KIND_USE_BEFORE_EVENT
                              : old->stream == 0 || search->now->stream == 0
                                  ? TN_CHECK_KIND_HOST_RACE
                                  : TN_CHECK_KIND_COPY_RACE;
    search->hidden =
        search->hidden || (old->kind == TN_CHECK_TOUCH_WRITE && comes_behind(search, old));
    return both_read || both_atomic ||
           (allocates ? lo != was || may_precede(search, old) : may_be_ordered(search, old)) ||
           record_finding(search, kind, old, lo, hi, was);
}

// ---- the watch

static struct tn_mem_watch watch;
static bool watched;     // an image reads it
static bool watched_any; // it is not empty

static void watch_name(void *arg, uint32_t space, uint64_t lo, uint64_t hi) {
    (void)arg;
    if (space == 0) tn_mem_watch_add(&watch, lo, hi);
}

// Adds the pages of an access by work, by each of their addresses.
static void watch_bytes(uint32_t space, uint64_t lo, uint64_t hi) {
    if (!watched || lo >= hi) return;
    watched_any = true;
    tn_check_names_visit(&names, space, lo, hi, watch_name, NULL);
}

void tn_check_order_watch(const struct tn_mem_event *event) {
    TN_PTHREAD_LOCKED(&lock);
    watched = seen.host = true;
    watched_any = started && !tn_check_actors_know_all(&actors);
    if (watched_any) tn_mem_watch_add(&watch, 0, UINT64_MAX);
    *(const struct tn_mem_watch **)(uintptr_t)event->object = &watch;
}

// ---- accesses

// A function may run between the check of a free on another stream and the end of the block, for which the
// pool waits. Behind the end, the access is one to memory that is free: see check/access.c.
static void judge_frees(uint32_t space, uint64_t lo, uint64_t hi, struct search search) {
    bool live = true;
    search.kind = TN_CHECK_KIND_STREAM_USE_AFTER_FREE;
    tn_check_shadow_visit(&frees, space, lo, hi, judge_ended, &live);
    if (live) tn_check_shadow_visit(&frees_on, space, lo, hi, judge_order, &search);
}

// An access before the last write is not recorded: its races with later work are races of that write.
static void access_row(uint32_t space, uint64_t lo, uint64_t hi, const struct tn_check_touch *now,
                       const struct tn_check_act *act, bool recorded,
                       struct tn_check_unordered *finding) {
    struct search search = make_search(finding, now, act, TN_CHECK_KIND_COPY_RACE);
    if (!finding->any) tn_check_shadow_visit(&shadow, space, lo, hi, judge_access, &search);
    if (!finding->any && act->function != NULL) judge_frees(space, lo, hi, search);
    if (recorded && !search.hidden) {
        if (now->kind == TN_CHECK_TOUCH_WRITE && !now->atomic)
            tn_check_shadow_write(&shadow, space, lo, hi, now);
        else
            tn_check_shadow_read(&shadow, act->before, space, lo, hi, now);
        if (now->moment.actor != TN_CHECK_ACTOR_HOST) watch_bytes(space, lo, hi);
    }
}

// ---- arguments of kernels

// A write of a complete block races with a kernel that has the block as an argument, whichever bytes
// the kernel accesses.
static bool judge_argument(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                           uint64_t was) {
    const struct search *search = arg;
    return old->kind == TN_CHECK_TOUCH_WATCHED || may_be_ordered(search, old) ||
           record_finding(search, search->kind, old, lo, hi, was);
}

// A visit of the arguments that lie in a range, by each of its names.
struct argument_visit {
    tn_check_shadow_visitor *judge;
    struct search *search;
};

static void visit_name(void *arg, uint32_t space, uint64_t lo, uint64_t hi) {
    const struct argument_visit *visit = arg;
    if (!visit->search->finding->any)
        tn_check_arguments_visit(&arguments, space, lo, hi, visit->judge, visit->search);
}

static void judge_arguments(const struct tn_mem_event *event, tn_check_shadow_visitor *judge,
                            struct search *search) {
    struct argument_visit visit = {judge, search};
    tn_check_names_visit(&names, event->space, event->addr, event->addr + event->bytes, visit_name,
                         &visit);
}

struct block_search {
    struct search search; // first member
    uint64_t lo;
    uint64_t hi;
};

// The kernel may use the block, and replaces none of it for certain.
static bool judge_replaced(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                           uint64_t was) {
    const struct block_search *block = arg;
    bool complete = lo == block->lo && hi == block->hi;
    if (old->kind == TN_CHECK_TOUCH_ALLOCATE) return judge_use(arg, old, lo, hi, was);
    return old->kind != TN_CHECK_TOUCH_WRITE || !complete || judge_argument(arg, old, lo, hi, was);
}

static void use_argument(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    if (event->bytes == 0) return; // in no block
    bool reports = (event->flags & TN_MEM_SEEN) != 0;
    struct tn_check_act act;
    const struct tn_check_touch now =
        touch_of(event, reports ? TN_CHECK_TOUCH_WATCHED : TN_CHECK_TOUCH_NONE, &act);
    uint64_t hi = event->addr + event->bytes;
    struct block_search block = {
        make_search(finding, &now, &act, TN_CHECK_KIND_OVERLAPPING_WRITERS), event->addr, hi};
    if (!reports)
        tn_check_shadow_visit(&shadow, event->space, event->addr, hi, judge_replaced, &block);
    tn_check_arguments_add(&arguments, event->space, event->addr, hi, &now);
}

// ---- boxes

// A box with more rows is sampled, always with its first and last row. A race in another row may be
// missed.
enum { SAMPLED_ROWS = 256 };

// Returns the row of sample `i`, if `samples` are spread over `rows`. Does not overflow.
static uint64_t sampled_row(uint64_t i, uint64_t samples, uint64_t rows) {
    uint64_t gaps = samples - 1, last = rows - 1;
    return gaps == 0 ? 0 : i * (last / gaps) + i * (last % gaps) / gaps;
}

static void access_box(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    struct tn_check_act act;
    const struct tn_check_touch now = touch_of(
        event, (event->flags & TN_MEM_WRITE) != 0 ? TN_CHECK_TOUCH_WRITE : TN_CHECK_TOUCH_READ,
        &act);
    uint64_t rows = event->height * event->depth;
    uint64_t samples = rows < SAMPLED_ROWS ? rows : SAMPLED_ROWS;
    if (rows == 1 && now.kind == TN_CHECK_TOUCH_WRITE) {
        struct search search = make_search(finding, &now, &act, TN_CHECK_KIND_OVERLAPPING_WRITERS);
        judge_arguments(event, judge_argument, &search);
    }
    for (uint64_t i = 0; i < samples; i++) {
        uint64_t row = sampled_row(i, samples, rows);
        uint64_t lo = event->addr + row / event->height * event->slice_pitch +
                      row % event->height * event->pitch;
        access_row(event->space, lo, lo + event->bytes, &now, &act, is_recorded(&act), finding);
    }
}

// ---- instructions

// Atomic writes that an atomic read may have observed.
struct observation {
    const struct tn_check_act *act;
    uint32_t actors[TN_CHECK_SHADOW_READS];
    unsigned count;
};

static bool observe(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                    uint64_t was) {
    struct observation *found = arg;
    (void)lo, (void)hi, (void)was;
    if (old->kind == TN_CHECK_TOUCH_WRITE && old->atomic &&
        !tn_check_point_knows(found->act->before, old->moment) &&
        found->count < TN_CHECK_SHADOW_READS)
        found->actors[found->count++] = old->moment.actor;
    return true;
}

// Programs may synchronise by a value in memory. The checker does not see the value, so a read counts as
// one of the value that other work wrote.
static void acquire(const struct tn_check_act *act, uint64_t lo, uint64_t hi) {
    struct observation found = {.act = act};
    tn_check_shadow_visit(&shadow, 0, lo, hi, observe, &found);
    for (unsigned i = 0; i < found.count; i++)
        tn_check_actors_acquire(&actors, act, found.actors[i]);
}

// The arguments of a function that has run.
struct unwatched {
    const struct tn_check_act *act;
    struct tn_check_unordered *finding;
};

static void judge_unwatched(void *arg, const struct tn_check_touch *touch, uint32_t space,
                            uint64_t lo, uint64_t hi) {
    const struct unwatched *of = arg;
    struct block_search block = {
        make_search(of->finding, touch, of->act, TN_CHECK_KIND_OVERLAPPING_WRITERS), lo, hi};
    if (!of->finding->any) tn_check_shadow_visit(&shadow, space, lo, hi, judge_replaced, &block);
}

static void use_footprint(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    const tarn_check_range *ranges = (const tarn_check_range *)(uintptr_t)event->object;
    const struct tn_check_act act = tn_check_actors_act(&actors, event);
    if (ranges == NULL) {
        struct unwatched unwatched = {&act, finding};
        *(event->bytes == 0 ? &seen.unreported : &seen.unknown) += 1;
        if (act.function != NULL)
            tn_check_arguments_unwatch(&arguments, act.moment.actor, act.moment.time,
                                       judge_unwatched, &unwatched);
        return;
    }
    struct tn_check_touch now = {.moment = act.moment, .name = event->name};
    if (act.function != NULL) {
        now.stream = act.function->stream;
        now.stack = act.function->stack;
        now.thread = act.function->thread;
    }
    seen.known++;
    tn_check_arguments_forget_watched(&arguments, now.moment.actor, now.moment.time);
    bool polls = false;
    for (uint64_t i = 0; i < event->bytes; i++) {
        if (ranges[i].how != (TARN_CHECK_READ | TARN_CHECK_ATOMIC)) continue;
        acquire(&act, ranges[i].addr, ranges[i].addr + ranges[i].bytes);
        polls = true;
    }
    for (uint64_t i = 0; i < event->bytes; i++) {
        now.kind =
            (ranges[i].how & TARN_CHECK_WRITE) != 0 ? TN_CHECK_TOUCH_WRITE : TN_CHECK_TOUCH_READ;
        now.atomic = (ranges[i].how & TARN_CHECK_ATOMIC) != 0;
        access_row(0, ranges[i].addr, ranges[i].addr + ranges[i].bytes, &now, &act, true, finding);
    }
    // The program may have let it go on by a value, and have observed its answer before this event.
    if (polls) tn_check_clocks_learn(&actors.clocks, TN_CHECK_ACTOR_HOST, now.moment.actor);
}

static void access_by_host(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    const struct tn_check_act act = tn_check_actors_act(&actors, event);
    const struct tn_check_touch now = {
        .moment = act.moment,
        .thread = tn_stack_thread(),
        .kind = (event->flags & TN_MEM_WRITE) != 0 ? TN_CHECK_TOUCH_WRITE : TN_CHECK_TOUCH_READ,
        .atomic = (event->flags & TN_MEM_ATOMIC) != 0};
    uint64_t hi = event->addr + event->bytes;
    if (now.atomic) acquire(&act, event->addr, hi);
    // The host's own instructions are seen in part only, so no order can be read off them later.
    access_row(event->space, event->addr, hi, &now, &act, act.function != NULL, finding);
    if (finding->any && tn_check_unordered_repeats(&repeats, event->object, finding))
        finding->any = false;
}

// ---- blocks

static struct users *users_at(uint32_t place) { return (struct users *)users.records + place; }

static void forget_users(const struct tn_mem_event *event) {
    uint32_t place;
    if (tn_check_handle_map_remove(&user_index, event->space, event->addr, &place)) {
        free(users_at(place)->actors);
        users_at(place)->actors = NULL;
        tn_check_table_remove(&users, place);
    }
}

// Returns NULL if out of memory.
static struct users *make_users(const struct tn_mem_event *event) {
    uint32_t place;
    if (tn_check_handle_map_find(&user_index, event->space, event->addr, &place))
        return users_at(place);
    if (!tn_check_table_add(&users, sizeof(struct users), &place)) return NULL;
    if (!tn_check_handle_map_set(&user_index, event->space, event->addr, place)) {
        tn_check_table_remove(&users, place);
        return NULL;
    }
    return users_at(place);
}

// The bytes [lo, hi) come to a block.
static void begin_bytes(const struct tn_mem_event *event, uint64_t lo, uint64_t hi,
                        struct tn_check_unordered *finding) {
    struct tn_check_act act;
    const struct tn_check_touch now = touch_of(event, TN_CHECK_TOUCH_ALLOCATE, &act);
    struct search search = make_search(finding, &now, &act, TN_CHECK_KIND_REUSE_BEFORE_EVENT);
    tn_check_shadow_visit(&frees, event->space, lo, hi, judge_reuse, &search);
    tn_check_shadow_forget(&frees, event->space, lo, hi);
    tn_check_shadow_forget(&frees_on, event->space, lo, hi);
    tn_check_arguments_forget(&arguments, event->space, lo, hi);
    if (event->stream == 0) {
        tn_check_shadow_forget(&shadow, event->space, lo, hi);
    } else {
        tn_check_shadow_write(&shadow, event->space, lo, hi, &now);
        watch_bytes(event->space, lo, hi);
    }
}

static void begin_block(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    forget_users(event);
    begin_bytes(event, event->addr, event->addr + event->bytes, finding);
}

// Only the bytes that the block gains are new.
static void resize_block(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    uint64_t before = event->other;
    if (before < event->bytes)
        begin_bytes(event, event->addr + before, event->addr + event->bytes, finding);
}

static void use_on(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    (void)finding;
    struct users *block = make_users(event);
    uint32_t *more =
        block == NULL ? NULL : realloc(block->actors, (block->count + 1) * sizeof *more);
    if (more == NULL) {
        actors.clocks.failed = true;
        return;
    }
    block->actors = more;
    block->actors[block->count++] = tn_check_actors_of(&actors, event);
}

static bool judge_free(void *arg, const struct tn_check_touch *old, uint64_t lo, uint64_t hi,
                       uint64_t was) {
    return old->kind == TN_CHECK_TOUCH_ALLOCATE || judge_order(arg, old, lo, hi, was);
}

static void end_block(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    uint32_t place;
    struct tn_check_act act;
    struct tn_check_touch now = touch_of(event, TN_CHECK_TOUCH_WRITE, &act);
    struct search search = make_search(finding, &now, &act, TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
    struct tn_check_point all = {0};
    bool shared = false;
    if (tn_check_handle_map_find(&user_index, event->space, event->addr, &place)) {
        tn_check_point_add(&actors.clocks, &all, now.moment.actor);
        for (uint32_t i = 0; i < users_at(place)->count; i++)
            tn_check_point_add(&actors.clocks, &all, users_at(place)->actors[i]);
        forget_users(event);
        search.act.before = &all;
        shared = true;
    }
    uint64_t hi = event->addr + event->bytes;
    tn_check_shadow_visit(&shadow, event->space, event->addr, hi, judge_free, &search);
    judge_arguments(event, judge_order, &search);
    tn_check_shadow_forget(&shadow, event->space, event->addr, hi);
    tn_check_arguments_forget(&arguments, event->space, event->addr, hi);
    if (event->stream != 0) {
        now.kind = shared ? TN_CHECK_TOUCH_FREE_SHARED : TN_CHECK_TOUCH_WRITE;
        tn_check_shadow_write(&frees, event->space, event->addr, hi, &now);
    }
    tn_check_point_fini(&all);
}

static void free_on(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    struct tn_check_act act;
    const struct tn_check_touch now = touch_of(event, TN_CHECK_TOUCH_FREE_SHARED, &act);
    struct search search = make_search(finding, &now, &act, TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
    uint64_t hi = event->addr + event->bytes;
    tn_check_shadow_visit(&shadow, event->space, event->addr, hi, judge_use, &search);
    judge_arguments(event, judge_use, &search);
    if (tn_check_functions_pend(&actors.functions))
        tn_check_shadow_write(&frees_on, event->space, event->addr, hi, &now);
}

// ---- heaps, mappings and plain memory

// Accesses and frees in the range do not concern its next owner.
static void forget_range(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    (void)finding;
    uint64_t hi = event->addr + event->bytes;
    tn_check_shadow_forget(&shadow, event->space, event->addr, hi);
    tn_check_shadow_forget(&frees, event->space, event->addr, hi);
    tn_check_shadow_forget(&frees_on, event->space, event->addr, hi);
    tn_check_arguments_forget(&arguments, event->space, event->addr, hi);
}

// The bytes end with their last name: see tn_check_order_name().
static void forget_name(const struct tn_mem_event *event) {
    struct tn_check_piece piece;
    uint64_t hi = event->addr + event->bytes;
    for (uint64_t lo = event->addr; lo < hi; lo += piece.hi - piece.lo) {
        tn_check_names_find(&names, event->space, lo, hi, &piece);
        if (piece.space == TN_CHECK_PHYSICAL) continue;
        tn_check_shadow_forget_piece(&shadow, &piece);
        tn_check_shadow_forget_piece(&frees, &piece);
        tn_check_shadow_forget_piece(&frees_on, &piece);
    }
    tn_check_arguments_forget(&arguments, event->space, event->addr, hi);
}

static void end_resource(const struct tn_mem_event *event, struct tn_check_unordered *finding) {
    if (event->what != TN_MEM_MAPPING && event->what != TN_MEM_MEMORY &&
        event->what != TN_MEM_ARRAY)
        return;
    uint64_t hi = event->addr + event->bytes;
    if ((event->flags & TN_MEM_UNWAITED) != 0) {
        struct tn_check_act act;
        const struct tn_check_touch now = touch_of(event, TN_CHECK_TOUCH_WRITE, &act);
        struct search search =
            make_search(finding, &now, &act,
                        event->what == TN_MEM_MAPPING ? TN_CHECK_KIND_UNMAP_IN_FLIGHT
                                                      : TN_CHECK_KIND_FREE_IN_FLIGHT);
        tn_check_shadow_visit(&shadow, event->space, event->addr, hi, judge_name, &search);
        if (!finding->any)
            tn_check_arguments_visit(&arguments, event->space, event->addr, hi, judge_order,
                                     &search);
    }
    forget_name(event);
}

bool tn_check_order_in_flight(uint32_t space, uint64_t lo, uint64_t hi,
                              struct tn_check_touch *touch, uint64_t *other) {
    struct tn_check_unordered finding = {0};
    const struct tn_check_touch now = {.moment = {.actor = TN_CHECK_ACTOR_HOST}};
    TN_PTHREAD_LOCKED(&lock);
    if (started && !actors.clocks.failed) {
        const struct tn_check_act act = {
            .moment = now.moment, .before = &actors.clocks.actors[TN_CHECK_ACTOR_HOST].point};
        struct search search = make_search(&finding, &now, &act, TN_CHECK_KIND_FREE_IN_FLIGHT);
        tn_check_shadow_visit(&shadow, space, lo, hi, judge_order, &search);
    }
    *touch = finding.old;
    *other = finding.was - (finding.lo - lo);
    return finding.any;
}

struct later {
    struct tn_check_act act;
    bool all;
};

static bool judge_later(void *arg, const struct tn_check_touch *free, uint64_t lo, uint64_t hi,
                        uint64_t was) {
    struct later *later = arg;
    (void)lo, (void)hi, (void)was;
    later->all = tn_check_function_precedes(later->act.function, &actors.clocks, free->moment);
    return later->all;
}

bool tn_check_order_frees_later(uint32_t space, uint64_t lo, uint64_t hi) {
    static const struct tn_mem_event here; // without a stream
    struct later later = {0};
    if (!tn_load_relaxed(&any_work)) return false;
    TN_PTHREAD_LOCKED(&lock);
    if (!started || actors.clocks.failed) return false;
    later.act = tn_check_actors_act(&actors, &here);
    if (later.act.function != NULL)
        tn_check_shadow_visit(&frees, space, lo, hi, judge_later, &later);
    if (later.all) tn_check_shadow_visit(&frees_on, space, lo, hi, judge_later, &later);
    return later.all;
}

// A block that other streams used as well counts as in use until its bytes are reused.
static bool judge_idle(void *arg, const struct tn_check_touch *free, uint64_t lo, uint64_t hi,
                       uint64_t was) {
    bool *idle = arg;
    (void)lo, (void)hi, (void)was;
    *idle = free->kind != TN_CHECK_TOUCH_FREE_SHARED &&
            tn_check_clocks_knows(&actors.clocks, TN_CHECK_ACTOR_HOST, free->moment);
    return *idle;
}

bool tn_check_order_is_idle(uint32_t space, uint64_t lo, uint64_t hi) {
    if (!tn_load_relaxed(&any_work)) return true;
    TN_PTHREAD_LOCKED(&lock);
    bool idle = !started || (!actors.clocks.failed && frees.forgotten == 0);
    if (started && idle) tn_check_shadow_visit(&frees, space, lo, hi, judge_idle, &idle);
    return idle;
}

struct tn_check_moment tn_check_order_moment(const struct tn_mem_event *event) {
    TN_PTHREAD_LOCKED(&lock);
    if (!started || actors.clocks.failed) return (struct tn_check_moment){0};
    return tn_check_actors_act(&actors, event).moment;
}

bool tn_check_order_has_passed(struct tn_check_moment moment) {
    TN_PTHREAD_LOCKED(&lock);
    return started && !actors.clocks.failed &&
           tn_check_clocks_knows(&actors.clocks, TN_CHECK_ACTOR_HOST, moment);
}

// ---- findings

static void report_race(const struct tn_check_unordered *finding,
                        const struct tn_mem_event *event) {
    struct tn_check_title here;
    struct tn_check_title there;
    (void)pthread_mutex_lock(&lock);
    tn_check_titles_find(&titles, event->image, finding->now.stream, &here);
    tn_check_titles_find(&titles, event->image, finding->old.stream, &there);
    (void)pthread_mutex_unlock(&lock);
    tn_check_unordered_report(finding, event, &here, &there);
}

void tn_check_order_title(uint32_t image, uint64_t stream, struct tn_check_title *title) {
    TN_PTHREAD_LOCKED(&lock);
    tn_check_titles_find(&titles, image, stream, title);
}

// ---- events

// The handlers of events about memory. Events about the order of work are for the actors.
static void (*const handlers[TN_MEM_KINDS])(const struct tn_mem_event *,
                                            struct tn_check_unordered *) = {
    [TN_MEM_HEAP_BEGIN] = forget_range,  [TN_MEM_HEAP_END] = forget_range,
    [TN_MEM_REGION_BEGIN] = begin_block, [TN_MEM_REGION_RESIZE] = resize_block,
    [TN_MEM_REGION_END] = end_block,     [TN_MEM_USED_ON] = use_on,
    [TN_MEM_ACCESS] = access_box,        [TN_MEM_RESOURCE_END] = end_resource,
    [TN_MEM_ARGUMENT] = use_argument,    [TN_MEM_FREE_ON] = free_on,
    [TN_MEM_FOOTPRINT] = use_footprint,  [TN_MEM_HOST_ACCESS] = access_by_host,
};

static bool waits(const struct tn_mem_event *event) {
    return event->kind == TN_MEM_EVENT_SYNC || event->kind == TN_MEM_STREAM_SYNC ||
           event->kind == TN_MEM_DEVICE_SYNC;
}

static bool is_about_order(const struct tn_mem_event *event) {
    return event->kind >= TN_MEM_STREAM_BEGIN && event->kind <= TN_MEM_CALL_PASSED;
}

static void apply_event(const struct tn_mem_event *event) {
    bool is_order = is_about_order(event);
    struct tn_check_unordered finding = {0};
    bool recorded = true;
    (void)pthread_mutex_lock(&lock);
    if (!started) {
        started = true;
        (void)tn_check_actors_init(&actors);
    }
    seen.processes += event->kind == TN_MEM_CONDITION && event->object != 0;
    if (is_order && !actors.clocks.failed) {
        recorded = tn_check_actors_event(&actors, event);
        if (watched_any && waits(event) && tn_check_actors_know_all(&actors)) {
            tn_mem_watch_clear(&watch);
            watched_any = false;
        }
    } else if (!actors.clocks.failed) {
        handlers[event->kind](event, &finding);
    }
    // If knowledge is missing, ordered accesses may look unordered.
    finding.any = finding.any && !actors.clocks.failed;
    (void)pthread_mutex_unlock(&lock);
    if (finding.any) report_race(&finding, event);
    if (!recorded) {
        struct tn_check_report report;
        struct tn_check_title title;
        tn_check_order_title(event->image, event->stream, &title);
        tn_check_report_begin(&report, TN_CHECK_KIND_WAIT_WITHOUT_RECORD, "wait",
                              "%s waits for event 0x%" PRIx64 ", which was never recorded",
                              title.text, event->object);
        tn_check_report_end(&report);
    }
}

// ---- names

void tn_check_order_name(const struct tn_mem_event *event) {
    struct tn_check_renaming renaming;
    if (!tn_check_names_concern(event)) return;
    TN_PTHREAD_LOCKED(&lock);
    tn_check_names_event(&names, event, &renaming);
    tn_store_relaxed(&tn_check_order_has_names, tn_load_relaxed(&names.several) != 0);
    tn_check_shadow_move(&shadow, &renaming.from, TN_CHECK_PHYSICAL, renaming.to);
    tn_check_shadow_move(&frees, &renaming.from, TN_CHECK_PHYSICAL, renaming.to);
    tn_check_shadow_move(&frees_on, &renaming.from, TN_CHECK_PHYSICAL, renaming.to);
    tn_check_shadow_forget_piece(&shadow, &renaming.gone);
    tn_check_shadow_forget_piece(&frees, &renaming.gone);
    tn_check_shadow_forget_piece(&frees_on, &renaming.gone);
}

void tn_check_order_names(uint32_t space, uint64_t lo, uint64_t hi,
                          void (*visit)(void *arg, uint32_t space, uint64_t lo, uint64_t hi),
                          void *arg) {
    TN_PTHREAD_LOCKED(&lock);
    tn_check_names_visit(&names, space, lo, hi, visit, arg);
}

bool tn_check_order_keeps(uint32_t space, uint64_t lo, uint64_t hi) {
    if (!tn_load_relaxed(&tn_check_order_has_names)) return false;
    TN_PTHREAD_LOCKED(&lock);
    return tn_check_names_keep(&names, space, lo, hi);
}

// ---- events

static void judge_event(const struct tn_mem_event *event) {
    bool is_order = is_about_order(event);
    if (event->kind == TN_MEM_STREAM_BEGIN || event->kind == TN_MEM_STREAM_NAME) {
        TN_PTHREAD_LOCKED(&lock);
        tn_check_titles_event(&titles, event);
    }
    if (!is_order && (event->kind >= TN_MEM_KINDS || handlers[event->kind] == NULL)) return;
    if (!tn_load_relaxed(&any_work)) {
        // As long as the host alone acts, there is nothing to remember and nothing to wait for.
        if (waits(event) || (!is_order && event->stream == 0)) return;
        tn_store_relaxed(&any_work, true);
    }
    apply_event(event);
}

void tn_check_order_event(const struct tn_mem_event *event) {
    bool concerns_names = tn_check_names_concern(event);
    bool ends = event->kind == TN_MEM_RESOURCE_END;
    if (concerns_names && !ends) tn_check_order_name(event);
    judge_event(event);
    if (concerns_names && ends) tn_check_order_name(event);
}

void tn_check_order_seen(struct tn_check_seen *out) {
    TN_PTHREAD_LOCKED(&lock);
    *out = seen;
}

void tn_check_order_fork_prepare(void) { (void)pthread_mutex_lock(&lock); }

void tn_check_order_fork_done(void) { (void)pthread_mutex_unlock(&lock); }

void tn_check_order_reset(void) {
    TN_PTHREAD_LOCKED(&lock);
    if (started) tn_check_actors_fini(&actors);
    started = false;
    tn_store_relaxed(&any_work, false);
    tn_check_shadow_fini(&shadow);
    tn_check_shadow_fini(&frees);
    tn_check_shadow_fini(&frees_on);
    tn_check_names_fini(&names);
    tn_store_relaxed(&tn_check_order_has_names, false);
    arguments.count = 0;
    tn_mem_watch_clear(&watch);
    watched = watched_any = false;
    seen = (struct tn_check_seen){0};
    repeats = (struct tn_check_repeats){0};
    for (uint32_t i = 0; i < users.count; i++) free(users_at(i)->actors);
    tn_check_table_fini(&users);
    tn_check_handle_map_fini(&user_index);
    tn_check_titles_fini(&titles);
}
