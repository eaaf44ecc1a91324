// SPDX-License-Identifier: Apache-2.0
// Infers the roles of blocks; see roles.h. First the life and the stack of each block exclude
// roles (suspect_block). Then the sizes of the gradients at the begin of an optimizer's step single
// out the parameters: there are as many of each size (match_size).
#include "trace/study/roles.h"

#include "base/error.h"
#include "trace/builder.h"
#include "trace/study/training.h"

const char *tn_role_name(int category, bool inferred) {
    static const char *const names[] = {[TN_CATEGORY_NONE] = "unclear",
                                        [TN_CATEGORY_PARAMETER] = "parameters",
                                        [TN_CATEGORY_OPTIMIZER_STATE] = "optimizer state",
                                        [TN_CATEGORY_INPUT] = "inputs",
                                        [TN_CATEGORY_TEMPORARY] = "temporary",
                                        [TN_CATEGORY_ACTIVATION] = "activations",
                                        [TN_CATEGORY_GRADIENT] = "gradients",
                                        [TN_CATEGORY_AUTOGRAD_DETAIL] = "autograd details",
                                        [TN_CATEGORY_UNKNOWN] = "unclear"};
    return inferred && category == TN_CATEGORY_UNKNOWN ? "others" : names[category];
}

enum suspicion {
    PARAMETER = 1 << TN_CATEGORY_PARAMETER,
    STATE = 1 << TN_CATEGORY_OPTIMIZER_STATE,
    INPUT = 1 << TN_CATEGORY_INPUT,
    TEMPORARY = 1 << TN_CATEGORY_TEMPORARY,
    ACTIVATION = 1 << TN_CATEGORY_ACTIVATION,
    GRADIENT = 1 << TN_CATEGORY_GRADIENT,
    OTHER = 1 << TN_CATEGORY_UNKNOWN, // buffers, caches, copies, workspaces
    LASTING = PARAMETER | STATE | INPUT | ACTIVATION | GRADIENT | OTHER,
    ANY = LASTING | TEMPORARY,
    ROLES = (1 << TN_CATEGORY_COUNT) - 1,
    // Facts beside the roles:
    MATCHED = 1 << 12,  // gradients of its size were seen beside it
    FOREIGN = 1 << 13,  // a step was seen beside it that had no gradient of its size
    FROM_STEP = 1 << 14 // allocated by an optimizer
};

struct inference {
    const struct tn_tables *keys;
    const struct tn_trace_device *device;
    struct tn_training work;
    uint16_t *roles;  // by block: enum suspicion
    uint8_t *passing; // by stack: 1 if a block of it is gone after one iteration
    uint64_t *sizes;  // of what may be parameters and is freed in the current step, rising
    size_t size_count;
    const struct tn_training_span *sized; // the step of `sizes`
    bool makes_state;                     // an optimizer made its state inside the recording
    bool hides;                           // gradients have no parameters of their sizes
    bool drops;                           // gradients are given up before the next step
};

static unsigned signs_of(const struct inference *it, uint32_t block) {
    return it->work.signs[it->keys->trace->blocks[block].stack];
}

// Returns the moment at which the program gives a block up, or TN_NEVER.
static uint32_t end_of(const struct inference *it, size_t block) {
    const struct tn_life *life = &it->keys->lives[block];
    return life->given < life->freed ? life->given : life->freed;
}

// Stacks of Python only show neither casts nor workspaces.
static bool names_operators(const struct inference *it) {
    return (it->work.all & TN_TRAINING_OPERATOR) != 0;
}

static bool is_one(unsigned roles) { return (roles & ROLES & ((roles & ROLES) - 1)) == 0; }

static bool is_freed_within(const struct tn_training_spans *spans, uint32_t end) {
    return end != TN_NEVER && tn_training_around(spans, end) != NULL;
}

// ---- blocks of a step

// Lists the sizes of the blocks that may be parameters and are freed in a step: a block of such a
// size that the step allocates may replace one.
static void list_replaced(struct inference *it, const struct tn_training_span *step) {
    it->sized = step;
    it->size_count = 0;
    for (size_t i = step->begin; i < step->end && i < it->device->event_count; i++) {
        const struct tn_event *event = &it->keys->trace->events[it->device->first_event + i];
        if (event->kind == TN_EVENT_FREE && it->keys->lives[event->item].born <= step->begin &&
            (it->roles[event->item] & PARAMETER) != 0)
            it->sizes[it->size_count++] = it->keys->trace->blocks[event->item].size;
    }
    tn_numbers_sort(it->sizes, it->size_count, sizeof *it->sizes, 1);
}

