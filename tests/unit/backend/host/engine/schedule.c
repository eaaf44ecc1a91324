// SPDX-License-Identifier: Apache-2.0
// The order in which operations run in the schedules eager, late and random.
#include "world.h"

#include <string.h>
#include <time.h>

#define STREAMS 4
#define CALLS   5 // on each stream

// The host functions that ran, in order: a letter for each.
struct record {
    char text[STREAMS * CALLS + 1];
    _Atomic size_t length;
};

struct letter {
    struct record *record;
    char text;
};

static void write_letter(void *arg) {
    const struct letter *letter = (const struct letter *)arg;
    letter->record->text[letter->record->length++] = letter->text;
}

static struct tn_host *open_schedule(enum tn_host_schedule schedule, uint64_t seed) {
    struct tn_host *h = world_open(2);
    tn_host_engine_set_schedule(&h->engine, schedule, seed);
    return h;
}

// Submits CALLS letters to each of STREAMS streams, in turn: aA, bB and so on in order.
static void submit_letters(struct tn_host *h, void **streams, struct letter *letters,
                           struct record *record) {
    for (int i = 0; i < STREAMS; i++) streams[i] = world_stream(h, 0);
    for (int i = 0; i < STREAMS * CALLS; i++) {
        letters[i] = (struct letter){record, (char)('a' + i)};
        assert_int_equal(tn_host_stream_call(h, streams[i % STREAMS], write_letter, &letters[i]),
                         TARN_OK);
    }
}

static void run_letters(enum tn_host_schedule schedule, uint64_t seed, struct record *record) {
    struct tn_host *h = open_schedule(schedule, seed);
    void *streams[STREAMS];
    struct letter letters[STREAMS * CALLS];
    *record = (struct record){"", 0};
    submit_letters(h, streams, letters, record);
    assert_int_equal(tn_host_device_synchronize(h, 0, UINT64_MAX), TARN_OK);
    assert_int_equal(record->length, STREAMS * CALLS);
    world_close(h);
}

static void an_eager_copy_runs_within_its_call(void **state) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_EAGER, 1);
    uint64_t bytes = (uint64_t)4 << 20; // a worker would run it otherwise
    (void)state;
    assert_int_equal(world_fill(h, world_stream(h, 0), WORLD_BASE, 7, bytes), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE + bytes - 1), 7);
    world_close(h);
}

static void a_late_fill_runs_only_when_something_waits_for_it(void **state) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_LATE, 1);
    void *stream = world_stream(h, 0);
    void *other = world_stream(h, 0);
    (void)state;
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 7, 1), TARN_OK);
    assert_int_equal(world_fill(h, other, WORLD_BASE + 1, 7, 1), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, other, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE + 1), 7);
    assert_int_equal(*world_at(h, WORLD_BASE), 0);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE), 7);
    world_close(h);
}

static void waiting_for_an_event_releases_what_precedes_it_and_no_more(void **state) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_LATE, 1);
    void *first = world_stream(h, 0);
    void *second = world_stream(h, 1);
    void *made = world_event(h);
    void *used = world_event(h);
    (void)state;
    assert_int_equal(world_fill(h, first, WORLD_BASE, 7, 1), TARN_OK);
    assert_int_equal(tn_host_event_record(h, made, first), TARN_OK);
    assert_int_equal(world_fill(h, first, WORLD_BASE + 1, 7, 1), TARN_OK);
    assert_int_equal(tn_host_stream_wait(h, second, made), TARN_OK);
    assert_int_equal(world_copy(h, second, WORLD_BASE + 2, WORLD_BASE, 1), TARN_OK);
    assert_int_equal(tn_host_event_record(h, used, second), TARN_OK);
    assert_int_equal(tn_host_event_synchronize(h, used, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE + 2), 7);
    assert_int_equal(*world_at(h, WORLD_BASE + 1), 0);
    tn_host_event_destroy(h, made);
    tn_host_event_destroy(h, used);
    world_close(h);
}

static void polling_a_late_stream_finishes_it(void **state) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_LATE, 1);
    void *stream = world_stream(h, 0);
    (void)state;
    for (int i = 0; i < 3; i++) assert_int_equal(world_fill(h, stream, WORLD_BASE, 7, 1), TARN_OK);
    assert_int_equal(tn_host_stream_query(h, stream), TARN_NOT_READY);
    while (tn_host_stream_query(h, stream) == TARN_NOT_READY) {
    }
    assert_int_equal(*world_at(h, WORLD_BASE), 7);
    world_close(h);
}

static void a_peek_releases_nothing(void **state) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_LATE, 1);
    void *stream = world_stream(h, 0);
    void *event = NULL;
    (void)state;
    assert_int_equal(tn_host_event_create(h, &event), TARN_OK);
    assert_int_equal(tn_host_stream_peek(h, stream), TARN_OK);
    assert_int_equal(tn_host_event_peek(h, event), TARN_OK);
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 7, 1), TARN_OK);
    assert_int_equal(tn_host_event_record(h, event, stream), TARN_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(tn_host_stream_peek(h, stream), TARN_NOT_READY);
        assert_int_equal(tn_host_event_peek(h, event), TARN_NOT_READY);
    }
    assert_int_equal(*world_at(h, WORLD_BASE), 0);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(tn_host_stream_peek(h, stream), TARN_OK);
    assert_int_equal(tn_host_event_peek(h, event), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE), 7);
    tn_host_event_destroy(h, event);
    world_close(h);
}

// A program may wait for a host function by means that the engine does not see.
static void a_late_stream_runs_in_the_end_without_any_call(void **state) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_LATE, 1);
    struct record record = {"", 0};
    struct letter letter = {&record, 'a'};
    (void)state;
    assert_int_equal(tn_host_stream_call(h, world_stream(h, 0), write_letter, &letter), TARN_OK);
    while (record.length == 0) (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    world_close(h);
}

