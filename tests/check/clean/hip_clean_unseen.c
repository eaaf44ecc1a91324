// SPDX-License-Identifier: Apache-2.0
// Memory that kernels, host functions and the CPU write: the copies behind them are submitted before
// the kernel has run. Blocks come back without a wait.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

enum { COUNT = 1024 };

struct closure {
    int *values;
};

static hipError_t set_all(const void *bytes, const hipExtHostBlock *block, const char **why) {
    const struct closure *closure = bytes;
    (void)block, (void)why;
    for (size_t i = 0; i < COUNT; i++) closure->values[i] = (int)i;
    return hipSuccess;
}

static void set_first(void *arg) { memset(arg, 1, COUNT * sizeof(int)); }

static int out[COUNT];

static void launch(int *values, hipStream_t stream) {
    const struct closure closure = {values};
    const dim3 one = {1, 1, 1};
    must(hipExtLaunchHostKernel(set_all, one, one, 0, stream, &closure, sizeof closure));
    must(hipMemcpyAsync(out, values, sizeof out, hipMemcpyDeviceToHost, stream));
}

static void use_plain(hipStream_t stream) {
    int *values = NULL;
    must(hipMalloc((void **)&values, sizeof out));
    launch(values, stream);
    must(hipFree(values));
    must(hipMalloc((void **)&values, sizeof out));
    must(hipLaunchHostFunc(stream, set_first, values));
    must(hipMemcpyAsync(out, values, sizeof out, hipMemcpyDeviceToHost, stream));
    must(hipStreamSynchronize(stream));
    must(hipFree(values));
    must(hipMalloc((void **)&values, sizeof out));
    memset(values, 1, sizeof out);
    must(hipMemcpy(out, values, sizeof out, hipMemcpyDeviceToHost));
    must(hipFree(values));
}

static void use_ordered(hipStream_t stream) {
    int *values = NULL;
    for (int round = 0; round < 4; round++) {
        must(hipMallocAsync((void **)&values, sizeof out, stream));
        if (round % 2 == 0) {
            launch(values, stream);
        } else {
            must(hipMemsetAsync(values, 0, sizeof out, stream));
            must(hipMemcpyAsync(out, values, sizeof out, hipMemcpyDeviceToHost, stream));
        }
        must(hipFreeAsync(values, stream));
    }
    must(hipStreamSynchronize(stream));
}

static void use_host(hipStream_t stream) {
    int *host = NULL;
    int *values = NULL;
    must(hipHostMalloc((void **)&host, sizeof out, hipHostMallocDefault));
    must(hipMallocManaged((void **)&values, sizeof out, hipMemAttachGlobal));
    memset(host, 1, sizeof out);
    must(hipMemcpyAsync(values, host, sizeof out, hipMemcpyDefault, stream));
    launch(values, stream);
    must(hipStreamSynchronize(stream));
    must(hipFree(values));
    must(hipHostFree(host));
}

int main(void) {
    hipStream_t stream = NULL;
    must(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    use_plain(stream);
    use_ordered(stream);
    use_host(stream);
    must(hipStreamDestroy(stream));
    return 0;
}
