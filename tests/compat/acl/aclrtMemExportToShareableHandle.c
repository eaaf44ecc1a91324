// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes (spec table 3.12, the last three rows).
#include <sys/resource.h>

#include "support/partner.h"
#include "support/vmm.h"

// ---- children

static void is_refused(void *arg) {
    uint64_t token = 7;
    int32_t pid = 1;
    aclrtDrvMemHandle handle = &token;
    (void)arg;
    assert_acl(aclrtMemExportToShareableHandle(handle, 0, 0, &token),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemImportFromShareableHandle(token, 0, &handle),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemSetPidToShareableHandle(token, &pid, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemExportToShareableHandleV2(handle, 0, 1, &token),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemImportFromShareableHandleV2(&token, 1, 0, &handle),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemSetPidToShareableHandleV2(&token, 1, &pid, 1),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_int_equal(token, 7);
}

static void rc_mode_shares_nothing(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_MODE", "RC", NULL);
}

static void second_versions_are_refused(void *arg) {
    uint64_t token = 7;
    int32_t pid = 1;
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    (void)arg;
    assert_acl(aclrtMemExportToShareableHandleV2(handle, 0, 1, &token),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemSetPidToShareableHandleV2(&token, 1, &pid, 1),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 0, &token));
    assert_acl(aclrtMemImportFromShareableHandleV2(&token, 1, 0, &handle),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtFreePhysical(handle));
}

static void generation_1_has_the_first_versions(void **state) {
    (void)state;
    acl_in_child(second_versions_are_refused, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

// Shareable memory takes a descriptor each. When none is left, memory can still be created
static void many_are_created(void *arg) {
    const struct rlimit few = {160, 160};
    aclrtDrvMemHandle handles[200];
    uint64_t token = 0;
    (void)arg;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int i = 0; i < 200; i++) handles[i] = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMemExportToShareableHandle(handles[0], 0, 0, &token));
    assert_acl(aclrtMemExportToShareableHandle(handles[199], 0, 0, &token),
               ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
    for (int i = 0; i < 200; i++) assert_acl_ok(aclrtFreePhysical(handles[i]));
}

static void memory_outlasts_descriptors(void **state) {
    (void)state;
    acl_in_child(many_are_created, NULL, NULL);
}

// ---- between processes

// 2 MiB of device 0 that say "shared", mapped for the CPU to see.
static aclrtDrvMemHandle create_shared(char **start) {
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    *start = vmm_reserve(2 * MIB);
    assert_acl_ok(aclrtMapMem(*start, 2 * MIB, 0, handle, 0));
    vmm_let_host(*start, 2 * MIB);
    strcpy(*start, "shared");
    return handle;
}

static void end_shared(char *start, aclrtDrvMemHandle handle) {
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtFreePhysical(handle));
}

// Without flag 1, importers must be named with MemSetPid
static void a_token_is_for_those_who_are_named(void **state) {
    struct order order = {.how = BY_TOKEN, .device = 1};
    char *start = NULL;
    (void)state;
    struct partner one = partner_hire();
    struct partner two = partner_hire();
    int32_t pid = one.pid;
    aclrtDrvMemHandle handle = create_shared(&start);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 0, &order.token));
    assert_acl(partner_import(&one, &order), ACL_ERROR_RT_NO_PERMISSION);
    assert_acl_ok(aclrtMemSetPidToShareableHandle(order.token, &pid, 1));
    assert_acl_ok(partner_import(&one, &order));
    assert_string_equal(start, "answered");
    assert_acl(partner_import(&two, &order), ACL_ERROR_RT_NO_PERMISSION);
    order.device = 2;
    assert_acl(partner_import(&one, &order), ACL_ERROR_RT_INVALID_DEVICEID);
    end_shared(start, handle);
    order.device = 0;
    assert_acl(partner_import(&one, &order), ACL_ERROR_RT_DRV_INTERNAL_ERROR); // it is gone
    assert_acl(aclrtMemSetPidToShareableHandle(order.token, &pid, 1),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    partner_dismiss(&two); // it has an end of the other's pipe
    partner_dismiss(&one);
}

static void flag_1_is_for_everybody(void **state) {
    struct order order = {.how = BY_TOKEN_2};
    char *start = NULL;
    (void)state;
    struct partner partner = partner_hire();
    aclrtDrvMemHandle handle = create_shared(&start);
    assert_acl_ok(
        aclrtMemExportToShareableHandleV2(handle, ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
                                          ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, &order.token));
    assert_acl_ok(partner_import(&partner, &order));
    assert_string_equal(start, "answered");
    end_shared(start, handle);
    partner_dismiss(&partner);
}

static void imports_for_two_devices_keep_their_devices(void **state) {
    struct order order = {.how = BY_TOKEN, .device = 1};
    char *start = NULL;
    (void)state;
    struct partner partner = partner_hire();
    aclrtDrvMemHandle handle = create_shared(&start);
    aclrtDrvMemHandle other = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 1, &order.token));
    assert_acl_ok(aclrtMemExportToShareableHandle(other, 0, 1, &order.other));
    assert_acl_ok(partner_import(&partner, &order));
    assert_string_equal(start, "answered");
    assert_acl_ok(aclrtFreePhysical(other));
    end_shared(start, handle);
    partner_dismiss(&partner);
}

