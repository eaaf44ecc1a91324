// SPDX-License-Identifier: Apache-2.0
// The attributes of pools that permit reuse: which stream gets the memory that another has freed.
#include "support/work.h"

#include <stdlib.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static const size_t sizes[] = {24 * MIB, 1 * MIB, 4096};

// A pool with these reuse attributes, and two streams. The first does not get on until the gate
// opens.
struct bench {
    struct gate gate;
    hipMemPool_t pool;
    hipStream_t a;
    hipStream_t b;
};

static void set_up(struct bench *bench, int follow, int opportunistic, int internal) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    uint64_t everything = UINT64_MAX;
    memset(bench, 0, sizeof *bench);
    assert_hip_ok(hipMemPoolCreate(&bench->pool, &props));
#define SET(attribute, value) assert_hip_ok(hipMemPoolSetAttribute(bench->pool, attribute, value))
    SET(hipMemPoolReuseFollowEventDependencies, &follow);
    SET(hipMemPoolReuseAllowOpportunistic, &opportunistic);
    SET(hipMemPoolReuseAllowInternalDependencies, &internal);
    SET(hipMemPoolAttrReleaseThreshold, &everything);
#undef SET
    assert_hip_ok(hipStreamCreateWithFlags(&bench->a, hipStreamNonBlocking));
    assert_hip_ok(hipStreamCreateWithFlags(&bench->b, hipStreamNonBlocking));
    assert_hip_ok(hipLaunchHostFunc(bench->a, pass_gate, &bench->gate));
}

static void tear_down(struct bench *bench) {
    bench->gate.open = true;
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipStreamDestroy(bench->a));
    assert_hip_ok(hipStreamDestroy(bench->b));
    assert_hip_ok(hipMemPoolDestroy(bench->pool));
}

static char *get(const struct bench *bench, size_t size, hipStream_t stream) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocFromPoolAsync(&ptr, size, bench->pool, stream));
    return ptr;
}

static void give(void *ptr, hipStream_t stream) { assert_hip_ok(hipFreeAsync(ptr, stream)); }

// Stream `later` waits for an event that is recorded on `first` now.
static void wait_for(hipStream_t later, hipStream_t first) {
    hipEvent_t event = NULL;
    assert_hip_ok(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    assert_hip_ok(hipEventRecord(event, first));
    assert_hip_ok(hipStreamWaitEvent(later, event, 0));
    assert_hip_ok(hipEventDestroy(event));
}

static bool apart(const char *x, const char *y, size_t size) {
    return x + size <= y || y + size <= x;
}

// Returns true if stream b gets the block that stream a has freed.
static bool is_same(struct bench *bench, size_t size, bool wait, bool complete) {
    char *freed = get(bench, size, bench->a);
    give(freed, bench->a);
    if (wait) wait_for(bench->b, bench->a);
    while (complete && hipStreamQuery(bench->a) == hipErrorNotReady) {
        bench->gate.open = true;
        (void)usleep(100);
    }
    char *next = get(bench, size, bench->b);
    bool same = next == freed;
    assert_true(same || apart(next, freed, size));
    assert_int_equal(bench->gate.passed, complete);
    give(next, bench->b);
    return same;
}

static void a_stream_that_waits_gets_the_same_block(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (int others = 0; others <= 1; others++) {
            struct bench bench;
            set_up(&bench, 1, others, others);
            assert_true(is_same(&bench, sizes[i], true, false));
            tear_down(&bench);
        }
    }
}

static void without_the_attribute_an_event_does_not_matter(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;
        set_up(&bench, 0, 1, 1);
        assert_false(is_same(&bench, sizes[i], true, false));
        tear_down(&bench);
    }
}

static void without_a_wait_another_block_is_allocated(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;
        set_up(&bench, 1, 1, 1);
        assert_false(is_same(&bench, sizes[i], false, false));
        tear_down(&bench);
    }
}

static void without_any_attribute_a_stream_reuses_only_its_own_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (int complete = 0; complete <= 1; complete++) {
            struct bench bench;
            set_up(&bench, 0, 0, 0);
            assert_false(is_same(&bench, sizes[i], true, complete != 0));
            char *own = get(&bench, sizes[i], bench.a);
            give(own, bench.a);
            assert_ptr_equal(get(&bench, sizes[i], bench.a), own);
            give(own, bench.a);
            tear_down(&bench);
        }
    }
}

