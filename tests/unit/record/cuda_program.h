// SPDX-License-Identifier: Apache-2.0
// Programs for CUDA's driver that count their own memory, and the tests of their recordings. The
// program finds the driver's functions by one of several ways.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "standin/cuda/exports.h"
#include "unit/record/recorded.h"

#define MIB (UINT64_C(1) << 20)

// The functions of the driver, as the program found them.
static struct {
#define MEMBER(name, symbol, version) __typeof__(symbol) *name;
    TN_CU_BASE_LIST(MEMBER) TN_CU_VMM_LIST(MEMBER) TN_CU_POOL_LIST(MEMBER) TN_CU_MORE_LIST(MEMBER)
#undef MEMBER
} cu;

static struct recorded recorded;

static void must(CUresult result) {
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "the driver returned %d\n", result);
        exit(9);
    }
}

static void must_be(bool condition, const char *text) {
    if (!condition) {
        fprintf(stderr, "%s\n", text);
        exit(8);
    }
}

static void enter_context(void) {
    CUcontext context = NULL;
    must(cu.cuInit(0));
    must(cu.cuDevicePrimaryCtxRetain(&context, 0));
    must(cu.cuCtxPushCurrent(context));
}

// The program's own figures.
static uint64_t live, peak, allocs;

static void count_alloc(uint64_t bytes) {
    live += bytes;
    peak = live > peak ? live : peak;
    allocs++;
}

