// SPDX-License-Identifier: Apache-2.0
// Branches of a graph: nodes that no path connects run in parallel, and a launch is one piece of
// work of its stream.
#include <time.h>

#include "support/vmm.h"
#include "support/work.h"

enum { SIDES = 3 };

// ---- captures with a fork and a join

struct fork {
    hipStream_t streams[SIDES]; // the first began the capture
    hipEvent_t event;
};

static struct fork begin_fork(void) {
    struct fork fork = {{NULL}, NULL};
    for (int i = 0; i < SIDES; i++)
        assert_hip_ok(hipStreamCreateWithFlags(&fork.streams[i], hipStreamNonBlocking));
    assert_hip_ok(hipEventCreate(&fork.event));
    assert_hip_ok(hipStreamBeginCapture(fork.streams[0], hipStreamCaptureModeRelaxed));
    return fork;
}

// The other sides depend on the first from now on.
static void split(const struct fork *fork) {
    assert_hip_ok(hipEventRecord(fork->event, fork->streams[0]));
    for (int i = 1; i < SIDES; i++)
        assert_hip_ok(hipStreamWaitEvent(fork->streams[i], fork->event, 0));
}

static void join(const struct fork *fork) {
    for (int i = 1; i < SIDES; i++) {
        assert_hip_ok(hipEventRecord(fork->event, fork->streams[i]));
        assert_hip_ok(hipStreamWaitEvent(fork->streams[0], fork->event, 0));
    }
}

// The streams and the event stay, for launches.
static hipGraphExec_t instantiate(const struct fork *fork) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    assert_hip_ok(hipStreamEndCapture(fork->streams[0], &graph));
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    return exec;
}

static void end_fork(const struct fork *fork) {
    assert_hip_ok(hipEventDestroy(fork->event));
    for (int i = 0; i < SIDES; i++) assert_hip_ok(hipStreamDestroy(fork->streams[i]));
}

// ---- meetings

struct meeting {
    atomic_count_t present;
    atomic_count_t met;
};

// Waits for all sides; gives up where they cannot come, so that the test ends.
static void meet(void *arg) {
    struct meeting *meeting = arg;
    time_t limit = time(NULL) + 60;
    meeting->present++;
    while (meeting->present < SIDES && time(NULL) < limit)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    if (meeting->present == SIDES) meeting->met++;
}

static void leave(void *arg) { ((struct meeting *)arg)->present = 0; }

static void nodes_of_different_branches_can_wait_for_each_other(void **state) {
    struct meeting meeting = {0, 0};
    (void)state;
    need_functions_at_once();
    struct fork fork = begin_fork();
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], leave, &meeting));
    split(&fork);
    for (int i = 0; i < SIDES; i++)
        assert_hip_ok(hipLaunchHostFunc(fork.streams[i], meet, &meeting));
    join(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], leave, &meeting));
    hipGraphExec_t exec = instantiate(&fork);
    for (int i = 1; i <= 3; i++) {
        assert_hip_ok(hipGraphLaunch(exec, fork.streams[i % SIDES]));
        assert_hip_ok(hipStreamSynchronize(fork.streams[i % SIDES]));
        assert_int_equal(meeting.met, SIDES * i);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    end_fork(&fork);
}

static void a_wait_in_one_branch_ends_by_a_write_in_another(void **state) {
    struct fork fork = begin_fork();
    uint32_t *word = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&word, sizeof *word, 0));
    split(&fork);
    assert_hip_ok(hipStreamWaitValue32(fork.streams[0], word, 7, hipStreamWaitValueEq, ~0u));
    assert_hip_ok(hipStreamWriteValue32(fork.streams[1], word, 7, 0));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    *word = 0;
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0]));
    assert_hip_ok(hipStreamSynchronize(fork.streams[0]));
    assert_int_equal(*word, 7);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipHostFree(word));
    end_fork(&fork);
}

// ---- order of a launch against other work of its stream

struct side {
    struct gate *gate;   // passed before the launch begins
    atomic_count_t *ran; // nodes
    atomic_count_t seen; // 0 if the gate was closed
};

static void run_side(void *arg) {
    struct side *side = arg;
    side->seen = side->gate->passed;
    (*side->ran)++;
}

