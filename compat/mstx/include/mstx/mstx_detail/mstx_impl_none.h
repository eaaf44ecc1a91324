/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of programs that are compiled with MSTX_DISABLE: as if there were no tool.
 */
#if defined(MSTX_IMPL_GUARD)
#ifndef MSTX_MSTX_DETAIL_MSTX_IMPL_NONE_H
#define MSTX_MSTX_DETAIL_MSTX_IMPL_NONE_H

#include <mstx/ms_tools_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

MSTX_DECL void mstxMarkA(const char *message, aclrtStream stream) {
    (void)message;
    (void)stream;
}

MSTX_DECL mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream) {
    (void)message;
    (void)stream;
    return 0;
}

MSTX_DECL void mstxRangeEnd(mstxRangeId id) {
    (void)id;
}

MSTX_DECL void mstxGetToolId(uint64_t *id) {
    if (id != 0) {
        *id = MSTX_TOOL_INVALID_ID;
    }
}

MSTX_DECL mstxDomainHandle_t mstxDomainCreateA(const char *name) {
    (void)name;
    return 0;
}

MSTX_DECL void mstxDomainDestroy(mstxDomainHandle_t domain) {
    (void)domain;
}

MSTX_DECL void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream) {
    (void)domain;
    (void)message;
    (void)stream;
}

MSTX_DECL mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message,
                                            aclrtStream stream) {
    (void)domain;
    (void)message;
    (void)stream;
    return 0;
}

MSTX_DECL void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id) {
    (void)domain;
    (void)id;
}

MSTX_DECL mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                  mstxMemHeapDesc_t const *desc) {
    (void)domain;
    (void)desc;
    return 0;
}

MSTX_DECL void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
    (void)domain;
    (void)heap;
}

MSTX_DECL void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                      mstxMemRegionsRegisterBatch_t const *desc) {
    (void)domain;
    (void)desc;
}

MSTX_DECL void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                        mstxMemRegionsUnregisterBatch_t const *desc) {
    (void)domain;
    (void)desc;
}

MSTX_DECL void mstxMemPermissionsAssign(mstxDomainHandle_t domain,
                                        mstxMemPermissionsAssignBatch_t const *desc) {
    (void)domain;
    (void)desc;
}

#ifdef __cplusplus
}
#endif

#endif
#endif
