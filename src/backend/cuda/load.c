// SPDX-License-Identifier: Apache-2.0
// Finding the driver's functions. It is asked for each by name and by the version whose meaning we
// know, where it has a function for that; an older one has only its symbols, of which ours are the
// later ones of each name. Virtual memory and pools are there with all their functions or not at
// all.
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

#define ENTRY(name, symbol, version, parameters)                                                   \
    {#name, #symbol, version, offsetof(struct tn_cuda, name)},
static const struct entry base[] = {TN_CU_BASE_LIST(ENTRY)};
static const struct entry vmm[] = {TN_CU_VMM_LIST(ENTRY)};
static const struct entry pools[] = {TN_CU_POOL_LIST(ENTRY)};
static const struct entry loader[] = {TN_CU_LOADER_LIST(ENTRY)};
#undef ENTRY
#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define MOST          64 // entries of a table

// ---- one by one

typedef void (*function)(void);

static function *place(struct tn_cuda *cuda, const struct entry *entry) {
    return (function *)((char *)cuda + entry->offset);
}

// The driver's own answer, which says what it has in its version. False: it gives none.
static bool ask(struct tn_cuda *cuda, const struct entry *entry, void **found) {
    tn_cu_result result = TN_CU_NOT_SUPPORTED;
    int how = 0;
    if (cuda->cuGetProcAddress_v2 != NULL) {
        result = cuda->cuGetProcAddress_v2(entry->name, found, entry->version, 0, &how);
    } else if (cuda->cuGetProcAddress != NULL) {
        result = cuda->cuGetProcAddress(entry->name, found, entry->version, 0);
    }
    if (result == TN_CU_NOT_FOUND) {
        *found = NULL;
    }
    return result == TN_CU_SUCCESS || result == TN_CU_NOT_FOUND;
}

static tarn_status find_symbols(const struct tn_library *library, const struct entry *table,
                                size_t count, bool optional, struct tn_cuda *cuda) {
    struct tn_symbol symbols[MOST];
    for (size_t i = 0; i < count; i++) {
        symbols[i] = (struct tn_symbol){table[i].symbol, table[i].offset, optional};
    }
    return tn_library_resolve("cuda", library, symbols, count, cuda);
}

static void ask_for(struct tn_cuda *cuda, const struct entry *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        void *found = NULL;
        if (ask(cuda, &table[i], &found)) {
            memcpy(place(cuda, &table[i]), &found, sizeof found);
        }
    }
}

static bool has_all(struct tn_cuda *cuda, const struct entry *table, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (*place(cuda, &table[i]) == NULL) {
            return false;
        }
    }
    return true;
}

// ---- all of them

_Static_assert(LENGTH(base) <= MOST && LENGTH(vmm) <= MOST, "tables fit");

// This one had its plain name, and the same meaning, until CUDA 11.
static void find_old_release(const struct tn_library *library, struct tn_cuda *cuda) {
    static const struct tn_symbol old = {"cuDevicePrimaryCtxRelease",
                                         offsetof(struct tn_cuda, cuDevicePrimaryCtxRelease), true};
    if (cuda->cuDevicePrimaryCtxRelease == NULL) {
        (void)tn_library_resolve("cuda", library, &old, 1, cuda);
    }
}

static tarn_status check_base(const struct tn_library *library, struct tn_cuda *cuda) {
    for (size_t i = 0; i < LENGTH(base); i++) {
        if (*place(cuda, &base[i]) == NULL) {
            return tn_fail(TARN_UNSUPPORTED, "cuda: %s lacks %s of CUDA %d.%d", library->path,
                           base[i].symbol, base[i].version / 1000, base[i].version % 1000 / 10);
        }
    }
    return TARN_OK;
}

static tarn_status find_all(const struct tn_library *library, struct tn_cuda *cuda) {
    (void)find_symbols(library, loader, LENGTH(loader), true, cuda);
    (void)find_symbols(library, base, LENGTH(base), true, cuda);
    (void)find_symbols(library, vmm, LENGTH(vmm), true, cuda);
    (void)find_symbols(library, pools, LENGTH(pools), true, cuda);
    find_old_release(library, cuda);
    ask_for(cuda, base, LENGTH(base));
    ask_for(cuda, vmm, LENGTH(vmm));
    ask_for(cuda, pools, LENGTH(pools));
    return check_base(library, cuda);
}

// ---- starting

static tarn_status fail_start(struct tn_cuda *cuda, const struct tn_library *library,
                              struct tn_native answer) {
    const char *hint = "";
    if (answer.code == TN_CU_STUB_LIBRARY) {
        hint = ": it is the stub of the toolkit, to link with, and no driver";
    } else if (answer.code == TN_CU_NOT_INITIALIZED) {
        hint = ": a process made by fork() cannot use the driver that its parent has started";
    }
    return tn_fail_native(tn_cuda_status(answer.code), answer.call, answer.code,
                          "cuda: %s does not start: %s: %s (%lld)%s", library->path, answer.call,
                          tn_cuda_error_name(cuda, answer.code), (long long)answer.code, hint);
}

static tarn_status start(struct tn_cuda *cuda, const struct tn_library *library, int *version) {
    struct tn_native answer = TN_CUDA_CALL(cuda, cuInit, 0);
    if (answer.code == 0) {
        answer = TN_CUDA_CALL(cuda, cuDriverGetVersion, version);
    }
    return answer.code == 0 ? TARN_OK : fail_start(cuda, library, answer);
}

static void leave_out_vmm(struct tn_vendor_driver *driver) {
    driver->reserve = NULL;
    driver->unreserve = NULL;
    driver->create = NULL;
    driver->destroy = NULL;
    driver->map = NULL;
    driver->unmap = NULL;
    driver->set_access = NULL;
    driver->export = NULL;
    driver->import = NULL;
    driver->shareable = 0;
}

static void leave_out_pools(struct tn_vendor_driver *driver) {
    driver->pool_open = NULL;
    driver->pool_close = NULL;
    driver->pool_peer = NULL;
    driver->pool_alloc = NULL;
    driver->pool_free = NULL;
    driver->pool_trim = NULL;
}

tarn_status tn_cuda_load(const struct tn_library *library, struct tn_vendor_driver *driver,
                         void **d) {
    int version = 0;
    struct tn_cuda *cuda = calloc(1, sizeof *cuda);
    if (cuda == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the functions of CUDA's driver");
    }
    tarn_status status = find_all(library, cuda);
    if (status == TARN_OK) {
        status = start(cuda, library, &version);
    }
    if (status != TARN_OK) {
        free(cuda);
        return status;
    }
    driver->version = (uint32_t)version;
    if (!has_all(cuda, vmm, LENGTH(vmm))) {
        leave_out_vmm(driver);
    }
    if (!has_all(cuda, pools, LENGTH(pools))) {
        leave_out_pools(driver);
    }
    *d = cuda;
    return TARN_OK;
}