static void read_count(void *arg) {
    atomic_count_t *counts = arg;
    counts[1] = counts[0];
}

static void a_launch_comes_between_the_work_before_and_behind_it(void **state) {
    struct gate gate = {false, 0};
    atomic_count_t counts[2] = {0, 0};
    struct side sides[SIDES];
    struct fork fork = begin_fork();
    (void)state;
    split(&fork);
    for (int i = 0; i < SIDES; i++) {
        sides[i] = (struct side){&gate, &counts[0], 0};
        assert_hip_ok(hipLaunchHostFunc(fork.streams[i], run_side, &sides[i]));
    }
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    hipStream_t streams[] = {fork.streams[0], NULL, hipStreamPerThread};
    for (int round = 0; round < 3; round++) {
        hipStream_t stream = streams[round];
        gate.open = false;
        gate.passed = 0;
        counts[0] = counts[1] = 0;
        assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
        assert_hip_ok(hipGraphLaunch(exec, stream));
        assert_hip_ok(hipLaunchHostFunc(stream, read_count, counts));
        let_others_begin();
        assert_int_equal(counts[0], 0);
        gate.open = true;
        assert_hip_ok(hipStreamSynchronize(stream));
        assert_int_equal(counts[1], SIDES);
        for (int i = 0; i < SIDES; i++) assert_int_equal(sides[i].seen, 1);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    end_fork(&fork);
}

static void a_launch_on_another_stream_runs_beside_the_first(void **state) {
    struct gate gate = {false, 0};
    atomic_count_t counter = 0;
    (void)state;
    need_functions_at_once();
    struct fork fork = begin_fork();
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], count, &counter));
    split(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[1], pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(fork.streams[2], count, &counter));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0]));
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[1]));
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[1]));
    while (counter < 4) let_others_begin();
    let_others_begin();
    assert_int_equal(counter, 4); // of one launch in each stream
    gate.open = true;
    for (int i = 0; i < 2; i++) assert_hip_ok(hipStreamSynchronize(fork.streams[i]));
    assert_int_equal(counter, 6);
    assert_int_equal(gate.passed, 3);
    assert_hip_ok(hipGraphExecDestroy(exec));
    end_fork(&fork);
}

// ---- random captures

enum { NODES = 48, STEPS = 160, GRAPHS = 20, LAUNCHES = 4 };

struct random_node {
    struct random_graph *graph;
    uint64_t self;   // one bit
    uint64_t before; // the nodes that must have run
};

struct random_graph {
    struct random_node nodes[NODES];
    int count;
    _Atomic(uint64_t) ran;
    atomic_count_t wrong;
};

static void run_random(void *arg) {
    struct random_node *node = arg;
    uint64_t ran = atomic_fetch_or(&node->graph->ran, node->self);
    if ((ran & node->self) != 0 || (ran & node->before) != node->before) node->graph->wrong++;
}

static void begin_random(void *graph) { ((struct random_graph *)graph)->ran = 0; }

// `reach` is the set of nodes that the next one of each stream depends on, `passed` that of the
// last record of each event.
static void capture_randomly(const struct fork *fork, struct random_graph *graph) {
    uint64_t reach[SIDES] = {0};
    uint64_t passed[SIDES] = {0};
    hipEvent_t events[SIDES];
    split(fork); // so that all take part
    for (int i = 0; i < SIDES; i++) {
        assert_hip_ok(hipEventCreate(&events[i]));
        assert_hip_ok(hipEventRecord(events[i], fork->streams[i]));
    }
    for (int step = 0; step < STEPS && graph->count < NODES; step++) {
        int side = rand() % SIDES;
        int event = rand() % SIDES;
        struct random_node *node = &graph->nodes[graph->count];
        switch (rand() % 4) {
        case 0:
            assert_hip_ok(hipEventRecord(events[event], fork->streams[side]));
            passed[event] = reach[side];
            break;
        case 1:
            assert_hip_ok(hipStreamWaitEvent(fork->streams[side], events[event], 0));
            reach[side] |= passed[event];
            break;
        default:
            *node = (struct random_node){graph, UINT64_C(1) << graph->count++, reach[side]};
            assert_hip_ok(hipLaunchHostFunc(fork->streams[side], run_random, node));
            reach[side] |= node->self;
        }
    }
    join(fork);
    for (int i = 0; i < SIDES; i++) assert_hip_ok(hipEventDestroy(events[i]));
}

