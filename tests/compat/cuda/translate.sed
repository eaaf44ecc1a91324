# SPDX-License-Identifier: Apache-2.0
# Turns a sample program of HIP into one of CUDA: sed -f translate.sed FILE. Names and calls that differ
# by more than the prefix come first.
# Devices of compute capability 7.0 and above have votes and shuffles with a mask only.
s/\<__\(shfl\|shfl_up\|shfl_down\|shfl_xor\|ballot\|any\|all\)(/__\1_sync(0xffffffff, /g
s/hip\/hip_runtime_api\.h/cuda_runtime_api.h/g
s/hip\/hip_runtime\.h/cuda_runtime.h/g
s/hip\/hip_cooperative_groups\.h/cooperative_groups.h/g
s/hip\/hip_\(fp16\|bf16\|fp8\)\.h/cuda_\1.h/g
s/\<__hip_\(bfloat16\|fp8\|cvt\)/__nv_\1/g
s/\<__HIP_\(SATFINITE\|E4M3\)\>/__NV_\1/g
s/hip\/hip_complex\.h/cuComplex.h/g
s/\<\(make_\)\?hip\(Float\|Double\)Complex/\1cu\2Complex/g
s/\<hip\(C\(real\|imag\|onj\|add\|sub\|mul\|div\|abs\|fma\)f\?\)\>/cu\1/g
s/HIP_SYMBOL(\([^()]*\))/\1/g
s/\<hipLaunchKernelGGL(\([^,]*\), \([^,()]*\), \(dim3([^()]*)\), 0, 0, /\1<<<\2, \3>>>(/
s/\<hipGraphInstantiate(\([^,]*\), \([^,]*\), nullptr, nullptr, 0)/cudaGraphInstantiate(\1, \2, 0)/
s/\<hipDeviceProp_t\>/cudaDeviceProp/g
s/\<hipHostMalloc\>/cudaMallocHost/g
s/\<hipHostMalloc\([A-Z]\)/cudaHostAlloc\1/g
s/\<hipHostFree\>/cudaFreeHost/g
s/\<hipErrorOutOfMemory\>/cudaErrorMemoryAllocation/g
s/\<hipErrorInvalidHandle\>/cudaErrorInvalidResourceHandle/g
s/\<hipErrorInvalidConfiguration\>/cudaErrorInvalidValue/g
s/\<hipErrorNotFound\>/cudaErrorSymbolNotFound/g
s/\<hipDeviceAttribute\([A-Z]\)/cudaDevAttr\1/g
s/\<hip\([A-Z]\)/cuda\1/g
