#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels know the architecture by the macros of vendors' compilers, and the host does not, also in functions of both.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX TARN_CUDA_CAPABILITY
[ -e "$(dirname "$TARN")/../lib/tarn/cuda/libcudart.so.13" ] || { echo "skipped: needs the face cuda"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
cd "$work" || exit

cat >arch.h <<'END'
#ifndef ARCH_H
#define ARCH_H
#if __CUDA_ARCH__ >= 700 || defined(__GFX9__)
#define FAST 1
#define DEBUG_LINE __LINE__
#else
#define FAST 0
#endif
#ifndef __CUDA_ARCH__
#define CHECK(x) if (!(x)) throw 1
#else
#define CHECK(x) if (!(x)) __trap()
#endif
#define BOTH __host__ __device__
#if __CUDA_ARCH__ < 600 && !defined(__HIP_DEVICE_COMPILE__)
__device__ double atomicAdd(double *p, double v) { double old = *p; *p += v; return old; } // for old devices
#endif
BOTH inline int fast(int n) { return n + FAST; }
template <typename T> BOTH T side(T n) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return n;
#else
    return -n;
#endif
}
struct value {
    BOTH constexpr value(int by) : n(by) {}
    BOTH constexpr int get() const {
#ifdef FAST_IS_UNKNOWN
        return 0;
#elif FAST
        return 2 * n;
#else
        return n;
#endif
    }
    int n;
};
#endif
END
cat >body.h <<'END'
#include "arch.h"
#include <stdio.h>
static_assert(value(3).get() == 3, "the host's");
__global__ void run(int *p) {
#if FAST
    p[0] = 42;
#endif
    p[1] = fast(10);
    p[2] = side(5);
    p[3] = value(3).get();
    CHECK(p[2] == 5);
#ifdef __CUDA_ARCH__
    p[4] = __CUDA_ARCH__;
#elif defined(__gfx90a__)
    p[4] = 0x90a;
#endif
    p[5] = warpSize;
}
static int on_host() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return 1;
#else
    return 0;
#endif
}
END
cat >program.cu <<'END'
#include "body.h"
int main() {
    int *p, r[6];
    cudaMalloc(&p, sizeof r);
    cudaMemset(p, 0, sizeof r);
    run<<<1, 1>>>(p);
    if (cudaMemcpy(r, p, sizeof r, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int x : r) printf("%d ", x);
    try { CHECK(p == nullptr); } catch (int) { printf("thrown "); }
    printf("%d %d %d %d\n", fast(10), side(5), value(3).get(), on_host());
    cudaFree(p);
}
END
{ echo '#include <hip/hip_runtime.h>'; sed 's/cuda/hip/g' program.cu; } >program.hip
cat >wrong.cu <<'END'
#ifndef __CUDA_ARCH__
int only_host() { return 0; }
#endif
int main() { return only_host(); }
END
cat >place.cu <<'END'
__host__ __device__ int f() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return missing;
#endif
}
__global__ void k() { gone = f(); }
int main() {}
END

# run WANTED OPTIONS: compiles and runs the program of one of the vendors.
run() {
    wanted=$1 tool=$2 file=$3
    shift 3
    "$TARN" "$tool" "$file" -o program "$@" || fail "$TARN_CXX $tool $*"
    [ "$(./program)" = "$wanted thrown 10 -5 3 0" ] || fail "$TARN_CXX $tool $*: $(./program)"
}

for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    export TARN_CXX=$compiler
    run "42 11 5 6 900 32" nvcc program.cu
    run "42 11 5 6 900 32" nvcc program.cu -O0 --kernel-races
    run "42 11 5 6 750 32" nvcc program.cu -arch=sm_75
    run "42 11 5 6 900 32" nvcc program.cu -gencode arch=compute_70,code=sm_70 -gencode arch=compute_90a,code=sm_90a
    run "0 10 5 3 600 32" nvcc program.cu -gencode=arch=compute_60,code=sm_60
    TARN_CUDA_CAPABILITY=8.6 run "42 11 5 6 860 32" nvcc program.cu -arch=sm_90
    run "42 11 5 6 0 64" hipcc program.hip
    run "42 11 5 6 2314 64" hipcc program.hip --offload-arch=gfx90a:sramecc+
    run "0 10 5 3 0 32" hipcc program.hip --offload-arch gfx1100
    # One text cannot serve both, and errors keep their places.
    ! "$TARN" nvcc wrong.cu -o program 2>log || fail "$compiler compiled wrong.cu"
    grep -q 'wrong.cu:[0-9:]* error: .*\(host alone\|only_host\)' log || fail "$compiler: $(cat log)"
    ! "$TARN" nvcc place.cu -o program 2>log || fail "$compiler compiled place.cu"
    grep -q '^place.cu:5:12: error: .*missing' log || fail "$compiler: $(cat log)"
    grep -q '^place.cu:8:23: error: .*gone' log || fail "$compiler: $(cat log)"
done
