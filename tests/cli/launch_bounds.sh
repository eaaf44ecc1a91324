#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A block with more threads than __launch_bounds__() allows is refused, in each way of launching and as a node of a graph, and queries know the limit.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX
[ -e "$(dirname "$TARN")/../lib/tarn/cuda/libcudart.so.13" ] || { echo "skipped: needs the face cuda"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
cd "$work" || exit

cat >program.hip <<'END'
#include <hip/hip_runtime.h>
#define BOUND 64
__global__ __launch_bounds__(BOUND) void plain(int *p) { p[threadIdx.x] = 1; }
template <int N> __global__ void __launch_bounds__(2 * N, 1) scaled(int *p) { p[threadIdx.x] = N; }
__global__ void free_one(int *p) { p[threadIdx.x] = 2; }
static void print() { printf("%d ", hipGetLastError()); }
int main() {
    int *p, r = 0, grid = 0, block = 0;
    (void)hipMalloc(&p, 4096);
    plain<<<1, 65>>>(p), print();
    plain<<<1, 64>>>(p), print();
    scaled<64><<<1, dim3(8, 8, 3)>>>(p), print();
    scaled<64><<<1, dim3(8, 8, 2)>>>(p), print();
    free_one<<<1, 1024>>>(p), print();
    void *arguments[] = {&p};
    printf("%d ", hipLaunchKernel((const void *)plain, dim3(1), dim3(128), arguments, 0, 0)), (void)hipGetLastError();
    printf("%d ", hipDeviceSynchronize());
    hipGraph_t graph;
    hipGraphNode_t node;
    hipGraphExec_t exec;
    hipKernelNodeParams params = {};
    params.func = (void *)plain;
    params.gridDim = dim3(1);
    params.blockDim = dim3(256);
    params.kernelParams = arguments;
    (void)hipGraphCreate(&graph, 0);
    printf("%d ", hipGraphAddKernelNode(&node, graph, NULL, 0, &params));
    params.blockDim = dim3(64);
    printf("%d ", hipGraphAddKernelNode(&node, graph, NULL, 0, &params));
    printf("%d ", hipGraphInstantiateWithFlags(&exec, graph, 0));
    params.blockDim = dim3(65);
    printf("%d ", hipGraphKernelNodeSetParams(node, &params));
    printf("%d ", hipGraphExecKernelNodeSetParams(exec, node, &params));
    (void)hipGraphExecDestroy(exec), (void)hipGraphDestroy(graph), (void)hipGetLastError();
    hipFuncAttributes attributes;
    printf("%d ", hipFuncGetAttributes(&attributes, (const void *)plain));
    printf("%d ", attributes.maxThreadsPerBlock);
    printf("%d ", hipOccupancyMaxPotentialBlockSize(&grid, &block, scaled<64>, 0, 0));
    printf("%d ", block);
    printf("%d ", hipOccupancyMaxActiveBlocksPerMultiprocessor(&grid, plain, 65, 0));
    printf("%d ", grid);
    (void)hipMemcpy(&r, p, 4, hipMemcpyDeviceToHost);
    printf("%d\n", r);
    return hipFree(p) != hipSuccess;
}
END
{ echo '#include <cstdio>'; sed 's/hip/cuda/g; s/cuda.cuda_runtime/cuda_runtime/' program.hip; } >program.cu

for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    export TARN_CXX=$compiler
    for options in -O0 "-O2 -std=c++14"; do
        # shellcheck disable=SC2086 # words
        "$TARN" hipcc -w $options program.hip -o program
        [ "$(./program)" = "719 0 719 0 0 719 0 719 0 0 719 719 0 64 0 128 0 0 2" ] || fail "$compiler $options: $(./program)"
        # shellcheck disable=SC2086 # words
        "$TARN" nvcc -w $options program.cu -o program
        [ "$(./program)" = "1 0 1 0 0 1 0 1 0 0 1 1 0 64 0 128 0 0 2" ] || fail "$compiler $options: $(./program)"
    done
done
