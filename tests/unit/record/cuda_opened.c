// SPDX-License-Identifier: Apache-2.0
// Recordings of a program that opens CUDA's driver for itself alone, and asks dlsym() or
// cuGetProcAddress() for its functions.
#include <dlfcn.h>

#include "unit/record/cuda_program.h"

static void *driver;

static void *find_symbol(const char *symbol) {
    void *found = dlsym(driver, symbol);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(7);
    }
    return found;
}

static void open_driver(void) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/cuda/libcuda.so.1", getenv("STANDIN"));
    driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (driver == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(7);
    }
}

static void find_by_symbol(void) {
    void *found;
#define FIND(name, symbol, version)                                                                \
    found = find_symbol(#symbol);                                                                  \
    memcpy(&cu.name, &found, sizeof found);
    TN_CU_BASE_LIST(FIND)
    TN_CU_VMM_LIST(FIND) TN_CU_POOL_LIST(FIND) TN_CU_MORE_LIST(FIND)
#undef FIND
}

// `by` is one of the driver's functions that find others, whose fifth argument only the newer has.
static void find_by_version(const char *by) {
    CUresult (*find)(const char *, void **, int, uint64_t, int *) = NULL;
    void *found = find_symbol(by);
    memcpy(&find, &found, sizeof find);
#define FIND(name, symbol, version)                                                                \
    must(find(#name, &found, 12000, 0, NULL));                                                     \
    memcpy(&cu.name, &found, sizeof found);
    TN_CU_BASE_LIST(FIND)
    TN_CU_VMM_LIST(FIND) TN_CU_POOL_LIST(FIND) TN_CU_MORE_LIST(FIND)
#undef FIND
}

// The loader finds itself, as NVIDIA's runtime asks it to.
static void find_by_loader(void) {
    CUresult (*find)(const char *, void **, int, uint64_t, int *) = NULL;
    void *first = find_symbol("cuGetProcAddress_v2"), *again = NULL;
    memcpy(&find, &first, sizeof find);
    must(find("cuGetProcAddress", &again, 12000, 0, NULL));
    must_be(again == first, "cuGetProcAddress finds another one");
    find_by_version("cuGetProcAddress_v2");
}

// Names and versions that the table does not know are answered by the driver.
static void run_unknown(void) {
    CUresult (*find)(const char *, void **, int, uint64_t, int *) = NULL;
    void *loader = find_symbol("cuGetProcAddress_v2"), *found = NULL;
    int status = -1;
    memcpy(&find, &loader, sizeof find);
    must_be(find("cuMemAlloc", &found, 2000, 0, &status) == CUDA_SUCCESS &&
                found == find_symbol("cuMemAlloc"),
            "the first version of cuMemAlloc was replaced");
    must_be(find("cuMemAlloc_v2", &found, 12000, 0, &status) == CUDA_ERROR_NOT_FOUND &&
                found == NULL,
            "a name with a version was found");
    must_be(find(NULL, &found, 12000, 0, &status) == CUDA_ERROR_INVALID_VALUE, "NULL was accepted");
    must_be(find("cuMemAlloc", NULL, 12000, 0, &status) == CUDA_ERROR_INVALID_VALUE,
            "NULL was accepted");
    must_be(dlsym(driver, "cuNoSuchFunction") == NULL && dlerror() != NULL, "an unknown name");
    must_be(dlsym(driver, "cuMemAllocManaged") == NULL && dlerror() != NULL, "an absent function");
}

// Without a driver nothing is found, though the recorder has functions of these names.
static int run_absent(void) {
    void *program = dlopen(NULL, RTLD_NOW);
    must_be(dlsym(RTLD_DEFAULT, "cuMemAlloc_v2") == NULL, "RTLD_DEFAULT");
    must_be(dlerror() != NULL, "RTLD_DEFAULT without an error");
    must_be(dlsym(program, "cuMemAlloc_v2") == NULL && dlerror() != NULL, "the program");
    must_be(dlsym(RTLD_NEXT, "malloc") != NULL, "RTLD_NEXT");
    must_be(dlsym(RTLD_DEFAULT, "main") != NULL || dlerror() != NULL, "RTLD_DEFAULT of another");
    return dlclose(program);
}

static int run_opened(const char *name) {
    const char *program = strchr(name, ':') + 1;
    if (strcmp(program, "absent") == 0) return run_absent();
    open_driver();
    if (strncmp(name, "symbol", 6) == 0)
        find_by_symbol();
    else if (strncmp(name, "version", 7) == 0)
        find_by_version("cuGetProcAddress");
    else
        find_by_loader();
    if (strcmp(program, "unknown") == 0) {
        enter_context();
        run_unknown();
        program = "failures";
    }
    return run_program(program);
}

// ---- tests

static void functions_of_dlsym_are_recorded(void **state) {
    (void)state;
    check_kinds("symbol:kinds");
    check_failures("symbol:failures");
}

static void functions_of_cuGetProcAddress_are_recorded(void **state) {
    (void)state;
    check_kinds("version:kinds");
    check_kinds("loader:kinds");
    check_failures("loader:failures");
}

static void unknown_functions_are_those_of_the_driver(void **state) {
    (void)state;
    check_failures("symbol:unknown");
}

static void an_absent_driver_stays_absent(void **state) {
    (void)state;
    (void)unlink(recorded.path);
    record_to(&recorded, "symbol:absent", recorded.path, true, false);
    assert_int_not_equal(access(recorded.path, F_OK), 0);
    assert_string_equal(recorded.errors, "");
}

int main(int argc, char **argv) {
    if (argc == 2) return run_opened(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_dlsym_are_recorded),
        cmocka_unit_test(functions_of_cuGetProcAddress_are_recorded),
        cmocka_unit_test(unknown_functions_are_those_of_the_driver),
        cmocka_unit_test(an_absent_driver_stays_absent),
    };
    return may_record(&recorded) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
