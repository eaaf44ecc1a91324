// SPDX-License-Identifier: Apache-2.0
// See team.h. A thread that waits is described by a struct on its own stack. The thread that comes
// last goes on without a switch and makes the others ready. When no thread is ready and all have
// begun, meetings of lanes whose other lanes wait elsewhere are held without them; if there is none,
// no thread can go on, and the block fails.
#include "compat/runtime/kernel/team.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/kernel/policy.h"
#include "compat/runtime/kernel/races.h"
#include "compat/runtime/stream/stream_call.h"
#include "src/base/list.h"
#include "src/base/tsan.h"
#include "src/stack/stack.h"

struct tn_rt_kernel_policy tn_rt_kernel_policy;

#define PART 32 // lanes of an element of `warps`; a warp of 64 uses the first of two

// A thread that waits, on its stack.
struct tn_rt_waiter {
    struct tn_rt_waiter *next;
    struct tn_rt_fibre *fibre;
    const struct tn_rt_kernel_place *place;
    struct tn_rt_lanes *lanes; // NULL at a barrier
};

// Lanes of a warp that wait for each other. It is on the stack of the first one.
struct tn_rt_meeting {
    struct tn_rt_meeting *next;
    struct tn_rt_waiters waiters;
    uint64_t mask; // as in tn_rt_lanes
    uint64_t present;
    const struct tn_rt_kernel_place *place;
};

static void append_waiter(struct tn_rt_waiters *list, struct tn_rt_waiter *waiter) {
    waiter->next = NULL;
    if (list->first == NULL)
        list->first = waiter;
    else
        list->last->next = waiter;
    list->last = waiter;
}

static void make_ready(struct tn_rt_team *team, struct tn_rt_waiters *list) {
    if (list->first == NULL) return;
    if (team->ready.first == NULL)
        team->ready = *list;
    else
        team->ready.last->next = list->first;
    team->ready.last = list->last;
    list->first = NULL;
}

static struct tn_rt_team *team_of(const struct tn_rt_host_block *block) {
    struct tn_rt_team *team = (struct tn_rt_team *)(uintptr_t)block;
    if (team == NULL || team->fault.current == &team->base) {
        (void)fprintf(stderr,
                      "tarn: a function for threads of a kernel was called outside a kernel\n");
        abort();
    }
    return team;
}

// ---- failures

static struct tn_rt_dim coordinates(const struct tn_rt_team *team, uint32_t thread) {
    const struct tn_rt_dim *b = &team->block.block;
    return (struct tn_rt_dim){thread % b->x, thread / b->x % b->y, thread / b->x / b->y};
}

// Leaves the function that the current fibre runs.
__attribute__((format(printf, 3, 4))) _Noreturn static void
fail_block(struct tn_rt_team *team, tn_rt_error error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(team->why, sizeof team->why, format, arguments);
    va_end(arguments);
    team->error = error;
    struct tn_rt_fibre *from = team->fault.current;
    team->fault.current = &team->base;
    tn_rt_fibre_switch(from, &team->base, true);
    abort(); // never reached
}

static void describe_thread(const struct tn_rt_team *team, uint32_t thread, char text[64]) {
    struct tn_rt_dim at = coordinates(team, thread);
    (void)snprintf(text, 64, "thread (%u, %u, %u)", at.x, at.y, at.z);
}

static void describe_running(const struct tn_rt_team *team, char text[64]) {
    const struct tn_rt_dim *at = team->block.thread;
    if (at == NULL)
        (void)snprintf(text, 64, "a thread");
    else
        (void)snprintf(text, 64, "thread (%u, %u, %u)", at->x, at->y, at->z);
}

