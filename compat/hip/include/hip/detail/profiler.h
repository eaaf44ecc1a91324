/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/profiler.h - functions for profilers and debuggers. Tarn reports no calls to a tracer
 * and collects no profile. No device is needed except where an error is returned.
 */
#ifndef HIP_DETAIL_PROFILER_H
#define HIP_DETAIL_PROFILER_H

#include <hip/detail/types.h>
#include <hip/hip_version.h>

HIP_EXTERN_C_BEGIN

/* Start and stop the collection of a profile. They succeed and have no effect, because no profiler
 * is attached. hipErrorNoDevice. */
HIP_API hipError_t hipProfilerStart(void);
HIP_API hipError_t hipProfilerStop(void);

/* The name of a call or of a command by its number: always "unknown", a static string. */
HIP_API const char *hipApiName(uint32_t id);
HIP_API const char *hipGetCmdName(uint32_t id);

/* Accepts a profiler's function, which is never called. */
typedef int (*hipTracerCallback_t)(uint32_t domain, uint32_t operation, void *data);
HIP_API void hipRegisterTracerCallback(hipTracerCallback_t callback);

/* The build of the library, as a debugger asks for it: static strings and a number. */
HIP_API const char *amd_dbgapi_get_build_name(void);
HIP_API const char *amd_dbgapi_get_git_hash(void);
HIP_API int amd_dbgapi_get_build_id(void);

HIP_EXTERN_C_END
#endif
