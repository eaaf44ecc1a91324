// SPDX-License-Identifier: Apache-2.0
// A child process opens the memory of its parent by a handle, and its kernel changes it.
#include "check.h"

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

__global__ void triple(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 3;
}

constexpr int n = 1000;

int run_child(int in) {
    hipIpcMemHandle_t handle;
    int *p;
    EXPECT(read(in, &handle, sizeof handle) == sizeof handle);
    HIP_CHECK(
        hipIpcOpenMemHandle(reinterpret_cast<void **>(&p), handle, hipIpcMemLazyEnablePeerAccess));
    triple<<<(n + 63) / 64, 64>>>(p, n);
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipIpcCloseMemHandle(p));
    return 0;
}

int main() {
    int to_child[2], status = -1;
    EXPECT(pipe(to_child) == 0);
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) return run_child(to_child[0]);
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i;
    device_array<int> data(host);
    hipIpcMemHandle_t handle;
    HIP_CHECK(hipIpcGetMemHandle(&handle, data.get()));
    EXPECT(write(to_child[1], &handle, sizeof handle) == sizeof handle);
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    std::vector<int> got = data.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == 3 * i);
}
