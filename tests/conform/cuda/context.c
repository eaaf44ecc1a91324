// SPDX-License-Identifier: Apache-2.0
// Contexts: explicit ones, the stack of a thread, flags, what a context owns, and resets.
#include <pthread.h>

#include "begin.h"

#define TN_GROUP "context"

static CUcontext current(void) {
    CUcontext ctx = NULL;
    MUST(cuCtxGetCurrent, &ctx);
    return ctx;
}

static CUcontext create(unsigned flags) {
    CUcontext ctx = NULL;
    MUST(cuCtxCreate, &ctx, NULL, flags, 0);
    return ctx;
}

QUESTION(created_and_destroyed, "cuCtxCreate: the context becomes current") {
    CUcontext below = current(), ctx = NULL;
    ASK(cuCtxCreate, &ctx, NULL, 0, 0);
    SAY("current", current() == ctx);
    ASK(cuCtxDestroy, ctx);
    SAY("below", current() == below);
}

QUESTION(created_with_bad_arguments, "cuCtxCreate") {
    CUcontext ctx = NULL;
    ASK(cuCtxCreate, NULL, NULL, 0, 0);
    ASK(cuCtxCreate, &ctx, NULL, 0x1000, 0);
    ASK(cuCtxCreate, &ctx, NULL, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0);
    ASK(cuCtxCreate, &ctx, NULL, 0, 99);
    ASK(cuCtxCreate, &ctx, NULL, 0, -1);
    SAY("null", ctx == NULL);
}

QUESTION(flags, "cuCtxGetFlags") {
    static const unsigned flags[] = {0, CU_CTX_SCHED_SPIN, CU_CTX_SCHED_YIELD, 4, 8, 0x10, 0x80};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        unsigned got = 77;
        CUcontext ctx = NULL;
        if (ASK(cuCtxCreate, &ctx, NULL, flags[i], 0) != 0) continue;
        MUST(cuCtxGetFlags, &got);
        SAY("flags", got);
        MUST(cuCtxDestroy, ctx);
    }
}

QUESTION(flags_are_set, "cuCtxSetFlags") {
    CUcontext ctx = create(0);
    unsigned got = 77;
    ASK(cuCtxSetFlags, CU_CTX_SCHED_BLOCKING_SYNC);
    ASK(cuCtxGetFlags, &got);
    SAY("flags", got);
    ASK(cuCtxSetFlags, 0x1000);
    ASK(cuCtxSetFlags, 3);
    ASK(cuCtxGetFlags, NULL);
    MUST(cuCtxDestroy, ctx);
}

QUESTION(versions, "cuCtxGetApiVersion") {
    CUcontext ctx = create(0);
    unsigned version = 77;
    ASK(cuCtxGetApiVersion, ctx, &version);
    SAY("version", version);
    ASK(cuCtxGetApiVersion, NULL, &version);
    SAY("version", version);
    ASK(cuCtxGetApiVersion, ctx, NULL);
    MUST(cuCtxDestroy, ctx);
}

QUESTION(identities, "cuCtxGetId") {
    CUcontext ctx = create(0);
    unsigned long long one = 0, other = 0;
    ASK(cuCtxGetId, ctx, &one);
    ASK(cuCtxGetId, NULL, &other);
    SAY("same", one == other);
    ASK(cuCtxGetId, ctx, NULL);
    MUST(cuCtxDestroy, ctx);
}

QUESTION(stack, "cuCtxPushCurrent, cuCtxPopCurrent") {
    CUcontext below = current(), a = create(0), b = create(0), popped = NULL;
    ASK(cuCtxPopCurrent, &popped);
    SAY("b", popped == b);
    ASK(cuCtxPushCurrent, b);
    ASK(cuCtxPushCurrent, b);
    ASK(cuCtxPopCurrent, NULL);
    ASK(cuCtxPopCurrent, &popped);
    SAY("a", current() == a);
    ASK(cuCtxPopCurrent, &popped);
    SAY("below", current() == below);
    MUST(cuCtxDestroy, a);
    MUST(cuCtxDestroy, b);
}

