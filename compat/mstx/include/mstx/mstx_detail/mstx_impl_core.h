/* SPDX-License-Identifier: Apache-2.0 */
/* The functions. Each calls the function that the tool stored in its slot, if there is one. */
#if defined(MSTX_IMPL_GUARD)
#ifndef MSTX_MSTX_DETAIL_MSTX_IMPL_CORE_H
#define MSTX_MSTX_DETAIL_MSTX_IMPL_CORE_H

#include <mstx/ms_tools_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define a function without a result, and one that returns 0 or NULL without a tool. */
#define MSTX_DETAIL_VOID(name, slot, parameters, arguments)                                        \
    MSTX_DECL void name parameters {                                                               \
        name##Func function = (name##Func)mstxDetailSlot(slot);                                    \
        if (function != 0) {                                                                       \
            function arguments;                                                                    \
        }                                                                                          \
    }
#define MSTX_DETAIL_VALUE(result, name, slot, parameters, arguments)                               \
    MSTX_DECL result name parameters {                                                             \
        name##Func function = (name##Func)mstxDetailSlot(slot);                                    \
        return function != 0 ? function arguments : 0;                                             \
    }

MSTX_DETAIL_VOID(mstxMarkA, MSTX_DETAIL_MARK_A, (const char *message, aclrtStream stream),
                 (message, stream))
MSTX_DETAIL_VALUE(mstxRangeId, mstxRangeStartA, MSTX_DETAIL_RANGE_START_A,
                  (const char *message, aclrtStream stream), (message, stream))
MSTX_DETAIL_VOID(mstxRangeEnd, MSTX_DETAIL_RANGE_END, (mstxRangeId id), (id))

MSTX_DECL void mstxGetToolId(uint64_t *id) {
    mstxGetToolIdFunc function = (mstxGetToolIdFunc)mstxDetailSlot(MSTX_DETAIL_GET_TOOL_ID);
    if (id == 0) return;
    *id = MSTX_TOOL_INVALID_ID;
    if (function != 0) function(id);
}

MSTX_DETAIL_VALUE(mstxDomainHandle_t, mstxDomainCreateA, MSTX_DETAIL_DOMAIN_CREATE_A,
                  (const char *name), (name))
MSTX_DETAIL_VOID(mstxDomainDestroy, MSTX_DETAIL_DOMAIN_DESTROY, (mstxDomainHandle_t domain),
                 (domain))
MSTX_DETAIL_VOID(mstxDomainMarkA, MSTX_DETAIL_DOMAIN_MARK_A,
                 (mstxDomainHandle_t domain, const char *message, aclrtStream stream),
                 (domain, message, stream))
MSTX_DETAIL_VALUE(mstxRangeId, mstxDomainRangeStartA, MSTX_DETAIL_DOMAIN_RANGE_START_A,
                  (mstxDomainHandle_t domain, const char *message, aclrtStream stream),
                  (domain, message, stream))
MSTX_DETAIL_VOID(mstxDomainRangeEnd, MSTX_DETAIL_DOMAIN_RANGE_END,
                 (mstxDomainHandle_t domain, mstxRangeId id), (domain, id))
MSTX_DETAIL_VALUE(mstxMemHeapHandle_t, mstxMemHeapRegister, MSTX_DETAIL_HEAP_REGISTER,
                  (mstxDomainHandle_t domain, mstxMemHeapDesc_t const *desc), (domain, desc))
MSTX_DETAIL_VOID(mstxMemHeapUnregister, MSTX_DETAIL_HEAP_UNREGISTER,
                 (mstxDomainHandle_t domain, mstxMemHeapHandle_t heap), (domain, heap))
MSTX_DETAIL_VOID(mstxMemRegionsRegister, MSTX_DETAIL_REGIONS_REGISTER,
                 (mstxDomainHandle_t domain, mstxMemRegionsRegisterBatch_t const *desc),
                 (domain, desc))
MSTX_DETAIL_VOID(mstxMemRegionsUnregister, MSTX_DETAIL_REGIONS_UNREGISTER,
                 (mstxDomainHandle_t domain, mstxMemRegionsUnregisterBatch_t const *desc),
                 (domain, desc))
MSTX_DETAIL_VOID(mstxMemPermissionsAssign, MSTX_DETAIL_PERMISSIONS_ASSIGN,
                 (mstxDomainHandle_t domain, mstxMemPermissionsAssignBatch_t const *desc),
                 (domain, desc))

#undef MSTX_DETAIL_VOID
#undef MSTX_DETAIL_VALUE

#ifdef __cplusplus
}
#endif

#endif
#endif