static void the_second_version_names_importers_too(void **state) {
    struct order order = {.how = BY_TOKEN};
    char *start = NULL;
    (void)state;
    struct partner partner = partner_hire();
    int32_t pid = partner.pid;
    aclrtDrvMemHandle handle = create_shared(&start);
    assert_acl_ok(aclrtMemExportToShareableHandleV2(handle, 0, 1, &order.token));
    assert_acl_ok(aclrtMemSetPidToShareableHandleV2(&order.token, 1, &pid, 1));
    assert_acl_ok(partner_import(&partner, &order));
    end_shared(start, handle);
    partner_dismiss(&partner);
}

// ---- errors

// handle or shareable NULL, handleType not NONE: 100000; flags > 1: 107000; twice: an error
static void bad_exports_are_refused(void **state) {
    uint64_t token = 0;
    uint64_t again = 7;
    (void)state;
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl(aclrtMemExportToShareableHandle(NULL, 0, 0, &token), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemExportToShareableHandle(handle, 0, 0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_POSIX, 2, &token),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemExportToShareableHandle(handle, 0, 2, &token), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 0, &token));
    assert_acl(aclrtMemExportToShareableHandle(handle, 0, 0, &again),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_int_equal(again, 7);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl(aclrtMemExportToShareableHandle(handle, 0, 0, &again), ACL_ERROR_RT_PARAM_INVALID);
}

static void bad_imports_are_refused(void **state) {
    uint64_t token = 0;
    aclrtDrvMemHandle out = NULL;
    (void)state;
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 1, &token));
    assert_acl(aclrtMemImportFromShareableHandle(token, 0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemImportFromShareableHandle(token, -1, &out), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtMemImportFromShareableHandle(0, 0, &out), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMemImportFromShareableHandle(token ^ 1, 0, &out),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_null(out);
    assert_acl_ok(aclrtFreePhysical(handle));
}

// A failing import takes no reference.
static void an_own_token_is_refused(void **state) {
    aclrtDrvMemHandle out = NULL;
    uint64_t token = 0;
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    size_t before = acl_free_bytes();
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 1, &token));
    assert_acl(aclrtMemImportFromShareableHandle(token, 0, &out), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(
        aclrtMemImportFromShareableHandleV2(&token, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 0, &out),
        ACL_ERROR_RT_PARAM_INVALID);
    assert_null(out);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_int_equal(acl_free_bytes(), before);
    assert_acl_ok(aclrtResetDevice(0));
}

static void bad_lists_are_refused(void **state) {
    int32_t pid = 1;
    uint64_t token = 0;
    (void)state;
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMemExportToShareableHandle(handle, 0, 0, &token));
    assert_acl(aclrtMemSetPidToShareableHandle(token, NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemSetPidToShareableHandle(token, &pid, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemSetPidToShareableHandle(token ^ 1, &pid, 1),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    pid = 0; // not everybody
    assert_acl(aclrtMemSetPidToShareableHandle(token, &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFreePhysical(handle));
}

static void fabric_handles_are_not_provided(void **state) {
    aclrtMemFabricHandle fabric = {{0}};
    int32_t pid = 1;
    aclrtDrvMemHandle out = NULL;
    (void)state;
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl(aclrtMemExportToShareableHandleV2(handle, 0, 2, &fabric),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemImportFromShareableHandleV2(&fabric, 2, 0, &out),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemSetPidToShareableHandleV2(&fabric, 2, &pid, 1),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemExportToShareableHandleV2(handle, 0, 3, &fabric), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemExportToShareableHandleV2(NULL, 0, 1, &fabric), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemExportToShareableHandleV2(handle, 0, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemImportFromShareableHandleV2(&fabric, 1, 1, &out),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemImportFromShareableHandleV2(&fabric, 1, 0, &out), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtFreePhysical(handle));
}

static void many_exports_are_remembered(void **state) {
    aclrtDrvMemHandle handles[40];
    uint64_t tokens[40];
    uint64_t again = 0;
    (void)state;
    for (int i = 0; i < 40; i++) {
        handles[i] = vmm_create(2 * MIB, 0);
        assert_acl_ok(aclrtMemExportToShareableHandle(handles[i], 0, 0, &tokens[i]));
        if (i % 2 == 1) // every other goes, and its note some time after it
            assert_acl_ok(aclrtFreePhysical(handles[i]));
    }
    for (int i = 0; i < 40; i += 2) {
        assert_acl(aclrtMemExportToShareableHandle(handles[i], 0, 0, &again),
                   ACL_ERROR_RT_DRV_INTERNAL_ERROR);
        assert_acl_ok(aclrtFreePhysical(handles[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rc_mode_shares_nothing), // these seven fork: first
        cmocka_unit_test(generation_1_has_the_first_versions),
        cmocka_unit_test(memory_outlasts_descriptors),
        cmocka_unit_test(a_token_is_for_those_who_are_named),
        cmocka_unit_test(flag_1_is_for_everybody),
        cmocka_unit_test(imports_for_two_devices_keep_their_devices),
        cmocka_unit_test(the_second_version_names_importers_too),
        cmocka_unit_test(bad_exports_are_refused),
        cmocka_unit_test(bad_imports_are_refused),
        cmocka_unit_test(an_own_token_is_refused),
        cmocka_unit_test(bad_lists_are_refused),
        cmocka_unit_test(fabric_handles_are_not_provided),
        cmocka_unit_test(many_exports_are_remembered),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