static void random_captures_keep_their_order(void **state) {
    (void)state;
    srand(5);
    for (int i = 0; i < GRAPHS; i++) {
        struct random_graph graph = {.count = 0};
        struct fork fork = begin_fork();
        capture_randomly(&fork, &graph);
        hipGraphExec_t exec = instantiate(&fork);
        for (int k = 0; k < LAUNCHES; k++) {
            hipStream_t stream = fork.streams[k % SIDES];
            assert_hip_ok(hipLaunchHostFunc(stream, begin_random, &graph));
            assert_hip_ok(hipGraphLaunch(exec, stream));
            assert_hip_ok(hipStreamSynchronize(stream));
            assert_int_equal(graph.wrong, 0);
            assert_true(graph.ran == (UINT64_C(1) << graph.count) - 1);
        }
        assert_hip_ok(hipGraphExecDestroy(exec));
        end_fork(&fork);
    }
}

// ---- life

static void a_graph_may_be_destroyed_while_its_branches_run(void **state) {
    struct gate gate = {false, 0};
    struct fork fork = begin_fork();
    (void)state;
    split(&fork);
    for (int i = 0; i < SIDES; i++)
        assert_hip_ok(hipLaunchHostFunc(fork.streams[i], pass_gate, &gate));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0]));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_int_equal(gate.passed, 0);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(fork.streams[0]));
    assert_int_equal(gate.passed, SIDES);
    end_fork(&fork);
}

static void a_graph_of_branches_runs_after_a_reset(void **state) {
    struct meeting meeting = {0, 0};
    (void)state;
    need_functions_at_once();
    struct fork fork = begin_fork();
    split(&fork);
    for (int i = 0; i < SIDES; i++)
        assert_hip_ok(hipLaunchHostFunc(fork.streams[i], meet, &meeting));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0]));
    assert_hip_ok(hipDeviceReset()); // waits
    assert_int_equal(meeting.met, SIDES);
    meeting.present = 0;
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(meeting.met, 2 * SIDES);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipEventDestroy(fork.event));
}

static void a_graph_of_branches_inside_another_runs(void **state) {
    struct meeting meeting = {0, 0};
    (void)state;
    need_functions_at_once();
    struct fork inner = begin_fork();
    split(&inner);
    for (int i = 0; i < SIDES; i++)
        assert_hip_ok(hipLaunchHostFunc(inner.streams[i], meet, &meeting));
    join(&inner);
    assert_hip_ok(hipLaunchHostFunc(inner.streams[0], leave, &meeting));
    hipGraphExec_t exec = instantiate(&inner);
    struct fork outer = begin_fork();
    split(&outer);
    for (int i = 0; i < SIDES; i++) assert_hip_ok(hipGraphLaunch(exec, outer.streams[0]));
    join(&outer);
    hipGraphExec_t whole = instantiate(&outer);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphLaunch(whole, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(meeting.met, SIDES * SIDES);
    assert_hip_ok(hipGraphExecDestroy(whole));
    end_fork(&inner);
    end_fork(&outer);
}

static void branches_share_memory_of_the_graph(void **state) {
    struct fork fork = begin_fork();
    void *memory = NULL;
    char *out = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&out, SIDES, 0));
    assert_hip_ok(hipMallocAsync(&memory, SIDES, fork.streams[0]));
    split(&fork);
    for (int i = 0; i < SIDES; i++)
        assert_hip_ok(hipMemsetAsync((char *)memory + i, 5 + i, 1, fork.streams[i]));
    join(&fork);
    assert_hip_ok(hipMemcpyAsync(out, memory, SIDES, hipMemcpyDeviceToHost, fork.streams[0]));
    assert_hip_ok(hipFreeAsync(memory, fork.streams[0]));
    hipGraphExec_t exec = instantiate(&fork);
    for (int round = 0; round < 5; round++) {
        memset(out, 0, SIDES);
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_hip_ok(hipStreamSynchronize(NULL));
        for (int i = 0; i < SIDES; i++) assert_int_equal(out[i], 5 + i);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipHostFree(out));
    end_fork(&fork);
}

