// SPDX-License-Identifier: Apache-2.0
// Functions by name and version, modules, and launches without device code.
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>

#include "begin.h"

#define TN_GROUP "lookup"

static void look_up(const char *name, int version, cuuint64_t flags) {
    CUdriverProcAddressQueryResult result = (CUdriverProcAddressQueryResult)77;
    void *function = &function;
    ASK(cuGetProcAddress, name, &function, version, flags, &result);
    SAY("result", result);
    SAY("found", function == NULL ? 0 : function == (void *)&function ? 2 : 1);
}

static bool is_symbol(const char *name, int version, cuuint64_t flags, const char *symbol) {
    void *function = NULL;
    void (*found)(void) = tn_find(symbol);
    void *of_library = NULL;
    memcpy(&of_library, &found, sizeof of_library);
    MUST(cuGetProcAddress, name, &function, version, flags, NULL);
    return function == of_library;
}

QUESTION(names_with_endings, "cuGetProcAddress") {
    look_up("cuMemAlloc_v2", 12000, 0);
    look_up("cuMemcpyAsync_ptsz", 12000, 0);
    look_up("cudaMalloc", 12000, 0);
    look_up("nonsense", 12000, 0);
    look_up("", 12000, 0);
}

QUESTION(versions, "cuGetProcAddress") {
    look_up("cuMemCreate", 10010, 0);
    look_up("cuMemCreate", 10020, 0);
    look_up("cuInit", 0, 0);
    look_up("cuInit", 99000, 0);
    look_up("cuInit", -1, 0);
}

QUESTION(flags, "cuGetProcAddress") {
    look_up("cuInit", 12000, 1);
    look_up("cuInit", 12000, 2);
    look_up("cuInit", 12000, 3);
    look_up("cuInit", 12000, 4);
}

QUESTION(no_name, "cuGetProcAddress") {
    void *function = NULL;
    ASK(cuGetProcAddress, NULL, &function, 12000, 0, NULL);
}

QUESTION(no_result, "cuGetProcAddress") { ASK(cuGetProcAddress, "cuInit", NULL, 12000, 0, NULL); }

QUESTION(no_state, "cuGetProcAddress: symbolStatus may be NULL") {
    void *function = NULL;
    ASK(cuGetProcAddress, "cuInit", &function, 12000, 0, NULL);
    SAY("found", function != NULL);
    ASK(cuGetProcAddress, "nonsense", &function, 12000, 0, NULL);
    SAY("found", function != NULL);
}

#define SAME(label, name, version, flags, symbol)                                                  \
    QUESTION(label, "cuGetProcAddress: the newest form that is not newer") {                       \
        SAY("same", is_symbol(name, version, flags, symbol));                                      \
    }
SAME(alloc_of_12, "cuMemAlloc", 12000, 0, "cuMemAlloc_v2")
SAME(alloc_of_3020, "cuMemAlloc", 3020, 0, "cuMemAlloc_v2")
SAME(alloc_of_3010, "cuMemAlloc", 3010, 0, "cuMemAlloc")
SAME(context_of_11030, "cuCtxCreate", 11030, 0, "cuCtxCreate_v2")
SAME(context_of_11040, "cuCtxCreate", 11040, 0, "cuCtxCreate_v3")
SAME(context_of_13000, "cuCtxCreate", 13000, 0, "cuCtxCreate_v4")
SAME(lookup_of_12000, "cuGetProcAddress", 12000, 0, "cuGetProcAddress_v2")
SAME(synchronize_of_threads, "cuStreamSynchronize", 12000, 2, "cuStreamSynchronize_ptsz")
SAME(synchronize_of_legacy, "cuStreamSynchronize", 12000, 1, "cuStreamSynchronize")
SAME(copy_of_threads, "cuMemcpyDtoH", 7000, 2, "cuMemcpyDtoH_v2_ptds")

QUESTION(by_the_runtime, "cudaGetDriverEntryPointByVersion") {
    enum cudaDriverEntryPointQueryResult result = (enum cudaDriverEntryPointQueryResult)77;
    void *function = &function;
    ASK(cudaGetDriverEntryPointByVersion, "nonsense", &function, 12000, 0, &result);
    SAY("result", result);
    SAY("null", function == NULL);
    ASK(cudaGetDriverEntryPointByVersion, "cuMemCreate", &function, 10010, 0, &result);
    SAY("result", result);
    ASK(cudaGetDriverEntryPointByVersion, "cuMemAlloc", &function, 12000, 0, &result);
    SAY("result", result);
    ASK(cudaGetDriverEntryPointByVersion, "cuMemAlloc", &function, 99000, 0, &result);
    SAY("result", result);
    ASK0(cudaGetLastError);
}

QUESTION(export_tables, "cuGetExportTable") {
    const CUuuid id = {{1}};
    const void *table = &id;
    ASK(cuGetExportTable, &table, &id);
    SAY("null", table == NULL);
    ASK(cuGetExportTable, NULL, &id);
}

QUESTION(modules_of_nonsense, "cuModuleLoadData: 200") {
    static const char nonsense[64] = "this is no image of a module";
    CUmodule module = NULL;
    ASK(cuModuleLoadData, &module, nonsense);
    ASK(cuModuleLoad, &module, "/nonexistent/file");
    ASK(cuModuleLoad, &module, "/dev/null");
    ASK(cuModuleUnload, NULL);
    ASK(cuModuleLoadData, &module, NULL);
}

QUESTION(launch_of_no_kernel, "cudaLaunchKernel: 98") {
    static int no_kernel;
    void *arguments[] = {&no_kernel};
    dim3 one = {1, 1, 1}, none = {0, 1, 1}, large = {2048, 1, 1};
    ASK(cudaLaunchKernel, &no_kernel, one, one, arguments, 0, NULL);
    ASK0(cudaGetLastError);
    ASK(cudaLaunchKernel, &no_kernel, none, one, arguments, 0, NULL);
    ASK(cudaLaunchKernel, &no_kernel, one, large, arguments, 0, NULL);
    ASK(cudaLaunchKernel, NULL, one, one, arguments, 0, NULL);
    ASK0(cudaGetLastError);
}

QUESTION(attributes_of_no_kernel, "cudaFuncGetAttributes: 98") {
    static int no_kernel;
    struct cudaFuncAttributes attributes;
    ASK(cudaFuncGetAttributes, &attributes, &no_kernel);
    ASK0(cudaGetLastError);
    ASK(cudaFuncGetAttributes, NULL, &no_kernel);
}

QUESTION(symbols_that_do_not_exist, "cudaGetSymbolAddress: 13") {
    static int symbol;
    void *ptr = NULL;
    size_t bytes = 0;
    ASK(cudaGetSymbolAddress, &ptr, &symbol);
    ASK(cudaGetSymbolSize, &bytes, &symbol);
    ASK(cudaGetSymbolAddress, &ptr, NULL);
    ASK0(cudaGetLastError);
}

QUESTION(profilers, "cuProfilerStart") {
    ASK0(cuProfilerStart);
    ASK0(cuProfilerStop);
    ASK0(cuProfilerStop);
    ASK0(cudaProfilerStart);
    ASK0(cudaProfilerStop);
}
