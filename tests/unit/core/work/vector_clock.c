// SPDX-License-Identifier: Apache-2.0
// Claims about vector clocks, against a model that knows the clocks of all streams in full.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/work/vector_clock.h"

enum { STREAMS = 12, EVENTS = 5, STEPS = 20000 };

struct model {
    uint64_t follows[STREAMS][STREAMS]; // the last record of the second that the first follows
    uint64_t event[EVENTS][STREAMS];    // what a stream that waits for it follows
};

static unsigned draw(uint64_t *seed, unsigned below) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(*seed >> 33) % below;
}

static void record_on(tn_clock_stamp *stamp, tn_vector_clock *clock) {
    tn_clock_record record;
    tn_clock_record_begin(stamp, clock, &record);
    tn_clock_record_end(stamp, &record, true);
}

static void wait_on(tn_clock_stamp *stamp, tn_vector_clock *clock) {
    tn_clock_wait_end(stamp, clock, tn_clock_wait_begin(stamp));
}

static void model_record(struct model *m, unsigned event, unsigned stream, uint64_t number) {
    for (unsigned i = 0; i < STREAMS; i++) m->event[event][i] = m->follows[stream][i];
    m->event[event][stream] = number;
}

static void model_wait(struct model *m, unsigned event, unsigned stream) {
    for (unsigned i = 0; i < STREAMS; i++)
        if (m->event[event][i] > m->follows[stream][i]) m->follows[stream][i] = m->event[event][i];
}

static void compare(const struct model *m, tn_vector_clock *const *clocks) {
    for (unsigned a = 0; a < STREAMS; a++) {
        for (unsigned b = 0; b < STREAMS; b++) {
            uint64_t last = m->follows[a][b];
            if (a != b) { // a stream follows itself; the clock need not know
                assert_true(last == 0 || tn_clock_follows(clocks[a], clocks[b], last));
                assert_false(tn_clock_follows(clocks[a], clocks[b], last + 1));
            }
        }
    }
}

static void few_streams_are_known_in_full(void **state) {
    tn_vector_clock *clocks[STREAMS];
    tn_clock_stamp stamps[EVENTS] = {0};
    struct model *m = calloc(1, sizeof *m);
    uint64_t seed = 1;
    (void)state;
    assert_non_null(m);
    for (unsigned i = 0; i < STREAMS; i++) {
        clocks[i] = tn_vector_clock_new();
        assert_non_null(clocks[i]);
    }
    for (unsigned i = 0; i < EVENTS; i++) tn_clock_stamp_init(&stamps[i]);
    for (int step = 0; step < STEPS; step++) {
        unsigned event = draw(&seed, EVENTS);
        unsigned stream = draw(&seed, STREAMS);
        if (draw(&seed, 2) == 0) {
            model_record(m, event, stream, tn_clock_next(clocks[stream]));
            record_on(&stamps[event], clocks[stream]);
        } else {
            model_wait(m, event, stream);
            wait_on(&stamps[event], clocks[stream]);
        }
        if (draw(&seed, 2000) == 0) {
            tn_clock_forget_all();
            *m = (struct model){0};
            for (unsigned i = 0; i < EVENTS; i++) {
                assert_false(tn_clock_follows_any(clocks[i]));
                tn_clock_stamp_fini(&stamps[i]);
                stamps[i] = (tn_clock_stamp){.changes = 0};
                tn_clock_stamp_init(&stamps[i]);
            }
        }
        if (step % 16 == 0) compare(m, clocks);
    }
    for (unsigned i = 0; i < EVENTS; i++) tn_clock_stamp_fini(&stamps[i]);
    for (unsigned i = 0; i < STREAMS; i++) tn_vector_clock_put(clocks[i]);
    free(m);
}

// The clocks a and b, of which the first may follow the second, and an event.
struct pair {
    tn_vector_clock *a;
    tn_vector_clock *b;
    tn_clock_stamp stamp;
};

