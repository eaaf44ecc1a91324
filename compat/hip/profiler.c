// SPDX-License-Identifier: Apache-2.0
// Functions for profilers and debuggers, which do not exist for this library: nothing is ever
// reported to a tracer, and no profile is collected. Any thread may call them.
#include <hip/detail/profiler.h>

#include "compat/face/fidelity.h"

#include "compat/hip/face.h"

// No profile is collected, so there is nothing to start or stop.
static tn_rt_error switch_profile(void) { return TN_RT_OK; }

hipError_t hipProfilerStart(void) { return TN_HIP_CALL(switch_profile()); }

hipError_t hipProfilerStop(void) { return TN_HIP_CALL(switch_profile()); }

// Calls have no numbers here, so no number has a name.
const char *hipApiName(uint32_t id) {
    (void)id;
    return "unknown";
}

const char *hipGetCmdName(uint32_t id) {
    (void)id;
    return "unknown";
}

// A profiler registers its function whether or not it will trace.
void hipRegisterTracerCallback(hipTracerCallback_t callback) {
    TN_FACE_DIFFERS(tracer_callback, callback != NULL);
}

// ---- the build, for a debugger

const char *amd_dbgapi_get_build_name(void) { return "tarn"; }

const char *amd_dbgapi_get_git_hash(void) { return HIP_VERSION_GITHASH; }

int amd_dbgapi_get_build_id(void) { return HIP_VERSION_BUILD_ID; }
