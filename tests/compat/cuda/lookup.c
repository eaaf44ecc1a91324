// SPDX-License-Identifier: Apache-2.0
// Functions by name and version, through the driver and the runtime, and functions that do not exist.
#include <dlfcn.h>
#include <stdio.h>

#include "support/cuda.h"

static void *symbol(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) fail_msg("no %s", name);
    return found;
}

// The answer for a name and a version, whose result must be `result`.
static void *get(const char *name, int version, cuuint64_t flags, int result) {
    CUdriverProcAddressQueryResult found = (CUdriverProcAddressQueryResult)9;
    void *function = &found;
    assert_cu_ok(cuGetProcAddress(name, &function, version, flags, &found));
    assert_int_equal(found, result);
    if (result != 0) assert_null(function);
    return function;
}

// 15
static void a_version_selects_the_newest_form_that_is_not_newer(void **state) {
    (void)state;
    assert_ptr_equal(get("cuMemAlloc", 12000, 0, 0), symbol("cuMemAlloc_v2"));
    assert_ptr_equal(get("cuMemAlloc", 3020, 0, 0), symbol("cuMemAlloc_v2"));
    assert_ptr_equal(get("cuMemAlloc", 3010, 0, 0), symbol("cuMemAlloc"));
    assert_ptr_equal(get("cuCtxCreate", 11030, 0, 0), symbol("cuCtxCreate_v2"));
    assert_ptr_equal(get("cuCtxCreate", 11040, 1, 0), symbol("cuCtxCreate_v3"));
    assert_ptr_equal(get("cuCtxCreate", 13000, 0, 0), symbol("cuCtxCreate_v4"));
    assert_ptr_equal(get("cuGetProcAddress", 11030, 0, 0), symbol("cuGetProcAddress"));
    assert_ptr_equal(get("cuGetProcAddress", 12000, 0, 0), symbol("cuGetProcAddress_v2"));
    assert_ptr_equal(get("cuInit", 2000, 0, 0), symbol("cuInit"));
}

// 16
static void only_names_without_an_ending_are_known(void **state) {
    (void)state;
    for (const char *const *name =
             (const char *const[]){"cuMemAlloc_v2", "cuMemcpyAsync_ptsz", "cuMemcpy_ptds",
                                   "cudaMalloc", "nonsense", "", NULL};
         *name != NULL; name++)
        get(*name, 12000, 0, 1);
}

// 17
static void a_function_is_newer_than_an_old_version(void **state) {
    (void)state;
    get("cuMemCreate", 10010, 0, 2);
    assert_ptr_equal(get("cuMemCreate", 10020, 0, 0), symbol("cuMemCreate"));
    get("cuInit", 0, 0, 2);
}

// 18
static void a_version_newer_than_the_drivers_and_missing_arguments_are_refused(void **state) {
    void *function = NULL;
    (void)state;
    assert_cu(cuGetProcAddress("cuInit", &function, 99000, 0, NULL), 1);
    assert_cu(cuGetProcAddress(NULL, &function, 12000, 0, NULL), 1);
    assert_cu(cuGetProcAddress("cuInit", NULL, 12000, 0, NULL), 1);
    assert_cu(cuGetProcAddress("cuInit", &function, 12000, 4, NULL), 1);
    assert_null(function);
    assert_cu_ok(cuGetProcAddress("cuInit", &function, 12000, 3, NULL));
    assert_cu_ok(cuGetProcAddress("cuInit", &function, -1, 0, NULL));
    assert_cuda(cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, 4, NULL), 1);
    assert_cu(cuGetProcAddress("cuInit", &function, 13000, 0, NULL), 0);
    assert_ptr_equal(function, symbol("cuInit"));
}

// 19
static void a_flag_selects_the_form_for_the_stream_of_the_thread(void **state) {
    void *function = NULL;
    (void)state;
    assert_ptr_equal(get("cuStreamSynchronize", 12000, 2, 0), symbol("cuStreamSynchronize_ptsz"));
    assert_ptr_equal(get("cuStreamSynchronize", 12000, 1, 0), symbol("cuStreamSynchronize"));
    get("cuStreamSynchronize", 6050, 2, 2); // its other form is of 7000
    assert_ptr_equal(get("cuMemcpyDtoH", 7000, 2, 0), symbol("cuMemcpyDtoH_v2_ptds"));
    assert_ptr_equal(get("cuMemcpyDtoH", 7000, 0, 0), symbol("cuMemcpyDtoH_v2"));
    assert_ptr_equal(get("cuStreamGetCaptureInfo", 11030, 2, 0),
                     symbol("cuStreamGetCaptureInfo_v2_ptsz"));
    assert_ptr_equal(get("cuMemGetInfo", 12000, 2, 0), symbol("cuMemGetInfo_v2"));
    assert_cu_ok(cuGetProcAddress("cuStreamQuery", &function, 12000, 2, NULL));
    assert_ptr_equal(function, symbol("cuStreamQuery_ptsz"));
}

