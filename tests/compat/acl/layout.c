// SPDX-License-Identifier: Apache-2.0
// V24: sizes and offsets of the structs in compiled programs.
#include "support/acl.h"

#define AT(type, member, offset)                                                                   \
    _Static_assert(offsetof(type, member) == (offset), #type "." #member " at " #offset)
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has " #bytes)

SIZE(aclrtMemLocation, 8);
AT(aclrtMemLocation, id, 0);
SIZE(aclrtPhysicalMemProp, 32);
AT(aclrtPhysicalMemProp, allocationType, 4);
AT(aclrtPhysicalMemProp, memAttr, 8);
AT(aclrtPhysicalMemProp, location, 12);
AT(aclrtPhysicalMemProp, reserve, 24);
SIZE(aclrtPtrAttributes, 28);
AT(aclrtPtrAttributes, pageSize, 8);
AT(aclrtPtrAttributes, rsv, 12);
SIZE(aclrtMallocAttrValue, 8);
SIZE(aclrtMallocAttribute, 12);
AT(aclrtMallocAttribute, value, 4);
SIZE(aclrtMallocConfig, 16);
SIZE(aclrtBinaryLoadOption, 20);
SIZE(aclrtBinaryLoadOptions, 16);
SIZE(aclrtLaunchKernelAttr, 20);
AT(aclrtLaunchKernelAttr, value, 4);
SIZE(aclrtLaunchKernelCfg, 16);
SIZE(aclrtPlaceHolderInfo, 8);
SIZE(aclrtMemUceInfo, 128);
SIZE(aclrtMemUsageInfo, 112);
SIZE(aclrtMemcpyBatchAttr, 32);
SIZE(aclrtMemAccessDesc, 24);
SIZE(aclrtMemFabricHandle, 128);
SIZE(aclrtMemPoolProps, 56);
SIZE(aclrtMemAttr, 4);
SIZE(aclrtMemMallocPolicy, 4);

SIZE(aclrtMemManagedLocation, 8);
SIZE(aclrtStreamConfigHandle, 32);
AT(aclrtStreamConfigHandle, priority, 24);
SIZE(aclrtUtilizationInfo, 24);
SIZE(aclrtUuid, 16);
SIZE(aclrtBarrierTaskInfo, 56);
SIZE(aclrtCntNotifyRecordInfo, 8);
SIZE(aclrtCntNotifyWaitInfo, 16);
AT(aclrtCntNotifyWaitInfo, isClear, 12);
SIZE(aclrtLaunchKernelAttrValue, 16);
SIZE(aclrtSnapShotBackupArgs, 64);
SIZE(aclrtSnapShotRestoreArgs, 64);
SIZE(aclmdlRITaskParams, 200);
AT(aclmdlRITaskParams, kernelTaskParams, 72);

static void codes_are_those_of_the_list(void **state) {
    (void)state;
    assert_int_equal(ACL_SUCCESS, 0);
    assert_int_equal(ACL_ERROR_INVALID_PARAM, 100000);
    assert_int_equal(ACL_ERROR_RT_MEMORY_ALLOCATION, 207001);
    assert_int_equal(ACL_ERROR_RT_DRV_INTERNAL_ERROR, 507899);
    assert_int_equal(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, 507911);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(codes_are_those_of_the_list)};
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
