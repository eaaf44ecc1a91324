// SPDX-License-Identifier: Apache-2.0
// Judges leaks; see leak.h. The blocks that are never freed are sorted by size and line: a group
// that has the same number of blocks in each of the last steps may leak. The last complete step
// does not count, because the next one may free what it leaves.
#include "trace/study/leak.h"

#include "base/error.h"
#include "trace/builder.h"
#include "trace/study/training.h"

// LEAKING: so many steps must leave the same. CLEAN: so many must leave nothing. Both must be half
// of the steps too.
enum { LEAKING = 4, CLEAN = 3 };

// Growth below this part of the peak may be of records that a program keeps, such as losses.
enum { SLIGHT = 1000 };

// A block that is never freed, or lives for more than a step.
struct kept {
    uint64_t size;
    uint64_t line;  // of its owner
    uint64_t block; // sorted by these; blocks are numbered in their order
    uint32_t step;
    bool state;    // gradients, state of an optimizer, or a cache
    bool released; // it was freed
};

struct judge {
    const struct tn_tables *facts;
    struct tn_scratch memory;
    size_t complete;    // steps
    size_t allocations; // of the device
    struct kept *kept;
    size_t kept_count;
    size_t left_count;  // of the blocks of the device that are never freed
    size_t kept_inside; // those of complete steps but the last, which come first
    uint64_t *lowest;   // live bytes, by complete step
    uint64_t *left;     // bytes that are never freed, by complete step
    double *allocated;  // bytes, by complete step
    uint16_t *work;     // signs of the stacks, by complete step: see stack_work()
    uint16_t *signs;    // enum tn_training_sign, by stack
    bool trusts;        // the steps are steps of the program
};

// ---- the work that stacks show

enum { FORWARD = TN_TRAINING_MODULE, BACKWARD = TN_TRAINING_BACKWARD };
enum { OPTIMIZER = TN_TRAINING_UPDATE | TN_TRAINING_OPTIMIZER };

// A layer that is computed again is a part of the backward pass.
static unsigned stack_work(const struct judge *judge, uint32_t stack) {
    unsigned signs = judge->signs[stack];
    return (signs & BACKWARD) != 0 ? BACKWARD : signs & (FORWARD | OPTIMIZER);
}

// Returns true if a call by its name belongs to a cache.
static bool names_cache(const struct tn_trace *trace, uint32_t call) {
    unsigned signs = tn_signs_of_training(trace->texts[trace->calls[call].function]) |
                     tn_signs_of_training(trace->texts[trace->calls[call].file]);
    return (signs & TN_TRAINING_CACHE) != 0;
}

// ---- the table of the steps

static bool begin_judge(struct judge *judge) {
    const struct tn_tables *facts = judge->facts;
    size_t begins = facts->steps->begin_count;
    unsigned all = 0;
    judge->complete = begins > 0 ? begins - 1 : 0;
    TN_TAKE(&judge->memory, judge->kept, facts->device->event_count);
    TN_TAKE(&judge->memory, judge->lowest, judge->complete);
    TN_TAKE(&judge->memory, judge->left, judge->complete);
    TN_TAKE(&judge->memory, judge->allocated, judge->complete);
    TN_TAKE(&judge->memory, judge->work, judge->complete);
    TN_TAKE(&judge->memory, judge->signs, facts->trace->call_count);
    return !judge->memory.failed && tn_training_sign(facts->trace, judge->signs, &all);
}

// Adds a block to its step: `complete` for those outside of complete steps.
static void add_block(struct judge *judge, uint32_t number, size_t step, bool optimizes) {
    const struct tn_tables *facts = judge->facts;
    const struct tn_block *block = &facts->trace->blocks[number];
    const struct tn_life *life = &facts->lives[number];
    unsigned work = stack_work(judge, block->stack) | (optimizes ? OPTIMIZER : 0);
    judge->allocations++;
    judge->allocated[step] += (double)block->size;
    judge->work[step] |= (uint16_t)work;
    uint32_t end = life->given < life->freed ? life->given : life->freed;
    // A block of a complete step that lives after the next one is kept.
    if (end != TN_NEVER && (step + 2 > judge->complete || end < facts->steps->begins[step + 2]))
        return;
    if (end == TN_NEVER) {
        judge->left[step] += block->size;
        judge->left_count++;
    }
    uint32_t line = facts->owners->lines[block->stack];
    judge->kept[judge->kept_count++] = (struct kept){
        .size = block->size,
        .line = line,
        .step = (uint32_t)step,
        .block = number,
        .state = (work & (BACKWARD | OPTIMIZER)) != 0 || names_cache(facts->trace, line),
        .released = end != TN_NEVER};
}