static void the_form_without_a_result_fails_for_what_it_does_not_find(void **state) {
    CUresult (*get_old)(const char *, void **, int, cuuint64_t);
    void *old = symbol("cuGetProcAddress"), *function = &function;
    (void)state;
    memcpy(&get_old, &old, sizeof old);
    assert_cu(get_old("nonsense", &function, 11030, 0), 500);
    assert_ptr_equal(function, &function);
    assert_cu(get_old("cuMemCreate", &function, 10010, 0), 500);
    assert_cu_ok(get_old("cuMemAlloc", &function, 11030, 0));
    assert_ptr_equal(function, symbol("cuMemAlloc_v2"));
    assert_cu(get_old("cuMemAlloc", &function, 99000, 0), 1);
}

// 20
static void the_runtime_finds_functions_of_the_driver(void **state) {
    enum cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSuccess;
    void *function = &result;
    (void)state;
    assert_cuda_ok(cudaGetDriverEntryPointByVersion("nonsense", &function, 12000, 0, &result));
    assert_null(function);
    assert_int_equal(result, cudaDriverEntryPointSymbolNotFound);
    assert_cuda_ok(cudaGetDriverEntryPointByVersion("cuMemCreate", &function, 10010, 0, &result));
    assert_null(function);
    assert_int_equal(result, cudaDriverEntryPointVersionNotSufficent);
    assert_cuda_ok(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, 0, NULL));
    assert_ptr_equal(function, symbol("cuMemAlloc_v2"));
    assert_cuda_ok(cudaGetDriverEntryPointByVersion("cuStreamQuery", &function, 12000, 3, NULL));
    assert_ptr_equal(function, symbol("cuStreamQuery_ptsz")); // unknown flags are bits
    assert_cuda(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 99000, 0, &result), 1);
    assert_cuda(cudaGetLastError(), 1);
}

// A sanitizer's dlopen() does not search the RUNPATH of this program.
static void *open_beside_driver(const char *name) {
    char path[4096];
    Dl_info driver;
    assert_int_not_equal(dladdr(symbol("cuInit"), &driver), 0);
    (void)snprintf(path, sizeof path, "%.*s/%s",
                   (int)(strrchr(driver.dli_fname, '/') - driver.dli_fname), driver.dli_fname,
                   name);
    void *library = dlopen(path, RTLD_LAZY);
    assert_non_null(library);
    return library;
}

// A library of release 12 gives what its own version had.
static void each_release_finds_functions_of_its_version(void **state) {
    cudaError_t (*get_entry)(const char *, void **, unsigned long long,
                             enum cudaDriverEntryPointQueryResult *);
    static const struct {
        const char *library, *name, *function;
    } cases[] = {
        {"libcudart.so.13", "cudaGetDriverEntryPoint", "cuMemcpyBatchAsync_v2"},
        {"libcudart.so.12", "cudaGetDriverEntryPoint", "cuMemcpyBatchAsync"},
        {"libcudart.so.13", "cudaGetDriverEntryPoint_ptsz", "cuMemcpyBatchAsync_v2_ptsz"},
        {"libcudart.so.12", "cudaGetDriverEntryPoint_ptsz", "cuMemcpyBatchAsync_ptsz"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *library = open_beside_driver(cases[i].library), *function = NULL;
        void *entry = dlsym(library, cases[i].name);
        assert_non_null(entry);
        memcpy(&get_entry, &entry, sizeof entry);
        assert_cuda_ok(get_entry("cuMemcpyBatchAsync", &function, cudaEnableDefault, NULL));
        assert_ptr_equal(function, symbol(cases[i].function));
    }
}

// 90
static void there_are_no_tables_of_the_driver(void **state) {
    const CUuuid id = {{1}};
    const void *table = &id;
    (void)state;
    assert_cu(cuGetExportTable(&table, &id), 1);
    assert_null(table);
    table = &id;
    assert_cuda(cudaGetExportTable(&table, &id), 1);
    assert_null(table);
    assert_cuda(cudaGetLastError(), 1);
    assert_cu(cuGetExportTable(NULL, &id), 1);
}

static void a_function_that_is_not_implemented_says_so(void **state) {
    CUresult (*driver)(void);
    cudaError_t (*runtime)(void);
    void *function = symbol("cuMemAlloc"); // CUDA 3.1's, whose addresses have 32 bits
    (void)state;
    memcpy(&driver, &function, sizeof function);
    assert_cu(driver(), 801);
    function = symbol("cudaGLGetDevices");
    memcpy(&runtime, &function, sizeof function);
    assert_cuda_ok(cudaGetLastError());
    assert_cuda(runtime(), 801);
    assert_cuda(cudaGetLastError(), 801);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_selects_the_newest_form_that_is_not_newer),
        cmocka_unit_test(only_names_without_an_ending_are_known),
        cmocka_unit_test(a_function_is_newer_than_an_old_version),
        cmocka_unit_test(a_version_newer_than_the_drivers_and_missing_arguments_are_refused),
        cmocka_unit_test(a_flag_selects_the_form_for_the_stream_of_the_thread),
        cmocka_unit_test(the_form_without_a_result_fails_for_what_it_does_not_find),
        cmocka_unit_test(the_runtime_finds_functions_of_the_driver),
        cmocka_unit_test(each_release_finds_functions_of_its_version),
        cmocka_unit_test(there_are_no_tables_of_the_driver),
        cmocka_unit_test(a_function_that_is_not_implemented_says_so),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
