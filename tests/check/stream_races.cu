// SPDX-License-Identifier: Apache-2.0
// Kernels, copies, host functions and the host, with and without order between them. The argument names
// the case: those that begin with `race` have one race, the others have none. See stream_races.sh.
#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <map>
#include <mutex>
#include <string>

enum { COUNT = 1024, BYTES = COUNT * sizeof(int) };

static void must(cudaError_t error, int line) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
    exit(2);
}
#define MUST(call) must(call, __LINE__)

__global__ void write_all(int *to, int count, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = value + i;
}

__global__ void read_all(const int *from, int *sum, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) total += from[i];
    *sum = total;
}

__global__ void add_to(int *sum, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(sum, 1);
}

__global__ void write_every(int *to, int first, int step, int count) {
    int i = first + step * threadIdx.x;
    if (i < count) to[i] = i;
}

struct pair {
    int *in;
    int *out;
};
__global__ void copy_pair(const pair *of, int count) {
    int i = threadIdx.x;
    if (i < count) of->out[i] = of->in[i];
}

__global__ void publish(int *data, volatile int *flag) {
    *data = 42;
    __threadfence_system();
    *flag = 1;
}

__global__ void nothing() {}

__device__ int counter_on_device;
__managed__ int managed_counter;
__global__ void set_counter(int value) { counter_on_device = value; }
__global__ void set_managed(int value) { managed_counter = value; }

// Each case begins with two streams that nothing orders, and with memory whose contents the device has.
static cudaStream_t a, b, blocking;
static cudaEvent_t event;
static int *device, *other, *managed, *pinned, *sum;
static volatile int sink;

static void kernel_writes(int *to, cudaStream_t stream) {
    write_all<<<COUNT / 64, 64, 0, stream>>>(to, COUNT, 1);
}
static void kernel_reads(const int *from, cudaStream_t stream) {
    read_all<<<1, 1, 0, stream>>>(from, sum, COUNT);
}
static void order_streams(cudaStream_t first, cudaStream_t second) {
    MUST(cudaEventRecord(event, first));
    MUST(cudaStreamWaitEvent(second, event, 0));
}
static void copy_in(int *to, cudaStream_t stream) {
    MUST(cudaMemcpyAsync(to, pinned, BYTES, cudaMemcpyHostToDevice, stream));
}
static void copy_out(const int *from, cudaStream_t stream) {
    MUST(cudaMemcpyAsync(pinned, from, BYTES, cudaMemcpyDeviceToHost, stream));
}
static void add_on_host(void *arg) {
    for (int i = 0; i < COUNT; i++) static_cast<int *>(arg)[i] += 1;
}
static std::atomic<int> is_done;
static void finish_on_host(void *arg) {
    static_cast<int *>(arg)[0] = 7;
    is_done.store(1, std::memory_order_release);
}

static std::mutex mutex;
static std::condition_variable condition;
static bool is_signalled;
static void signal_on_host(void *arg) {
    static_cast<int *>(arg)[0] = 7;
    {
        std::lock_guard<std::mutex> lock(mutex);
        is_signalled = true;
    }
    condition.notify_one();
}

