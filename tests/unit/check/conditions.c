// SPDX-License-Identifier: Apache-2.0
// The order of work around waits whose other side no event shows. Random programs are compared with
// a model that tries every signal for every such wait.
#include "unit/check/order/events.h"

enum { HOST = 0, S1 = 11, S2 = 22, S3 = 33 };

static void polls(uint64_t stream) { NOTE(.kind = TN_MEM_CONDITION, .stream = stream); }
static void polls_by_call(uint64_t stream) {
    polls(stream);
    submits_call(stream, stream);
}

static void expect_nothing(void) { assert_int_equal(reports, 0); }

// ---- one condition

static void a_race_of_two_other_streams_is_reported(void **state) {
    (void)state;
    polls(S3);
    writes(S1);
    writes(S2);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void work_behind_a_condition_may_come_after_earlier_and_later_work(void **state) {
    (void)state;
    writes(S1);
    polls(S2);
    writes(S2);
    expect_nothing();
    writes(S1);
    expect_nothing();
}

static void work_before_a_condition_of_its_stream_is_judged(void **state) {
    (void)state;
    writes(S2);
    polls(S2);
    writes(S1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void an_event_passes_a_condition_on(void **state) {
    (void)state;
    writes(S1);
    polls(S2);
    records(S2);
    waits(S3);
    writes(S3);
    expect_nothing();
    records(S1);
    waits(S3);
    writes(S1); // may have waited for the write of S3 by other means
    expect_nothing();
}

static void an_event_recorded_again_forgets_its_conditions(void **state) {
    (void)state;
    polls(S2);
    records(S2);
    records(S1);
    waits(S3);
    writes(S3);
    writes(S1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void two_streams_behind_one_condition_race(void **state) {
    (void)state;
    polls(S2);
    records(S2);
    waits(S3);
    writes(S3);
    writes(S2);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void the_host_comes_after_the_conditions_of_a_stream_that_it_waited_for(void **state) {
    (void)state;
    writes(S1);
    polls(S2);
    synchronises(S2);
    writes(HOST);
    expect_nothing();
    writes(S3);
    expect_nothing();
    writes(S1); // all work knows the condition by now, so it orders no more work
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void the_host_itself_may_wait_for_other_processes(void **state) {
    (void)state;
    writes(S1);
    polls(HOST);
    writes(HOST);
    expect_nothing();
    writes(S1);
    writes(HOST);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_destroyed_stream_leaves_its_conditions_to_the_host(void **state) {
    (void)state;
    writes(S1);
    polls(S2);
    NOTE(.kind = TN_MEM_STREAM_SYNC, .stream = S2);
    NOTE(.kind = TN_MEM_STREAM_END, .stream = S2);
    writes(S3); // takes the place of S2 in the checker's tables
    expect_nothing();
    writes(S1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_read_behind_a_condition_does_not_hide_an_earlier_read(void **state) {
    (void)state;
    reads(S1);
    records(S1);
    waits(S2);
    polls(S2);
    reads(S2);
    writes(S3);
    expect(TN_CHECK_KIND_COPY_RACE);
}

// ---- ends of memory, which later work cannot precede

static void a_free_must_wait_for_work_behind_a_condition(void **state) {
    (void)state;
    begins(HOST);
    polls(S1);
    writes(S1);
    ends(HOST);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
    begins(HOST);
    writes(S1);
    polls(S2);
    ends(S2);
    expect_nothing();
}

static void work_behind_a_condition_is_in_flight(void **state) {
    (void)state;
    struct tn_check_touch touch;
    uint64_t other;
    polls(S1);
    writes(S1);
    assert_true(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
    polls(HOST);
    assert_false(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
    writes(S1);
    assert_true(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
    synchronises(S1);
    assert_false(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
}

static void a_block_is_not_used_before_it_is_allocated(void **state) {
    (void)state;
    polls(S1);
    begins(S1);
    writes(S2);
    expect(TN_CHECK_KIND_USE_BEFORE_EVENT);
    tn_check_order_reset();
    begins(S1);
    polls(S2);
    writes(S2);
    expect_nothing();
}

static void a_free_behind_a_condition_precedes_no_reuse_elsewhere(void **state) {
    (void)state;
    begins(S1);
    polls(S1);
    ends(S1);
    begins(S2);
    expect(TN_CHECK_KIND_REUSE_BEFORE_EVENT);
}

static void a_free_comes_after_the_conditions_of_all_its_streams(void **state) {
    (void)state;
    begins(HOST);
    writes(S1);
    polls(S2);
    NOTE(.kind = TN_MEM_USED_ON, .stream = S2, .addr = BLOCK);
    ends(HOST);
    expect_nothing();
}

// ---- inside calls

// The words by which streams order their work are no race.
static void accesses_of_a_condition_are_not_judged(void **state) {
    (void)state;
    polls_by_call(S1);
    polls_by_call(S2);
    synchronises(S2);
    call_begins(S1);
    writes(HOST);
    call_ends();
    call_begins(S2);
    reads(HOST);
    call_ends();
    writes(HOST);
    expect_nothing();
}

static void work_of_a_host_function_may_come_before_later_conditions_of_its_stream(void **state) {
    (void)state;
    writes(S2);
    records(S2);
    submits_call(S1, 1);
    polls(S1);
    call_begins(1);
    waits(S3);
    writes(S3);
    call_ends();
    expect_nothing();
    writes(S1);
    expect_nothing();
}

// Work behind the function was submitted before the function waited.
static void after_a_wait_of_a_host_function_no_race_is_concluded(void **state) {
    (void)state;
    writes(S1);
    submits_call(S2, 1);
    call_begins(1);
    polls(HOST);
    call_ends();
    writes(S3);
    expect_nothing();
}

// ---- comparison with a model

// A program is a graph of operations. An edge leads to an operation that certainly comes later.
enum { OPERATIONS = 14, CONDITIONS = 3, STREAMS = 3, EVENTS = 2, PLACES = 5 };

struct operation {
    uint32_t before; // bits of the operations with an edge to this one
    bool condition;
    bool write;
};

struct model {
    struct operation ops[OPERATIONS];
    int count;
    int conditions;
    int newest[1 + STREAMS];   // operation of the host and of each stream, or -1
    int recorded[EVENTS];      // operation, or -1
    int touched[PLACES];       // the first access, or -1
    int touched_twice[PLACES]; // a place is accessed twice at most
};

static uint32_t bit_of(int op) { return op < 0 ? 0 : 1u << op; }

// Adds an operation of the host (actor 0) or of a stream, which the host submits.
static int add_operation(struct model *model, int actor) {
    struct operation op = {.before = bit_of(model->newest[0]) | bit_of(model->newest[actor])};
    model->ops[model->count] = op;
    model->newest[actor] = model->count;
    return model->count++;
}

// Completes `reach`, in which bit j of reach[i] means that j comes before i. Returns false for a
// circle.
static bool close_graph(const struct model *model, uint32_t reach[OPERATIONS]) {
    for (int via = 0; via < model->count; via++) {
        for (int i = 0; i < model->count; i++)
            if ((reach[i] & bit_of(via)) != 0) reach[i] |= reach[via];
    }
    for (int i = 0; i < model->count; i++)
        if ((reach[i] & bit_of(i)) != 0) return false;
    return true;
}

// Tries every signal, which is an operation or none, for each condition from `from` on. Returns true
// if two operations are ordered then: `a` before `b`, or, with `both`, `b` before `a`.
static bool any_order(const struct model *model, struct operation ops[OPERATIONS], int from, int a,
                      int b, bool both) {
    while (from < model->count && !ops[from].condition) from++;
    if (from == model->count) {
        uint32_t reach[OPERATIONS];
        for (int i = 0; i < model->count; i++) reach[i] = ops[i].before;
        return close_graph(model, reach) &&
               ((reach[b] & bit_of(a)) != 0 || (both && (reach[a] & bit_of(b)) != 0));
    }
    uint32_t before = ops[from].before;
    bool any = false;
    for (int signal = -1; signal < model->count && !any; signal++) {
        ops[from].before = before | bit_of(signal);
        any = any_order(model, ops, from + 1, a, b, both);
    }
    ops[from].before = before;
    return any;
}

static bool may_be_ordered(const struct model *model, int a, int b, bool both) {
    struct operation ops[OPERATIONS];
    for (int i = 0; i < model->count; i++) ops[i] = model->ops[i];
    return any_order(model, ops, 0, a, b, both);
}

static uint64_t stream_of(int actor) { return actor == 0 ? HOST : (uint64_t)(100 + actor); }

static void do_order(struct model *model, int actor, int event, int what) {
    if (what == 0 && actor != 0) {
        NOTE(.kind = TN_MEM_EVENT_RECORD, .stream = stream_of(actor),
             .object = (uint64_t)event + 1);
        model->recorded[event] = add_operation(model, actor);
    } else if (what == 1 && actor != 0 && model->recorded[event] >= 0) {
        NOTE(.kind = TN_MEM_STREAM_WAIT, .stream = stream_of(actor), .object = (uint64_t)event + 1);
        model->ops[add_operation(model, actor)].before |= bit_of(model->recorded[event]);
    } else if (what == 2 && actor != 0) {
        NOTE(.kind = TN_MEM_STREAM_SYNC, .stream = stream_of(actor));
        model->ops[add_operation(model, 0)].before |= bit_of(model->newest[actor]);
    } else if (what == 3 && model->conditions < CONDITIONS) {
        NOTE(.kind = TN_MEM_CONDITION, .stream = stream_of(actor));
        model->ops[add_operation(model, actor)].condition = true;
        model->conditions++;
    }
}

// An access to a place, or the end of its mapping, which nothing may follow.
static void do_access(struct model *model, int actor, int place, bool write, bool end) {
    uint64_t addr = BLOCK + (uint64_t)place * BYTES;
    int old = model->touched[place];
    if (model->touched_twice[place] != 0) return;
    end = end && old >= 0;
    int now = add_operation(model, end ? 0 : actor);
    model->ops[now].write = write || end;
    model->touched[place] = old < 0 ? now : old;
    model->touched_twice[place] = old >= 0;
    reports = 0;
    if (end) {
        NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .flags = TN_MEM_UNWAITED,
             .addr = addr, .bytes = BYTES);
    } else {
        NOTE(.kind = TN_MEM_ACCESS, .flags = write ? TN_MEM_WRITE : TN_MEM_READ,
             .stream = stream_of(actor), .addr = addr, .bytes = BYTES);
    }
    bool conflict = old >= 0 && (model->ops[old].write || model->ops[now].write);
    bool race = conflict && !may_be_ordered(model, old, now, !end);
    if (end)
        assert_true(reports == 0 || race);
    else
        assert_int_equal(reports, race);
}

static void run_program(unsigned *seed, unsigned *races) {
    struct model model = {
        .newest = {-1, -1, -1, -1}, .recorded = {-1, -1}, .touched = {-1, -1, -1, -1, -1}};
    tn_check_order_reset();
    for (int tries = 0; tries < 4 * OPERATIONS && model.count < OPERATIONS; tries++) {
        int actor = rand_r(seed) % (1 + STREAMS);
        int what = rand_r(seed) % 9;
        if (what < 4) {
            do_order(&model, actor, rand_r(seed) % EVENTS, what);
        } else {
            do_access(&model, actor, rand_r(seed) % PLACES, what < 7, what == 8);
            *races += reports;
        }
    }
}

static void a_race_is_reported_exactly_if_no_signals_can_order_it(void **state) {
    (void)state;
    unsigned seed = 1;
    unsigned races = 0;
    for (int i = 0; i < 20000; i++) run_program(&seed, &races);
    assert_true(races > 5000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_race_of_two_other_streams_is_reported),
        TEST(work_behind_a_condition_may_come_after_earlier_and_later_work),
        TEST(work_before_a_condition_of_its_stream_is_judged),
        TEST(an_event_passes_a_condition_on),
        TEST(an_event_recorded_again_forgets_its_conditions),
        TEST(two_streams_behind_one_condition_race),
        TEST(the_host_comes_after_the_conditions_of_a_stream_that_it_waited_for),
        TEST(the_host_itself_may_wait_for_other_processes),
        TEST(a_destroyed_stream_leaves_its_conditions_to_the_host),
        TEST(a_read_behind_a_condition_does_not_hide_an_earlier_read),
        TEST(a_free_must_wait_for_work_behind_a_condition),
        TEST(work_behind_a_condition_is_in_flight),
        TEST(a_block_is_not_used_before_it_is_allocated),
        TEST(a_free_behind_a_condition_precedes_no_reuse_elsewhere),
        TEST(a_free_comes_after_the_conditions_of_all_its_streams),
        TEST(accesses_of_a_condition_are_not_judged),
        TEST(work_of_a_host_function_may_come_before_later_conditions_of_its_stream),
        TEST(after_a_wait_of_a_host_function_no_race_is_concluded),
        TEST(a_race_is_reported_exactly_if_no_signals_can_order_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
