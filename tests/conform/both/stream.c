// SPDX-License-Identifier: Apache-2.0
// Streams and events, functions of the host, and the order of their work.
#include <pthread.h>
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "stream"

static void end_streams(CUstream one, CUstream other) {
    MUST0(cuCtxSynchronize);
    MUST(cuStreamDestroy, one);
    if (other != NULL) MUST(cuStreamDestroy, other);
}

QUESTION(created_with_flags, EITHER("cuStreamCreate", "hipStreamCreateWithFlags")) {
    CUstream stream = NULL;
    unsigned flags = 77;
    ASK(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    ASK(cuStreamGetFlags, stream, &flags);
    SAY("flags", flags);
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamCreate, &stream, CU_STREAM_DEFAULT);
    ASK(cuStreamGetFlags, stream, &flags);
    SAY("flags", flags);
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamCreate, &stream, 2);
    ASK(cuStreamCreate, &stream, 8);
    ASK(cuStreamCreate, NULL, 0);
    ASK(cudaStreamCreateWithFlags, &stream, 8);
    ASK(cudaStreamCreate, NULL);
}

QUESTION(flags_of_the_special_streams, EITHER("cuStreamGetFlags", "hipStreamGetFlags")) {
    unsigned flags = 77;
    ASK(cuStreamGetFlags, NULL, &flags);
    SAY("flags", flags);
    ASK(cuStreamGetFlags, CU_STREAM_LEGACY, &flags);
    SAY("flags", flags);
    ASK(cuStreamGetFlags, CU_STREAM_PER_THREAD, &flags);
    SAY("flags", flags);
    ASK(cuStreamGetFlags, NULL, NULL);
}

QUESTION(destroyed_special_streams, EITHER("cuStreamDestroy", "hipStreamDestroy")) {
    ASK(cuStreamDestroy, NULL);
    ASK(cuStreamDestroy, CU_STREAM_LEGACY);
    ASK(cuStreamDestroy, CU_STREAM_PER_THREAD);
    ASK(cudaStreamDestroy, NULL);
    ASK(cudaStreamDestroy, cudaStreamLegacy);
    ASK(cudaStreamDestroy, cudaStreamPerThread);
}

QUESTION(special_streams_are_queried, EITHER("cuStreamQuery", "hipStreamQuery")) {
    ASK(cuStreamQuery, NULL);
    ASK(cuStreamQuery, CU_STREAM_LEGACY);
    ASK(cuStreamQuery, CU_STREAM_PER_THREAD);
    ASK(cuStreamSynchronize, NULL);
    ASK(cuStreamSynchronize, CU_STREAM_LEGACY);
    ASK(cuStreamSynchronize, CU_STREAM_PER_THREAD);
}

QUESTION(destroyed_twice, EITHER("cuStreamDestroy", "hipStreamDestroy")) {
    CUstream stream = make_stream();
    ASK(cuStreamDestroy, stream);
    ASK(cuStreamDestroy, stream);
}

QUESTION(queried_after_its_end, EITHER("cuStreamQuery", "hipStreamQuery")) {
    CUstream stream = make_stream();
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamQuery, stream);
}

QUESTION(synchronised_after_its_end, EITHER("cuStreamSynchronize", "hipStreamSynchronize")) {
    CUstream stream = make_stream();
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamSynchronize, stream);
}

QUESTION(priorities, EITHER("cuCtxGetStreamPriorityRange", "hipDeviceGetStreamPriorityRange")) {
    int least = 77, greatest = 77, priority = 77;
    CUstream stream = NULL;
    ASK(cuCtxGetStreamPriorityRange, &least, &greatest);
    SAY("least", least);
    SAY("greatest", greatest);
    ASK(cuStreamCreateWithPriority, &stream, 0, greatest);
    ASK(cuStreamGetPriority, stream, &priority);
    SAY("is_greatest", priority == greatest);
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamCreateWithPriority, &stream, 0, 100);
    ASK(cuStreamGetPriority, stream, &priority);
    SAY("is_least", priority == least);
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamCreateWithPriority, &stream, 0, -100);
    ASK(cuStreamGetPriority, stream, &priority);
    SAY("is_greatest", priority == greatest);
    MUST(cuStreamDestroy, stream);
    ASK(cuStreamGetPriority, NULL, &priority);
    SAY("priority", priority);
    ASK(cuStreamGetPriority, NULL, NULL);
    ASK(cuCtxGetStreamPriorityRange, NULL, NULL);
}