static std::map<std::string, void (*)()> cases() {
    std::map<std::string, void (*)()> all;
    // ---- kernels and kernels
    all["race_write_read"] = [] { kernel_writes(device, a); kernel_reads(device, b); };
    all["race_read_write"] = [] { kernel_reads(device, a); kernel_writes(device, b); };
    all["race_write_write"] = [] { kernel_writes(device, a); kernel_writes(device, b); };
    all["race_default_stream_of_non_blocking"] = [] { kernel_writes(device, 0); kernel_reads(device, a); };
    all["race_event_before_the_kernel"] = [] {
        MUST(cudaEventRecord(event, a));
        kernel_writes(device, a);
        MUST(cudaStreamWaitEvent(b, event, 0));
        kernel_reads(device, b);
    };
    all["race_event_of_a_third_stream"] = [] {
        kernel_writes(device, a);
        order_streams(blocking, b);
        kernel_reads(device, b);
    };
    all["race_pointers_in_memory"] = [] {
        pair *of;
        MUST(cudaMallocManaged(&of, sizeof *of));
        of->in = device, of->out = other;
        copy_pair<<<1, 64, 0, a>>>(of, 64);
        kernel_writes(other, b);
        MUST(cudaDeviceSynchronize());
        MUST(cudaFree(of));
    };
    all["race_device_variable"] = [] {
        set_counter<<<1, 1, 0, a>>>(1);
        set_counter<<<1, 1, 0, b>>>(2);
    };
    all["race_atomic_and_plain"] = [] {
        add_to<<<1, 64, 0, a>>>(device, 64);
        write_all<<<1, 1, 0, b>>>(device, 1, 5);
    };
    all["race_halves_overlap"] = [] {
        write_all<<<COUNT / 64, 64, 0, a>>>(device, COUNT / 2 + 1, 1);
        write_all<<<COUNT / 64, 64, 0, b>>>(device + COUNT / 2, COUNT / 2, 1);
    };
    all["event"] = [] { kernel_writes(device, a); order_streams(a, b); kernel_reads(device, b); };
    all["one_stream"] = [] { kernel_writes(device, a); kernel_reads(device, a); };
    all["through_default_stream"] = [] {
        kernel_writes(device, blocking);
        nothing<<<1, 1>>>();
        kernel_reads(device, 0);
        kernel_writes(device, blocking);
    };
    all["both_read"] = [] { kernel_reads(device, a); read_all<<<1, 1, 0, b>>>(device, other, COUNT); };
    all["halves"] = [] {
        write_all<<<COUNT / 64, 64, 0, a>>>(device, COUNT / 2, 1);
        write_all<<<COUNT / 64, 64, 0, b>>>(device + COUNT / 2, COUNT / 2, 1);
    };
    all["interleaved"] = [] {
        write_every<<<1, 512, 0, a>>>(device, 0, 2, COUNT);
        write_every<<<1, 512, 0, b>>>(device, 1, 2, COUNT);
    };
    all["both_atomic"] = [] {
        add_to<<<1, 64, 0, a>>>(device, 64);
        add_to<<<1, 64, 0, b>>>(device, 64);
    };
    all["argument_not_used"] = [] {
        write_all<<<1, 64, 0, a>>>(device, 0, 1);
        MUST(cudaMemsetAsync(device, 0, BYTES, b));
    };
    all["stream_synchronised"] = [] {
        kernel_writes(device, a);
        MUST(cudaStreamSynchronize(a));
        kernel_reads(device, b);
    };
    // ---- kernels and copies
    all["race_kernel_copy_out"] = [] { kernel_writes(device, a); copy_out(device, b); };
    all["race_copy_in_kernel"] = [] { copy_in(device, a); kernel_reads(device, b); };
    all["race_kernel_copy_in_all"] = [] { kernel_writes(device, a); copy_in(device, b); };
    all["race_kernel_fill_part"] = [] { kernel_reads(device, a); MUST(cudaMemsetAsync(device, 0, 64, b)); };
    all["race_kernel_fill_rows"] = [] {
        kernel_writes(device, a);
        MUST(cudaMemset2DAsync(device, 256, 0, 64, 16, b));
    };
    all["race_kernel_copy_symbol"] = [] {
        set_counter<<<1, 1, 0, a>>>(1);
        MUST(cudaMemcpyFromSymbolAsync(pinned, counter_on_device, sizeof(int), 0,
                                       cudaMemcpyDeviceToHost, b));
    };
    all["race_pipeline_without_wait"] = [] {
        MUST(cudaMemcpyAsync(device, managed, BYTES, cudaMemcpyHostToDevice, a));
        kernel_writes(device, a);
        copy_out(device, b);
        MUST(cudaStreamSynchronize(b));
    };
    all["pipeline"] = [] {
        for (int i = 0; i < 3; i++) {
            copy_in(device, a);
            order_streams(a, b);
            kernel_writes(device, b);
            order_streams(b, a);
            copy_out(device, a);
            MUST(cudaStreamSynchronize(a));
            sink = pinned[i];
        }
    };
    all["fill_other_rows"] = [] {
        write_every<<<1, 16, 0, a>>>(device, 32, 64, COUNT);
        MUST(cudaMemset2DAsync(device, 256, 0, 64, 16, b));
    };
    // ---- the host
    all["race_host_reads_managed"] = [] { kernel_writes(managed, a); sink = managed[5]; };
    all["race_host_reads_after_other_stream"] = [] {
        kernel_writes(managed, a);
        MUST(cudaStreamSynchronize(b));
        sink = managed[5];
    };
    all["race_host_writes_managed"] = [] { kernel_reads(managed, a); managed[0] = 1; };
    all["race_host_reads_copy_out"] = [] { copy_out(device, a); sink = pinned[COUNT - 1]; };
    all["race_host_writes_source"] = [] {
        copy_in(device, a);
        for (int i = 0; i < COUNT; i++) pinned[i] = 0;
    };
    all["race_host_after_early_event"] = [] {
        MUST(cudaEventRecord(event, a));
        kernel_writes(managed, a);
        MUST(cudaEventSynchronize(event));
        sink = managed[0];
    };
    all["race_host_managed_variable"] = [] { set_managed<<<1, 1, 0, a>>>(3); sink = managed_counter; };
    all["race_host_pinned_kernel"] = [] { kernel_writes(pinned, a); sink = pinned[9]; };
    all["race_host_registered"] = [] {
        static int block[COUNT] __attribute__((aligned(4096)));
        MUST(cudaHostRegister(block, sizeof block, 0));
        MUST(cudaMemcpyAsync(block, device, BYTES, cudaMemcpyDeviceToHost, a));
        sink = block[3];
        MUST(cudaDeviceSynchronize());
        MUST(cudaHostUnregister(block));
    };
    all["race_host_memset"] = [] { copy_in(device, a); memset(pinned, 0, BYTES); };
    all["race_host_memcpy"] = [] {
        static int block[COUNT];
        copy_out(device, a);
        memcpy(block, pinned, BYTES);
        sink = block[1];
    };
    all["host_after_stream"] = [] {
        kernel_writes(managed, a);
        MUST(cudaStreamSynchronize(a));
        for (int i = 0; i < COUNT; i++) sink = managed[i], managed[i] = i;
        kernel_reads(managed, b);
        MUST(cudaDeviceSynchronize());
    };
    all["host_after_event"] = [] {
        kernel_writes(managed, a);
        MUST(cudaEventRecord(event, a));
        kernel_writes(device, a);
        MUST(cudaEventSynchronize(event));
        sink = managed[0];
    };
    all["host_after_query"] = [] {
        kernel_writes(managed, a);
        while (cudaStreamQuery(a) == cudaErrorNotReady) continue;
        sink = managed[0];
    };
    all["host_elsewhere"] = [] {
        write_all<<<COUNT / 64, 64, 0, a>>>(managed, COUNT / 2, 1);
        for (int i = COUNT / 2; i < COUNT; i++) managed[i] = i;
    };
    all["host_after_synchronous_copy"] = [] {
        kernel_writes(device, 0);
        MUST(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
        sink = pinned[1];
    };
    all["host_pageable"] = [] {
        int block[64] = {1, 2, 3};
        MUST(cudaMemcpyAsync(device, block, sizeof block, cudaMemcpyHostToDevice, a));
        block[0] = 4;
        MUST(cudaMemcpyAsync(block, device, sizeof block, cudaMemcpyDeviceToHost, a));
        sink = block[0];
    };
    all["host_flag"] = [] {
        volatile int *flag = managed + 64;
        managed[64] = 0;
        publish<<<1, 1, 0, a>>>(managed, managed + 64);
        while (*flag == 0) continue;
        sink = managed[0];
    };
    // ---- host functions
    all["race_function_kernel"] = [] {
        MUST(cudaLaunchHostFunc(a, add_on_host, managed));
        kernel_reads(managed, b);
    };
    all["race_function_host"] = [] {
        MUST(cudaLaunchHostFunc(a, add_on_host, pinned));
        sink = pinned[3];
    };
    all["race_copy_function"] = [] { copy_out(device, a); MUST(cudaLaunchHostFunc(b, add_on_host, pinned)); };
    all["function"] = [] {
        kernel_writes(managed, a);
        MUST(cudaLaunchHostFunc(a, add_on_host, managed));
        kernel_reads(managed, a);
        MUST(cudaStreamSynchronize(a));
        sink = managed[0];
    };
    all["function_flag"] = [] {
        MUST(cudaLaunchHostFunc(a, finish_on_host, pinned));
        while (is_done.load(std::memory_order_acquire) == 0) continue;
        sink = pinned[0];
    };
    all["function_condition_variable"] = [] {
        kernel_writes(managed, a);
        MUST(cudaLaunchHostFunc(a, signal_on_host, pinned));
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [] { return is_signalled; });
        sink = pinned[0] + managed[0];
    };
    all["function_locked_out"] = [] {
        std::unique_lock<std::mutex> lock(mutex); // the function waits for it
        kernel_writes(managed, a);
        MUST(cudaLaunchHostFunc(a, signal_on_host, pinned));
        condition.wait(lock, [] { return is_signalled; });
        sink = pinned[0] + managed[0];
    };
    all["function_promise"] = [] {
        std::promise<int> promise;
        kernel_writes(managed, a);
        MUST(cudaLaunchHostFunc(a, [](void *to) { static_cast<std::promise<int> *>(to)->set_value(1); }, &promise));
        sink = promise.get_future().get() + managed[0];
    };
    // ---- graphs
    all["race_graph"] = [] {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        MUST(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
        order_streams(a, b);
        kernel_writes(device, a);
        kernel_reads(device, b);
        order_streams(b, a);
        MUST(cudaStreamEndCapture(a, &graph));
        MUST(cudaGraphInstantiate(&exec, graph, 0));
        MUST(cudaGraphLaunch(exec, a));
        MUST(cudaStreamSynchronize(a));
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    };
    all["race_graph_host"] = [] {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        MUST(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
        kernel_writes(managed, a);
        MUST(cudaStreamEndCapture(a, &graph));
        MUST(cudaGraphInstantiate(&exec, graph, 0));
        MUST(cudaGraphLaunch(exec, a));
        sink = managed[0];
        MUST(cudaStreamSynchronize(a));
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    };
    all["graph"] = [] {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        MUST(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
        order_streams(a, b);
        kernel_writes(device, a);
        kernel_writes(other, b);
        order_streams(b, a);
        kernel_writes(other, a);
        MUST(cudaStreamEndCapture(a, &graph));
        MUST(cudaGraphInstantiate(&exec, graph, 0));
        for (int i = 0; i < 3; i++) MUST(cudaGraphLaunch(exec, a));
        MUST(cudaStreamSynchronize(a));
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    };
    // ---- memory in the order of streams
    all["race_pool_other_stream"] = [] {
        int *block;
        MUST(cudaMallocAsync(&block, BYTES, a));
        kernel_writes(block, b);
        MUST(cudaDeviceSynchronize());
        MUST(cudaFreeAsync(block, a));
    };
    all["race_pool_freed_early"] = [] {
        int *block;
        MUST(cudaMallocAsync(&block, BYTES, a));
        order_streams(a, b);
        kernel_writes(block, b);
        MUST(cudaFreeAsync(block, a));
    };
    all["pool"] = [] {
        int *block;
        MUST(cudaMallocAsync(&block, BYTES, a));
        order_streams(a, b);
        kernel_writes(block, b);
        order_streams(b, a);
        MUST(cudaFreeAsync(block, a));
    };
    all["value_wait"] = [] {
        auto *flag = reinterpret_cast<CUdeviceptr>(other + 1) == 0 ? nullptr : other;
        MUST(cudaMemset(flag, 0, sizeof *flag));
        cuStreamWaitValue32(b, reinterpret_cast<CUdeviceptr>(flag), 1, CU_STREAM_WAIT_VALUE_EQ);
        kernel_reads(device, b);
        kernel_writes(device, a);
        cuStreamWriteValue32(a, reinterpret_cast<CUdeviceptr>(flag), 1, 0);
    };
    return all;
}

int main(int argc, char **argv) {
    const auto all = cases();
    if (argc < 2) {
        for (const auto &one : all) puts(one.first.c_str());
        return 0;
    }
    MUST(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    MUST(cudaStreamCreate(&blocking));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc(&device, BYTES));
    MUST(cudaMalloc(&other, BYTES));
    MUST(cudaMalloc(&sum, sizeof *sum));
    MUST(cudaMallocManaged(&managed, BYTES));
    MUST(cudaHostAlloc(&pinned, BYTES, cudaHostAllocDefault));
    for (int i = 0; i < COUNT; i++) managed[i] = pinned[i] = i;
    MUST(cudaMemcpy(device, pinned, BYTES, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(other, pinned, BYTES, cudaMemcpyHostToDevice));
    MUST(cudaDeviceSynchronize());
    all.at(argv[1])();
    MUST(cudaDeviceSynchronize());
    for (int *block : {device, other, sum, managed}) MUST(cudaFree(block));
    MUST(cudaFreeHost(pinned));
    MUST(cudaEventDestroy(event));
    for (cudaStream_t stream : {a, b, blocking}) MUST(cudaStreamDestroy(stream));
}