_Noreturn void tn_rt_block_fail(const struct tn_rt_host_block *block, tn_rt_error error,
                                const char *why) {
    struct tn_rt_team *team = team_of(block);
    char at[64];
    describe_running(team, at);
    fail_block(team, error, "%s: %s", at, why);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static const char *file_of(const struct tn_rt_kernel_place *place) {
    return base_name(place->file);
}

// ---- threads that cannot go on

// Returns the place at which a thread waits, or NULL: it has returned.
static const struct tn_rt_kernel_place *find_place(const struct tn_rt_team *team, uint32_t thread) {
    for (const struct tn_rt_waiter *w = team->barrier.first; w != NULL; w = w->next)
        if (w->place->thread == thread) return w->place;
    for (unsigned i = 0; i < TN_RT_TEAM_WARPS; i++)
        for (const struct tn_rt_meeting *m = team->warps[i].meetings; m != NULL; m = m->next)
            for (const struct tn_rt_waiter *w = m->waiters.first; w != NULL; w = w->next)
                if (w->place->thread == thread) return w->place;
    return NULL;
}

// `missing` does not come to `place`, where others wait.
_Noreturn static void fail_missing(struct tn_rt_team *team, const struct tn_rt_kernel_place *place,
                                   uint32_t missing) {
    const struct tn_rt_kernel_place *other = find_place(team, missing);
    char waits[64];
    char misses[64];
    char where[192] = "has returned";
    describe_thread(team, place->thread, waits);
    describe_thread(team, missing, misses);
    if (other != NULL) {
        (void)snprintf(where, sizeof where, "waits in %s at %.100s:%d", other->function,
                       file_of(other), other->line);
    }
    fail_block(team, TN_RT_LAUNCH_FAILURE, "%s waits in %s at %.100s:%d, and %s %s", waits,
               place->function, file_of(place), place->line, misses, where);
}

static uint32_t first_lane(uint64_t lanes) { return (uint32_t)__builtin_ctzll(lanes); }

_Noreturn static void fail_stalled(struct tn_rt_team *team) {
    if (team->barrier.first != NULL) {
        const struct tn_rt_kernel_place *place = team->barrier.first->place;
        uint32_t thread = 0;
        bool at_barrier = true;
        while (at_barrier) { // fewer threads than the block has are there
            at_barrier = false;
            for (const struct tn_rt_waiter *w = team->barrier.first; w != NULL; w = w->next)
                at_barrier = at_barrier || w->place->thread == thread;
            thread += at_barrier;
        }
        fail_missing(team, place, thread);
    }
    unsigned i = 0;
    while (team->warps[i].meetings == NULL) i++;
    const struct tn_rt_meeting *meeting = team->warps[i].meetings;
    const struct tn_rt_kernel_place *place = meeting->place;
    fail_missing(team, place, i * PART + first_lane(meeting->mask & ~meeting->present));
}

// ---- meetings of lanes

static uint64_t all_lanes(uint32_t count) {
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

// Gives each lane its results.
static void hold_meeting(struct tn_rt_meeting *meeting) {
    uint64_t values[64] = {0};
    uint64_t votes = 0;
    for (const struct tn_rt_waiter *w = meeting->waiters.first; w != NULL; w = w->next) {
        uint32_t lane = w->place->thread % w->lanes->lanes;
        values[lane] = w->lanes->value;
        votes |= (uint64_t)(w->lanes->value != 0) << lane;
    }
    for (const struct tn_rt_waiter *w = meeting->waiters.first; w != NULL; w = w->next) {
        struct tn_rt_lanes *lanes = w->lanes;
        if (lanes->from < 64 && (meeting->present >> lanes->from & 1) != 0)
            lanes->value = values[lanes->from];
        lanes->mask = meeting->present;
        lanes->votes = votes;
        if (lanes->values != NULL) memcpy(lanes->values, values, sizeof values);
    }
}

static void close_meeting(struct tn_rt_warp *warp, struct tn_rt_meeting *meeting) {
    TN_CHAIN_REMOVE(warp->meetings, meeting, next);
    warp[0].meeting_count++;
    if (meeting->waiters.first->lanes->lanes > PART) warp[1].meeting_count++;
    hold_meeting(meeting);
}

// Of the meetings for lanes that come, that at the lowest line is held first: lanes that are still
// in a loop meet before those behind it.
static bool hold_early(struct tn_rt_team *team, struct tn_rt_warp *warp) {
    struct tn_rt_meeting *early = NULL;
    for (struct tn_rt_meeting *m = warp->meetings; m != NULL; m = m->next)
        if (m->mask == 0 && (early == NULL || m->place->line < early->place->line)) early = m;
    if (early == NULL) return false;
    close_meeting(warp, early);
    make_ready(team, &early->waiters);
    return true;
}

static bool hold_early_meetings(struct tn_rt_team *team) {
    bool held = false;
    for (unsigned i = 0; i < TN_RT_TEAM_WARPS; i++)
        held = hold_early(team, &team->warps[i]) || held;
    return held;
}

// ---- fibres

static void run_fibre(struct tn_rt_fibre *fibre, void *arg);

static struct tn_rt_fibre *take_fibre(struct tn_rt_team *team) {
    if (team->idle == NULL) {
        if (!tn_rt_fibres_create(&team->idle, run_fibre, team)) return NULL;
        for (struct tn_rt_fibre *f = team->idle; f != NULL; f = f->next) {
            f->sibling = team->all;
            team->all = f;
        }
    }
    struct tn_rt_fibre *fibre = team->idle;
    team->idle = fibre->next;
    return fibre;
}

// ---- barriers

static void open_barrier(struct tn_rt_team *team, const struct tn_rt_kernel_place *place) {
    bool (*wait)(struct tn_rt_grid_barrier *) = team->wait_for_grid;
    if (team->waits_for_grid && (wait == NULL || !wait(team->grid))) {
        fail_block(team, TN_RT_LAUNCH_FAILURE,
                   wait == NULL ? "%s in a launch that is not cooperative"
                                : "%s, to which another block does not come",
                   place->function);
    }
    team->barrier_count++;
    team->grid_count += team->waits_for_grid;
    team->result = team->votes;
    team->arrived = team->votes = 0;
    make_ready(team, &team->barrier);
}

// All threads that have not returned are at the barrier, and the others do not count.
static bool open_without_ended(struct tn_rt_team *team) {
    if (tn_rt_kernel_policy.strict_barriers || team->arrived == 0 ||
        team->arrived + team->ended < team->threads)
        return false;
    TN_FACE_DIFFERS(barrier_missed, team->ended > 0);
    open_barrier(team, team->barrier.first->place);
    return true;
}

// ---- fibres that take turns

static struct tn_rt_fibre *pop_ready(struct tn_rt_team *team) {
    struct tn_rt_waiter *ready = team->ready.first;
    team->ready.first = ready->next;
    return ready->fibre;
}

// No thread is ready. `idle`: the current fibre has no thread left.
static struct tn_rt_fibre *begin_fibre(struct tn_rt_team *team, bool idle) {
    if (team->block.first == team->threads) {
        if (team->ended == team->threads) return &team->base;
        if (!hold_early_meetings(team) && !open_without_ended(team)) fail_stalled(team);
        return pop_ready(team);
    }
    struct tn_rt_fibre *fibre = idle ? team->fault.current : take_fibre(team);
    if (fibre == NULL) fail_block(team, TN_RT_OUT_OF_MEMORY, "no memory for the stack of a thread");
    return fibre;
}

// Returns the fibre that goes on instead of the current one.
static inline struct tn_rt_fibre *next_fibre(struct tn_rt_team *team, bool idle) {
    return team->ready.first != NULL ? pop_ready(team) : begin_fibre(team, idle);
}

static inline void switch_to(struct tn_rt_team *team, struct tn_rt_fibre *fibre) {
    struct tn_rt_fibre *from = team->fault.current;
    if (fibre == from) return;
    team->fault.current = fibre;
    tn_rt_fibre_switch(from, fibre, false);
}

static void end_threads(struct tn_rt_team *team, uint32_t begin, uint32_t end) {
    team->ended += end - begin;
    if (team->ended == team->threads) return; // no thread waits for them
    team->warps_used = true;
    for (; begin < end; begin++) team->warps[begin / PART].ended++;
}

// Runs threads one after another, until there is none left or one of them was parked and returned.
static void run_threads(struct tn_rt_team *team, struct tn_rt_fibre *fibre) {
    const char *why = NULL;
    const struct tn_rt_launch *launch = team->launch;
    team->block.loop = fibre;
    tn_rt_error error = launch->run(launch->kernel, launch->closure, &team->block, &why);
    if (error != TN_RT_OK) {
        const struct tn_face_code *code =
            tn_rt_find_code(tn_rt_base_policy.codes, tn_rt_base_policy.code_count, (int)error);
        if (why == NULL) why = code != NULL ? code->text : "unknown error";
        tn_rt_block_fail(&team->block, error, why);
    }
    if (team->block.loop != fibre) {
        end_threads(team, fibre->user, fibre->user + 1);
        return;
    }
    end_threads(team, team->counted, team->threads);
    team->counted = team->block.first = team->threads;
    team->block.loop = NULL;
}

// Nothing of a block has begun.
static void begin_block(struct tn_rt_team *team) {
    team->ended = team->counted = team->block.first = 0;
    team->block.met = 0;
    if (team->warps_used) memset(team->warps, 0, sizeof team->warps);
    team->warps_used = false;
}

// Goes on to the next block. Returns false if there is none, or threads of this one are left.
static bool end_block(struct tn_rt_team *team) {
    if (team->ended < team->threads || --team->block.blocks == 0) return false;
    struct tn_rt_dim *at = &team->block.index;
    if (++at->x == team->block.grid.x) {
        at->x = 0;
        if (++at->y == team->block.grid.y) {
            at->y = 0;
            at->z++;
        }
    }
    begin_block(team);
    return true;
}

static void run_fibre(struct tn_rt_fibre *fibre, void *arg) {
    struct tn_rt_team *team = (struct tn_rt_team *)arg;
    tn_rt_fibre_begin(fibre);
    for (;;) {
        do run_threads(team, fibre);
        while (end_block(team));
        struct tn_rt_fibre *next = next_fibre(team, true);
        if (next == fibre) continue;
        fibre->next = team->idle;
        team->idle = fibre;
        switch_to(team, next);
    }
}

// ---- waiting

// The threads of the loop before this one have returned.
static void note_arrival(struct tn_rt_team *team, uint32_t thread) {
    team->block.met = 1;
    if (team->fault.current != team->block.loop) return;
    end_threads(team, team->counted, thread);
    team->counted = thread;
}

// Another fibre may go on with the threads behind this one.
static inline void leave_loop(struct tn_rt_team *team, const struct tn_rt_waiter *waiter) {
    struct tn_rt_fibre *fibre = waiter->fibre;
    if (team->block.loop != fibre) return;
    fibre->user = waiter->place->thread;
    team->counted = team->block.first = fibre->user + 1;
    team->block.loop = NULL;
}

static inline void park(struct tn_rt_team *team, const struct tn_rt_waiter *waiter) {
    leave_loop(team, waiter);
    switch_to(team, next_fibre(team, false));
}

// The thread is ready again when the other threads had their turn.
static __attribute__((noinline)) void wait_for_turn(struct tn_rt_team *team,
                                                    struct tn_rt_waiter *waiter) {
    struct tn_rt_waiters list = {waiter, waiter};
    bool begins = team->block.first < team->threads; // before those that run already
    if (!begins && team->ready.first == NULL && !hold_early_meetings(team)) return;
    struct tn_rt_fibre *next = begins ? begin_fibre(team, false) : pop_ready(team);
    make_ready(team, &list);
    switch_to(team, next);
}

void tn_rt_block_yield(const struct tn_rt_host_block *block, uint32_t thread) {
    struct tn_rt_team *team = (struct tn_rt_team *)(uintptr_t)block;
    if (team == NULL || team->fault.current == &team->base) return;
    const struct tn_rt_kernel_place place = {.thread = thread};
    struct tn_rt_waiter self = {.fibre = team->fault.current, .place = &place};
    note_arrival(team, thread);
    leave_loop(team, &self);
    wait_for_turn(team, &self);
}

static bool same_place(const struct tn_rt_kernel_place *a, const struct tn_rt_kernel_place *b) {
    return a->line == b->line && (a->file == b->file || strcmp(a->file, b->file) == 0);
}

uint32_t tn_rt_block_wait(const struct tn_rt_host_block *block,
                          const struct tn_rt_kernel_place *place, bool vote, bool grid) {
    struct tn_rt_team *team = team_of(block);
    bool strict = tn_rt_kernel_policy.strict_barriers;
    note_arrival(team, place->thread);
    struct tn_rt_waiter *first = team->barrier.first;
    if (first != NULL && strict && !same_place(first->place, place)) {
        struct tn_rt_waiter self = {.fibre = team->fault.current, .place = place};
        append_waiter(&team->barrier, &self);
        fail_missing(team, first->place, place->thread);
    }
    team->arrived++;
    team->votes += vote;
    team->waits_for_grid = grid;
    if (team->arrived + (strict ? 0 : team->ended) < team->threads) {
        struct tn_rt_waiter self = {.fibre = team->fault.current, .place = place};
        append_waiter(&team->barrier, &self);
        park(team, &self);
        return team->result;
    }
    open_barrier(team, place);
    return team->result;
}

// Finds the meeting of a warp for which the calling thread comes, or NULL.
static struct tn_rt_meeting *find_meeting(const struct tn_rt_warp *warp, uint64_t mask,
                                          const struct tn_rt_kernel_place *place) {
    struct tn_rt_meeting *m = warp->meetings;
    while (m != NULL && (m->mask != mask || (mask == 0 && !same_place(m->place, place))))
        m = m->next;
    return m;
}

// Adds the calling thread to a meeting. The last lane goes on, and the others become ready.
static void join_meeting(struct tn_rt_team *team, struct tn_rt_warp *warp, uint32_t live,
                         struct tn_rt_meeting *meeting, struct tn_rt_waiter *self) {
    struct tn_rt_waiter *before = meeting->waiters.first != NULL ? meeting->waiters.last : NULL;
    append_waiter(&meeting->waiters, self);
    meeting->present |= (uint64_t)1 << self->place->thread % self->lanes->lanes;
    if (meeting->mask != 0 ? meeting->present != meeting->mask
                           : (uint32_t)__builtin_popcountll(meeting->present) != live) {
        park(team, self);
        return;
    }
    close_meeting(warp, meeting);
    if (before == NULL) return;
    before->next = NULL;
    meeting->waiters.last = before;
    make_ready(team, &meeting->waiters);
}

void tn_rt_warp_wait(const struct tn_rt_host_block *block, const struct tn_rt_kernel_place *place,
                     struct tn_rt_lanes *lanes) {
    struct tn_rt_team *team = team_of(block);
    uint32_t begin = place->thread - place->thread % lanes->lanes;
    uint32_t size = team->threads - begin < lanes->lanes ? team->threads - begin : lanes->lanes;
    uint64_t mask = lanes->mask & all_lanes(size);
    note_arrival(team, place->thread);
    if (lanes->mask != 0 && (mask >> (place->thread - begin) & 1) == 0) {
        fail_block(team, TN_RT_LAUNCH_FAILURE,
                   "lane %u is not in the mask 0x%llx of %s at %.100s:%d", place->thread - begin,
                   (unsigned long long)lanes->mask, place->function, file_of(place), place->line);
    }
    team->warps_used = true;
    struct tn_rt_warp *warp = &team->warps[begin / PART];
    uint32_t live = size - warp->ended - (lanes->lanes > PART ? warp[1].ended : 0);
    struct tn_rt_meeting own = {.next = warp->meetings, .mask = mask, .place = place};
    struct tn_rt_waiter self = {.fibre = team->fault.current, .place = place, .lanes = lanes};
    struct tn_rt_meeting *meeting = find_meeting(warp, mask, place);
    if (meeting == NULL) warp->meetings = meeting = &own;
    join_meeting(team, warp, live, meeting, &self);
}

// ---- teams

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next
static struct tn_rt_team *unused;                        // as many as have run at the same time
static unsigned unused_count;

// Returns the link to a team that makes no order between two fibres of TSan: one that the calling thread's
// used last. Many teams are enough to take any.
static struct tn_rt_team **find_unused(void) {
    enum { MANY = 64 };
    struct tn_rt_team **link = &unused;
    if (!tn_tsan_watches()) return link;
    while (*link != NULL && (*link)->tsan != __tsan_get_current_fiber()) link = &(*link)->next;
    return *link != NULL || unused_count < MANY ? link : &unused;
}

static struct tn_rt_team *take_unused(void) {
    TN_FACE_LOCKED(&lock);
    struct tn_rt_team **link = find_unused();
    struct tn_rt_team *team = *link;
    if (team == NULL) return NULL;
    *link = team->next;
    unused_count--;
    return team;
}

static struct tn_rt_team *create_team(void) {
    struct tn_rt_team *team = (struct tn_rt_team *)calloc(1, sizeof *team);
    if (team == NULL) return NULL;
    team->shared = aligned_alloc(TN_RT_CLOSURE_ALIGNMENT, TN_RT_SHARED_BYTES);
    if (team->shared != NULL) return team;
    free(team);
    return NULL;
}

// Every fibre may have been left in the middle of a function.
static void restart_fibres(struct tn_rt_team *team) {
    team->fault.current = &team->base;
    team->idle = NULL;
    for (struct tn_rt_fibre *f = team->all; f != NULL; f = f->sibling) {
        tn_rt_fibre_restart(f, run_fibre, team);
        f->next = team->idle;
        team->idle = f;
    }
}

// The work of another stream may have used the team.
static void begin_for_tsan(struct tn_rt_team *team) {
    const void *fibre = __tsan_get_current_fiber();
    if (team->tsan == fibre) return;
    if (team->tsan != NULL) restart_fibres(team);
    tn_tsan_forget((uintptr_t)team->shared, TN_RT_SHARED_BYTES);
    team->tsan = fibre;
}

struct tn_rt_team *tn_rt_team_take(const struct tn_rt_launch *launch) {
    TN_TSAN_IGNORED;
    struct tn_rt_team *team = take_unused();
    if (team == NULL) team = create_team();
    if (team == NULL) return NULL;
    if (tn_tsan_watches()) begin_for_tsan(team);
    team->launch = launch;
    team->threads = launch->block.x * launch->block.y * launch->block.z;
    team->block = (struct tn_rt_host_block){.grid = launch->grid,
                                            .block = launch->block,
                                            .shared = team->shared,
                                            .shared_bytes = launch->shared_bytes,
                                            .cooperative = launch->cooperative};
    team->wait_for_grid = NULL;
    tn_rt_fibre_bound(team->shared, launch->shared_bytes, TN_RT_SHARED_BYTES);
    tn_rt_fibre_of_thread(&team->base);
    team->fault.current = &team->base;
    team->fault.base = &team->base;
    team->fault.signal = 0;
    tn_rt_fault_guard(&team->fault);
    team->grid_count = 0;
    tn_rt_races_watch(launch->races, team);
    return team;
}

void tn_rt_team_put(struct tn_rt_team *team) {
    TN_TSAN_IGNORED;
    tn_rt_races_unwatch();
    tn_rt_fault_unguard();
    if (team->block.running != NULL) *team->block.running = NULL;
    TN_FACE_LOCKED(&lock);
    team->next = unused;
    unused = team;
    unused_count++;
}

// Adds the innermost line outside of a face's headers, or else the place in the loaded file.
static bool add_place(void *context, const struct tn_stack_symbol *symbol) {
    struct tn_rt_team *team = (struct tn_rt_team *)context;
    size_t length = strlen(team->why);
    char *end = team->why + length;
    if (tn_rt_is_of_headers(symbol)) return true;
    if (symbol->file != NULL)
        (void)snprintf(end, sizeof team->why - length, ", at %.80s:%d", base_name(symbol->file),
                       symbol->line);
    else if (symbol->object != NULL)
        (void)snprintf(end, sizeof team->why - length, ", at %.80s+0x%zx",
                       base_name(symbol->object), (size_t)symbol->offset - 1);
    return false;
}

static void describe_fault(struct tn_rt_team *team) {
    char at[64];
    char text[128];
    describe_running(team, at);
    team->error = tn_rt_fault_cause(&team->fault, text, sizeof text);
    team->fault.signal = 0;
    team->stray = team->error == TN_RT_ILLEGAL_ADDRESS ? team->fault.address : 0;
    (void)snprintf(team->why, sizeof team->why, "%s: %s", at, text);
    if (team->error == TN_RT_ASSERT) return;
    team->code = team->fault.instruction + 1; // a return address is behind its instruction
    (void)tn_stack_symbol_walk(team->code, add_place, team);
}

int tn_rt_team_kernel(const struct tn_rt_launch *launch, const char **name) {
    *name = launch->name != NULL ? launch->name : "without a name";
    size_t length = strlen(*name);
    bool in_brackets = **name == '(' && (*name)[length - 1] == ')';
    *name += in_brackets;
    length -= in_brackets ? 2 : 0;
    return (int)(length < 100 ? length : 100);
}

static void describe_block(const struct tn_rt_team *team, const char *rest, char *text,
                           size_t size) {
    const struct tn_rt_dim *at = &team->block.index;
    const char *name;
    int length = tn_rt_team_kernel(team->launch, &name);
    if (snprintf(text, size, "kernel %.*s, block (%u, %u, %u), %s", length, name, at->x, at->y,
                 at->z, rest) < 0)
        text[0] = '\0';
}

void tn_rt_team_describe(char *text, size_t size) {
    const struct tn_rt_fault *fault = tn_rt_fault_of_thread();
    if (fault == NULL) return;
    const struct tn_rt_team *team =
        (const struct tn_rt_team *)((uintptr_t)fault - offsetof(struct tn_rt_team, fault));
    char thread[64];
    describe_running(team, thread);
    describe_block(team, thread, text, size);
}

static tn_rt_error end_failed(struct tn_rt_team *team) {
    char text[TN_RT_TEXT];
    describe_block(team, team->why, text, sizeof text);
    restart_fibres(team);
    if (team->error != TN_RT_OUT_OF_MEMORY && !atomic_exchange(team->launch->reported, true))
        tarn_check_failure(team->stray, text, team->code);
    return tn_rt_fail(team->error, "%s", text);
}

tn_rt_error tn_rt_team_run(struct tn_rt_team *team, uint64_t first, uint64_t count) {
    const struct tn_rt_dim *grid = &team->block.grid;
    team->block.index =
        (struct tn_rt_dim){(uint32_t)(first % grid->x), (uint32_t)(first / grid->x % grid->y),
                           (uint32_t)(first / grid->x / grid->y)};
    team->block.blocks = count;
    team->arrived = team->votes = 0;
    team->barrier.first = team->ready.first = NULL;
    team->error = TN_RT_OK;
    team->stray = team->code = 0;
    begin_block(team);
    struct tn_rt_fibre *fibre = take_fibre(team);
    TN_RT_REFUSE(fibre == NULL, TN_RT_OUT_OF_MEMORY, "no memory for the stacks of a block");
    switch_to(team, fibre);
    if (team->fault.signal != 0) describe_fault(team);
    return team->error == TN_RT_OK ? TN_RT_OK : end_failed(team);
}

TN_FACE_ON_FORK(TN_RT_LOCK_TEAMS, &lock, NULL);
