// SPDX-License-Identifier: Apache-2.0
// Prepares a process for the questions about AscendCL: the default context of device 0 is current.
#include "begin.h"

static bool acl_begins(void) {
    static aclrtContext context;
    if (context == NULL) {
        (void)CALL(aclInit, NULL);
        if (CALL(aclrtSetDevice, 0) != 0 || CALL(aclrtGetCurrentContext, &context) != 0)
            return false;
    }
    return CALL(aclrtSetCurrentContext, context) == 0 && CALL0(aclrtSynchronizeDevice) == 0;
}

static void acl_about(void) {
    uint32_t devices = 0;
    int32_t major = 0, minor = 0, patch = 0;
    size_t left = 0, all = 0;
    ASK(aclInit, NULL);
    MUST(aclrtGetVersion, &major, &minor, &patch);
    SAY("major", major);
    SAY("minor", minor);
    SAY("patch", patch);
    MUST(aclrtGetDeviceCount, &devices);
    if (devices > 0 && ASK(aclrtSetDevice, 0) == 0) {
        SAY_TEXT("chip", CALL0(aclrtGetSocName));
        MUST(aclrtGetMemInfo, ACL_HBM_MEM, &left, &all);
        SAY("memory_gib", all >> 30);
    }
    SAY("devices", devices);
}

const struct tn_conform_api tn_conform_acl = {"acl", acl_begins, acl_about};
