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

const struct tn_hipcc_dialect tn_hipcc_of_nvidia = {
    .command = "nvcc",
    .face = "cuda",
    .header = "cuda_runtime.h",
    .launches = "cuda/detail/host_kernel.h",
    .defines = "-D__CUDACC__=1 -D__NVCC__=1 -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 "
               "-include cuda_runtime.h",
    .libraries = "-lcudart -lcuda -lstdc++ -lm", // -ccbin may name a compiler of C
    .is_nvcc = true,
};

const struct tn_hipcc_dialect *tn_hipcc_dialect = &hipcc;