static void run_kinds(void) {
    CUdeviceptr plain = 0, pitched = 0, ordered = 0, mapped = 0;
    CUmemGenericAllocationHandle phys = 0;
    CUstream stream = NULL;
    CUmemAllocationProp own = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                               .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    size_t pitch = 0, unit = 0;
    void *pinned[2];
    must(cu.cuMemAlloc(&plain, 3 * MIB));
    count_alloc(3 * MIB);
    must(cu.cuMemAllocPitch(&pitched, &pitch, 1000, 100, 4));
    count_alloc(pitch * 100);
    must(cu.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    must(cu.cuMemAllocAsync(&ordered, 5 * MIB, stream));
    count_alloc(5 * MIB);
    must(cu.cuMemGetAllocationGranularity(&unit, &own, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    must(cu.cuMemAddressReserve(&mapped, 4 * unit, 0, 0, 0));
    must(cu.cuMemCreate(&phys, 2 * unit, &own, 0));
    must(cu.cuMemMap(mapped, 2 * unit, 0, phys, 0));
    count_alloc(2 * unit);
    must(cu.cuMemHostAlloc(&pinned[0], MIB, 0));
    must(cu.cuMemAllocHost(&pinned[1], MIB));
    must(cu.cuMemFreeHost(pinned[0]));
    must(cu.cuMemFreeHost(pinned[1]));
    must(cu.cuMemFree(plain));
    must(cu.cuMemFree(pitched));
    must(cu.cuMemFreeAsync(ordered, stream));
    must_be(cu.cuMemUnmap(mapped, unit) == CUDA_ERROR_INVALID_VALUE, "half a mapping was removed");
    must(cu.cuMemUnmap(mapped, 2 * unit));
    must(cu.cuMemRelease(phys));
    must(cu.cuStreamSynchronize(stream));
    must(cu.cuStreamDestroy(stream));
}

static void run_failures(void) {
    CUdeviceptr address = 77;
    CUmemGenericAllocationHandle phys = 0;
    CUmemAllocationProp own = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                               .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    must(cu.cuMemAlloc(&address, MIB));
    count_alloc(MIB);
    CUdeviceptr none = 77;
    errno = 4711;
    must_be(cu.cuMemAlloc(&none, UINT64_C(1) << 50) == CUDA_ERROR_OUT_OF_MEMORY, "no failure");
    must_be(none == 0, "a failed call did not write NULL");
    must_be(cu.cuMemAlloc(&none, 0) == CUDA_ERROR_INVALID_VALUE, "0 bytes were allocated");
    must_be(cu.cuMemAlloc(NULL, 1) == CUDA_ERROR_INVALID_VALUE, "NULL was accepted");
    must_be(cu.cuMemCreate(&phys, UINT64_C(1) << 50, &own, 0) == CUDA_ERROR_OUT_OF_MEMORY,
            "no failure");
    must_be(cu.cuMemFree(address + 1) == CUDA_ERROR_INVALID_VALUE, "a part was freed");
    must(cu.cuMemFree(address));
}

static void *turn_blocks(void *unused) {
    (void)unused;
    for (int i = 0; i < 3000; i++) {
        CUdeviceptr address = 0;
        must(cu.cuMemAlloc(&address, MIB));
        must(cu.cuMemFree(address));
    }
    return NULL;
}

static void *turn_blocks_in_context(void *context) {
    must(cu.cuCtxPushCurrent((CUcontext)context));
    return turn_blocks(NULL);
}

static void run_threads(void) {
    pthread_t threads[4];
    CUcontext context = NULL;
    must(cu.cuCtxGetCurrent(&context));
    for (size_t i = 0; i < 4; i++)
        (void)pthread_create(&threads[i], NULL, turn_blocks_in_context, context);
    for (size_t i = 0; i < 4; i++) (void)pthread_join(threads[i], NULL);
    allocs = 4 * 3000;
}

// The child ends without the driver, and its parent goes on. A thread ends the program.
static void *end_program(void *unused) {
    (void)unused;
    printf("%llu %llu\n", (unsigned long long)peak, (unsigned long long)allocs);
    exit(0);
}

static void run_fork(void) {
    CUdeviceptr address = 0;
    int status = -1;
    pthread_t thread;
    must(cu.cuMemAlloc(&address, MIB));
    count_alloc(MIB);
    pid_t child = fork();
    if (child == 0) _exit(cu.cuMemAlloc(&address, MIB) == CUDA_ERROR_NOT_INITIALIZED ? 3 : 4);
    must_be(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3, "the child");
    must(cu.cuMemFree(address));
    (void)pthread_create(&thread, NULL, end_program, NULL);
    (void)pthread_join(thread, NULL);
}

static int run_program(const char *name) {
    static const struct {
        const char *name;
        void (*run)(void);
    } programs[] = {{"kinds", run_kinds},
                    {"failures", run_failures},
                    {"threads", run_threads},
                    {"fork", run_fork}};
    enter_context();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(name, programs[i].name) == 0) {
            programs[i].run();
            printf("%llu %llu\n", (unsigned long long)peak, (unsigned long long)allocs);
            return 0;
        }
    }
    return 6;
}

// ---- tests

static inline void check_kinds(const char *program) {
    struct tn_trace trace = record_program(&recorded, program, true);
    assert_int_equal(trace.device_count, 2); // and the host
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[1]).live, 2 * MIB);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs + 2);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs + 2);
    assert_int_equal(trace.failure_count, 0);
    for (size_t i = 0; i < trace.block_count; i++) {
        assert_true(stack_has(&trace, trace.blocks[i].stack, "run_kinds"));
        assert_int_equal(trace.streams[trace.blocks[i].stream].native != 0,
                         trace.blocks[i].size == 5 * MIB);
    }
    tn_trace_release(&trace);
}

static inline void check_failures(const char *program) {
    struct tn_trace trace = record_program(&recorded, program, true);
    assert_int_equal(trace.failure_count, 2);
    assert_int_equal(trace.failures[0].size, UINT64_C(1) << 50);
    assert_int_equal(trace.failures[1].size, UINT64_C(1) << 50);
    check_measured(&trace);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    tn_trace_release(&trace);
}

static inline void check_threads(const char *program) {
    struct tn_trace trace = record_program(&recorded, program, true);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs);
    assert_true(tn_trace_peak(&trace, &trace.devices[0]).live <= 4 * MIB);
    tn_trace_release(&trace);
}

static inline void check_fork(const char *program) {
    struct tn_trace trace = record_program(&recorded, program, true);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), 1);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 1);
    tn_trace_release(&trace);
}
