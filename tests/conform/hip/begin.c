// SPDX-License-Identifier: Apache-2.0
// Prepares a process for the questions about HIP: device 0 is current, and there is no last error.
#include "begin.h"

static bool hip_begins(void) {
    if (CALL(hipSetDevice, 0) != hipSuccess || CALL0(hipDeviceSynchronize) != hipSuccess)
        return false;
    (void)CALL0(hipGetLastError);
    return true;
}

static void hip_about(void) {
    char name[256] = "";
    int driver = 0, runtime = 0, devices = 0;
    size_t bytes = 0;
    ASK(hipGetDeviceCount, &devices);
    MUST(hipDriverGetVersion, &driver);
    MUST(hipRuntimeGetVersion, &runtime);
    SAY("driver", driver);
    SAY("runtime", runtime);
    if (devices > 0) {
        MUST(hipDeviceGetName, name, sizeof name, 0);
        MUST(hipDeviceTotalMem, &bytes, 0);
        SAY_TEXT("device", name);
        SAY("memory_gib", bytes >> 30);
    }
    SAY("devices", devices);
}

const struct tn_conform_api tn_conform_hip = {"hip", hip_begins, hip_about};
