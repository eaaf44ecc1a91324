// SPDX-License-Identifier: Apache-2.0
// Finds the driver's functions and starts the driver. cuGetProcAddress finds a function by its name
// and the CUDA version whose meaning we rely on. An older driver without it has only symbols. The
// functions of virtual memory and of pools are used only if all of them exist. Runs once for each
// library, under the lock of vendor/platform.c.
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/api.h"
#include "base/error.h"

struct entry {
    const char *name;
    const char *symbol;
    int version;
    size_t offset;
};

#define ENTRY(name, symbol, version) {#name, #symbol, version, offsetof(struct tn_cuda, name)},
static const struct entry base[] = {TN_CU_BASE_LIST(ENTRY)};
static const struct entry vmm[] = {TN_CU_VMM_LIST(ENTRY)};
static const struct entry pools[] = {TN_CU_POOL_LIST(ENTRY)};
#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define ENTRIES_MAX   64 // of a table

_Static_assert(LENGTH(base) <= ENTRIES_MAX && LENGTH(vmm) <= ENTRIES_MAX, "tables fit");

// ---- one table

typedef void (*function)(void);

static function *function_slot(struct tn_cuda *cuda, const struct entry *entry) {
    return (function *)((char *)cuda + entry->offset);
}

static void find_symbols(const struct tn_library *library, const struct entry *table, size_t count,
                         struct tn_cuda *cuda) {
    struct tn_symbol symbols[ENTRIES_MAX];
    for (size_t i = 0; i < count; i++)
        symbols[i] = (struct tn_symbol){table[i].symbol, table[i].offset, true};
    (void)tn_library_resolve("cuda", library, symbols, count, cuda);
}

// Replaces the symbols by the functions that cuGetProcAddress returns, where the driver has that
// function.
static void query_functions(struct tn_cuda *cuda, const struct entry *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        void *found = NULL;
        CUresult result = CUDA_ERROR_NOT_SUPPORTED;
        CUdriverProcAddressQueryResult how = 0;
        if (cuda->find != NULL)
            result = cuda->find(table[i].name, &found, table[i].version, 0, &how);
        else if (cuda->find_before_12 != NULL)
            result = cuda->find_before_12(table[i].name, &found, table[i].version, 0);
        if (result == CUDA_ERROR_NOT_FOUND) found = NULL;
        if (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_FOUND)
            memcpy(function_slot(cuda, &table[i]), &found, sizeof found);
    }
}

// Returns the first entry whose function is missing, or NULL.
static const struct entry *missing_entry(struct tn_cuda *cuda, const struct entry *table,
                                         size_t count) {
    for (size_t i = 0; i < count; i++)
        if (*function_slot(cuda, &table[i]) == NULL) return &table[i];
    return NULL;
}

// ---- all tables

static tarn_status find_functions(const struct tn_library *library, struct tn_cuda *cuda) {
    static const struct tn_symbol finders[] = {
        {"cuGetProcAddress_v2", offsetof(struct tn_cuda, find), true},
        {"cuGetProcAddress", offsetof(struct tn_cuda, find_before_12), true}};
    // Before CUDA 11 this function had its plain name, with the same meaning.
    static const struct tn_symbol old = {"cuDevicePrimaryCtxRelease",
                                         offsetof(struct tn_cuda, cuDevicePrimaryCtxRelease), true};
    (void)tn_library_resolve("cuda", library, finders, LENGTH(finders), cuda);
    find_symbols(library, base, LENGTH(base), cuda);
    find_symbols(library, vmm, LENGTH(vmm), cuda);
    find_symbols(library, pools, LENGTH(pools), cuda);
    if (cuda->cuDevicePrimaryCtxRelease == NULL)
        (void)tn_library_resolve("cuda", library, &old, 1, cuda);
    query_functions(cuda, base, LENGTH(base));
    query_functions(cuda, vmm, LENGTH(vmm));
    query_functions(cuda, pools, LENGTH(pools));
    const struct entry *missing = missing_entry(cuda, base, LENGTH(base));
    return missing == NULL
               ? TARN_OK
               : tn_fail(TARN_UNSUPPORTED, "cuda: %s lacks %s of CUDA %d.%d", library->path,
                         missing->symbol, missing->version / 1000, missing->version % 1000 / 10);
}

// ---- start

static tarn_status start_driver(struct tn_cuda *cuda, const struct tn_library *library,
                                int *version) {
    const char *hint = "";
    struct tn_native answer = TN_CUDA_CALL(cuda, cuInit, 0);
    if (tn_native_ok(answer)) answer = TN_CUDA_CALL(cuda, cuDriverGetVersion, version);
    if (tn_native_ok(answer)) return TARN_OK;
    if (answer.code == CUDA_ERROR_STUB_LIBRARY)
        hint = ": it is the toolkit's stub for linking, not a driver";
    else if (answer.code == CUDA_ERROR_NOT_INITIALIZED)
        hint = ": a process made by fork() cannot use the driver that its parent has started";
    return tn_fail_native(tn_cuda_status(answer.code), answer.call, answer.code,
                          "cuda: %s does not start: %s: %s (%lld)%s", library->path, answer.call,
                          tn_cuda_error_name(cuda, answer.code), (long long)answer.code, hint);
}

tarn_status tn_cuda_load(const struct tn_library *library, struct tn_vendor_driver *driver,
                         void **d) {
    int version = 0;
    struct tn_cuda *cuda = calloc(1, sizeof *cuda);
    TN_REFUSE(cuda == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the functions of CUDA's driver");
    tarn_status status = find_functions(library, cuda);
    if (status == TARN_OK) status = start_driver(cuda, library, &version);
    if (status != TARN_OK) {
        free(cuda);
        return status;
    }
    driver->version = (uint32_t)version;
    if (missing_entry(cuda, vmm, LENGTH(vmm)) != NULL) {
        driver->reserve = NULL;
        driver->export = NULL;
        driver->import = NULL;
        driver->shareable = 0;
    }
    if (missing_entry(cuda, pools, LENGTH(pools)) != NULL) driver->pool_open = NULL;
    *d = cuda;
    return TARN_OK;
}
