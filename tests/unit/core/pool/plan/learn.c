// SPDX-License-Identifier: Apache-2.0
// Claims about the learner of a plan, without a pool. plan.c beside it has those about pools that learn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/resource.h>

#include "core/pool/plan/learn.h"
#include "support/exhaust.h"

#if CAN_REPLACE_MALLOC

// There is no memory for the learner, or none for its requests. An emulator may ignore the limit.
static void learner_without_memory_is_refused(void **state) {
    (void)state;
    tn_plan_learner *learner = NULL;
    struct rlimit before;
    exhausted = true;
    tarn_status status = tn_plan_learner_make(&learner);
    exhausted = false;
    assert_int_equal(status, TARN_NO_HOST_MEMORY);
    assert_null(learner);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit none = {0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    status = tn_plan_learner_make(&learner);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_true((status == TARN_OK) == (learner != NULL));
    assert_true(status == TARN_OK || status == TARN_NO_HOST_MEMORY);
    tn_plan_learner_free(learner);
}

#endif

// Half of a program that never repeats itself is recorded at most. When it begins to, a plan is made.
static void learner_pauses_while_passes_have_little_in_common(void **state) {
    (void)state;
    tn_plan_learner *learner = NULL;
    tn_plan_pass found = {.blocks = NULL};
    int recorded = 0, passes = 0;
    assert_int_equal(tn_plan_learner_make(&learner), TARN_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_false(tn_plan_learn_mark(learner, &found));
        if (!tn_plan_learn_wants(learner)) continue;
        recorded++;
        for (uint64_t k = 0; k < 10; k++) (void)tn_plan_learn_alloc(learner, 0, 1 + 10 * i + k, 0);
    }
    assert_in_range(recorded, 20, 100);
    for (; !tn_plan_learn_mark(learner, &found); passes++)
        if (tn_plan_learn_wants(learner)) (void)tn_plan_learn_alloc(learner, 0, 7, 0);
    assert_in_range(passes, 2, 67);
    free(found.blocks);
    tn_plan_learner_free(learner);
}

enum { PERIOD = 10 };

// Records two equal passes. Frees the first blocks of each.
static void record_passes(tn_plan_learner *learner, const uint32_t freed[2]) {
    for (int pass = 0; pass < 2; pass++) {
        uint32_t numbers[PERIOD];
        for (uint32_t i = 0; i < PERIOD; i++)
            numbers[i] = tn_plan_learn_alloc(learner, 0, 1000 * (PERIOD - i), 0);
        for (uint32_t i = 0; i < freed[pass]; i++) tn_plan_learn_free(learner, numbers[i]);
    }
}

// A period is a pass only if its own blocks are freed: at most an eighth of their bytes is live. Those
// of the pass behind it may all be live.
static void period_frees_its_own_blocks(void **state) {
    static const struct {
        uint32_t freed[2];
        bool found;
    } cases[] = {{{PERIOD, PERIOD}, true},
                 {{PERIOD, 0}, true},
                 {{PERIOD - 3, PERIOD}, true},  // 6 of 55 are live
                 {{PERIOD - 4, PERIOD}, false}, // 10 of 55
                 {{0, PERIOD}, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_plan_learner *learner = NULL;
        tn_plan_pass found = {.blocks = NULL};
        assert_int_equal(tn_plan_learner_make(&learner), TARN_OK);
        record_passes(learner, cases[i].freed);
        assert_int_equal(tn_plan_learn_period(learner, &found), cases[i].found);
        if (cases[i].found) {
            assert_int_equal(found.count, PERIOD);
            assert_int_equal(found.period, PERIOD + cases[i].freed[0]); // moments
            for (uint32_t k = 0; k < PERIOD; k++) {
                assert_int_equal(found.blocks[k].bytes, 1000 * (PERIOD - k));
                assert_int_equal(found.blocks[k].begin, k);
                assert_true((found.blocks[k].end == UINT64_MAX) == (k >= cases[i].freed[0]));
            }
        }
        free(found.blocks);
        tn_plan_learner_free(learner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if CAN_REPLACE_MALLOC
        cmocka_unit_test(learner_without_memory_is_refused),
#endif
        cmocka_unit_test(period_frees_its_own_blocks),
        cmocka_unit_test(learner_pauses_while_passes_have_little_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