static unsigned suspect_stepping(struct inference *it, uint32_t block,
                                 const struct tn_training_span *step) {
    const struct tn_training_span *next = tn_training_after(&it->work.steps, step->end);
    unsigned signs = signs_of(it, block);
    uint64_t size = it->keys->trace->blocks[block].size;
    uint32_t end = end_of(it, block);
    if (!step->pure) return ANY;
    if (end <= step->end && step->complete) return TEMPORARY;
    if ((signs & TN_TRAINING_WORKSPACE) != 0) return OTHER;
    if (!step->complete) return STATE | PARAMETER | TEMPORARY | OTHER;
    if (is_freed_within(&it->work.zeros, end)) return GRADIENT;
    if (next != NULL && end <= next->begin) // a state lasts until the next step, or replaces one
        return ANY & ~(unsigned)INPUT & ~(unsigned)ACTIVATION;
    if ((signs & TN_TRAINING_PYTHON) != 0 && (signs & TN_TRAINING_UPDATE) == 0)
        return STATE | PARAMETER | INPUT | OTHER;
    if (it->sized != step) list_replaced(it, step);
    if (tn_numbers_find(it->sizes, it->size_count, sizeof size, size) != NULL)
        return STATE | PARAMETER | FROM_STEP;
    return names_operators(it) ? STATE | FROM_STEP : STATE | OTHER | FROM_STEP;
}

// ---- blocks of a backward pass

static unsigned suspect_passing(const struct inference *it, uint32_t block,
                                const struct tn_training_span *pass) {
    unsigned signs = signs_of(it, block), reduced = 0;
    uint32_t end = end_of(it, block);
    const struct tn_training_span *step =
        tn_training_after(&it->work.steps, it->keys->lives[block].born);
    if ((it->work.all & TN_TRAINING_REDUCER) != 0) reduced = GRADIENT;
    if (is_freed_within(&it->work.zeros, end)) return GRADIENT;
    if ((signs & TN_TRAINING_WORKSPACE) != 0) return OTHER;
    if (end <= pass->end && end != TN_NEVER) // recomputed activations are temporary blocks too
        return (signs & (TN_TRAINING_MODULE | TN_TRAINING_HOOK)) != 0
                   ? TEMPORARY | ACTIVATION | reduced
                   : TEMPORARY | reduced;
    if (step == NULL || end <= step->begin) return GRADIENT | TEMPORARY | ACTIVATION | OTHER;
    return GRADIENT | OTHER;
}

// ---- other blocks

// Returns the moment after which a block is older than one iteration: its second step. TN_NEVER:
// the recording ends before.
static uint32_t iteration_end(const struct inference *it, uint32_t born) {
    const struct tn_training_span *end = it->work.steps.list + it->work.steps.count;
    const struct tn_training_span *step = tn_training_after(&it->work.steps, born);
    return step != NULL && step + 1 < end ? step[1].begin : TN_NEVER;
}

// Returns true if a block lives longer than one iteration.
static bool outlasts(const struct inference *it, uint32_t born, uint32_t end) {
    return iteration_end(it, born) != TN_NEVER && end > iteration_end(it, born);
}

// Returns true if a block is gone after one iteration, although the recording has a further one.
static bool is_brief(const struct inference *it, uint32_t born, uint32_t end) {
    return iteration_end(it, born) != TN_NEVER && end <= iteration_end(it, born);
}

// Returns true for a moment between a backward pass and the next step, where programs change
// gradients.
static bool is_behind_pass(const struct inference *it, uint32_t moment) {
    const struct tn_training_span *pass = tn_training_after(&it->work.passes, moment);
    const struct tn_training_span *step = tn_training_after(&it->work.steps, moment);
    return step != NULL && (pass == NULL || step->begin <= pass->begin);
}

