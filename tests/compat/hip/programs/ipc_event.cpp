// SPDX-License-Identifier: Apache-2.0
// A stream of the child waits for an event that a stream of the parent records: the child's kernel finds
// what the parent's kernel wrote, although neither process waits for the other in between.
#include <atomic>
#include <sys/wait.h>

#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int numbers = 1 << 16;
constexpr size_t bytes = numbers * sizeof(int);

struct shared {
    hipIpcMemHandle_t memory;
    hipIpcEventHandle_t event;
};

__global__ void set_to(int *values, int count, int what) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] = what + i;
}

void child_main(int from_parent, int to_parent) {
    shared s;
    hipStream_t stream;
    hipEvent_t filled;
    int *memory = nullptr, *copy = nullptr;
    char submitted = 's';
    pipe_receive(from_parent, &s, sizeof s);
    must(hipStreamCreate(&stream));
    must(hipHostMalloc(reinterpret_cast<void **>(&copy), bytes, hipHostMallocDefault));
    must(hipIpcOpenMemHandle(reinterpret_cast<void **>(&memory), s.memory,
                             hipIpcMemLazyEnablePeerAccess));
    must(hipIpcOpenEventHandle(&filled, s.event));
    must(hipStreamWaitEvent(stream, filled, 0));
    must(hipMemcpyAsync(copy, memory, bytes, hipMemcpyDeviceToHost, stream));
    pipe_send(to_parent, &submitted, 1);
    must(hipStreamSynchronize(stream));
    for (int i = 0; i < numbers; i++) expect(copy[i] == 77 + i);
    must(hipEventDestroy(filled));
    must(hipIpcCloseMemHandle(memory));
    must(hipHostFree(copy));
    must(hipStreamDestroy(stream));
}

void wait_for_gate(void *gate) {
    while (!static_cast<std::atomic<bool> *>(gate)->load()) usleep(100);
}

// The kernel is held up until the child has submitted its copy.
void parent_main(int from_child, int to_child, pid_t child) {
    std::atomic<bool> gate{false};
    shared s;
    hipStream_t stream;
    hipEvent_t filled;
    int *memory = nullptr, status = -1;
    char submitted = 0;
    must(hipStreamCreate(&stream));
    must(hipMalloc(reinterpret_cast<void **>(&memory), bytes));
    must(hipMemset(memory, 0, bytes));
    must(hipDeviceSynchronize());
    must(hipEventCreateWithFlags(&filled, hipEventDisableTiming | hipEventInterprocess));
    must(hipIpcGetMemHandle(&s.memory, memory));
    must(hipIpcGetEventHandle(&s.event, filled));
    must(hipLaunchHostFunc(stream, wait_for_gate, &gate));
    hipLaunchKernelGGL(set_to, dim3(numbers / 256), dim3(256), 0, stream, memory, numbers, 77);
    must(hipGetLastError());
    must(hipEventRecord(filled, stream));
    pipe_send(to_child, &s, sizeof s);
    pipe_receive(from_child, &submitted, 1);
    gate.store(true);
    expect(waitpid(child, &status, 0) == child && status == 0);
    must(hipStreamSynchronize(stream));
    must(hipEventDestroy(filled));
    must(hipStreamDestroy(stream));
    must(hipFree(memory));
    printf("the child has waited for the parent's kernel\n");
}

} // namespace

int main() {
    int down[2], up[2];
    expect(pipe(down) == 0 && pipe(up) == 0);
    pid_t child = fork(); // before the first call of HIP
    expect(child >= 0);
    if (child == 0) {
        close(down[1]);
        close(up[0]);
        child_main(down[0], up[1]);
        return 0;
    }
    close(down[0]);
    close(up[1]);
    parent_main(up[0], down[1], child);
    return 0;
}
