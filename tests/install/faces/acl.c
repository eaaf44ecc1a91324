// SPDX-License-Identifier: Apache-2.0
// The least program for AscendCL: headers and library fit together, and there is a device.
#include <acl/acl.h>
#include <stdio.h>

int main(void) {
    aclrtRunMode mode = ACL_DEVICE;
    uint32_t count = 0;
    if (aclrtGetRunMode(&mode) != ACL_SUCCESS || aclrtGetDeviceCount(&count) != ACL_SUCCESS ||
        aclrtSetDevice(0) != ACL_SUCCESS || aclrtResetDevice(0) != ACL_SUCCESS)
        return 1;
    printf("mode %d, %u devices\n", (int)mode, (unsigned)count);
    return mode == ACL_HOST && count > 0 ? 0 : 1;
}
