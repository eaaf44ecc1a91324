// SPDX-License-Identifier: Apache-2.0
// Media memory of both generations (spec 3.13).
#include <acl/dvpp/hi_dvpp.h>
#include <acl/ops/acl_dvpp.h>

#include "support/acl.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

_Static_assert(HI_ERR_SYS_ILLEGAL_PARAM == (hi_s32)0xA0028003, "code");
_Static_assert(HI_ERR_SYS_NULL_PTR == (hi_s32)0xA0028006, "code");
_Static_assert(HI_ERR_SYS_NOT_SUPPORT == (hi_s32)0xA0028008, "code");
_Static_assert(HI_ERR_SYS_NO_MEM == (hi_s32)0xA002800C, "code");
_Static_assert(HI_ERR_SYS_NOT_READY == (hi_s32)0xA0028010, "code");
_Static_assert(HI_ERR_VPC_NULL_PTR == (hi_s32)0xA0078006, "code");
_Static_assert(HI_ERR_SYS_NULL_PTR < 0 && sizeof(hi_u64) == 8 && sizeof(hi_s32) == 4, "types");

static size_t effective(void *ptr) {
    void *base = NULL;
    size_t size = 0;
    assert_acl_ok(aclrtMemGetAddressRange(ptr, &base, &size));
    return size;
}

