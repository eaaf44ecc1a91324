// SPDX-License-Identifier: Apache-2.0
// HIP: graphs that are built by hand, with nodes of each kind, and a capture into one.
#include <stdlib.h>
#include <string.h>

#include "starve/support/hip.h"

#define BYTES ((size_t)1 << 16)

struct scene {
    void *memory;
    hipStream_t stream;
    hipEvent_t event;
    hipGraph_t graph, child, clone, owner, scratch, parent;
    hipGraphExec_t exec, other, runs;
    int calls;
};

static void count_call(void *calls) { ++*(int *)calls; }

static enum starve_kind use_child(struct scene *s, hipGraphNode_t *node) {
    const hipMemsetParams fill = {s->memory, 4, 1, 0, 7, 2};
    hipGraphNode_t nodes[3];
    hipGraph_t copy = NULL;
    size_t count = 3;
    TRY(hipGraphCreate(&s->child, 0));
    TRY(hipGraphAddMemsetNode(&nodes[0], s->child, NULL, 0, &fill));
    TRY(hipGraphAddChildGraphNode(node, s->graph, NULL, 0, s->child));
    TRY(hipGraphChildGraphNodeGetGraph(*node, &copy));
    TRY(hipGraphAddEmptyNode(&nodes[1], copy, NULL, 0));
    TRY(hipGraphGetNodes(copy, nodes, &count));
    return count == 2 ? STARVE_DONE : starve_classify(false, "the child", "wrong nodes");
}

static enum starve_kind add_nodes(struct scene *s, hipGraphNode_t *nodes) {
    const hipHostNodeParams call = {count_call, &s->calls};
    hipStreamBatchMemOpParams op = {
        .writeValue = {.operation = hipStreamMemOpWriteValue32, .address = s->memory, .value = 5}};
    const hipBatchMemOpNodeParams batch = {(hipCtx_t)s, 1, &op, 0};
    hipMemcpy3DParms box = {.srcPtr = make_hipPitchedPtr(s->memory, 64, 64, 1),
                            .dstPtr = make_hipPitchedPtr((char *)s->memory + 64, 64, 64, 1),
                            .extent = make_hipExtent(4, 1, 1),
                            .kind = hipMemcpyDefault};
    TRY(hipGraphAddHostNode(&nodes[1], s->graph, &nodes[0], 1, &call));
    TRY(hipGraphAddBatchMemOpNode(&nodes[2], s->graph, &nodes[1], 1, &batch));
    TRY(hipGraphAddMemcpyNode(&nodes[3], s->graph, &nodes[2], 1, &box));
    TRY(hipGraphMemcpyNodeSetParams(nodes[3], &box));
    TRY(hipGraphAddEventRecordNode(&nodes[4], s->graph, &nodes[0], 1, s->event));
    TRY(hipGraphAddEventWaitNode(&nodes[5], s->graph, NULL, 0, s->event));
    TRY(hipGraphAddDependencies(s->graph, &nodes[4], &nodes[5], 1));
    return STARVE_DONE;
}

static enum starve_kind use_nodes(struct scene *s) {
    hipGraphNode_t nodes[6];
    hipGraphNode_t found = NULL;
    int word = 0;
    enum starve_kind kind = use_child(s, &nodes[0]);
    if (kind == STARVE_DONE) kind = add_nodes(s, nodes);
    if (kind != STARVE_DONE) return kind;
    TRY(hipGraphClone(&s->clone, s->graph));
    TRY(hipGraphNodeFindInClone(&found, nodes[1], s->clone));
    TRY(hipGraphDestroyNode(found));
    TRY(hipGraphInstantiate(&s->exec, s->graph, NULL, NULL, 0));
    TRY(hipGraphLaunch(s->exec, s->stream));
    TRY(hipStreamSynchronize(s->stream));
    TRY(hipMemcpy(&word, (char *)s->memory + 64, sizeof word, hipMemcpyDeviceToHost));
    return s->calls == 1 && word == 5 ? STARVE_DONE
                                      : starve_classify(false, "nodes", "wrong values");
}

