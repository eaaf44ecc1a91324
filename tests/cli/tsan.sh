#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The thread sanitizer of a program sees its streams as threads: it reports each race of kernels, copies, host
# functions and the host in each run, and nothing about work in order.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
library=$(dirname "$TARN")/../lib/tarn
[ -e "$library/cuda/libcuda.so.1" ] || { echo "skipped: needs the face cuda"; exit 77; }
[ -e "$library/hip/libamdhip64.so.6" ] || { echo "skipped: needs the face hip"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
cd "$work" || exit
runs=3
[ "${TARN_TEST_SWEEP:-}" != all ] || runs=10

# Random addresses may lie where the sanitizer cannot have them.
run() { setarch "$(uname -m)" -R "$@"; }
export TSAN_OPTIONS=atexit_sleep_ms=0

cat >probe.c <<'EOF'
int main(void) { return 0; }
EOF
# Returns true if the compiler makes programs with the sanitizer that run here.
has_tsan() { command -v "$1" >/dev/null && "$1" -fsanitize=thread probe.c -o probe 2>probe.log && run ./probe 2>>probe.log; }

# The argument selects a race, or with "right" behind it the same work in order.
cat >program.cu <<'EOF'
#include <cuda_runtime.h>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
enum { N = 512 };
__global__ void add(int *p, int n) { if ((int)threadIdx.x < n) p[threadIdx.x] += 1; }
__global__ void sum(const int *p, int *to) {
    __shared__ int part[N];
    part[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) for (int i = 0; i < N; i++) *to += part[i];
}
static int *x, *y, *total, *pinned, seen;
static void count(void *p) {
    int copy[N]; // on the stack of a thread that all streams share
    memcpy(copy, p, sizeof copy);
    for (int i = 0; i < N; i++) seen += copy[i] != 0 ? ((int *)p)[i] : copy[0];
}
static void touch(void *p) { *(volatile int *)p += 1; }
int main(int, char **argv) {
    int kind = atoi(argv[1]);
    bool right = argv[2] != NULL;
    cudaStream_t a, b, blocking;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaStreamCreate(&blocking);
    cudaEventCreate(&e);
    cudaMallocManaged((void **)&x, N * sizeof *x);
    cudaMallocManaged((void **)&y, N * sizeof *y);
    cudaMallocManaged((void **)&total, sizeof *total);
    cudaMallocHost((void **)&pinned, N * sizeof *pinned);
    for (int i = 0; i < N; i++) x[i] = y[i] = pinned[i] = *total = 0;
    cudaDeviceSynchronize();
    switch (kind) {
    case 0: // a kernel, and a load of the host
        add<<<1, N, 0, a>>>(x, N);
        if (right) cudaStreamSynchronize(a);
        seen = x[N - 1];
        break;
    case 1: // a kernel, and a store of the host
        add<<<1, N, 0, a>>>(x, N);
        if (right) while (cudaStreamQuery(a) == cudaErrorNotReady) {}
        x[0] = 7;
        break;
    case 2: // two kernels
        add<<<1, N, 0, a>>>(x, N);
        cudaEventRecord(e, a);
        if (right) cudaStreamWaitEvent(b, e, 0);
        sum<<<1, N, 0, b>>>(x, total);
        break;
    case 3: // a kernel and a copy
        cudaMemcpyAsync(x, pinned, N * sizeof *x, cudaMemcpyHostToDevice, a);
        sum<<<1, N, 0, right ? a : b>>>(x, total);
        break;
    case 4: // a fill and a copy
        cudaMemsetAsync(x, 1, N * sizeof *x, a);
        cudaEventRecord(e, a);
        if (right) cudaEventSynchronize(e), cudaStreamWaitEvent(b, e, 0); // it has passed
        cudaMemcpyAsync(pinned, x, N * sizeof *x, cudaMemcpyDeviceToHost, b);
        break;
    case 5: // the source of a queued copy
        cudaMemcpyAsync(x, pinned, N * sizeof *x, cudaMemcpyHostToDevice, a);
        if (right) cudaDeviceSynchronize();
        pinned[0] = 7;
        break;
    case 6: // a host function and a kernel
        add<<<1, N, 0, a>>>(x, N);
        cudaLaunchHostFunc(right ? a : b, touch, x);
        break;
    case 7: // an event that was recorded too early
        if (!right) cudaEventRecord(e, a);
        add<<<1, N, 0, a>>>(x, N);
        if (right) cudaEventRecord(e, a);
        cudaStreamWaitEvent(b, e, 0);
        add<<<1, N, 0, b>>>(x, N);
        break;
    case 8: { // two threads of the host, which submit to a stream each
        std::thread first([&] { add<<<1, N, 0, a>>>(x, N); if (right) cudaStreamSynchronize(a); });
        if (right) first.join();
        std::thread second([&] { add<<<1, N, 0, b>>>(x, N); });
        second.join();
        if (!right) first.join();
        break;
    }
    case 9: // stream 0 waits for blocking streams alone
        add<<<1, N, 0, right ? blocking : a>>>(x, N);
        add<<<1, N>>>(x, N);
        break;
    case 10: // an allocation in the order of a stream orders nothing else
        add<<<1, N, 0, a>>>(x, N);
        for (int i = 0; i < 4; i++) {
            int *block;
            cudaStream_t s = i % 2 != 0 ? a : b;
            cudaMallocAsync((void **)&block, N * sizeof *block, s);
            add<<<1, N, 0, s>>>(block, N);
            cudaFreeAsync(block, s);
        }
        add<<<1, N, 0, right ? a : b>>>(x, N);
        break;
    case 11: { // a stream that ends does not wait
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        add<<<1, N, 0, s>>>(x, N);
        cudaStreamDestroy(s);
        if (right) cudaDeviceSynchronize();
        seen = x[0];
        break;
    }
    case 12: // a blocking copy waits for its own stream
        add<<<1, N, 0, right ? blocking : a>>>(x, N);
        cudaMemcpy(pinned, x, N * sizeof *x, cudaMemcpyDeviceToHost);
        seen = pinned[0];
        break;
    case 13: { // a graph of two branches
        cudaGraph_t graph;
        cudaGraphExec_t launch;
        cudaEvent_t f;
        cudaEventCreate(&f);
        cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
        cudaEventRecord(e, a);
        cudaStreamWaitEvent(b, e, 0);
        add<<<1, N, 0, a>>>(x, N);
        add<<<1, N, 0, b>>>(right ? y : x, N);
        cudaEventRecord(f, b);
        cudaStreamWaitEvent(a, f, 0);
        cudaStreamEndCapture(a, &graph);
        cudaGraphInstantiateWithFlags(&launch, graph, 0);
        cudaGraphLaunch(launch, a);
        cudaGraphLaunch(launch, a);
        break;
    }
    case 14: { // a store of one thread and a kernel of another; their calls make no order
        std::atomic<bool> late(false);
        std::thread first([&] {
            x[0] = 1;
            add<<<1, N, 0, a>>>(y, N);
            cudaStreamQuery(a);
            late.store(true, right ? std::memory_order_release : std::memory_order_relaxed);
        });
        std::thread second([&] {
            while (!late.load(right ? std::memory_order_acquire : std::memory_order_relaxed)) {}
            sum<<<1, N, 0, b>>>(x, total);
        });
        first.join();
        second.join();
        break;
    }
    default: // host functions of two streams
        cudaLaunchHostFunc(a, count, x);
        if (right) cudaStreamSynchronize(a);
        cudaLaunchHostFunc(b, count, right ? y : x);
        break;
    }
    cudaDeviceSynchronize();
}
EOF
sed 's|cuda_runtime.h|hip/hip_runtime.h|; s/cuda/hip/g' program.cu >program.hip

# A C program has no kernels. Its copies and host functions race with each other.
cat >program.c <<'EOF'
#include <hip/hip_runtime_api.h>
#include <stdlib.h>
static int value;
static void touch(void *p) { *(int *)p += 1; }
int main(int argc, char **argv) {
    int kind = atoi(argv[1]), right = argc > 2;
    hipStream_t a, b;
    int *x, *host;
    (void)hipStreamCreateWithFlags(&a, hipStreamNonBlocking);
    (void)hipStreamCreateWithFlags(&b, hipStreamNonBlocking);
    (void)hipMalloc((void **)&x, 4096);
    (void)hipHostMalloc((void **)&host, 4096, 0);
    switch (kind) {
    case 0: // a copy to the host, and a load
        (void)hipMemcpyAsync(host, x, 4096, hipMemcpyDeviceToHost, a);
        if (right) (void)hipStreamSynchronize(a);
        value = host[9];
        break;
    case 1: // two copies
        (void)hipMemcpyAsync(x, host, 4096, hipMemcpyHostToDevice, a);
        (void)hipMemsetAsync(x, 0, 64, right ? a : b);
        break;
    default: // a host function, and a store
        (void)hipLaunchHostFunc(a, touch, &value);
        if (right) (void)hipDeviceSynchronize();
        value = 1;
        break;
    }
    (void)hipDeviceSynchronize();
    return 0;
}
EOF

# judge PROGRAM KINDS: each race is reported in each run, and nothing else ever.
judge() {
    for kind in $(seq 0 "$2"); do
        for number in $(seq $runs); do
            run "./$1" "$kind" >out 2>&1 || true
            grep -q 'WARNING: ThreadSanitizer: data race' out ||
                fail "$1 $kind, run $number: no race is reported: $(cat out)"
            run "./$1" "$kind" right >out 2>&1 || fail "$1 $kind right, run $number: $(cat out)"
        done
    done
}

tried=no
if has_tsan g++; then
    tried=yes
    TARN_CXX=g++ expect 0 nvcc -O0 -g -fsanitize=thread program.cu -o cuda_gcc
    judge cuda_gcc 15
    run env TARN_SEED=3 ./cuda_gcc 0 >out 2>&1 || true
    grep -q 'WARNING: ThreadSanitizer: data race' out || fail "under a seed no race is reported: $(cat out)"
    run "$TARN" explore -n 10 -- ./cuda_gcc 13 right >out 2>&1 || fail "a seed shows a race: $(cat out)"
fi
if has_tsan clang++; then
    tried=yes
    TARN_CXX=clang++ expect 0 hipcc -O0 -g -fsanitize=thread program.hip -o hip_clang
    judge hip_clang 15
fi
for cc in gcc clang; do
    has_tsan $cc || continue
    tried=yes
    $cc -O0 -g -fsanitize=thread -D__HIP_PLATFORM_AMD__ -I"$SRC/compat/hip/include" \
        -I"$SRC/compat/kernel/include" program.c -o "c_$cc" -L"$library/hip" -lamdhip64 -Wl,-rpath,"$library/hip" || fail "$cc does not compile"
    judge "c_$cc" 2
done
[ $tried = yes ] || { echo "skipped: no compiler has the thread sanitizer: $(cat probe.log)"; exit 77; }
