/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions. Each calls the function that the tool stored in its slot, if there is one.
 */
#if defined(MSTX_IMPL_GUARD)
#ifndef MSTX_MSTX_DETAIL_MSTX_IMPL_CORE_H
#define MSTX_MSTX_DETAIL_MSTX_IMPL_CORE_H

#include <mstx/ms_tools_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

MSTX_DECL void mstxMarkA(const char *message, aclrtStream stream) {
    mstxMarkAFunc function = (mstxMarkAFunc)mstxDetailSlot(MSTX_DETAIL_MARK_A);
    if (function != 0) {
        function(message, stream);
    }
}

MSTX_DECL mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream) {
    mstxRangeStartAFunc function = (mstxRangeStartAFunc)mstxDetailSlot(MSTX_DETAIL_RANGE_START_A);
    return function != 0 ? function(message, stream) : 0;
}

MSTX_DECL void mstxRangeEnd(mstxRangeId id) {
    mstxRangeEndFunc function = (mstxRangeEndFunc)mstxDetailSlot(MSTX_DETAIL_RANGE_END);
    if (function != 0) {
        function(id);
    }
}

MSTX_DECL void mstxGetToolId(uint64_t *id) {
    mstxGetToolIdFunc function = (mstxGetToolIdFunc)mstxDetailSlot(MSTX_DETAIL_GET_TOOL_ID);
    if (id == 0) {
        return;
    }
    *id = MSTX_TOOL_INVALID_ID;
    if (function != 0) {
        function(id);
    }
}

MSTX_DECL mstxDomainHandle_t mstxDomainCreateA(const char *name) {
    mstxDomainCreateAFunc function =
        (mstxDomainCreateAFunc)mstxDetailSlot(MSTX_DETAIL_DOMAIN_CREATE_A);
    return function != 0 ? function(name) : 0;
}

MSTX_DECL void mstxDomainDestroy(mstxDomainHandle_t domain) {
    mstxDomainDestroyFunc function =
        (mstxDomainDestroyFunc)mstxDetailSlot(MSTX_DETAIL_DOMAIN_DESTROY);
    if (function != 0) {
        function(domain);
    }
}

MSTX_DECL void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream) {
    mstxDomainMarkAFunc function = (mstxDomainMarkAFunc)mstxDetailSlot(MSTX_DETAIL_DOMAIN_MARK_A);
    if (function != 0) {
        function(domain, message, stream);
    }
}

MSTX_DECL mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message,
                                            aclrtStream stream) {
    mstxDomainRangeStartAFunc function =
        (mstxDomainRangeStartAFunc)mstxDetailSlot(MSTX_DETAIL_DOMAIN_RANGE_START_A);
    return function != 0 ? function(domain, message, stream) : 0;
}

MSTX_DECL void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id) {
    mstxDomainRangeEndFunc function =
        (mstxDomainRangeEndFunc)mstxDetailSlot(MSTX_DETAIL_DOMAIN_RANGE_END);
    if (function != 0) {
        function(domain, id);
    }
}

MSTX_DECL mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                  mstxMemHeapDesc_t const *desc) {
    mstxMemHeapRegisterFunc function =
        (mstxMemHeapRegisterFunc)mstxDetailSlot(MSTX_DETAIL_HEAP_REGISTER);
    return function != 0 ? function(domain, desc) : 0;
}

MSTX_DECL void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
    mstxMemHeapUnregisterFunc function =
        (mstxMemHeapUnregisterFunc)mstxDetailSlot(MSTX_DETAIL_HEAP_UNREGISTER);
    if (function != 0) {
        function(domain, heap);
    }
}

MSTX_DECL void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                      mstxMemRegionsRegisterBatch_t const *desc) {
    mstxMemRegionsRegisterFunc function =
        (mstxMemRegionsRegisterFunc)mstxDetailSlot(MSTX_DETAIL_REGIONS_REGISTER);
    if (function != 0) {
        function(domain, desc);
    }
}

MSTX_DECL void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                        mstxMemRegionsUnregisterBatch_t const *desc) {
    mstxMemRegionsUnregisterFunc function =
        (mstxMemRegionsUnregisterFunc)mstxDetailSlot(MSTX_DETAIL_REGIONS_UNREGISTER);
    if (function != 0) {
        function(domain, desc);
    }
}

MSTX_DECL void mstxMemPermissionsAssign(mstxDomainHandle_t domain,
                                        mstxMemPermissionsAssignBatch_t const *desc) {
    mstxMemPermissionsAssignFunc function =
        (mstxMemPermissionsAssignFunc)mstxDetailSlot(MSTX_DETAIL_PERMISSIONS_ASSIGN);
    if (function != 0) {
        function(domain, desc);
    }
}

#ifdef __cplusplus
}
#endif

#endif
#endif
