// SPDX-License-Identifier: Apache-2.0
// The order of the null stream on a device that holds work back until the program waits for it: a call on
// one stream releases no work of another, and a wait releases all that precedes it.
#include <stdlib.h>

#include "support/work.h"

enum { BYTES = 64 };

struct made {
    hipStream_t stream;
    unsigned char *seen;
    void *scratch;
};

static struct made make(void) {
    struct made made = {0};
    assert_hip_ok(hipStreamCreate(&made.stream));
    assert_hip_ok(hipMallocManaged((void **)&made.seen, BYTES, hipMemAttachGlobal));
    assert_hip_ok(hipMalloc(&made.scratch, BYTES));
    made.seen[0] = 0;
    return made;
}

static void unmake(struct made *made) {
    assert_hip_ok(hipStreamDestroy(made->stream));
    assert_hip_ok(hipFree(made->seen));
    assert_hip_ok(hipFree(made->scratch));
}

static void work_on_the_null_stream_does_not_release_a_blocking_stream(void **state) {
    struct made made = make();
    (void)state;
    assert_hip_ok(hipMemsetAsync(made.seen, 7, BYTES, made.stream));
    assert_hip_ok(hipMemsetAsync(made.scratch, 1, BYTES, NULL));
    assert_int_equal(made.seen[0], 0);
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(made.seen[0], 7);
    unmake(&made);
}

static void work_on_a_blocking_stream_does_not_release_the_null_stream(void **state) {
    struct made made = make();
    (void)state;
    assert_hip_ok(hipMemsetAsync(made.seen, 7, BYTES, NULL));
    assert_hip_ok(hipMemsetAsync(made.scratch, 1, BYTES, made.stream));
    assert_int_equal(made.seen[0], 0);
    assert_hip_ok(hipStreamSynchronize(made.stream));
    assert_int_equal(made.seen[0], 7);
    unmake(&made);
}

static void an_event_on_the_null_stream_releases_nothing(void **state) {
    struct made made = make();
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipMemsetAsync(made.seen, 7, BYTES, made.stream));
    assert_hip_ok(hipEventRecord(event, NULL));
    assert_hip_ok(hipStreamWaitEvent(NULL, event, 0));
    assert_int_equal(made.seen[0], 0);
    assert_hip_ok(hipEventSynchronize(event));
    assert_int_equal(made.seen[0], 7);
    assert_hip_ok(hipEventDestroy(event));
    unmake(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_on_the_null_stream_does_not_release_a_blocking_stream),
        cmocka_unit_test(work_on_a_blocking_stream_does_not_release_the_null_stream),
        cmocka_unit_test(an_event_on_the_null_stream_releases_nothing),
    };
    (void)setenv("TARN_HOST", "schedule=late", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
