#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn nvcc` takes the options of NVIDIA's nvcc, and links programs that run. tests/cli/hipcc.sh tests what it
# shares with `tarn hipcc`.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX
nvcc=$(dirname "$TARN")/tarn-nvcc
[ -e "$(dirname "$TARN")/../lib/tarn/cuda/libcuda.so.1" ] || { echo "skipped: needs the face cuda"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
cd "$work" || exit

cat >program.cu <<'END'
#include <cooperative_groups.h>
__constant__ int offset;
__global__ void add(int *p, int n) {
    extern __shared__ int tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? p[i] : 0;
    cooperative_groups::this_thread_block().sync();
    if (i < n) p[i] = tile[threadIdx.x] + offset + __shfl_sync(0xffffffffu, threadIdx.x, 1) % warpSize - 1;
    // Lanes are a word of 32 bits.
    if (~__ballot_sync(0xffffffffu, 1) != 0 || ~__activemask() != 0 || __ffs(__match_any_sync(0xffffffffu, 7)) != 1)
        p[i] = -1;
}
int twice(int number);
int main() {
    int *p, host[64] = {0}, three = 3;
    if (cudaMalloc(&p, sizeof host) != cudaSuccess || cudaMemset(p, 0, sizeof host) != cudaSuccess) return 1;
    if (cudaMemcpyToSymbol(offset, &three, sizeof three) != cudaSuccess) return 2;
    add<<<2, 32, 32 * sizeof(int)>>>(p, 64);
    if (cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
    for (int x : host) if (twice(x) != 6) return 4;
    add<<<0, 32>>>(p, 64);
    return cudaGetLastError() != cudaErrorInvalidValue;
}
END
cat >host.cpp <<'END'
#include <cuda_runtime.h> // found without an option; the source is for the host
#ifdef __CUDACC__
#error "no kernels are here"
#endif
int twice(int number) { return 2 * number; }
END

# Options for code of a GPU have no effect, in one step and in several.
for cxx in g++ clang++; do
    command -v "$cxx" >/dev/null || continue
    export TARN_CXX="$cxx"
    expect 0 nvcc -O0 -arch=sm_90 -gencode arch=compute_90,code=sm_90 --gpu-architecture sm_80 -cudart shared \
        --expt-relaxed-constexpr --extended-lambda -lineinfo -Xptxas -v -rdc=true -std c++17 -lcudart \
        -Xcompiler -Wall,-Werror program.cu host.cpp -o program
    ./program || fail "$cxx: the program ends with $?"
    expect 0 nvcc -O0 -dc -x cu program.cu -o program.o
    expect 0 nvcc -O0 -c host.cpp
    expect 0 nvcc program.o host.o -cudart=static -o program
    ./program || fail "$cxx: the linked program ends with $?"
done
unset TARN_CXX
expect 0 nvcc -### -default-stream per-thread -Xcompiler -fPIC,-DONE -c program.cu
says err 'CUDA_API_PER_THREAD_DEFAULT_STREAM'
says err '"-fPIC" "-DONE"'
! grep -q 'sm_90' err || fail "an option for a GPU is passed on"

# A program of release 12 is linked with the runtime of release 12, also in two steps.
cat >older.cu <<'END'
#include <cuda_runtime.h>
#if TARN_CUDA_LEVEL != 12 || __CUDACC_VER_MAJOR__ != 12
#error "not release 12"
#endif
int main() {
    cudaDeviceProp properties;
    int version = 0;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.clockRate < 0) return 1;
    return cudaRuntimeGetVersion(&version) != cudaSuccess || version / 1000 != 12;
}
END
expect 0 nvcc -O0 -DTARN_CUDA_LEVEL=12 older.cu -o older
./older || fail "the program of release 12 ends with $?"
expect 0 nvcc -O0 -D TARN_CUDA_LEVEL=12 -c older.cu
expect 0 nvcc -D TARN_CUDA_LEVEL=12 older.o -o older
./older || fail "the linked program of release 12 ends with $?"
expect 0 nvcc -O0 -DTARN_CUDA_LEVEL=13 program.cu host.cpp -o program
./program || fail "the program of release 13 ends with $?"

# -ccbin names the compiler of the host: a C or C++ compiler, or the folder of one.
mkdir folder
ln -s "$(command -v g++)" folder/g++
for ccbin in '-ccbin folder' '-ccbin=folder/g++' '--compiler-bindir folder' '--compiler-bindir=folder/g++'; do
    # shellcheck disable=SC2086 # two words
    TARN_CXX=missing expect 0 nvcc -### $ccbin -c program.cu
    says err '^ "folder/g++" '
done
expect 0 nvcc -ccbin gcc program.o host.o -o program
./program || fail "linked by gcc, the program ends with $?"

# Reasons name what is missing, and no type that a header has.
echo '#include <cuda_occupancy.h>' >missing.cu
expect 1 nvcc -c missing.cu
says err '^missing.cu:1:10: error: tarn nvcc: .*cudaOccupancyMaxActiveBlocksPerMultiprocessor'
cat >missing.cu <<'END'
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16 *p) { *p = __isShared(p); }
END
expect 1 nvcc -c missing.cu
says err '^missing.cu:2:44: error: tarn nvcc: the CPU has one kind of memory'
! grep -q "the function is CUDA's" err || fail "a type of cuda_bf16.h is a reason"

