// SPDX-License-Identifier: Apache-2.0
// Claims about the biased lock. Meant for ThreadSanitizer too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "base/biased.h"

enum { OTHERS = 3, OWNER_ROUNDS = 200000 };

struct shared {
    struct tn_biased lock;
    uint64_t count; // guarded by the lock
    uint64_t rounds;
};

static void add_one(struct shared *shared) {
    tn_biased_lock(&shared->lock);
    shared->count++;
    tn_biased_unlock(&shared->lock);
}

static void *add(void *arg) {
    struct shared *shared = (struct shared *)arg;
    for (uint64_t i = 0; i < shared->rounds; i++) add_one(shared);
    return NULL;
}

static void adopt(struct shared *shared) {
    memset(shared, 0, sizeof *shared);
    tn_biased_init(&shared->lock, TN_RANK_POOL_FIT, "test");
    tn_biased_lock(&shared->lock);
    tn_biased_adopt(&shared->lock);
    tn_biased_unlock(&shared->lock);
}

static void run(struct shared *shared, uint64_t rounds) {
    pthread_t threads[OTHERS];
    shared->rounds = rounds;
    for (int i = 0; i < OTHERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add, shared), 0);
    for (int i = 0; i < OWNER_ROUNDS; i++) add_one(shared);
    for (int i = 0; i < OTHERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(shared->count, OWNER_ROUNDS + OTHERS * rounds);
}

static void the_owner_and_others_exclude_each_other(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct shared shared;
        adopt(&shared);
        run(&shared, 4); // few enough that the owner stays
        assert_true(tn_load_relaxed(&shared.lock.owner) ==
                    (tn_barrier_works() ? tn_thread_self() : NULL));
    }
}

static void a_lock_that_others_take_often_loses_its_owner(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct shared shared;
        adopt(&shared);
        run(&shared, 20000);
        assert_null(tn_load_relaxed(&shared.lock.owner));
        tn_biased_lock(&shared.lock);
        tn_biased_adopt(&shared.lock); // for ever
        tn_biased_unlock(&shared.lock);
        assert_true(!tn_barrier_works() || tn_load_relaxed(&shared.lock.owner) == NULL);
    }
}

static void the_owner_does_not_touch_the_inner_lock(void **state) {
    (void)state;
    struct shared shared;
    adopt(&shared);
    tn_biased_lock(&shared.lock);
    assert_int_equal(tn_load_relaxed(&shared.lock.spin.state),
                     tn_barrier_works() ? TN_SPIN_FREE : TN_SPIN_HELD);
    tn_biased_unlock(&shared.lock);
    assert_int_equal(tn_load_relaxed(&shared.lock.inside), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_owner_and_others_exclude_each_other),
        cmocka_unit_test(a_lock_that_others_take_often_loses_its_owner),
        cmocka_unit_test(the_owner_does_not_touch_the_inner_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
