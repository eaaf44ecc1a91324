// SPDX-License-Identifier: Apache-2.0
// Virtual memory management from many threads at once.
#include <pthread.h>

#include "support/vmm.h"

#define THREADS 8
#define ROUNDS  50
#define SLOTS   8

static void run_all(void *(*body)(void *), void *args, size_t size) {
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (char *)args + i * size), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
}

struct range {
    char *at;
    int number;
};

static bool map_slot(char *at, int device) {
    hipMemAllocationProp prop = prop_on(device);
    hipMemAccessDesc desc[2] = {desc_of(0, READ_WRITE), desc_of(1, READ)};
    handle_t handle = NULL;
    return hipMemCreate(&handle, G, &prop, 0) == hipSuccess &&
           hipMemMap(at, G, 0, handle, 0) == hipSuccess && hipMemRelease(handle) == hipSuccess &&
           hipMemSetAccess(at, G, desc, 2) == hipSuccess;
}

// Grows and shrinks its part; what it wrote must stay its own. The result is NULL when all is well.
static void *grow_and_shrink(void *arg) {
    const struct range *range = arg;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < SLOTS; i++) {
            if (!map_slot(range->at + i * G, (range->number + round) % 2)) return arg;
            range->at[i * G] = (char)(range->number + round);
        }
        for (size_t i = 0; i < SLOTS; i++)
            if (range->at[i * G] != (char)(range->number + round)) return arg;
        if (hipMemUnmap(range->at, SLOTS * G) != hipSuccess) return arg;
    }
    return NULL;
}

static void parts_of_one_reservation_are_worked_on_at_once(void **state) {
    struct range ranges[THREADS];
    char *at = reserve((size_t)THREADS * SLOTS * G);
    (void)state;
    for (int i = 0; i < THREADS; i++) ranges[i] = (struct range){at + (size_t)i * SLOTS * G, i};
    run_all(grow_and_shrink, ranges, sizeof ranges[0]);
    assert_hip_ok(hipMemAddressFree(at, (size_t)THREADS * SLOTS * G));
    assert_free_bytes(0, CAPACITY);
    assert_free_bytes(1, CAPACITY);
}

static void *live_alone(void *arg) {
    struct range range = *(const struct range *)arg;
    for (int i = 0; i < 10; i++) {
        void *at = NULL;
        if (hipMemAddressReserve(&at, SLOTS * G, 0, NULL, 0) != hipSuccess) return arg;
        range.at = at;
        if (!map_slot(range.at, 0) || hipMemUnmap(at, G) != hipSuccess ||
            hipMemAddressFree(at, SLOTS * G) != hipSuccess)
            return arg;
    }
    return NULL;
}

static void reservations_come_and_go_at_once(void **state) {
    struct range ranges[THREADS] = {{NULL, 0}};
    (void)state;
    run_all(live_alone, ranges, sizeof ranges[0]);
    assert_free_bytes(0, CAPACITY);
}

static void *retain_and_release(void *arg) {
    char *at = ((const struct range *)arg)->at;
    for (int i = 0; i < 20 * ROUNDS; i++) {
        handle_t handle = NULL;
        if (hipMemRetainAllocationHandle(&handle, at) != hipSuccess ||
            hipMemRelease(handle) != hipSuccess)
            return arg;
    }
    return NULL;
}

static void references_to_one_handle_are_counted_exactly(void **state) {
    struct range ranges[THREADS];
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    for (int i = 0; i < THREADS; i++) ranges[i] = (struct range){at, i};
    run_all(retain_and_release, ranges, sizeof ranges[0]);
    unmap_and_free(at, G);
    assert_free_bytes(0, CAPACITY - G);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
    assert_free_bytes(0, CAPACITY);
}

// One mapping, many who would unmap it: one does.
static void *unmap_once(void *arg) {
    struct range *range = arg;
    range->number = hipMemUnmap(range->at, G) == hipSuccess;
    return NULL;
}

static void one_of_many_unmaps_wins(void **state) {
    struct range ranges[THREADS];
    char *at = reserve(G);
    (void)state;
    for (int round = 0; round < 20; round++) {
        int winners = 0;
        map_fresh(at, G);
        for (int i = 0; i < THREADS; i++) ranges[i] = (struct range){at, 0};
        run_all(unmap_once, ranges, sizeof ranges[0]);
        for (int i = 0; i < THREADS; i++) winners += ranges[i].number;
        assert_int_equal(winners, 1);
    }
    assert_hip_ok(hipMemAddressFree(at, G));
    assert_free_bytes(0, CAPACITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_one_reservation_are_worked_on_at_once),
        cmocka_unit_test(reservations_come_and_go_at_once),
        cmocka_unit_test(references_to_one_handle_are_counted_exactly),
        cmocka_unit_test(one_of_many_unmaps_wins),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