// Changes the executable graph of use_nodes() to what it is, and runs one whose child has memory that
// comes and goes.
static enum starve_kind use_executables(struct scene *s) {
    const hipHostNodeParams call = {count_call, &s->calls};
    hipGraphNode_t nodes[6], bad = NULL;
    hipGraph_t copy = NULL;
    hipGraphExecUpdateResult result;
    size_t count = 6;
    hipMemAllocNodeParams params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                                  .location = {hipMemLocationTypeDevice, 0}},
                                    .bytesize = BYTES};
    TRY(hipGraphExecUpdate(s->exec, s->graph, &bad, &result));
    TRY(hipGraphGetNodes(s->graph, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        hipGraphNodeType type;
        TRY(hipGraphNodeGetType(nodes[i], &type));
        if (type == hipGraphNodeTypeGraph) {
            TRY(hipGraphChildGraphNodeGetGraph(nodes[i], &copy));
            TRY(hipGraphExecChildGraphNodeSetParams(s->exec, nodes[i], copy));
        }
        if (type == hipGraphNodeTypeHost)
            TRY(hipGraphExecHostNodeSetParams(s->exec, nodes[i], &call));
    }
    hipError_t printed = hipGraphDebugDotPrint(s->graph, "/dev/null", hipGraphDebugDotFlagsVerbose);
    if (printed == hipErrorOperatingSystem) // the file cannot be opened
        return starve_classify(true, "hipGraphDebugDotPrint()", hipGetErrorName(printed));
    TRY(printed);
    TRY(hipGraphLaunch(s->exec, s->stream));
    TRY(hipGraphCreate(&s->scratch, 0));
    TRY(hipGraphAddMemAllocNode(&nodes[0], s->scratch, NULL, 0, &params));
    TRY(hipGraphAddMemFreeNode(&nodes[1], s->scratch, nodes, 1, params.dptr));
    TRY(hipGraphCreate(&s->parent, 0));
    TRY(hipGraphAddChildGraphNode(&nodes[2], s->parent, NULL, 0, s->scratch));
    TRY(hipGraphInstantiate(&s->runs, s->parent, NULL, NULL, 0));
    TRY(hipGraphLaunch(s->runs, s->stream));
    TRY(hipStreamSynchronize(s->stream));
    return s->calls == 2 ? STARVE_DONE : starve_classify(false, "executables", "wrong calls");
}

static enum starve_kind use_memory(struct scene *s) {
    hipGraphNode_t nodes[2];
    hipGraph_t captured = NULL; // NULL after a failure
    hipMemAllocNodeParams params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                                  .location = {hipMemLocationTypeDevice, 0}},
                                    .bytesize = BYTES};
    TRY(hipGraphCreate(&s->owner, 0));
    TRY(hipGraphAddMemAllocNode(&nodes[0], s->owner, NULL, 0, &params));
    TRY(hipStreamBeginCaptureToGraph(s->stream, s->owner, nodes, NULL, 1,
                                     hipStreamCaptureModeRelaxed));
    TRY(hipMemsetAsync(params.dptr, 1, BYTES, s->stream));
    TRY(hipStreamEndCapture(s->stream, &captured));
    TRY(hipGraphAddMemFreeNode(&nodes[1], s->owner, NULL, 0, params.dptr));
    TRY(hipGraphInstantiate(&s->other, s->owner, NULL, NULL, 0));
    return STARVE_DONE;
}

static enum starve_kind use_all(struct scene *s) {
    TRY(hipMalloc(&s->memory, BYTES));
    TRY(hipStreamCreate(&s->stream));
    TRY(hipEventCreate(&s->event));
    TRY(hipGraphCreate(&s->graph, 0));
    enum starve_kind kind = use_nodes(s);
    if (kind == STARVE_DONE) kind = use_executables(s);
    return kind == STARVE_DONE ? use_memory(s) : kind;
}

// A capture that was not ended ends with its stream, and then the graph can be destroyed.
static void undo_all(struct scene *s, enum starve_kind *worst) {
    hipGraph_t *const graphs[] = {&s->owner, &s->clone,   &s->child,
                                  &s->graph, &s->scratch, &s->parent};
    if (s->exec != NULL) MUST(worst, hipGraphExecDestroy(s->exec));
    if (s->other != NULL) MUST(worst, hipGraphExecDestroy(s->other));
    if (s->runs != NULL) MUST(worst, hipGraphExecDestroy(s->runs));
    if (s->stream != NULL) MUST(worst, hipStreamDestroy(s->stream));
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++)
        if (*graphs[i] != NULL) MUST(worst, hipGraphDestroy(*graphs[i]));
    if (s->event != NULL) MUST(worst, hipEventDestroy(s->event));
    MUST(worst, hipFree(s->memory));
}

void starve_provoke(void) {
    void *memory = NULL;
    (void)hipMalloc(&memory, SIZE_MAX / 4);
}

enum starve_kind starve_round(void) {
    // With one worker, what the engine keeps does not depend on how branches run beside each other.
    (void)setenv("TARN_HIP_DEVICE", "host:0,workers=1", 1);
    struct scene s = {0};
    enum starve_kind worst = use_all(&s);
    undo_all(&s, &worst);
    return worst;
}
