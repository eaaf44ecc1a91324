// SPDX-License-Identifier: Apache-2.0
// Errors of a device's hardware. Tarn's devices have none. The file has no state.
#include <acl/detail/system.h>

#include <string.h>

#include "compat/acl/face.h"

static aclError check_info(int32_t ordinal, const void *info) {
    TN_ACL_TRY(tn_acl_check_pointer(info, "errorInfo"));
    return tn_acl_open_device(ordinal, NULL);
}

TN_ACL_FUNCTION(aclrtGetErrorVerbose, int32_t, deviceId, aclrtErrorInfo *, errorInfo) {
    TN_ACL_TRY(check_info(deviceId, errorInfo));
    memset(errorInfo, 0, sizeof *errorInfo);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtRepairError, int32_t, deviceId, const aclrtErrorInfo *, errorInfo) {
    TN_ACL_TRY(check_info(deviceId, errorInfo));
    TN_ACL_UNSUPPORTED(errorInfo->errorType != ACL_RT_NO_ERROR,
                       "errorType %d is an error that the device does not have",
                       (int)errorInfo->errorType);
    return ACL_SUCCESS;
}
