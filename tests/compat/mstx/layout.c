// SPDX-License-Identifier: Apache-2.0
// Layouts and numbers that tools of other makers rely on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <mstx/ms_tools_ext.h>

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
#define SIZE(type, bytes)       _Static_assert(sizeof(type) == (bytes), #type)

SIZE(mstxMemVirtualRangeDesc_t, 24);
AT(mstxMemVirtualRangeDesc_t, deviceId, 0);
AT(mstxMemVirtualRangeDesc_t, ptr, 8);
AT(mstxMemVirtualRangeDesc_t, size, 16);
SIZE(mstxMemHeapDesc_t, 16);
AT(mstxMemHeapDesc_t, usage, 0);
AT(mstxMemHeapDesc_t, type, 4);
AT(mstxMemHeapDesc_t, typeSpecificDesc, 8);
SIZE(mstxMemRegionsRegisterBatch_t, 40);
AT(mstxMemRegionsRegisterBatch_t, heap, 0);
AT(mstxMemRegionsRegisterBatch_t, regionType, 8);
AT(mstxMemRegionsRegisterBatch_t, regionCount, 16);
AT(mstxMemRegionsRegisterBatch_t, regionDescArray, 24);
AT(mstxMemRegionsRegisterBatch_t, regionHandleArrayOut, 32);
SIZE(mstxMemRegionRef_t, 16);
AT(mstxMemRegionRef_t, refType, 0);
AT(mstxMemRegionRef_t, pointer, 8);
AT(mstxMemRegionRef_t, handle, 8);
SIZE(mstxMemRegionsUnregisterBatch_t, 16);
AT(mstxMemRegionsUnregisterBatch_t, refArray, 8);
SIZE(mstxMemPermissionsAssignRegionsDesc_t, 24);
AT(mstxMemPermissionsAssignRegionsDesc_t, flags, 0);
AT(mstxMemPermissionsAssignRegionsDesc_t, region, 8);
SIZE(mstxMemPermissionsAssignBatch_t, 16);
AT(mstxMemPermissionsAssignBatch_t, regionDescArray, 8);
SIZE(mstxRangeId, 8);
_Static_assert(MSTX_API_CORE_INVALID == 0 && MSTX_API_CORE_MARK_A == 1 &&
                   MSTX_API_CORE_RANGE_START_A == 2 && MSTX_API_CORE_RANGE_END == 3 &&
                   MSTX_API_CORE_GET_TOOL_ID == 4,
               "core");
_Static_assert(MSTX_API_CORE2_INVALID == 0 && MSTX_API_CORE2_DOMAIN_CREATE_A == 1 &&
                   MSTX_API_CORE2_DOMAIN_DESTROY == 2 && MSTX_API_CORE2_DOMAIN_MARK_A == 3 &&
                   MSTX_API_CORE2_DOMAIN_RANGE_START_A == 4 && MSTX_API_CORE2_DOMAIN_RANGE_END == 5,
               "domains");
_Static_assert(MSTX_API_CORE_MEM_INVALID == 0 && MSTX_API_CORE_MEMHEAP_REGISTER == 1 &&
                   MSTX_API_CORE_MEMHEAP_UNREGISTER == 2 &&
                   MSTX_API_CORE_MEM_REGIONS_REGISTER == 3 &&
                   MSTX_API_CORE_MEM_REGIONS_UNREGISTER == 4 &&
                   MSTX_API_CORE_MEM_PERMISSIONS_ASSIGN == 5,
               "memory");
SIZE(mstxFuncModule, 4);

_Static_assert(MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR == 0 && MSTX_MEM_TYPE_VIRTUAL_ADDRESS == 0 &&
                   MSTX_MEM_REGION_REF_TYPE_POINTER == 0 && MSTX_MEM_REGION_REF_TYPE_HANDLE == 1,
               "enumerators");
_Static_assert(MSTX_MEM_PERMISSIONS_REGION_FLAGS_NONE == 0 &&
                   MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ == 1 &&
                   MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE == 2 &&
                   MSTX_MEM_PERMISSIONS_REGION_FLAGS_SHARED == 4,
               "flags");
_Static_assert(MSTX_API_MODULE_CORE == 1 && MSTX_API_MODULE_CORE_DOMAIN == 2 &&
                   MSTX_API_MODULE_CORE_MEM == 3 && MSTX_API_MODULE_SIZE == 4 &&
                   MSTX_API_CORE_SIZE == 5 && MSTX_API_CORE2_SIZE == 6 &&
                   MSTX_API_CORE_MEM_SIZE == 6,
               "modules");
_Static_assert(MSTX_TOOL_MSPROF_ID == 0x1000 && MSTX_TOOL_MSOPPROF_ID == 0x1001 &&
                   MSTX_TOOL_MSSANITIZER_ID == 0x1002 && MSTX_TOOL_MSLEAKS_ID == 0x1003,
               "tools");

static void tables_have_their_sizes_and_null_at_both_ends(void **state) {
    static const unsigned wanted[] = {0, 5, 6, 6};
    (void)state;
    for (int module = 1; module <= 3; module++) {
        mstxFuncTable table = NULL;
        unsigned size = 0;
        assert_int_equal(mstxDetailGetTable((mstxFuncModule)module, &table, &size), MSTX_SUCCESS);
        assert_int_equal(size, wanted[module]);
        assert_null(table[0]);
        assert_null(table[size]);
        for (unsigned id = 1; id < size; id++) {
            assert_non_null(table[id]);
            assert_true(id == 1 || table[id] != table[id - 1]);
        }
    }
}

static void other_modules_are_not_there(void **state) {
    static const int others[] = {0, 4, 5, 0x4d00, 0x7fffffff};
    mstxFuncTable table = NULL;
    unsigned size = 77;
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(mstxDetailGetTable((mstxFuncModule)others[i], &table, &size), MSTX_FAIL);
    assert_int_equal(mstxDetailGetTable(MSTX_API_MODULE_CORE, NULL, &size), MSTX_FAIL);
    assert_int_equal(mstxDetailGetTable(MSTX_API_MODULE_CORE, &table, NULL), MSTX_FAIL);
    assert_null(table);
    assert_int_equal(size, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_their_sizes_and_null_at_both_ends),
        cmocka_unit_test(other_modules_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
