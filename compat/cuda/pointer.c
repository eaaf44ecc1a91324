// SPDX-License-Identifier: Apache-2.0
// Queries about pointers. See compat/runtime/memory/pointer.h.
#include "compat/runtime/memory/pointer.h"

#include <stddef.h>

#include "compat/cuda/face.h"

_Static_assert((int)cudaMemoryTypeManaged == TN_RT_MEMORY_MANAGED &&
                   (int)CU_MEMORYTYPE_DEVICE == TN_RT_MEMORY_DEVICE &&
                   (int)CU_POINTER_ATTRIBUTE_CONTEXT == TN_RT_POINTER_CONTEXT &&
                   (int)CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE == TN_RT_POINTER_POOL &&
                   (int)CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE == TN_RT_POINTER_LAST_WORD,
               "types and attributes have the same numbers");

TN_CU_BARE(cuPointerGetAttribute, tn_rt_pointer_attribute, void *, data, CUpointer_attribute,
           attribute, CUdeviceptr, pointer)
TN_CU_BARE(cuPointerGetAttributes, tn_rt_pointer_attributes, unsigned int, attribute_count,
           CUpointer_attribute *, attributes, void **, data, CUdeviceptr, pointer)
TN_CU(cuPointerSetAttribute, tn_rt_pointer_set_attribute, const void *, value, CUpointer_attribute,
      attribute, CUdeviceptr, pointer)

// Release 12 ends the struct before its reserved members.
static tn_rt_error describe_pointer(struct cudaPointerAttributes *attributes, const void *ptr,
                                    size_t bytes) {
    struct tn_rt_pointer facts;
    TN_RT_TRY(tn_rt_check_pointer(attributes, "attributes"));
    tn_rt_pointer_query(ptr, &facts);
    const struct cudaPointerAttributes own = {.type = (enum cudaMemoryType)facts.type,
                                              .device = facts.device,
                                              .devicePointer = facts.on_device,
                                              .hostPointer = facts.on_host};
    memcpy(attributes, &own, bytes);
    return TN_RT_OK;
}

#define BYTES_OF_12 offsetof(struct cudaPointerAttributes, reserved)
TN_CUDART_BARE(cudaPointerGetAttributes,
               TN_FACE_EXPRESSION(describe_pointer(attributes, pointer, sizeof *attributes)),
               struct cudaPointerAttributes *, attributes, const void *, pointer)
TN_CUDART_BARE(cudaPointerGetAttributes_v12,
               TN_FACE_EXPRESSION(describe_pointer(attributes, pointer, BYTES_OF_12)),
               struct cudaPointerAttributes *, attributes, const void *, pointer)