// ---- failures

// Maps two granules; a copy of the first to the second fails while the first has no rights.
static char *map_pair(void) {
    char *memory = reserve(2 * G);
    map_fresh(memory, G);
    map_fresh(memory + G, G);
    return memory;
}

// Adds such a copy to the second branch, behind a gate.
static void copy_behind(const struct fork *fork, struct gate *gate, char *memory) {
    hipStream_t stream = fork->streams[1];
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, gate));
    assert_hip_ok(hipMemcpyAsync(memory + G, memory, G, hipMemcpyDeviceToDevice, stream));
}

static void end_copies(const struct fork *fork, hipGraphExec_t exec, char *memory) {
    assert_hip_ok(hipGraphExecDestroy(exec));
    unmap_and_free(memory, 2 * G);
    end_fork(fork);
}

// A copy in the second branch, which waits at a gate, loses its rights before its turn comes.
static void a_branch_that_fails_fails_the_launching_stream_only(void **state) {
    struct gate gate = {false, 0};
    struct fork fork = begin_fork();
    char *memory = map_pair();
    hipStream_t launching = NULL;
    atomic_count_t counter = 0;
    (void)state;
    split(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], count, &counter)); // the first branch
    copy_behind(&fork, &gate, memory);
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipStreamCreateWithFlags(&launching, hipStreamNonBlocking));
    assert_hip_ok(hipGraphLaunch(exec, launching));
    grant(memory, G, 0, NONE);
    gate.open = true;
    assert_hip(hipStreamSynchronize(launching), hipErrorIllegalAddress);
    assert_hip(hipGraphLaunch(exec, launching), hipErrorIllegalAddress);
    assert_hip_ok(hipStreamDestroy(launching));
    grant(memory, G, 0, READ_WRITE);
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0])); // on a stream that has not failed
    assert_hip_ok(hipStreamSynchronize(fork.streams[0]));
    assert_hip_ok(hipDeviceSynchronize());
    end_copies(&fork, exec, memory);
}

// The graph is launched again while the first branch of the launch that failed still runs.
static void a_second_launch_does_not_hide_a_failed_branch_of_the_first(void **state) {
    struct gate first = {false, 0};
    struct gate second = {false, 0};
    (void)state;
    need_functions_at_once();
    struct fork fork = begin_fork();
    char *memory = map_pair();
    split(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], pass_gate, &first)); // the first branch
    copy_behind(&fork, &second, memory);
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0]));
    grant(memory, G, 0, NONE);
    second.open = true;
    while (second.passed == 0) nanosleep(&(struct timespec){0, 100000}, NULL);
    let_others_begin();
    nanosleep(&(struct timespec){0, 20000000}, NULL); // most often the copy has failed then
    assert_true(hipGraphLaunch(exec, fork.streams[0]) != hipSuccess);
    first.open = true;
    assert_hip(hipStreamSynchronize(fork.streams[0]), hipErrorIllegalAddress);
    grant(memory, G, 0, READ_WRITE);
    end_copies(&fork, exec, memory);
}

// The third branch comes to know the failure of the second after the launching stream has failed.
static void a_late_branch_of_a_failed_launch_does_not_fail_the_next(void **state) {
    struct gate second = {false, 0};
    struct gate third = {false, 0};
    hipStream_t launching = NULL;
    (void)state;
    need_functions_at_once();
    struct fork fork = begin_fork();
    char *memory = map_pair();
    split(&fork);
    copy_behind(&fork, &second, memory);
    assert_hip_ok(hipEventRecord(fork.event, fork.streams[1]));
    assert_hip_ok(hipMemsetAsync(memory + G, 1, 1, fork.streams[1]));
    assert_hip_ok(hipLaunchHostFunc(fork.streams[2], pass_gate, &third));
    assert_hip_ok(hipStreamWaitEvent(fork.streams[2], fork.event, 0));
    assert_hip_ok(hipMemsetAsync(memory + G + 1, 1, 1, fork.streams[2]));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipStreamCreateWithFlags(&launching, hipStreamNonBlocking));
    assert_hip_ok(hipGraphLaunch(exec, launching));
    grant(memory, G, 0, NONE);
    second.open = true;
    assert_hip(hipStreamSynchronize(launching), hipErrorIllegalAddress);
    grant(memory, G, 0, READ_WRITE);
    assert_hip_ok(hipGraphLaunch(exec, fork.streams[0]));
    third.open = true;
    assert_hip_ok(hipStreamSynchronize(fork.streams[0]));
    assert_hip_ok(hipStreamDestroy(launching));
    assert_hip_ok(hipDeviceSynchronize());
    end_copies(&fork, exec, memory);
}

