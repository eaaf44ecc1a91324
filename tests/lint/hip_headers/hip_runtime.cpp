// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime.h>

__constant__ float factor = 2;

template <typename T> __device__ T larger(T a, T b) { return max(a, b) + min(a, b) * 0; }

template <typename T>
__global__ void __launch_bounds__(256) use(T *out, const T *in, uint64_t *ticks, int n) {
    __shared__ T shared[4];
    HIP_DYNAMIC_SHARED(float, scratch)
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const float2 pair = make_float2(1, 2);
    if (i < n && scratch != nullptr) {
        shared[0] = __ldg(&in[i]);
        out[i] = larger(shared[0], in[0]) * static_cast<T>(factor + pair.x);
        out[i] += static_cast<T>(std::sqrt(4.0) + sqrtf(4.0f) + std::fabs(-1.0));
        (void)atomicAdd(&out[0], T(1));
        (void)atomicCAS(reinterpret_cast<unsigned *>(out), 1u, 2u);
    }
    *ticks = static_cast<uint64_t>(clock64() + wall_clock64());
    __threadfence();
}

static int bits() {
    return __ffs(8) + __ffsll(8ll) + __popc(7u) + __popcll(7ull) + __clz(1) + __clzll(1) +
           static_cast<int>(__brev(1u)) + static_cast<int>(__umulhi(1u, 2u)) +
           __float_as_int(__int_as_float(1));
}

static hipError_t launch(double *out, const double *in, uint64_t *ticks) {
    int blocks = 0;
    int grid = 0;
    int n = 4;
    void *arguments[] = {&out, &in, &ticks, &n};
    hipLaunchKernelGGL(HIP_KERNEL_NAME(use<double>), dim3(1), dim3(64), 0, nullptr, out, in, ticks,
                       n);
    hipLaunchKernelGGL(use<int>, 1, 64, 0, 0, static_cast<int *>(nullptr), nullptr, ticks, 0);
    hipError_t error = hipLaunchKernel(use<double>, dim3(1), dim3(64), arguments);
    if (error == hipSuccess)
        error = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, use<double>, 64, 0);
    if (error == hipSuccess)
        error = hipOccupancyMaxPotentialBlockSize(&grid, &blocks, use<double>, 0, 0);
    return error;
}

int main() {
    double *memory = nullptr;
    uint64_t *ticks = nullptr;
    hipDeviceProp_t properties;
    std::thread other([] { (void)hipSetDevice(0); });
    other.join();
    if (hipGetDeviceProperties(&properties, 0) != hipSuccess || bits() == 0) {
        fprintf(stderr, "%s\n", hipGetErrorString(hipGetLastError()));
        return EXIT_FAILURE;
    }
    if (hipMalloc(&memory, 64) != hipSuccess || hipMalloc(&ticks, 8) != hipSuccess)
        return EXIT_FAILURE;
    const hipChannelFormatDesc format = hipCreateChannelDesc<float4>();
    return launch(memory, memory, ticks) == hipSuccess && strlen(properties.name) > 0 &&
                   format.x == 32
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
