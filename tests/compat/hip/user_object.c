// SPDX-License-Identifier: Apache-2.0
// User objects: resources that live as long as the graphs which use them.
#include "support/work.h"

#include <pthread.h>

static int destroyed;

static void count_destroyed(void *data) {
    assert_ptr_equal(data, &destroyed);
    destroyed++;
}

static hipUserObject_t new_object(unsigned count) {
    hipUserObject_t object = NULL;
    destroyed = 0;
    assert_hip_ok(hipUserObjectCreate(&object, &destroyed, count_destroyed, count,
                                      hipUserObjectNoDestructorSync));
    assert_non_null(object);
    return object;
}

static hipGraph_t new_graph(void) {
    hipGraph_t graph = NULL;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    return graph;
}

static void flags_counts_and_pointers_are_checked(void **state) {
    hipUserObject_t object = (hipUserObject_t)&object;
    const unsigned too_many = 1u << 31;
    (void)state;
    assert_hip(hipUserObjectCreate(&object, NULL, count_destroyed, 1, 0), hipErrorInvalidValue);
    assert_hip(hipUserObjectCreate(&object, NULL, count_destroyed, 1, 2), hipErrorInvalidValue);
    assert_hip(hipUserObjectCreate(&object, NULL, count_destroyed, 0, 1), hipErrorInvalidValue);
    assert_hip(hipUserObjectCreate(&object, NULL, count_destroyed, too_many, 1),
               hipErrorInvalidValue);
    assert_hip(hipUserObjectCreate(&object, NULL, NULL, 1, 1), hipErrorInvalidValue);
    assert_hip(hipUserObjectCreate(NULL, NULL, count_destroyed, 1, 1), hipErrorInvalidValue);
    assert_ptr_equal(object, &object);
    object = new_object(1);
    assert_hip(hipUserObjectRetain(NULL, 1), hipErrorInvalidValue);
    assert_hip(hipUserObjectRetain(object, 0), hipErrorInvalidValue);
    assert_hip(hipUserObjectRetain(object, too_many), hipErrorInvalidValue);
    assert_hip(hipUserObjectRetain(object, too_many - 1), hipErrorInvalidValue); // 2^31 in all
    assert_hip(hipUserObjectRelease(NULL, 1), hipErrorInvalidValue);
    assert_hip(hipUserObjectRelease(object, 0), hipErrorInvalidValue);
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(object, 1));
    assert_int_equal(destroyed, 1);
}

static void the_last_reference_destroys_once(void **state) {
    hipUserObject_t object = new_object(2);
    (void)state;
    assert_hip_ok(hipUserObjectRelease(object, 1));
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(object, 2)); // more than there are: nothing
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(object, 1));
    assert_int_equal(destroyed, 1);
    assert_hip_ok(hipUserObjectRelease(object, 1));
    assert_hip_ok(hipUserObjectRetain(object, 1));
    assert_hip_ok(hipUserObjectRelease(object, 1));
    assert_int_equal(destroyed, 1);
}

