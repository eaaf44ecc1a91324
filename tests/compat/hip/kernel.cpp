// SPDX-License-Identifier: Apache-2.0
// Kernels compiled for the host: where a thread is, what it may call, in which order it comes.
#include <hip/hip_runtime.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "support/work.h"

namespace {

hipStream_t new_stream() {
    hipStream_t stream = nullptr;
    assert_hip_ok(hipStreamCreate(&stream));
    return stream;
}

// A launch says nothing, so the last error must; each test begins without one.
int forget_last_error(void **state) {
    (void)state;
    (void)hipGetLastError();
    return 0;
}

void assert_launched() { assert_hip_ok(hipGetLastError()); }

// ---- the kernel of hip-tests

__global__ void square(int *numbers, int n) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) numbers[i] = numbers[i] * numbers[i];
}

void square_reaches_every_number(void **state) {
    constexpr int n = 4 * 512;
    std::vector<int> numbers(n);
    int *memory = nullptr;
    (void)state;
    for (int i = 0; i < n; i++) numbers[static_cast<size_t>(i)] = i;
    assert_hip_ok(hipMalloc(reinterpret_cast<void **>(&memory), n * sizeof(int)));
    assert_hip_ok(hipMemcpy(memory, numbers.data(), n * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(square, dim3(n / 512), dim3(512), 0, nullptr, memory, n);
    assert_launched();
    assert_hip_ok(hipMemcpy(numbers.data(), memory, n * sizeof(int), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) assert_int_equal(numbers[static_cast<size_t>(i)], i * i);
    assert_hip_ok(hipFree(memory));
}

void square_runs_on_memory_that_was_mapped(void **state) {
    hipMemAllocationProp prop = {};
    hipMemGenericAllocationHandle_t handle = nullptr;
    hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    void *space = nullptr;
    constexpr size_t size = 4096;
    std::vector<int> numbers(size / sizeof(int), 3);
    (void)state;
    prop.type = hipMemAllocationTypePinned;
    prop.location = access.location;
    assert_hip_ok(hipMemCreate(&handle, size, &prop, 0));
    assert_hip_ok(hipMemAddressReserve(&space, size, 0, nullptr, 0));
    assert_hip_ok(hipMemMap(space, size, 0, handle, 0));
    assert_hip_ok(hipMemSetAccess(space, size, &access, 1));
    assert_hip_ok(hipMemcpy(space, numbers.data(), size, hipMemcpyHostToDevice));
    hipLaunchKernelGGL(square, dim3(2), dim3(512), 0, nullptr, static_cast<int *>(space), 1024);
    assert_hip_ok(hipMemcpy(numbers.data(), space, size, hipMemcpyDeviceToHost));
    for (int number : numbers) assert_int_equal(number, 9);
    assert_hip_ok(hipMemUnmap(space, size));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(space, size));
}

// ---- where a thread is

__global__ void write_places(unsigned *places) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    places[block * threads + thread] += 1 + hipBlockIdx_z * 10 + hipThreadIdx_y * 100;
}

void every_thread_of_every_block_runs_once(void **state) {
    unsigned places[2 * 3 * 4][5 * 6 * 7] = {};
    (void)state;
    hipLaunchKernelGGL(write_places, dim3(2, 3, 4), dim3(5, 6, 7), 0, nullptr, &places[0][0]);
    assert_hip_ok(hipDeviceSynchronize());
    for (unsigned block = 0; block < 24; block++)
        for (unsigned thread = 0; thread < 210; thread++)
            assert_int_equal(places[block][thread], 1 + block / 6 * 10 + thread / 5 % 6 * 100);
}

// ---- arguments

struct alignas(32) wide {
    double members[4];
};

template <typename A, typename B>
__global__ void add(A a, const B *b, wide c, char d, double *sum) {
    *sum = static_cast<double>(a) + static_cast<double>(*b) + c.members[3] + d;
}

void arguments_arrive_converted_and_aligned(void **state) {
    const float b = 0.5f;
    double sum = 0;
    const wide c = {{0, 0, 0, 4}};
    (void)state;
    hipLaunchKernelGGL(HIP_KERNEL_NAME(add<short, float>), dim3(1), dim3(1), 0, nullptr, 1, &b, c,
                       2, &sum);
    assert_launched();
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(sum == 7.5);
}

__global__ void is_null(const void *pointer, bool *answer) { *answer = pointer == nullptr; }

void a_literal_zero_can_be_a_pointer(void **state) {
    bool answer = false;
    (void)state;
    hipLaunchKernelGGL(is_null, 1, 1, 0, 0, 0, &answer);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(answer);
}

void arguments_are_copied_by_the_launch(void **state) {
    struct gate gate = {};
    int numbers[2] = {3, 4};
    int *argument = &numbers[0];
    hipStream_t stream = new_stream();
    int n = 1;
    void *arguments[] = {&argument, &n};
    (void)state;
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipLaunchKernel(square, dim3(1), dim3(1), arguments, 0, stream));
    argument = &numbers[1];
    n = 0;
    gate.open = true;
    assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(numbers[0], 9);
    assert_int_equal(numbers[1], 4);
}