QUESTION(identities, EITHER("cuStreamGetId", "hipStreamGetId")) {
    CUstream a = make_stream(), b = make_stream();
    unsigned long long one = 0, other = 0;
    ASK(cuStreamGetId, a, &one);
    ASK(cuStreamGetId, b, &other);
    SAY("new", one != other);
    ASK(cuStreamGetId, NULL, &one);
    ASK(cuStreamGetId, CU_STREAM_LEGACY, &other);
    SAY("same", one == other);
    IN_HIP(ASK(cuStreamGetId, a, NULL);)
    end_streams(a, b);
}

#if !IS_HIP
QUESTION(identities_to_null, "cuStreamGetId") { ASK(cuStreamGetId, NULL, NULL); }
#endif

QUESTION(contexts_of_streams, EITHER("cuStreamGetCtx", "hipStreamGetCtx")) {
    CUstream stream = make_stream();
    CUcontext ctx = NULL, now = NULL;
    CUdevice device = 77;
    MUST(cuCtxGetCurrent, &now);
    IN_CUDA(ASK(cuStreamGetCtx, stream, &ctx);)
    SAY("same", ctx == now);
    IN_CUDA(ASK(cuStreamGetCtx, NULL, &ctx);)
    SAY("same", ctx == now);
    ASK(cuStreamGetDevice, stream, &device);
    SAY("device", device);
    MUST(cuStreamDestroy, stream);
}

struct late {
    int gate, returned;
};

// Opens a gate once the call beside it has returned, or after a second: a library may wait for the work.
static void *open_late(void *arg) {
    struct late *late = arg;
    for (int i = 0; i < 100 && !__atomic_load_n(&late->returned, __ATOMIC_ACQUIRE); i++)
        (void)usleep(10 * 1000);
    open_gate(&late->gate);
    return NULL;
}

QUESTION(work_goes_on_after_the_end_of_a_stream,
         EITHER("cuStreamDestroy returns at once", "hipStreamDestroy")) {
    CUstream stream = make_stream();
    pthread_t thread;
    struct late late = {0, 0};
    close_gate(stream, &late.gate);
    (void)pthread_create(&thread, NULL, open_late, &late);
    ASK(cuStreamDestroy, stream);
    SAY("waited", __atomic_load_n(&late.gate, __ATOMIC_ACQUIRE));
    __atomic_store_n(&late.returned, 1, __ATOMIC_RELEASE);
    (void)pthread_join(thread, NULL);
    MUST0(cuCtxSynchronize);
}

static void set_seven(void *value) { *(int *)value = 7; }

QUESTION(the_legacy_stream_waits_for_blocking_streams,
         EITHER("default stream: implicit synchronisation",
                "NULL stream: implicit synchronisation")) {
    CUstream blocking = make_blocking_stream(), free_running = make_stream();
    CUdeviceptr ptr = make_memory(8 * MIB);
    unsigned char byte = 0;
    int gate;
    close_gate(free_running, &gate);
    MUST(cuMemsetD8Async, ptr, 7, 8 * MIB, blocking);
    ASK(cuMemcpyDtoH, &byte, ptr + 8 * MIB - 1, 1);
    SAY("byte", byte);
    ASK(cuStreamQuery, free_running);
    open_gate(&gate);
    end_streams(blocking, free_running);
    MUST(cuMemFree, ptr);
}

QUESTION(blocking_streams_wait_for_the_legacy_stream,
         EITHER("default stream: implicit synchronisation",
                "NULL stream: implicit synchronisation")) {
    CUstream blocking = make_blocking_stream(), free_running = make_stream();
    CUdeviceptr ptr = make_memory(64);
    int gate;
    close_gate(NULL, &gate);
    MUST(cuMemsetD8Async, ptr, 1, 64, blocking);
    MUST(cuMemsetD8Async, ptr + 32, 1, 32, free_running);
    ASK(cuStreamSynchronize, free_running);
    ASK(cuStreamQuery, blocking);
    open_gate(&gate);
    ASK(cuStreamSynchronize, blocking);
    end_streams(blocking, free_running);
    MUST(cuMemFree, ptr);
}

QUESTION(the_stream_of_the_thread_is_blocking,
         EITHER("per-thread default stream", "hipStreamPerThread")) {
    int gate;
    close_gate(NULL, &gate);
    MUST(cuLaunchHostFunc, CU_STREAM_PER_THREAD, set_seven, &(int){0});
    ASK(cuStreamQuery, CU_STREAM_PER_THREAD);
    open_gate(&gate);
    ASK(cuStreamSynchronize, CU_STREAM_PER_THREAD);
}