QUESTION(set_current_replaces_the_top, "cuCtxSetCurrent") {
    CUcontext below = current(), a = create(0), popped = NULL;
    ASK(cuCtxPushCurrent, a);
    ASK(cuCtxSetCurrent, below);
    ASK(cuCtxPopCurrent, &popped);
    SAY("below", popped == below);
    SAY("a", current() == a);
    ASK(cuCtxSetCurrent, NULL);
    SAY("left", current() == below);
    MUST(cuCtxDestroy, a);
}

QUESTION(pushed_null, "cuCtxPushCurrent") { ASK(cuCtxPushCurrent, NULL); }
QUESTION(destroyed_null, "cuCtxDestroy") { ASK(cuCtxDestroy, NULL); }

QUESTION(destroyed_twice, "cuCtxDestroy") {
    CUcontext ctx = create(0);
    ASK(cuCtxDestroy, ctx);
    ASK(cuCtxDestroy, ctx);
}

QUESTION(pushed_after_its_end, "cuCtxPushCurrent") {
    CUcontext ctx = create(0);
    MUST(cuCtxDestroy, ctx);
    ASK(cuCtxPushCurrent, ctx);
    ASK(cuCtxSetCurrent, ctx);
}

QUESTION(destroyed_primary, "cuCtxDestroy: not of a primary context") {
    CUcontext ctx = current();
    ASK(cuCtxDestroy, ctx);
}

QUESTION(nonsense_as_a_context, "cuCtxSetCurrent") {
    static long words[64];
    ASK(cuCtxSetCurrent, (CUcontext)words);
}

QUESTION(destroyed_below_the_top, "cuCtxDestroy") {
    CUcontext a = create(0), b = create(0);
    size_t bytes = 0;
    ASK(cuCtxDestroy, a);
    SAY("b", current() == b);
    ASK(cuMemGetInfo, &bytes, &bytes);
    ASK(cuCtxDestroy, b);
    SAY("a", current() == a);
    ASK(cuMemGetInfo, &bytes, &bytes);
    ASK(cuCtxPopCurrent, NULL);
}

static void *use_beside(void *data) {
    void **shared = (void **)data;
    CUdeviceptr ptr = 0;
    (void)CALL(cuCtxSetCurrent, (CUcontext)shared[0]);
    __atomic_store_n((int *)shared[1], 1, __ATOMIC_RELEASE);
    wait_for_gate(shared[2]);
    ((int *)shared[3])[0] = (int)CALL(cuMemAlloc, &ptr, 16);
    ((int *)shared[3])[1] = (int)CALL0(cuCtxSynchronize);
    ((int *)shared[3])[2] = (int)CALL(cuCtxPopCurrent, NULL);
    return NULL;
}

QUESTION(destroyed_in_another_thread, "CUDA_ERROR_CONTEXT_IS_DESTROYED: 709") {
    int ready = 0, gate = 0, results[3] = {-1, -1, -1};
    CUcontext ctx = create(0);
    void *shared[] = {ctx, &ready, &gate, results};
    pthread_t thread;
    (void)pthread_create(&thread, NULL, use_beside, shared);
    wait_for_gate(&ready);
    ASK(cuCtxDestroy, ctx);
    open_gate(&gate);
    (void)pthread_join(thread, NULL);
    SAY("alloc", results[0]);
    SAY("synchronize", results[1]);
    SAY("pop", results[2]);
}

QUESTION(devices, "cuCtxGetDevice") {
    CUdevice device = 77;
    ASK(cuCtxGetDevice, &device);
    SAY("device", device);
    ASK(cuCtxGetDevice, NULL);
}

