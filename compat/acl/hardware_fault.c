// SPDX-License-Identifier: Apache-2.0
// Faults of a device's hardware. Tarn's devices have none. The file has no state.
#include <acl/detail/system.h>

#include <string.h>

#include "compat/acl/face.h"

static aclError check_info(int32_t ordinal, const void *info) {
    TN_ACL_TRY(tn_acl_check_pointer(info, "errorInfo"));
    TN_ACL_TRY(tn_acl_open());
    return tn_acl_find_device(ordinal, NULL);
}

static aclError get_fault(int32_t ordinal, aclrtErrorInfo *info) {
    TN_ACL_TRY(check_info(ordinal, info));
    memset(info, 0, sizeof *info);
    return ACL_SUCCESS;
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo) {
    return TN_ACL_CALL(get_fault(deviceId, errorInfo));
}

static aclError repair_fault(int32_t ordinal, const aclrtErrorInfo *info) {
    TN_ACL_TRY(check_info(ordinal, info));
    return info->errorType == ACL_RT_NO_ERROR
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                             "errorType %d is a fault that the device does not have",
                             (int)info->errorType);
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo) {
    return TN_ACL_CALL(repair_fault(deviceId, errorInfo));
}