QUESTION(queries_of_the_legacy_stream_see_blocking_streams,
         EITHER("default stream", "NULL stream")) {
    CUstream blocking = make_blocking_stream();
    int gate;
    close_gate(blocking, &gate);
    ASK(cuStreamQuery, NULL);
    open_gate(&gate);
    ASK(cuStreamSynchronize, NULL);
    ASK(cuStreamQuery, blocking);
    end_streams(blocking, NULL);
}

// ---- functions of the host

struct inside {
    int alloc, free_last, query, count;
};

static void call_inside(void *data) {
    struct inside *inside = (struct inside *)data;
    CUdeviceptr ptr = 0;
    int count = 0;
    inside->count = (int)CALL(cuDeviceGetCount, &count);
    inside->query = (int)CALL(cuStreamQuery, NULL);
    inside->alloc = (int)CALL(cuMemAlloc, &ptr, 64);
}

FIRST_QUESTION(calls_inside_a_function,
               EITHER("cuLaunchHostFunc: must not make CUDA API calls", "hipLaunchHostFunc")) {
    struct inside inside = {-1, -1, -1, -1};
    MUST(cudaSetDevice, 0);
    CUstream stream = make_stream();
    MUST(cuLaunchHostFunc, stream, call_inside, &inside);
    ASK(cuStreamSynchronize, stream);
    SAY("count", inside.count);
    SAY("query", inside.query);
    SAY("alloc", inside.alloc);
}

QUESTION(functions_that_are_null, EITHER("cuLaunchHostFunc", "hipLaunchHostFunc")) {
    CUstream stream = make_stream();
    ASK(cuLaunchHostFunc, stream, NULL, NULL);
    ASK(cudaLaunchHostFunc, stream, NULL, NULL);
    end_streams(stream, NULL);
}

static void state_callback(CUstream stream, CUresult status, void *data) {
    (void)stream;
    *(int *)data = (int)status;
}

QUESTION(callbacks, EITHER("cuStreamAddCallback", "hipStreamAddCallback")) {
    CUstream stream = make_stream();
    int status = 77;
    ASK(cuStreamAddCallback, stream, state_callback, &status, 0);
    MUST(cuStreamSynchronize, stream);
    SAY("status", status);
    ASK(cuStreamAddCallback, stream, state_callback, &status, 1);
    ASK(cuStreamAddCallback, stream, NULL, &status, 0);
    end_streams(stream, NULL);
}

static int order[3], place;
static void note_one(void *data) { order[place++] = *(int *)data; }

QUESTION(functions_run_in_order, EITHER("cuLaunchHostFunc", "hipLaunchHostFunc")) {
    static int values[3] = {1, 2, 3};
    CUstream stream = make_stream();
    place = 0;
    for (int i = 0; i < 3; i++) MUST(cuLaunchHostFunc, stream, note_one, &values[i]);
    MUST(cuStreamSynchronize, stream);
    for (int i = 0; i < 3; i++) SAY("order", order[i]);
    end_streams(stream, NULL);
}

// ---- values in memory

QUESTION(waits_for_values, EITHER("cuStreamWaitValue32", "hipStreamWaitValue32")) {
    CUstream waits = make_stream(), writes = make_stream();
    CUdeviceptr word = make_memory(64);
    MUST(cuMemsetD8, word, 0, 64);
    MUST(cuStreamSynchronize, NULL);
    ASK(cuStreamWaitValue32, waits, word, 5, CU_STREAM_WAIT_VALUE_GEQ IN_HIP(, UINT32_MAX));
    ASK(cuStreamQuery, waits);
    ASK(cuStreamWriteValue32, writes, word, 6, 0);
    ASK(cuStreamSynchronize, waits);
    ASK(cuStreamWaitValue64, waits, word + 8, 0, CU_STREAM_WAIT_VALUE_EQ IN_HIP(, UINT64_MAX));
    ASK(cuStreamSynchronize, waits);
    end_streams(waits, writes);
    MUST(cuMemFree, word);
}

QUESTION(bad_values, EITHER("cuStreamWaitValue32", "hipStreamWaitValue32")) {
    CUstream stream = make_stream();
    CUdeviceptr word = make_memory(64);
    int local = 0;
    ASK(cuStreamWaitValue32, stream, word + 1, 0, CU_STREAM_WAIT_VALUE_GEQ IN_HIP(, UINT32_MAX));
    ASK(cuStreamWaitValue32, stream, 0, 0, CU_STREAM_WAIT_VALUE_GEQ IN_HIP(, UINT32_MAX));
    ASK(cuStreamWaitValue32, stream, number(&local), 0,
        CU_STREAM_WAIT_VALUE_GEQ IN_HIP(, UINT32_MAX));
    ASK(cuStreamWaitValue32, stream, word, 0, 0x100 IN_HIP(, UINT32_MAX));
    ASK(cuStreamWriteValue32, stream, word, 0, 0x100);
    ASK(cuStreamWriteValue64, stream, word + 4, 0, 0);
    end_streams(stream, NULL);
    MUST(cuMemFree, word);
}