QUESTION(memory_ends_with_its_context, "cuCtxDestroy frees what the context owns") {
    size_t before = free_bytes();
    CUcontext ctx = create(0);
    CUdeviceptr ptr = make_memory(64 * MIB);
    unsigned type = 77;
    ASK(cuCtxDestroy, ctx);
    ASK(cuPointerGetAttribute, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr);
    ASK(cuMemFree, ptr);
    SAY("mib", (long long)(before - free_bytes()) / (long long)MIB);
}

QUESTION(pinned_memory_ends_with_its_context, "cuCtxDestroy frees what the context owns") {
    CUcontext ctx = create(0);
    void *ptr = make_pinned(MIB);
    unsigned flags = 77;
    ASK(cuCtxDestroy, ctx);
    ASK(cuMemHostGetFlags, &flags, ptr);
    ASK(cuMemFreeHost, ptr);
}

QUESTION(managed_memory_ends_with_its_context, "cuCtxDestroy frees what the context owns") {
    CUcontext ctx = create(0);
    CUdeviceptr ptr = make_managed(MIB);
    ASK(cuCtxDestroy, ctx);
    ASK(cuMemFree, ptr);
}

QUESTION(registrations_end_with_their_context, "cuCtxDestroy") {
    static char mine[4096] __attribute__((aligned(4096)));
    CUcontext ctx = create(0);
    MUST(cuMemHostRegister, mine, 4096, 0);
    ASK(cuCtxDestroy, ctx);
    ASK(cuMemHostUnregister, mine);
}

QUESTION(streams_end_with_their_context, "cuCtxDestroy") {
    CUcontext ctx = create(0);
    CUstream stream = make_stream();
    ASK(cuCtxDestroy, ctx);
    ASK(cuStreamQuery, stream);
}

QUESTION(pooled_memory_outlives_its_context, "cuCtxDestroy: pools belong to devices") {
    CUcontext ctx = create(0);
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocAsync, &ptr, MIB, NULL);
    MUST(cuStreamSynchronize, NULL);
    ASK(cuCtxDestroy, ctx);
    ASK(cuMemsetD8, ptr, 1, 16);
    ASK(cuMemFree, ptr);
}

QUESTION(mapped_memory_outlives_its_context, "cuCtxDestroy: virtual memory belongs to devices") {
    CUcontext ctx = create(0);
    CUdeviceptr at = make_range(G);
    map_memory(at, G);
    grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    ASK(cuCtxDestroy, ctx);
    ASK(cuMemsetD8, at, 1, 16);
    MUST0(cuCtxSynchronize);
    end_range(at, G, G);
}

QUESTION(memory_of_another_context, "unified addressing") {
    CUdeviceptr ptr = make_memory(MIB);
    CUcontext ctx = create(0), owner = NULL;
    ASK(cuMemsetD8, ptr, 1, 16);
    ASK(cuPointerGetAttribute, &owner, CU_POINTER_ATTRIBUTE_CONTEXT, ptr);
    SAY("other", owner != ctx);
    ASK(cuMemFree, ptr);
    MUST(cuCtxDestroy, ctx);
}

QUESTION(freed_without_a_context, "cuMemFree") {
    CUcontext ctx = current();
    CUdeviceptr ptr = make_memory(MIB), more = 0;
    CUstream stream = make_stream();
    CUevent event = make_event(0);
    void *pinned = make_pinned(MIB);
    MUST(cuCtxSetCurrent, NULL);
    ASK(cuMemAlloc, &more, 16);
    ASK(cuMemFree, ptr);
    ASK(cuEventDestroy, event);
    ASK(cuStreamDestroy, stream);
    ASK(cuMemFreeHost, pinned);
    MUST(cuCtxSetCurrent, ctx);
}

QUESTION(synchronised_by_name, "cuCtxSynchronize_v2") {
    CUcontext ctx = create(0);
    ASK(cuCtxSynchronize_v2, ctx);
    ASK(cuCtxSynchronize_v2, NULL);
    MUST(cuCtxDestroy, ctx);
}