# Under the checker, a barrier that a thread misses ends the kernel.
cat >barrier.cu <<'END'
__global__ void miss() { if (threadIdx.x > 0) __syncthreads(); }
int main() { miss<<<1, 4>>>(); return cudaDeviceSynchronize(); }
END
expect 0 nvcc -O0 barrier.cu -o barrier
./barrier || fail "without the checker, a barrier ends the kernel"
if [ -e "$(dirname "$TARN")/../lib/tarn/check/libtarn-check.so" ]; then
    got=0
    "$TARN" check --as cuda -- ./barrier >out 2>err || got=$?
    [ "$got" != 0 ] || fail "the checker lets a thread miss a barrier"
    says err 'kernel miss, .*__syncthreads() at barrier.cu:1'
fi

# The checker finds races within kernels that were compiled for it.
cat >race.cu <<'END'
__global__ void mark(int *p) { p[blockIdx.x] = threadIdx.x; }
__global__ void tally(int *p) { atomicAdd(p + blockIdx.x, 1); }
int main(int argc, char **) {
    int *p;
    if (cudaMalloc(&p, 64) != cudaSuccess || cudaMemset(p, 0, 64) != cudaSuccess) return 1;
    if (argc > 1) tally<<<2, 8>>>(p); else mark<<<2, 8>>>(p);
    return cudaFree(p) != cudaSuccess;
}
END
expect 0 nvcc --kernel-races -g race.cu -o race
./race || fail "the program with hooks does not run by itself"
if [ -e "$(dirname "$TARN")/../lib/tarn/check/libtarn-check.so" ]; then
    expect 77 check --as cuda --kernel-races -- ./race
    says err 'ERROR kernel-race: .* by thread (1, 0, 0) of block (0, 0, 0), in kernel mark, '
    says err 'race.cu:1'
    expect 0 check --as cuda --kernel-races -- ./race tally
    says err 'SUMMARY: 0 error(s), 0 warning(s)'
fi

# A module, in place of code for a GPU.
echo 'extern "C" __global__ void nothing() {}' >module.cu
expect 0 nvcc -O0 -fatbin module.cu -o module.fatbin
[ "$(head -c 4 module.fatbin | tail -c 3)" = ELF ] || fail "the module is no shared object"

# Errors keep their places, and refusals name this command.
sed 's/(p, 64);$/(p, missing);/' program.cu >wrong.cu
expect 1 nvcc -fsyntax-only wrong.cu
says err '^wrong.cu:18:.* error: .*missing'
! grep -q 'hipify' err || fail "the error speaks of HIP"
# NVIDIA's nvcc has votes and shuffles without a mask for older devices only.
for call in '__shfl(1, 0)' '__shfl_up(1, 1)' '__shfl_down(1, 1)' '__shfl_xor(1, 1)' '__ballot(1)' '__any(1)' '__all(1)'; do
    echo "__global__ void vote(int *p) { *p = (int)$call; }" >maskless.cu
    expect 1 nvcc -fsyntax-only maskless.cu
    says err '^maskless.cu:1:[0-9]*: error: tarn nvcc: .* as __shfl_sync()$'
done
expect 1 nvcc -dlink program.o
says err '^tarn nvcc: -dlink: Tarn makes no code for a GPU$'
expect 0 nvcc --version
says out '^Cuda compilation tools, release 13.0'
expect 0 nvcc --help
says out '^Usage: tarn nvcc'
"$nvcc" -O0 -c host.cpp -o linked.o || fail "tarn-nvcc is no compiler"