// The second launching stream is busy, so its launch has not begun when the call returns.
static void a_launch_from_another_device_follows_a_failed_one(void **state) {
    struct gate inside = {false, 0};
    struct gate before = {false, 0};
    hipStream_t launching[2] = {NULL, NULL};
    struct fork fork = begin_fork();
    char *memory = map_pair();
    (void)state;
    split(&fork);
    copy_behind(&fork, &inside, memory);
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipSetDevice(1));
    for (int i = 0; i < 2; i++)
        assert_hip_ok(hipStreamCreateWithFlags(&launching[i], hipStreamNonBlocking));
    assert_hip_ok(hipGraphLaunch(exec, launching[0]));
    grant(memory, G, 0, NONE);
    inside.open = true;
    assert_hip(hipStreamSynchronize(launching[0]), hipErrorIllegalAddress);
    grant(memory, G, 0, READ_WRITE);
    assert_hip_ok(hipLaunchHostFunc(launching[1], pass_gate, &before));
    assert_hip_ok(hipGraphLaunch(exec, launching[1]));
    before.open = true;
    assert_hip_ok(hipStreamSynchronize(launching[1]));
    for (int i = 0; i < 2; i++) assert_hip_ok(hipStreamDestroy(launching[i]));
    assert_hip_ok(hipSetDevice(0));
    end_copies(&fork, exec, memory);
}

// A copy in the second branch fails. A function and a fill of the third come after it, and another
// fill of the third comes after these; functions of the first come after nothing.
static void nodes_behind_a_failed_one_are_dropped_in_every_branch(void **state) {
    struct gate gate = {false, 0};
    struct fork fork = begin_fork();
    atomic_count_t behind = 0;
    atomic_count_t beside = 0;
    char *memory = map_pair();
    unsigned char *seen = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&seen, 2, 0));
    split(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], count, &beside)); // the first branch
    copy_behind(&fork, &gate, memory);
    assert_hip_ok(hipMemsetAsync(&seen[0], 1, 1, fork.streams[2]));
    assert_hip_ok(hipEventRecord(fork.event, fork.streams[1]));
    assert_hip_ok(hipStreamWaitEvent(fork.streams[2], fork.event, 0));
    assert_hip_ok(hipMemsetAsync(&seen[1], 1, 1, fork.streams[2]));
    assert_hip_ok(hipLaunchHostFunc(fork.streams[2], count, &behind));
    join(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], count, &behind));
    hipGraphExec_t exec = instantiate(&fork);
    for (int round = 0; round < 4; round++) {
        bool broken = round % 2 == 0;
        hipStream_t launching = NULL;
        assert_hip_ok(hipSetDevice(round / 2)); // on a stream of another device, too
        seen[0] = seen[1] = 0;
        gate.open = false;
        beside = behind = 0;
        assert_hip_ok(hipStreamCreateWithFlags(&launching, hipStreamNonBlocking));
        assert_hip_ok(hipGraphLaunch(exec, launching));
        if (broken) grant(memory, G, 0, NONE);
        gate.open = true;
        assert_hip(hipStreamSynchronize(launching), broken ? hipErrorIllegalAddress : hipSuccess);
        grant(memory, G, 0, READ_WRITE);
        assert_int_equal(beside, 1);
        assert_int_equal(behind, broken ? 0 : 2);
        assert_int_equal(seen[0], 1);
        assert_int_equal(seen[1], broken ? 0 : 1);
        assert_hip_ok(hipStreamDestroy(launching));
    }
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipHostFree(seen));
    unmap_and_free(memory, 2 * G);
    end_fork(&fork);
}

