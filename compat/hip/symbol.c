// SPDX-License-Identifier: Apache-2.0
// hipGetProcAddress() and hipGetDriverEntryPoint(): look up this library's own functions by name.
// The file has no state.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <hip/detail/device.h>

#include "compat/hip/face.h"

#define NAME_BYTES 128

// dlsym() searches the libraries that this one needs, too, which have no such names.
static bool is_of_hip(const char *name) {
    return strncmp(name, "hip", 3) == 0 || strncmp(name, "__hip", 5) == 0;
}

// Returns the function of this library with that name, or the one that a tool puts in front of it,
// or NULL. The library stays loaded anyway.
static void *find_symbol(const char *name) {
    Dl_info own;
    void *address = NULL;
    if (!is_of_hip(name) || dladdr((const void *)(uintptr_t)&find_symbol, &own) == 0) return NULL;
    void *library = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) {
        address = dlsym(library, name);
        (void)dlclose(library);
    }
    return address;
}

// Returns the function of that name with an ending, if it exists, else that without the ending.
static void *find_variant(const char *name, const char *ending) {
    char variant[NAME_BYTES];
    int length = snprintf(variant, sizeof variant, "%s%s", name, ending);
    void *address = length > 0 && (size_t)length < sizeof variant ? find_symbol(variant) : NULL;
    return address != NULL ? address : find_symbol(name);
}

static tn_rt_error check_names(const char *symbol, void *const *function) {
    TN_RT_TRY(tn_rt_check_pointer(symbol, "symbol"));
    TN_RT_TRY(tn_rt_check_pointer(function, "the function's address"));
    return symbol[0] != '\0' ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_VALUE, "symbol is empty");
}

static tn_rt_error no_symbol(const char *symbol) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "no function is called \"%.100s\"", symbol);
}

// ---- hipGetProcAddress()

// The plain names of these functions are those of HIP 5, with its struct.
static bool has_two_layouts(const char *symbol) {
    return strcmp(symbol, "hipGetDeviceProperties") == 0 || strcmp(symbol, "hipChooseDevice") == 0;
}

TN_HIP_FUNCTION(hipGetProcAddress, const char *, symbol, void **, pfn, int, hipVersion, uint64_t,
                flags, hipDriverProcAddressQueryResult *, status) {
    (void)flags;
    TN_RT_TRY(check_names(symbol, pfn));
    bool newer = hipVersion >= 600 && has_two_layouts(symbol);
    *pfn = find_variant(symbol, newer ? "R0600" : "");
    if (status != NULL) {
        *status =
            *pfn != NULL ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return *pfn != NULL ? TN_RT_OK : no_symbol(symbol);
}

// ---- hipGetDriverEntryPoint()

static tn_rt_error get_entry(const char *symbol, void **function, unsigned long long flags,
                             hipDriverEntryPointQueryResult *status) {
    TN_RT_TRY(check_names(symbol, function));
    TN_RT_REFUSE(flags > hipEnablePerThreadDefaultStream, TN_RT_INVALID_VALUE,
                 "flags 0x%llx, 0 to 2 are defined", flags);
    *function = find_variant(symbol, flags == hipEnablePerThreadDefaultStream ? "_spt" : "");
    if (status != NULL) {
        *status =
            *function != NULL ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
    }
    return *function != NULL ? TN_RT_OK : no_symbol(symbol);
}

TN_HIP_ROW(hipGetDriverEntryPoint, get_entry, const char *, symbol, void **, funcPtr,
           unsigned long long, flags, hipDriverEntryPointQueryResult *, status)

TN_HIP_ROW(hipGetDriverEntryPoint_spt,
           TN_FACE_EXPRESSION(get_entry(symbol, funcPtr,
                                        flags == hipEnableDefault ? hipEnablePerThreadDefaultStream
                                                                  : flags,
                                        status)),
           const char *, symbol, void **, funcPtr, unsigned long long, flags,
           hipDriverEntryPointQueryResult *, status)
