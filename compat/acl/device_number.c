// SPDX-License-Identifier: Apache-2.0
// Numbers of devices. The user's number is the ordinal of programs, which ASCEND_RT_VISIBLE_DEVICES
// decides. Logical and physical numbers are those of the platform. The file has no state.
#include <acl/detail/system.h>

#include "compat/acl/face.h"

static aclError check_number(const void *output, const char *name) {
    TN_ACL_TRY(tn_acl_check_pointer(output, name));
    return tn_acl_open();
}

static aclError number_of_user(int32_t user, int32_t *number, const char *name) {
    struct tn_face_device *device = NULL;
    TN_ACL_TRY(check_number(number, name));
    TN_ACL_TRY(tn_acl_find_device(user, &device));
    *number = device->number;
    return ACL_SUCCESS;
}

static aclError user_of_number(int32_t number, int32_t *user, const char *name) {
    TN_ACL_TRY(check_number(user, name));
    const struct tn_face_device *device = tn_acl_device_of(number);
    TN_ACL_REFUSE(device == NULL, ACL_ERROR_RT_INVALID_DEVICEID,
                  "device %d does not exist, or the program does not see it", number);
    *user = device->ordinal;
    return ACL_SUCCESS;
}

// "Logic" is the user's number in this pair, as in AscendCL.
aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t *phyDevId) {
    return TN_ACL_CALL(number_of_user(logicDevId, phyDevId, "phyDevId"));
}

aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t *logicDevId) {
    return TN_ACL_CALL(user_of_number(phyDevId, logicDevId, "logicDevId"));
}

aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevId, int32_t *logicDevId) {
    return TN_ACL_CALL(number_of_user(userDevId, logicDevId, "logicDevId"));
}

aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t *userDevId) {
    return TN_ACL_CALL(user_of_number(logicDevId, userDevId, "userDevId"));
}

aclError aclrtGetPhyDevIdByUserDevId(int32_t userDevId, int32_t *phyDevId) {
    return TN_ACL_CALL(number_of_user(userDevId, phyDevId, "phyDevId"));
}

aclError aclrtGetUserDevIdByPhyDevId(int32_t phyDevId, int32_t *userDevId) {
    return TN_ACL_CALL(user_of_number(phyDevId, userDevId, "userDevId"));
}