// ---- what is refused

__global__ void nothing() {}

void extents_beyond_the_properties_are_refused(void **state) {
    (void)state;
    const dim3 grids[] = {dim3(0),        dim3(1, 0),     dim3(1, 1, 0),
                          dim3(1u << 31), dim3(1, 65536), dim3(1, 1, 65536)};
    const dim3 blocks[] = {dim3(0),    dim3(1, 0),       dim3(1, 1, 0),
                           dim3(1025), dim3(1, 1, 1025), dim3(32, 33)};
    for (const dim3 &grid : grids) {
        hipLaunchKernelGGL(nothing, grid, dim3(1), 0, nullptr);
        assert_hip(hipGetLastError(), hipErrorInvalidConfiguration);
    }
    for (const dim3 &block : blocks) {
        hipLaunchKernelGGL(nothing, dim3(1), block, 0, nullptr);
        assert_hip(hipGetLastError(), hipErrorInvalidConfiguration);
    }
    hipLaunchKernelGGL(nothing, dim3(1), dim3(1), 65537, nullptr);
    assert_hip(hipGetLastError(), hipErrorInvalidConfiguration);
    hipLaunchKernelGGL(nothing, dim3(1), dim3(32, 32), 65536, nullptr);
    assert_launched();
    assert_hip_ok(hipDeviceSynchronize());
}

void bad_launches_are_refused(void **state) {
    void (*none)(int *, int) = nullptr;
    int n = 0;
    (void)state;
    hipLaunchKernelGGL(none, dim3(1), dim3(1), 0, nullptr, &n, 1);
    assert_hip(hipGetLastError(), hipErrorInvalidValue);
    hipLaunchKernelGGL(nothing, dim3(1), dim3(1), 0, reinterpret_cast<hipStream_t>(&n));
    assert_hip(hipGetLastError(), hipErrorContextIsDestroyed);
    assert_hip(hipLaunchKernel(square, dim3(1), dim3(1), nullptr), hipErrorInvalidValue);
    assert_hip_ok(hipLaunchKernel(nothing, dim3(1), dim3(1), nullptr));
    assert_hip(hipLaunchKernel(reinterpret_cast<const void *>(square), dim3(1), dim3(1), nullptr),
               hipErrorInvalidDeviceFunction);
    std::vector<char> closure(32897);
    auto body = [](const void *, const hipExtHostBlock *, const char **) { return hipSuccess; };
    assert_hip(hipExtLaunchHostKernel(body, dim3(1), dim3(1), 0, nullptr, closure.data(), 32897),
               hipErrorInvalidValue);
    assert_hip_ok(
        hipExtLaunchHostKernel(body, dim3(1), dim3(1), 0, nullptr, closure.data(), 32896));
    assert_hip_ok(hipExtLaunchHostKernel(body, dim3(1), dim3(1), 0, nullptr, nullptr, 0));
    assert_hip_ok(hipDeviceSynchronize());
}

