// SPDX-License-Identifier: Apache-2.0
// Numbers of devices. The user's number is the ordinal of programs, which ASCEND_RT_VISIBLE_DEVICES
// decides. Logical and physical numbers are those of the platform. The file has no state.
#include <acl/detail/system.h>

#include "compat/acl/face.h"

static aclError number_of_user(int32_t user, int32_t *number, const char *name) {
    TN_ACL_TRY(tn_acl_check_pointer(number, name));
    TN_ACL_DEVICE(device, tn_acl_open_device(user, &device));
    *number = device->number;
    return ACL_SUCCESS;
}

static aclError user_of_number(int32_t number, int32_t *user, const char *name) {
    TN_ACL_TRY(tn_acl_check_pointer(user, name));
    TN_ACL_TRY(tn_acl_open());
    const struct tn_face_device *device = tn_acl_device_of(number);
    TN_ACL_REFUSE(device == NULL, ACL_ERROR_RT_INVALID_DEVICEID,
                  "device %d does not exist, or the program does not see it", number);
    *user = device->ordinal;
    return ACL_SUCCESS;
}

// Defines a function that converts a number into another one.
#define CONVERSION(name, convert, from, to)                                                        \
    TN_ACL_FUNCTION(name, int32_t, from, int32_t *, to) { return convert(from, to, #to); }

// "Logic" is the user's number in this pair, as in AscendCL.
CONVERSION(aclrtGetPhyDevIdByLogicDevId, number_of_user, logicDevId, phyDevId)
CONVERSION(aclrtGetLogicDevIdByPhyDevId, user_of_number, phyDevId, logicDevId)

CONVERSION(aclrtGetLogicDevIdByUserDevId, number_of_user, userDevId, logicDevId)
CONVERSION(aclrtGetUserDevIdByLogicDevId, user_of_number, logicDevId, userDevId)
CONVERSION(aclrtGetPhyDevIdByUserDevId, number_of_user, userDevId, phyDevId)
CONVERSION(aclrtGetUserDevIdByPhyDevId, user_of_number, phyDevId, userDevId)
