// SPDX-License-Identifier: Apache-2.0
// See vmm.h.
#include "compat/acl/vmm.h"

aclError tn_acl_vmm_enter(int generation) {
    aclError error = tn_acl_open();
    if (error == ACL_SUCCESS && tn_acl_face.rc) {
        error = tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not in RC mode");
    }
    if (error == ACL_SUCCESS && tn_acl_face.generation < generation) {
        error = tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not in generation %d",
                            tn_acl_face.generation);
    }
    return error;
}

aclError tn_acl_no_device(uint32_t id) {
    return tn_acl_fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %u, there are %d", id,
                       tn_acl_face.count);
}

aclError tn_acl_access_location(aclrtMemLocation given, tarn_location *location) {
    bool host = given.type == ACL_MEM_LOCATION_TYPE_HOST;
    if (!host && given.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                           "location type %d, only host 0 and device 1 have rights",
                           (int)given.type);
    }
    if (host && given.id != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "host with id %u, only 0 is possible",
                           given.id);
    }
    if (!host && given.id >= (uint32_t)tn_acl_face.count) {
        return tn_acl_no_device(given.id);
    }
    *location = (tarn_location){host ? TARN_LOCATION_HOST : TARN_LOCATION_DEVICE, (int)given.id};
    return ACL_SUCCESS;
}

aclError tn_acl_check_pids(const int32_t *pids, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (pids[i] <= 0) {
            return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "pid[%zu] is %d, no process", i,
                               pids[i]);
        }
    }
    return ACL_SUCCESS;
}