static unsigned suspect_forward(const struct inference *it, uint32_t block) {
    unsigned signs = signs_of(it, block);
    uint32_t born = it->keys->lives[block].born, end = end_of(it, block);
    const struct tn_training_span *pass = tn_training_after(&it->work.passes, born);
    if ((signs & TN_TRAINING_WORKSPACE) != 0) return OTHER;
    if (pass != NULL && is_freed_within(&it->work.passes, end))
        return (signs & TN_TRAINING_CAST) != 0 || !names_operators(it) ? ACTIVATION | INPUT | OTHER
                                                                       : ACTIVATION;
    if (end != TN_NEVER && (pass == NULL || end <= pass->begin)) return TEMPORARY | ACTIVATION;
    return pass != NULL ? ACTIVATION | OTHER : ACTIVATION | TEMPORARY | OTHER;
}

static unsigned suspect_outside(const struct inference *it, uint32_t block) {
    unsigned signs = signs_of(it, block);
    uint32_t born = it->keys->lives[block].born, end = end_of(it, block);
    const struct tn_training_span *pass = tn_training_after(&it->work.passes, born);
    const struct tn_training_span *freed = tn_training_around(&it->work.passes, end);
    const struct tn_training_span *step = tn_training_after(&it->work.steps, born);
    unsigned computed = (signs & TN_TRAINING_SOURCE) != 0 ? 0 : ACTIVATION;
    unsigned built = (signs & TN_TRAINING_BUILD) != 0 || step == NULL ? PARAMETER | STATE : 0;
    unsigned graded =
        is_behind_pass(it, born) || (it->work.all & TN_TRAINING_REDUCER) != 0 ? GRADIENT : 0;
    if ((signs & TN_TRAINING_WORKSPACE) != 0) return OTHER;
    if (is_freed_within(&it->work.zeros, end)) return GRADIENT;
    if (end != TN_NEVER && (step == NULL || end <= step->begin)) {
        if (freed == NULL || pass == NULL || born > freed->begin)
            return INPUT | TEMPORARY | OTHER | computed | built | graded;
        // The last tensors of a function are freed after the last allocation of the pass.
        return (signs & TN_TRAINING_OPERATOR) != 0 && computed != 0 && end <= freed->last
                   ? ACTIVATION
                   : INPUT | OTHER | computed | built;
    }
    if (pass != NULL && pass->forward > 0 && born > pass->forward)
        return INPUT | OTHER | computed; // too late for the forward pass of modules
    if (outlasts(it, born, end) || (built != 0 && !is_brief(it, born, end))) computed = 0;
    return PARAMETER | STATE | INPUT | OTHER | computed | graded;
}

// The first pass and the step behind it show which blocks of the start last.
static unsigned suspect_starting(const struct inference *it, uint32_t block) {
    uint32_t end = end_of(it, block);
    const struct tn_training_span *pass = tn_training_after(&it->work.passes, 0);
    const struct tn_training_span *step =
        pass != NULL ? tn_training_after(&it->work.steps, pass->end) : NULL;
    if (is_freed_within(&it->work.zeros, end)) return GRADIENT;
    return step != NULL && end > step->end ? LASTING : ANY;
}

static unsigned suspect_block(struct inference *it, uint32_t block) {
    uint32_t born = it->keys->lives[block].born;
    const struct tn_training_span *step = tn_training_around(&it->work.steps, born);
    const struct tn_training_span *pass = tn_training_around(&it->work.passes, born);
    if (step != NULL) return suspect_stepping(it, block, step);
    if (pass != NULL) return suspect_passing(it, block, pass);
    unsigned signs = signs_of(it, block);
    bool forward = (signs & TN_TRAINING_MODULE) != 0 && (signs & TN_TRAINING_LAZY) == 0;
    return forward ? suspect_forward(it, block) : suspect_outside(it, block);
}

// Notes the stacks whose blocks do not last: the data of each iteration. Parameters that steps
// replace do not last either.
static void note_passing(struct inference *it, uint32_t block) {
    uint32_t end = end_of(it, block);
    if (is_brief(it, it->keys->lives[block].born, end) && !is_freed_within(&it->work.steps, end) &&
        (signs_of(it, block) & TN_TRAINING_BUILD) == 0)
        it->passing[it->keys->trace->blocks[block].stack] = 1;
}

static bool is_passing(const struct inference *it, size_t block) {
    return it->passing[it->keys->trace->blocks[block].stack] != 0;
}

static void suspect_all(struct inference *it) {
    for (size_t i = 0; i < it->device->starting_count; i++) {
        uint32_t block = (uint32_t)(it->device->first_starting + i);
        it->roles[block] = (uint16_t)suspect_starting(it, block);
    }
    for (size_t i = 0; i < it->device->event_count; i++) {
        const struct tn_event *event = &it->keys->trace->events[it->device->first_event + i];
        if (event->kind != TN_EVENT_ALLOC) continue;
        it->roles[event->item] = (uint16_t)suspect_block(it, event->item);
        note_passing(it, event->item);
    }
}

