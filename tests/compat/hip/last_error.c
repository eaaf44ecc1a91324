// SPDX-License-Identifier: Apache-2.0
// A thread's last error, and the names and texts of errors.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "support/work.h"

static void succeed_after_error(void *arg) {
    int device = 0;
    (void)arg;
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip_ok(hipGetDevice(&device));
    assert_hip(hipPeekAtLastError(), hipErrorInvalidDevice);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
    assert_hip(hipGetLastError(), hipSuccess);
    assert_hip(hipExtGetLastError(), hipSuccess);
}

static void level_7_keeps_the_last_error_after_a_success(void **state) {
    (void)state;
    hip_in_child(succeed_after_error, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

static void level_6_forgets_the_last_error_at_a_success(void **state) {
    int device = 0;
    (void)state;
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip(hipPeekAtLastError(), hipErrorInvalidDevice);
    assert_hip_ok(hipGetDevice(&device));
    assert_hip(hipPeekAtLastError(), hipSuccess);
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip_ok(hipGetDevice(&device));
    assert_hip(hipExtGetLastError(), hipSuccess);
    assert_hip(hipGetLastError(), hipSuccess);
}

// Calls the query while the stream of `event` is blocked.
static void query_blocked(void (*query)(hipStream_t, hipEvent_t)) {
    struct gate gate = {0};
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipEventRecord(event, stream));
    query(stream, event);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void see_not_ready_kept(hipStream_t stream, hipEvent_t event) {
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip(hipPeekAtLastError(), hipErrorNotReady);
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    assert_hip(hipGetLastError(), hipErrorNotReady);
}

static void level_6_keeps_not_ready_as_the_last_error(void **state) {
    (void)state;
    query_blocked(see_not_ready_kept);
}

static void see_not_ready_unkept(hipStream_t stream, hipEvent_t event) {
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip(hipPeekAtLastError(), hipSuccess);
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
}

static void query_at_7(void *arg) {
    (void)arg;
    query_blocked(see_not_ready_unkept);
}

static void level_7_does_not_keep_not_ready(void **state) {
    (void)state;
    hip_in_child(query_at_7, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

static void fail_without_a_trace(void *unused) {
    hipStreamBatchMemOpParams op = {.operation = hipStreamMemOpWaitValue32};
    const hipBatchMemOpNodeParams values = {.count = 1, .paramArray = &op, .flags = 1};
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t node = NULL;
    (void)unused;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    assert_hip_ok(hipGetLastError());
    assert_hip(hipGraphInstantiate(&exec, NULL, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphInstantiate(NULL, NULL, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphDebugDotPrint(graph, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &values), hipErrorInvalidValue);
    assert_hip(hipStreamBeginCaptureToGraph(hipStreamPerThread, NULL, NULL, NULL, 0,
                                            hipStreamCaptureModeRelaxed),
               hipErrorInvalidValue);
    assert_hip(hipStreamGetAttribute(NULL, hipStreamAttributeSynchronizationPolicy, NULL),
               hipErrorInvalidValue);
    assert_hip_ok(hipGetLastError());
    assert_hip_ok(hipExtGetLastError());
    assert_hip_ok(hipGraphDestroy(graph));
}

static void level_7_does_not_keep_some_errors_of_graphs(void **state) {
    (void)state;
    hip_in_child(fail_without_a_trace, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

static void level_6_does_not_keep_some_errors_of_graphs(void **state) {
    (void)state;
    fail_without_a_trace(NULL);
}

static void *peek(void *arg) {
    *(hipError_t *)arg = hipPeekAtLastError();
    return NULL;
}

static void last_error_belongs_to_the_thread(void **state) {
    pthread_t thread;
    hipError_t there = hipErrorUnknown;
    (void)state;
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_int_equal(pthread_create(&thread, NULL, peek, &there), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(there, hipSuccess);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
}

static void text_names_the_offending_value(void **state) {
    (void)state;
    assert_hip(hipSetDevice(-4711), hipErrorInvalidDevice);
    assert_non_null(strstr(hipExtGetLastErrorText(), "-4711"));
    (void)hipGetLastError();
}

static void names_and_texts_are_returned_through_pointers_too(void **state) {
    const char *text = NULL;
    (void)state;
    assert_string_equal(hipGetErrorName(hipErrorMemoryAllocation), "hipErrorOutOfMemory");
    assert_hip_ok(hipDrvGetErrorName(hipErrorNotReady, &text));
    assert_string_equal(text, "hipErrorNotReady");
    assert_hip_ok(hipDrvGetErrorString(hipErrorUnknown, &text));
    assert_string_equal(text, "unknown error");
    assert_hip(hipDrvGetErrorString((hipError_t)4711, &text), hipErrorInvalidValue);
    assert_null(text);
    assert_hip(hipDrvGetErrorName(hipSuccess, NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

// All errors of HIP 6.3, in ascending order.
static const struct {
    int error;
    const char *name;
    const char *text;
} AMD_ERRORS[] = {
    {0, "hipSuccess", "no error"},
    {1, "hipErrorInvalidValue", "invalid argument"},
    {2, "hipErrorOutOfMemory", "out of memory"},
    {3, "hipErrorNotInitialized", "initialization error"},
    {4, "hipErrorDeinitialized", "driver shutting down"},
    {5, "hipErrorProfilerDisabled", "profiler disabled while using external profiling tool"},
    {6, "hipErrorProfilerNotInitialized", "profiler is not initialized"},
    {7, "hipErrorProfilerAlreadyStarted", "profiler already started"},
    {8, "hipErrorProfilerAlreadyStopped", "profiler already stopped"},
    {9, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "hipErrorInvalidSymbol", "invalid device symbol"},
    {17, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    {21, "hipErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {35, "hipErrorInsufficientDriver", "driver version is insufficient for runtime version"},
    {52, "hipErrorMissingConfiguration", "__global__ function call is not configured"},
    {53, "hipErrorPriorLaunchFailure", "unspecified launch failure in prior launch"},
    {98, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {100, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {101, "hipErrorInvalidDevice", "invalid device ordinal"},
    {200, "hipErrorInvalidImage", "device kernel image is invalid"},
    {201, "hipErrorInvalidContext", "invalid device context"},
    {202, "hipErrorContextAlreadyCurrent", "context is already current context"},
    {205, "hipErrorMapFailed", "mapping of buffer object failed"},
    {206, "hipErrorUnmapFailed", "unmapping of buffer object failed"},
    {207, "hipErrorArrayIsMapped", "array is mapped"},
    {208, "hipErrorAlreadyMapped", "resource already mapped"},
    {209, "hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"},
    {210, "hipErrorAlreadyAcquired", "resource already acquired"},
    {211, "hipErrorNotMapped", "resource not mapped"},
    {212, "hipErrorNotMappedAsArray", "resource not mapped as array"},
    {213, "hipErrorNotMappedAsPointer", "resource not mapped as pointer"},
    {214, "hipErrorECCNotCorrectable", "uncorrectable ECC error encountered"},
    {215, "hipErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {216, "hipErrorContextAlreadyInUse",
     "exclusive-thread device already in use by a different thread"},
    {217, "hipErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {218, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {219, "hipErrorInvalidGraphicsContext", "invalid OpenGL or DirectX context"},
    {300, "hipErrorInvalidSource", "device kernel image is invalid"},
    {301, "hipErrorFileNotFound", "file not found"},
    {302, "hipErrorSharedObjectSymbolNotFound", "shared object symbol not found"},
    {303, "hipErrorSharedObjectInitFailed", "shared object initialization failed"},
    {304, "hipErrorOperatingSystem", "OS call failed or operation not supported on this OS"},
    {400, "hipErrorInvalidHandle", "invalid resource handle"},
    {401, "hipErrorIllegalState", "the operation cannot be performed in the present state"},
    {500, "hipErrorNotFound", "named symbol not found"},
    {600, "hipErrorNotReady", "device not ready"},
    {700, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "hipErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "hipErrorLaunchTimeOut", "the launch timed out and was terminated"},
    {704, "hipErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "hipErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {708, "hipErrorSetOnActiveProcess", "cannot set while device is active in this process"},
    {709, "hipErrorContextIsDestroyed", "context is destroyed"},
    {710, "hipErrorAssert", "device-side assert triggered"},
    {712, "hipErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {713, "hipErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {719, "hipErrorLaunchFailure", "unspecified launch failure"},
    {720, "hipErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {801, "hipErrorNotSupported", "operation not supported"},
    {900, "hipErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {901, "hipErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {902, "hipErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {903, "hipErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
    {904, "hipErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {905, "hipErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {906, "hipErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {907, "hipErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {908, "hipErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {910, "hipErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated "
     "constraints specific to instantiated graph update"},
    {911, "hipErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {912, "hipErrorInvalidTexture", "invalid texture"},
    {999, "hipErrorUnknown", "unknown error"},
    {1052, "hipErrorRuntimeMemory", "runtime memory call returned error"},
    {1053, "hipErrorRuntimeOther", "runtime call other than memory returned error"},
    {1054, "hipErrorTbd", "error not described"},
};

// A number between those of the list is not an error.
static void names_and_texts_are_those_of_amd(void **state) {
    const char *text = NULL;
    size_t next = 0;
    (void)state;
    for (int error = -1; error < 2000; error++) {
        bool known =
            next < sizeof AMD_ERRORS / sizeof AMD_ERRORS[0] && AMD_ERRORS[next].error == error;
        assert_string_equal(hipGetErrorName((hipError_t)error),
                            known ? AMD_ERRORS[next].name : "hipErrorUnknown");
        assert_string_equal(hipGetErrorString((hipError_t)error),
                            known ? AMD_ERRORS[next].text : "unknown error");
        assert_hip(hipDrvGetErrorName((hipError_t)error, &text),
                   known ? hipSuccess : hipErrorInvalidValue);
        next += known;
    }
    assert_int_equal(next, sizeof AMD_ERRORS / sizeof AMD_ERRORS[0]);
    (void)hipGetLastError();
}

#if defined(__SANITIZE_THREAD__)
#define SIGNALS_COME_LATE 1
#elif defined(__has_feature)
#define SIGNALS_COME_LATE __has_feature(thread_sanitizer)
#else
#define SIGNALS_COME_LATE 0
#endif

#if defined(__x86_64__) && !SIGNALS_COME_LATE
static struct {
    hipError_t error;
    const char *name;
    const char *text;
} reported;
static int reports;
static unsigned char first_byte;

// The instruction that was replaced comes back, and runs.
static void stop_at_error(int signal, siginfo_t *info, void *where) {
    greg_t *registers = ((ucontext_t *)where)->uc_mcontext.gregs;
    (void)signal;
    (void)info;
    memcpy(&reported, (const void *)registers[REG_RDI], sizeof reported);
    reports++;
    *(volatile unsigned char *)--registers[REG_RIP] = first_byte;
}

// Sets a breakpoint as a debugger does.
static void stop_at(void *code) {
    const struct sigaction action = {.sa_sigaction = stop_at_error, .sa_flags = SA_SIGINFO};
    const uintptr_t page = (uintptr_t)code & ~(uintptr_t)4095;
    assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
    assert_int_equal(mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    first_byte = *(unsigned char *)code;
    *(unsigned char *)code = 0xcc;
}

static void each_failing_call_is_reported_to_debuggers(void **state) {
    void *ptr = NULL;
    (void)state;
    stop_at(dlsym(RTLD_DEFAULT, "__hipOnError"));
    assert_hip_ok(hipMalloc(&ptr, 64));
    assert_int_equal(reports, 0);
    assert_hip(hipMalloc(NULL, 64), hipErrorInvalidValue);
    assert_int_equal(reports, 1);
    assert_int_equal(reported.error, hipErrorInvalidValue);
    assert_string_equal(reported.name, "hipErrorInvalidValue");
    assert_string_equal(reported.text, hipGetErrorString(hipErrorInvalidValue));
    assert_hip_ok(hipFree(ptr));
    (void)hipGetLastError();
    __hipOnError(&reported); // without a breakpoint it does nothing
}
#else
static void each_failing_call_is_reported_to_debuggers(void **state) {
    (void)state;
    print_message(
        "skipped: a breakpoint needs its signal at once, and the instruction of x86-64\n");
    skip();
}
#endif

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(level_7_keeps_the_last_error_after_a_success),
        cmocka_unit_test(level_7_does_not_keep_not_ready),
        cmocka_unit_test(level_7_does_not_keep_some_errors_of_graphs),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_6_forgets_the_last_error_at_a_success),
        cmocka_unit_test(level_6_keeps_not_ready_as_the_last_error),
        cmocka_unit_test(level_6_does_not_keep_some_errors_of_graphs),
        cmocka_unit_test(last_error_belongs_to_the_thread),
        cmocka_unit_test(text_names_the_offending_value),
        cmocka_unit_test(names_and_texts_are_returned_through_pointers_too),
        cmocka_unit_test(names_and_texts_are_those_of_amd),
        cmocka_unit_test(each_failing_call_is_reported_to_debuggers),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