struct large {
    char bytes[32764 - sizeof(char *)];
};

__global__ void read_end(char *out, large argument) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = argument.bytes[sizeof argument - 1];
}

void arguments_are_large(void **state) {
    static large argument;
    char out[7] = "";
    (void)state;
    argument.bytes[sizeof argument - 1] = 7;
    hipLaunchKernelGGL(read_end, dim3(3), dim3(2), 0, nullptr, out, argument);
    assert_hip_ok(hipGetLastError());
    assert_hip_ok(hipDeviceSynchronize());
    assert_string_equal(out, "\a\a\a\a\a\a");
}

// ---- shared memory

__global__ void sum_up(const int *numbers, int *sum) {
    __shared__ int total;
    HIP_DYNAMIC_SHARED(int, seen);
    if (threadIdx.x == 0) total = 0;
    seen[threadIdx.x] = numbers[threadIdx.x];
    total += seen[threadIdx.x];
    if (threadIdx.x == blockDim.x - 1) sum[blockIdx.x] = total;
}

void threads_of_a_block_share_memory(void **state) {
    int numbers[100];
    int sums[3] = {0};
    (void)state;
    for (int i = 0; i < 100; i++) numbers[i] = i;
    hipLaunchKernelGGL(sum_up, dim3(3), dim3(100), sizeof numbers, nullptr, numbers, sums);
    assert_launched();
    assert_hip_ok(hipDeviceSynchronize());
    for (int sum : sums) assert_int_equal(sum, 4950);
}

// ---- atomics

__global__ void count_all(int *i, unsigned long long *u, float *f, double *d) {
    atomicAdd(i, 1);
    atomicSub(u, 1);
    atomicAdd(f, 1);
    atomicAdd(d, 0.5);
    __threadfence();
}

void atomics_of_several_streams_lose_nothing(void **state) {
    int i = 0;
    unsigned long long u = 4000;
    float f = 0;
    double d = 0;
    hipStream_t streams[4];
    (void)state;
    for (hipStream_t &stream : streams) {
        stream = new_stream();
        hipLaunchKernelGGL(count_all, dim3(10), dim3(100), 0, stream, &i, &u, &f, &d);
    }
    for (hipStream_t stream : streams) assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(i, 4000);
    assert_true(u == 0);
    assert_true(f == 4000);
    assert_true(d == 2000);
}

struct results {
    int before[11];
    int after[11];
};

__global__ void try_atomics(results *r) {
    int a[9] = {5, 5, 5, 5, 5, 5, 6, 6, 6};
    unsigned inc[2] = {4, 5};
    unsigned dec[2] = {0, 3};
    r->before[0] = atomicExch(&a[0], 9);
    r->before[1] = atomicCAS(&a[1], 5, 9);
    r->before[2] = atomicCAS(&a[2], 4, 9);
    r->before[3] = atomicMin(&a[3], -1);
    r->before[4] = atomicMax(&a[4], -1);
    r->before[5] = atomicMax(&a[5], 7);
    r->before[6] = atomicAnd(&a[6], 3);
    r->before[7] = atomicOr(&a[7], 3);
    r->before[8] = atomicXor(&a[8], 3);
    r->before[9] = static_cast<int>(atomicInc(&inc[0], 5) + 10 * atomicInc(&inc[1], 5));
    r->before[10] = static_cast<int>(atomicDec(&dec[0], 5) + 10 * atomicDec(&dec[1], 5));
    memcpy(r->after, a, sizeof a);
    r->after[9] = static_cast<int>(inc[0] + 10 * inc[1]);
    r->after[10] = static_cast<int>(dec[0] + 10 * dec[1]);
}

void atomics_return_what_was_there(void **state) {
    const results want = {{5, 5, 5, 5, 5, 5, 6, 6, 6, 54, 30}, {9, 9, 5, -1, 5, 7, 2, 7, 5, 5, 25}};
    results got = {};
    (void)state;
    hipLaunchKernelGGL(try_atomics, dim3(1), dim3(1), 0, nullptr, &got);
    assert_hip_ok(hipDeviceSynchronize());
    assert_memory_equal(&got, &want, sizeof got);
}

