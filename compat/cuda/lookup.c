// SPDX-License-Identifier: Apache-2.0
// Functions of the driver by name and version, and tables of functions, which do not exist.
#include <limits.h>
#include <string.h>

#include "compat/cuda/absent.h"
#include "compat/cuda/face.h"

#define ALL_FLAGS                                                                                  \
    (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
#define RELEASE_12 12090 // the version of libcudart.so.12

// Returns true if `a` is a better answer than `b`, which may be NULL. The form for the stream of the
// thread comes first if it is allowed.
static bool is_better(const struct tn_cuda_symbol *a, const struct tn_cuda_symbol *b) {
    return b == NULL || a->per_thread > b->per_thread ||
           (a->per_thread == b->per_thread && a->since > b->since);
}

// Finds the newest form of a function that a version of CUDA has. If a form for the stream of the
// thread is asked for and exists, others do not count. An unknown name or a newer function is no
// error: `function` is NULL then, and `result` says which. A version below 0 is later than all.
static tn_rt_error find_form(const char *name, void **function, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *result) {
    const struct tn_cuda_symbol *best = NULL;
    bool is_known = false, has_thread_form = false;
    TN_RT_TRY(tn_rt_check_pointer(name, "the name"));
    TN_RT_TRY(tn_rt_check_pointer(function, "the output"));
    TN_RT_REFUSE(flags > ALL_FLAGS, TN_RT_INVALID_VALUE, "unknown flags 0x%llx",
                 (unsigned long long)flags);
    TN_RT_REFUSE(version > tn_cu_version(), TN_RT_INVALID_VALUE,
                 "version %d is newer than the driver's, %d", version, tn_cu_version());
    for (size_t i = 0; i < tn_cuda_symbol_count; i++) {
        const struct tn_cuda_symbol *symbol = &tn_cuda_symbols[i];
        if (strcmp(symbol->name, name) != 0) continue;
        is_known = true;
        if (symbol->per_thread && (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) == 0)
            continue;
        has_thread_form = has_thread_form || symbol->per_thread;
        if ((unsigned)symbol->since <= (unsigned)version && is_better(symbol, best)) best = symbol;
    }
    if (best != NULL && has_thread_form && !best->per_thread) best = NULL;
    *function = NULL;
    if (best != NULL) memcpy(function, &best->function, sizeof *function);
    if (result != NULL)
        *result = best != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                  : is_known   ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                               : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return TN_RT_OK;
}

// ---- the driver, also before cuInit()

#define always_ready()   true
#define always_refusal() TN_RT_OK
#define always_inject    tn_cu_inject
#define always_leave     tn_cu_leave

CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *result) {
    return TN_FACE_CALL(always, find_form(symbol, pfn, version, flags, result));
}

#undef cuGetProcAddress
static tn_rt_error find_or_fail(const char *name, void **function, int version, cuuint64_t flags) {
    CUdriverProcAddressQueryResult result;
    void *found = NULL;
    TN_RT_TRY(tn_rt_check_pointer(function, "the output"));
    TN_RT_TRY(find_form(name, &found, version, flags, &result));
    TN_RT_REFUSE(found == NULL, TN_RT_NOT_FOUND, "there is no function \"%s\" in version %d", name,
                 version);
    *function = found;
    return TN_RT_OK;
}

TN_CUDA_API CUresult cuGetProcAddress(const char *symbol, void **pfn, int version,
                                      cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **pfn, int version, cuuint64_t flags) {
    return TN_FACE_CALL(always, find_or_fail(symbol, pfn, version, flags));
}

static tn_rt_error refuse_table(const void **table, const void *id) {
    TN_RT_TRY(tn_rt_check_pointer(table, "the output"));
    TN_RT_TRY(tn_rt_check_pointer(id, "the identity"));
    *table = NULL;
    return tn_rt_fail(TN_RT_INVALID_VALUE,
                      "only NVIDIA's driver has this table. A program that contains NVIDIA's "
                      "runtime asks for it: link the program with -cudart shared");
}

CUresult cuGetExportTable(const void **table, const CUuuid *id) {
    tn_cu_set_policy();
    return TN_FACE_CALL(always, refuse_table(table, id));
}

// ---- the runtime API

// With the default flags, the form of the call decides which stream NULL is. The flags are bits.
static tn_rt_error find_entry(const char *name, void **function, unsigned version,
                              unsigned long long flags,
                              enum cudaDriverEntryPointQueryResult *result) {
    CUdriverProcAddressQueryResult found;
    bool of_thread = (flags & cudaEnablePerThreadDefaultStream) != 0 ||
                     (flags == cudaEnableDefault && tn_rt_null_is_of_thread);
    TN_RT_REFUSE(flags > ALL_FLAGS, TN_RT_INVALID_VALUE, "unknown flags 0x%llx", flags);
    flags = of_thread ? cudaEnablePerThreadDefaultStream : cudaEnableLegacyStream;
    TN_RT_REFUSE(version > INT_MAX, TN_RT_INVALID_VALUE, "version %u", version);
    TN_RT_TRY(find_form(name, function, (int)version, flags, &found));
    if (result != NULL) *result = (enum cudaDriverEntryPointQueryResult)found;
    return TN_RT_OK;
}

TN_CUDART_STREAM(cudaGetDriverEntryPointByVersion, cudaGetDriverEntryPointByVersion_ptsz,
                 find_entry, const char *, symbol, void **, function, unsigned, version,
                 unsigned long long, flags, enum cudaDriverEntryPointQueryResult *, status)
TN_CUDART_STREAM(cudaGetDriverEntryPoint, cudaGetDriverEntryPoint_ptsz,
                 TN_FACE_EXPRESSION(find_entry(symbol, function, (unsigned)tn_cu_version(), flags,
                                               status)),
                 const char *, symbol, void **, function, unsigned long long, flags,
                 enum cudaDriverEntryPointQueryResult *, status)
TN_CUDART_STREAM(cudaGetDriverEntryPoint_v12, cudaGetDriverEntryPoint_v12_ptsz,
                 TN_FACE_EXPRESSION(find_entry(symbol, function, RELEASE_12, flags, status)),
                 const char *, symbol, void **, function, unsigned long long, flags,
                 enum cudaDriverEntryPointQueryResult *, status)
TN_CUDART(cudaGetExportTable, refuse_table, const void **, table, const cudaUUID_t *, id)
