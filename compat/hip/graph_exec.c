// SPDX-License-Identifier: Apache-2.0
// Executable graphs: a plan and where its last launch ended. A launch is a piece of work like any
// other, so a graph launched into a capturing stream becomes a node there.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/graph.h>

#include "compat/hip/graph.h"

#define ALL_FLAGS                                                                                  \
    (hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |                     \
     hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority)

struct graph_exec {
    struct tn_face_object object;
    struct tn_hip_plan *plan;
    pthread_mutex_t lock; // one launch at a time
    tarn_event last;      // where the last one ended
    bool launched;        // once at least
};

static void destroy(struct tn_face_object *object) {
    struct graph_exec *exec = (struct graph_exec *)object;
    (void)tarn_event_destroy(exec->last);
    (void)pthread_mutex_destroy(&exec->lock);
    tn_hip_plan_put(exec->plan);
    free(exec);
}

static struct graph_exec *get(hipGraphExec_t handle) {
    return (struct graph_exec *)tn_face_handle_get((uintptr_t)handle, TN_HIP_GRAPH_EXEC);
}

static hipError_t no_exec(hipGraphExec_t handle) {
    return tn_hip_fail(hipErrorInvalidValue, "%p is no executable graph", (void *)handle);
}

static hipError_t make(struct tn_hip_plan *plan, hipGraphExec_t *handle) {
    struct graph_exec *exec = (struct graph_exec *)calloc(1, sizeof *exec);
    if (exec == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for an executable graph");
    }
    hipError_t error = tn_hip_from(tarn_event_create(tn_hip_current()->tarn, &exec->last));
    if (error != hipSuccess) {
        free(exec);
        return error;
    }
    (void)pthread_mutex_init(&exec->lock, NULL);
    exec->plan = tn_hip_plan_keep(plan);
    if (!tn_face_handle_new(&exec->object, TN_HIP_GRAPH_EXEC, destroy)) {
        destroy(&exec->object);
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a graph's handle");
    }
    *handle = (hipGraphExec_t)exec->object.handle;
    return hipSuccess;
}

static hipError_t instantiate(hipGraphExec_t *exec, hipGraph_t handle, unsigned long long flags) {
    struct tn_hip_graph *graph = NULL;
    if (exec == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "where the executable graph shall go is NULL");
    }
    if ((flags & ~(unsigned long long)ALL_FLAGS) != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%llx", flags);
    }
    if ((flags & hipGraphInstantiateFlagDeviceLaunch) != 0) {
        return tn_hip_fail(hipErrorNotSupported, "no launches from the device (flags 0x%llx)",
                           flags);
    }
    TN_HIP_TRY(tn_hip_graph_get(handle, true, &graph));
    hipError_t error = make(graph->plan, exec);
    tn_face_object_put(&graph->object);
    return error;
}

hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                               hipGraphNode_t *pErrorNode, char *pLogBuffer, size_t bufferSize) {
    (void)pErrorNode;
    (void)pLogBuffer;
    (void)bufferSize;
    return TN_HIP_CALL(instantiate(pGraphExec, graph, 0));
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                        unsigned long long flags) {
    return TN_HIP_CALL(instantiate(pGraphExec, graph, flags));
}

static hipError_t destroy_named(hipGraphExec_t handle) {
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)handle, TN_HIP_GRAPH_EXEC);
    if (object == NULL) {
        return no_exec(handle);
    }
    tn_face_object_put(object);
    return hipSuccess;
}

hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec) {
    return TN_HIP_CALL(destroy_named(graphExec));
}

// ---- launch

struct launch {
    struct graph_exec *exec;
};

static struct graph_exec *exec_of(const void *payload) {
    struct launch launch;
    memcpy(&launch, payload, sizeof launch);
    return launch.exec;
}

static hipError_t run_behind_the_last(struct graph_exec *exec, const struct tn_hip_where *where) {
    hipError_t error =
        exec->launched ? tn_hip_from(tarn_stream_wait(where->stream, exec->last)) : hipSuccess;
    if (error == hipSuccess) {
        error = tn_hip_plan_run(exec->plan, where);
    }
    hipError_t recorded = tn_hip_from(tarn_event_record(exec->last, where->stream));
    exec->launched = exec->launched || recorded == hipSuccess;
    return error != hipSuccess ? error : recorded;
}

static hipError_t run(const void *payload, const struct tn_hip_where *where) {
    struct graph_exec *exec = exec_of(payload);
    (void)pthread_mutex_lock(&exec->lock);
    hipError_t error = run_behind_the_last(exec, where);
    (void)pthread_mutex_unlock(&exec->lock);
    return error;
}

static hipError_t keep(void *payload) {
    tn_face_object_keep(&exec_of(payload)->object);
    return hipSuccess;
}

static void drop(void *payload) {
    tn_face_object_put(&exec_of(payload)->object);
}

static hipError_t launch(hipGraphExec_t handle, hipStream_t stream) {
    struct tn_hip_op op = {.work = TN_HIP_WORK_GRAPH, .run = run, .keep = keep, .drop = drop};
    struct launch launch = {get(handle)};
    if (launch.exec == NULL) {
        return no_exec(handle);
    }
    memcpy(op.payload, &launch, sizeof launch);
    hipError_t error = tn_hip_submit(stream, &op);
    tn_face_object_put(&launch.exec->object);
    return error;
}

hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream) {
    return TN_HIP_CALL(launch(graphExec, stream));
}