// ---- comparison of sizes at a step

struct candidate {
    uint64_t size, block; // sorted by these
    bool grows;           // allocated and kept by the step
    bool gradient;        // kept until the step, as gradients are
};

static bool is_kept_gradient(unsigned roles) {
    return (roles & GRADIENT) != 0 && (roles & (PARAMETER | TEMPORARY)) == 0;
}

static void add_candidate(const struct inference *it, const struct tn_training_span *step,
                          uint32_t block, struct candidate *list, size_t *count) {
    const struct tn_life *life = &it->keys->lives[block];
    unsigned roles = it->roles[block];
    bool grows = life->born > step->begin && life->born <= step->end && life->freed > step->end;
    if (grows || (tn_life_covers(life, step->begin) &&
                  ((roles & (PARAMETER | STATE)) != 0 || is_kept_gradient(roles))))
        list[(*count)++] = (struct candidate){it->keys->trace->blocks[block].size, block, grows,
                                              !grows && is_kept_gradient(roles)};
}

// The sizes of cuBLAS's workspaces identify them, because stacks may be cut before the function
// that allocates them.
static bool is_workspace_size(uint64_t size) { return size == 8519680 || size == 33554432; }

// A workspace that a backward pass allocates stays. Where programs give up gradients before the
// next step, a block that outlives it is not a gradient. A block of a workspace's size may not be
// one either.
static void exclude_workspaces(struct inference *it, struct candidate *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        it->drops |= list[i].gradient &&
                     is_brief(it, it->keys->lives[list[i].block].born, end_of(it, list[i].block));
    for (size_t i = 0; i < count; i++) {
        uint32_t born = it->keys->lives[list[i].block].born, end = end_of(it, list[i].block);
        if (!is_one(it->roles[list[i].block]) && !is_brief(it, born, end) &&
            ((it->drops && outlasts(it, born, end)) || is_workspace_size(list[i].size)))
            list[i].gradient = false;
    }
}

static size_t list_candidates(struct inference *it, const struct tn_training_span *step,
                              struct candidate *list) {
    size_t count = 0;
    for (size_t i = 0; i < it->device->starting_count; i++)
        add_candidate(it, step, (uint32_t)(it->device->first_starting + i), list, &count);
    for (size_t i = 0; i < step->end && i < it->device->event_count; i++) {
        const struct tn_event *event = &it->keys->trace->events[it->device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC) add_candidate(it, step, event->item, list, &count);
    }
    exclude_workspaces(it, list, count);
    tn_numbers_sort(list, count, sizeof *list, 2);
    return count;
}

// The candidates of one size.
struct tally {
    size_t gradients;  // kept until the step
    size_t parameters; // that may be parameters
    size_t certain;    // of these: are parameters
    size_t live;       // of those that may be parameters: live at the moment
    size_t grown;      // allocated and kept by the step
    size_t states;     // of all: are optimizer state
};

static struct tally tally_size(const struct inference *it, const struct candidate *list,
                               size_t count, size_t moment) {
    struct tally tally = {0};
    for (size_t i = 0; i < count; i++) {
        unsigned roles = it->roles[list[i].block];
        tally.grown += list[i].grows;
        tally.states += (roles & ROLES) == STATE;
        if (list[i].grows) continue;
        tally.gradients += list[i].gradient;
        if ((roles & PARAMETER) == 0) continue;
        tally.parameters++;
        tally.certain += is_one(roles);
        tally.live += tn_life_covers(&it->keys->lives[list[i].block], moment);
    }
    return tally;
}

// A parameter and its two states have one size, and the answer contains only sums. If all three are
// live at the moment, it does not matter which of them is the parameter.
static void divide_adam(struct inference *it, const struct candidate *list, size_t count,
                        const struct tally *tally) {
    size_t parameters = tally->gradients - tally->certain;
    for (size_t i = 0; i < count; i++) {
        unsigned roles = it->roles[list[i].block];
        if (list[i].grows || (roles & PARAMETER) == 0 || is_one(roles)) continue;
        it->roles[list[i].block] = (uint16_t)(parameters > 0 ? PARAMETER : STATE);
        parameters -= parameters > 0;
    }
}

