// SPDX-License-Identifier: Apache-2.0
// Look-up of functions by name and version, and the names of CUDA 1 to 3, whose addresses have 32
// bits. The driver still exports those under the plain names. A call of them here ends the process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin/cuda/parts.h"

// ---- traps

static tn_cu_result sprung(const char *name) {
    fprintf(stderr, "%s: the function of CUDA 1 to 3 was called\n", name);
    abort();
}

#define TRAP_LIST(X)                                                                               \
    X(cuDeviceTotalMem)                                                                            \
    X(cuCtxPushCurrent)                                                                            \
    X(cuCtxPopCurrent)                                                                             \
    X(cuStreamDestroy)                                                                             \
    X(cuEventDestroy)                                                                              \
    X(cuMemcpy2DAsync)                                                                             \
    X(cuMemGetInfo)                                                                                \
    X(cuMemAlloc)                                                                                  \
    X(cuMemFree)                                                                                   \
    X(cuMemGetAddressRange)                                                                        \
    X(cuMemHostRegister)                                                                           \
    X(cuMemHostGetDevicePointer)                                                                   \
    X(cuMemAllocPitch)                                                                             \
    X(cuMemAllocHost)                                                                              \
    X(cuMemcpyHtoD)                                                                                \
    X(cuMemcpyDtoH)                                                                                \
    X(cuMemcpyDtoD)                                                                                \
    X(cuMemcpyHtoDAsync)                                                                           \
    X(cuMemcpyDtoHAsync)                                                                           \
    X(cuMemcpyDtoDAsync)                                                                           \
    X(cuMemsetD8)                                                                                  \
    X(cuMemsetD32)

#define TRAP(name)                                                                                 \
    __attribute__((visibility("default"))) tn_cu_result name(void);                                \
    tn_cu_result name(void) { return sprung(#name); }
TRAP_LIST(TRAP)
#undef TRAP

// ---- look-up

struct row {
    const char *name;
    int version;
    void (*function)(void);
};

// Later versions of a name come before earlier ones.
static const struct row rows[] = {
#define ROW(name, symbol, version, parameters) {#name, version, (void (*)(void))symbol},
    TN_CU_BASE_LIST(ROW) TN_CU_VMM_LIST(ROW) TN_CU_POOL_LIST(ROW) TN_CU_MORE_LIST(ROW)
#undef ROW
        {"cuDevicePrimaryCtxRelease", 7000, (void (*)(void))cuDevicePrimaryCtxRelease_v2},
    {"cuGetProcAddress", 12000, (void (*)(void))cuGetProcAddress_v2},
    {"cuGetProcAddress", 11030, (void (*)(void))cuGetProcAddress},
#define ROW(name) {#name, 2000, (void (*)(void))name},
    TRAP_LIST(ROW)
#undef ROW
};

enum { FOUND, NOT_FOUND, TOO_OLD };

static int find(const char *name, int version, void **function) {
    int result = NOT_FOUND;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        if (rows[i].version <= version && rows[i].version <= standin.version) {
            (void)memcpy(function, &rows[i].function, sizeof *function);
            return FOUND;
        }
        result = TOO_OLD;
    }
    return result;
}

static tn_cu_result look_up(const char *name, void **function, int version, uint64_t flags,
                            int *found) {
    if (standin_is_stub()) return TN_CU_STUB_LIBRARY;
    if (name == NULL || function == NULL || flags > 1) // no streams of threads here
        return TN_CU_INVALID_VALUE;
    if ((standin.without & STANDIN_NO_PROC_ADDRESS) != 0) return TN_CU_NOT_SUPPORTED;
    *found = find(name, version, function);
    if (*found != FOUND) *function = NULL;
    return *found == FOUND ? TN_CU_SUCCESS : TN_CU_NOT_FOUND;
}

tn_cu_result cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
    int found = FOUND;
    return look_up(name, function, version, flags, &found);
}

tn_cu_result cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                                 int *found) {
    int ignored = FOUND;
    return look_up(name, function, version, flags, found != NULL ? found : &ignored);
}
