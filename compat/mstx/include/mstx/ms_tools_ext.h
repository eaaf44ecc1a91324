/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mstx/ms_tools_ext.h - MSTX: marks, ranges, domains, and (ms_tools_ext_mem.h) memory annotations
 * for tools of Ascend and for Tarn's own checker.
 *
 * All functions are inline. The first call in an image (the executable, or one shared object) looks
 * for a tool: the library that MSTX_INJECTION_PATH names, or else a library in the process that
 * exports InitInjectionMstx. Without a tool each call is a load and a branch. Link with -ldl if the
 * C library requires it. C11 or C++11, GCC or Clang. Any number of files of an image may include
 * it.
 *
 * Macros, defined before the first include:
 *  MSTX_NO_IMPL  declares types and prototypes only, for tools and for programs linked with
 *                libms_tools_ext.so;
 *  MSTX_DISABLE  makes the functions behave as if there were no tool.
 */
#ifndef MSTX_MS_TOOLS_EXT_H
#define MSTX_MS_TOOLS_EXT_H

#include <stdint.h>

#include <mstx/mstx_detail/mstx_types.h>

#include <mstx/ms_tools_ext_mem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results of mstxGetToolId(). INVALID means no tool, or a tool without an id. */
#define MSTX_TOOL_INVALID_ID     0x0
#define MSTX_TOOL_MSPROF_ID      0x1000
#define MSTX_TOOL_MSOPPROF_ID    0x1001
#define MSTX_TOOL_MSSANITIZER_ID 0x1002
#define MSTX_TOOL_MSLEAKS_ID     0x1003

/* Marks a point in time: on the host if `stream` is NULL, else in order on the stream. `message`
 * must not be NULL. It is read during the call only. */
MSTX_DECL void mstxMarkA(const char *message, aclrtStream stream);

/* Begins a time range, which mstxRangeEnd() ends on any thread. Returns 0 without a tool. */
MSTX_DECL mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream);
MSTX_DECL void mstxRangeEnd(mstxRangeId id);

/* Stores the id of the tool, a MSTX_TOOL_ value. NULL does nothing. */
MSTX_DECL void mstxGetToolId(uint64_t *id);

/* Returns the domain of that name: up to 1023 letters, digits and underscores. Returns NULL, the
 * global domain, if the tool has no domains. */
MSTX_DECL mstxDomainHandle_t mstxDomainCreateA(const char *name);
MSTX_DECL void mstxDomainDestroy(mstxDomainHandle_t domain);

/* The same functions, in a domain. */
MSTX_DECL void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream);
MSTX_DECL mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message,
                                            aclrtStream stream);
MSTX_DECL void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id);

/* The types of the functions that a tool stores. */
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

/* The function bodies. */
#if !defined(MSTX_NO_IMPL)
#define MSTX_IMPL_GUARD
#include <mstx/mstx_detail/mstx_impl.h>
#undef MSTX_IMPL_GUARD
#endif

#endif
