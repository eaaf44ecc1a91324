// SPDX-License-Identifier: Apache-2.0
// The launch of a graph against the same calls on streams, on `host`. Each shape has 64 nodes. A
// figure is the time of a node: the median over rounds of the time of the launch, or of the launch
// and the wait for its end, by 64.
// Usage: bench_compat_hip_graph [--json]
#include <string.h>

#include <hip/hip_runtime_api.h>

#include "measure.h"

enum { NODES = 64, SIDES = 8, ROUNDS = 2001, BYTES = 64 };

struct scene {
    hipStream_t streams[SIDES]; // work begins and ends in the first
    hipEvent_t events[SIDES];
    char *memory;
    bool functions; // the nodes are functions, else fills
};

static void need(hipError_t error) {
    if (error == hipSuccess) return;
    (void)fprintf(stderr, "%s: %s\n", hipGetErrorName(error), hipExtGetLastErrorText());
    exit(1);
}

static void nothing(void *arg) { (void)arg; }

static void add(const struct scene *scene, int side) {
    hipStream_t stream = scene->streams[side];
    if (scene->functions)
        need(hipLaunchHostFunc(stream, nothing, NULL));
    else
        need(hipMemsetAsync(scene->memory + (size_t)side * BYTES, side, BYTES, stream));
}

// Makes the side `to` wait for the side `from`.
static void cross(const struct scene *scene, int from, int to) {
    need(hipEventRecord(scene->events[from], scene->streams[from]));
    need(hipStreamWaitEvent(scene->streams[to], scene->events[from], 0));
}

// ---- shapes

static void chain(const struct scene *scene) {
    for (int i = 0; i < NODES; i++) add(scene, 0);
}

static void sides(const struct scene *scene) {
    for (int side = 1; side < SIDES; side++) cross(scene, 0, side);
    for (int i = 0; i < NODES; i++) add(scene, i % SIDES);
    for (int side = 1; side < SIDES; side++) cross(scene, side, 0);
}

// Each node comes after both nodes of the level before it.
static void ladder(const struct scene *scene) {
    for (int i = 0; i < NODES / 2; i++) {
        cross(scene, 0, 1);
        if (i > 0) cross(scene, 1, 0);
        add(scene, 0);
        add(scene, 1);
    }
    cross(scene, 1, 0);
}

static const struct {
    const char *name;
    void (*submit)(const struct scene *scene);
} shapes[] = {{"a chain", chain}, {"8 branches", sides}, {"2 branches, ordered by levels", ladder}};

// ---- measuring

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Launches `exec`, or submits the shape if that is NULL.
static void measure(const struct scene *scene, int shape, hipGraphExec_t exec, double *submit,
                    double *whole) {
    static double submits[ROUNDS];
    static double wholes[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t since = now_ns();
        if (exec != NULL)
            need(hipGraphLaunch(exec, scene->streams[0]));
        else
            shapes[shape].submit(scene);
        submits[round] = (double)(now_ns() - since) / NODES;
        need(hipStreamSynchronize(scene->streams[0]));
        wholes[round] = (double)(now_ns() - since) / NODES;
    }
    qsort(submits, ROUNDS, sizeof submits[0], by_value);
    qsort(wholes, ROUNDS, sizeof wholes[0], by_value);
    *submit = submits[ROUNDS / 2];
    *whole = wholes[ROUNDS / 2];
}

static hipGraphExec_t make_exec(const struct scene *scene, int shape) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    need(hipStreamBeginCapture(scene->streams[0], hipStreamCaptureModeRelaxed));
    shapes[shape].submit(scene);
    need(hipStreamEndCapture(scene->streams[0], &graph));
    need(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    need(hipGraphDestroy(graph));
    return exec;
}

static void compare(const struct scene *scene, int shape, bool json) {
    double ns[4];
    hipGraphExec_t exec = make_exec(scene, shape);
    measure(scene, shape, exec, &ns[0], &ns[1]);
    measure(scene, shape, NULL, &ns[2], &ns[3]);
    need(hipGraphExecDestroy(exec));
    printf(json ? "{\"bench\":\"compat_hip_graph\",\"shape\":\"%s\",\"nodes\":\"%s\","
                  "\"launch_ns\":%.1f,\"launch_wait_ns\":%.1f,\"calls_ns\":%.1f,"
                  "\"calls_wait_ns\":%.1f}\n"
                : "%-30s %-9s %9.1f %9.1f %9.1f %9.1f\n",
           shapes[shape].name, scene->functions ? "functions" : "fills", ns[0], ns[1], ns[2],
           ns[3]);
}

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    struct scene scene = {.functions = false};
    if (setenv("TARN_HIP_DEVICE", "host:0", 1) != 0) return 1;
    need(hipMalloc((void **)&scene.memory, (size_t)SIDES * BYTES));
    for (int side = 0; side < SIDES; side++) {
        need(hipStreamCreateWithFlags(&scene.streams[side], hipStreamNonBlocking));
        need(hipEventCreate(&scene.events[side]));
    }
    if (!json)
        printf("%-40s %9s %9s %9s %9s\n", "ns per node", "launch", "and wait", "calls", "and wait");
    for (int functions = 0; functions < 2; functions++) {
        scene.functions = functions != 0;
        for (int shape = 0; shape < 3; shape++) compare(&scene, shape, json);
    }
    return 0;
}
