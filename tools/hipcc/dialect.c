// SPDX-License-Identifier: Apache-2.0
// See dialect.h.
#include "tools/hipcc/dialect.h"

static const struct tn_hipcc_dialect hipcc = {
    .command = "hipcc",
    .face = "hip",
    .header = "hip/hip_runtime.h",
    .launches = "hip/detail/kernel.h",
    .defines = "-D__HIPCC__=1 -D__HIP__=1 -D__HIP_PLATFORM_AMD__=1",
    .libraries = "-lamdhip64",
};

// -ccbin may name a compiler of C, which does not link with the libraries of C++ itself.
#define OF_NVIDIA(MAJOR, MINOR, RUNTIME)                                                           \
    {                                                                                              \
        .command = "nvcc", .face = "cuda", .header = "cuda_runtime.h",                             \
        .launches = "cuda/detail/host_kernel.h",                                                   \
        .defines = "-D__CUDACC__=1 -D__NVCC__=1 -D__CUDACC_VER_MAJOR__=" #MAJOR                    \
                   " -D__CUDACC_VER_MINOR__=" #MINOR " -include cuda_runtime.h",                   \
        .libraries = RUNTIME " -lcuda -lstdc++ -lm", .is_nvcc = true,                              \
    }

const struct tn_hipcc_dialect tn_hipcc_of_nvidia = OF_NVIDIA(13, 0, "-lcudart");
const struct tn_hipcc_dialect tn_hipcc_of_nvidia_12 = OF_NVIDIA(12, 9, "-l:libcudart.so.12");

const struct tn_hipcc_dialect *tn_hipcc_dialect = &hipcc;
