#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Functions and variables of devices belong to their file: two files may have others of the same names. With -fgpu-rdc,
# -rdc=true or -dc, files use each other's.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX
[ -e "$(dirname "$TARN")/../lib/tarn/hip/libamdhip64.so.6" ] || { echo "skipped: needs the face hip"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
cd "$work" || exit

# Everything that a header may declare for devices. `first.hip` and `second.hip` define STEP differently.
cat >device.h <<'END'
#pragma once
#include <hip/hip_runtime.h>
#define DEVICE __device__ __forceinline__
#define BOTH __host__ __device__
__device__ int counter = STEP;
__constant__ int table[2] = {STEP, 2 * STEP};
__managed__ int shared_by_all = STEP;
static __device__ __managed__ int managed = STEP;
__device__ int step(int n);
__device__ int step(int n) { return n + STEP; }
DEVICE int step_inline(int n) { return n + STEP; }
inline __host__ __device__ int add(int a, int b) { return a + b; }
template <typename T> __device__ T scaled(T n) { return n * STEP; }
template <> __device__ int scaled<int>(int n) { return n * STEP + 1; }
template <typename T> DEVICE T macro_scaled(T n) { return n * STEP; }
template <typename T> struct box {
    __device__ T get() const { return n * STEP; }
    template <typename U> __device__ U cast(U by) const;
    static __device__ T last;
    T n;
};
template <typename T> template <typename U> __device__ U box<T>::cast(U by) const { return static_cast<U>(n) + by * STEP; }
template <typename T> __device__ T box<T>::last = STEP;
template <int N> __device__ int counters[N] = {STEP};
struct op {
    __host__ __device__ op() : by(STEP) {}
    __host__ __device__ int operator()(int n) const { for (int i = 0; i < 3; i++) n += by; return n; }
    __device__ int later(int n) const;
    BOTH int twice() const { return 2 * by; }
    friend __host__ __device__ bool operator==(const op &a, const op &b);
    friend __device__ int value_of(const op &o) { return o.by; }
    virtual __device__ int which() const { return STEP; }
    static __device__ int sum(const int *p, int n) { return n == 0 ? 0 : p[0] + sum(p + 1, n - 1); }
    int by;
};
inline __device__ int op::later(int n) const { return n - STEP; }
inline __host__ __device__ bool operator==(const op &a, const op &b) { return a.by == b.by; }
namespace deep { namespace er { __device__ unsigned long seen; } }
typedef int (*function)(int);
__device__ function chosen = step;
struct __align__(8) pair { int a, b; };
__device__ struct pair both = {STEP, STEP};
__global__ static void run(int *out) {
    auto local = [] __device__(int n) { return n + STEP; };
    const int values[] = {1, 2, 3};
    int n = 0;
    out[n++] = counter;
    out[n++] = table[1];
    out[n++] = shared_by_all + managed;
    out[n++] = step(1) + step_inline(2);
    out[n++] = add(scaled(2), static_cast<int>(scaled(2.f)));
    out[n++] = op()(10);
    out[n++] = op().later(1) + op().twice() + (op() == op()) + value_of(op()) + op::sum(values, 3);
    out[n++] = local(chosen(1)) + both.b + static_cast<int>(deep::er::seen) +
               macro_scaled(1) + box<int>{2}.get() + box<int>{1}.cast(3) + box<int>::last + counters<3>[0];
}
END
cat >first.hip <<'END'
#define STEP 1
#include "device.h"
extern "C" __device__ int in_c(int n) { return n; }
extern "C" {
__device__ int in_c_too(int n) { return in_c(n); }
}
void second(int *out);
int main() {
    int *p, r[16], zero = 0;
    if (hipMalloc(&p, sizeof r) != hipSuccess) return 1;
    run<<<1, 1>>>(p);
    second(p + 8);
    if (hipMemcpyFromSymbol(&zero, HIP_SYMBOL(counter), 4) != hipSuccess || zero != 1) return 2;
    if (hipMemcpy(r, p, sizeof r, hipMemcpyDeviceToHost) != hipSuccess) return 3;
    for (int i = 0; i < 16; i++) printf("%d ", r[i]);
    return hipFree(p) != hipSuccess;
}
END
cat >second.hip <<'END'
#define STEP 10
#include "device.h"
void second(int *out) { run<<<1, 1>>>(out); }
END
cat >uses.hip <<'END'
#include <hip/hip_runtime.h>
extern __device__ int given;
__device__ int give(int n);
__global__ void take(int *out) { *out = give(given); }
int main() {
    int *p, r = 0;
    if (hipMalloc(&p, 4) != hipSuccess) return 1;
    take<<<1, 1>>>(p);
    if (hipMemcpy(&r, p, 4, hipMemcpyDeviceToHost) != hipSuccess) return 2;
    return r != 42 || hipFree(p) != hipSuccess;
}
END
cat >gives.hip <<'END'
#include <hip/hip_runtime.h>
__device__ int given = 41;
__device__ int give(int n) { return n + 1; }
END

wanted="1 2 2 5 5 13 10 13 10 20 20 23 41 40 28 112 "
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    export TARN_CXX=$compiler
    for options in -O0 -O2 "-O0 -g --kernel-races"; do
        # shellcheck disable=SC2086 # words
        "$TARN" hipcc $options -Wall -Werror first.hip second.hip -o program || fail "$compiler $options"
        [ "$(./program)" = "$wanted" ] || fail "$compiler $options: $(./program)"
    done
    # One source, compiled twice with other options.
    sed 's/^#define STEP 10/#define second_(x) x/; s/void second/void NAME/' second.hip >twice.hip
    cat >both.hip <<'END'
#include <hip/hip_runtime.h>
void one(int *), ten(int *);
int main() {
    int *p, r[16];
    if (hipMalloc(&p, sizeof r) != hipSuccess) return 1;
    one(p), ten(p + 8);
    if (hipMemcpy(r, p, sizeof r, hipMemcpyDeviceToHost) != hipSuccess) return 3;
    for (int i = 0; i < 16; i++) printf("%d ", r[i]);
}
END
    "$TARN" hipcc -O0 -c -DSTEP=1 -DNAME=one twice.hip -o one.o
    "$TARN" hipcc -O0 -c -DSTEP=10 -DNAME=ten twice.hip -o ten.o
    "$TARN" hipcc both.hip one.o ten.o -o program
    [ "$(./program)" = "$wanted" ] || fail "$compiler, one source twice: $(./program)"
    # Files use each other's only on request.
    "$TARN" hipcc -fgpu-rdc uses.hip gives.hip -o program
    ./program || fail "$compiler -fgpu-rdc"
    ! "$TARN" hipcc uses.hip gives.hip -o program 2>log || fail "$compiler: linked without -fgpu-rdc"
    grep -q 'undefined reference.*give' log || fail "$compiler: $(cat log)"
    # A module's variables are found by name.
    "$TARN" hipcc --genco gives.hip -o gives.co
    nm -D gives.co | grep -q ' given$' || fail "$compiler: the module has no variable 'given'"
    [ -e "$(dirname "$TARN")/../lib/tarn/cuda/libcudart.so.13" ] || continue
    mkdir -p cuda
    for file in *.hip; do sed 's/hip/cuda/g; s/cuda.cuda_runtime/cuda_runtime/; s/HIP_SYMBOL//' "$file" >"cuda/${file%hip}cu"; done
    sed 's/hip/cuda/g; s/cuda.cuda_runtime/cuda_runtime/' device.h >cuda/device.h
    cd cuda
    "$TARN" nvcc -O0 first.cu second.cu -o program
    [ "$(./program)" = "$wanted" ] || fail "$compiler, nvcc: $(./program)"
    "$TARN" nvcc -rdc=true uses.cu gives.cu -o program
    ./program || fail "$compiler -rdc=true"
    "$TARN" nvcc -dc uses.cu gives.cu
    "$TARN" nvcc uses.o gives.o -o program
    ./program || fail "$compiler -dc"
    cd ..
done