static void fill_table(struct judge *judge) {
    const struct tn_tables *facts = judge->facts;
    const uint32_t *begins = facts->steps->begins;
    size_t step = judge->complete, next = 0;
    bool optimizes = false;
    for (size_t i = 0; i < facts->device->event_count; i++) {
        const struct tn_event *event = &facts->trace->events[facts->device->first_event + i];
        while (next <= judge->complete && judge->complete > 0 && begins[next] <= i) {
            step = next++;
            judge->lowest[step] = facts->levels->live[begins[step]];
        }
        uint64_t live = facts->levels->live[i + 1];
        if (step < judge->complete && live < judge->lowest[step]) judge->lowest[step] = live;
        if (event->kind == TN_EVENT_MARK)
            optimizes = tn_is_optimizer_step(facts->trace->texts[event->item]);
        else if (event->kind == TN_EVENT_MARK_END)
            optimizes &= !tn_is_optimizer_step(facts->trace->texts[event->item]);
        else if (event->kind == TN_EVENT_ALLOC)
            add_block(judge, event->item, step, optimizes);
    }
}

// The first step may lack its begin.
static bool trusts_steps(const struct judge *judge) {
    if (judge->facts->steps->kind == TN_STEPS_BY_MARKS) return true;
    for (size_t i = 1; i < judge->complete; i++)
        if ((judge->work[i] & FORWARD) == 0 || (judge->work[i] & BACKWARD) == 0 ||
            (judge->work[i] & OPTIMIZER) == 0)
            return false;
    return true;
}

// ---- no leak

// Returns the number of steps that suffice for a verdict of no, of those looked at. If what recurs
// may be no step, all but the first must agree.
static bool suffices(const struct judge *judge, size_t run, size_t all) {
    return run >= CLEAN && (judge->trusts ? 2 * run >= all : run + 1 >= all);
}

static size_t count_clean(const struct judge *judge) {
    size_t run = 0;
    for (size_t i = judge->complete - 1; i-- > 0 && judge->left[i] == 0;) run++;
    return run;
}

static size_t count_level(const struct judge *judge) {
    size_t run = 0;
    for (size_t i = judge->complete;
         i-- > 0 && judge->lowest[i] == judge->lowest[judge->complete - 1];)
        run++;
    return run;
}

// ---- a leak

// Returns the number of the last steps in which each has as many blocks of a group as the last one.
// The last of the steps looked at is `last`.
static size_t count_run(const struct kept *group, size_t count, size_t last) {
    size_t run = 0, each = 0;
    while (count > 0) {
        size_t here = 0;
        while (here < count && group[count - 1 - here].step + run == last) here++;
        if (here == 0 || (run > 0 && here != each)) return run;
        each = here;
        count -= here;
        run++;
    }
    return run;
}

// Calls of a group end where the size or the line changes.
static size_t group_length(const struct kept *kept, size_t count) {
    size_t length = 1;
    while (length < count && kept[length].size == kept->size && kept[length].line == kept->line)
        length++;
    return length;
}

// Returns the number of the last steps that leave the same of a group. A block of it that was freed
// later shows that the program collects such blocks, and releases them.
static size_t group_run(const struct kept *group, size_t count, size_t last) {
    for (size_t i = 0; i < count; i++)
        if (group[i].released) return 0;
    return count_run(group, count, last);
}

// Moves the blocks of complete steps but the last to the front, and sorts them.
static void sort_kept(struct judge *judge) {
    for (size_t i = 0; i < judge->kept_count; i++)
        if (judge->kept[i].step + 1 < judge->complete)
            judge->kept[judge->kept_inside++] = judge->kept[i];
    tn_numbers_sort(judge->kept, judge->kept_inside, sizeof *judge->kept, 3);
}

// Finds how many of the last steps leave the same; 0 if they are too few. The first step, which
// sets up memory, does not count.
static size_t find_run(const struct judge *judge) {
    size_t all = judge->complete - 1, least = 0;
    for (size_t i = 0, length; i < judge->kept_inside; i += length) {
        length = group_length(judge->kept + i, judge->kept_inside - i);
        size_t run = group_run(judge->kept + i, length, all - 1);
        run = run < all ? run : all - 1;
        if (run >= LEAKING && 2 * run >= all && (least == 0 || run < least)) least = run;
    }
    return least;
}

// Lists what each of the last `leak->steps` steps leaves. Returns the bytes of it, in each step,
// that are state.
static uint64_t list_leaking(const struct judge *judge, struct tn_leak *leak) {
    size_t all = judge->complete - 1;
    uint64_t state = 0;
    for (size_t i = 0, length; i < judge->kept_inside; i += length) {
        const struct kept *group = judge->kept + i;
        length = group_length(group, judge->kept_inside - i);
        if (group_run(group, length, all - 1) < leak->steps) continue;
        for (size_t k = 0; k < length; k++) {
            if (group[k].step + leak->steps < all) continue;
            leak->blocks[leak->block_count++] = (uint32_t)group[k].block;
            leak->bytes += group[k].step == all - 1 ? group->size : 0;
            state += group[k].step == all - 1 && group[k].state ? group->size : 0;
        }
    }
    return state;
}