static void a_late_device_runs_its_streams_in_reverse(void **state) {
    struct record record;
    (void)state;
    run_letters(TN_HOST_SCHEDULE_LATE, 1, &record);
    assert_string_equal(record.text, "dhlptcgkosbfjnraeimq");
}

static void one_seed_gives_one_order_and_another_seed_another(void **state) {
    struct record first, record;
    unsigned different = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        run_letters(TN_HOST_SCHEDULE_RANDOM, seed, seed == 1 ? &first : &record);
        different += seed != 1 && strcmp(first.text, record.text) != 0;
    }
    assert_true(different > 15);
    for (int i = 0; i < 50; i++) {
        run_letters(TN_HOST_SCHEDULE_RANDOM, 1, &record);
        assert_string_equal(record.text, first.text);
    }
}

static void a_random_order_keeps_each_stream_in_order(void **state) {
    struct record record;
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        run_letters(TN_HOST_SCHEDULE_RANDOM, seed, &record);
        char last[STREAMS] = {0};
        for (size_t i = 0; i < STREAMS * CALLS; i++) {
            int stream = (record.text[i] - 'a') % STREAMS;
            assert_true(record.text[i] > last[stream]);
            last[stream] = record.text[i];
        }
    }
}

// Submits letters to two streams. After each call notes how many have run: calls return when no
// operation is about to run, so that the program sees the same each time.
static void watch_letters(uint64_t seed, char seen[2 * CALLS + 1]) {
    struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_RANDOM, seed);
    void *streams[2] = {world_stream(h, 0), world_stream(h, 1)};
    struct letter letters[2 * CALLS];
    struct record record = {"", 0};
    for (int i = 0; i < 2 * CALLS; i++) {
        letters[i] = (struct letter){&record, 'a'};
        assert_int_equal(tn_host_stream_call(h, streams[i % 2], write_letter, &letters[i]),
                         TARN_OK);
        seen[i] = (char)('0' + record.length);
    }
    seen[2 * CALLS] = '\0';
    world_close(h);
}

static void one_seed_shows_the_program_the_same_after_each_call(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        char first[2 * CALLS + 1], seen[2 * CALLS + 1];
        watch_letters(seed, first);
        for (int i = 0; i < 10; i++) {
            watch_letters(seed, seen);
            assert_string_equal(seen, first);
        }
    }
}

static void an_event_on_an_idle_stream_may_pass_late(void **state) {
    unsigned late = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_RANDOM, seed);
        void *event = world_event(h);
        assert_int_equal(tn_host_event_record(h, event, world_stream(h, 0)), TARN_OK);
        late += tn_host_event_query(h, event) == TARN_NOT_READY;
        while (tn_host_event_query(h, event) == TARN_NOT_READY) {
        }
        tn_host_event_destroy(h, event);
        world_close(h);
    }
    assert_in_range(late, 1, 39);
}

// A function may wait for what the program does after the call that submitted it.
static void a_call_does_not_wait_for_a_blocked_function(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_RANDOM, seed);
        struct world_block block;
        world_block(h, world_stream(h, 0), &block);
        assert_int_equal(world_fill(h, world_stream(h, 0), WORLD_BASE, 7, 1), TARN_OK);
        world_unblock(&block);
        assert_int_equal(tn_host_device_synchronize(h, 0, UINT64_MAX), TARN_OK);
        assert_int_equal(*world_at(h, WORLD_BASE), 7);
        world_close(h);
    }
}

static bool mark_passed;

static tarn_status mark_has_passed(void *arg, bool dropped) {
    (void)arg, (void)dropped;
    return mark_passed ? TARN_OK : TARN_NOT_READY;
}

// Between two calls no time passes for the device, so the program decides when a condition passes.
static void a_condition_passes_within_a_call(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct tn_host *h = open_schedule(TN_HOST_SCHEDULE_RANDOM, seed);
        void *stream = world_stream(h, 0);
        mark_passed = false;
        assert_int_equal(tn_host_stream_wait_until(h, stream, mark_has_passed, NULL), TARN_OK);
        assert_int_equal(world_fill(h, stream, WORLD_BASE, 7, 1), TARN_OK);
        assert_int_equal(*world_at(h, WORLD_BASE), 0);
        mark_passed = true;
        assert_int_equal(*world_at(h, WORLD_BASE), 0);
        while (tn_host_stream_query(h, stream) == TARN_NOT_READY) {
        }
        assert_int_equal(*world_at(h, WORLD_BASE), 7);
        world_close(h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eager_copy_runs_within_its_call),
        cmocka_unit_test(a_late_fill_runs_only_when_something_waits_for_it),
        cmocka_unit_test(waiting_for_an_event_releases_what_precedes_it_and_no_more),
        cmocka_unit_test(polling_a_late_stream_finishes_it),
        cmocka_unit_test(a_peek_releases_nothing),
        cmocka_unit_test(a_late_stream_runs_in_the_end_without_any_call),
        cmocka_unit_test(a_late_device_runs_its_streams_in_reverse),
        cmocka_unit_test(one_seed_gives_one_order_and_another_seed_another),
        cmocka_unit_test(a_random_order_keeps_each_stream_in_order),
        cmocka_unit_test(one_seed_shows_the_program_the_same_after_each_call),
        cmocka_unit_test(an_event_on_an_idle_stream_may_pass_late),
        cmocka_unit_test(a_call_does_not_wait_for_a_blocked_function),
        cmocka_unit_test(a_condition_passes_within_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
