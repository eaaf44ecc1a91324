#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fault of an optimised kernel names the thread that made it, whatever the kernel does with its memory.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
[ -e "$(dirname "$TARN")/../lib/tarn/hip/libamdhip64.so.6" ] || { echo "skipped: needs the face hip"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "the sanitizer reports faults and ends the process"
cd "$work" || exit

# Each kernel accesses the element behind the last one in block 1, thread (44, 0, 0). Compilers may move stores of
# a type that no kernel reads as another one.
cat >fault.hip <<'END'
#include <hip/hip_runtime.h>
#include <cstdlib>
#include <sys/mman.h>
__device__ unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void tested(float *to, const float *from, int n) {
    if (number() < n) to[number()] = from[number()] * 2;
}
__global__ void untested(double *to, const double *from) { to[number()] = from[number()] + 1; }
__global__ void stores(float *to, float *end) {
    if (number() == 300) *end = 1;
    to[number()] = 1;
}
__global__ void sums(float *to, float *sum, const float *end) {
    *sum += to[number()];
    if (number() >= 300) *sum += *end;
}
__global__ void rows(long *to, const long *from) {
    unsigned i = blockIdx.x * 256 + threadIdx.y * blockDim.x + threadIdx.x;
    to[i] = from[i];
}
int main(int, char **argv) {
    const size_t size = 1 << 20;
    void *page = mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *end = static_cast<char *>(page) + size;
    if (page == MAP_FAILED || mprotect(end, size, PROT_NONE) != 0) return 1;
    switch (atoi(argv[1])) {
    case 0: tested<<<4, 256>>>((float *)page, (float *)end - 300, 1024); break;
    case 1: untested<<<4, 256>>>((double *)page, (double *)end - 300); break;
    case 2: stores<<<4, 256>>>((float *)page, (float *)end); break;
    case 3: sums<<<4, 256>>>((float *)page, (float *)page, (float *)end); break;
    default: rows<<<4, dim3(16, 16)>>>((long *)page, (long *)end - 300); break;
    }
    return hipDeviceSynchronize() == hipErrorIllegalAddress ? 0 : 2;
}
END
export TARN_HIP_DEVICE=host:0,workers=1
for cxx in g++ clang++; do
    command -v "$cxx" >/dev/null || continue
    for level in -O1 -O2 -O3; do
        TARN_CXX=$cxx expect 0 hipcc "$level" fault.hip -o fault
        for kernel in 0 1 2 3 4; do
            ./fault "$kernel" 2>err || fail "$cxx $level: kernel $kernel ends with $?"
            thread='44, 0, 0'
            [ "$kernel" -lt 4 ] || thread='12, 2, 0'
            grep -q "block (1, 0, 0), thread ($thread): an access of address" err ||
                fail "$cxx $level: kernel $kernel: not thread ($thread): $(cat err)"
        done
    done
done