static void a_moved_reference_ends_with_the_graph(void **state) {
    hipGraph_t graph = new_graph();
    hipUserObject_t object = new_object(1);
    (void)state;
    assert_hip_ok(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    assert_hip_ok(hipUserObjectRelease(object, 1)); // the program has none
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(destroyed, 1);
}

static void an_added_reference_leaves_that_of_the_program(void **state) {
    hipGraph_t graph = new_graph();
    hipUserObject_t object = new_object(1);
    (void)state;
    assert_hip_ok(hipGraphRetainUserObject(graph, object, 3, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(object, 1));
    assert_int_equal(destroyed, 1);
}

static void a_graph_gives_back_what_it_has(void **state) {
    hipGraph_t graph = new_graph();
    hipUserObject_t object = new_object(2);
    (void)state;
    assert_hip_ok(hipGraphRetainUserObject(graph, object, 2, hipGraphUserObjectMove));
    assert_hip_ok(hipGraphReleaseUserObject(graph, object, 3)); // more than it has: nothing
    assert_hip_ok(hipGraphReleaseUserObject(graph, object, 1));
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipGraphReleaseUserObject(graph, object, 1));
    assert_int_equal(destroyed, 1);
    assert_hip_ok(hipGraphReleaseUserObject(graph, object, 1));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(destroyed, 1);
}

static void calls_with_graphs_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipUserObject_t object = new_object(1);
    (void)state;
    assert_hip(hipGraphRetainUserObject(graph, object, 1, 2), hipErrorInvalidValue);
    assert_hip(hipGraphRetainUserObject(graph, object, 0, 0), hipErrorInvalidValue);
    assert_hip(hipGraphRetainUserObject(graph, NULL, 1, 0), hipErrorInvalidValue);
    assert_hip(hipGraphRetainUserObject(NULL, object, 1, 0), hipErrorInvalidValue);
    assert_hip(hipGraphRetainUserObject(graph, object, 2, hipGraphUserObjectMove),
               hipErrorInvalidValue);
    assert_hip(hipGraphReleaseUserObject(graph, object, 0), hipErrorInvalidValue);
    assert_hip(hipGraphReleaseUserObject(graph, NULL, 1), hipErrorInvalidValue);
    assert_hip(hipGraphReleaseUserObject(NULL, object, 1), hipErrorInvalidValue);
    assert_hip_ok(hipGraphRetainUserObject(graph, (hipUserObject_t)(uintptr_t)12345, 1, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(object, 1));
}

static void clones_and_executable_graphs_have_their_own(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t clone = NULL;
    hipGraphExec_t exec = NULL;
    hipUserObject_t object = new_object(1);
    (void)state;
    assert_hip_ok(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    assert_hip_ok(hipGraphClone(&clone, graph));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipGraphInstantiate(&exec, clone, NULL, NULL, 0));
    assert_hip_ok(hipGraphDestroy(clone));
    assert_int_equal(destroyed, 0);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_int_equal(destroyed, 1);
}

static void read_destroyed(void *seen) { *(int *)seen = destroyed; }

// As communication libraries do: the graph is that of an unfinished capture.
static void a_launch_completes_before_its_objects_end(void **state) {
    struct gate gate = {false, 0};
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipUserObject_t object = new_object(1);
    int seen = -1;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, NULL, NULL));
    assert_hip_ok(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(stream, read_destroyed, &seen));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipGraphExecDestroy(exec)); // does not wait
    let_others_begin();
    assert_int_equal(destroyed, 0);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(destroyed, 1);
    assert_int_equal(seen, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_capture_that_fails_gives_them_back(void **state) {
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipUserObject_t object = new_object(1);
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, NULL, NULL));
    assert_hip_ok(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    assert_hip(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
    assert_int_equal(destroyed, 0);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    assert_int_equal(destroyed, 1);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- threads

enum { THREADS = 4, ROUNDS = 500 };

struct shared {
    hipUserObject_t object;
    hipGraph_t graph;
    atomic_count_t destroyed;
};

static void count_shared(void *data) { ((struct shared *)data)->destroyed++; }

// Each thread gives back what it takes, and makes and ends objects of its own beside that.
static void *retain_and_release(void *arg) {
    struct shared *shared = arg;
    struct shared own = {NULL, NULL, 0};
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned count = 1 + i % 3;
        assert_hip_ok(hipUserObjectRetain(shared->object, count));
        assert_hip_ok(hipGraphRetainUserObject(shared->graph, shared->object, count, 0));
        assert_hip_ok(hipUserObjectRelease(shared->object, count));
        assert_hip_ok(hipUserObjectCreate(&own.object, &own, count_shared, 1, 1));
        assert_hip_ok(
            hipGraphRetainUserObject(shared->graph, own.object, 1, hipGraphUserObjectMove));
        assert_hip_ok(hipGraphReleaseUserObject(shared->graph, own.object, 1));
        assert_int_equal(own.destroyed, i + 1);
        assert_hip_ok(hipGraphReleaseUserObject(shared->graph, shared->object, count));
    }
    return NULL;
}

static void threads_count_references_exactly(void **state) {
    struct shared shared = {NULL, new_graph(), 0};
    pthread_t threads[THREADS];
    (void)state;
    assert_hip_ok(hipUserObjectCreate(&shared.object, &shared, count_shared, 2, 1));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, retain_and_release, &shared), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(shared.destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(shared.object, 1));
    assert_int_equal(shared.destroyed, 0);
    assert_hip_ok(hipUserObjectRelease(shared.object, 1));
    assert_int_equal(shared.destroyed, 1);
    assert_hip_ok(hipGraphDestroy(shared.graph));
    assert_int_equal(shared.destroyed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_counts_and_pointers_are_checked),
        cmocka_unit_test(the_last_reference_destroys_once),
        cmocka_unit_test(a_moved_reference_ends_with_the_graph),
        cmocka_unit_test(an_added_reference_leaves_that_of_the_program),
        cmocka_unit_test(a_graph_gives_back_what_it_has),
        cmocka_unit_test(calls_with_graphs_are_checked),
        cmocka_unit_test(clones_and_executable_graphs_have_their_own),
        cmocka_unit_test(a_launch_completes_before_its_objects_end),
        cmocka_unit_test(a_capture_that_fails_gives_them_back),
        cmocka_unit_test(threads_count_references_exactly),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