// Returns STEADY, or the first reason to doubt that the steps leak. At most a tenth of the
// remaining bytes may be other blocks, and the lowest live bytes must rise by as much as remains;
// otherwise old memory was only replaced.
static enum tn_leak_reason find_doubt(const struct judge *judge, const struct tn_leak *leak,
                                      uint64_t state) {
    const struct tn_levels *levels = judge->facts->levels;
    size_t all = judge->complete - 1, first = all - leak->steps;
    double left = 0, allocated = 0, leaked = (double)leak->bytes * (double)leak->steps;
    double rise = (double)judge->lowest[all - 1] - (double)judge->lowest[first];
    double wanted = leaked - (double)leak->bytes;
    for (size_t i = first; i < all; i++) {
        left += (double)judge->left[i];
        allocated += judge->allocated[i];
    }
    if (left > 1.1 * leaked || rise < 0.75 * wanted || rise > 1.5 * wanted) return TN_LEAK_UNEVEN;
    if (!judge->trusts) return TN_LEAK_UNSURE;
    if (2 * left > allocated) return TN_LEAK_BUILDS;
    if (2 * state > leak->bytes) return TN_LEAK_STATE;
    return leaked < (double)levels->live[levels->peak] / SLIGHT ? TN_LEAK_SLIGHT : TN_LEAK_STEADY;
}

// Stores the reason, which implies the verdict. Returns true.
static bool settle_leak(struct tn_leak *leak, enum tn_leak_reason reason, size_t steps) {
    leak->verdict = reason < TN_LEAK_STEADY    ? TN_LEAK_NO
                    : reason == TN_LEAK_STEADY ? TN_LEAK_YES
                                               : TN_LEAK_UNKNOWN;
    leak->reason = reason;
    leak->steps = steps;
    return true;
}

static bool judge_growth(struct judge *judge, struct tn_leak *leak) {
    sort_kept(judge);
    size_t run = leak->steps = find_run(judge);
    if (run == 0 && !judge->trusts) return settle_leak(leak, TN_LEAK_UNSURE, 0);
    if (run == 0)
        return settle_leak(leak, judge->complete < LEAKING + 2 ? TN_LEAK_FEW : TN_LEAK_UNEVEN, 0);
    leak->blocks = (uint32_t *)calloc(judge->kept_inside, sizeof *leak->blocks);
    if (leak->blocks == NULL) return false;
    uint64_t state = list_leaking(judge, leak);
    return settle_leak(leak, find_doubt(judge, leak, state), run);
}

// ---- the verdict

// Returns true if the steps cover half of the recording, and little follows them.
static bool are_whole(const struct judge *judge) {
    const uint32_t *begins = judge->facts->steps->begins;
    size_t events = judge->facts->device->event_count;
    size_t length = begins[judge->complete] - begins[0], rest = events - begins[judge->complete];
    return 2 * length >= events && (4 * rest <= events || rest * judge->complete <= 2 * length);
}

static bool judge_steps(struct judge *judge, struct tn_leak *leak) {
    const struct tn_levels *levels = judge->facts->levels;
    const uint32_t *begins = judge->facts->steps->begins;
    size_t complete = judge->complete;
    judge->trusts = trusts_steps(judge);
    size_t level = count_level(judge), clean = count_clean(judge);
    leak->growth = ((int64_t)levels->live[begins[complete]] - (int64_t)levels->live[begins[1]]) /
                   (int64_t)(complete - 1);
    leak->level = judge->lowest[complete - 1];
    if (!are_whole(judge)) return settle_leak(leak, TN_LEAK_PART, complete);
    if (suffices(judge, level, complete)) return settle_leak(leak, TN_LEAK_LEVEL, level);
    if (suffices(judge, clean, complete - 1)) return settle_leak(leak, TN_LEAK_CLEAN, clean);
    return judge_growth(judge, leak);
}

static bool judge_device(struct judge *judge, struct tn_leak *leak) {
    const struct tn_levels *levels = judge->facts->levels;
    fill_table(judge);
    if (judge->allocations == 0) return settle_leak(leak, TN_LEAK_NO_STEPS, 0);
    if (judge->left_count == 0) return settle_leak(leak, TN_LEAK_FREED, 0);
    if (levels->live[levels->count - 1] == levels->live[0])
        return settle_leak(leak, TN_LEAK_RETURNS, 0);
    if (judge->complete == 0) return settle_leak(leak, TN_LEAK_NO_STEPS, 0);
    if (judge->complete < CLEAN) return settle_leak(leak, TN_LEAK_FEW, judge->complete);
    return judge_steps(judge, leak);
}

tarn_status tn_leak_judge(const struct tn_tables *facts, struct tn_leak *leak) {
    struct judge judge = {.facts = facts};
    struct tn_leak made = {0};
    bool fits = begin_judge(&judge) && judge_device(&judge, &made);
    tn_scratch_release(&judge.memory);
    TN_REFUSE(!fits, TARN_NO_HOST_MEMORY, "out of host memory for the verdict on leaks");
    *leak = made;
    return TARN_OK;
}

void tn_leak_release(struct tn_leak *leak) {
    free(leak->blocks);
    *leak = (struct tn_leak){0};
}
