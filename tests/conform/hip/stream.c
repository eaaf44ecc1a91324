// SPDX-License-Identifier: Apache-2.0
// Streams and events, functions of the host, and the order of their work.
#include <pthread.h>
#include <unistd.h>

#include "old.h"

#define TN_GROUP "stream"

static void end_streams(hipStream_t one, hipStream_t other) {
    MUST0(hipDeviceSynchronize);
    MUST(hipStreamDestroy, one);
    if (other != NULL) MUST(hipStreamDestroy, other);
}

QUESTION(created_with_flags, "hipStreamCreateWithFlags") {
    hipStream_t stream = NULL;
    unsigned flags = 77;
    ASK(hipStreamCreateWithFlags, &stream, hipStreamNonBlocking);
    ASK(hipStreamGetFlags, stream, &flags);
    SAY("flags", flags);
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamCreateWithFlags, &stream, hipStreamDefault);
    ASK(hipStreamGetFlags, stream, &flags);
    SAY("flags", flags);
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamCreateWithFlags, &stream, 2);
    ASK(hipStreamCreateWithFlags, &stream, 8);
    ASK(hipStreamCreateWithFlags, NULL, 0);
    ASK(hipStreamCreateWithFlags, &stream, 8);
    ASK(hipStreamCreate, NULL);
}

QUESTION(flags_of_the_special_streams, "hipStreamGetFlags") {
    unsigned flags = 77;
    ASK(hipStreamGetFlags, NULL, &flags);
    SAY("flags", flags);
    ASK(hipStreamGetFlags, hipStreamLegacy, &flags);
    SAY("flags", flags);
    ASK(hipStreamGetFlags, hipStreamPerThread, &flags);
    SAY("flags", flags);
    ASK(hipStreamGetFlags, NULL, NULL);
}

QUESTION(destroyed_special_streams, "hipStreamDestroy") {
    ASK(hipStreamDestroy, NULL);
    ASK(hipStreamDestroy, hipStreamLegacy);
    ASK(hipStreamDestroy, hipStreamPerThread);
    ASK(hipStreamDestroy, NULL);
    ASK(hipStreamDestroy, hipStreamLegacy);
    ASK(hipStreamDestroy, hipStreamPerThread);
}

QUESTION(special_streams_are_queried, "hipStreamQuery") {
    ASK(hipStreamQuery, NULL);
    ASK(hipStreamQuery, hipStreamLegacy);
    ASK(hipStreamQuery, hipStreamPerThread);
    ASK(hipStreamSynchronize, NULL);
    ASK(hipStreamSynchronize, hipStreamLegacy);
    ASK(hipStreamSynchronize, hipStreamPerThread);
}

QUESTION(destroyed_twice, "hipStreamDestroy") {
    hipStream_t stream = make_stream();
    ASK(hipStreamDestroy, stream);
    ASK(hipStreamDestroy, stream);
}

QUESTION(queried_after_its_end, "hipStreamQuery") {
    hipStream_t stream = make_stream();
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamQuery, stream);
}

QUESTION(synchronised_after_its_end, "hipStreamSynchronize") {
    hipStream_t stream = make_stream();
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamSynchronize, stream);
}

QUESTION(priorities, "hipDeviceGetStreamPriorityRange") {
    int least = 77, greatest = 77, priority = 77;
    hipStream_t stream = NULL;
    ASK(hipDeviceGetStreamPriorityRange, &least, &greatest);
    SAY("least", least);
    SAY("greatest", greatest);
    ASK(hipStreamCreateWithPriority, &stream, 0, greatest);
    ASK(hipStreamGetPriority, stream, &priority);
    SAY("is_greatest", priority == greatest);
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamCreateWithPriority, &stream, 0, 100);
    ASK(hipStreamGetPriority, stream, &priority);
    SAY("is_least", priority == least);
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamCreateWithPriority, &stream, 0, -100);
    ASK(hipStreamGetPriority, stream, &priority);
    SAY("is_greatest", priority == greatest);
    MUST(hipStreamDestroy, stream);
    ASK(hipStreamGetPriority, NULL, &priority);
    SAY("priority", priority);
    ASK(hipStreamGetPriority, NULL, NULL);
    ASK(hipDeviceGetStreamPriorityRange, NULL, NULL);
}

