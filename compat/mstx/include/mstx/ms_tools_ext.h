/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mstx/ms_tools_ext.h - MSTX: marks, ranges, domains, and (ms_tools_ext_mem.h) memory annotations
 * for tools of Ascend and for Tarn's own checker.
 *
 * All functions are inline. The first call in an image (the executable, or one shared object) looks
 * for a tool: the library that MSTX_INJECTION_PATH names, else whatever in the process exports
 * InitInjectionMstx. Without one every call is a load and a branch. Link with -ldl where the C
 * library wants that. C11 or C++11, GCC or Clang; any number of files of an image may include it.
 *
 * Macros, defined before the first include:
 *  MSTX_NO_IMPL  types and prototypes only: for tools, and for programs linked with
 *                libms_tools_ext.so;
 *  MSTX_DISABLE  the functions do nothing and answer as if there were no tool.
 */
#ifndef MSTX_MS_TOOLS_EXT_H
#define MSTX_MS_TOOLS_EXT_H

#include <stdint.h>

#include <mstx/mstx_detail/mstx_types.h>

#include <mstx/ms_tools_ext_mem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What mstxGetToolId() may answer. INVALID: no tool, or one that does not say. */
#define MSTX_TOOL_INVALID_ID     0x0
#define MSTX_TOOL_MSPROF_ID      0x1000
#define MSTX_TOOL_MSOPPROF_ID    0x1001
#define MSTX_TOOL_MSSANITIZER_ID 0x1002
#define MSTX_TOOL_MSLEAKS_ID     0x1003

/* A point in time, of the host's own when `stream` is NULL, else in order on it. `message` is not
 * NULL and is read during the call only. */
MSTX_DECL void mstxMarkA(const char *message, aclrtStream stream);

/* A stretch of time, until mstxRangeEnd() on any thread. 0: there is no tool. */
MSTX_DECL mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream);
MSTX_DECL void mstxRangeEnd(mstxRangeId id);

/* Which tool listens: MSTX_TOOL_... NULL does nothing. */
MSTX_DECL void mstxGetToolId(uint64_t *id);

/* A domain of that name, the same for the same name. Letters, digits and underscores, up to 1023.
 * NULL, the global domain, where the tool has none. */
MSTX_DECL mstxDomainHandle_t mstxDomainCreateA(const char *name);
MSTX_DECL void mstxDomainDestroy(mstxDomainHandle_t domain);

/* As the functions above, in a domain. */
MSTX_DECL void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream);
MSTX_DECL mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message,
                                            aclrtStream stream);
MSTX_DECL void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id);

/* What a tool stores for them. */
typedef void (*mstxMarkAFunc)(const char *message, aclrtStream stream);
typedef mstxRangeId (*mstxRangeStartAFunc)(const char *message, aclrtStream stream);
typedef void (*mstxRangeEndFunc)(mstxRangeId id);
typedef void (*mstxGetToolIdFunc)(uint64_t *id);
typedef mstxDomainHandle_t (*mstxDomainCreateAFunc)(const char *name);
typedef void (*mstxDomainDestroyFunc)(mstxDomainHandle_t domain);
typedef void (*mstxDomainMarkAFunc)(mstxDomainHandle_t domain, const char *message,
                                    aclrtStream stream);
typedef mstxRangeId (*mstxDomainRangeStartAFunc)(mstxDomainHandle_t domain, const char *message,
                                                 aclrtStream stream);
typedef void (*mstxDomainRangeEndFunc)(mstxDomainHandle_t domain, mstxRangeId id);

#ifdef __cplusplus
}
#endif

/* The bodies, once everything is declared. */
#if !defined(MSTX_NO_IMPL)
#define MSTX_IMPL_GUARD
#include <mstx/mstx_detail/mstx_impl.h>
#undef MSTX_IMPL_GUARD
#endif

#endif