static hipError_t fail_if(const void *closure, const hipExtHostBlock *block, const char **why) {
    bool broken = **(const atomic_bool *const *)closure;
    *why = "the kernel found an error";
    return broken && block->blockIdx.x == 1 ? hipErrorAssert : hipSuccess;
}

// Copies and fills, too, in the branch of a kernel that fails and in one that waits for it.
static void nothing_runs_behind_a_failed_kernel(void **state) {
    struct gate gate = {false, 0};
    atomic_bool broken = false;
    atomic_bool *closure = &broken;
    const dim3 three = {3, 1, 1};
    const dim3 one = {1, 1, 1};
    struct fork fork = begin_fork();
    unsigned char *seen = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&seen, 4, 0));
    split(&fork);
    assert_hip_ok(hipMemsetAsync(&seen[0], 1, 1, fork.streams[2]));
    assert_hip_ok(hipLaunchHostFunc(fork.streams[1], pass_gate, &gate));
    assert_hip_ok(
        hipExtLaunchHostKernel(fail_if, three, one, 0, fork.streams[1], &closure, sizeof closure));
    assert_hip_ok(hipEventRecord(fork.event, fork.streams[1]));
    assert_hip_ok(hipMemsetAsync(&seen[1], 1, 1, fork.streams[1]));
    assert_hip_ok(hipStreamWaitEvent(fork.streams[2], fork.event, 0));
    assert_hip_ok(hipMemsetAsync(&seen[2], 1, 1, fork.streams[2]));
    join(&fork);
    assert_hip_ok(hipMemcpyAsync(&seen[3], &seen[0], 1, hipMemcpyDefault, fork.streams[0]));
    hipGraphExec_t exec = instantiate(&fork);
    for (int round = 0; round < 4; round++) {
        hipStream_t launching = NULL;
        broken = round % 2 == 0;
        gate.open = false;
        memset(seen, 0, 4);
        assert_hip_ok(hipStreamCreateWithFlags(&launching, hipStreamNonBlocking));
        assert_hip_ok(hipGraphLaunch(exec, launching));
        gate.open = true;
        assert_hip(hipStreamSynchronize(launching), broken ? hipErrorAssert : hipSuccess);
        if (broken) assert_text_names("the kernel found an error");
        assert_int_equal(seen[0], 1);
        for (int i = 1; i < 4; i++) assert_int_equal(seen[i], broken ? 0 : 1);
        assert_hip_ok(hipStreamDestroy(launching));
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipHostFree(seen));
    end_fork(&fork);
}

static void a_failure_during_a_launch_is_reported_with_its_code(void **state) {
    atomic_bool broken = true;
    atomic_bool *closure = &broken;
    const dim3 three = {3, 1, 1};
    const dim3 one = {1, 1, 1};
    struct fork fork = begin_fork();
    unsigned char *seen = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&seen, 1, 0));
    split(&fork);
    assert_hip_ok(
        hipExtLaunchHostKernel(fail_if, three, one, 0, fork.streams[0], &closure, sizeof closure));
    for (int i = 0; i < 200; i++) assert_hip_ok(hipMemsetAsync(seen, 1, 1, fork.streams[0]));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    for (int round = 0; round < 50; round++) {
        hipStream_t launching = NULL;
        assert_hip_ok(hipStreamCreateWithFlags(&launching, hipStreamNonBlocking));
        hipError_t launched = hipGraphLaunch(exec, launching);
        if (launched != hipSuccess) assert_int_equal(launched, hipErrorAssert);
        assert_hip(hipStreamSynchronize(launching), hipErrorAssert);
        assert_hip_ok(hipStreamDestroy(launching));
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipHostFree(seen));
    end_fork(&fork);
}