QUESTION(lists_of_values, EITHER("cuStreamBatchMemOp", "hipStreamBatchMemOp")) {
    CUstream stream = make_stream();
    CUdeviceptr word = make_memory(64);
    CUstreamBatchMemOpParams ops[2];
    memset(ops, 0, sizeof ops);
    ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[0].writeValue.address = word;
    ops[0].writeValue.value = 5;
    ops[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    ops[1].waitValue.address = word;
    ops[1].waitValue.value = 5;
    ops[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    ASK(cuStreamBatchMemOp, stream, 2, ops, 0);
    ASK(cuStreamSynchronize, stream);
    ASK(cuStreamBatchMemOp, stream, 0, ops, 0);
    ASK(cuStreamBatchMemOp, stream, 2, ops, 1);
    ASK(cuStreamBatchMemOp, stream, 2, NULL, 0);
    ASK(cuStreamBatchMemOp, stream, 300, ops, 0);
    ops[1].operation = (CUstreamBatchMemOpType)99;
    ASK(cuStreamBatchMemOp, stream, 2, ops, 0);
    end_streams(stream, NULL);
    MUST(cuMemFree, word);
}

QUESTION(attributes_of_streams, EITHER("cuStreamSetAttribute", "hipStreamSetAttribute")) {
    CUstream stream = make_stream(), other = make_stream();
    CUstreamAttrValue value;
    memset(&value, 0, sizeof value);
    ASK(cuStreamGetAttribute, stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value);
    SAY("policy", value.syncPolicy);
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    ASK(cuStreamSetAttribute, stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value);
    ASK(cuStreamCopyAttributes, other, stream);
    memset(&value, 0, sizeof value);
    ASK(cuStreamGetAttribute, other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value);
    SAY("policy", value.syncPolicy);
    ASK(cuStreamGetAttribute, other, (CUstreamAttrID)99, &value);
    ASK(cuStreamSetAttribute, other, (CUstreamAttrID)99, &value);
    ASK(cuStreamGetAttribute, other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, NULL);
    end_streams(stream, other);
}

QUESTION(many_streams,
         EITHER("cuStreamCreate: no small limit to their number", "hipStreamCreateWithFlags")) {
    static CUstream streams[500];
    int failed = 0;
    for (int i = 0; i < 500; i++)
        failed += CALL(cuStreamCreate, &streams[i], CU_STREAM_NON_BLOCKING) != 0;
    SAY("failed", failed);
    for (int i = 0; i < 500; i++) MUST(cuStreamDestroy, streams[i]);
}

QUESTION(unmapping_with_work_in_flight, EITHER("cuMemUnmap does not synchronise", "hipMemUnmap")) {
    CUdeviceptr at = make_range(G);
    CUstream stream = make_stream();
    int gate;
    map_memory(at, G);
    grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    MUST(cuMemsetD8, at, 0, G);
    MUST0(cuCtxSynchronize);
    close_gate(stream, &gate);
    MUST(cuMemsetD8Async, at, 1, G, stream);
    // A driver that waits would wait for ever, so the gate opens first.
    open_gate(&gate);
    MUST(cuStreamSynchronize, stream);
    ASK(cuMemUnmap, at, G);
    ASK(cuMemAddressFree, at, G);
    end_streams(stream, NULL);
}

static void *use_own_stream(void *result) {
    CUcontext ctx = ((void **)result)[0];
    (void)CALL(cuCtxSetCurrent, ctx);
    *(int **)result = (int *)(uintptr_t)CALL(cuStreamQuery, CU_STREAM_PER_THREAD);
    return NULL;
}

QUESTION(each_thread_has_its_own_stream, EITHER("CU_STREAM_PER_THREAD", "hipStreamPerThread")) {
    CUcontext ctx = NULL;
    pthread_t thread;
    int gate;
    MUST(cuCtxGetCurrent, &ctx);
    void *shared[1] = {ctx};
    close_gate(CU_STREAM_PER_THREAD, &gate);
    (void)pthread_create(&thread, NULL, use_own_stream, shared);
    (void)pthread_join(thread, NULL);
    SAY("other", (intptr_t)shared[0]);
    ASK(cuStreamQuery, CU_STREAM_PER_THREAD);
    open_gate(&gate);
    ASK(cuStreamSynchronize, CU_STREAM_PER_THREAD);
}