static void arguments_are_checked_before_the_context(void **state) {
    aclrtMallocConfig empty = {.attrs = NULL, .numAttrs = 1};
    const aclrtMemMallocPolicy both =
        (aclrtMemMallocPolicy)(ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH);
    void *ptr = &ptr;
    (void)state;
    assert_acl(acldvppMallocWithCfg(&ptr, 0, both, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMalloc(NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMalloc(&ptr, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMalloc(&ptr, SIZE_MAX - 63), ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMalloc(&ptr, 1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(acldvppMallocWithCfg(NULL, 1, ACL_MEM_MALLOC_HUGE_FIRST, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMallocWithCfg(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &empty),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMallocWithCfg(&ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST, NULL),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(acldvppMallocWithCfg(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, NULL),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(acldvppMallocWithCfg(&ptr, 1, both, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(acldvppFree(NULL), ACL_ERROR_INVALID_PARAM);
    assert_int_equal(hi_mpi_dvpp_malloc(0, NULL, 1), HI_ERR_SYS_NULL_PTR);
    assert_int_equal(hi_mpi_dvpp_malloc(0, &ptr, 0), HI_ERR_SYS_ILLEGAL_PARAM);
    assert_int_equal(hi_mpi_dvpp_malloc(0, &ptr, UINT64_MAX), HI_ERR_SYS_ILLEGAL_PARAM);
    assert_int_equal(hi_mpi_dvpp_malloc(0, &ptr, 1), HI_ERR_SYS_NOT_READY);
    assert_non_null(strstr(aclGetRecentErrMsg(), "107002"));
    assert_int_equal(hi_mpi_dvpp_free(NULL), HI_ERR_SYS_NULL_PTR);
    assert_ptr_equal(ptr, &ptr);
}

static void media_memory_is_padded_and_in_huge_pages(void **state) {
    static const size_t rows[][3] = {{1, 64, 2 * MIB},
                                     {1000, 1056, 2 * MIB},
                                     {2097120, 2097152, 2 * MIB},
                                     {2097121, 2097184, 4 * MIB}};
    size_t before = acl_free_bytes();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *first = NULL;
        void *second = NULL;
        assert_acl_ok(acldvppMalloc(&first, rows[i][0]));
        assert_int_equal(before - acl_free_bytes(), rows[i][2]);
        assert_int_equal(hi_mpi_dvpp_malloc(99, &second, rows[i][0]), HI_SUCCESS);
        assert_int_equal(before - acl_free_bytes(), 2 * rows[i][2]);
        assert_int_equal((uintptr_t)first % 128, 0);
        assert_int_equal((uintptr_t)second % 128, 0);
        assert_int_equal(effective(first), rows[i][1]);
        assert_int_equal(effective(second), rows[i][1]);
        assert_acl_ok(acldvppFree(first));
        assert_int_equal(hi_mpi_dvpp_free(second), HI_SUCCESS);
    }
    assert_int_equal(acl_free_bytes(), before);
}

// Of device 1, whatever number of a device it was called with.
static void media_memory_is_the_current_device_s(void **state) {
    aclrtPtrAttributes attributes;
    void *ptrs[2] = {NULL, NULL};
    (void)state;
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(acldvppMalloc(&ptrs[0], 1));
    assert_int_equal(hi_mpi_dvpp_malloc(0, &ptrs[1], 1), HI_SUCCESS);
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(aclrtPointerGetAttributes(ptrs[i], &attributes)); // 3.11
        assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
        assert_int_equal(attributes.location.id, 1);
        assert_int_equal(attributes.pageSize, 2 * MIB);
    }
    assert_acl_ok(acldvppFree(ptrs[0]));
    assert_int_equal(hi_mpi_dvpp_free(ptrs[1]), HI_SUCCESS);
    assert_acl_ok(aclrtResetDevice(1));
}

static void media_memory_on_the_device(void *arg) {
    unsigned char *ptrs[2] = {NULL, NULL};
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(acldvppMalloc((void **)&ptrs[0], 100));
    assert_int_equal(hi_mpi_dvpp_malloc(5, (void **)&ptrs[1], 100), HI_SUCCESS);
    memset(ptrs[0], 1, 100);
    memset(ptrs[1], 2, 100);
    assert_acl_ok(acldvppFree(ptrs[0]));
    assert_int_equal(hi_mpi_dvpp_free(ptrs[1]), HI_SUCCESS);
}

static void the_cpu_of_the_device_uses_media_memory(void **state) {
    (void)state;
    acl_in_child(media_memory_on_the_device, NULL, "TARN_ACL_MODE", "RC", "TARN_ACL_DEVICE", NULL,
                 NULL);
}

static void media_memory_of_a_chip_without_padding(void *arg) {
    void *ptrs[2] = {NULL, NULL};
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(acldvppMalloc(&ptrs[0], 1000));
    assert_int_equal(hi_mpi_dvpp_malloc(0, &ptrs[1], 1000), HI_SUCCESS);
    assert_int_equal(effective(ptrs[0]), 1056);
    assert_int_equal(effective(ptrs[1]), 1056);
    assert_acl_ok(acldvppFree(ptrs[0]));
    assert_int_equal(hi_mpi_dvpp_free(ptrs[1]), HI_SUCCESS);
}

static void media_memory_is_padded_on_every_chip(void **state) {
    (void)state;
    acl_in_child(media_memory_of_a_chip_without_padding, NULL, "TARN_ACL_PADDING", "0", NULL);
}

static void configured_media_memory_has_its_pages(void **state) {
    aclrtMallocAttribute attr = {ACL_RT_MEM_ATTR_MODULE_ID, {.moduleId = 6}};
    aclrtMallocConfig config = {&attr, 1};
    size_t before = acl_free_bytes();
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(acldvppMallocWithCfg(&ptr, 100, ACL_MEM_MALLOC_NORMAL_ONLY, &config));
    assert_int_equal(effective(ptr), 160);
    assert_int_equal(before - acl_free_bytes(), 4096);
    assert_acl_ok(acldvppFree(ptr));
    attr.attr = ACL_RT_MEM_ATTR_DEVICE_ID;
    attr.value.deviceId = 1;
    assert_acl(acldvppMallocWithCfg(&ptr, 100, ACL_MEM_MALLOC_HUGE_ONLY, &config),
               ACL_ERROR_RT_PARAM_INVALID);
}

static void families_are_kept_apart(void **state) {
    void *plain = NULL;
    void *media = NULL;
    void *hi = NULL;
    void *host = NULL;
    uint32_t result = 0;
    (void)state;
    assert_acl_ok(aclrtMalloc(&plain, 1, ACL_MEM_MALLOC_HUGE_ONLY));
    assert_acl_ok(acldvppMalloc(&media, 1));
    assert_int_equal(hi_mpi_dvpp_malloc(0, &hi, 1), HI_SUCCESS);
    assert_acl_ok(aclrtMallocHost(&host, 1));
    assert_acl(aclrtFree(media), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "media memory of acldvppMalloc()"));
    assert_acl(aclrtFree(hi), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFreeHost(media), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFreeHost(hi), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(acldvppFree(plain), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(acldvppFree(hi), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(acldvppFree(host), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(acldvppFree(&result), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(acldvppFree((char *)media + 128), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(hi_mpi_dvpp_free(plain), HI_ERR_SYS_ILLEGAL_PARAM);
    assert_int_equal(hi_mpi_dvpp_free(media), HI_ERR_SYS_ILLEGAL_PARAM);
    assert_int_equal(hi_mpi_dvpp_free(host), HI_ERR_SYS_ILLEGAL_PARAM);
    assert_acl_ok(aclrtCheckMemType(&media, 1, ACL_RT_MEM_TYPE_DVPP, &result, 0));
    assert_int_equal(result, 1);
    assert_acl_ok(aclrtCheckMemType(&hi, 1, ACL_RT_MEM_TYPE_DEV, &result, 0));
    assert_int_equal(result, 0);
    assert_acl_ok(aclrtFree(plain));
    assert_acl_ok(acldvppFree(media));
    assert_acl(acldvppFree(media), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(hi_mpi_dvpp_free(hi), HI_SUCCESS);
    assert_int_equal(hi_mpi_dvpp_free(hi), HI_ERR_SYS_ILLEGAL_PARAM);
    assert_acl_ok(aclrtFreeHost(host));
}

static void media_memory_runs_out(void **state) {
    void *most = NULL;
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocAlign32(&most, GIB - MIB, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl(acldvppMalloc(&ptr, 1), ACL_ERROR_RT_MEMORY_ALLOCATION); // 1 MiB is left
    assert_int_equal(hi_mpi_dvpp_malloc(0, &ptr, 1), HI_ERR_SYS_NO_MEM);
    assert_acl_ok(aclrtFree(most));
    assert_acl_ok(acldvppMalloc(&ptr, 1));
    assert_acl_ok(acldvppFree(ptr));
}

static void the_media_system_is_started_and_stopped(void **state) {
    hi_s32 major = 0;
    hi_s32 minor = -1;
    hi_s32 patch = -1;
    (void)state;
    assert_int_equal(hi_mpi_sys_exit(), HI_ERR_SYS_NOT_READY);
    assert_int_equal(hi_mpi_sys_init(), HI_SUCCESS);
    assert_int_equal(hi_mpi_sys_init(), HI_SUCCESS);
    assert_int_equal(hi_mpi_sys_exit(), HI_SUCCESS);
    assert_int_equal(hi_mpi_sys_exit(), HI_ERR_SYS_NOT_READY);
    assert_int_equal(hi_mpi_dvpp_get_version(NULL, &minor, &patch), HI_ERR_SYS_NULL_PTR);
    assert_int_equal(hi_mpi_dvpp_get_version(&major, &minor, &patch), HI_SUCCESS);
    assert_int_equal(major, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_of_the_device_uses_media_memory), // these two fork: first
        cmocka_unit_test(media_memory_is_padded_on_every_chip),
        cmocka_unit_test(arguments_are_checked_before_the_context),
        cmocka_unit_test(the_media_system_is_started_and_stopped),
        WITH_DEVICE(media_memory_is_padded_and_in_huge_pages),
        WITH_DEVICE(media_memory_is_the_current_device_s),
        WITH_DEVICE(configured_media_memory_has_its_pages),
        WITH_DEVICE(families_are_kept_apart),
        WITH_DEVICE(media_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