static struct pair *pair_new(void) {
    struct pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    pair->a = tn_vector_clock_new();
    pair->b = tn_vector_clock_new();
    tn_clock_stamp_init(&pair->stamp);
    return pair;
}

static void pair_end(struct pair *pair) {
    tn_clock_stamp_fini(&pair->stamp);
    tn_vector_clock_put(pair->a);
    tn_vector_clock_put(pair->b);
    free(pair);
}

static void records_at_the_same_time_are_not_known(void **state) {
    struct pair *pair = pair_new();
    tn_clock_record first;
    tn_clock_record second;
    (void)state;
    tn_clock_record_begin(&pair->stamp, pair->b, &first);
    wait_on(&pair->stamp, pair->a);
    tn_clock_record_begin(&pair->stamp, pair->b, &second);
    tn_clock_record_end(&pair->stamp, &first, true);
    wait_on(&pair->stamp, pair->a);
    tn_clock_record_end(&pair->stamp, &second, true);
    wait_on(&pair->stamp, pair->a);
    assert_false(tn_clock_follows_any(pair->a));
    record_on(&pair->stamp, pair->b);
    wait_on(&pair->stamp, pair->a);
    assert_true(tn_clock_follows(pair->a, pair->b, 3));
    pair_end(pair);
}

static void a_wait_beside_a_record_is_not_known(void **state) {
    struct pair *pair = pair_new();
    (void)state;
    record_on(&pair->stamp, pair->b);
    uint64_t change = tn_clock_wait_begin(&pair->stamp);
    assert_int_not_equal(change, 0);
    record_on(&pair->stamp, pair->b);
    tn_clock_wait_end(&pair->stamp, pair->a, change);
    assert_false(tn_clock_follows_any(pair->a));
    pair_end(pair);
}

static void a_record_that_fails_is_not_known(void **state) {
    struct pair *pair = pair_new();
    tn_clock_record record;
    (void)state;
    record_on(&pair->stamp, pair->b);
    tn_clock_record_begin(&pair->stamp, pair->b, &record);
    tn_clock_record_end(&pair->stamp, &record, false);
    wait_on(&pair->stamp, pair->a);
    assert_false(tn_clock_follows_any(pair->a));
    record_on(&pair->stamp, NULL); // no memory for a clock
    wait_on(&pair->stamp, pair->a);
    assert_false(tn_clock_follows_any(pair->a));
    record_on(&pair->stamp, pair->b);
    wait_on(&pair->stamp, NULL);
    pair_end(pair);
}

static void records_before_a_drop_are_not_known(void **state) {
    struct pair *pair = pair_new();
    (void)state;
    record_on(&pair->stamp, pair->b);
    tn_clock_forget_all();
    wait_on(&pair->stamp, pair->a);
    assert_false(tn_clock_follows_any(pair->a));
    pair_end(pair);
}

static void the_check_finds_damage(void **state) {
    (void)state;
    tn_clock_table table = {.count = 2, .entries = {{7, 1}, {8, 3}}};
    assert_true(tn_clock_table_check(&table));
    table.entries[1].clock = 7; // twice
    assert_false(tn_clock_table_check(&table));
    table.entries[1].clock = 8;
    table.entries[1].record = 0; // numbers begin at 1
    assert_false(tn_clock_table_check(&table));
    table.entries[1].record = 3;
    table.oldest = 1; // the table is not full
    assert_false(tn_clock_table_check(&table));
    table.oldest = 0;
    table.count = TN_CLOCK_FOLLOWED + 1;
    assert_false(tn_clock_table_check(&table));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_streams_are_known_in_full),
        cmocka_unit_test(records_at_the_same_time_are_not_known),
        cmocka_unit_test(a_wait_beside_a_record_is_not_known),
        cmocka_unit_test(a_record_that_fails_is_not_known),
        cmocka_unit_test(records_before_a_drop_are_not_known),
        cmocka_unit_test(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