QUESTION(identities, "hipStreamGetId") {
    hipStream_t a = make_stream(), b = make_stream();
    unsigned long long one = 0, other = 0;
    ASK(hipStreamGetId, a, &one);
    ASK(hipStreamGetId, b, &other);
    SAY("new", one != other);
    ASK(hipStreamGetId, NULL, &one);
    ASK(hipStreamGetId, hipStreamLegacy, &other);
    SAY("same", one == other);
    ASK(hipStreamGetId, a, NULL);
    end_streams(a, b);
}

QUESTION(contexts_of_streams, "hipStreamGetCtx") {
    hipStream_t stream = make_stream();
    hipCtx_t ctx = NULL, now = NULL;
    hipDevice_t device = 77;
    MUST(hipCtxGetCurrent, &now);
    SAY("same", ctx == now);
    SAY("same", ctx == now);
    ASK(hipStreamGetDevice, stream, &device);
    SAY("device", device);
    MUST(hipStreamDestroy, stream);
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

QUESTION(work_goes_on_after_the_end_of_a_stream, "hipStreamDestroy") {
    hipStream_t stream = make_stream();
    pthread_t thread;
    struct late late = {0, 0};
    close_gate(stream, &late.gate);
    (void)pthread_create(&thread, NULL, open_late, &late);
    ASK(hipStreamDestroy, stream);
    SAY("waited", __atomic_load_n(&late.gate, __ATOMIC_ACQUIRE));
    __atomic_store_n(&late.returned, 1, __ATOMIC_RELEASE);
    (void)pthread_join(thread, NULL);
    MUST0(hipDeviceSynchronize);
}

static void set_seven(void *value) { *(int *)value = 7; }

QUESTION(the_legacy_stream_waits_for_blocking_streams, "NULL stream: implicit synchronisation") {
    hipStream_t blocking = make_blocking_stream(), free_running = make_stream();
    uintptr_t ptr = make_memory(8 * MIB);
    unsigned char byte = 0;
    int gate;
    close_gate(free_running, &gate);
    MUST(hipMemsetD8Async, pointer(ptr), 7, 8 * MIB, blocking);
    ASK(hipMemcpyDtoH, &byte, pointer(ptr + 8 * MIB - 1), 1);
    SAY("byte", byte);
    ASK(hipStreamQuery, free_running);
    open_gate(&gate);
    end_streams(blocking, free_running);
    MUST(hipFree, pointer(ptr));
}

QUESTION(blocking_streams_wait_for_the_legacy_stream, "NULL stream: implicit synchronisation") {
    hipStream_t blocking = make_blocking_stream(), free_running = make_stream();
    uintptr_t ptr = make_memory(64);
    int gate;
    close_gate(NULL, &gate);
    MUST(hipMemsetD8Async, pointer(ptr), 1, 64, blocking);
    MUST(hipMemsetD8Async, pointer(ptr + 32), 1, 32, free_running);
    ASK(hipStreamSynchronize, free_running);
    ASK(hipStreamQuery, blocking);
    open_gate(&gate);
    ASK(hipStreamSynchronize, blocking);
    end_streams(blocking, free_running);
    MUST(hipFree, pointer(ptr));
}

QUESTION(the_stream_of_the_thread_is_blocking, "hipStreamPerThread") {
    int gate;
    close_gate(NULL, &gate);
    MUST(hipLaunchHostFunc, hipStreamPerThread, set_seven, &(int){0});
    ASK(hipStreamQuery, hipStreamPerThread);
    open_gate(&gate);
    ASK(hipStreamSynchronize, hipStreamPerThread);
}

QUESTION(queries_of_the_legacy_stream_see_blocking_streams, "NULL stream") {
    hipStream_t blocking = make_blocking_stream();
    int gate;
    close_gate(blocking, &gate);
    ASK(hipStreamQuery, NULL);
    open_gate(&gate);
    ASK(hipStreamSynchronize, NULL);
    ASK(hipStreamQuery, blocking);
    end_streams(blocking, NULL);
}

// ---- functions of the host

struct inside {
    int alloc, free_last, query, count;
};

static void call_inside(void *data) {
    struct inside *inside = (struct inside *)data;
    uintptr_t ptr = 0;
    int count = 0;
    inside->count = (int)CALL(hipGetDeviceCount, &count);
    inside->query = (int)CALL(hipStreamQuery, NULL);
    inside->alloc = (int)CALL(hipMalloc, (void **)&ptr, 64);
}

FIRST_QUESTION(calls_inside_a_function, "hipLaunchHostFunc") {
    struct inside inside = {-1, -1, -1, -1};
    MUST(hipSetDevice, 0);
    hipStream_t stream = make_stream();
    MUST(hipLaunchHostFunc, stream, call_inside, &inside);
    ASK(hipStreamSynchronize, stream);
    SAY("count", inside.count);
    SAY("query", inside.query);
    SAY("alloc", inside.alloc);
}

QUESTION(functions_that_are_null, "hipLaunchHostFunc") {
    hipStream_t stream = make_stream();
    ASK(hipLaunchHostFunc, stream, NULL, NULL);
    ASK(hipLaunchHostFunc, stream, NULL, NULL);
    end_streams(stream, NULL);
}

static void state_callback(hipStream_t stream, hipError_t status, void *data) {
    (void)stream;
    *(int *)data = (int)status;
}

QUESTION(callbacks, "hipStreamAddCallback") {
    hipStream_t stream = make_stream();
    int status = 77;
    ASK(hipStreamAddCallback, stream, state_callback, &status, 0);
    MUST(hipStreamSynchronize, stream);
    SAY("status", status);
    ASK(hipStreamAddCallback, stream, state_callback, &status, 1);
    ASK(hipStreamAddCallback, stream, NULL, &status, 0);
    end_streams(stream, NULL);
}

static int order[3], place;
static void note_one(void *data) { order[place++] = *(int *)data; }

QUESTION(functions_run_in_order, "hipLaunchHostFunc") {
    static int values[3] = {1, 2, 3};
    hipStream_t stream = make_stream();
    place = 0;
    for (int i = 0; i < 3; i++) MUST(hipLaunchHostFunc, stream, note_one, &values[i]);
    MUST(hipStreamSynchronize, stream);
    for (int i = 0; i < 3; i++) SAY("order", order[i]);
    end_streams(stream, NULL);
}

// ---- values in memory

QUESTION(waits_for_values, "hipStreamWaitValue32") {
    hipStream_t waits = make_stream(), writes = make_stream();
    uintptr_t word = make_memory(64);
    MUST(hipMemsetD8, pointer(word), 0, 64);
    MUST(hipStreamSynchronize, NULL);
    ASK(hipStreamWaitValue32, waits, pointer(word), 5, hipStreamWaitValueGte, UINT32_MAX);
    ASK(hipStreamQuery, waits);
    ASK(hipStreamWriteValue32, writes, pointer(word), 6, 0);
    ASK(hipStreamSynchronize, waits);
    ASK(hipStreamWaitValue64, waits, pointer(word + 8), 0, hipStreamWaitValueEq, UINT64_MAX);
    ASK(hipStreamSynchronize, waits);
    end_streams(waits, writes);
    MUST(hipFree, pointer(word));
}

QUESTION(bad_values, "hipStreamWaitValue32") {
    hipStream_t stream = make_stream();
    uintptr_t word = make_memory(64);
    int local = 0;
    ASK(hipStreamWaitValue32, stream, pointer(word + 1), 0, hipStreamWaitValueGte, UINT32_MAX);
    ASK(hipStreamWaitValue32, stream, NULL, 0, hipStreamWaitValueGte, UINT32_MAX);
    ASK(hipStreamWaitValue32, stream, &local, 0, hipStreamWaitValueGte, UINT32_MAX);
    ASK(hipStreamWaitValue32, stream, pointer(word), 0, 0x100, UINT32_MAX);
    ASK(hipStreamWriteValue32, stream, pointer(word), 0, 0x100);
    ASK(hipStreamWriteValue64, stream, pointer(word + 4), 0, 0);
    end_streams(stream, NULL);
    MUST(hipFree, pointer(word));
}

QUESTION(lists_of_values, "hipStreamBatchMemOp") {
    hipStream_t stream = make_stream();
    uintptr_t word = make_memory(64);
    hipStreamBatchMemOpParams ops[2];
    memset(ops, 0, sizeof ops);
    ops[0].writeValue.operation = hipStreamMemOpWriteValue32;
    ops[0].writeValue.address = pointer(word);
    ops[0].writeValue.value = 5;
    ops[1].waitValue.operation = hipStreamMemOpWaitValue32;
    ops[1].waitValue.address = pointer(word);
    ops[1].waitValue.value = 5;
    ops[1].waitValue.flags = hipStreamWaitValueEq;
    ASK(hipStreamBatchMemOp, stream, 2, ops, 0);
    ASK(hipStreamSynchronize, stream);
    ASK(hipStreamBatchMemOp, stream, 0, ops, 0);
    ASK(hipStreamBatchMemOp, stream, 2, ops, 1);
    ASK(hipStreamBatchMemOp, stream, 2, NULL, 0);
    ASK(hipStreamBatchMemOp, stream, 300, ops, 0);
    ops[1].operation = (hipStreamBatchMemOpType)99;
    ASK(hipStreamBatchMemOp, stream, 2, ops, 0);
    end_streams(stream, NULL);
    MUST(hipFree, pointer(word));
}

QUESTION(attributes_of_streams, "hipStreamSetAttribute") {
    hipStream_t stream = make_stream(), other = make_stream();
    hipStreamAttrValue value;
    memset(&value, 0, sizeof value);
    ASK(hipStreamGetAttribute, stream, hipStreamAttributeSynchronizationPolicy, &value);
    SAY("policy", value.syncPolicy);
    value.syncPolicy = hipSyncPolicyYield;
    ASK(hipStreamSetAttribute, stream, hipStreamAttributeSynchronizationPolicy, &value);
    ASK(hipStreamCopyAttributes, other, stream);
    memset(&value, 0, sizeof value);
    ASK(hipStreamGetAttribute, other, hipStreamAttributeSynchronizationPolicy, &value);
    SAY("policy", value.syncPolicy);
    ASK(hipStreamGetAttribute, other, (hipStreamAttrID)99, &value);
    ASK(hipStreamSetAttribute, other, (hipStreamAttrID)99, &value);
    ASK(hipStreamGetAttribute, other, hipStreamAttributeSynchronizationPolicy, NULL);
    end_streams(stream, other);
}

QUESTION(many_streams, "hipStreamCreateWithFlags") {
    static hipStream_t streams[500];
    int failed = 0;
    for (int i = 0; i < 500; i++)
        failed += CALL(hipStreamCreateWithFlags, &streams[i], hipStreamNonBlocking) != 0;
    SAY("failed", failed);
    for (int i = 0; i < 500; i++) MUST(hipStreamDestroy, streams[i]);
}

QUESTION(unmapping_with_work_in_flight, "hipMemUnmap") {
    uintptr_t at = make_range(G);
    hipStream_t stream = make_stream();
    int gate;
    map_memory(at, G);
    grant_rights(at, G, hipMemAccessFlagsProtReadWrite);
    MUST(hipMemsetD8, pointer(at), 0, G);
    MUST0(hipDeviceSynchronize);
    close_gate(stream, &gate);
    MUST(hipMemsetD8Async, pointer(at), 1, G, stream);
    // A driver that waits would wait for ever, so the gate opens first.
    open_gate(&gate);
    MUST(hipStreamSynchronize, stream);
    ASK(hipMemUnmap, pointer(at), G);
    ASK(hipMemAddressFree, pointer(at), G);
    end_streams(stream, NULL);
}

static void *use_own_stream(void *result) {
    hipCtx_t ctx = ((void **)result)[0];
    (void)CALL(hipCtxSetCurrent, ctx);
    *(int **)result = (int *)(uintptr_t)CALL(hipStreamQuery, hipStreamPerThread);
    return NULL;
}

QUESTION(each_thread_has_its_own_stream, "hipStreamPerThread") {
    hipCtx_t ctx = NULL;
    pthread_t thread;
    int gate;
    MUST(hipCtxGetCurrent, &ctx);
    void *shared[1] = {ctx};
    close_gate(hipStreamPerThread, &gate);
    (void)pthread_create(&thread, NULL, use_own_stream, shared);
    (void)pthread_join(thread, NULL);
    SAY("other", (intptr_t)shared[0]);
    ASK(hipStreamQuery, hipStreamPerThread);
    open_gate(&gate);
    ASK(hipStreamSynchronize, hipStreamPerThread);
}
