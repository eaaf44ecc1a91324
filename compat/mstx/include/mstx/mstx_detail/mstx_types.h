/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of the MSTX headers, and the handshake between a client and a tool. A tool exports
 * InitInjectionMstx. A client calls it with a function that returns the slots of a module. The tool
 * stores its functions in the slots.
 */
#ifndef MSTX_MSTX_DETAIL_MSTX_TYPES_H
#define MSTX_MSTX_DETAIL_MSTX_TYPES_H

#include <stdint.h>

/* Declares the functions, either inline in every file or external. The library libms_tools_ext.so
 * defines its own MSTX_DECL. */
#if !defined(MSTX_DECL)
#if defined(MSTX_NO_IMPL)
#define MSTX_DECL extern
#else
#define MSTX_DECL static inline __attribute__((unused))
#endif
#endif

#define MSTX_EXTENSION __extension__

#ifdef __cplusplus
extern "C" {
#endif

#define MSTX_SUCCESS 0
#define MSTX_FAIL    1

typedef uint64_t mstxRangeId; /* 0 means none */
typedef void *aclrtStream;

typedef struct mstxDomainRegistration_st mstxDomainRegistration_t;
typedef mstxDomainRegistration_t *mstxDomainHandle_t;

/* The domain of annotations that do not name one. */
static __attribute__((unused)) mstxDomainHandle_t const globalDomain = 0;

/* ---- client and tool */

typedef enum mstxFuncModule {
    MSTX_API_MODULE_INVALID = 0,
    MSTX_API_MODULE_CORE = 1,
    MSTX_API_MODULE_CORE_DOMAIN = 2,
    MSTX_API_MODULE_CORE_MEM = 3,
    MSTX_API_MODULE_SIZE,
    MSTX_API_MODULE_FORCE_INT = 0x7fffffff
} mstxFuncModule;

/* Indices in the tables. Index 0 and the one after the last are NULL. */
typedef enum mstxImplCoreFuncId {
    MSTX_API_CORE_INVALID = 0,
    MSTX_API_CORE_MARK_A = 1,
    MSTX_API_CORE_RANGE_START_A = 2,
    MSTX_API_CORE_RANGE_END = 3,
    MSTX_API_CORE_GET_TOOL_ID = 4,
    MSTX_API_CORE_SIZE,
    MSTX_API_CORE_FORCE_INT = 0x7fffffff
} mstxImplCoreFuncId;

typedef enum mstxImplCoreDomainFuncId {
    MSTX_API_CORE2_INVALID = 0,
    MSTX_API_CORE2_DOMAIN_CREATE_A = 1,
    MSTX_API_CORE2_DOMAIN_DESTROY = 2,
    MSTX_API_CORE2_DOMAIN_MARK_A = 3,
    MSTX_API_CORE2_DOMAIN_RANGE_START_A = 4,
    MSTX_API_CORE2_DOMAIN_RANGE_END = 5,
    MSTX_API_CORE2_SIZE,
    MSTX_API_CORE2_FORCE_INT = 0x7fffffff
} mstxImplCoreDomainFuncId;

typedef enum mstxImplCoreMemFuncId {
    MSTX_API_CORE_MEM_INVALID = 0,
    MSTX_API_CORE_MEMHEAP_REGISTER = 1,
    MSTX_API_CORE_MEMHEAP_UNREGISTER = 2,
    MSTX_API_CORE_MEM_REGIONS_REGISTER = 3,
    MSTX_API_CORE_MEM_REGIONS_UNREGISTER = 4,
    MSTX_API_CORE_MEM_PERMISSIONS_ASSIGN = 5,
    MSTX_API_CORE_MEM_SIZE,
    MSTX_API_CORE_MEM_FORCE_INT = 0x7fffffff
} mstxImplCoreMemFuncId;

typedef void (*mstxFuncPointer)(void);

/* table[id] is the address of the slot of function id. */
typedef mstxFuncPointer **mstxFuncTable;

/* Returns a module's table and its size; the functions have the indices 1 to *outSize - 1. Returns
 * MSTX_FAIL if the module does not exist, or if an output is NULL. */
typedef int (*mstxGetModuleFuncTableFunc)(mstxFuncModule module, mstxFuncTable *outTable,
                                          unsigned int *outSize);

/* Exported by a tool. Each image with a client calls it once, on the thread of its first call.
 * If it does not return MSTX_SUCCESS, the client continues as if there were no tool. */
typedef int (*mstxInitInjectionFunc)(mstxGetModuleFuncTableFunc getFuncTable);
extern int InitInjectionMstx(mstxGetModuleFuncTableFunc getFuncTable);

#ifdef __cplusplus
}
#endif

#endif
