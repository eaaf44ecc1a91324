// SPDX-License-Identifier: Apache-2.0
// Claims of src/fail/function.c: rows are found by each of their names, and recipes read arguments.
#include "fail/function.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "fail/functions_acl.h"
#include "fail/functions_cuda.h"
#include "fail/functions_hiai.h"
#include "fail/functions_hip.h"

static const struct tn_fail_function rows[] = {
#define ROW(error, arguments, names) {error, arguments, names},
    TN_FAIL_HIP(ROW) TN_FAIL_CUDA(ROW) TN_FAIL_ACL(ROW) TN_FAIL_HIAI(ROW)};

enum { ROWS = sizeof rows / sizeof *rows };

// A name that stands twice would have two errors.
static void each_name_finds_its_row(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        char names[4096];
        assert_true(rows[i].error[0] != '\0');
        assert_true((size_t)snprintf(names, sizeof names, "%s", rows[i].names) < sizeof names);
        for (char *rest, *name = strtok_r(names, " ", &rest); name != NULL;
             name = strtok_r(NULL, " ", &rest)) {
            const struct tn_fail_function *row = tn_fail_function_find(name);
            assert_non_null(row);
            assert_string_equal(row->names, rows[i].names);
        }
    }
    assert_null(tn_fail_function_find("hipNoSuchFunction"));
    assert_null(tn_fail_function_find(""));
}

static void a_name_without_its_ending_is_the_same(void **state) {
    (void)state;
    assert_ptr_equal(tn_fail_function_find("cuMemAlloc"), tn_fail_function_find("cuMemAlloc_v2"));
    assert_ptr_equal(tn_fail_function_find("cuMemcpyDtoDAsync_v2_ptsz"),
                     tn_fail_function_find("cuMemcpyDtoDAsync_v2"));
    assert_ptr_equal(tn_fail_function_find("hipMemcpy_spt"), tn_fail_function_find("hipMemcpy"));
    assert_true(tn_fail_function_is("cuMemAlloc", "cuMemAlloc_v2"));
    assert_true(tn_fail_function_is("cuMemAlloc_v2", "cuMemAlloc_v2"));
    assert_true(tn_fail_function_is("hipMemcpy", "hipMemcpy_spt"));
    assert_true(tn_fail_function_is("hipGetDeviceProperties", "hipGetDevicePropertiesR0600"));
    assert_false(tn_fail_function_is("cuMemAlloc_v2", "cuMemAlloc"));
    assert_false(tn_fail_function_is("hipMalloc", "hipMallocAsync"));
}

// Returns the n-th value of a fact that the recipe reads, or UINT64_MAX.
static uint64_t read_fact(const char *recipe, const uint64_t *arguments, unsigned count,
                          enum tn_fail_fact_kind kind, unsigned n) {
    const struct tn_fail_function row = {"e", recipe, "f"};
    struct tn_fail_facts facts = {.count = 0};
    tn_fail_function_read(&row, arguments, count, &facts);
    for (unsigned i = 0; i < facts.count; i++)
        if (facts.list[i].kind == kind && n-- == 0) return facts.list[i].value;
    return UINT64_MAX;
}

static void recipes_read_arguments(void **state) {
    (void)state;
    const uint64_t extent[3] = {7, 0, 5};
    const uint32_t prop[4] = {1, 2, 3, 4};
    const int desc[5] = {32, 32, 0, 0, 2};
    const uint64_t words[] = {(uintptr_t)extent,    (uintptr_t)prop, 6, (uintptr_t)desc, 0,
                              (uint64_t)9 << 32 | 1};
    const struct {
        const char *recipe;
        enum tn_fail_fact_kind kind;
        uint64_t value;
    } cases[] = {
        {"size=c", TN_FAIL_FACT_SIZE, 6},
        {"size=c*4", TN_FAIL_FACT_SIZE, 24},
        {"size=a[0]*a[8]*a[16]", TN_FAIL_FACT_SIZE, 0},
        {"size=a[0]*a[8]+*a[16]", TN_FAIL_FACT_SIZE, 35},
        {"size=d#*c*e+", TN_FAIL_FACT_SIZE, 48},
        {"size=c address=d handle=b[4.4] device=b[12.4]", TN_FAIL_FACT_HANDLE, 2},
        {"size=c address=d handle=b[4.4] device=b[12.4]", TN_FAIL_FACT_DEVICE, 4},
        {"device=f>", TN_FAIL_FACT_DEVICE, 9},
        {"stream=e", TN_FAIL_FACT_STREAM, 0},
        {"size=g", TN_FAIL_FACT_SIZE, UINT64_MAX},    // there is no such argument
        {"size=e[8]", TN_FAIL_FACT_SIZE, UINT64_MAX}, // NULL
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(read_fact(cases[i].recipe, words, 6, cases[i].kind, 0), cases[i].value);
    assert_int_equal(read_fact("address=c address=e", words, 6, TN_FAIL_FACT_ADDRESS, 1), 0);
}

static void specs_select_by_facts_that_the_function_has(void **state) {
    (void)state;
    struct tn_fail_set set;
    uint64_t n = 0;
    assert_int_equal(tn_fail_parse("hipMalloc:size=1M-", &tn_fail_process, &set), TARN_OK);
    const struct tn_fail_facts small = {1, {{TN_FAIL_FACT_SIZE, 4096}}};
    const struct tn_fail_facts large = {1, {{TN_FAIL_FACT_SIZE, 1 << 20}}};
    assert_null(tn_fail_count_facts(&set, "hipMalloc", &small, NULL, &n));
    assert_non_null(tn_fail_count_facts(&set, "hipMalloc", &large, NULL, &n));
    assert_int_equal(n, 1);
    static const char *const wrong[] = {"hipMalloc:address=0-",       "hipFree:size=4K",
                                        "tarn_stream_create:size=0-", "map:stream=1",
                                        "aclrtMalloc:stream=0",       "hipGetLastError"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(tn_fail_parse(wrong[i], &tn_fail_process, &set), TARN_BAD_CONFIG);
    assert_int_equal(tn_fail_parse("hipGetLastError:as=hipErrorUnknown", &tn_fail_process, &set),
                     TARN_OK);
}

// Each recipe is made of facts, letters and numbers, so that none is skipped silently.
static void each_recipe_is_complete(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        for (const char *at = rows[i].arguments; *at != '\0';) {
            char part[64];
            size_t length = strcspn(at, " ");
            assert_true(length < sizeof part);
            memcpy(part, at, length);
            part[length] = '\0';
            const struct tn_fail_function one = {"e", part, "f"};
            assert_true(tn_fail_function_facts(&one) != 0);
            at += length + (at[length] == ' ');
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_name_finds_its_row),
        cmocka_unit_test(a_name_without_its_ending_is_the_same),
        cmocka_unit_test(recipes_read_arguments),
        cmocka_unit_test(specs_select_by_facts_that_the_function_has),
        cmocka_unit_test(each_recipe_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
