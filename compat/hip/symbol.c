// SPDX-License-Identifier: Apache-2.0
// hipGetProcAddress(): this library's own functions by name.
#include <dlfcn.h>

#include <hip/detail/device.h>

#include "compat/hip/face.h"

// This very library, wherever it was loaded from. Never closed: it is us.
static void *own_library(void) {
    Dl_info info;
    return dladdr((const void *)(uintptr_t)&own_library, &info) != 0
               ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
               : NULL;
}

static void *find(const char *name) {
    void *library = own_library();
    void *address = library != NULL ? dlsym(library, name) : NULL;
    if (library != NULL) {
        (void)dlclose(library);
    }
    return address;
}

static hipError_t get_address(const char *symbol, void **pfn,
                              hipDriverProcAddressQueryResult *status) {
    if (symbol == NULL || pfn == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL", symbol == NULL ? "symbol" : "pfn");
    }
    void *address = find(symbol);
    if (status != NULL) {
        *status =
            address != NULL ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    if (address == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "no function is called \"%.100s\"", symbol);
    }
    *pfn = address;
    return hipSuccess;
}

hipError_t hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult *status) {
    hipError_t error = tn_hip_enter();
    (void)hipVersion;
    (void)flags;
    if (error == hipSuccess) {
        error = get_address(symbol, pfn, status);
    }
    return tn_hip_leave(error, __func__);
}
