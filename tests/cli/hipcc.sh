#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn hipcc` takes the options of a compiler and those of AMD's hipcc, keeps lines and columns of errors, names
# what no CPU can compile, and links programs that run.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX
hipcc=$(dirname "$TARN")/tarn-hipcc
[ -e "$(dirname "$TARN")/../lib/tarn/hip/libamdhip64.so.6" ] || { echo "skipped: needs the face hip"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
cd "$work" || exit

# compilers: those that this machine has.
compilers() {
    echo g++
    ! command -v clang++ >/dev/null || echo clang++
}

cat >kernels.h <<'END'
#pragma once
#include <hip/hip_runtime.h>
#define LAUNCH(kernel, count, ...) kernel<<<dim3((count + 63) / 64), 64>>>(__VA_ARGS__)
#define BY(grid, block) <<<grid, block>>>
template <typename T> __attribute__((amdgpu_waves_per_eu(1, 2))) __global__ void scale(T *p, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) __builtin_nontemporal_store(p[i] * by, &p[i]);
}
inline void scale_by(int *p, int by, int n) { scale<<<(n + 63) / 64, 64>>>(p, by, n); }
END
cat >program.hip <<'END'
#include "kernels.h"
__global__ void add(int *p, int what, int n) {
    extern __shared__ int shared[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared[threadIdx.x] = what;
    if (i < n) p[i] += shared[threadIdx.x];
}
__noinline__ int add(int a) { return a; } // a function of the host with the kernel's name
extern int other(int *p, int n);
int main() {
    int *p, host[100] = {0};
    if (hipMalloc(&p, sizeof host) != hipSuccess) return 1;
    if (hipMemset(p, 0, sizeof host) != hipSuccess) return 2;
    add<<<2, dim3(64), 64 * sizeof(int)>>>(p, 3, 100);
    scale_by(p, 2, 100);
    LAUNCH(scale<int>, 100, p, 5, 100);
    scale<int> BY(2, 64) (p, 1, 100);
    if (other(p, 100) != 0) return 3;
    if (hipMemcpy(host, p, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 4;
    for (int x : host) if (x != 31) return 5;
    printf("31 everywhere, e is %.1f\n", std::exp(1.0));
    return hipFree(p) != hipSuccess;
}
END
cat >other.cpp <<'END'
#include "kernels.h"
static __global__ void increment(int *p) { p[blockIdx.x]++; }
int other(int *p, int n) { increment<<<n, 1>>>(p); return hipGetLastError() != hipSuccess; }
END

for cxx in $(compilers); do
    export TARN_CXX="$cxx"
    # In one step, with the options of a build for GPUs.
    expect 0 hipcc -O0 program.hip other.cpp -o program --offload-arch=gfx90a -fgpu-rdc -Wall -Wextra -Wpedantic -Werror
    ./program >out || fail "$cxx: the program ends with $?"
    says out '^31 everywhere, e is 2.7$'
    # Errors of a launch, of a kernel in one line, and of a header keep their places.
    sed 's/p, 3, 100/p, 3, missing/' program.hip >wrong.hip
    expect 1 hipcc -fsyntax-only wrong.hip
    says err '^wrong.hip:14:50: error: .*missing'
    sed 's/p, 3, 100/p, "text"/' program.hip >wrong.hip
    expect 1 hipcc -fsyntax-only wrong.hip
    says err '^wrong.hip:14:.* error: no match'
    sed 's/p\[blockIdx.x\]++/p[missing]++/' other.cpp >wrong.cpp
    expect 1 hipcc -fsyntax-only wrong.cpp
    says err '^wrong.cpp:2:46: error: .*missing'
    mkdir -p "$cxx" && sed 's/p, by, n); }/p, missing, n); }/' kernels.h >"$cxx/kernels.h"
    expect 1 hipcc -fsyntax-only -I"$cxx" -include "$cxx/kernels.h" other.cpp
    says err '^[./]*'"$(printf %s "$cxx" | sed 's/+/[+]/g')"'/kernels.h:9:79: error: .*missing'
done
unset TARN_CXX
# In three steps, and with a shared library.
expect 0 hipcc -x hip -c -g -std=c++17 -fPIC program.hip -o one.o --offload-arch gfx1100 -munsafe-fp-atomics
expect 0 hipcc -O0 -shared -fPIC other.cpp -o libother.so
# shellcheck disable=SC2016 # for the dynamic linker to expand
expect 0 hipcc -fgpu-rdc --hip-link one.o -L. -lother '-Wl,-rpath,$ORIGIN' -o program
./program >out || fail "the linked program ends with $?"

# --- what no CPU can compile ------------------------------------------------------------------------
# names WHERE PATTERN, also: an error names the place and the first reason; a note names another one.
names() {
    says err "^refused.hip:$1: error: tarn hipcc: .*$2"
}
also() {
    says err "^refused.hip:$1: note: tarn hipcc: .*$2"
}
# The preprocessor fails.
cat >refused.hip <<'END'
#include <rocprim/rocprim.hpp>
#include <cuda_runtime.h>
#include <hipblas/hipblas.h>
#if 0
This isn't C++
#endif
END
expect 1 hipcc -c refused.hip
names 1:10 'rocPRIM has code for GPUs only'
also 2:10 "CUDA's; convert the source"
also 3:10 'no library of linear algebra'
also 5:9 'this quote has no end'
# A header of AMD's that Tarn does not have, behind Tarn's own.
mkdir -p amd/hip/amd_detail
: >amd/hip/hip_extra.h
: >amd/hip/hip_fp16.h
cat >refused.hip <<'END'
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_extra.h>
int main() { return 0; }
END
expect 1 hipcc -idirafter amd -c refused.hip
names 3:5 "amd/hip/hip_extra.h\" is of AMD's HIP, and Tarn has no header of this name"
sed -i /extra/d refused.hip
expect 0 hipcc -idirafter amd -c refused.hip
# The compiler fails.
cat >refused.hip <<'END'
#include <hip/hip_runtime.h>
__global__ void k(float *p) { *p = tex2D<float>(0, 1, 2); }
__global__ void k(int *p) { *p = __builtin_amdgcn_mfma(__builtin_amdgcn_workitem_id_x()); }
int main() { return cudaDeviceSynchronize(); }
namespace n {
__shared__ extern int x, y[];
}
END
expect 1 hipcc -O0 -c refused.hip
names 2:36 'textures are not supported'
also 3:34 "exists on AMD's GPUs only"
also 4:21 "the name is CUDA's"
also 6:1 'an array without a size'
# Branches for another vendor, and names that the source itself defines, are no reason.
cat >refused.hip <<'END'
#if defined(__CUDACC__)
#include <cub/cub.cuh>
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include <cuda_runtime.h>
#else
#include <hip/hip_runtime.h>
#endif
#ifndef __HIPCC__
#include <thrust/sort.h>
#endif
#define cudaFree hipFree
#include <rocwmma/rocwmma.hpp>
void f(int *p) { (void)cudaFree(p); }
END
expect 1 hipcc -O0 -c refused.hip
names 12:10 'matrix units'
[ "$(grep -c 'tarn hipcc: ' err)" = 1 ] || fail "further reasons: $(cat err)"
# The assembler fails.
cat >refused.hip <<'END'
#include <hip/hip_runtime.h>
__global__ void k() {
    asm volatile("s_nop 0");
}
END
expect 1 hipcc -O0 -c refused.hip
names 3:5 'inline assembly for a GPU'
expect 1 hipcc -c --offload-device-only other.cpp
says err '^tarn hipcc: --offload-device-only: Tarn makes no code for a GPU$'

# --- the options of a compiler ------------------------------------------------------------------------
expect 0 hipcc -E other.cpp
says out 'increment<<<n, 1>>>'
expect 0 hipcc -MM other.cpp
says out '^other.o: other.cpp kernels.h'
expect 0 hipcc -O0 -c -MMD other.cpp -o folded.o
[ "$(tr -d '\\\n' <folded.d | tr -s ' ')" = 'folded.o: other.cpp kernels.h' ] || fail "dependencies: $(cat folded.d)"
expect 0 hipcc -O0 -c -MD -MP -MF deps -MT target other.cpp
grep -q '^target: ' deps || fail "the target of the dependencies is another one"
grep -q '^kernels.h:$' deps || fail "-MP has no effect"
expect 0 hipcc -S -O0 other.cpp
grep -q increment other.s || fail "-S made no assembly"
expect 0 hipcc -fsyntax-only program.hip
expect 1 hipcc -c program.hip other.cpp -o both.o
says err '^tarn hipcc: -o both.o: several sources have one output$'
echo '-c other.cpp "-DNAME=a b" -o response.o' >response
expect 0 hipcc @response
[ -s response.o ] || fail "the words of a response file are ignored"
expect 1 hipcc @absent
says err '^tarn hipcc: absent: cannot be read$'
expect 1 hipcc -c other.cpp -o
says err '^tarn hipcc: -o: the value is missing$'
echo 'int answer(void) { int class = 42; return class; }' >plain.c
echo 'extern "C" int answer(); int main() { return answer() != 42; }' >main.cpp
expect 0 hipcc plain.c main.cpp -o mixed -Wno-deprecated
./mixed || fail "a program with C ends with $?"
expect 0 hipcc -c plain.c -o plain.o
ar rc libplain.a plain.o
expect 0 hipcc libplain.a main.cpp -o before # as AMD's linker
./before || fail "a program behind its library ends with $?"
expect 0 hipcc -Wl,--start-group libplain.a main.cpp -Wl,--end-group -o before
expect 0 hipcc -### -c other.cpp -o never.o
says err '"-fdirectives-only"'
[ ! -e never.o ] || fail "-### compiles"
expect 0 hipcc --version
says out '^HIP version: 6\.3\.[0-9]* (tarn [0-9.]*'
expect 1 hipcc -c --no-such-option other.cpp
expect 1 hipcc -c -
says err '^tarn hipcc: -: standard input needs a language'
cat kernels.h - >piped.hip <<'END'
#include <cstdio>
__global__ void piped(int *p) { *p = threadIdx.x + 1; }
int main() {
#ifdef __HIP_DEVICE_COMPILE__
    return device_only;
#endif
    int n = 0;
    piped<<<1, 1>>>(&n);
    return hipDeviceSynchronize() != hipSuccess || n != 1;
}
END
tr -d '\r' <piped.hip | "$TARN" hipcc -x hip -O0 - -o piped || fail "standard input is not compiled"
./piped || fail "the program of standard input ends with $?"
sed 's/int n/int n = wrong, m/' piped.hip | "$TARN" hipcc -x hip -c - 2>err && fail "an error in standard input is lost"
says err '^<stdin>:.*wrong'
# Without an include, .hip files know the words of device code; dependencies of both sides are listed.
cat >both.hip <<'END'
__global__ void k(int *p) { *p = threadIdx.x; }
#ifdef __HIP_DEVICE_COMPILE__
#include "device.h"
#else
#include "host.h"
#endif
END
echo >device.h
echo >host.h
expect 0 hipcc -O0 -c -MMD both.hip
says both.d 'device.h'
says both.d 'host.h'
expect 0 hipcc -std=c++11 -O0 -c other.cpp # a launch needs a little more
expect 1 hipcc
# Nothing is left in the folder for temporary files.
mkdir temporary
TMPDIR=$work/temporary
export TMPDIR
expect 0 hipcc -O0 -c other.cpp
expect 1 hipcc -fsyntax-only wrong.cpp
"$TARN" hipcc -O0 -c refused.hip 2>&1 | true # nobody reads the errors
[ -z "$(ls temporary)" ] || fail "files are left: $(ls temporary)"

# --- the code of kernels ------------------------------------------------------------------------------
# Conversions of half precision are mostly calls, so that kernels with hundreds of them stay small.
expect 0 hipcc -O1 -c "$SRC/bench/compile_half.hip" -o half.o
code=$(size half.o | awk 'NR == 2 { print $1 }')
[ "$code" -lt 450000 ] || fail "32 kernels with half precision have $code bytes of code"

# --- the compiler as one file, and another compiler ---------------------------------------------------
"$hipcc" -O0 -c other.cpp -o linked.o || fail "tarn-hipcc is no compiler"
echo 'int x = BY_VARIABLE;' >variable.cpp
TARN_CXX='g++ -DBY_VARIABLE=7' expect 0 hipcc -E variable.cpp
says out 'int x = 7;'
TARN_CXX=/nowhere/c++ expect 1 hipcc -c other.cpp
says err '^tarn hipcc: /nowhere/c++: No such file or directory$'
expect 0 hipcc --help
says out '^Usage: tarn hipcc'
