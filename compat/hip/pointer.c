// SPDX-License-Identifier: Apache-2.0
// HIP's queries about pointers. See compat/runtime/memory/pointer.h.
#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory/pointer.h"
#include "compat/runtime/memory/policy.h"

_Static_assert((int)hipMemoryTypeDevice == TN_RT_MEMORY_DEVICE &&
                   (int)hipMemoryTypeArray == TN_RT_MEMORY_ARRAY &&
                   (int)HIP_POINTER_ATTRIBUTE_CONTEXT == TN_RT_POINTER_CONTEXT &&
                   (int)HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE == TN_RT_POINTER_POOL,
               "types and attributes have the same numbers");

TN_HIP_FUNCTION(hipPointerGetAttributes, hipPointerAttribute_t *, attributes, const void *, ptr) {
    struct tn_rt_pointer facts;
    TN_RT_TRY(tn_rt_check_pointer(attributes, "attributes"));
    if (tn_rt_memory_policy.pointer_query_checks_null) TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    tn_rt_pointer_query(ptr, &facts);
    *attributes = (hipPointerAttribute_t){.type = (hipMemoryType)facts.type,
                                          .device = facts.device,
                                          .devicePointer = facts.on_device,
                                          .hostPointer = facts.on_host,
                                          .isManaged = facts.type == TN_RT_MEMORY_MANAGED,
                                          .allocationFlags = facts.flags};
    return TN_RT_OK;
}

TN_HIP_ROW(hipPointerGetAttribute, tn_rt_pointer_attribute, void *, data, hipPointer_attribute,
           attribute, hipDeviceptr_t, ptr)

TN_HIP_ROW(hipDrvPointerGetAttributes, tn_rt_pointer_attributes, unsigned int, numAttributes,
           hipPointer_attribute *, attributes, void **, data, hipDeviceptr_t, ptr)
TN_HIP_ROW(hipPointerSetAttribute, tn_rt_pointer_set_attribute, const void *, value,
           hipPointer_attribute, attribute, hipDeviceptr_t, ptr)
