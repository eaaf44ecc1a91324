// SPDX-License-Identifier: Apache-2.0
// Memory of aclrtMalloc() between processes, by key (spec 1.4 and 6.1). The CPU may
// access device memory here, so that both processes can read it.
#include "support/partner.h"

#define BYTES ((size_t)1 << 20)

static void is_refused(void *arg) {
    char key[65] = "key";
    int32_t pid = 1;
    void *memory = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMalloc(&memory, BYTES, 0));
    assert_acl(aclrtIpcMemGetExportKey(memory, BYTES, key, 65, 0),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtIpcMemSetImportPid(key, &pid, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtIpcMemImportByKey(&memory, key, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtIpcMemClose(key), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_string_equal(key, "key");
    assert_acl_ok(aclrtFree(memory));
}

static void generation_1_has_no_keys(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

static char *malloc_shared(void) {
    void *memory = NULL;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMalloc(&memory, BYTES, 0));
    strcpy(memory, "shared");
    return memory;
}

static void a_key_is_for_those_who_are_named(void **state) {
    struct order order = {.how = BY_KEY};
    (void)state;
    struct partner one = partner_hire();
    struct partner two = partner_hire();
    int32_t pid = one.pid;
    char *memory = malloc_shared();
    assert_acl_ok(aclrtIpcMemGetExportKey(memory, BYTES, order.key, sizeof order.key, 0));
    assert_true(strlen(order.key) > 0 && strlen(order.key) < 65);
    assert_acl(partner_import(&one, &order), ACL_ERROR_RT_NO_PERMISSION);
    assert_acl_ok(aclrtIpcMemSetImportPid(order.key, &pid, 1));
    assert_acl_ok(partner_import(&one, &order));
    assert_string_equal(memory, "answered");
    assert_acl(partner_import(&two, &order), ACL_ERROR_RT_NO_PERMISSION);
    assert_acl_ok(aclrtFree(memory));
    assert_acl(partner_import(&one, &order), ACL_ERROR_RT_PARAM_INVALID); // it is gone
    partner_dismiss(&two); // it has an end of the other's pipe
    partner_dismiss(&one);
    assert_acl_ok(aclrtResetDevice(0));
}

static void flag_1_is_for_everybody(void **state) {
    struct order order = {.how = BY_KEY, .device = 1};
    (void)state;
    struct partner partner = partner_hire();
    char *memory = malloc_shared();
    assert_acl_ok(aclrtIpcMemGetExportKey(memory, 1, order.key, sizeof order.key,
                                          ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    assert_acl_ok(partner_import(&partner, &order));
    assert_string_equal(memory, "answered");
    assert_acl_ok(aclrtFree(memory));
    partner_dismiss(&partner);
    assert_acl_ok(aclrtResetDevice(0));
}

static void bad_exports_are_refused(void **state) {
    char key[65] = "untouched";
    int local = 0;
    (void)state;
    char *memory = malloc_shared();
    assert_acl(aclrtIpcMemGetExportKey(NULL, 1, key, 65, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemGetExportKey(memory, 0, key, 65, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemGetExportKey(memory, 1, NULL, 65, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemGetExportKey(memory, 1, key, 64, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemGetExportKey(memory, 1, key, 65, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcMemGetExportKey(memory + 64, 1, key, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcMemGetExportKey(memory, 2 * BYTES, key, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcMemGetExportKey(&local, 1, key, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_string_equal(key, "untouched");
    assert_acl_ok(aclrtFree(memory));
    assert_acl_ok(aclrtResetDevice(0));
}

static void the_key_of_memory_stays_the_same(void **state) {
    char key[65];
    char again[65];
    (void)state;
    char *memory = malloc_shared();
    assert_acl_ok(aclrtIpcMemGetExportKey(memory, BYTES, key, 65, 0));
    assert_acl_ok(aclrtIpcMemGetExportKey(memory, BYTES, again, 65, 0));
    assert_string_equal(key, again);
    assert_acl_ok(aclrtIpcMemClose(key));
    assert_acl(aclrtIpcMemClose(key), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(memory));
    assert_acl_ok(aclrtResetDevice(0));
}

static void bad_keys_are_refused(void **state) {
    char key[65];
    char wrong[65];
    int32_t pid = 1;
    void *out = NULL;
    (void)state;
    char *memory = malloc_shared();
    assert_acl_ok(aclrtIpcMemGetExportKey(memory, BYTES, key, 65, 1));
    memset(wrong, 'x', sizeof wrong - 1);
    wrong[64] = '\0';
    assert_acl(aclrtIpcMemImportByKey(NULL, key, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemImportByKey(&out, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemImportByKey(&out, key, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcMemImportByKey(&out, key, 0), ACL_ERROR_RT_PARAM_INVALID); // its own
    assert_acl(aclrtIpcMemImportByKey(&out, "", 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcMemImportByKey(&out, wrong, 0), ACL_ERROR_RT_PARAM_INVALID);
    wrong[20] = '\0';
    assert_acl(aclrtIpcMemImportByKey(&out, wrong, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_null(out);
    assert_acl(aclrtIpcMemClose(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemClose(wrong), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtIpcMemSetImportPid(NULL, &pid, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemSetImportPid(key, NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemSetImportPid(key, &pid, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtIpcMemSetImportPid(wrong, &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
    pid = 0; // not everybody
    assert_acl(aclrtIpcMemSetImportPid(key, &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(memory));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtIpcMemImportByKey(&out, key, 0), ACL_ERROR_RT_CONTEXT_NULL);
}

static int setup(void **state) {
    int failed = acl_group_setup(state);
    return failed != 0 ? failed
                       : setenv("TARN_ACL_DEVICE", "host:0,devices=2,memory=1G,access=on-grant", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_has_no_keys), // these three fork: first
        cmocka_unit_test(a_key_is_for_those_who_are_named),
        cmocka_unit_test(flag_1_is_for_everybody),
        cmocka_unit_test(bad_exports_are_refused),
        cmocka_unit_test(the_key_of_memory_stays_the_same),
        cmocka_unit_test(bad_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