// Each gradient has a parameter of its size. If there are as many candidates, all are parameters;
// if there are fewer, not all the others are gradients.
static void match_size(struct inference *it, const struct tn_training_span *step,
                       const struct candidate *list, size_t count, size_t moment) {
    struct tally tally = tally_size(it, list, count, moment);
    it->hides |= tally.parameters < tally.gradients;
    for (size_t i = 0; i < count; i++) {
        uint16_t *roles = &it->roles[list[i].block];
        if ((*roles & ROLES) == (STATE | OTHER) && tally.gradients > 0) *roles = STATE | FROM_STEP;
        if (list[i].grows) continue;
        if (list[i].gradient && tally.parameters >= tally.gradients)
            *roles = GRADIENT;
        else if ((*roles & PARAMETER) != 0 && tally.parameters == tally.gradients &&
                 !is_passing(it, list[i].block))
            *roles = PARAMETER | MATCHED;
        else if ((*roles & PARAMETER) != 0 && tally.gradients > 0)
            *roles |= MATCHED;
        else if ((*roles & PARAMETER) != 0 && tally.states == 0)
            *roles |= FOREIGN;
    }
    if (step->adam && step->pure && tally.gradients > 0 && tally.grown + tally.states == 0 &&
        tally.parameters == 3 * tally.gradients && tally.live == tally.parameters &&
        tally.certain <= tally.gradients)
        divide_adam(it, list, count, &tally);
}

// Returns true if the step makes a state for each gradient.
static bool makes_all_states(const struct inference *it, const struct candidate *list,
                             size_t count) {
    size_t gradients = 0;
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && list[next].size == list[i].size;) next++;
        struct tally tally = tally_size(it, list + i, next - i, 0);
        if (tally.gradients > tally.states) return false;
        gradients += tally.gradients;
    }
    return gradients > 0;
}

static void match_step(struct inference *it, const struct tn_training_span *step,
                       struct candidate *list, size_t moment) {
    size_t count = list_candidates(it, step, list);
    it->makes_state |= step->pure && step->complete && makes_all_states(it, list, count);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && list[next].size == list[i].size;) next++;
        match_size(it, step, list + i, next - i, moment);
    }
}

// Compares at the first step behind a pass, and at the steps around the moment.
static void match_steps(struct inference *it, struct candidate *list, uint32_t moment) {
    const struct tn_training_span *begin = it->work.steps.list;
    const struct tn_training_span *first =
        tn_training_after(&it->work.steps, it->work.passes.list[0].end);
    const struct tn_training_span *next = tn_training_after(&it->work.steps, moment);
    size_t after = next != NULL ? (size_t)(next - begin) : it->work.steps.count;
    match_step(it, first, list, moment);
    if (after > 0 && begin + after - 1 > first) match_step(it, begin + after - 1, list, moment);
    if (after < it->work.steps.count && begin + after > first)
        match_step(it, begin + after, list, moment);
}

// Excludes more roles of a block, by what the steps have shown.
static unsigned settle_block(const struct inference *it, uint32_t block) {
    unsigned roles = it->roles[block];
    const struct tn_life *life = &it->keys->lives[block];
    bool foreign = (roles & FOREIGN) != 0 && (roles & MATCHED) == 0;
    const struct tn_training_span *step = tn_training_after(&it->work.steps, life->born);
    if (it->hides && !is_one(roles) && step != NULL && end_of(it, block) > step->end)
        return (roles | PARAMETER) & ROLES;
    if ((roles & PARAMETER) == 0 || (roles & FROM_STEP) != 0 || is_one(roles)) return roles & ROLES;
    if (foreign && life->born > 0 && is_passing(it, block))
        roles &= ~(unsigned)(PARAMETER | STATE | (is_behind_pass(it, life->born) ? 0 : GRADIENT));
    if (it->makes_state && (foreign || life->born > 0) &&
        (signs_of(it, block) & TN_TRAINING_OPTIMIZER) == 0)
        roles &= ~(unsigned)(life->born > 0 || (roles & TEMPORARY) != 0 ? STATE : STATE | GRADIENT);
    return roles & ROLES;
}

// ---- sums