QUESTION(many_contexts, "cuCtxCreate") {
    static CUcontext all[16];
    int made = 0;
    while (made < 16 && CALL(cuCtxCreate, &all[made], NULL, 0, 0) == 0) made++;
    SAY("made", made);
    for (int i = 0; i < made; i++) MUST(cuCtxDestroy, all[i]);
}

QUESTION(a_capture_ends_with_its_context, "cuCtxDestroy") {
    CUcontext ctx = create(0);
    CUstream stream = make_stream();
    CUdeviceptr ptr = 0;
    MUST(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuCtxDestroy, ctx);
    if (ASK(cuMemAlloc, &ptr, 16) == 0) MUST(cuMemFree, ptr);
}

// ---- resets

FIRST_QUESTION(reset_frees_plain_memory, "cudaDeviceReset") {
    void *plain = NULL, *pinned = NULL, *pooled = NULL;
    MUST(cudaMalloc, &plain, MIB);
    MUST(cudaMallocHost, &pinned, MIB);
    MUST(cudaMallocAsync, &pooled, MIB, NULL);
    ASK0(cudaDeviceReset);
    ASK(cudaFree, plain);
    ASK(cudaFreeHost, pinned);
    ASK(cudaFree, pooled);
}

FIRST_QUESTION(reset_and_the_context, "cudaDeviceReset") {
    CUcontext ctx = NULL, again = NULL;
    unsigned flags = 0;
    int active = 0;
    MUST(cudaSetDevice, 0);
    MUST(cuCtxGetCurrent, &ctx);
    ASK0(cudaDeviceReset);
    ASK(cuCtxGetCurrent, &again);
    SAY("same", again == ctx);
    MUST(cuDevicePrimaryCtxGetState, 0, &flags, &active);
    SAY("active", active);
    ASK(cudaFree, NULL);
    MUST(cuCtxGetCurrent, &again);
    SAY("same", again == ctx);
}

FIRST_QUESTION(reset_of_a_primary_context, "cuDevicePrimaryCtxReset") {
    CUcontext ctx = NULL;
    CUdeviceptr ptr = 0;
    MUST(cuInit, 0);
    ASK(cuDevicePrimaryCtxReset, 0);
    MUST(cuDevicePrimaryCtxRetain, &ctx, 0);
    MUST(cuCtxSetCurrent, ctx);
    MUST(cuMemAlloc, &ptr, MIB);
    ASK(cuDevicePrimaryCtxReset, 0);
    ASK(cuMemFree, ptr);
    ASK(cuMemAlloc, &ptr, MIB);
    ASK(cuDevicePrimaryCtxReset, 99);
    ASK(cuDevicePrimaryCtxRelease, 0);
}

FIRST_QUESTION(reset_and_virtual_memory, "cudaDeviceReset: virtual memory belongs to devices") {
    char byte = 0;
    MUST(cudaSetDevice, 0);
    CUdeviceptr at = make_range(G);
    map_memory(at, G);
    grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    MUST(cuMemsetD8, at, 4, G);
    ASK0(cudaDeviceReset);
    MUST(cudaSetDevice, 0);
    ASK(cuMemcpyDtoH, &byte, at, 1);
    SAY("byte", byte);
    ASK(cuMemUnmap, at, G);
    ASK(cuMemAddressFree, at, G);
}

FIRST_QUESTION(reset_while_an_explicit_context_is_current, "cudaDeviceReset") {
    CUcontext ctx = NULL;
    CUdeviceptr ptr = 0;
    MUST(cudaSetDevice, 0);
    MUST(cuCtxCreate, &ctx, NULL, 0, 0);
    MUST(cuMemAlloc, &ptr, MIB);
    ASK0(cudaDeviceReset);
    ASK(cuMemFree, ptr);
    ASK(cuCtxDestroy, ctx);
}
