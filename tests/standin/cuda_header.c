// SPDX-License-Identifier: Apache-2.0
// Compares our numbers and layouts of CUDA's driver API with the toolkit's at compile time.
// tests/lint/cuda_header.sh compiles it; it is never run.
#include <stddef.h>

#include <cuda.h>

#include "backend/cuda/driver.h"

#define SAME(theirs, ours) _Static_assert((theirs) == (ours), #theirs " is not " #ours)

// ---- numbers

#define ERROR(name, number) SAME((int)CUDA_ERROR_##name, number);
TN_CU_ERROR_LIST(ERROR)
#define NUMBER(name, theirs, number) SAME((int)(theirs), number);
TN_CU_NUMBER_LIST(NUMBER)

// ---- layouts

#define SIZE(theirs, ours) SAME(sizeof(theirs), sizeof(ours))
SIZE(CUresult, tn_cu_result);
SIZE(CUdevice, tn_cu_device);
SIZE(CUdeviceptr, tn_cu_address);
SIZE(CUmemGenericAllocationHandle, tn_cu_phys);
SIZE(CUcontext, tn_cu_context);
SIZE(CUmemLocation, tn_cu_location);
SIZE(CUmemAllocationProp, tn_cu_properties);
SIZE(CUmemAccessDesc, tn_cu_access);
SIZE(CUmemPoolProps, tn_cu_pool_properties);
SIZE(CUDA_MEMCPY2D, tn_cu_rows);

#define PLACE(theirs, their_field, ours, our_field)                                                \
    SAME(offsetof(theirs, their_field), offsetof(ours, our_field))
PLACE(CUmemAllocationProp, requestedHandleTypes, tn_cu_properties, types);
PLACE(CUmemAllocationProp, location, tn_cu_properties, location);
PLACE(CUmemAllocationProp, win32HandleMetaData, tn_cu_properties, win32);
PLACE(CUmemAllocationProp, allocFlags, tn_cu_properties, compression);
PLACE(CUmemAllocationProp, allocFlags.usage, tn_cu_properties, usage);
PLACE(CUmemAccessDesc, flags, tn_cu_access, flags);
PLACE(CUmemPoolProps, handleTypes, tn_cu_pool_properties, types);
PLACE(CUmemPoolProps, location, tn_cu_pool_properties, location);
PLACE(CUmemPoolProps, maxSize, tn_cu_pool_properties, maximum);
PLACE(CUDA_MEMCPY2D, srcMemoryType, tn_cu_rows, src_type);
PLACE(CUDA_MEMCPY2D, srcHost, tn_cu_rows, src_host);
PLACE(CUDA_MEMCPY2D, srcDevice, tn_cu_rows, src_device);
PLACE(CUDA_MEMCPY2D, srcPitch, tn_cu_rows, src_pitch);
PLACE(CUDA_MEMCPY2D, dstMemoryType, tn_cu_rows, dst_type);
PLACE(CUDA_MEMCPY2D, dstHost, tn_cu_rows, dst_host);
PLACE(CUDA_MEMCPY2D, dstDevice, tn_cu_rows, dst_device);
PLACE(CUDA_MEMCPY2D, dstPitch, tn_cu_rows, dst_pitch);
PLACE(CUDA_MEMCPY2D, WidthInBytes, tn_cu_rows, width);
PLACE(CUDA_MEMCPY2D, Height, tn_cu_rows, height);