// A seed may let a pool grow as if the work of other streams had not passed yet (docs/explore.md).
static bool may_grow(void) { return getenv("TARN_SEED") != NULL; }

static void complete_memory_is_reused_if_that_is_allowed(void **state) {
    (void)state;
    for (int allowed = 0; allowed <= 1; allowed++) {
        struct bench bench;
        set_up(&bench, 0, allowed, 0);
        bool same = is_same(&bench, 24 * MIB, false, true);
        assert_true(same ? allowed != 0 : allowed == 0 || may_grow());
        tear_down(&bench);
    }
    struct bench bench;
    set_up(&bench, 0, 1, 0);
    char *large = get(&bench, 24 * MIB, bench.a);
    give(large, bench.a);
    bench.gate.open = true;
    while (hipStreamQuery(bench.a) == hipErrorNotReady) (void)usleep(100);
    char *part = get(&bench, 4 * MIB, bench.b); // a part of a larger block
    assert_true(part == large || may_grow());
    give(part, bench.b);
    tear_down(&bench);
}

static void a_free_after_the_event_is_not_covered(void **state) {
    struct bench bench;
    (void)state;
    set_up(&bench, 1, 1, 1);
    char *early = get(&bench, 24 * MIB, bench.a);
    char *late = get(&bench, 8 * MIB, bench.a);
    give(early, bench.a);
    wait_for(bench.b, bench.a);
    give(late, bench.a);
    char *next = get(&bench, 8 * MIB, bench.b);
    char *more = get(&bench, 24 * MIB, bench.b);
    assert_true(apart(next, late, 8 * MIB));
    assert_true(more + 24 * MIB <= late || late + 8 * MIB <= more);
    assert_true(apart(more, early, 24 * MIB)); // hidden by the later free
    wait_for(bench.b, bench.a);
    char *both = get(&bench, 32 * MIB, bench.b);
    assert_ptr_equal(both, early < late ? early : late);
    give(next, bench.b);
    give(more, bench.b);
    give(both, bench.b);
    tear_down(&bench);
}

// The common hand-over: allocated and filled on one stream, used and freed on another.
static void a_block_returns_to_its_stream_when_that_waits(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;
        set_up(&bench, 1, 1, 1);
        char *block = get(&bench, sizes[i], bench.b);
        wait_for(bench.a, bench.b);
        give(block, bench.a);
        char *next = get(&bench, sizes[i], bench.b);
        assert_true(apart(next, block, sizes[i]));
        wait_for(bench.b, bench.a);
        char *again = get(&bench, 24 * MIB, bench.b); // looks for memory, whatever is in caches
        assert_true(sizes[i] < 24 * MIB || again == block);
        assert_int_equal(bench.gate.passed, 0);
        give(next, bench.b);
        give(again, bench.b);
        tear_down(&bench);
    }
}

static void the_pools_of_devices_follow_events_too(void **state) {
    struct bench bench;
    hipMemPool_t own = NULL;
    (void)state;
    set_up(&bench, 1, 1, 1);
    assert_hip_ok(hipMemPoolDestroy(bench.pool));
    assert_hip_ok(hipDeviceGetDefaultMemPool(&own, 0));
    bench.pool = own;
    assert_true(is_same(&bench, 24 * MIB, true, false));
    assert_hip(hipMemPoolDestroy(own), hipErrorInvalidValue);
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    assert_hip_ok(hipMemPoolCreate(&bench.pool, &props)); // for the end
    tear_down(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_that_waits_gets_the_same_block),
        cmocka_unit_test(without_the_attribute_an_event_does_not_matter),
        cmocka_unit_test(without_a_wait_another_block_is_allocated),
        cmocka_unit_test(without_any_attribute_a_stream_reuses_only_its_own_memory),
        cmocka_unit_test(complete_memory_is_reused_if_that_is_allowed),
        cmocka_unit_test(a_free_after_the_event_is_not_covered),
        cmocka_unit_test(a_block_returns_to_its_stream_when_that_waits),
        cmocka_unit_test(the_pools_of_devices_follow_events_too),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