static void add_group(struct tn_roles *roles, unsigned set, uint64_t bytes) {
    size_t i = 0;
    while (i < roles->group_count && roles->groups[i].roles != set) i++;
    if (i == TN_ROLE_GROUPS)
        i--; // the last group is of several sets then
    else if (i == roles->group_count)
        roles->groups[roles->group_count++] = (struct tn_role_group){.roles = set};
    roles->groups[i].roles |= set;
    roles->groups[i].bytes += bytes;
    roles->groups[i].count++;
    roles->open |= set;
}

static void sum_recorded(const struct tn_moment *moment, struct tn_roles *roles) {
    for (size_t i = 0; i < moment->block_count; i++) {
        const struct tn_block *block = &moment->trace->blocks[moment->blocks[i]];
        roles->bytes[block->category] += block->size;
        roles->known |= block->category != TN_CATEGORY_NONE;
    }
}

static int by_bytes(const void *left, const void *right) {
    const struct tn_role_group *a = (const struct tn_role_group *)left;
    const struct tn_role_group *b = (const struct tn_role_group *)right;
    return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

static void sum_inferred(const struct inference *it, const struct tn_moment *moment,
                         struct tn_roles *roles) {
    *roles = (struct tn_roles){.inferred = true};
    for (size_t i = 0; i < moment->block_count; i++) {
        unsigned set = settle_block(it, moment->blocks[i]);
        uint64_t bytes = moment->trace->blocks[moment->blocks[i]].size;
        if (is_one(set))
            roles->bytes[__builtin_ctz(set)] += bytes;
        else
            add_group(roles, set, bytes);
    }
    roles->open |= it->hides ? PARAMETER : 0;
    qsort(roles->groups, roles->group_count, sizeof *roles->groups, by_bytes);
    roles->known =
        roles->bytes[TN_CATEGORY_PARAMETER] > 0 || roles->bytes[TN_CATEGORY_OPTIMIZER_STATE] > 0 ||
        roles->bytes[TN_CATEGORY_GRADIENT] > 0 || roles->bytes[TN_CATEGORY_ACTIVATION] > 0;
}

// ---- the whole

static enum tn_role_lack find_lack(const struct inference *it) {
    const struct tn_trace *trace = it->keys->trace;
    if (tn_trace_count(trace, it->device, TN_EVENT_ALLOC) == 0) return TN_ROLES_NO_HISTORY;
    if ((trace->lacks & TN_TRACE_NO_STACKS) != 0 || trace->call_count < 2)
        return TN_ROLES_NO_STACKS;
    if ((it->work.all & TN_TRAINING_SHARDED) != 0) return TN_ROLES_SHARDED;
    if (it->work.passes.count == 0) return TN_ROLES_NO_BACKWARD;
    if (tn_training_after(&it->work.steps, it->work.passes.list[0].end) == NULL)
        return TN_ROLES_NO_STEP;
    return TN_ROLES_TOLD;
}

static tarn_status infer(struct inference *it, const struct tn_moment *moment,
                         struct tn_roles *roles) {
    const struct tn_trace_device *device = it->device;
    size_t room = device->starting_count + device->event_count + 1;
    struct tn_scratch memory = {0};
    struct candidate *list;
    TN_TAKE(&memory, list, room);
    TN_TAKE(&memory, it->roles, it->keys->trace->block_count);
    TN_TAKE(&memory, it->passing, it->keys->trace->call_count);
    TN_TAKE(&memory, it->sizes, device->event_count);
    bool fits = !memory.failed;
    if (fits) {
        suspect_all(it);
        match_steps(it, list, (uint32_t)moment->at);
        sum_inferred(it, moment, roles);
        roles->lack = roles->known ? TN_ROLES_TOLD : TN_ROLES_UNCERTAIN;
    }
    tn_scratch_release(&memory);
    return fits ? TARN_OK
                : tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the roles of blocks");
}

tarn_status tn_roles_make(const struct tn_tables *keys, const struct tn_moment *moment,
                          struct tn_roles *roles) {
    struct inference it = {.keys = keys, .device = moment->device};
    *roles = (struct tn_roles){0};
    sum_recorded(moment, roles);
    if (roles->known) return TARN_OK;
    TN_TRY(tn_training_make(keys->trace, moment->device, keys->phases, &it.work));
    tarn_status status = TARN_OK;
    *roles = (struct tn_roles){.lack = find_lack(&it)};
    if (roles->lack == TN_ROLES_TOLD) status = infer(&it, moment, roles);
    tn_training_release(&it.work);
    return status;
}