template <typename T> __global__ void count_in_every_scope(T *numbers) {
    atomicAdd_system(&numbers[0], 1);
    atomicAdd_block(&numbers[0], 1);
    unsafeAtomicAdd(&numbers[0], 1);
    __hip_atomic_fetch_add(&numbers[0], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    (void)__hip_atomic_fetch_sub(&numbers[1], 1, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
    atomicSub_system(&numbers[1], 1);
    atomicMax_system(&numbers[2], static_cast<T>(threadIdx.x));
    __hip_atomic_fetch_max(&numbers[2], 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    atomicMin_block(&numbers[3], static_cast<T>(threadIdx.x + 5));
    T seen = __hip_atomic_load(&numbers[4], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
    while (!__hip_atomic_compare_exchange_weak(&numbers[4], &seen, seen + 2, __ATOMIC_ACQ_REL,
                                               __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
    }
    __hip_atomic_store(&numbers[5], 7, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        numbers[6] =
            __hip_atomic_exchange(&numbers[7], 9, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    }
}

// 100 threads in each of 10 blocks.
template <typename T> void assert_counted() {
    T numbers[8] = {0, 0, 1, 100, 0, 0, 0, 8};
    const T minus = static_cast<T>(-2000);
    hipLaunchKernelGGL(count_in_every_scope<T>, 10, 100, 0, nullptr, numbers);
    assert_hip_ok(hipDeviceSynchronize());
    assert_true(numbers[0] == static_cast<T>(4000));
    assert_true(numbers[1] == minus);
    assert_true(numbers[2] == static_cast<T>(99));
    assert_true(numbers[3] == static_cast<T>(5));
    assert_true(numbers[4] == static_cast<T>(2000));
    assert_true(numbers[5] == static_cast<T>(7));
    assert_true(numbers[6] == static_cast<T>(8));
    assert_true(numbers[7] == static_cast<T>(9));
}

void atomics_of_every_width_and_scope_lose_nothing(void **state) {
    (void)state;
    assert_counted<short>();
    assert_counted<unsigned short>();
    assert_counted<int>();
    assert_counted<unsigned>();
    assert_counted<long>();
    assert_counted<unsigned long long>();
    assert_counted<float>();
    assert_counted<double>();
}

// ---- failures

void assert_text_has(const char *what) {
    if (strstr(hipExtGetLastErrorText(), what) == nullptr)
        fail_msg("\"%s\" is not in: %s", what, hipExtGetLastErrorText());
}

__global__ void raise(int block) {
    if (blockIdx.x == static_cast<unsigned>(block)) throw std::runtime_error("no");
}

__global__ void add_one(int *number) { ++*number; }

void a_failure_stays_until_the_stream_is_destroyed(void **state) {
    hipStream_t stream = new_stream();
    hipEvent_t event = nullptr;
    int number = 0;
    atomic_count_t counted = {};
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    hipLaunchKernelGGL(raise, dim3(5), dim3(1), 0, stream, 2);
    assert_launched();
    hipLaunchKernelGGL(add_one, dim3(1), dim3(1), 0, stream, &number); // dropped, or refused
    (void)hipEventRecord(event, stream);
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    assert_text_has("block (2, 0, 0)");
    assert_text_has("exception");
    (void)hipGetLastError();
    assert_hip(hipStreamQuery(stream), hipErrorLaunchFailure);
    assert_hip(hipStreamSynchronize(stream), hipErrorLaunchFailure);
    assert_hip(hipLaunchHostFunc(stream, count, &counted), hipErrorLaunchFailure);
    assert_hip(hipEventRecord(event, stream), hipErrorLaunchFailure);
    assert_hip(hipDeviceSynchronize(), hipErrorLaunchFailure);
    hipLaunchKernelGGL(add_one, dim3(1), dim3(1), 0, nullptr, &number);
    assert_hip(hipGetLastError(), hipErrorLaunchFailure); // the NULL stream would wait for it
    assert_int_equal(number, 0);
    assert_hip_ok(hipStreamDestroy(stream));
    hipLaunchKernelGGL(add_one, dim3(1), dim3(1), 0, nullptr, &number);
    assert_launched();
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(number, 1);
    assert_hip_ok(hipEventDestroy(event));
}

void an_event_tells_of_a_failure_before_it(void **state) {
    hipStream_t stream = new_stream();
    hipEvent_t event = nullptr;
    struct gate gate = {};
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    hipLaunchKernelGGL(raise, dim3(1), dim3(1), 0, stream, 0);
    assert_hip_ok(hipEventRecord(event, stream));
    gate.open = true;
    assert_hip(hipEventSynchronize(event), hipErrorLaunchFailure);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip(hipEventQuery(event), hipErrorLaunchFailure);
    assert_hip_ok(hipEventDestroy(event));
}

// ---- order

void kernels_run_in_stream_order(void **state) {
    hipStream_t stream = new_stream();
    struct gate gate = {};
    int number = 2;
    int copy = 0;
    (void)state;
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    hipLaunchKernelGGL(square, dim3(1), dim3(1), 0, stream, &number, 1);
    hipLaunchKernelGGL(add_one, dim3(1), dim3(1), 0, stream, &number);
    hipLaunchKernelGGL(square, dim3(1), dim3(1), 0, nullptr, &number, 1);
    assert_int_equal(number, 2);
    gate.open = true;
    assert_hip_ok(hipMemcpy(&copy, &number, sizeof copy, hipMemcpyDefault));
    assert_int_equal(copy, 25);
    assert_hip_ok(hipStreamDestroy(stream));
}

void kernels_are_captured_with_their_arguments(void **state) {
    hipStream_t stream = new_stream();
    hipGraph_t graph = nullptr;
    hipGraphExec_t exec = nullptr;
    hipGraphNode_t node = nullptr;
    hipGraphNodeType type = hipGraphNodeTypeCount;
    size_t nodes = 1;
    int number = 0;
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    hipLaunchKernelGGL(add_one, dim3(1), dim3(6), 0, stream, &number);
    assert_launched();
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, &node, &nodes));
    assert_hip_ok(hipGraphNodeGetType(node, &type));
    assert_int_equal(type, hipGraphNodeTypeKernel);
    assert_hip_ok(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    for (int i = 0; i < 3; i++) assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(number, 18);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_large),
        cmocka_unit_test_setup(square_reaches_every_number, forget_last_error),
        cmocka_unit_test_setup(square_runs_on_memory_that_was_mapped, forget_last_error),
        cmocka_unit_test_setup(every_thread_of_every_block_runs_once, forget_last_error),
        cmocka_unit_test_setup(arguments_arrive_converted_and_aligned, forget_last_error),
        cmocka_unit_test_setup(a_literal_zero_can_be_a_pointer, forget_last_error),
        cmocka_unit_test_setup(arguments_are_copied_by_the_launch, forget_last_error),
        cmocka_unit_test_setup(extents_beyond_the_properties_are_refused, forget_last_error),
        cmocka_unit_test_setup(bad_launches_are_refused, forget_last_error),
        cmocka_unit_test_setup(threads_of_a_block_share_memory, forget_last_error),
        cmocka_unit_test_setup(atomics_of_several_streams_lose_nothing, forget_last_error),
        cmocka_unit_test_setup(atomics_return_what_was_there, forget_last_error),
        cmocka_unit_test_setup(atomics_of_every_width_and_scope_lose_nothing, forget_last_error),
        cmocka_unit_test_setup(a_failure_stays_until_the_stream_is_destroyed, forget_last_error),
        cmocka_unit_test_setup(an_event_tells_of_a_failure_before_it, forget_last_error),
        cmocka_unit_test_setup(kernels_run_in_stream_order, forget_last_error),
        cmocka_unit_test_setup(kernels_are_captured_with_their_arguments, forget_last_error),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
