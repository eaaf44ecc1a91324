// SPDX-License-Identifier: Apache-2.0
// Prepares a process for the questions about CUDA: the primary context of device 0 is current, and
// the runtime has no last error.
#include "begin.h"

static bool cuda_begins(void) {
    static CUcontext primary;
    if (primary == NULL &&
        (CALL(cuInit, 0) != 0 || CALL(cuDevicePrimaryCtxRetain, &primary, 0) != 0))
        return false;
    if (CALL(cuCtxSetCurrent, primary) != 0 ||
        (tn_has("cuCtxSynchronize") && CALL0(cuCtxSynchronize) != 0))
        return false;
    if (tn_has("cudaGetLastError")) (void)CALL0(cudaGetLastError);
    return true;
}

static void cuda_about(void) {
    char name[256] = "";
    int driver = 0, runtime = 0, devices = 0;
    size_t bytes = 0;
    (void)ASK(cuInit, 0);
    (void)MUST(cuDriverGetVersion, &driver);
    SAY("driver", driver);
    if (tn_has("cudaRuntimeGetVersion")) {
        (void)MUST(cudaRuntimeGetVersion, &runtime);
        SAY("runtime", runtime);
    }
    (void)MUST(cuDeviceGetCount, &devices);
    if (devices > 0) {
        (void)MUST(cuDeviceGetName, name, sizeof name, 0);
        (void)MUST(cuDeviceTotalMem, &bytes, 0);
        SAY_TEXT("device", name);
        SAY("memory_gib", bytes >> 30);
    }
    SAY("devices", devices);
}

const struct tn_conform_api tn_conform_cuda = {"cuda", cuda_begins, cuda_about};
