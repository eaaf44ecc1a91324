// SPDX-License-Identifier: Apache-2.0
// hipGetProcAddress(): looks up this library's own functions by name.
#include <dlfcn.h>

#include <hip/detail/device.h>

#include "compat/hip/face.h"

// Returns a handle of this library, wherever it was loaded from. The library stays loaded anyway.
static void *own_library(void) {
    Dl_info info;
    return dladdr((const void *)(uintptr_t)&own_library, &info) != 0
               ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
               : NULL;
}

static void *find_symbol(const char *name) {
    void *library = own_library();
    void *address = library != NULL ? dlsym(library, name) : NULL;
    if (library != NULL) {
        (void)dlclose(library);
    }
    return address;
}

static hipError_t get_address(const char *symbol, void **pfn,
                              hipDriverProcAddressQueryResult *status) {
    TN_HIP_TRY(tn_hip_check_pointer(symbol, "symbol"));
    TN_HIP_TRY(tn_hip_check_pointer(pfn, "pfn"));
    void *address = find_symbol(symbol);
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
    (void)hipVersion;
    (void)flags;
    return TN_HIP_CALL(get_address(symbol, pfn, status));
}