// The fill's memory is gone at the launch, so the launch fails; two branches have begun.
static void a_launch_that_fails_is_joined(void **state) {
    struct gate gate = {false, 0};
    struct fork fork = begin_fork();
    void *memory = NULL;
    atomic_count_t counter = 0;
    (void)state;
    assert_hip_ok(hipMalloc(&memory, 16));
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], count, &counter));
    split(&fork);
    assert_hip_ok(hipLaunchHostFunc(fork.streams[0], count, &counter)); // the first branch
    assert_hip_ok(hipLaunchHostFunc(fork.streams[1], pass_gate, &gate));
    assert_hip_ok(hipMemsetAsync(memory, 1, 16, fork.streams[2]));
    join(&fork);
    hipGraphExec_t exec = instantiate(&fork);
    assert_hip_ok(hipFree(memory));
    assert_hip(hipGraphLaunch(exec, fork.streams[0]), hipErrorInvalidValue);
    let_others_begin();
    assert_hip(hipStreamQuery(fork.streams[0]), hipErrorNotReady); // it waits for the gate
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(fork.streams[0]));
    assert_int_equal(gate.passed, 1);
    assert_int_equal(counter, 2);
    assert_hip_ok(hipGraphExecDestroy(exec));
    end_fork(&fork);
}

// A node of the middle branch cannot be submitted, and is added first, last or between the others.
static void nodes_beside_one_that_is_not_submitted_run(void **state) {
    void *memory = NULL;
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipMalloc(&memory, 16));
    const hipMemsetParams odd = {(char *)memory + 1, 2, 1, 0, 1, 4}; // misaligned
    for (int place = 0; place < 3; place++) {
        atomic_count_t beside = 0;
        atomic_count_t behind = 0;
        const hipHostNodeParams runs = {count, &beside};
        const hipHostNodeParams dropped = {count, &behind};
        hipGraph_t graph = NULL;
        hipGraphExec_t exec = NULL;
        hipGraphNode_t nodes[3];
        hipGraphNode_t last = NULL;
        assert_hip_ok(hipGraphCreate(&graph, 0));
        for (int i = 0; i < 3; i++)
            assert_hip_ok(i == place ? hipGraphAddMemsetNode(&nodes[i], graph, NULL, 0, &odd)
                                     : hipGraphAddHostNode(&nodes[i], graph, NULL, 0, &runs));
        for (int i = 0; i < 3; i++) // one behind each
            assert_hip_ok(
                hipGraphAddHostNode(&last, graph, &nodes[i], 1, i == place ? &dropped : &runs));
        assert_hip_ok(hipGraphAddHostNode(&last, graph, nodes, 3, &dropped));
        assert_hip_ok(hipGraphAddHostNode(&last, graph, &last, 1, &dropped));
        assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
        for (int round = 1; round <= 2; round++) {
            assert_hip(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
            assert_hip_ok(hipStreamSynchronize(stream)); // the stream has not failed
            assert_int_equal(beside, 4 * round);
            assert_int_equal(behind, 0);
        }
        assert_hip_ok(hipGraphExecDestroy(exec));
        assert_hip_ok(hipGraphDestroy(graph));
    }
    assert_hip_ok(hipFree(memory));
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_different_branches_can_wait_for_each_other),
        cmocka_unit_test(a_wait_in_one_branch_ends_by_a_write_in_another),
        cmocka_unit_test(a_launch_comes_between_the_work_before_and_behind_it),
        cmocka_unit_test(a_launch_on_another_stream_runs_beside_the_first),
        cmocka_unit_test(random_captures_keep_their_order),
        cmocka_unit_test(a_graph_may_be_destroyed_while_its_branches_run),
        cmocka_unit_test(a_graph_of_branches_runs_after_a_reset),
        cmocka_unit_test(a_graph_of_branches_inside_another_runs),
        cmocka_unit_test(branches_share_memory_of_the_graph),
        cmocka_unit_test(a_branch_that_fails_fails_the_launching_stream_only),
        cmocka_unit_test(a_second_launch_does_not_hide_a_failed_branch_of_the_first),
        cmocka_unit_test(a_late_branch_of_a_failed_launch_does_not_fail_the_next),
        cmocka_unit_test(a_launch_from_another_device_follows_a_failed_one),
        cmocka_unit_test(nodes_behind_a_failed_one_are_dropped_in_every_branch),
        cmocka_unit_test(nothing_runs_behind_a_failed_kernel),
        cmocka_unit_test(a_failure_during_a_launch_is_reported_with_its_code),
        cmocka_unit_test(a_launch_that_fails_is_joined),
        cmocka_unit_test(nodes_beside_one_that_is_not_submitted_run),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
